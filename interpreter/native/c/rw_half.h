/* Whether the games of a search may stop half way: play/bots/half_time.py, step by step. Included by rw_worth.h. */
#ifndef RW_HALF_H
#define RW_HALF_H

#define RW_LEAST_SLOPE 0.6 /* what a point at half time must be worth at the end */
enum { RW_MEASURED = 16, RW_FEWEST_CHOICES = 8 }; /* games played to their end first; choices of one that is stopped */

typedef struct {
    int64_t games, choices; /* of the measured games */
    int64_t noted;          /* those of them in which a margin was noted at half time */
    double sums[RW_PLAYERS][4]; /* of each player: h, f, h * f, h * h */
    int8_t stops;
} RwHalf;

static int rw_is_measuring(const RwHalf *half) {
    return half->games < RW_MEASURED;
}

/* After how many choices the margins of the next game are to be noted; 0 for never. */
static int64_t rw_noting_after(const RwHalf *half, int may_stop) {
    if (!may_stop || half->games == 0 || !rw_is_measuring(half)) return 0;
    const int64_t middle = half->choices / (2 * half->games);
    return middle < 1 ? 1 : middle;
}

/* After how many choices the next game is stopped; 0 for never. */
static int64_t rw_stops_after(const RwHalf *half) {
    const int64_t middle = half->choices / (2 * RW_MEASURED);
    return !half->stops ? 0 : middle < RW_FEWEST_CHOICES ? RW_FEWEST_CHOICES : middle;
}

/* Whether the margin at half time tells enough of the margin at the end. */
static int8_t rw_foretells(const RwHalf *half) {
    const double noted = (double)half->noted;
    double products = 0.0, squares = 0.0;
    if (half->noted == 0) return 0;
    for (int player = 0; player < RW_PLAYERS; player++) {
        const double *own = half->sums[player];
        products += own[2] - own[0] * own[1] / noted;
        squares += own[3] - own[0] * own[0] / noted;
    }
    return squares > 0.0 && products >= RW_LEAST_SLOPE * squares;
}

/* A measured game has ended: how long it was, the margins at half time (NULL if it did not come to that), and at the
 * end. */
static void rw_measured_game(RwHalf *half, int64_t choices, const num *noted, const num *final) {
    half->games++;
    half->choices += choices;
    half->noted += noted != NULL;
    for (int player = 0; noted != NULL && player < RW_PLAYERS; player++) {
        double *own = half->sums[player];
        own[0] += (double)noted[player];
        own[1] += (double)final[player];
        own[2] += (double)(noted[player] * final[player]);
        own[3] += (double)(noted[player] * noted[player]);
    }
    if (!rw_is_measuring(half)) half->stops = rw_foretells(half);
}

#endif
