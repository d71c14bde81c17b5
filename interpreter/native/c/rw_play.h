/* Playing: the loop over frames, playouts, setup, ranks and returns.
 *
 * The same as runtime/machine.py, the beginning of runtime/game.py, and runtime/ends.py. Native code has two ways of
 * running: playouts, which also serve games that somebody plays, and trials. What Python keeps beside a game (log,
 * knowledge, words) is Python's own.
 *
 * Besides the constants named in rw.h this needs:
 *   RW_PLAY_ROUTINE RW_SETUP_ROUTINE   the routines that a game begins with, -1 for none
 *   RW_DEALS       the segment of setup before which every game is the same, or -1
 *   RW_TEAM        1 if all players win or lose together
 *   RW_PROGRESS    1 if the rules count no points, but tell how near a win is
 *   RW_STOCK        1 if they tell no more than what each player has
 *   RW_DANGER       1 if they tell how far off a loss is, and nothing of a win
 *   RW_SCORED      1 if the rules have a score; RW_RANK_KEYS the criteria of `rank`, 0 if the rules have none
 *   RW_PAYOFF      the largest payoff that there can be, 0 if the rules have none
 */
#ifndef RW_PLAY_H
#define RW_PLAY_H

#include "rw.h"
#include "rw_cells.h"
#include "rw_trials.h"

enum { RW_MOST_CERTAIN = 500 }; /* segments of setup that are done once for all games */

static inline int rw_is_automa(num player) {
    return player >= 0 && player < 32 && ((uint32_t)RW_AUTOMAS >> player & 1);
}

static inline int rw_takes_first(num player) {
    return ((uint32_t)RW_AUTOMA_FIRST >> player & 1) != 0;
}

/* ---------------------------------------------------------------- running */

/* Takes a decision that is none: a single option, or an automa that takes first options. *done tells whether it did. */
static int rw_answers_itself(Ctx *C, State *S, int *done) {
    *done = 0;
    if (S->nopts == 0) return rw_fault(C, 701, S->site, -1);
    if (S->nopts == 1) {
        if (!S->automatic) return RW_GO;
    } else if (rw_is_automa(S->who)) {
        if (!rw_takes_first(S->who)) return rw_fault(C, 703, S->site, -1);
    } else {
        return S->nopts > RW_OPTION_LIMIT ? rw_fault(C, 905, S->nopts, -1) : RW_GO;
    }
    *done = 1;
    return rw_take(C, S, C->opts[S->opts]);
}

/* Nothing of an earlier game is left in the context: options, trials, or a fault, which emitted code would hand on. */
static inline void rw_begin(Ctx *C) {
    C->asked = 0;
    C->fault = 0;
    C->sampled = 0;
    C->left = C->is_going_on = 0;
    C->untried = -1;
    C->trial_level = 0;
    C->optop = C->ustop = 0;
}

/* A decision is pending. Its options lie in C->opts until the next question is asked in this context: a stamp tells
 * whether they still do. Copies of the state have the stamp too, because they ask for the same. */
static int rw_pending(Ctx *C, State *S) {
    C->asked = S->stamp = ++C->stamps;
    return RW_STOP;
}

/* Whether the pending decision is one, with options that somebody is to choose from: the common case, told at a glance. */
static inline int rw_is_plain_choice(const State *S) {
    return RW_AUTOMAS == 0 && S->nopts > 1 && S->nopts <= RW_OPTION_LIMIT;
}

static inline int rw_loop_to_choice(Ctx *C, State *S) {
    for (;;) {
        C->optop = C->ustop = 0; /* options of an earlier question are of no use any more */
        C->drawn = 0;
        int signal = rw_segment(C, S, RW_PLAYOUT, RW_TOP_FRAME(S));
        rw_check_masks(S);
        if (signal == RW_STOP && !S->over) {
            int done;
            if (S->depth > RW_FRAME_LIMIT) return rw_fault(C, 904, -1, -1);
            if (rw_is_plain_choice(S)) return rw_pending(C, S);
            if (rw_answers_itself(C, S, &done) != RW_GO) return RW_FAULT;
            if (!done) return rw_pending(C, S);
            RW_CHARGE(RW_COPIED);
            S->steps += RW_COPIED;
        } else if (signal != RW_GO) {
            return signal == RW_ENDED ? RW_STOP : signal;
        }
        if (rw_spend(C, S, RW_STEP, -1) != RW_GO) return RW_FAULT; /* a segment, or an answer without a question */
    }
}

/* Goes on until somebody has a real choice, or the game is over. Gives RW_STOP then, or RW_REFUSED or RW_FAULT if the
 * rules have come to a dead end or run into a fault. `sampled`: what is wanted of the options of the pending decision in
 * place of all of them. RW_ONE_OPTION: one at random, which rw_any_option gives. RW_NUMBER_OF_OPTIONS: how many there
 * are (S->nopts), where that can be counted without writing them down. */
static inline int rw_run_to_choice(Ctx *C, State *S, int sampled) {
    rw_begin(C);
    C->sampled = (int8_t)sampled;
    if (S->depth == 0) return rw_fault(C, 908, 0, -1); /* nothing has been set up */
    S->steps = 0;
    C->is_going_on = 1;
    const int signal = rw_loop_to_choice(C, S);
    C->is_going_on = 0;
    return signal;
}

static int rw_run(Ctx *C, State *S) {
    return rw_run_to_choice(C, S, 0);
}

/* A random option of the decision that rw_run_to_choice has come to when one alone was wanted. *only: there was no other,
 * so it is no choice of anybody's. */
static int rw_any_option(Ctx *C, State *S, int32_t *option, int *only) {
    *only = 0;
    if (RW_TRIES && C->untried >= 0 && C->untried == S->site) return rw_sample(C, S, &C->choice, option, only);
    *option = C->opts[S->opts + (C->drawn ? 0 : rw_next_choice(C, S->nopts))];
    return RW_GO;
}

/* Asks the pending decision once more, so that its options lie in C->opts: another game may have been there since. */
static int rw_ask_again(Ctx *C, State *S) {
    const int64_t steps = S->steps;
    if (S->over || (C->asked != 0 && C->asked == S->stamp)) return RW_GO;
    rw_begin(C);
    if (S->depth == 0) return rw_fault(C, 908, 0, -1);
    int signal = rw_segment(C, S, RW_PLAYOUT, RW_TOP_FRAME(S));
    S->steps = steps;
    if (signal != RW_STOP) return signal == RW_GO ? rw_fault(C, 908, S->site, -1) : signal;
    rw_pending(C, S);
    return RW_GO;
}

/* ---------------------------------------------------------------- playouts */

static inline void rw_note_choice(Ctx *C, State *S, int32_t option) {
    S->steps = 0;
    S->decisions++;
    if (C->history != NULL && C->nhistory + 2 <= C->histcap) {
        C->history[C->nhistory] = S->site;
        C->history[C->nhistory + 1] = option;
    }
    C->nhistory += 2; /* more than histcap tells that it did not fit */
}

/* Answers the pending decision of a playout. */
static int rw_random_choice(Ctx *C, State *S) {
    int32_t option;
    if (RW_TRIES && C->untried >= 0 && C->untried == S->site) {
        int only = 0;
        if (rw_sample(C, S, &C->choice, &option, &only) != RW_GO) return RW_FAULT;
        if (only) C->counts[0]++;
        else rw_note_choice(C, S, option);
    } else if (S->nopts == 1) {
        option = C->opts[S->opts];
        C->counts[0]++;
        if (rw_spend(C, S, 0, -1) != RW_GO) return RW_FAULT;
    } else if (S->nopts > 1 && !rw_is_automa(S->who)) {
        option = C->opts[S->opts + (C->drawn ? 0 : rw_next_choice(C, S->nopts))];
        rw_note_choice(C, S, option);
    } else {
        int done;
        return rw_answers_itself(C, S, &done);
    }
    return rw_take(C, S, option);
}

/* Random options to the end; `choice` seeds a generator of its own. With `segments` it stops after so many segments of
 * rules, wherever that is, and gives RW_GO; 0 for no such limit. */
static int rw_playout(Ctx *C, State *S, uint64_t choice, int64_t segments) {
    rw_begin(C);
    if (S->depth == 0) return rw_fault(C, 908, 0, -1);
    C->choice = choice;
    C->bits = 0;
    C->sampled = RW_AUTOMAS == 0 ? RW_ONE_OPTION : 0;
    C->left = segments > 0 ? segments : (int64_t)RW_DECISION_LIMIT * 20;
    while (rw_runs_on(C, S)) {
        C->optop = C->ustop = 0;
        C->drawn = 0;
        int signal = rw_segment(C, S, RW_PLAYOUT, RW_TOP_FRAME(S));
        rw_check_masks(S);
        if (signal == RW_GO) continue;
        if (signal == RW_STOP && !S->over) signal = rw_random_choice(C, S);
        if (signal == RW_GO) continue;
        C->sampled = 0;
        C->left = 0;
        return signal == RW_ENDED ? RW_STOP : signal;
    }
    C->sampled = 0;
    return segments > 0 ? RW_GO : rw_fault(C, 906, RW_DECISION_LIMIT, -1);
}

/* ---------------------------------------------------------------- setup */

/* Nothing set up: all pieces in the box, fields at their start, the lowest frame that of the end of the game. */
static void rw_blank(State *S) {
    memset(S, 0, offsetof(State, k));
    S->site = S->who = -1;
    S->pick = RW_PASS;
    S->looker = S->why = -1;
    S->nwon = -1;
    S->automatic = 1;
    S->g = rw_seeded(0);
    for (int i = 0; i < RW_FIELDS; i++) rw_set_number(S, i, RW_START[i]);
    rw_index_anew(S);
    for (int i = 0; i <= RW_PIECES; i++) {
        rw_lay_at(S, i - 1, i == 0 ? -2 : -1);
        S->next[i] = S->previous[i] = RW_LINKED(-1);
    }
    for (int i = 0; i <= RW_LISTS; i++) S->first[i] = S->last[i] = RW_LINKED(-1);
    S->frame = -1; /* no frame at all */
}

static int rw_begin_with(Ctx *C, State *S, int routine) {
    if (routine < 0 || RW_ROUTINE[routine].entry < 0) return RW_GO;
    return rw_call_frame(C, S, routine, NULL, 0) == NULL ? RW_FAULT : RW_GO;
}

/* Runs segment by segment until chance falls or somebody decides, and leaves *S as it was before that. A fault is left
 * to the games. */
static void rw_as_far_as_certain(Ctx *C, State *S) {
    State *before = rw_trial_copy(C, S);
    if (before == NULL) return;
    for (int i = 0; i < RW_MOST_CERTAIN; i++) {
        rw_copy(before, S);
        C->optop = C->ustop = 0;
        if (rw_segment(C, S, RW_PLAYOUT, RW_TOP_FRAME(S)) == RW_GO && S->g == before->g) continue;
        rw_copy(S, before);
        break;
    }
    rw_forget_fault(C);
    C->refusal = 0;
    rw_give_back(C);
}

/* A game with the certain part of setup done. */
static int rw_begun(Ctx *C, State *S) {
    rw_blank(S);
    rw_begin(C);
    if (rw_push_frame(C, S, RW_END, 1) == NULL) return RW_FAULT;
    if (rw_begin_with(C, S, RW_PLAY_ROUTINE) != RW_GO || rw_begin_with(C, S, RW_SETUP_ROUTINE) != RW_GO)
        return RW_FAULT;
    while (RW_DEALS >= 0 && RW_TOP_FRAME(S)[0] != RW_DEALS) {
        C->optop = C->ustop = 0;
        int signal = rw_segment(C, S, RW_PLAYOUT, RW_TOP_FRAME(S));
        if (signal != RW_GO) return signal;
    }
    rw_as_far_as_certain(C, S);
    return RW_GO;
}

/* The certain part of setup is done once for each context and copied from then on. */
static int rw_set_out(Ctx *C, State *S, uint64_t seed, int automatic) {
    rw_begin(C);
    if (!C->has_first) {
        int signal = rw_begun(C, C->first);
        if (signal != RW_GO) return signal;
        C->has_first = 1;
    }
    rw_copy(S, C->first);
    S->g = rw_seeded(seed);
    S->automatic = (int8_t)automatic;
    return RW_GO;
}

/* A game set up and brought to its first decision. */
static int rw_new(Ctx *C, State *S, uint64_t seed, int automatic) {
    int signal = rw_set_out(C, S, seed, automatic);
    return signal == RW_GO ? rw_run(C, S) : signal;
}

/* Random choices to the end from where a game stands. */
static int rw_finish(Ctx *C, State *S, uint64_t seed) {
    return rw_playout(C, S, rw_seeded(seed ^ 0x5DEECE66Du), 0);
}

/* ---------------------------------------------------------------- ranks and returns */

typedef struct {
    num key[RW_RANK_KEYS + 2];
    int n;
} RwRank;

static int rw_has_won(const State *S, num player) {
    for (int i = 0; i < S->nwon; i++)
        if (S->won[i] == player) return 1;
    return 0;
}

/* What a player is ranked by: whoever stayed in comes first. */
static RwRank rw_rank_of(Ctx *C, State *S, int player) {
    RwRank own = {{!rw_is_gone(S, player)}, 1};
    if (S->nwon >= 0)
        own.key[own.n++] = rw_has_won(S, player);
    else if (RW_RANK_KEYS > 0)
        own.n += rw_rank(C, S, player, own.key + 1);
    else if (RW_SCORED)
        own.key[own.n++] = rw_points(C, S, player);
    return own;
}

static int rw_is_before(const RwRank *one, const RwRank *other) {
    for (int i = 0; i < one->n && i < other->n; i++)
        if (one->key[i] != other->key[i]) return one->key[i] > other->key[i];
    return one->n > other->n;
}

/* The rank of each player, 1 being the best; players tied in every criterion share a rank. If nobody wins, nobody is
 * first: all ranks are one more than there are players. */
static void rw_ranking(Ctx *C, State *S, int32_t *ranking) {
    RwRank ranks[RW_PLAYERS];
    C->fault = 0;
    if (S->nwon > 0 && S->ngone == 0) { /* winners are tied for the first place, and the others behind them */
        for (int player = 0; player < RW_PLAYERS; player++) ranking[player] = rw_has_won(S, player) ? 1 : 1 + S->nwon;
        return;
    }
    for (int player = 0; player < RW_PLAYERS; player++) ranks[player] = rw_rank_of(C, S, player);
    for (int player = 0; player < RW_PLAYERS; player++) {
        ranking[player] = S->nwon == 0 ? RW_PLAYERS + 1 : 1;
        for (int other = 0; other < RW_PLAYERS; other++)
            ranking[player] += rw_is_before(&ranks[other], &ranks[player]);
    }
}

/* What each player gets: evenly from +1 to -1 by rank; those who are tied share what their places get together.
 * If nobody wins, everybody gets the least. */
static void rw_by_rank(const int32_t *ranking, double *returns) {
    if (RW_PLAYERS == 1) {
        returns[0] = ranking[0] == 1 ? 1.0 : 0.0;
        return;
    }
    for (int player = 0; player < RW_PLAYERS; player++) {
        int tied = 0;
        double shared = 0.0;
        if (ranking[player] > RW_PLAYERS) {
            returns[player] = -1.0;
            continue;
        }
        for (int other = 0; other < RW_PLAYERS; other++) {
            if (ranking[other] != ranking[player]) continue;
            shared += 1.0 - 2.0 * (ranking[player] - 1 + tied) / (RW_PLAYERS - 1);
            tied++;
        }
        returns[player] = shared / tied;
    }
}

/* What a game that is over is worth to each player: the payoff of the rules, or by rank. */
static void rw_returns(Ctx *C, State *S, double *returns) {
#if RW_PAYOFF
    C->fault = 0;
    for (int player = 0; player < RW_PLAYERS; player++) returns[player] = (double)rw_payoff(C, S, player);
#else
    int32_t ranking[RW_PLAYERS];
    rw_ranking(C, S, ranking);
    rw_by_rank(ranking, returns);
#endif
}

#endif
