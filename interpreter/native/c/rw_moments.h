/* Moments from which others may conclude something: decisions that are posed, answered or answer themselves
 * (runtime/flow.py, `ASKED`, `TOOK` and `FELL` of runtime/trail.py), and values that the rules tell to all (`TOLD`). Each is
 * an event for every player who does not see all that it may turn on, and is kept as the state was. */
#ifndef RW_MOMENTS_H
#define RW_MOMENTS_H

#include "rw_notices.h"

/* ---------------------------------------------------------------- decisions */

/* The pieces in play that the player does not see where they lie, but the decider does; -1: whoever does
 * (`unseen_places`, hands.py). */
static RwBits rw_unseen_of(const RwMemory *M, const State *S, int player, num decider) {
    RwBits found;
    memset(&found, 0, sizeof found);
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        const num place = RW_AT(S, piece);
        if (place < 0 || (rw_sees(place, player) && !rw_lies_down(S, piece))) continue;
        if (decider >= 0 && !rw_sees(place, (int)decider)) continue;
        if (M->is_top_open[place] && RW_FIRST(S, place) == piece) continue;
        rw_set_bit(&found, piece);
    }
    return found;
}

/* Keeps the decision that is pending, or answers itself; gives its number, or -1 if there is no memory. */
static int32_t rw_keep_moment(RwMemory *M, const State *S, int is_fell, int32_t pick, int has_picked) {
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
    one->has_picked = (int8_t)has_picked;
    one->pick = pick;
    one->telling = -1;
    one->nopts = is_fell ? 0 : S->nopts;
    one->state = malloc(sizeof(State));
    if (one->state == NULL) return -1;
    rw_copy(one->state, S);
    return M->nmoments++;
}

/* A decision is an event for each player who does not see all that it may turn on. */
static void rw_tell_decision(RwMemory *M, const State *S, int is_fell, int32_t pick, int has_picked) {
    const RwAsking *site = &M->sites[S->site];
    int32_t moment = -1;
    if (S->together) M->is_lost = 1;
    for (int player = 0; player < RW_PLAYERS && !M->is_lost; player++) {
        if (!is_fell) M->asked[player] = 0;
        if (player == S->who) continue;
        const RwBits unseen = rw_unseen_of(M, S, player, S->who);
        if (!rw_has_bits(&unseen)) continue;
        /* Of a set that nobody sees being picked, whether it is a fact at all is for Python to say. */
        if (site->is_several && site->is_silent) M->is_lost = 1;
        if (moment < 0) moment = rw_keep_moment(M, S, is_fell, pick, has_picked);
        RwEvent *E = rw_tale_event(M, player, is_fell ? RW_TALE_FELL : RW_TALE_ASKED);
        if (moment < 0 || E == NULL) {
            M->is_lost = 1;
            return;
        }
        E->is_set = (int8_t)site->is_several;
        E->bits = unseen;
        E->moment = moment;
        if (!is_fell) M->asked[player] = 1;
    }
}

/* All are told what a value comes to (`public(E)`): an event for those who do not see all that it may rest on. */
static void rw_knows_told(Ctx *C, State *S, int number, const num *args, num value) {
    RwMemory *M = C->memory;
    int32_t moment = -1;
    for (int player = 0; M != NULL && player < RW_PLAYERS && !M->is_lost; player++) {
        const RwBits unseen = rw_unseen_of(M, S, player, -1);
        if (!rw_has_bits(&unseen)) continue;
        if (moment < 0) moment = rw_keep_moment(M, S, 1, 0, 0);
        RwEvent *E = rw_tale_event(M, player, RW_TALE_FELL);
        if (moment < 0 || E == NULL || M->tellings[number].n > RW_MOST_DIGITS) {
            M->is_lost = 1;
            return;
        }
        RwMoment *one = &M->moments[moment];
        one->telling = number;
        one->value = value;
        memcpy(one->args, args, sizeof(num) * (size_t)M->tellings[number].n);
        E->bits = unseen;
        E->moment = moment;
    }
}

/* Nobody was asked, which tells the other players something too (`not_asked` of runtime/flow.py). */
static void rw_knows_unasked(Ctx *C, State *S, int site, num who, int has_picked, int32_t pick) {
    if (C->memory == NULL) return;
    S->site = site;
    S->who = (int32_t)who;
    rw_tell_decision(C->memory, S, 1, pick, has_picked);
}

/* What a set or a payment has so far, when its next pick is asked for. */
static void rw_knows_picked(Ctx *C, Set picked) {
    RwMemory *M = C->memory;
    if (M == NULL) return;
    if (picked.n > RW_PIECES) { /* units of counters may be more than there are pieces */
        M->is_lost = 1;
        return;
    }
    M->npicked = picked.n;
    if (picked.n) memcpy(M->picked, picked.v, sizeof(int32_t) * (size_t)picked.n);
}

/* A decision is pending, also one that answers itself at once. */
static void rw_tell_asked(RwMemory *M, const State *S) {
    if (!M->sites[S->site].is_several) M->npicked = 0; /* picks of an earlier set do not belong to this decision */
    rw_tell_decision(M, S, 0, 0, M->npicked > 0);
}

/* The last decision that was posed is answered so. */
static void rw_tell_took(RwMemory *M, int32_t option) {
    for (int player = 0; player < RW_PLAYERS; player++) {
        if (!M->asked[player]) continue;
        RwTale *T = M->tales[player];
        const int32_t asked = rw_tale_asked(T, T->n);
        M->moments[T->events[asked].moment].pick = option;
        M->moments[T->events[asked].moment].is_taken = 1;
        rw_forget_fact(&T->events[asked]);
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
            rw_tell_asked(M, S);
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
