/* A search tree kept from one decision of a player to the next: play/bots/kept_tree.py, which says how. */
#ifndef RW_KEPT_H
#define RW_KEPT_H

#include "rw_search.h"

/* Where the root's best slot leads in the first world, with the chance that lies in it: into *out. Gives 0 for a
 * fault, 1 if chance fell or the root stands for more than one position, 2 if it is certain. */
RW_API int32_t rwx_search_foresee(Ctx *C, RwSearch *Q, int32_t slot, State *out) {
    if (slot < 0 || slot >= Q->nroot || Q->nworlds == 0) return 0;
    const RwWorld *world = &Q->worlds[0];
    rw_copy(out, world->state);
    if (rw_take(C, out, world->options[slot]) != RW_GO || rw_run(C, out) != RW_STOP) return 0;
    return out->g != world->state->g || !Q->tree.nodes[Q->root].is_open ? 1 : 2;
}

/* The node after a slot of the root if no chance fell, or RW_NO_NODE. */
RW_API int32_t rwx_search_next(const RwSearch *Q, int32_t slot) {
    if (slot < 0 || slot >= Q->nroot) return RW_NO_NODE;
    return Q->tree.slots[Q->tree.nodes[Q->root].first + slot].next;
}

/* The node of the pending decision of a state, as the one after a slot of the root; RW_NO_NODE if there is none. Its
 * key is remembered. */
RW_API int32_t rwx_search_after(Ctx *C, RwSearch *Q, const State *S, int32_t slot) {
    const RwStep from = {Q->root, slot};
    if (!rw_asked(C, Q, S)) return RW_NO_NODE;
    Q->has_block = 0;
    if (Q->sights.has_secrets) {
        if (!rw_read_options(C, Q, Q->work)) return RW_NO_NODE;
    } else {
        rw_all_options(C, Q, Q->work);
    }
    Q->key = rw_key(Q, Q->work, from, Q->sights.has_secrets);
    return rw_find_node(&Q->tree, Q->key);
}

/* Takes a world through a slot of the root. 1 if it then asks what was looked for last (rwx_search_after). */
static int rw_still_agrees(Ctx *C, RwSearch *Q, int32_t number, int32_t slot) {
    const RwWorld *world = &Q->worlds[number];
    const int player = Q->tree.nodes[Q->root].player;
    const uint64_t stream = ((uint64_t)1 << 42) + (uint64_t)number;
    if (!world->is_like_root) return 0;
    State *S = rw_forked(Q, world, rw_derived_seed(Q->seed, stream));
    if (rw_take(C, S, world->options[slot]) != RW_GO || rw_run(C, S) != RW_STOP || S->over || S->who != player) return 0;
    return rw_read_options(C, Q, S) && rw_same_hash(rw_key(Q, S, (RwStep){Q->root, slot}, 1), Q->key);
}

/* The world that was just taken through the slot, in `kept`. `indexes`: the option of each slot of the new root. */
static int rw_keep_after(const Ctx *C, const RwSearch *Q, RwSearch *kept, const int32_t *indexes, int32_t offered) {
    const State *S = Q->work;
    int32_t *options = calloc((size_t)kept->nroot, sizeof(int32_t));
    int is_like_root = S->nopts == offered;
    if (options == NULL) return 0;
    for (int32_t i = 0; i < kept->nroot && is_like_root; i++) {
        if (indexes[i] < 0 || indexes[i] >= S->nopts) is_like_root = 0;
        else options[i] = C->opts[S->opts + indexes[i]];
    }
    int done = rw_keep_world(kept, S, options, is_like_root);
    free(options);
    return done;
}

/* Makes a node the root, with a new seed. In a game with secrets the worlds that agree with the choice stay, unless
 * they are fewer than half. `indexes`: of each of its n slots the option's number among those offered. Gives how many
 * worlds are kept, or RW_UNKNOWN: then nothing has changed. */
RW_API int32_t rwx_search_move(Ctx *C, RwSearch *Q, int32_t node, uint64_t seed, int32_t slot, const int32_t *indexes,
                               int32_t n, int32_t offered) {
    if (node < 0 || node >= Q->tree.nnodes || Q->tree.nodes[node].slots != n) return RW_UNKNOWN;
    if (slot < 0 || slot >= Q->nroot) return RW_UNKNOWN;
    RwSearch kept = {.nroot = n}; /* no more than its worlds is used */
    for (int32_t i = 0; i < Q->nworlds && Q->sights.has_secrets; i++) {
        if (!rw_still_agrees(C, Q, i, slot) || rw_keep_after(C, Q, &kept, indexes, offered)) continue;
        rw_drop_worlds(&kept);
        free(kept.worlds);
        return RW_UNKNOWN;
    }
    if (kept.nworlds * 2 < Q->nworlds) rw_drop_worlds(&kept);
    rw_drop_worlds(Q);
    free(Q->worlds);
    Q->worlds = kept.worlds;
    Q->nworlds = kept.nworlds;
    Q->worldcap = kept.worldcap;
    rw_forget_positions(&Q->positions, &Q->tree);
    Q->root = node;
    Q->nroot = n;
    Q->seed = seed;
    Q->simulations = 0;
    RwSlot *slots = Q->tree.slots + Q->tree.nodes[node].first;
    for (int32_t i = 0; i < n; i++) slots[i].before = slots[i].visits;
    return Q->nworlds;
}

#endif
