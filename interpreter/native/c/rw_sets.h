/* Small functions over sets, as runtime/sets.py has them. */
#ifndef RW_SETS_H
#define RW_SETS_H

#include "rw_places.h"

static inline num rw_quotient(num a, num b) { /* rounds down */
    num whole = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? whole - 1 : whole;
}

static inline num rw_remainder(num a, num b) { /* has the sign of b */
    num rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static inline int rw_has(Set set, num item) {
    for (int32_t i = 0; i < set.n; i++)
        if (set.v[i] == item) return 1;
    return 0;
}

static inline int32_t rw_copied(elt *room, Set set) {
    if (set.n > 0) memmove(room, set.v, sizeof(elt) * (size_t)set.n); /* an empty set may have no array at all */
    return set.n;
}

/* Where the item is, counted from 1; 0 if it is not there. */
static inline num rw_position(Set set, num item) {
    for (int32_t i = 0; i < set.n; i++)
        if (set.v[i] == item) return i + 1;
    return 0;
}

static inline num rw_walk_on(Set row, num piece, num old) {
    num position = rw_position(row, piece);
    return position ? position : old;
}

/* The set turned round to begin with `first`, or with the next number that it has. `skips`: without `first` itself. */
static inline int32_t rw_turned(elt *room, Set set, num first, int skips) {
    int32_t n = 0, start = -1;
    for (int32_t i = 0; i < set.n; i++)
        if (set.v[i] == first) { start = i; break; }
    if (start >= 0) {
        for (int32_t i = skips ? 1 : 0; i < set.n; i++) room[n++] = set.v[(start + i) % set.n];
        return n;
    }
    for (int32_t i = 0; i < set.n; i++)
        if (set.v[i] > first) room[n++] = set.v[i];
    for (int32_t i = 0; i < set.n; i++)
        if (set.v[i] < first) room[n++] = set.v[i];
    return n;
}

/* Puts an item behind all whose key is not larger, so that equals keep their order. */
static inline void rw_insert(elt *room, num *keys, int32_t n, elt item, num key) {
    const int32_t last = n;
    while (n > 0 && keys[n - 1] > key) {
        room[n] = room[n - 1];
        keys[n] = keys[n - 1];
        n--;
    }
    if (last - n > RW_FAR_OFF) RW_CHARGE(last - n);
    room[n] = item;
    keys[n] = key;
}

/* Two runs that follow one another, each in order, become one in `out`; of equals those of the first run come first. */
static inline void rw_merge_runs(const elt *room, const num *keys, int32_t from, int32_t middle, int32_t end, elt *out,
                                 num *out_keys) {
    int32_t one = from, other = middle;
    for (int32_t at = from; at < end; at++) {
        const int32_t taken = other >= end || (one < middle && keys[one] <= keys[other]) ? one++ : other++;
        out[at] = room[taken];
        out_keys[at] = keys[taken];
    }
}

/* Sorts a large set by its keys; equals keep their order. Short runs are sorted as small sets are, then merged two by
 * two in the room beside it. Runs that follow each other in order stay as they are, so a set that is in order is gone
 * over once. */
static inline void rw_sort_by(elt *room, num *keys, int32_t n, elt *beside, num *beside_keys) {
    for (int32_t from = 0; from < n; from += RW_FAR_OFF)
        for (int32_t i = 0; i < RW_FAR_OFF && from + i < n; i++)
            rw_insert(room + from, keys + from, i, room[from + i], keys[from + i]);
    for (int64_t run = RW_FAR_OFF; run < n; run *= 2) {
        for (int64_t from = 0; from + run < n; from += 2 * run) {
            const int32_t middle = (int32_t)(from + run), end = (int32_t)(from + 2 * run < n ? from + 2 * run : n);
            if (keys[middle - 1] <= keys[middle]) continue;
            RW_CHARGE(end - from);
            rw_merge_runs(room, keys, (int32_t)from, middle, end, beside, beside_keys);
            memcpy(room + from, beside + from, sizeof *room * (size_t)(end - from));
            memcpy(keys + from, beside_keys + from, sizeof *keys * (size_t)(end - from));
        }
    }
}

/* The piece at a position of a list, counted from 0. */
static inline num rw_nth(const State *S, num place, num position) {
    int piece = RW_FIRST(S, place);
    while (position-- > 0 && piece >= 0) piece = RW_NEXT(S, piece);
    return piece;
}

/* Keeps a set in a frame or as a result: its size, then its elements. RW_FAULT if it does not fit. */
static inline int rw_keep(Ctx *C, elt *cells, Set set, int32_t room) {
    if (set.n > room) return rw_fault(C, RW_TOO_LARGE, set.n, -1);
    if (set.n > 0) memmove(cells + 1, set.v, sizeof(elt) * (size_t)set.n);
    cells[0] = set.n;
    return RW_GO;
}

#endif
