/* The longest trail over some edges of a map: a way that uses no edge twice. The same search in the same order as
 * runtime/trails.py, which says why it is right; both count the same work. */
#ifndef RW_TRAILS_H
#define RW_TRAILS_H

#include "rw_sets.h"

#if RW_EDGES > 0 && RW_NODES > 0
#define RW_TRAIL_UNITS 64 /* of work, for each edge that a trail is tried with */
#define RW_TRAIL_LOOKED_AT 16 /* edges that are looked through for it in the time of one unit */

/* m edges: the two points that each joins (a, b), its length, whether the trail has used it, the part it belongs to. */
typedef struct {
    int32_t m, points;
    int32_t a[RW_EDGES], b[RW_EDGES], part[2 * RW_EDGES];
    num length[RW_EDGES];
    uint8_t used[RW_EDGES];
} RwNetwork;

/* The next edge at a point, from a position on, that is not used; m if there is none. */
static inline int32_t rw_trail_next(const RwNetwork *N, int32_t point, int32_t from) {
    while (from < N->m && (N->used[from] || (N->a[from] != point && N->b[from] != point))) from++;
    return from;
}

/* Numbers the connected parts of the network, in the order of their first points. */
static inline int32_t rw_trail_parts(RwNetwork *N) {
    int32_t parts = 0;
    for (int32_t i = 0; i < N->points; i++) N->part[i] = -1;
    for (int32_t first = 0; first < N->points; first++) {
        if (N->part[first] >= 0) continue;
        N->part[first] = parts;
        for (int again = 1; again;) {
            again = 0;
            for (int32_t e = 0; e < N->m; e++)
                if ((N->part[N->a[e]] == parts) != (N->part[N->b[e]] == parts)) {
                    N->part[N->a[e]] = N->part[N->b[e]] = parts;
                    again = 1;
                }
        }
        parts++;
    }
    return parts;
}

/* The longest trail from a point, or the best so far. Stops where the work, with what was done before, passes the limit. */
static inline num rw_trail_from(RwNetwork *N, int32_t start, num best, num bound, int64_t before, int64_t *units) {
    int32_t way[RW_EDGES], points[RW_EDGES + 1], tried[RW_EDGES + 1], depth = 0;
    num length = 0;
    points[0] = start;
    tried[0] = 0;
    for (;;) {
        int32_t edge = rw_trail_next(N, points[depth], tried[depth]);
        if (edge < N->m) {
            *units += RW_TRAIL_UNITS + N->m / RW_TRAIL_LOOKED_AT;
            RW_CHARGE(N->m / 2);
            if (before + *units > RW_STEP_LIMIT) break;
            tried[depth] = edge + 1;
            N->used[edge] = 1;
            length += N->length[edge];
            way[depth] = edge;
            points[depth + 1] = points[depth] == N->a[edge] ? N->b[edge] : N->a[edge];
            tried[++depth] = 0;
            if (length > best) {
                best = length;
                if (best >= bound) break;
            }
            continue;
        }
        if (depth == 0) break;
        edge = way[--depth];
        N->used[edge] = 0;
        length -= N->length[edge];
    }
    while (depth > 0) N->used[way[--depth]] = 0;
    return best;
}

/* The sum of the lengths in a part, without its `spare` shortest. */
static inline num rw_trail_bound(const RwNetwork *N, int32_t part, int32_t spare) {
    uint8_t out[RW_EDGES] = {0};
    num total = 0;
    for (int32_t e = 0; e < N->m; e++)
        if (N->part[N->a[e]] == part) total += N->length[e];
    for (; spare > 0; spare--) {
        int32_t least = -1;
        for (int32_t e = 0; e < N->m; e++)
            if (N->part[N->a[e]] == part && !out[e] && (least < 0 || N->length[e] < N->length[least])) least = e;
        out[least] = 1;
        total -= N->length[least];
    }
    return total;
}

static inline num rw_trail_in_part(RwNetwork *N, int32_t part, num best, int64_t before, int64_t *units) {
    int32_t odd[2 * RW_EDGES], n = 0;
    for (int32_t point = 0; point < N->points; point++) {
        int32_t ends = 0;
        if (N->part[point] != part) continue;
        for (int32_t e = 0; e < N->m; e++) ends += (N->a[e] == point) + (N->b[e] == point);
        if (ends % 2) odd[n++] = point;
    }
    int32_t spare = n / 2 > 1 ? n / 2 - 1 : 0;
    num bound = rw_trail_bound(N, part, spare);
    if (spare == 0) return bound > best ? bound : best;
    for (int32_t i = 0; i < n - 1 && best < bound && before + *units <= RW_STEP_LIMIT; i++)
        best = rw_trail_from(N, odd[i], best, bound, before, units);
    return best;
}

/* lengths: by edge, RW_NO_NUMBER for edges that are not used; passed: by node, or 0 if all may be passed. */
static inline num rw_longest_trail(const elt *ends, const elt *lengths, const uint8_t *passed, int64_t before,
                                   int64_t *units) {
    RwNetwork N;
    int32_t point_of[RW_NODES];
    num best = 0;
    N.m = N.points = 0;
    *units = 0;
    for (int32_t i = 0; i < RW_NODES; i++) point_of[i] = -1;
    for (int32_t e = 0; e < RW_EDGES; e++) {
        if (lengths[e] == RW_NO_NUMBER || ends[2 * e] < 0) continue;
        int32_t pair[2];
        for (int side = 0; side < 2; side++) {
            elt node = ends[2 * e + side];
            int may_pass = !passed || passed[node];
            if (may_pass && point_of[node] >= 0) {
                pair[side] = point_of[node];
                continue;
            }
            pair[side] = N.points++;
            if (may_pass) point_of[node] = pair[side];
        }
        N.a[N.m] = pair[0];
        N.b[N.m] = pair[1];
        N.length[N.m] = lengths[e];
        N.used[N.m++] = 0;
    }
    RW_CHARGE(2 * (int64_t)N.m * N.points / 4); /* its parts, and the edges at each point; the search itself is counted */
    int32_t parts = rw_trail_parts(&N);
    for (int32_t part = 0; part < parts; part++) best = rw_trail_in_part(&N, part, best, before, units);
    return best;
}

#endif

#endif
