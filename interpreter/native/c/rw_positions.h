/* Positions of nodes that are met often, so that a simulation need not run the rules all the way down from the root.
 *
 * Where nothing is hidden and no chance fell on the way, a node is one position, whatever the simulation: the same state
 * but for its generator, the same options. So a node keeps both, at once if they are small and otherwise when it was met
 * a few times, and a simulation takes up the last one on its way that has them. In games of short steps that is a fifth
 * of a search and more. What a search does is the same with them and without: play/bots/tree.py knows nothing of this.
 *
 * They lie one behind the other in memory that grows to a limit; the nodes that come after that have none. */
#ifndef RW_POSITIONS_H
#define RW_POSITIONS_H

#include "rw_tree.h"

enum { RW_MET_OFTEN = 3 };               /* visits of a node before its position is kept */
enum { RW_SMALL_POSITION = 1024 };        /* bytes that are copied sooner than a step of the rules is run */
enum { RW_POSITIONS_ROOM = 1 << 22 };    /* bytes for all of them */
enum { RW_POSITION_LINE = 16 };          /* they begin at multiples of this */

typedef struct {
    unsigned char *bytes; /* options of a node, one for each slot, and its state; then those of the next */
    int32_t used, cap;
} RwPositions;

static int32_t rw_in_lines(size_t bytes) {
    return (int32_t)((bytes + RW_POSITION_LINE - 1) / RW_POSITION_LINE * RW_POSITION_LINE);
}

static const int32_t *rw_options_at(const RwPositions *P, const RwNode *node) {
    return (const int32_t *)(P->bytes + node->position);
}

static const State *rw_state_at(const RwPositions *P, const RwNode *node) {
    return (const State *)(P->bytes + node->position + rw_in_lines(sizeof(int32_t) * (size_t)node->slots));
}

/* Keeps the position of a node that is met, if it is small or met often and there is room. It does without if there is
 * none. */
static void rw_keep_position(RwPositions *P, RwNode *node, const State *S, const int32_t *options) {
    const size_t before = sizeof(int32_t) * (size_t)node->slots, size = rw_live_size(S);
    if (node->position >= 0 || P->used >= RW_POSITIONS_ROOM) return;
    if (node->visits < RW_MET_OFTEN && before + size > RW_SMALL_POSITION) return;
    const int32_t wanted = rw_in_lines(before) + rw_in_lines(size);
    if (wanted > RW_POSITIONS_ROOM - P->used) return;
    if (!rw_grow((void **)&P->bytes, &P->cap, P->used, P->used + wanted, 1)) return;
    node->position = P->used;
    P->used += wanted;
    memcpy(P->bytes + node->position, options, before);
    memcpy(P->bytes + node->position + rw_in_lines(before), S, size);
}

/* None is kept any more: the tree has another root. */
static void rw_forget_positions(RwPositions *P, RwTree *T) {
    P->used = 0;
    for (int32_t i = 0; i < T->nnodes; i++) T->nodes[i].position = -1;
}

#endif
