/* Seats that are still in the game, and sets that are picked one by one, as in runtime/flow.py. */
#ifndef RW_PICKS_H
#define RW_PICKS_H

#include "rw.h"
#include "rw_places.h"
#include "rw_sets.h"

/* ---------------------------------------------------------------- players who have dropped out */

static void rw_drop_out(State *S, num player) {
    if (!rw_is_gone(S, player) && S->ngone < RW_PLAYERS) S->gone[S->ngone++] = (int8_t)player;
}

/* Writes the seats that are still in the game, in order; gives their number. */
static int32_t rw_seats_in(const State *S, elt *out) {
    int32_t n = 0;
    for (int seat = 0; seat < RW_PLAYERS; seat++)
        if (!rw_is_gone(S, seat)) out[n++] = seat;
    return n;
}

/* This player, or the next one who is still in; -1 if nobody is. */
static num rw_still_in(const State *S, num player) {
    num first = ((player % RW_PLAYERS) + RW_PLAYERS) % RW_PLAYERS; /* -1 is the last seat, as in Python */
    for (int step = 0; step < RW_PLAYERS; step++) {
        num seat = (first + step) % RW_PLAYERS;
        if (!rw_is_gone(S, seat)) return seat;
    }
    return -1;
}

/* The next one who is still in; whoever has nobody behind is next again. */
static inline num rw_next_seat(const State *S, num player) {
    const num next = rw_still_in(S, player + 1);
    return next < 0 ? player : next;
}

/* ---------------------------------------------------------------- sets picked one by one */

/* A condition on a set so far: 0, 1, or a negative signal. */
typedef int (*RwSuch)(Ctx *C, State *S, const void *env, Set chosen);

typedef struct {              /* what the search for a whole set needs to know */
    Set candidates;
    num low, high;
    RwSuch such;
    const void *env;
    int64_t units;            /* of work that one look at a set takes */
    int32_t base;             /* C->opts[base] …: the set so far, in room above the options */
} RwSetSearch;

static inline int rw_is_such(Ctx *C, State *S, const RwSetSearch *search, Set chosen) {
    return search->such == NULL ? 1 : search->such(C, S, search->env, chosen);
}

/* Whether a set of n picks, C->opts[base] …, can be completed with candidates from `next` on: 0, 1 or a negative
 * signal. The recursion is as deep as there are candidates. */
static int rw_completes(Ctx *C, State *S, const RwSetSearch *search, int32_t n, int32_t next) {
    if (n + (search->candidates.n - next) < search->low) return 0;
    if (search->such == NULL) return 1;
    RW_CHARGE(RW_SEARCHED * search->units);
    if (rw_count(C, S, search->units, -1) != RW_GO) return -RW_FAULT;
    if (n >= search->low) {
        int answer = rw_is_such(C, S, search, (Set){C->opts + search->base, n});
        if (answer != 0) return answer;
    }
    if (n >= search->high) return 0;
    for (int32_t i = next; i < search->candidates.n; i++) {
        C->opts[search->base + n] = search->candidates.v[i];
        int answer = rw_completes(C, S, search, n + 1, i + 1);
        if (answer != 0) return answer;
    }
    return 0;
}

static inline int rw_lies_unordered(const State *S, elt piece) {
    int place = RW_AT(S, piece);
    return place < 0 || RW_UNORDERED[place];
}

/* Equal pieces in a place without order are offered once: true if an earlier candidate from `first` on is such. */
static int rw_is_copy(const State *S, Set candidates, int32_t first, int32_t at) {
    elt piece = candidates.v[at];
    if (!rw_lies_unordered(S, piece)) return 0;
    RW_CHARGE((at - first) / 4);
    for (int32_t i = first; i < at; i++) {
        elt other = candidates.v[i];
        if (RW_ROW[other + 1] == RW_ROW[piece + 1] && RW_AT(S, other) == RW_AT(S, piece)) return 1;
    }
    return 0;
}

/* Adds the picks of candidates from `first` on with which a whole set can still come about. */
static int rw_next_picks(Ctx *C, State *S, RwSetSearch *search, Set picked, int32_t first, int how, num lowest) {
    const Set candidates = search->candidates;
    for (int32_t i = first; i < candidates.n; i++) {
        if (how && rw_is_copy(S, candidates, first, i)) continue;
        /* The set so far is laid out above the options: its room is free again before the next option is added. */
        search->base = C->optop;
        num room = (num)picked.n + candidates.n + 1;
        if (room > C->optcap - C->optop) return -rw_fault(C, 905, room, -1);
        RW_CHARGE(64 + picked.n / 4);
        if (picked.n > 0) memcpy(C->opts + search->base, picked.v, sizeof(elt) * (size_t)picked.n);
        C->opts[search->base + picked.n] = candidates.v[i];
        C->optop += (int32_t)room;
        int answer = rw_completes(C, S, search, picked.n + 1, i + 1);
        C->optop = search->base;
        if (answer < 0) return answer;
        if (answer && rw_offer(C, candidates.v[i] - lowest) != RW_GO) return -RW_FAULT;
    }
    return RW_GO;
}

/* Adds the next picks of a set: later in order than the last, such that a whole set can still come of it; and "that is
 * all" where it is one already. `high` is -1 for no limit; a bound that comes out below 0 is given as 0. Gives 1 when the set has as many as it may have, 0 if
 * options were added, a negative signal for a fault. */
static int rw_set_options(Ctx *C, State *S, Set candidates, Set picked, num low, num high, RwSuch such,
                          const void *env, int how, num lowest, int64_t units) {
    const num highest = high < 0 || high > candidates.n ? candidates.n : high;
    RwSetSearch search = {candidates, low, highest, such, env, units, 0};
    int whole = 0;
    if (picked.n >= low) {
        whole = rw_is_such(C, S, &search, picked);
        if (whole < 0) return whole;
        if (whole && picked.n >= (high < 0 ? highest : high)) return 1;
    }
    int32_t first = 0;
    if (picked.n > 0) {
        while (first < candidates.n && candidates.v[first] != picked.v[picked.n - 1]) first++;
        if (first == candidates.n) return 0; /* a world that does not offer what was picked */
        first++;
    }
    if (picked.n < highest) {
        int signal = rw_next_picks(C, S, &search, picked, first, how, lowest);
        if (signal != RW_GO) return signal;
    }
    return whole && rw_offer(C, RW_PASS) != RW_GO ? -RW_FAULT : 0;
}

#endif
