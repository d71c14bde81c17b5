/* Questions to large maps, as runtime/graph.py answers them: distances, straight lines, rings. A table of all answers
 * would have as many entries as there are pairs of nodes, so they are worked out when they are wanted. */
#ifndef RW_FAR_H
#define RW_FAR_H

#include "rw_rooms.h"

#if RW_FARS > 0

enum { RW_FAR_ROWS = 64, RW_FREE_FORM = 0, RW_WALK_FORM = 1, RW_HEX_FORM = 2, RW_GRID_FORM = 3, RW_DIAGONAL_FORM = 4 };

/* A map: its nodes, who lies beside whom, where a step in each direction leads, and on a surface which node lies at
 * which point (x, y from 0; -1 for none). `extent`: no two nodes are further apart. */
typedef struct {
    int number, form, ways, lines, width, height, extent;
    const uint8_t *has;
    const int32_t *at;
    const elt *beside, *toward, *line_toward, *xs, *ys, *points;
} RwLand;

/* The distances from some nodes, those that were asked for last: by node, -1 if no way leads there. */
struct RwFar {
    int32_t asked;
    int32_t source[RW_FAR_ROWS];
    elt queue[RW_NODES];
    int16_t steps[RW_FAR_ROWS][RW_NODES];
};

/* Nodes in the order in which they are reached, with the number of steps of each; gives how many there are. */
static int32_t rw_far_search(const RwLand *L, num start, int16_t *steps, elt *queue) {
    int32_t n = 0;
    for (int i = 0; i < RW_NODES; i++) steps[i] = -1;
    steps[start] = 0;
    queue[n++] = (elt)start;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = L->at[queue[i]]; j < L->at[queue[i] + 1]; j++)
            if (steps[L->beside[j]] < 0) {
                steps[L->beside[j]] = (int16_t)(steps[queue[i]] + 1);
                queue[n++] = L->beside[j];
            }
    return n;
}

static RwFar *rw_far_of(Ctx *C, const RwLand *L) {
    RwFar *far = C->far[L->number];
    if (far != NULL) return far;
    far = C->far[L->number] = malloc(sizeof *far);
    if (far == NULL) {
        rw_fault(C, RW_TOO_LARGE, -1, -1);
        return NULL;
    }
    far->asked = -1;
    for (int i = 0; i < RW_FAR_ROWS; i++) far->source[i] = -1;
    return far;
}

static const int16_t *rw_far_row(const RwLand *L, RwFar *far, num start) {
    const int row = (int)(start % RW_FAR_ROWS);
    if (far->source[row] != start) {
        far->source[row] = (int32_t)start;
        rw_far_search(L, start, far->steps[row], far->queue);
    }
    return far->steps[row];
}

static num rw_far_distance(Ctx *C, const RwLand *L, num a, num b) {
    if (!L->has[a + 1] || !L->has[b + 1]) return RW_NO_NUMBER;
    RwFar *far = rw_far_of(C, L);
    if (far == NULL) return RW_NO_NUMBER;
    /* Ways lead in both directions. Whoever asks how far it is from every node to b wants the distances of b. */
    if (far->source[a % RW_FAR_ROWS] != a) {
        if (far->source[b % RW_FAR_ROWS] == b || far->asked == b) {
            const num other = a;
            a = b;
            b = other;
        } else {
            far->asked = (int32_t)b;
        }
    }
    const int16_t steps = rw_far_row(L, far, a)[b];
    return steps < 0 ? RW_NO_NUMBER : steps;
}

/* Up to `steps` nodes in a direction, without the start; on a ring at most once around. */
static int32_t rw_far_line(const RwLand *L, num node, num direction, num steps, elt *room) {
    int32_t n = 0;
    if (node < 0 || !L->has[node + 1] || direction < 0 || direction >= L->ways) return 0;
    for (elt at = L->toward[node * L->ways + direction]; at >= 0 && at != node && n < steps;
         at = L->toward[at * L->ways + direction])
        room[n++] = at;
    return n;
}

static int32_t rw_far_between(const RwLand *L, num a, num b, elt *room) {
    if (a < 0 || b < 0 || !L->has[a + 1]) return 0;
    for (int way = 0; way < L->lines; way++) {
        int32_t n = 0;
        elt at = L->line_toward[a * L->lines + way];
        for (; at >= 0 && at != a && at != b; at = L->line_toward[at * L->lines + way]) room[n++] = at;
        if (at == b && b != a) return n;
    }
    return 0;
}

/* A ring on a surface, clockwise from the first direction, as if every space were there. */
static int32_t rw_far_round(const RwLand *L, num node, num steps, elt *room) {
    static const int8_t out[3][2] = {{1, -1}, {1, 0}, {1, 0}};
    static const int8_t sides[3][6][3] = {
        {{0, 1, 1}, {-1, 1, 1}, {-1, 0, 1}, {0, -1, 1}, {1, -1, 1}, {1, 0, 1}},
        {{-1, 1, 1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}},
        {{0, 1, 1}, {-1, 0, 2}, {0, -1, 2}, {1, 0, 2}, {0, 1, 1}, {0, 0, 0}},
    };
    const int form = L->form - RW_HEX_FORM;
    int32_t n = 0;
    if (steps > L->extent) return 0;
    if (steps == 0) {
        room[0] = (elt)node;
        return 1;
    }
    num x = L->xs[node] + out[form][0] * steps, y = L->ys[node] + out[form][1] * steps;
    for (int side = 0; side < 6; side++)
        for (num i = 0; i < steps * sides[form][side][2]; i++) {
            if (x >= 0 && x < L->width && y >= 0 && y < L->height && L->points[x * L->height + y] >= 0)
                room[n++] = L->points[x * L->height + y];
            x += sides[form][side][0];
            y += sides[form][side][1];
        }
    return n;
}

/* All nodes that can be reached, nearest first; equally near ones in the order of a walk, or of the file. */
static int32_t rw_far_order(Ctx *C, const RwLand *L, num node, elt *room, int16_t *steps) {
    (void)C;
    const int32_t n = rw_far_search(L, node, steps, room);
    for (int32_t i = 1; L->form == RW_FREE_FORM && i < n; i++)
        for (int32_t j = i; j > 0 && steps[room[j - 1]] == steps[room[j]] && room[j - 1] > room[j]; j--) {
            const elt other = room[j];
            room[j] = room[j - 1];
            room[j - 1] = other;
        }
    return n;
}

/* The nodes so many steps away; `steps` -1: all nodes, ring after ring. */
static int32_t rw_far_ring(Ctx *C, const RwLand *L, num node, num wanted, elt *room) {
    int32_t n = 0;
    if (node < 0 || !L->has[node + 1]) return 0;
    if (L->form >= RW_HEX_FORM) {
        if (wanted >= 0) return rw_far_round(L, node, wanted, room);
        for (int steps = 0; steps <= L->extent; steps++) n += rw_far_round(L, node, steps, room + n);
        return n;
    }
    const size_t size = RW_ROUNDED(sizeof(int16_t) * RW_NODES);
    int16_t *steps = (int16_t *)(void *)rw_borrow(C, size);
    if (steps == NULL) return 0;
    const int32_t all = rw_far_order(C, L, node, room, steps);
    for (int32_t i = 0; i < all; i++)
        if (wanted < 0 || steps[room[i]] == wanted) room[n++] = room[i];
    rw_return_room(C, size);
    return n;
}

#endif

static void rw_free_far(Ctx *C) {
    for (int i = 0; i < RW_FARS; i++) free(C->far[i]);
}

#endif
