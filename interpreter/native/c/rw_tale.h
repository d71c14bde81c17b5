/* What one player has noticed of a game, event by event, and which of it says something about now.
 *
 * Python plays with knowledge (runtime/knowledge.py) and hands each event over once; the list only grows from one decision
 * to the next. What of it matters is another question at every decision, and is read here: `rw_tale_read` goes backwards
 * through the events, as `Sieve` of runtime/sieve.py does. rw_eras.h tells what is left as a story.
 *
 * A decision of somebody else comes with the pieces that it may turn on and that the player does not see. Few of them ever
 * matter, so the rest of it (what it looks at and how, what was taken) is asked of Python when it is first wanted: see
 * RwWanted.
 *
 * Numbers that the player does not see, and what rules worked out from secrets, are only in tales that a memory keeps
 * (rw_secret.h, rw_steps.h): else Python tells such stories. */
#ifndef RW_TALE_H
#define RW_TALE_H

#include "rw_secret.h"
#include "rw_walk.h"

enum { RW_PIECE_WORDS = (RW_PIECES + 63) / 64 + (RW_PIECES == 0) };
typedef struct { uint64_t of[RW_PIECE_WORDS]; } RwBits; /* pieces, or the positions of the true pieces: bit x for x */

static inline int rw_bit(const RwBits *set, int32_t piece) { return (int)(set->of[piece / 64] >> piece % 64 & 1); }
static inline void rw_set_bit(RwBits *set, int32_t piece) { set->of[piece / 64] |= (uint64_t)1 << piece % 64; }

static inline int rw_has_bits(const RwBits *set) {
    for (int i = 0; i < RW_PIECE_WORDS; i++)
        if (set->of[i]) return 1;
    return 0;
}

/* Whether the sets have something in common. */
static inline int rw_bits_meet(const RwBits *one, const RwBits *other) {
    for (int i = 0; i < RW_PIECE_WORDS; i++)
        if (one->of[i] & other->of[i]) return 1;
    return 0;
}

/* Whether the first has something that the other has not. */
static inline int rw_bits_beyond(const RwBits *one, const RwBits *other) {
    for (int i = 0; i < RW_PIECE_WORDS; i++)
        if (one->of[i] & ~other->of[i]) return 1;
    return 0;
}

static inline int rw_same_bits(const RwBits *one, const RwBits *other) { return memcmp(one, other, sizeof *one) == 0; }

static inline void rw_add_bits(RwBits *set, const RwBits *more) {
    for (int i = 0; i < RW_PIECE_WORDS; i++) set->of[i] |= more->of[i];
}

static inline void rw_drop_bits(RwBits *set, const RwBits *less) {
    for (int i = 0; i < RW_PIECE_WORDS; i++) set->of[i] &= ~less->of[i];
}

static inline void rw_keep_bits(RwBits *set, const RwBits *only) {
    for (int i = 0; i < RW_PIECE_WORDS; i++) set->of[i] &= only->of[i];
}

/* 2 stands for any number above one. */
static inline int rw_few_bits(const RwBits *set) {
    int found = 0;
    for (int i = 0; i < RW_PIECE_WORDS; i++) {
        if (set->of[i] & (set->of[i] - 1)) return 2;
        found += set->of[i] != 0;
    }
    return found < 2 ? found : 2;
}

/* ---------------------------------------------------------------- what happened */

/* RW_TALE_FELL stands for what was told, too: both are a fact and nothing else. */
enum { RW_TALE_SEEN, RW_TALE_LUCKY, RW_TALE_MIXED, RW_TALE_ASKED, RW_TALE_FELL, RW_TALE_TOOK, RW_TALE_KINDS };
/* Only a memory tells these: a number was written, or shown. And only where rules work something out from secrets: chance
 * fell; the rules say which of these pieces go next; the game before its setup. */
enum { RW_TALE_WROTE = RW_TALE_KINDS, RW_TALE_SHOWN, RW_TALE_CHANCE, RW_TALE_SETTLED, RW_TALE_BEGUN };

/* A decision is no part of a set or payment, or is the pick of one. */
typedef enum { RW_PICKS_NOTHING, RW_PICKS_SET, RW_PICKS_PAYMENT } RwPicks;

/* Why a player cannot tell pieces of a mix apart. */
typedef enum { RW_MIXED_BY_MOVE, RW_MIXED_BY_CHANCE, RW_MIXED_BY_LOOK } RwMixing;

/* What Python is asked for, of an event: all of what follows in RwEvent; whether it is idle. */
typedef enum { RW_WANTED_FACT, RW_WANTED_IDLE, RW_WANTED_STEP } RwWanted; /* the last only of a memory */

typedef struct {
    int8_t kind, is_closed, is_cut, was_chosen; /* of a mix: as `mixing` and `was_chosen` of runtime/trail.py */
    int8_t is_described, is_fact, is_set;       /* of a decision; is_set: only Python can tell this one */
    int8_t is_told;                             /* no decision, but a value that was told to all */
    int8_t is_asked, is_visible, is_kept, has_taken; /* as `Asked` of runtime/questions.py */
    int8_t is_idle;                             /* it looks at nothing that a world may have otherwise; -1: not known */
    int8_t by_chance, by_look;                  /* of a mix: chance ordered the pieces; they were seen and stay (`LOOKED`) */
    int8_t picks;                               /* of a set or payment that a memory keeps: RwPicks */
    int8_t is_posed, picks_some, is_open, is_free; /* there: see RwPosed in rw_picked.h */
    int8_t is_silent;                           /* there: somebody else is asked unnoticed, outside `together` */
    int32_t site, pick, npicked, nbound;        /* what the set had; pick: what was taken, or answered itself */
    const int32_t *picked;                      /* of the moment */
    int32_t *bound;                             /* the pieces of that pick */
    const State *state;                         /* of the moment */
    RwFact *gone;                               /* what has gone together, as the last walk asks it */
    int32_t number, value;                      /* that was written or shown; pieces: what it may be, pick: who chose it */
    int8_t is_guessed, is_rolled;               /* written from something unseen; by a roll */
    int8_t what, is_lot, varies;                /* of chance: RwFallKind, `pieces` are the outcome; a pick of a number: */
                                                /* `value` of these, which may be others in a world */
    int8_t is_spread;                           /* what it may turn on lies in several places, or in some order */
    int8_t has_locals;                          /* rules at work hold something unseen, or what was told rests on it */
    const RwAsking *asking;                     /* of a decision that a step begins with, once it is wanted: its site, */
    const int32_t *names, *opts;                /* where names stand in it, and what was offered */
    int32_t nopts;
    int32_t njournal;
    int32_t ended;                              /* and the event with which that step ended, or RW_BLOCK_END */
    int64_t *journal;                           /* of the step that begins here: what the player noticed; NULL: not run */
    RwNumberSet reads;                          /* numbers unseen by the player that a decision may turn on */
    int32_t moment;                             /* of a decision that is kept in a memory (rw_memory.h); else -1 */
    RwFact *fact;                               /* there: the same as a walk asks it, once it is wanted */
    int32_t piece;                              /* that was seen, or picked by chance */
    int32_t n, *pieces;                         /* that were mixed, in order; of a decision: alike to what was taken */
    int32_t nchosen, *chosen, nhands;           /* chosen: of a mix room for some of its pieces, once they are wanted */
    RwBits lit;                  /* of a decision that answered itself: what had been revealed to the player before it */
    RwBits closed;               /* of a decision that a step may begin with: all that the player does not see */
    RwBits bits, strict, *hands; /* what it mixes or may turn on, what lay beside a piece when chance picked it; what it */
                                 /* looks at one by one, and as a whole */
} RwEvent;

typedef struct {
    int32_t n, room;
    RwEvent *events;
    int32_t nrows, row[RW_PIECES + 1], kind[RW_PIECES + 1];
    int32_t like[RW_PIECES + 1], copies[RW_PIECES + 1]; /* the first piece of the same row; how many there are of it */
    int32_t nwanted, *wanted; /* pairs: event, RwWanted */
    int32_t ntold, *told, nfacts; /* the last story, as rwx_walk reads it */
    int32_t *facts;           /* of each fact of it: the event, its epoch, that of what was taken */
    int32_t player;
    int32_t nnumbers;         /* all that somebody does not see, and those that this player does not see */
    RwSecret numbers[RW_MOST_NUMBERS];
    RwNumberSet hidden;
    int32_t ndrawn;           /* of the last story: the numbers that a world draws */
    RwDrawnNumber drawn[RW_MOST_NUMBERS];
    int32_t *turns_on;        /* of each fact of it: how many of them it turns on, and their offsets (RW_NUMBERS_OF_FACT) */
    struct RwGone *gone;      /* of each fact of it: what was picked and has gone, where that is the fact */
    RwBits tied;              /* of the last story: pieces of which something is known beyond the mixes */
    int8_t works_out;         /* rules work something out from secrets: then, for steps, what RwMemory has of it */
    const RwGroup *seen, *slots, *naming;
    const RwAsking *sites;
    int32_t nsteps, last;     /* of the last story: its steps, and the one that led to now if rules hold something unseen */
    struct RwPassage *steps;
    int32_t *before;          /* of each fact of it: the step that says what rules hold there, or -1 */
} RwTale;

static void rw_forget_fact(RwEvent *E) {
    free(E->pieces);
    free(E->chosen);
    free(E->hands);
    free(E->bound);
    E->bound = NULL;
    E->nbound = 0;
    rwx_fact_free(E->gone);
    E->gone = NULL;
    E->pieces = E->chosen = NULL;
    E->hands = NULL;
    E->n = E->nchosen = E->nhands = 0;
    E->is_described = 0;
    rwx_fact_free(E->fact);
    E->fact = NULL;
}

static void rw_forget_event(RwEvent *E) {
    rw_forget_fact(E);
    free(E->journal);
    E->journal = NULL;
}

static void rw_forget_steps(RwTale *T) {
#if RW_REMEMBERS
    for (int32_t i = 0; i < T->nsteps; i++) rw_step_done(&T->steps[i]);
    free(T->steps);
    free(T->before);
#endif
    T->steps = NULL;
    T->before = NULL;
    T->nsteps = 0;
    T->last = -1;
}

RW_API void rwx_tale_free(RwTale *T) {
    if (T == NULL) return;
    rw_forget_steps(T);
    for (int32_t i = 0; i < T->n; i++) rw_forget_event(&T->events[i]);
    free(T->events);
    free(T->wanted);
    free(T->told);
    free(T->facts);
    free(T->gone);
    free(T->turns_on);
    free(T);
}

/* `told`: of each piece its row, then of each its kind. */
RW_API RwTale *rwx_tale(const int32_t *told, int32_t n) {
    RwReading R = {told, n, 0};
    RwTale *T = calloc(1, sizeof *T);
    if (T == NULL) return NULL;
    for (int32_t piece = 0; piece < RW_PIECES; piece++) T->row[piece] = rw_told_next(&R, 0, INT32_MAX);
    for (int32_t piece = 0; piece < RW_PIECES; piece++) T->kind[piece] = rw_told_next(&R, 0, INT32_MAX);
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        T->like[piece] = 0;
        while (T->row[T->like[piece]] != T->row[piece]) T->like[piece]++;
        for (int32_t other = 0; other < RW_PIECES; other++) T->copies[piece] += T->row[other] == T->row[piece];
    }
    if (R.is_wrong || R.left) {
        rwx_tale_free(T);
        return NULL;
    }
    return T;
}

/* Takes back all events but the first so many. */
static int rw_tale_cut(RwTale *T, int32_t n) {
    if (n < 0 || n > T->n) return 0;
    for (int32_t i = n; i < T->n; i++) rw_forget_event(&T->events[i]);
    T->n = n;
    return 1;
}

static void rw_told_bits(RwReading *R, RwBits *bits) {
    for (int i = 0; i < RW_PIECE_WORDS; i++) {
        const uint64_t low = (uint32_t)rw_told_next(R, INT32_MIN, INT32_MAX);
        bits->of[i] = low | (uint64_t)(uint32_t)rw_told_next(R, INT32_MIN, INT32_MAX) << 32;
    }
}

/* The decision that was answered last, which the event behind the last one is about to answer; or -1. */
static int32_t rw_tale_asked(const RwTale *T, int32_t before) {
    for (int32_t i = before - 1; i >= 0; i--)
        if (T->events[i].kind == RW_TALE_ASKED) return i;
    return -1;
}

static void rw_read_event(RwReading *R, RwTale *T) {
    RwEvent *E = &T->events[T->n];
    memset(E, 0, sizeof *E);
    E->is_idle = -1;
    E->moment = -1;
    E->kind = (int8_t)rw_told_next(R, 0, RW_TALE_KINDS - 1);
    if (E->kind == RW_TALE_SEEN || E->kind == RW_TALE_LUCKY) {
        E->piece = rw_told_next(R, 0, RW_PIECES - 1);
        if (E->kind == RW_TALE_LUCKY) rw_told_bits(R, &E->bits);
    } else if (E->kind == RW_TALE_MIXED) {
        E->is_closed = (int8_t)rw_told_next(R, 0, 1);
        E->is_cut = (int8_t)rw_told_next(R, 0, 1);
        E->was_chosen = (int8_t)rw_told_next(R, 0, 1);
        const int32_t how = rw_told_next(R, RW_MIXED_BY_MOVE, RW_MIXED_BY_LOOK);
        E->by_chance = how == RW_MIXED_BY_CHANCE;
        E->by_look = how == RW_MIXED_BY_LOOK;
        E->n = rw_told_next(R, 2, RW_PIECES);
        E->pieces = rw_told_many(R, E->n, 0, RW_PIECES - 1);
        for (int32_t i = 0; E->pieces != NULL && i < E->n; i++) rw_set_bit(&E->bits, E->pieces[i]);
    } else if (E->kind == RW_TALE_ASKED || E->kind == RW_TALE_FELL) {
        const int32_t how = rw_told_next(R, 0, 7);
        E->is_set = (int8_t)(how & 1);
        E->is_told = (int8_t)(how >> 1 & 1);
        E->is_spread = (int8_t)(how >> 2);
        rw_told_bits(R, &E->bits);
    } else { /* what was said of a decision that was pending is no longer all */
        const int32_t asked = rw_tale_asked(T, T->n);
        if (asked < 0) R->is_wrong = 1;
        else rw_forget_fact(&T->events[asked]);
    }
    T->n++;
}

/* The event behind the last, which is not counted yet; NULL if there is no memory. */
static RwEvent *rw_more_events(RwTale *T) {
    if (T->n == T->room) {
        const int32_t room = T->room ? 2 * T->room : 256;
        RwEvent *grown = realloc(T->events, sizeof(RwEvent) * (size_t)room);
        if (grown == NULL) return NULL;
        T->events = grown;
        T->room = room;
    }
    return &T->events[T->n];
}

/* Keeps the first so many events, and adds others to them. Gives how many there are, or RW_UNKNOWN: then the tale is of no
 * more use. */
RW_API int32_t rwx_tale_add(RwTale *T, int32_t kept, const int32_t *told, int32_t n) {
    RwReading R = {told, n, 0};
    const int is_cut = kept < T->n;
    if (!rw_tale_cut(T, kept)) return RW_UNKNOWN;
    const int32_t pending = is_cut ? rw_tale_asked(T, T->n) : -1;
    if (pending >= 0) rw_forget_fact(&T->events[pending]);
    while (R.left && !R.is_wrong) {
        if (rw_more_events(T) == NULL) return RW_UNKNOWN;
        rw_read_event(&R, T);
    }
    return R.is_wrong ? RW_UNKNOWN : T->n;
}

/* All that a story wants to know of a decision or of what was told: whether it is a fact at all, `Asked`, visible, whether
 * what was taken is kept and has pieces; pieces alike, pieces chosen; what it looks at one by one, and hand by hand. */
RW_API int32_t rwx_tale_fact(RwTale *T, int32_t number, const int32_t *told, int32_t n) {
    RwReading R = {told, n, 0};
    if (number < 0 || number >= T->n) return RW_UNKNOWN;
    RwEvent *E = &T->events[number];
    if (E->kind != RW_TALE_ASKED && E->kind != RW_TALE_FELL) return RW_UNKNOWN;
    rw_forget_fact(E);
    E->is_fact = (int8_t)rw_told_next(&R, 0, 1);
    E->is_asked = (int8_t)rw_told_next(&R, 0, 1);
    E->is_visible = (int8_t)rw_told_next(&R, 0, 1);
    E->is_kept = (int8_t)rw_told_next(&R, 0, 1);
    E->has_taken = (int8_t)rw_told_next(&R, 0, 1);
    E->n = rw_told_next(&R, 0, RW_PIECES);
    E->pieces = rw_told_many(&R, E->n, 0, RW_PIECES - 1);
    E->nchosen = rw_told_next(&R, 0, 64);
    E->chosen = rw_told_many(&R, E->nchosen, 0, RW_PIECES - 1);
    rw_told_bits(&R, &E->strict);
    E->nhands = rw_told_next(&R, 0, R.left);
    E->hands = calloc((size_t)E->nhands + 1, sizeof(RwBits));
    for (int32_t i = 0; E->hands != NULL && i < E->nhands; i++) rw_told_bits(&R, &E->hands[i]);
    if (R.is_wrong || R.left || E->hands == NULL) {
        rw_forget_fact(E);
        return RW_UNKNOWN;
    }
    E->is_described = 1;
    return RW_GO;
}

RW_API int32_t rwx_tale_idle(RwTale *T, int32_t number, int32_t is_idle) {
    if (number < 0 || number >= T->n || !T->events[number].is_described) return RW_UNKNOWN;
    T->events[number].is_idle = is_idle != 0;
    return RW_GO;
}

static int rw_want(RwTale *T, int32_t event, RwWanted what) {
    int32_t *grown = realloc(T->wanted, sizeof(int32_t) * 2 * (size_t)(T->nwanted + 1));
    if (grown == NULL) return 0;
    T->wanted = grown;
    T->wanted[2 * T->nwanted] = event;
    T->wanted[2 * T->nwanted + 1] = (int32_t)what;
    T->nwanted++;
    return 1;
}

/* ---------------------------------------------------------------- what says something about now */

enum { RW_MOST_LOOKS = 16 }; /* that are kept in mind at a time; as in runtime/looks.py */

typedef struct {
    int32_t n, *kept;         /* numbers of events, the latest first; -1 for one that is left out after all */
    int32_t *before;          /* of a look at a fresh piece: the one before, or -1 */
    int32_t last[RW_PIECES + 1]; /* of each fresh piece: the last look at it that is doubtful, or -1 */
    RwBits pinned, fresh;     /* known to be itself; shuffled later, so that what was before says nothing */
    RwNumberSet live, shown;  /* numbers as they are now were written at this point or later; shown since */
    int8_t *tags;             /* where rules work something out from secrets (rw_sift.h): RwTag of each that is kept, */
    int32_t *ends;            /* and of a step the decision at its end */
    int32_t nlooks, look_at[RW_MOST_LOOKS]; /* looks at a whole place of which nothing has told its pieces apart yet: */
    RwBits look[RW_MOST_LOOKS];             /* their place in `kept`, what they saw */
} RwSieve;

/* One look less that is kept in mind: its pieces were somewhere before. */
static void rw_end_look(RwSieve *V, int32_t number) {
    rw_drop_bits(&V->pinned, &V->look[number]);
    V->nlooks--;
    for (int32_t i = number; i < V->nlooks; i++) {
        V->look[i] = V->look[i + 1];
        V->look_at[i] = V->look_at[i + 1];
    }
}

/* Something turned on these pieces; `is_any`: or they got out of sight, or lay in several places (`told_apart` of looks.py). */
static void rw_tell_apart(RwSieve *V, const RwBits *bits, int is_any) {
    for (int32_t i = V->nlooks - 1; i >= 0; i--)
        if (rw_bits_meet(&V->look[i], bits) && (is_any || rw_bits_beyond(&V->look[i], bits))) rw_end_look(V, i);
}

/* Whether a mix is a look that is only kept in mind. `number`: where it stands in `kept`. */
static int rw_keeps_look(RwSieve *V, const RwEvent *E, int32_t number) {
    if (!E->by_look || rw_bits_meet(&E->bits, &V->fresh) || V->nlooks == RW_MOST_LOOKS) return 0;
    V->look[V->nlooks] = E->bits;
    V->look_at[V->nlooks++] = number;
    return 1;
}

static void rw_leave_out_looks(RwSieve *V) {
    for (int32_t i = 0; i < V->nlooks; i++) V->kept[V->look_at[i]] = -1;
}

static void rw_sieve_mix(RwSieve *V, const RwEvent *E, int32_t number) {
    if (!rw_bits_beyond(&E->bits, &V->fresh)) return;
    const int is_kept = rw_keeps_look(V, E, V->n);
    if (!is_kept) rw_tell_apart(V, &E->bits, 1);
    V->kept[V->n++] = number;
    if (is_kept) return;
    for (int32_t i = 0; i < E->n; i++)
        if (rw_bit(&V->fresh, E->pieces[i])) V->last[E->pieces[i]] = -1;
    rw_drop_bits(&V->pinned, &E->bits);
    if (E->is_closed) rw_add_bits(&V->fresh, &E->bits);
    else rw_drop_bits(&V->fresh, &E->bits);
}

static void rw_sieve_see(RwSieve *V, int32_t piece, int32_t number) {
    if (rw_bit(&V->pinned, piece)) return;
    if (rw_bit(&V->fresh, piece)) {
        V->before[V->n] = V->last[piece];
        V->last[piece] = V->n;
    } else {
        rw_set_bit(&V->pinned, piece);
    }
    V->kept[V->n++] = number;
}

/* Something is kept that was told or that answered itself. What a told value turns on was perhaps shuffled since: what lay
 * there then matters after all. */
static void rw_sieve_keep(RwSieve *V, const RwEvent *E, int32_t number) {
    V->kept[V->n++] = number;
    rw_look_back(&V->live, &E->reads, &V->shown);
    if (E->is_told) rw_drop_bits(&V->fresh, &E->bits);
}

static int rw_speaks_of(const RwSieve *V, const RwEvent *E) {
    if (rw_numbers_meet(&E->reads, &V->live)) return 1;
    for (int i = 0; i < RW_PIECE_WORDS; i++)
        if (E->bits.of[i] & ~(V->pinned.of[i] | V->fresh.of[i])) return 1;
    return 0;
}

/* What a number was before it was written, or shown, says nothing about now. */
static void rw_sieve_number(RwSieve *V, const RwEvent *E, int32_t number) {
    if (rw_has_number(&V->live, E->number)) V->kept[V->n++] = number;
    rw_drop_number(&V->live, E->number);
    if (E->kind == RW_TALE_SHOWN) rw_add_number(&V->shown, E->number);
    else rw_drop_number(&V->shown, E->number);
}

/* Reads the events backwards. `V` has room for two numbers of each event. */
static void rw_tale_read(const RwTale *T, const RwBits *known, RwSieve *V) {
    int32_t took = -1;
    V->n = V->nlooks = 0;
    V->pinned = *known;
    memset(&V->fresh, 0, sizeof V->fresh);
    memset(&V->shown, 0, sizeof V->shown);
    V->live = T->hidden;
    for (int32_t piece = 0; piece <= RW_PIECES; piece++) V->last[piece] = -1;
    for (int32_t i = T->n - 1; i >= 0; i--) {
        const RwEvent *E = &T->events[i];
        if (E->kind == RW_TALE_ASKED || E->kind == RW_TALE_FELL) rw_tell_apart(V, &E->bits, E->is_spread);
        if (E->kind == RW_TALE_MIXED) {
            rw_sieve_mix(V, E, i);
        } else if (E->kind == RW_TALE_SEEN) {
            rw_sieve_see(V, E->piece, i);
        } else if (E->kind == RW_TALE_TOOK) {
            took = i;
        } else if (E->kind == RW_TALE_ASKED) {
            if (rw_speaks_of(V, E)) {
                if (took >= 0) {
                    V->kept[V->n++] = took;
                    rw_drop_bits(&V->pinned, &E->bits); /* any of these may have been chosen (`_decide` of sieve.py) */
                }
                V->kept[V->n++] = i;
                rw_look_back(&V->live, &E->reads, &V->shown);
            }
            took = -1;
        } else if (E->kind == RW_TALE_WROTE || E->kind == RW_TALE_SHOWN) {
            rw_sieve_number(V, E, i);
        } else if (E->kind == RW_TALE_LUCKY || rw_speaks_of(V, E)) {
            rw_sieve_keep(V, E, i);
        }
    }
    for (int32_t piece = 0; piece < RW_PIECES; piece++)
        for (int32_t at = V->last[piece]; at >= 0; at = V->before[at]) V->kept[at] = -1;
    rw_leave_out_looks(V);
}

#endif
