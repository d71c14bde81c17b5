/* What a walk has to keep, worked out from a tale: the numbers that rwx_walk reads.
 *
 * They are those that Python makes of `Dealer`, `Plan` and `Course` (runtime/dealing.py, epochs.py, course.py) by way of
 * native/walking.py; tests compare them number by number. So a world is the same, whoever told the story. */
#ifndef RW_STORY_H
#define RW_STORY_H

#include "rw_eras.h"

enum { RW_STORY_STEPS = 40, RW_STORY_STEPS_PER_EPOCH = 2, RW_STORY_STEPS_OF_COPIES = 96, RW_STORY_BITS = 62 }; /* as course.py and walking.py */

/* The player's view of the table now. */
typedef struct {
    int8_t has_owners, has_bags; /* pieces own fields or places; pieces in one unordered place are one bag */
    int32_t at[RW_PIECES + 1];
    int32_t nmixes, ngroups;
    RwBits known, *mixes;
    RwGroup *groups; /* pieces that may be dealt anew among them, in the order in which they lie */
    const State *state; /* NULL where no number is hidden from the player */
    Ctx *context;       /* where rules work something out from secrets: to run steps in; and whether rules hold some now */
    int8_t is_unseen, is_between; /* is_between: nobody is asked yet, players are about to choose together */
} RwNow;

typedef struct { int32_t n, room, *at; int8_t is_out; } RwNumbers;

static void rw_tell_one(RwNumbers *N, int32_t number) {
    if (N->n == N->room) {
        const int32_t room = N->room ? 2 * N->room : 1024;
        int32_t *grown = N->is_out ? NULL : realloc(N->at, sizeof(int32_t) * (size_t)room);
        if (grown == NULL) {
            N->is_out = 1;
            return;
        }
        N->at = grown;
        N->room = room;
    }
    N->at[N->n++] = number;
}

static void rw_tell_all(RwNumbers *N, const int32_t *numbers, int32_t n) {
    rw_tell_one(N, n);
    for (int32_t i = 0; i < n; i++) rw_tell_one(N, numbers[i]);
}

/* ---------------------------------------------------------------- what a walk moves */

typedef struct {
    int32_t npartners, partners[RW_PIECES + 1];
} RwPartners;

typedef struct {
    RwPartners *of;   /* by epoch: the positions that are not pinned */
    RwNumbers starts; /* pairs of an epoch and a position, the last one first */
    RwNumbers free;   /* positions that are dealt outright: how many, then they; one list after the other */
    int32_t nfree;
} RwPlan;

/* Whether these pieces lie in one unordered place, where it does not matter which is which, or all in the box. */
static int rw_is_one_bag(const RwNow *now, const int32_t *pieces, int32_t n) {
    const int32_t place = now->at[pieces[0]];
    for (int32_t i = 1; i < n; i++)
        if (now->at[pieces[i]] != place) return 0;
    return now->has_bags && place < RW_LISTS && (place < 0 || RW_UNORDERED[place]);
}

/* Positions that are dealt outright, kind by kind if only equal kinds may change places. */
static void rw_plan_free(RwPlan *P, const RwTale *T, const RwNow *now, const int32_t *unread, int32_t n) {
    uint8_t is_told[RW_PIECES + 1] = {0};
    for (int32_t i = 0; i < n; i++) {
        int32_t part[RW_PIECES + 1], size = 0;
        if (is_told[i]) continue;
        for (int32_t k = i; k < n; k++)
            if (!is_told[k] && (!now->has_owners || T->kind[unread[k]] == T->kind[unread[i]])) {
                is_told[k] = 1;
                part[size++] = unread[k];
            }
        if (size < 2 || rw_is_one_bag(now, part, size)) continue;
        rw_tell_all(&P->free, part, size);
        P->nfree++;
    }
}

/* The largest set of positions that nothing tells apart until they are mixed again, all together, or until now: is 1 for
 * those. `after`: what happens next at a position: -1 nothing, 0 it is read, else the epoch that mixes it. */
static void rw_most_alike(const RwPartners *movable, const int32_t *unread, int32_t nunread, const int32_t *after,
                          uint8_t *is_alike) {
    int32_t most = nunread, best = -1;
    for (int32_t i = 0; i < movable->npartners; i++) {
        const int32_t epoch = after[movable->partners[i]];
        int32_t size = 0;
        if (epoch < 1) continue;
        for (int32_t k = 0; k < movable->npartners; k++) size += after[movable->partners[k]] == epoch;
        if (size > most) {
            most = size;
            best = epoch;
        }
    }
    memset(is_alike, 0, RW_PIECES + 1);
    for (int32_t i = 0; best < 0 && i < nunread; i++) is_alike[unread[i]] = 1;
    for (int32_t i = 0; best > 0 && i < movable->npartners; i++)
        is_alike[movable->partners[i]] = after[movable->partners[i]] == best;
}

static void rw_plan_epoch(const RwStory *Y, RwPlan *P, const RwNow *now, int32_t number, const int32_t *after) {
    const RwEra *era = &Y->eras[number];
    RwPartners *movable = &P->of[number];
    int32_t unread[RW_PIECES + 1], n = 0;
    uint8_t is_alike[RW_PIECES + 1];
    if (movable->npartners < 2) {
        movable->npartners = 0;
        return;
    }
    for (int32_t i = 0; i < movable->npartners; i++) {
        const int32_t piece = movable->partners[i];
        if (after[piece] < 0 && !(piece == era->mixed[0] && rw_is_weighed(Y, era))) unread[n++] = piece;
    }
    rw_plan_free(P, Y->tale, now, unread, n);
    rw_most_alike(movable, unread, n, after, is_alike);
    for (int32_t i = 0; i < movable->npartners; i++)
        if (!is_alike[movable->partners[i]]) {
            rw_tell_one(&P->starts, number);
            rw_tell_one(&P->starts, movable->partners[i]);
        }
}

/* Positions that are seen next, but of which the player cannot tell equal copies apart: if an earlier epoch may have
 * brought in other pieces than those of this one in the game, a copy may lie there (`_may_be_others` in epochs.py). */
static RwBits rw_seen_alike(const RwStory *Y, int32_t number, const RwBits *pinned) {
    const RwBits none = {{0}}, *own = &Y->eras[number].bits;
    RwBits alike = *pinned;
    rw_keep_bits(&alike, &Y->copied);
    if (!rw_bits_meet(&alike, own)) return none;
    for (int32_t earlier = 1; earlier < number; earlier++)
        if (rw_bits_meet(&Y->eras[earlier].bits, own) && rw_bits_beyond(&Y->eras[earlier].bits, own)) return alike;
    return none;
}

static int rw_plan(const RwStory *Y, RwPlan *P, const RwNow *now) {
    RwBits pinned = {{0}};
    int32_t after[RW_PIECES + 1];
    for (int32_t piece = 0; piece <= RW_PIECES; piece++) after[piece] = -1;
    P->of = calloc((size_t)Y->neras, sizeof(RwPartners));
    if (P->of == NULL) return 0;
    for (int32_t number = Y->neras - 1; number > 0; number--) {
        const RwEra *era = &Y->eras[number];
        const RwBits seen = rw_seen_bits(Y, era);
        rw_add_bits(&pinned, &seen);
        for (int32_t at = era->said.first; at >= 0; at = Y->said[at].next) {
            const RwBits bits = rw_said_bits(Y, &Y->said[at]);
            for (int32_t piece = 0; piece < RW_PIECES; piece++)
                if (rw_bit(&bits, piece)) after[piece] = 0;
        }
        const RwBits alike = rw_seen_alike(Y, number, &pinned);
        for (int32_t piece = 0; piece < RW_PIECES; piece++)
            if (rw_bit(&alike, piece) && rw_bit(&era->bits, piece)) after[piece] = 0;
        for (int32_t i = 0; i < era->nmixed; i++)
            if (!rw_bit(&pinned, era->mixed[i]) || rw_bit(&alike, era->mixed[i]))
                P->of[number].partners[P->of[number].npartners++] = era->mixed[i];
        rw_plan_epoch(Y, P, now, number, after);
        rw_drop_bits(&pinned, &era->bits);
        for (int32_t i = 0; i < era->nmixed; i++) after[era->mixed[i]] = number;
    }
    return !P->starts.is_out && !P->free.is_out;
}

/* ---------------------------------------------------------------- the numbers of a walk */

/* The offsets of the numbers that a fact turns on. 0 if there are too many. */
static int rw_number_drawn(const RwStory *Y, int32_t said, int32_t fact) {
    int32_t *found = Y->ndrawn ? Y->tale->turns_on + (size_t)fact * (1 + RW_NUMBERS_OF_FACT) : NULL;
    for (int32_t i = 0; i < Y->ndrawn; i++) {
        if (!rw_turns_on(Y, said, i)) continue;
        if (found[0] == RW_NUMBERS_OF_FACT) return 0;
        found[++found[0]] = Y->tale->numbers[Y->written[Y->drawn[i]].number].offset;
    }
    return 1;
}

/* The facts of the story, each once; `fact_of` gives the number of each question. */
static int rw_number_facts(RwStory *Y, int32_t *fact_of) {
    RwTale *T = Y->tale;
    T->nfacts = 0;
    free(T->facts);
    free(T->gone);
    T->facts = malloc(sizeof(int32_t) * 3 * (size_t)(Y->nsaid + 1));
    T->gone = Y->ngone ? calloc((size_t)Y->nsaid + 1, sizeof(RwGone)) : NULL;
    free(T->turns_on);
    T->turns_on = Y->ndrawn ? calloc((size_t)Y->nsaid + 1, sizeof(int32_t) * (1 + RW_NUMBERS_OF_FACT)) : NULL;
    if (Y->nsteps) {
        T->before = malloc(sizeof(int32_t) * (size_t)(Y->nsaid + 1));
        if (T->before == NULL) return 0;
    }
    if (T->facts == NULL || (Y->ngone && T->gone == NULL) || (Y->ndrawn && T->turns_on == NULL)) return 0;
    for (int32_t i = 0; i < Y->nsaid; i++) fact_of[i] = -1;
    for (int32_t i = 0; i < Y->neras; i++)
        for (int32_t at = Y->eras[i].said.first; at >= 0; at = Y->said[at].next) {
            const int32_t asked = Y->said[at].partner < 0 ? at : Y->said[at].partner;
            if (fact_of[asked] >= 0 || Y->said[asked].step >= 0) continue; /* steps are worked out in any case */
            const int32_t told[3] = {Y->said[asked].event, Y->said[asked].epoch, Y->said[asked].taken_in};
            memcpy(T->facts + 3 * T->nfacts, told, sizeof told);
            if (!rw_number_drawn(Y, asked, T->nfacts)) return 0;
            if (Y->said[asked].gone >= 0) T->gone[T->nfacts] = Y->gone[Y->said[asked].gone];
            if (T->before != NULL) T->before[T->nfacts] = Y->said[asked].before;
            fact_of[asked] = T->nfacts++;
        }
    return 1;
}

/* Whether a fact turns on nothing but what lies in the places that it looks at. */
static int rw_is_simple(const RwStory *Y, const RwSaid *asked) {
    const RwTale *T = Y->tale;
    const RwEvent *E = &T->events[asked->event];
    if (asked->before >= 0 || rw_turns_on_numbers(Y, (int32_t)(asked - Y->said))) return 0;
    if (asked->gone >= 0) return Y->gone[asked->gone].kind == RW_FACT_POSED;
    if (asked->taken_in < 0 || !E->has_taken) return 1;
    if (asked->taken_in != asked->epoch) return 0;
    const RwBits seen = rw_seen_bits(Y, &Y->eras[asked->epoch]);
    for (int32_t i = 0; i < E->nchosen; i++) {
        if (!rw_bit(&Y->tied, E->chosen[i])) continue;
        if (T->copies[E->chosen[i]] > 1 || !rw_bit(&seen, E->chosen[i])) return 0;
    }
    return 1;
}

static void rw_tell_seen(RwNumbers *N, const RwStory *Y, const RwEra *era) {
    uint8_t met[RW_PIECES + 1] = {0};
    const int32_t at_first = N->n;
    rw_tell_one(N, 0);
    for (int32_t at = era->seen.first; at >= 0; at = Y->seen_next[at]) {
        const int32_t piece = Y->seen_piece[at];
        if (met[piece]) continue;
        met[piece] = 1;
        rw_tell_one(N, piece);
    }
    if (!N->is_out) N->at[at_first] = N->n - at_first - 1;
}

/* The facts that turn on an epoch, those of a choice with its pieces. */
static void rw_tell_readers(RwNumbers *N, const RwStory *Y, const RwEra *era, const int32_t *fact_of) {
    for (int pass = 0; pass < 2; pass++) {
        const int32_t at_first = N->n;
        int32_t n = 0;
        rw_tell_one(N, 0);
        for (int32_t at = era->said.first; at >= 0; at = Y->said[at].next) {
            const RwSaid *one = &Y->said[at];
            const RwEvent *E = &Y->tale->events[one->event];
            if (rw_step_of(Y, one) >= 0) continue;
            const int is_gone = one->partner >= 0 && Y->said[one->partner].gone >= 0;
            const RwGone *gone = is_gone ? rw_gone_of(Y, one->partner) : NULL;
            const int32_t *part = gone != NULL ? gone->taken : E->chosen, size = gone != NULL ? gone->n : E->nchosen;
            if (one->partner < 0 ? !rw_has_bits(&E->bits) : size == 0) continue;
            n++;
            if (pass == 0) rw_tell_one(N, fact_of[one->partner < 0 ? at : one->partner]);
            else rw_tell_all(N, part, one->partner < 0 ? 0 : size);
        }
        if (!N->is_out) N->at[at_first] = n;
    }
}

static void rw_tell_epochs(RwNumbers *N, RwStory *Y, const RwPlan *P, const int32_t *fact_of) {
    double bits = 0.0;
    int32_t most = 1; /* equal copies that there are of anything */
    for (int32_t piece = 0; piece < RW_PIECES; piece++)
        most = Y->tale->copies[piece] > most ? Y->tale->copies[piece] : most;
    for (int32_t i = 0; i < Y->neras; i++) {
        const RwEra *era = &Y->eras[i];
        const int weighed = rw_is_weighed(Y, era);
        const int32_t alike = era->nmixed < most ? era->nmixed : most;
        for (int32_t size = alike; weighed && size > 1; size >>= 1) bits += 1.0; /* at most one bit too few */
        bits += weighed && alike > 1;
        rw_tell_all(N, era->mixed, era->nmixed);
        rw_tell_all(N, P->of[i].partners, P->of[i].npartners);
        rw_tell_seen(N, Y, era);
        rw_tell_one(N, i + 1 < Y->neras && Y->eras[i + 1].is_closed);
        rw_tell_one(N, weighed);
        rw_tell_readers(N, Y, era, fact_of);
    }
    if (bits > RW_STORY_BITS && !Y->is_remembered) Y->is_lost = 1; /* Python looks closer; a memory when it weighs them */
}

/* The tied groups, each in parts that got out of sight at the same moment (`by_first_mix` in course.py). */
static void rw_tell_parts(RwNumbers *N, const RwStory *Y, const RwNow *now) {
    uint8_t is_told[RW_PIECES + 1] = {0};
    int32_t part[RW_PIECES + 1];
    const int32_t at_first = N->n;
    int32_t parts = 0;
    rw_tell_one(N, 0);
    for (int32_t i = 0; i < now->ngroups; i++) {
        const RwGroup *group = &now->groups[i];
        if (!rw_bit(&Y->tied, group->pieces[0])) continue;
        for (int32_t era = 0; era <= Y->neras; era++) { /* the last time what no era mixes */
            int32_t n = 0;
            for (int32_t j = 0; j < group->n; j++) {
                const int32_t piece = group->pieces[j];
                if (is_told[piece] || (era < Y->neras && !rw_bit(&Y->eras[era].bits, piece))) continue;
                is_told[piece] = 1;
                part[n++] = piece;
            }
            if (n == 0) continue;
            rw_tell_all(N, part, n);
            parts++;
        }
    }
    if (!N->is_out) N->at[at_first] = parts;
}

/* Of each number that a world draws or works out: whether it is drawn by itself, how far each value is from the true one, and the facts that
 * turn on it. */
static void rw_tell_drawn(RwNumbers *N, const RwStory *Y, const int32_t *fact_of) {
    for (int32_t drawn = 0; drawn < Y->ndrawn; drawn++) {
        const RwWritten *one = &Y->written[Y->drawn[drawn]];
        rw_tell_one(N, one->step < 0);
        rw_tell_one(N, one->nvalues);
        for (int32_t i = 0; i < one->nvalues; i++) rw_tell_one(N, one->values[i] - one->true_value);
        const int32_t at_first = N->n;
        rw_tell_one(N, 0);
        for (int32_t i = 0; i < Y->nsaid; i++)
            if (fact_of[i] >= 0 && rw_turns_on(Y, i, drawn)) rw_tell_one(N, fact_of[i]);
        if (!N->is_out) N->at[at_first] = N->n - at_first - 1;
    }
}

/* Whether one piece was taken from among equal copies at two epochs: shown, then moved. */
static int rw_is_taken_twice(const RwStory *Y) {
    RwBits taken = {{0}};
    for (int32_t i = 0; i < Y->neras; i++) {
        if (!rw_is_weighed(Y, &Y->eras[i])) continue;
        if (rw_bit(&taken, Y->eras[i].mixed[0])) return 1;
        rw_set_bit(&taken, Y->eras[i].mixed[0]);
    }
    return 0;
}

static void rw_tell_course(RwNumbers *N, RwStory *Y, const RwPlan *P, const RwNow *now, const int32_t *fact_of) {
    uint8_t in_core[RW_PIECES + 1] = {0};
    int32_t core[RW_PIECES + 1], ncore = 0;
    const int32_t nstarts = P->starts.n / 2;
    for (int32_t i = 0; i < nstarts; i++) in_core[P->starts.at[2 * i + 1]] = 1;
    for (int32_t piece = 0; piece < RW_PIECES; piece++)
        if (in_core[piece]) core[ncore++] = piece;
    int32_t unknown = ncore;
    for (int32_t i = 0; i < Y->ndrawn; i++) unknown += Y->written[Y->drawn[i]].step < 0;
    const int32_t steps = RW_STORY_STEPS + RW_STEPS_PER_UNKNOWN * unknown + RW_STORY_STEPS_PER_EPOCH * Y->neras +
                          (rw_is_taken_twice(Y) ? RW_STORY_STEPS_OF_COPIES : 0);
    const int32_t head[8] = {1, now->has_owners, Y->neras, Y->tale->nfacts, Y->ndrawn, nstarts, unknown, unknown ? steps : 0};
    for (int i = 0; i < 8; i++) rw_tell_one(N, head[i]);
    for (int32_t piece = 0; piece < RW_PIECES; piece++) rw_tell_one(N, Y->tale->row[piece]);
    for (int32_t piece = 0; piece < RW_PIECES; piece++) rw_tell_one(N, Y->tale->kind[piece]);
    for (int32_t i = nstarts - 1; i >= 0; i--) {
        rw_tell_one(N, P->starts.at[2 * i]);
        rw_tell_one(N, P->starts.at[2 * i + 1]);
    }
    rw_tell_epochs(N, Y, P, fact_of);
    for (int32_t number = 0; number < Y->tale->nfacts; number++)
        for (int32_t i = 0; i < Y->nsaid; i++) {
            if (fact_of[i] != number) continue;
            rw_tell_one(N, Y->said[i].epoch);
            rw_tell_one(N, Y->said[i].taken_in);
            rw_tell_one(N, rw_is_simple(Y, &Y->said[i]));
            for (int32_t drawn = 0; drawn < Y->ndrawn; drawn++)
                if (rw_turns_on(Y, i, drawn)) rw_tell_one(N, drawn);
        }
    rw_tell_drawn(N, Y, fact_of);
    rw_tell_all(N, core, ncore);
    rw_tell_parts(N, Y, now);
    rw_tell_one(N, P->nfree);
    for (int32_t i = 0; i < P->free.n; i++) rw_tell_one(N, P->free.at[i]);
}

/* Nothing is known beyond the mixes. */
static void rw_tell_plain(RwNumbers *N, const RwStory *Y, const int32_t *fact_of) {
    const RwTale *T = Y->tale;
    for (int i = 0; i < 8; i++) rw_tell_one(N, i == 4 ? Y->ndrawn : 0);
    for (int32_t piece = 0; piece < RW_PIECES; piece++) rw_tell_one(N, T->row[piece]);
    for (int32_t piece = 0; piece < RW_PIECES; piece++) rw_tell_one(N, T->kind[piece]);
    rw_tell_drawn(N, Y, fact_of);
    for (int i = 0; i < 3; i++) rw_tell_one(N, 0);
}

static void rw_tell_groups(RwNumbers *N, const RwStory *Y, const RwNow *now) {
    const int32_t at_first = N->n;
    int32_t n = 0;
    rw_tell_one(N, 0);
    for (int32_t i = 0; i < now->ngroups; i++) {
        const RwGroup *group = &now->groups[i];
        if (rw_bit(&Y->tied, group->pieces[0]) || rw_is_one_bag(now, group->pieces, group->n)) continue;
        rw_tell_all(N, group->pieces, group->n);
        n++;
    }
    if (!N->is_out) N->at[at_first] = n;
}

/* ---------------------------------------------------------------- from a tale to a walk */

static int rw_has_course(const RwStory *Y) {
    if (rw_has_bits(&Y->tied)) return 1;
    for (int32_t i = 0; i < Y->neras; i++)
        if (Y->eras[i].said.first >= 0) return 1;
    return 0;
}

static int rw_story_put(RwStory *Y, const RwNow *now, RwNumbers *N) {
    RwPlan P = {NULL, {0, 0, NULL, 0}, {0, 0, NULL, 0}, 0};
    int32_t *fact_of = malloc(sizeof(int32_t) * (size_t)(Y->nsaid + 1));
    int is_made = fact_of != NULL && rw_number_facts(Y, fact_of);
    if (is_made && rw_has_course(Y)) {
        is_made = rw_plan(Y, &P, now);
        if (is_made) rw_tell_course(N, Y, &P, now, fact_of);
    } else if (is_made) {
        rw_tell_plain(N, Y, fact_of);
    }
    rw_tell_groups(N, Y, now);
    free(P.of);
    free(P.starts.at);
    free(P.free.at);
    free(fact_of);
    return is_made && !N->is_out;
}

/* Everything that is kept is described, or wanted now. */
static int rw_story_is_described(RwStory *Y) {
    for (int32_t i = 0; i < Y->sieve.n; i++) {
        const int32_t number = Y->sieve.kept[i];
        if (number < 0) continue;
        const RwEvent *E = &Y->tale->events[number];
        if (Y->sieve.tags != NULL && Y->sieve.tags[i] != RW_TAG_EVENT) {
            if (Y->sieve.tags[i] == RW_TAG_STEP && E->names == NULL) rw_want(Y->tale, number, RW_WANTED_STEP);
            continue;
        }
        if (E->kind != RW_TALE_ASKED && E->kind != RW_TALE_FELL) continue;
        if (E->is_set) Y->is_lost = 1;
        if (!E->is_described) rw_want(Y->tale, number, RW_WANTED_FACT);
    }
    return !Y->is_lost && Y->tale->nwanted == 0;
}

/* ---------------------------------------------------------------- steps */

#if RW_REMEMBERS
/* Runs a step as it was in the game, for what the player noticed; it stays with its event. 0 if it does not come out as it
 * did, or there is no memory: Python tells such stories. */
static int rw_run_truly(RwEvent *E, const RwPassage *step, int32_t end, Ctx *C, RwRerun *R) {
    int32_t names[RW_PIECES + 1];
    for (int32_t piece = 0; piece <= RW_PIECES; piece++) names[piece] = piece;
    const RwStepWorld at = {names, names, names, names, NULL, NULL, 0};
    if (E->journal != NULL && E->ended == end) return 1; /* who is silently asked may pass, and the step goes on */
    free(E->journal);
    E->journal = NULL;
    E->ended = end;
    if (!rw_begin_of_step(C, step, &at) || !rw_write_script(NULL, step, R) || rw_play_step(C, step, &at, R) < 1) return 0;
    E->journal = malloc(sizeof(int64_t) * (size_t)(R->njournal + 1));
    if (E->journal == NULL) return 0;
    E->njournal = R->njournal;
    if (R->njournal) memcpy(E->journal, R->journal, sizeof(int64_t) * (size_t)R->njournal);
    return 1;
}

static int rw_run_in_truth(RwStory *Y, Ctx *C) {
    RwRerun R = {.sites = Y->tale->sites, .row = Y->tale->row};
    int is_true = 1;
    for (int32_t i = 0; is_true && i < Y->nsteps; i++) {
        RwEvent *E = &Y->tale->events[Y->told_steps[i].event];
        is_true = rw_run_truly(E, &Y->steps[i], Y->told_steps[i].end, C, &R);
        Y->steps[i].journal = E->journal;
        Y->steps[i].njournal = E->njournal;
    }
    rw_rerun_done(&R);
    return is_true;
}

/* The numbers that a step writes, each as it was written last. 0 if there is no memory. */
static int rw_find_given(const RwStory *Y, RwPassage *step, int32_t number) {
    step->given = calloc((size_t)Y->nwritten + 1, sizeof(RwGiven));
    if (step->given == NULL) return 0;
    for (int32_t i = 0; i < Y->nwritten; i++) {
        const RwWritten *one = &Y->written[i];
        const int32_t unknown = one->step == number && !one->is_over ? rw_drawn_at(Y, i) : -1;
        if (unknown < 0) continue;
        const int32_t offset = Y->tale->numbers[one->number].offset;
        step->given[step->ngiven++] = (RwGiven){unknown, offset, one->is_shown, one->least, one->most};
    }
    return 1;
}

/* The unknown numbers in the state at its beginning. */
static int rw_find_read(const RwStory *Y, RwPassage *step, int32_t said) {
    step->numbers = malloc(sizeof(int32_t) * (size_t)(Y->ndrawn + 1));
    step->offsets = malloc(sizeof(int32_t) * (size_t)(Y->ndrawn + 1));
    if (step->numbers == NULL || step->offsets == NULL) return 0;
    for (int32_t i = 0; i < Y->ndrawn; i++) {
        if (!rw_turns_on(Y, said, i)) continue;
        step->numbers[step->nnumbers] = i;
        step->offsets[step->nnumbers++] = Y->tale->numbers[Y->written[Y->drawn[i]].number].offset;
    }
    return 1;
}

/* The steps are the tale's from now on, with numbers called as the walk calls them. */
static int rw_hand_over_steps(RwStory *Y) {
    RwTale *T = Y->tale;
    for (int32_t i = 0; i < Y->nsteps; i++) {
        RwPassage *step = &Y->steps[i];
        for (int32_t k = 0; k < step->nfalls; k++)
            for (int32_t j = 0; step->falls[k].numbers != NULL && j < step->falls[k].n; j++)
                step->falls[k].numbers[j] = rw_drawn_at(Y, step->falls[k].numbers[j]);
        if (!rw_find_given(Y, step, i) || !rw_find_read(Y, step, Y->told_steps[i].said)) return 0;
        step->choice = rw_drawn_at(Y, step->choice);
        step->is_kept = Y->told_steps[i].is_kept;
        step->has_choice_anew = step->is_kept && step->is_free && step->choice >= 0;
        if (step->has_choice_anew) T->drawn[step->choice].is_free = 1;
    }
    T->steps = Y->steps;
    T->nsteps = Y->nsteps;
    T->last = Y->last;
    Y->steps = NULL;
    return 1;
}
#else
static int rw_run_in_truth(RwStory *Y, Ctx *C) { return 1; }
static int rw_hand_over_steps(RwStory *Y) { return 1; }
#endif

static int rw_story_told(RwStory *Y, RwTale *T, const RwNow *now) {
    RwNumbers N = {0, 0, NULL, 0};
    if (!rw_story_sieved(Y, T, &now->known, now->is_between ? 1 + now->is_unseen : 0)) return 0;
    Y->now = now->state;
    if (!rw_story_is_described(Y)) return !Y->is_lost;
    if (!rw_story_rooms(Y)) return 0;
    Y->is_remembered = now->context != NULL;
    rw_tell(Y, now->at, now->is_unseen);
    if (!Y->is_lost) rw_find_drawn(Y, now->state);
    if (Y->is_lost || !rw_run_in_truth(Y, now->context)) return 0;
    rw_see_what_is_known(Y, &now->known);
    rw_leave_out_idle(Y);
    if (T->nwanted) return 1;
    RwBits *groups = malloc(sizeof(RwBits) * (size_t)(now->nmixes + Y->neras + 1));
    if (groups == NULL) return 0;
    if (now->nmixes) memcpy(groups, now->mixes, sizeof(RwBits) * (size_t)now->nmixes);
    rw_find_tied(Y, groups, now->nmixes);
    free(groups);
    rw_leave_out_untied(Y);
    rw_merge(Y);
    const int is_made = rw_story_put(Y, now, &N);
    T->tied = Y->tied;
    T->ndrawn = Y->ndrawn;
    for (int32_t i = 0; i < Y->ndrawn; i++) {
        const RwWritten *one = &Y->written[Y->drawn[i]];
        T->drawn[i] = (RwDrawnNumber){one->number < 0 ? -1 : T->numbers[one->number].offset, one->is_now, 0, one->is_part};
    }
    if (is_made && Y->nsteps && !rw_hand_over_steps(Y)) return 0;
    T->told = N.at;
    T->ntold = is_made ? N.n : 0;
    return is_made && !Y->is_lost;
}

static void rw_read_now(RwReading *R, RwNow *now) {
    now->has_owners = (int8_t)rw_told_next(R, 0, 1);
    now->has_bags = (int8_t)rw_told_next(R, 0, 1);
    for (int32_t piece = 0; piece < RW_PIECES; piece++)
        now->at[piece] = rw_told_next(R, -1, INT32_MAX);
    rw_told_bits(R, &now->known);
    now->nmixes = rw_told_next(R, 0, RW_PIECES);
    now->mixes = rw_told_room(R, now->nmixes, sizeof(RwBits));
    for (int32_t i = 0; now->mixes != NULL && i < now->nmixes; i++) rw_told_bits(R, &now->mixes[i]);
    now->groups = rw_told_groups(R, &now->ngroups, RW_PIECES);
    for (int32_t i = 0; i < now->ngroups; i++)
        if (now->groups[i].n == 0) R->is_wrong = 1;
    if (R->left) R->is_wrong = 1;
}

static int32_t rw_tell_story(RwTale *T, const RwNow *now) {
    RwStory Y;
    memset(&Y, 0, sizeof Y);
    free(T->told);
    T->told = NULL;
    T->nwanted = T->ntold = 0;
    rw_forget_steps(T);
    const int is_told = rw_story_told(&Y, T, now);
    rw_story_done(&Y);
    if (!is_told) return RW_UNKNOWN;
    return T->nwanted ? RW_STOP : RW_GO;
}

/* Tells the story of a tale to its end: RW_GO. RW_STOP if Python has to say more first (`rwx_story_wanted`), RW_UNKNOWN if
 * only Python can tell this one. `told`: whether pieces own fields or places;
 * whether pieces in one bag are all the same; where each piece lies; the pieces that the player knows; the mixes; the
 * groups that may be dealt anew. */
RW_API int32_t rwx_story(RwTale *T, const int32_t *told, int32_t n) {
    RwReading R = {told, n, 0};
    RwNow now;
    memset(&now, 0, sizeof now);
    rw_read_now(&R, &now);
    const int32_t signal = R.is_wrong ? RW_UNKNOWN : rw_tell_story(T, &now);
    free(now.mixes);
    rw_free_groups(now.groups, now.ngroups);
    return signal;
}

/* What Python has to say: pairs of an event and an RwWanted. Gives how many pairs, or RW_UNKNOWN if there is no room. */
RW_API int32_t rwx_story_wanted(const RwTale *T, int32_t *room, int32_t size) {
    if (2 * T->nwanted > size) return RW_UNKNOWN;
    if (T->nwanted) memcpy(room, T->wanted, sizeof(int32_t) * 2 * (size_t)T->nwanted);
    return T->nwanted;
}

/* The numbers of the last story, as rwx_walk reads them. */
RW_API int32_t rwx_story_told(const RwTale *T, int32_t *room, int32_t size) {
    if (T->told == NULL || T->ntold > size) return RW_UNKNOWN;
    memcpy(room, T->told, sizeof(int32_t) * (size_t)T->ntold);
    return T->ntold;
}

/* Of each fact of the last story its event, its epoch, and the epoch in which an option was taken, or -1. */
RW_API int32_t rwx_story_facts(const RwTale *T, int32_t *room, int32_t size) {
    if (T->told == NULL || 3 * T->nfacts > size) return RW_UNKNOWN;
    if (T->nfacts) memcpy(room, T->facts, sizeof(int32_t) * 3 * (size_t)T->nfacts);
    return 3 * T->nfacts;
}

/* The pieces of which more is known than the mixes say. */
RW_API int32_t rwx_story_tied(const RwTale *T, int32_t *room, int32_t size) {
    int32_t n = 0;
    for (int32_t piece = 0; piece < RW_PIECES && n < size; piece++)
        if (rw_bit(&T->tied, piece)) room[n++] = piece;
    return n;
}

#endif
