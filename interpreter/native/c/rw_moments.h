/* Moments from which others may conclude something: decisions that are posed, answered or answer themselves
 * (runtime/flow.py, `ASKED`, `TOOK` and `FELL` of runtime/trail.py), and values that the rules tell to all (`TOLD`). Each is
 * an event for every player who does not see all that it may turn on, and is kept as the state was. */
#ifndef RW_MOMENTS_H
#define RW_MOMENTS_H

#include "rw_notices.h"

/* ---------------------------------------------------------------- names */

/* Where names of pieces stand in a state, as rw_worlds.h reads it: runs of fields, those that belong to pieces, cells of
 * the stack. `names` has room for M->names_room numbers. */
static void rw_find_names(const RwMemory *M, const State *S, int32_t *names) {
    int32_t n = 0;
    names[n++] = M->fields.n / 2;
    for (int32_t i = 0; i < M->fields.n; i++) names[n++] = M->fields.pieces[i];
    names[n++] = M->blocks.n / 4;
    for (int32_t i = 0; i < M->blocks.n; i++) names[n++] = M->blocks.pieces[i];
    int32_t *const cells = &names[n++];
    *cells = 0;
    for (int32_t start = 1; start < S->top; start += 1 + RW_SEG[S->k[start]].frame) {
        const RwGroup *naming = &M->naming[S->k[start]];
        for (int32_t i = 0; i < naming->n; i += 2) {
            const int32_t cell = start + naming->pieces[i], room = naming->pieces[i + 1];
            if (room == 0) names[n++] = cell;
            for (int32_t k = 0; room > 0 && k < S->k[cell]; k++) names[n++] = cell + 1 + k;
        }
    }
    *cells = (int32_t)(&names[n] - cells) - 1;
}

/* The pieces that fields and the rules at work name. */
static RwBits rw_named_in(const State *S, const int32_t *names) {
    const int32_t *runs = names + 1, *blocks = runs + 2 * names[0] + 1, *cells = blocks + 4 * blocks[-1] + 1;
    RwBits found;
    memset(&found, 0, sizeof found);
    for (int32_t i = 0; i < names[0]; i++)
        for (int32_t at = runs[2 * i]; at < runs[2 * i + 1]; at++) {
            const num piece = rw_number(S, at);
            if (piece >= 0 && piece < RW_PIECES) rw_set_bit(&found, (int32_t)piece);
        }
    for (int32_t i = 0; i < cells[-1]; i++) {
        const int32_t piece = S->k[cells[i]];
        if (piece >= 0 && piece < RW_PIECES) rw_set_bit(&found, piece);
    }
    return found;
}

/* The names of a moment, found when they are first wanted; NULL if there is no memory. */
static const int32_t *rw_names_of(const RwMemory *M, RwMoment *one) {
    if (one->names == NULL) {
        one->names = malloc(sizeof(int32_t) * (size_t)M->names_room);
        if (one->names != NULL) rw_find_names(M, one->state, one->names);
    }
    return one->names;
}

/* ---------------------------------------------------------------- decisions */

static int rw_is_hidden_choice(const RwAsking *site, const State *S) { return site->is_secret || S->together; }
static int rw_is_hidden_question(const RwAsking *site, const State *S) { return site->is_silent || S->together; }

/* The pieces in play that the player does not see where they lie, but the decider does; -1: whoever does
 * (`unseen_places`, hands.py). */
static RwBits rw_unseen_of(const RwMemory *M, const State *S, int player, num decider) {
    RwBits found;
    memset(&found, 0, sizeof found);
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        const num place = RW_AT(S, piece);
        if (place < 0 || (rw_sees(place, player) && !rw_lies_down(S, piece))) continue;
        if (decider >= 0 && !rw_sees(place, (int)decider) &&
            !(M->shows_to_one && !rw_bit(&M->mixes[decider].hidden, piece))) continue;
        if (M->is_top_open[place] && RW_FIRST(S, place) == piece) continue;
        rw_set_bit(&found, piece);
    }
    return found;
}

/* Keeps the decision that is pending, or answers itself; gives its number, or -1 if there is no memory. */
static int32_t rw_keep_moment(RwMemory *M, const State *S, int is_fell, int32_t pick, const int32_t *picked, int32_t n) {
    if (M->nmoments == M->room) {
        const int32_t room = M->room ? 2 * M->room : 64;
        RwMoment *grown = realloc(M->moments, sizeof(RwMoment) * (size_t)room);
        if (grown == NULL) return -1;
        M->moments = grown;
        M->room = room;
    }
    RwMoment *one = &M->moments[M->nmoments];
    memset(one, 0, sizeof *one);
    one->is_fell = (int8_t)is_fell;
    one->pick = pick;
    one->telling = -1;
    one->nopts = is_fell ? 0 : S->nopts;
    one->state = malloc(sizeof(State));
    one->picked = n ? malloc(sizeof(int32_t) * (size_t)n) : NULL;
    if (one->state == NULL || (n && one->picked == NULL)) {
        rw_forget_moment(one);
        return -1;
    }
    rw_copy(one->state, S);
    if (n) memcpy(one->picked, picked, sizeof(int32_t) * (size_t)n);
    one->npicked = n;
    return M->nmoments++;
}

/* The numbers that a player does not see, but the decider may read; -1: all (`may_read` of runtime/sieve.py). */
static RwNumberSet rw_readable(const RwMemory *M, int player, num decider) {
    RwNumberSet found = M->tales[player]->hidden;
    if (decider < 0 || !rw_has_numbers(&found)) return found;
    for (int32_t number = 0; number < M->tales[player]->nnumbers; number++)
        if (rw_has_number(&M->tales[decider]->hidden, number) && !(M->shown[number] >> decider & 1))
            rw_drop_number(&found, number);
    return found;
}

/* Whether one of the rules at work may hold something that not everybody knows (`has_unseen_locals` of steps.py). */
static int rw_has_unseen_locals(const RwMemory *M, const State *S) {
    for (int32_t start = 1; M->has_slots && start < S->top; start += 1 + RW_SEG[S->k[start]].frame)
        if (M->slots[S->k[start]].n) return 1;
    return 0;
}

/* Whether several ways lead on from a question inside a `together`: in Python the block is then one step of its own
 * (`_has_ways` of blocks.py). */
static int rw_has_ways(int32_t number, const RwAsking *site) {
    return site->nbranches > 1 || RW_SITE[number].may_pass || (site->picks == RW_PICKS_SET && !site->binds_pieces);
}

/* Whether these pieces lie in several places, or in some order (`Unseen.is_spread`). */
static int rw_is_spread(const State *S, const RwBits *bits) {
    num place = -1;
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        if (!rw_bit(bits, piece)) continue;
        if (place >= 0 && RW_AT(S, piece) != place) return 1;
        place = RW_AT(S, piece);
    }
    return place >= 0 && !rw_has_no_order(place);
}

/* A decision is an event for each player who does not see all that it may turn on; for all where a step may begin. */
static void rw_tell_decision(RwMemory *M, const State *S, int is_fell, int32_t pick, const int32_t *picked, int32_t n,
                             int picks_some) {
    const RwAsking *site = &M->sites[S->site];
    int32_t moment = -1;
    M->ticks++;
    if (is_fell) M->fell_at = M->ticks;
    if (M->works_out && S->together && !is_fell && rw_has_ways(S->site, site)) rw_lose(M, RW_LOST_BLOCK);
    const int has_locals = rw_has_unseen_locals(M, S);
    for (int player = 0; player < RW_PLAYERS && !M->is_lost; player++) {
        if (!is_fell) M->asked[player] = 0;
        const int is_step = M->works_out && !is_fell; /* a step begins here for all */
        if (player == S->who && !is_step) continue;
        const RwBits none = {{0}}, unseen = player == S->who ? none : rw_unseen_of(M, S, player, S->who);
        const RwNumberSet no_number = {{0}}, reads = player == S->who ? no_number : rw_readable(M, player, S->who);
        if (!rw_has_bits(&unseen) && !rw_has_numbers(&reads) && !is_step) continue;
        if (moment < 0) moment = rw_keep_moment(M, S, is_fell, pick, picked, n);
        RwEvent *E = rw_tale_event(M, player, is_fell ? RW_TALE_FELL : RW_TALE_ASKED);
        if (moment < 0 || E == NULL) {
            rw_lose(M, RW_LOST_ROOM);
            return;
        }
        E->reads = reads;
        E->picks = (int8_t)site->picks;
        E->is_posed = (int8_t)(!is_fell && (S->nopts > 1 || !S->automatic));
        E->picks_some = (int8_t)picks_some;
        E->is_open = (int8_t)!rw_is_hidden_question(site, S);
        E->is_silent = (int8_t)(site->is_silent && !S->together && player != S->who);
        E->is_free = (int8_t)(!site->binds_pieces || M->is_free_set[RW_TOP_FRAME(S)[0]]);
        E->site = S->site;
        E->pick = pick;
        E->npicked = n;
        E->picked = M->moments[moment].picked;
        E->state = M->moments[moment].state;
        E->bits = unseen;
        E->is_spread = (int8_t)rw_is_spread(S, &unseen);
        E->moment = moment;
        E->has_locals = (int8_t)has_locals;
        if (is_step) E->closed = rw_unseen_of(M, S, player, -1);
        if (!is_fell) M->asked[player] = 1;
    }
}

/* Those of the unseen pieces that a value which was told to all may turn on (`told_of` of hands.py). */
static RwBits rw_told_of(const RwMemory *M, RwMoment *one, const RwBits *unseen) {
    const RwTelling *telling = &M->tellings[one->telling];
    const State *S = one->state;
    uint8_t is_read[RW_PLACES + 1] = {0};
    RwBits found = {{0}};
    /* What a rule at work holds may come of any pieces; so may a value that is told of such a local. */
    if (telling->looks.pieces == NULL || telling->is_unseen || rw_names_of(M, one) == NULL) return *unseen;
    const RwBits named = rw_named_in(S, one->names);
    for (int32_t i = 0; i < telling->looks.n; i++) is_read[telling->looks.pieces[i]] = 1;
    for (int32_t piece = 0; piece < RW_PIECES; piece++)
        if (RW_AT(S, piece) >= 0 && (rw_bit(&named, piece) || M->is_owner[piece])) is_read[RW_AT(S, piece)] = 1;
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        if (!rw_bit(unseen, piece)) continue;
        int is_kept = RW_AT(S, piece) >= RW_LISTS || is_read[RW_AT(S, piece)];
        for (int32_t i = 0; i < telling->n; i++) is_kept |= telling->is_piece[i] && one->args[i] == piece;
        if (is_kept) rw_set_bit(&found, piece);
    }
    return found;
}

/* All are told what a value comes to (`public(E)`): an event for those who do not see all that it may rest on. */
static void rw_knows_told(Ctx *C, State *S, int number, const num *args, num value) {
    RwMemory *M = C->memory;
    int32_t moment = -1;
    if (C->rerun != NULL) rw_note_few(C->rerun, RW_NOTED_TOLD, number, value, 0);
    if (M != NULL) M->ticks++;
    for (int player = 0; M != NULL && player < RW_PLAYERS && !M->is_lost; player++) {
        const RwBits unseen = rw_unseen_of(M, S, player, -1);
        const RwNumberSet reads = rw_readable(M, player, -1);
        if (!rw_has_bits(&unseen) && !rw_has_numbers(&reads)) continue;
        if (moment < 0) moment = rw_keep_moment(M, S, 1, 0, NULL, 0);
        if (moment < 0 || M->tellings[number].n > RW_MOST_DIGITS) {
            rw_lose(M, RW_LOST_ROOM);
            return;
        }
        RwMoment *one = &M->moments[moment];
        one->telling = number;
        one->value = value;
        memcpy(one->args, args, sizeof(num) * (size_t)M->tellings[number].n);
        const RwBits turned_on = rw_told_of(M, one, &unseen);
        if (!rw_has_bits(&turned_on) && !rw_has_numbers(&reads)) continue;
        RwEvent *E = rw_tale_event(M, player, RW_TALE_FELL);
        if (E == NULL) {
            rw_lose(M, RW_LOST_ROOM);
            return;
        }
        E->reads = reads;
        E->site = -1;
        E->is_told = 1;
        E->state = one->state;
        E->bits = turned_on;
        E->is_spread = (int8_t)rw_is_spread(S, &turned_on);
        E->moment = moment;
        E->has_locals = (int8_t)M->tellings[number].is_unseen;
    }
}

/* Nobody was asked, which tells the other players something too (`not_asked` of runtime/flow.py). */
static void rw_knows_unasked(Ctx *C, State *S, int site, num who, Set picked, int32_t pick) {
    RwAgain *again = C->again;
    if (again != NULL && again->site == site && pick >= 0 && picked.n <= RW_PIECES && !again->is_astray) {
        again->has_forced = 1;
        again->nforced = picked.n;
        again->forced_pick = pick;
        if (picked.n) memcpy(again->forced, picked.v, sizeof(int32_t) * (size_t)picked.n);
    }
    if (C->rerun != NULL && !rw_is_hidden_question(&C->rerun->sites[site], S))
        rw_note_few(C->rerun, RW_NOTED_FELL, site, who, pick >= 0);
    if (C->memory == NULL && C->rerun == NULL) return;
    S->site = site;
    S->who = (int32_t)who;
    if (C->memory == NULL) return;
    rw_tell_decision(C->memory, S, 1, pick, picked.v, picked.n, pick >= 0);
}

/* What a set or a payment has so far, when its next pick is asked for. */
static void rw_knows_picked(Ctx *C, Set picked) {
    RwMemory *M = C->memory;
    if (C->again != NULL && picked.n <= RW_PIECES) {
        C->again->npicked = picked.n;
        if (picked.n) memcpy(C->again->picked, picked.v, sizeof(int32_t) * (size_t)picked.n);
    }
    if (M == NULL) return;
    if (picked.n > RW_PIECES) { /* units of counters may be more than there are pieces */
        rw_lose(M, RW_LOST_PICKS);
        return;
    }
    M->npicked = picked.n;
    if (picked.n) memcpy(M->picked, picked.v, sizeof(int32_t) * (size_t)picked.n);
}

/* What is offered, where somebody may write down a number that was chosen. */
static void rw_keep_offer(const Ctx *C, RwMemory *M, const State *S) {
    RwOffer *offer = &M->offer;
    if (M->tales[0]->nnumbers == 0) return;
    offer->site = S->site;
    offer->who = S->who;
    offer->is_hidden = rw_is_hidden_choice(&M->sites[S->site], S);
    offer->n = offer->is_hidden ? S->nopts : 0;
    if (!rw_grow((void **)&offer->options, &offer->room, 0, offer->n + 1, sizeof(int32_t))) {
        offer->n = 0;
        rw_lose(M, RW_LOST_ROOM);
    }
    if (offer->n) memcpy(offer->options, C->opts + S->opts, sizeof(int32_t) * (size_t)offer->n);
}

/* A decision is pending, also one that answers itself at once. */
static void rw_tell_asked(const Ctx *C, RwMemory *M, const State *S) {
    if (!M->sites[S->site].picks) M->npicked = 0; /* picks of an earlier set do not belong to this decision */
    rw_keep_offer(C, M, S);
    rw_tell_decision(M, S, 0, 0, M->picked, M->npicked, S->nopts > 0 && C->opts[S->opts] >= 0);
    if (!M->works_out || M->is_lost || !rw_is_hidden_choice(&M->sites[S->site], S)) return;
    RwMoment *one = &M->moments[M->nmoments - 1];
    one->opts = malloc(sizeof(int32_t) * (size_t)(S->nopts + 1));
    if (one->opts == NULL) rw_lose(M, RW_LOST_ROOM);
    else memcpy(one->opts, C->opts + S->opts, sizeof(int32_t) * (size_t)S->nopts);
}

/* The game before its setup, where steps may begin with it. */
static void rw_tell_begun(RwMemory *M, const State *S) {
    const int32_t moment = M->works_out ? rw_keep_moment(M, S, 1, 0, NULL, 0) : 0;
    M->ticks++;
    for (int player = 0; M->works_out && player < RW_PLAYERS; player++) {
        RwEvent *E = rw_tale_event(M, player, RW_TALE_BEGUN);
        if (E == NULL || moment < 0) {
            rw_lose(M, RW_LOST_ROOM);
            return;
        }
        E->moment = moment;
        E->state = M->moments[moment].state;
        E->has_locals = (int8_t)rw_has_unseen_locals(M, S);
        E->closed = rw_unseen_of(M, S, player, -1);
    }
}

/* The last decision that was posed is answered so. */
static void rw_tell_took(RwMemory *M, int32_t option) {
    M->took_at = ++M->ticks;
    M->offer.option = option;
    for (int player = 0; player < RW_PLAYERS; player++) {
        if (!M->asked[player]) continue;
        RwTale *T = M->tales[player];
        const int32_t asked = rw_tale_asked(T, T->n);
        M->moments[T->events[asked].moment].pick = option;
        M->moments[T->events[asked].moment].is_taken = 1;
        rw_forget_fact(&T->events[asked]);
        T->events[asked].pick = option;
        /* If it answered itself, what was revealed is watched from there on. */
        for (int32_t piece = 0; M->any_lit && piece < RW_PIECES; piece++)
            if (M->lit[piece] >> player & 1) rw_set_bit(&T->events[asked].lit, piece);
        rw_tale_event(M, player, RW_TALE_TOOK);
    }
}

/* As rw_run, with whatever players notice on the way. */
static int rw_run_and_remember(Ctx *C, State *S, RwMemory *M) {
    rw_begin(C);
    C->memory = M;
    S->steps = 0;
    int signal = RW_GO;
    while (signal == RW_GO && !M->is_lost) {
        C->optop = C->ustop = 0;
        signal = rw_segment(C, S, RW_PLAYOUT, RW_TOP_FRAME(S));
        if (signal == RW_STOP && !S->over) {
            int done;
            const int32_t first = S->nopts > 0 ? C->opts[S->opts] : 0;
            if (S->depth > RW_FRAME_LIMIT) signal = RW_FAULT;
            rw_tell_asked(C, M, S);
            if (signal == RW_FAULT || rw_answers_itself(C, S, &done) != RW_GO) {
                signal = RW_FAULT;
            } else if (done) {
                rw_tell_took(M, first);
                RW_CHARGE(RW_COPIED);
                S->steps += RW_COPIED;
                signal = RW_GO;
            } else {
                signal = rw_pending(C, S);
            }
        } else if (signal == RW_ENDED) {
            signal = RW_STOP;
        }
        if (signal == RW_GO && rw_spend(C, S, RW_STEP, -1) != RW_GO) signal = RW_FAULT;
    }
    C->memory = NULL;
    return signal;
}

#endif
