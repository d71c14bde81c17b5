/* What a position is worth to each player: a random game from it, to the end or to a cutoff. The same as
 * play/bots/playing_out.py and standing.py, in the same order, so that the same doubles come out. */
#ifndef RW_WORTH_H
#define RW_WORTH_H

#include "rw_tree.h"

#define RW_MARGIN_SHARE 0.25 /* weight of the margin beside a result of weight 1 */
enum { RW_TO_THE_END = 32, RW_ONE_IN = 8 }; /* games that teach the slope: the first ones, then one in so many */

typedef struct {
    int32_t cut;             /* segments of rules until the cutoff, 0 for none */
    num largest;             /* margin met so far */
    num lowest, highest;     /* points met so far, with one player */
    int8_t any;
    int64_t games;
    double products, squares; /* of margins at the cutoff with results: they give the slope */
} RwWorth;

/* ---------------------------------------------------------------- how everybody stands */

enum { RW_HAS_POINTS = RW_RANK_KEYS > 0 || RW_SCORED };

/* What the ranking of the game compares of each player, the larger the better; 0 if that runs into a fault. */
static int rw_keys(Ctx *C, State *S, RwRank *keys) {
    C->fault = 0;
    for (int player = 0; player < RW_PLAYERS; player++) {
        keys[player].n = 0;
        if (RW_RANK_KEYS > 0)
            keys[player].n = rw_rank(C, S, player, keys[player].key);
        else if (RW_SCORED)
            keys[player].key[keys[player].n++] = rw_points(C, S, player);
    }
    return C->fault == 0;
}

/* How far each player is ahead of the best other one, in the first number of the keys; with one player that number. */
static void rw_margins(const RwRank *keys, num *margins) {
    for (int player = 0; player < RW_PLAYERS; player++) {
        num other = 0;
        int any = 0;
        margins[player] = 0;
        if (keys[0].n == 0) continue;
        for (int rival = 0; rival < RW_PLAYERS; rival++) {
            if (rival == player || (any && keys[rival].key[0] <= other)) continue;
            other = keys[rival].key[0];
            any = 1;
        }
        margins[player] = keys[player].key[0] - other;
    }
}

/* What a finished game is worth to each player; 0 if the ranking runs into a fault. */
static int rw_result(Ctx *C, State *S, double *result) {
    if (RW_PAYOFF || RW_PLAYERS > 1) {
        rw_returns(C, S, result);
        for (int player = 0; RW_PAYOFF && player < RW_PLAYERS; player++) result[player] /= (double)RW_PAYOFF;
        return C->fault == 0;
    }
    if (S->nwon >= 0)
        result[0] = rw_has_won(S, 0) ? 1.0 : -1.0;
    else
        result[0] = S->ngone > 0 ? -1.0 : 0.0;
    return 1;
}

/* ---------------------------------------------------------------- worth */

static double rw_worth_alone(RwWorth *W, double result, num points) {
    if (!W->any) W->lowest = W->highest = points;
    W->any = 1;
    if (points < W->lowest) W->lowest = points;
    if (points > W->highest) W->highest = points;
    const num width = W->highest - W->lowest;
    const double scaled = width ? 2.0 * (double)(points - W->lowest) / (double)width - 1.0 : 0.0;
    return result == 0.0 ? scaled : (result + RW_MARGIN_SHARE * scaled) / (1.0 + RW_MARGIN_SHARE);
}

/* The worth of a finished game; 0 if it runs into a fault. */
static int rw_final_worth(Ctx *C, RwWorth *W, State *S, double *worth) {
    RwRank keys[RW_PLAYERS];
    num margins[RW_PLAYERS];
    if (!rw_result(C, S, worth)) return 0;
    if (!RW_HAS_POINTS) return 1;
    if (!rw_keys(C, S, keys)) return 0;
    rw_margins(keys, margins);
    if (RW_PLAYERS == 1) {
        worth[0] = rw_worth_alone(W, worth[0], margins[0]);
        return 1;
    }
    for (int player = 0; player < RW_PLAYERS; player++) {
        num size = margins[player] < 0 ? -margins[player] : margins[player];
        if (size > W->largest) W->largest = size;
    }
    const double scale = W->largest ? RW_MARGIN_SHARE / (double)W->largest : 0.0;
    for (int player = 0; player < RW_PLAYERS; player++) {
        double own = W->largest ? worth[player] + scale * (double)margins[player] : worth[player];
        worth[player] = own / (1.0 + RW_MARGIN_SHARE);
    }
    return 1;
}

static int rw_nothing(double *worth) {
    for (int player = 0; player < RW_PLAYERS; player++) worth[player] = 0.0;
    return 0;
}

/* A random game that was cut off: the margin stands for the rest, or it is played on and teaches the slope. */
static int rw_cut_worth(Ctx *C, RwWorth *W, State *S, uint64_t seed, double *worth) {
    RwRank keys[RW_PLAYERS];
    num margins[RW_PLAYERS];
    if (!rw_keys(C, S, keys)) return 0;
    rw_margins(keys, margins);
    if (W->games > RW_TO_THE_END && W->games % RW_ONE_IN != 0) {
        const double slope = W->squares != 0.0 ? W->products / W->squares : 0.0;
        for (int player = 0; player < RW_PLAYERS; player++) {
            double own = slope * (double)margins[player];
            worth[player] = own > 1.0 ? 1.0 : own < -1.0 ? -1.0 : own;
        }
        return 1;
    }
    if (rw_finish(C, S, rw_derived_seed(seed, 0)) != RW_STOP || !rw_final_worth(C, W, S, worth)) return 0;
    for (int player = 0; player < RW_PLAYERS; player++) {
        W->products += (double)margins[player] * worth[player];
        W->squares += (double)(margins[player] * margins[player]);
    }
    return 1;
}

/* What a position is worth, by a random game. The state is used up. A fault of the rules is worth nothing to anybody:
 * it may never happen in the real game. Gives 0 if there was one. */
static int rw_worth(Ctx *C, RwWorth *W, State *S, uint64_t seed, double *worth) {
    if (!S->over) {
        const int is_cut = W->cut > 0 && RW_HAS_POINTS;
        int signal = rw_playout(C, S, rw_seeded(seed ^ 0x5DEECE66Du), is_cut ? W->cut : 0);
        if (signal != RW_STOP && signal != RW_GO) return rw_nothing(worth);
        if (is_cut) W->games++;
        if (signal == RW_GO) return rw_cut_worth(C, W, S, seed, worth) || rw_nothing(worth);
    }
    return rw_final_worth(C, W, S, worth) || rw_nothing(worth);
}

#endif
