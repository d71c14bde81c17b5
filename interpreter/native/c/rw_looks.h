/* Bots without a tree: flat Monte Carlo (play/bots/flat_bot.py) and one look ahead (play/bots/greedy_bot.py). They have
 * the worlds and the root of a search. */
#ifndef RW_LOOKS_H
#define RW_LOOKS_H

#include "rw_search.h"

/* Simulation i takes up slot i mod k of the root, then plays at random. As rwx_search_run. */
RW_API int32_t rwx_search_flat(Ctx *C, RwSearch *Q, int64_t until) {
    if (Q->nworlds == 0 || Q->root == RW_NO_NODE || until > INT32_MAX) return RW_UNKNOWN;
    RwNode *root = &Q->tree.nodes[Q->root];
    for (; Q->simulations < until; Q->simulations++) {
        const uint64_t seed = rw_derived_seed(Q->seed, (uint64_t)Q->simulations);
        const RwWorld *world = &Q->worlds[Q->simulations % Q->nworlds];
        const int32_t slot = (int32_t)(Q->simulations % Q->nroot);
        double worth[RW_PLAYERS];
        if (!world->is_like_root) continue;
        State *S = rw_forked(Q, world, seed);
        if (rw_take(C, S, world->options[slot]) == RW_GO && rw_run(C, S) == RW_STOP)
            rw_worth(C, &Q->worth, S, seed, worth);
        else
            rw_nothing(worth);
        rw_add(&Q->tree, root, slot, worth[root->player]);
    }
    return RW_GO;
}

/* How a player stands: the result if the game is over, the margin, the further criteria of the ranking. Gives how many
 * numbers that are, or RW_UNKNOWN for a fault. */
static int32_t rw_standing(Ctx *C, State *S, int player, double *out) {
    RwRank keys[RW_PLAYERS];
    num margins[RW_PLAYERS];
    double result[RW_PLAYERS] = {0.0};
    int32_t n = 2;
    if (!rw_keys(C, S, keys) || (S->over && !rw_result(C, S, result))) return RW_UNKNOWN;
    rw_margins(keys, margins);
    out[0] = result[player];
    out[1] = (double)margins[player];
    for (int i = 1; i < keys[player].n; i++) out[n++] = (double)keys[player].key[i];
    return n;
}

enum { RW_FALLS = 4 }; /* how often chance is let fall, if it does, and others choose at the same time */

/* As rwx_search_look, inside a `together`: to the end of the block, RW_FALLS times. A look that does not lead to the root
 * tells nothing. */
static int32_t rw_look_in_block(Ctx *C, RwSearch *Q, const RwWorld *world, int32_t slot, uint64_t seed, double *out) {
    const int player = Q->tree.nodes[Q->root].player;
    const RwInBlock B = {world->state, world->begun, player, Q->nown, Q->nroot, Q->own, world->options};
    int32_t n = 1;
    out[0] = 0;
    for (int fall = 0; fall < RW_FALLS; fall++) {
        const uint64_t own = rw_derived_seed(seed, (uint64_t)fall);
        const int come = rw_look_behind_block(C, Q->work, &B, world->options[slot], own);
        if (come == RW_NOT_THERE) continue;
        const int32_t more = come == RW_LOOKED ? rw_standing(C, Q->work, player, out + n) : RW_UNKNOWN;
        if (more < 0) return RW_UNKNOWN;
        n += more;
        out[0]++;
    }
    return n;
}

/* What a slot of the root leads to in a world, for the player of the root: once, or RW_FALLS times if chance falls. The
 * number of looks, then the numbers of rw_standing of each. Gives how many numbers that are, RW_UNKNOWN for a fault. */
RW_API int32_t rwx_search_look(Ctx *C, RwSearch *Q, int32_t number, int32_t slot, uint64_t seed, double *out,
                               int32_t room) {
    int32_t n = 1;
    if (number < 0 || number >= Q->nworlds || slot < 0 || slot >= Q->nroot) return RW_UNKNOWN;
    if (room < 1 + RW_FALLS * (RW_RANK_KEYS + 2)) return RW_UNKNOWN;
    const RwWorld *world = &Q->worlds[number];
    if (world->state->together) return rw_look_in_block(C, Q, world, slot, seed, out);
    for (int fall = 0; fall < RW_FALLS; fall++) {
        State *S = rw_forked(Q, world, rw_derived_seed(seed, (uint64_t)fall));
        const uint64_t before = S->g;
        if (rw_take(C, S, world->options[slot]) != RW_GO || rw_run(C, S) != RW_STOP) return RW_UNKNOWN;
        int32_t more = rw_standing(C, S, Q->tree.nodes[Q->root].player, out + n);
        if (more < 0) return RW_UNKNOWN;
        n += more;
        out[0] = fall + 1;
        if (S->g == before) break;
    }
    return n;
}

/* The same of several slots, one after the other, with how many numbers there are in front of each: 0 for a fault. Gives
 * how many numbers that are in all, or RW_UNKNOWN if there is no room. */
RW_API int32_t rwx_search_looks(Ctx *C, RwSearch *Q, int32_t number, const int32_t *slots, int32_t nslots,
                                uint64_t seed, double *out, int32_t room) {
    int32_t n = 0;
    for (int32_t i = 0; i < nslots; i++) {
        if (room - n < 2 + RW_FALLS * (RW_RANK_KEYS + 2)) return RW_UNKNOWN;
        const int32_t more = rwx_search_look(C, Q, number, slots[i], seed, out + n + 1, room - n - 1);
        out[n] = more < 0 ? 0 : more;
        n += 1 + (more < 0 ? 0 : more);
    }
    return n;
}

#endif
