/* Questions to maps that need no condition of the rules. The steps of a node are at[node] … at[node + 1] - 1: the edge
 * and the node that it leads to. */
#ifndef RW_MAPS_H
#define RW_MAPS_H

#include "rw_sets.h"

static inline num rw_edge_joining(const int32_t *at, const elt *edges, const elt *others, num a, num b) {
    if (a >= 0)
        for (int32_t i = at[a]; i < at[a + 1]; i++)
            if (others[i] == b) return edges[i];
    return -1;
}

static inline int32_t rw_edges_joining(const int32_t *at, const elt *edges, const elt *others, num a, num b, elt *out) {
    int32_t n = 0;
    if (a >= 0)
        for (int32_t i = at[a]; i < at[a + 1]; i++)
            if (others[i] == b) out[n++] = edges[i];
    return n;
}

#if RW_NODES > 0
/* How many groups of neighbours these nodes form, or how large the largest is. */
static inline num rw_groups(const int32_t *at, const elt *beside, const uint8_t *has, Set nodes, int largest) {
    uint8_t left[RW_NODES] = {0};
    elt group[RW_NODES];
    num groups = 0, most = 0;
    for (int32_t i = 0; i < nodes.n; i++)
        if (has[nodes.v[i] + 1]) left[nodes.v[i]] = 1;
    for (int32_t i = 0; i < nodes.n; i++) {
        if (nodes.v[i] < 0 || !left[nodes.v[i]]) continue;
        int32_t n = 0;
        group[n++] = nodes.v[i];
        left[nodes.v[i]] = 0;
        for (int32_t j = 0; j < n; j++)
            for (int32_t k = at[group[j]]; k < at[group[j] + 1]; k++)
                if (left[beside[k]]) {
                    left[beside[k]] = 0;
                    group[n++] = beside[k];
                }
        groups++;
        if (n > most) most = n;
    }
    return largest ? most : groups;
}

/* The edges of the cheapest path: the fewest edges among equals, then those that come first. Goes from the goal and
 * keeps for each node what is left to pay and how many edges that is; then walks from the start. */
static inline int32_t rw_cheapest_path(const int32_t *at, const elt *edges, const elt *others, const uint8_t *has,
                                       const uint8_t *stops, int nodes, const elt *costs, num start, num goal,
                                       elt *out) {
    num left[RW_NODES];
    int32_t many[RW_NODES], n = 0;
    uint8_t open[RW_NODES] = {0};
    if (!has[start + 1] || !has[goal + 1]) return 0;
    for (int i = 0; i < nodes; i++) left[i] = -1;
    left[goal] = 0;
    many[goal] = 0;
    open[goal] = 1;
    for (;;) {
        int here = -1;
        RW_CHARGE(nodes / 4);
        for (int i = 0; i < nodes; i++)
            if (open[i] && (here < 0 || left[i] < left[here] || (left[i] == left[here] && many[i] < many[here])))
                here = i;
        if (here < 0) break;
        open[here] = 0;
        if (here == start) continue;
        for (int32_t j = at[here]; j < at[here + 1]; j++) {
            elt cost = costs[edges[j]], other = others[j];
            if (cost == RW_NO_NUMBER || (other != start && stops[other])) continue;
            num total = left[here] + cost;
            if (left[other] < 0 || total < left[other] || (total == left[other] && many[here] + 1 < many[other])) {
                left[other] = total;
                many[other] = many[here] + 1;
                open[other] = 1;
            }
        }
    }
    for (num node = start; node != goal && left[node] >= 0;) {
        elt best = -1;
        num next = -1;
        for (int32_t j = at[node]; j < at[node + 1]; j++) {
            elt edge = edges[j], other = others[j];
            if (costs[edge] == RW_NO_NUMBER || left[other] < 0) continue;
            if (left[other] != left[node] - costs[edge] || many[other] != many[node] - 1) continue;
            if (best < 0 || edge < best || (edge == best && other < next)) {
                best = edge;
                next = other;
            }
        }
        if (best < 0) break;
        out[n++] = best;
        node = next;
    }
    return n;
}
#endif

#endif
