/* Masks and indexes: which elements of a small domain there are, one bit for each.
 *
 * An index keeps, for each class of values of a field, the mask of the elements whose field has it (compile/masks says
 * which are kept, and why). S->m holds the masks of all indexes. It is always what rw_index_anew would make of the
 * fields: every store goes through rw_write, copies copy it, and a state from outside is indexed anew.
 *
 * A sum adds up what each of many fields is worth by its value: so a history knows a position (compile/masks/indexes.py).
 * S->z holds the sums, kept in the same way.
 *
 * Emitted: RW_MASKS (words of all masks) RW_INDEXES RW_PER_FIELD (most indexes over one field) RW_SUMS
 *   RW_SUMS_PER_FIELD, and if there are any
 *   static const RwIndex RW_INDEX[RW_INDEXES]; RwIndexed RW_INDEXED[RW_FIELDS + 1][RW_PER_FIELD] (-1 for no more)
 *   static const RwSum RW_SUM[RW_SUMS]; RwSummed RW_SUMMED[RW_FIELDS + 1][RW_SUMS_PER_FIELD] (-1 for no more)
 */
#ifndef RW_MASKS_H
#define RW_MASKS_H

#include "rw.h"

/* ---- bits ---- */

/* The row of a table that may be asked for where there is none, since no condition has been asked yet: then any. */
static inline num rw_row(num row, num rows) { return row >= 0 && row < rows ? row : 0; }

#if defined(__GNUC__) || defined(__clang__)
static inline num rw_lowest(uint64_t mask) { return __builtin_ctzll(mask); }
static inline num rw_highest(uint64_t mask) { return 63 - __builtin_clzll(mask); }
#else
static inline num rw_highest(uint64_t mask) { /* the mask is not 0 */
    num found = 0;
    for (int step = 32; step > 0; step /= 2)
        if (mask >> step) {
            mask >>= step;
            found += step;
        }
    return found;
}
static inline num rw_lowest(uint64_t mask) { return rw_highest(mask & (~mask + 1)); }
#endif

/* How many bits are set: in pairs, in fours, in bytes, then all bytes at once. */
static inline num rw_bits(uint64_t mask) {
#if defined(__POPCNT__) || defined(__wasm__)
    return __builtin_popcountll(mask);
#else
    mask -= mask >> 1 & UINT64_C(0x5555555555555555);
    mask = (mask & UINT64_C(0x3333333333333333)) + (mask >> 2 & UINT64_C(0x3333333333333333));
    mask = (mask + (mask >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (num)(mask * UINT64_C(0x0101010101010101) >> 56);
#endif
}

/* Takes the lowest bit out of a mask of several words; -1 if there is none. */
static inline num rw_mask_next(uint64_t *mask, int words) {
    for (int i = 0; i < words; i++)
        if (mask[i]) {
            num found = rw_lowest(mask[i]);
            mask[i] &= mask[i] - 1;
            return 64 * i + found;
        }
    return -1;
}

/* The same with the highest. */
static inline num rw_mask_last(uint64_t *mask, int words) {
    for (int i = words - 1; i >= 0; i--)
        if (mask[i]) {
            num found = rw_highest(mask[i]);
            mask[i] ^= UINT64_C(1) << found;
            return 64 * i + found;
        }
    return -1;
}

/* The bit with n set bits below it; there are more than n. First its byte, by the bits of all bytes up to each one. */
static inline num rw_bit_of_rank(uint64_t mask, num n) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t upto = mask - (mask >> 1 & UINT64_C(0x5555555555555555));
    upto = (upto & UINT64_C(0x3333333333333333)) + (upto >> 2 & UINT64_C(0x3333333333333333));
    upto = ((upto + (upto >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * ones;
    /* A byte keeps its top bit if it has no more than n bits up to it: the wanted one lies behind it. */
    const uint64_t behind = (((uint64_t)n * ones | ones << 7) - upto) >> 7 & ones;
    const num byte = (num)(behind * ones >> 56) * 8;
    mask >>= byte;
    for (num left = n - (num)(upto << 8 >> byte & 255); left > 0; left--) mask &= mask - 1;
    return byte + rw_lowest(mask);
}

/* The same for a mask of several words. */
static inline num rw_bit_of_rank_in(const uint64_t *mask, int words, num n) {
    for (int i = 0; i < words; i++) {
        const num here = rw_bits(mask[i]);
        if (n < here) return 64 * i + rw_bit_of_rank(mask[i], n);
        n -= here;
    }
    return -1;
}

/* ---- indexes ---- */

#if RW_MASKS
/* Puts an element into the mask of the class of a value, or takes it out of that. A value outside the range of the
 * field has no class: no rule ever stores one, but a foreign state may have it. */
static inline void rw_turn_bit(uint64_t *masks, const RwIndex *index, num value, uint64_t bit) {
    const uint64_t position = (uint64_t)(value - index->lowest); /* below the lowest: a huge number */
    if (position < (uint64_t)index->values) masks[index->masks[position]] ^= bit;
}
#endif

#if RW_SUMS
/* What a field with this value adds to a sum; nothing for a value outside its range. */
static inline uint64_t rw_adds(const RwSummed *own, num value) {
    const RwSum *sum = &RW_SUM[own->sum];
    const uint64_t position = (uint64_t)(value - sum->lowest);
    return position >= (uint64_t)sum->values ? 0 : sum->worth[own->row + position];
}
#endif

/* All masks and sums, from the fields. */
static void rw_index_anew(State *S) {
    (void)S;
#if RW_MASKS
    memset(S->m, 0, sizeof S->m);
    for (int at = 0; at < RW_FIELDS; at++)
        for (int i = 0; i < RW_PER_FIELD && RW_INDEXED[at][i].index >= 0; i++)
            rw_turn_bit(S->m + (RW_INDEXED[at][i].element >> 6), &RW_INDEX[RW_INDEXED[at][i].index], rw_number(S, at),
                        UINT64_C(1) << (RW_INDEXED[at][i].element & 63));
#endif
#if RW_SUMS
    memset(S->z, 0, sizeof S->z);
    for (int at = 0; at < RW_FIELDS; at++)
        for (int i = 0; i < RW_SUMS_PER_FIELD && RW_SUMMED[at][i].sum >= 0; i++)
            S->z[RW_SUMMED[at][i].sum] += rw_adds(&RW_SUMMED[at][i], rw_number(S, at));
#endif
}

/* The only way to change a field that may have an index or be in a sum. */
#if !RW_MASKS && !RW_SUMS
static inline void rw_write(State *S, num at, num value) { rw_set_number(S, at, value); }
#else
static void rw_write(State *S, num at, num value) {
    const num old = rw_number(S, at);
    if (old == value) return;
    rw_set_number(S, at, value);
#if RW_MASKS
    const RwIndexed *own = RW_INDEXED[at];
    for (int left = RW_PER_FIELD; left > 0 && own->index >= 0; left--, own++) {
        const RwIndex *index = &RW_INDEX[own->index];
        const uint64_t bit = UINT64_C(1) << (own->element & 63);
        uint64_t *masks = S->m + (own->element >> 6);
        rw_turn_bit(masks, index, old, bit);
        rw_turn_bit(masks, index, value, bit);
    }
#endif
#if RW_SUMS
    const RwSummed *in = RW_SUMMED[at];
    for (int left = RW_SUMS_PER_FIELD; left > 0 && in->sum >= 0; left--, in++)
        S->z[in->sum] += rw_adds(in, value) - rw_adds(in, old);
#endif
}
#endif

#ifdef RW_CHECKED
#include <stdlib.h>
/* A build for tests: masks and sums are what the fields say. */
static void rw_check_masks(State *S) {
#if RW_MASKS
    uint64_t masks[RW_MASKS];
    memcpy(masks, S->m, sizeof masks);
#endif
#if RW_SUMS
    uint64_t sums[RW_SUMS];
    memcpy(sums, S->z, sizeof sums);
#endif
    rw_index_anew(S);
#if RW_MASKS
    if (memcmp(masks, S->m, sizeof masks) != 0) abort();
#endif
#if RW_SUMS
    if (memcmp(sums, S->z, sizeof sums) != 0) abort();
#endif
}
#else
#define rw_check_masks(S) ((void)0)
#endif

/* The nodes from which a straight line goes through at least one node outside `stop`, and then meets one that is in
 * `stop` and in `good`. Every step in a direction leads to a number that is larger by the same amount, so a mask goes
 * one step back by turning it; what was turned around the end of the word is cut off with the nodes that have no next
 * one. `steps` holds both for each direction. */
static inline uint64_t rw_turned_mask(uint64_t mask, unsigned by) { return mask >> (by & 63) | mask << (-by & 63); }

static inline uint64_t rw_rays(const uint64_t *steps, int directions, int longest, uint64_t stop, uint64_t good) {
    uint64_t found = 0;
    for (int i = 0; i < directions; i++, steps += 2) {
        const unsigned by = (unsigned)steps[0];
        const uint64_t has = steps[1], through = has & ~stop;
        uint64_t open = rw_turned_mask(good & stop, by) & through;
        for (int step = 2; step < longest && open; step++) open |= rw_turned_mask(open, by) & through;
        found |= rw_turned_mask(open, by) & has;
    }
    return found;
}

#endif
