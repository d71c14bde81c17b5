/* Sets and payments in a story: which picks belong together, and what of them is a fact. This is what `Telling`
 * (runtime/telling.py) does at each pick; why is said there, in picked_sets.py and in paid_sets.py.
 *
 * A pick is an event like other decisions. The first one of a set or payment begins a fact whether anything of it is asked
 * (`Posed`), if others notice that it begins. If not any pieces would do, what has gone is a fact of its own: RwGone. Events
 * say of themselves: is_posed (its player was asked), picks_some, is_open (others notice it), is_free (any pieces do). */
#ifndef RW_PICKED_H
#define RW_PICKED_H

#include "rw_tale.h"

/* What was picked and has gone; `left`: of a payment what was picked and has not gone yet. A piece is paid by its row; what
 * is above all rows are units of counters. */
typedef struct RwGone {
    int8_t kind;         /* RW_FACT_PICKED, RW_FACT_PAID; RW_FACT_POSED for a set that begins; 0 for any other fact */
    int8_t is_posed, picks_some;
    int32_t event, n, taken[RW_PIECES + 2];
    int32_t nkeys, keys[RW_PIECES + 2], nleft, left[RW_PIECES + 2];
} RwGone;

/* A set has so many pieces with this pick. */
static void rw_gone_picks(RwGone *one, const int32_t *picked, int32_t n, const RwEvent *pick) {
    one->n = n < RW_PIECES ? n : RW_PIECES;
    if (one->n) memcpy(one->taken, picked, sizeof(int32_t) * (size_t)one->n);
    for (int32_t i = 0; pick->pick >= 0 && i < pick->nbound && one->n < RW_PIECES; i++)
        one->taken[one->n++] = pick->bound[i];
}

/* A payment has these picks, and one more with `further`. */
static void rw_gone_pays(RwGone *one, const RwTale *T, const int32_t *keys, int32_t n, const int32_t *further) {
    one->nkeys = n < RW_PIECES ? n : RW_PIECES;
    if (keys != one->keys && one->nkeys) memcpy(one->keys, keys, sizeof(int32_t) * (size_t)one->nkeys);
    if (further != NULL) one->keys[one->nkeys++] = *further;
    one->nleft = 0;
    for (int32_t i = 0; i < one->nkeys; i++)
        if (one->keys[i] < T->nrows) one->left[one->nleft++] = one->keys[i];
}

static int32_t rw_gone_due(const RwGone *one, int32_t row) {
    for (int32_t i = 0; i < one->nleft; i++)
        if (one->left[i] == row) return i;
    return -1;
}

/* A piece has left unseen; gives whether it is part of the payment. */
static int rw_gone_goes(RwGone *one, const RwTale *T, int32_t piece) {
    const int32_t at = rw_gone_due(one, T->row[piece]);
    if (at < 0 || one->n >= RW_PIECES) return 0;
    one->left[at] = one->left[--one->nleft];
    one->taken[one->n++] = piece;
    return 1;
}

static int rw_gone_has(const RwGone *one, int32_t piece) {
    for (int32_t i = 0; i < one->n; i++)
        if (one->taken[i] == piece) return 1;
    return 0;
}

static RwBits rw_gone_bits(const RwGone *one) {
    RwBits found = {{0}};
    for (int32_t i = 0; i < one->n; i++) rw_set_bit(&found, one->taken[i]);
    return found;
}

#endif
