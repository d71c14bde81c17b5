/* What a player cannot tell apart: runtime/mixes.py. A mix is a set of pieces of which the player knows that they lie at
 * these positions, and not which of them lies where. A piece in no mix is known. */
#ifndef RW_MIXES_H
#define RW_MIXES_H

#include "rw_glances.h"

typedef struct {               /* pieces in a mix with others; the mixes of several */
    RwBits hidden;
    int32_t n;
    RwBits several[RW_PIECES / 2 + 1];
} RwMixes;

static RwBits rw_one_bit(int32_t piece) {
    RwBits found;
    memset(&found, 0, sizeof found);
    rw_set_bit(&found, piece);
    return found;
}

static RwBits rw_bits_of(const int32_t *pieces, int32_t n) {
    RwBits found;
    memset(&found, 0, sizeof found);
    for (int32_t i = 0; i < n; i++) rw_set_bit(&found, pieces[i]);
    return found;
}

static int32_t rw_lowest_bit(const RwBits *set) {
    for (int i = 0; i < RW_PIECE_WORDS; i++)
        if (set->of[i]) return 64 * i + (int32_t)rw_lowest(set->of[i]);
    return -1;
}

static RwBits rw_mix_of(const RwMixes *X, int32_t piece) {
    if (rw_bit(&X->hidden, piece))
        for (int32_t i = 0; i < X->n; i++)
            if (rw_bit(&X->several[i], piece)) return X->several[i];
    return rw_one_bit(piece);
}

/* One of the hidden pieces becomes known. */
static void rw_mix_without(RwMixes *X, int32_t piece) {
    const RwBits own = rw_one_bit(piece);
    int32_t kept = 0;
    rw_drop_bits(&X->hidden, &own);
    for (int32_t i = 0; i < X->n; i++) {
        RwBits mix = X->several[i];
        if (rw_bit(&mix, piece)) {
            rw_drop_bits(&mix, &own);
            if (rw_few_bits(&mix) < 2) { /* the last one that is left is known, too */
                rw_drop_bits(&X->hidden, &mix);
                continue;
            }
        }
        X->several[kept++] = mix;
    }
    X->n = kept;
}

/* The mixes of all these pieces become one. */
static void rw_mix_joined(RwMixes *X, const RwBits *pieces) {
    RwBits whole = *pieces;
    int32_t touched = 0, kept = 0;
    for (int32_t i = 0; i < X->n; i++)
        if (rw_bits_meet(&X->several[i], pieces)) {
            rw_add_bits(&whole, &X->several[i]);
            touched++;
        }
    if (rw_few_bits(&whole) < 2) return;                                      /* a single piece that is known */
    if (touched == 1 && !rw_bits_beyond(pieces, &X->hidden)) return;          /* one mix already */
    for (int32_t i = 0; i < X->n; i++)
        if (!rw_bits_meet(&X->several[i], pieces)) X->several[kept++] = X->several[i];
    X->several[kept++] = whole;
    X->n = kept;
    rw_add_bits(&X->hidden, &whole);
}

#endif
