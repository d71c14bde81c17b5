/* Whether having more speaks for winning: play/bots/stock.py, step by step. Included by rw_worth.h. */
#ifndef RW_STOCK_H
#define RW_STOCK_H

#define RW_AGAINST 16.0 /* 1 / square of the correlation from which on having more speaks against winning */
#define RW_STOCK_STREAM ((uint64_t)1 << 42) /* seeds of the games that measure */
enum { RW_STOCK_MEASURED = 16, RW_STOCK_CHOICES = 6 }; /* random games to begin with; choices of a guided game */

typedef struct {
    int64_t games;              /* of the measured games: those without a fault */
    int8_t is_tried;            /* they were played */
    double sums[RW_PLAYERS][5]; /* of each player: m, r, m * r, m * m, r * r */
    int8_t misleads;
} RwStock;

static int8_t rw_goes_against(const RwStock *stock) {
    const double games = (double)stock->games;
    double products = 0.0, margins = 0.0, results = 0.0;
    if (stock->games == 0) return 1;
    for (int player = 0; player < RW_PLAYERS; player++) {
        const double *own = stock->sums[player];
        products += own[2] - own[0] * own[1] / games;
        margins += own[3] - own[0] * own[0] / games;
        results += own[4] - own[1] * own[1] / games;
    }
    return margins == 0.0 || (products < 0.0 && RW_AGAINST * products * products > margins * results);
}

/* A measured game has ended with these margins and results. */
static void rw_measured_stock(RwStock *stock, const num *margins, const double *result) {
    stock->games++;
    for (int player = 0; player < RW_PLAYERS; player++) {
        double *own = stock->sums[player];
        own[0] += (double)margins[player];
        own[1] += result[player];
        own[2] += (double)margins[player] * result[player];
        own[3] += (double)(margins[player] * margins[player]);
        own[4] += result[player] * result[player];
    }
}

#endif
