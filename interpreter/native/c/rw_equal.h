/* Which pieces nobody can tell apart: of those a question offers only one. As `seen_equal` in runtime/places.py. */
#ifndef RW_EQUAL_H
#define RW_EQUAL_H

#include "rw_sets.h"

static inline int rw_lies_down(const State *S, num piece) {
#if RW_FACES
    return S->down[piece];
#else
    (void)S;
    (void)piece;
    return 0;
#endif
}

/* Two pieces that are carried count as the same if everybody can see them and they are equal copies without state of
 * their own. */
static inline int rw_same_load(const State *S, num a, num b, int is_open) {
    if (!is_open) return a == b;
    int apart_a = RW_HAS_OWN[a] || rw_lies_down(S, a), apart_b = RW_HAS_OWN[b] || rw_lies_down(S, b);
    if (apart_a || apart_b) return a == b;
    return RW_ROW[a + 1] == RW_ROW[b + 1];
}

static inline int rw_same_carried(const State *S, int one, int other) {
    int a = RW_FIRST(S, one), b = RW_FIRST(S, other);
    if (S->count[one] != S->count[other]) return 0;
    for (; a >= 0 && b >= 0; a = RW_NEXT(S, a), b = RW_NEXT(S, b))
        if (!rw_same_load(S, a, b, RW_OPEN[one] && RW_OPEN[other])) return 0;
    return 1;
}

/* Equal copies in the same place, with equal fields, that carry the same. */
static inline int rw_equal(const State *S, num a, num b) {
    int32_t fields = RW_OWN_FIELDS_at[a + 1] - RW_OWN_FIELDS_at[a], lists = RW_OWN_LISTS_at[a + 1] - RW_OWN_LISTS_at[a];
    if (RW_ROW[a + 1] != RW_ROW[b + 1] || RW_AT(S, a) != RW_AT(S, b) || rw_lies_down(S, a) != rw_lies_down(S, b)) return 0;
    if (fields != RW_OWN_FIELDS_at[b + 1] - RW_OWN_FIELDS_at[b]) return 0;
    if (lists != RW_OWN_LISTS_at[b + 1] - RW_OWN_LISTS_at[b]) return 0;
    for (int32_t i = 0; i < fields; i++)
        if (rw_number(S, RW_OWN_FIELDS[RW_OWN_FIELDS_at[a] + i]) != rw_number(S, RW_OWN_FIELDS[RW_OWN_FIELDS_at[b] + i]))
            return 0;
    for (int32_t i = 0; i < lists; i++)
        if (!rw_same_carried(S, RW_OWN_LISTS[RW_OWN_LISTS_at[a] + i], RW_OWN_LISTS[RW_OWN_LISTS_at[b] + i])) return 0;
    return 1;
}

/* True if an equal piece in the same unordered place has been offered already; else this one is remembered. How many
 * options there are must not tell whether two closed fields are equal, so a piece that has one stands for itself. */
static inline int rw_seen_equal(const State *S, num piece, elt *seen, int32_t *n) {
    int place = RW_AT(S, piece);
    if (RW_HAS_OWN[piece] == 2) return 0;
    if (place >= 0 && !RW_UNORDERED[place]) return 0;
    for (int32_t i = 0; i < *n; i++)
        if (rw_equal(S, piece, seen[i])) return 1;
    seen[(*n)++] = (elt)piece;
    return 0;
}

#endif
