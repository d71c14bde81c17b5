/* What a position is worth to each player: a game from it, random or guided, to the end or to a cutoff. The same as
 * play/bots/playing_out.py and standing.py, in the same order, so that the same doubles come out. */
#ifndef RW_WORTH_H
#define RW_WORTH_H

#include "rw_tree.h"
#include "rw_half.h"
#include "rw_stock.h"

#define RW_RESULT_SHARE 0.5 /* of the worth, where the rules count points; the margin has the rest */
#define RW_ALONE_SHARE 0.25 /* weight of the points of one player beside a result of weight 1 */
enum { RW_DRAWN = 2, RW_MOST_DRAWN = 6 }; /* options of which a guided game takes the best; the most with secrets */
enum { RW_TO_THE_END = 32, RW_ONE_IN = 8 }; /* games that teach the slope: the first ones, then one in so many */

/* How large margins usually are: the mean of their squares, over all met so far. */
typedef struct {
    double squares;
    int64_t count;
} RwUsual;

typedef struct {
    int32_t cut;             /* segments of rules until the cutoff, 0 for none */
    int8_t is_guided;        /* each choice is the best of a few */
    int32_t most_drawn;      /* of how many at most */
    RwUsual at_end, at_half;
    RwHalf half;             /* of guided games: what those that were measured have told */
    RwStock stock;             /* where margins are what players have: what the first games have told of them */
    num lowest, highest;     /* points met so far, with one player */
    int8_t any;
    int64_t made;            /* choices on the way to the position, and of a guided game from it */
    num shortest, longest;   /* of lost games, where holding out is all that can be counted; one player, or a team */
    int8_t any_lost;
    int64_t games;
    double products, squares; /* of margins at the cutoff with results: they give the slope */
    State *other, *before;   /* of a guided game: the position after another option; the one in which it is offered */
    int32_t *options;        /* those of the best position so far */
    int32_t optioncap;
} RwWorth;

/* ---------------------------------------------------------------- how everybody stands */

enum { RW_ALONE = RW_PLAYERS == 1 || RW_TEAM }; /* nobody to be ahead of: one player, or all win or lose together */
enum { RW_HAS_SCORES = RW_RANK_KEYS > 0 || RW_SCORED, RW_HAS_POINTS = RW_HAS_SCORES || RW_PROGRESS };
enum { RW_HAS_MARGIN = RW_HAS_POINTS && !RW_PAYOFF };

/* What the ranking of the game compares of each player, the larger the better; 0 if that runs into a fault. */
static int rw_keys(Ctx *C, State *S, RwRank *keys) {
    C->fault = 0;
    for (int player = 0; player < RW_PLAYERS; player++) {
        keys[player].n = 0;
        if (RW_RANK_KEYS > 0)
            keys[player].n = rw_rank(C, S, player, keys[player].key);
        else if (RW_SCORED)
            keys[player].key[keys[player].n++] = rw_points(C, S, player);
#if RW_PROGRESS
        else
            keys[player].key[keys[player].n++] = rw_progress(C, S, player);
#endif
    }
    return C->fault == 0;
}

/* How far each player is ahead of the best other one, in the first number of the keys; alone, or in a
 * team, that number. */
static void rw_margins(const RwRank *keys, num *margins) {
    for (int player = 0; player < RW_PLAYERS; player++) {
        num other = 0;
        int any = 0;
        margins[player] = 0;
        if (keys[0].n == 0) continue;
        for (int rival = 0; rival < RW_PLAYERS; rival++) {
            if (RW_ALONE || rival == player || (any && keys[rival].key[0] <= other)) continue;
            other = keys[rival].key[0];
            any = 1;
        }
        margins[player] = keys[player].key[0] - other;
    }
}

/* What a finished game is worth to each player; 0 if the ranking runs into a fault. */
static int rw_result(Ctx *C, State *S, double *result) {
    if (RW_PAYOFF || !RW_ALONE) {
        rw_returns(C, S, result);
        for (int player = 0; RW_PAYOFF && player < RW_PLAYERS; player++) result[player] /= (double)RW_PAYOFF;
        return C->fault == 0;
    }
    const double alone = S->nwon >= 0 ? (rw_has_won(S, 0) ? 1.0 : -1.0) : S->ngone > 0 ? -1.0 : 0.0;
    for (int player = 0; player < RW_PLAYERS; player++) result[player] = alone;
    return 1;
}

/* ---------------------------------------------------------------- worth */

/* A number between -1 and 1, by those met so far, this one included. */
static double rw_scaled(num *lowest, num *highest, int8_t *any, num number) {
    if (!*any) *lowest = *highest = number;
    *any = 1;
    if (number < *lowest) *lowest = number;
    if (number > *highest) *highest = number;
    const num width = *highest - *lowest;
    return width ? 2.0 * (double)(number - *lowest) / (double)width - 1.0 : 0.0;
}

static double rw_worth_alone(RwWorth *W, double result, num points) {
    const int is_lost = RW_DANGER && result < 0.0;
    const double scaled = is_lost ? rw_scaled(&W->shortest, &W->longest, &W->any_lost, (num)W->made)
                                  : rw_scaled(&W->lowest, &W->highest, &W->any, points);
    return result == 0.0 ? scaled : (result + RW_ALONE_SHARE * scaled) / (1.0 + RW_ALONE_SHARE);
}

/* Margins between -1 and 1, by what is usual, these included. */
static void rw_squash(RwUsual *usual, const num *margins, double *out) {
    for (int player = 0; player < RW_PLAYERS; player++) {
        usual->squares += (double)(margins[player] * margins[player]);
        usual->count++;
    }
    const double mean = usual->squares / (double)usual->count;
    for (int player = 0; player < RW_PLAYERS; player++) {
        const num margin = margins[player];
        out[player] = margin == 0 ? 0.0 : (double)margin / sqrt((double)(margin * margin) + mean);
    }
}

/* Whether margins are part of the worth. What players have counts in searches that try whether it should. */
static int rw_weighs_margins(const RwWorth *W) {
    return RW_HAS_MARGIN && (!RW_STOCK || (W->is_guided && !W->stock.misleads));
}

/* The worth of a finished game; 0 if it runs into a fault. */
static int rw_final_worth(Ctx *C, RwWorth *W, State *S, double *worth) {
    RwRank keys[RW_PLAYERS];
    num margins[RW_PLAYERS];
    double squashed[RW_PLAYERS];
    if (!rw_result(C, S, worth)) return 0;
    if (!rw_weighs_margins(W)) return 1;
    if (!rw_keys(C, S, keys)) return 0;
    rw_margins(keys, margins);
    if (RW_ALONE) {
        const double alone = rw_worth_alone(W, worth[0], margins[0]);
        for (int player = 0; player < RW_PLAYERS; player++) worth[player] = alone;
        return 1;
    }
    rw_squash(&W->at_end, margins, squashed);
    for (int player = 0; player < RW_PLAYERS; player++)
        worth[player] = RW_RESULT_SHARE * worth[player] + (1.0 - RW_RESULT_SHARE) * squashed[player];
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

/* ---------------------------------------------------------------- guided games */

/* Whether games are guided: not by what players have, if that has turned out to mislead. */
static int rw_guides(const RwWorth *W) {
    return W->is_guided && !W->stock.misleads;
}

/* How a player stands: the result if the game is over, then the margin. 0 if that runs into a fault. */
static int rw_stands(Ctx *C, State *S, int player, double *result, num *margin) {
    RwRank keys[RW_PLAYERS];
    num margins[RW_PLAYERS];
    double results[RW_PLAYERS] = {0.0};
    if ((S->over && !rw_result(C, S, results)) || !rw_keys(C, S, keys)) return 0;
    rw_margins(keys, margins);
    *result = results[player];
    *margin = margins[player];
    return 1;
}

static int rw_goes_on(Ctx *C, State *S, int32_t option) {
    return rw_take(C, S, option) == RW_GO && rw_run(C, S) == RW_STOP;
}

/* Keeps the options that come next in W->options; 0 if there is no memory. Nothing is kept of what was there. */
static int rw_keep_next(const Ctx *C, RwWorth *W, const State *S) {
    if (S->over) return 1;
    if (!rw_grow((void **)&W->options, &W->optioncap, 0, S->nopts, sizeof(int32_t))) return 0;
    memcpy(W->options, C->opts + S->opts, sizeof(int32_t) * (size_t)S->nopts);
    return 1;
}

/* Takes the one of n different options after which the player who chooses stands best, and leaves the options that come
 * next in W->options. 0 for a fault, or if there is no memory. */
static int rw_take_best(Ctx *C, RwWorth *W, State *S, const int32_t *options, int n) {
    const int player = S->who;
    double result[2];
    num margin[2];
    if (n > 1) rw_copy(n > 2 ? W->before : W->other, S); /* with two options, no more than the second needs it */
    if (!rw_goes_on(C, S, options[0]) || !rw_keep_next(C, W, S)) return 0;
    if (n == 1) return 1;
    /* Scoring may use the room of the context: the options of a position are kept before it is asked how it stands. */
    if (!rw_stands(C, S, player, &result[0], &margin[0])) return 0;
    for (int i = 1; i < n; i++) {
        if (n > 2) rw_copy(W->other, W->before);
        if (!rw_goes_on(C, W->other, options[i])) return 0;
        const int32_t *others = C->opts + W->other->opts;
        if (!rw_stands(C, W->other, player, &result[1], &margin[1])) return 0;
        if (result[1] < result[0] || (result[1] == result[0] && margin[1] <= margin[0])) continue;
        rw_copy(S, W->other);
        result[0] = result[1];
        margin[0] = margin[1];
        if (S->over) continue;
        if (!rw_grow((void **)&W->options, &W->optioncap, 0, S->nopts, sizeof(int32_t))) return 0;
        memcpy(W->options, others, sizeof(int32_t) * (size_t)S->nopts);
    }
    return 1;
}

static uint64_t rw_upper_below(uint64_t *choice, int32_t count) {
    *choice = *choice * RW_MULTIPLIER + RW_INCREMENT;
    return ((*choice >> 32) * (uint64_t)count) >> 32;
}

/* Draws the options of one choice, each once, in the order in which they are drawn: inside a `together` one, else the last
 * to be asked would go by what the others have chosen. Gives how many differ. */
static int rw_draw_options(const RwWorth *W, uint64_t *choice, const State *S, const int32_t *options, int32_t *drawn) {
    const int32_t noptions = S->nopts, half = noptions / 2 < W->most_drawn ? noptions / 2 : W->most_drawn;
    const int32_t wanted = S->together ? 1 : half < RW_DRAWN ? RW_DRAWN : half;
    int n = 0;
    for (int32_t i = 0; i < wanted; i++) {
        const int32_t option = options[rw_upper_below(choice, noptions)];
        int met = 0;
        while (met < n && drawn[met] != option) met++;
        if (met == n) drawn[n++] = option;
    }
    return n;
}

/* The margins of all players; 0 if the ranking runs into a fault. */
static int rw_margins_at(Ctx *C, State *S, num *margins) {
    RwRank keys[RW_PLAYERS];
    if (!rw_keys(C, S, keys)) return 0;
    rw_margins(keys, margins);
    return 1;
}

/* Plays on, each choice the best of a few: to the end, or to half time. The options of the pending decision lie in the
 * context. 0 for a fault, or if there is no memory. */
static int rw_guided_on(Ctx *C, RwWorth *W, State *S, uint64_t seed) {
    const int64_t noting_after = rw_noting_after(&W->half, RW_HAS_MARGIN && !RW_ALONE);
    const int64_t stops_after = RW_STOCK ? RW_STOCK_CHOICES : rw_stops_after(&W->half);
    const int64_t most = stops_after ? stops_after : RW_DECISION_LIMIT;
    num noted[RW_PLAYERS], final[RW_PLAYERS];
    uint64_t choice = rw_seeded(seed ^ 0x5DEECE66Du);
    int64_t made = 0;
    int is_noted = 0;
    if (W->other == NULL) W->other = malloc(sizeof(State));
    if (W->before == NULL) W->before = malloc(sizeof(State));
    if (W->other == NULL || W->before == NULL) return 0;
    const int32_t *options = C->opts + S->opts;
    while (!S->over && made < most) {
        int32_t drawn[RW_MOST_DRAWN];
        const int n = rw_draw_options(W, &choice, S, options, drawn);
        if (!rw_take_best(C, W, S, drawn, n)) return 0;
        options = W->options;
        made++;
        if (made != noting_after || S->over) continue;
        if (!rw_margins_at(C, S, noted)) return 0;
        is_noted = 1;
    }
    W->made += made;
    if (!S->over && !stops_after) return 0;
    if (RW_STOCK || !rw_is_measuring(&W->half)) return 1;
    if (!rw_margins_at(C, S, final)) return 0;
    rw_measured_game(&W->half, made, is_noted ? noted : NULL, final);
    return 1;
}

/* The worth of a guided game that was stopped half way. */
static int rw_half_worth(Ctx *C, RwWorth *W, State *S, double *worth) {
    num margins[RW_PLAYERS];
    if (!rw_margins_at(C, S, margins)) return 0;
    rw_squash(&W->at_half, margins, worth);
    return 1;
}

/* A random game from this position, which tells whether having more speaks for winning. The state is used up. */
static void rw_measure_stock(Ctx *C, RwWorth *W, State *S, uint64_t seed) {
    num margins[RW_PLAYERS];
    double result[RW_PLAYERS];
    if (rw_finish(C, S, seed) != RW_STOP || !rw_result(C, S, result) || !rw_margins_at(C, S, margins)) return;
    rw_measured_stock(&W->stock, margins, result);
}

/* What a position is worth, by a game from it. The state is used up. A fault of the rules is worth nothing to anybody:
 * it may never happen in the real game. Gives 0 if there was one. */
static int rw_worth(Ctx *C, RwWorth *W, State *S, uint64_t seed, double *worth) {
    if (!S->over && rw_guides(W)) {
        if (!rw_guided_on(C, W, S, seed)) return rw_nothing(worth);
        if (!S->over) return rw_half_worth(C, W, S, worth) || rw_nothing(worth);
    } else if (!S->over) {
        const int is_cut = W->cut > 0 && RW_HAS_POINTS;
        int signal = rw_playout(C, S, rw_seeded(seed ^ 0x5DEECE66Du), is_cut ? W->cut : 0);
        if (signal != RW_STOP && signal != RW_GO) return rw_nothing(worth);
        if (is_cut) W->games++;
        if (signal == RW_GO) return rw_cut_worth(C, W, S, seed, worth) || rw_nothing(worth);
    }
    return rw_final_worth(C, W, S, worth) || rw_nothing(worth);
}

#endif
