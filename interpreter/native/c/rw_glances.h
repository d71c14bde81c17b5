/* One look ahead in one go: worlds drawn, each option tried in each of them, what that is worth on average.
 *
 * This is play/bots/greedy_bot.py with the worlds of play/bots/imagined.py, draw by draw. A table is in native memory, the
 * walk to its worlds too, so nothing has to be handed over between two worlds. Averages are those of Python, which adds up
 * in the same order. */
#ifndef RW_GLANCES_H
#define RW_GLANCES_H

#include "rw_looks.h"
#include "rw_reading.h"
#include "rw_worlds.h"
#if RW_HIDES
#include "rw_story.h"
#else
typedef struct RwWalk RwWalk; /* nothing is hidden, so nobody walks: that is two fifths of the compiler's work */
#endif

enum { RW_GLANCE_PARTS = RW_RANK_KEYS + 2 };
#define RW_WORLD_STREAM ((uint64_t)1 << 40) /* as in imagined.py */

typedef struct {
    int32_t player, nworlds, nbound, ntied, ntried;
    uint64_t seed;
    const int32_t *bound, *mixes, *tied, *tried; /* pieces in options; of each piece its mix; pieces that walk; options */
    State *world, *fork;
} RwGlances;

#if RW_HIDES
/* ---------------------------------------------------------------- runtime/homing.py */

typedef struct { int32_t *new, old[RW_PIECES + 1]; const int32_t *mixes; int32_t nstray, stray[RW_PIECES + 1]; } RwHoming;

/* What a world calls `one` is called `other`, and the other way round. */
static void rw_trade_names(RwHoming *H, int32_t one, int32_t other) {
    const int32_t x = H->old[one], y = H->old[other];
    H->new[x] = other;
    H->new[y] = one;
    H->old[one] = y;
    H->old[other] = x;
}

static int rw_is_in_hand(int32_t place) { return place >= 0 && place < RW_LISTS && RW_UNORDERED[place]; }

/* Exchanges what lies here with a piece of the right mix that lies in the same place, or is equal. */
static void rw_bring_back(RwHoming *H, const State *S, const int32_t *row, int32_t piece, int by_place) {
    const int32_t here = H->new[piece], place = (int32_t)RW_AT(S, piece);
    if (H->mixes[here] == H->mixes[piece]) return;
    for (int32_t i = 0; i < H->nstray; i++) {
        const int32_t other = H->stray[i], there = H->new[other];
        if (H->mixes[there] != H->mixes[piece] || H->mixes[other] == H->mixes[there]) continue;
        const int is_together = place == (int32_t)RW_AT(S, other) && rw_is_in_hand(place);
        if (by_place ? is_together : row[here] == row[there]) {
            rw_trade_names(H, here, there);
            return;
        }
    }
}

/* A known piece lies elsewhere, and an equal copy stands for it at another position of its place. */
static void rw_bring_copy(RwHoming *H, const State *S, const int32_t *row, int32_t piece) {
    const int32_t here = H->new[piece], place = (int32_t)RW_AT(S, piece);
    if (H->mixes[here] == H->mixes[piece] || !rw_is_in_hand(place)) return;
    for (int32_t i = 0; i < H->nstray; i++) {
        const int32_t other = H->stray[i], home = H->new[other];
        if (H->mixes[home] != H->mixes[piece] || H->mixes[other] == H->mixes[home]) continue;
        for (int32_t beside = (int32_t)RW_FIRST(S, place); beside >= 0; beside = (int32_t)RW_NEXT(S, beside)) {
            const int32_t copy = H->new[beside];
            if (copy == home || row[copy] != row[home]) continue;
            if (H->mixes[here] != H->mixes[beside] || H->mixes[copy] != H->mixes[other]) continue;
            rw_trade_names(H, here, copy);
            rw_trade_names(H, copy, home);
            return;
        }
    }
}

static void rw_bring_home(const RwGlances *G, const RwWalk *W, const State *S, int32_t *new) {
    RwHoming H = {.new = new, .mixes = G->mixes, .nstray = 0};
    for (int32_t i = 0; i < G->ntied; i++)
        if (G->mixes[new[G->tied[i]]] != G->mixes[G->tied[i]]) H.stray[H.nstray++] = G->tied[i];
    if (H.nstray == 0) return;
    for (int32_t piece = 0; piece < RW_PIECES; piece++) H.old[new[piece]] = piece;
    for (int by_place = 1; by_place >= 0; by_place--)
        for (int32_t i = 0; i < H.nstray; i++) rw_bring_back(&H, S, W->row, H.stray[i], by_place);
    for (int32_t i = 0; i < H.nstray; i++) rw_bring_copy(&H, S, W->row, H.stray[i]);
}

/* ---------------------------------------------------------------- worlds */

/* The names of world number so many, in room + 3; see rw_glance_world. */
static int32_t rw_walked_names(Ctx *C, const RwGlances *G, RwWalk *W, const State *S, int32_t *room, int32_t number) {
    const uint64_t g = rw_seeded(rw_derived_seed(G->seed, RW_WORLD_STREAM + (uint64_t)number));
    room[0] = (int32_t)(uint32_t)g;
    room[1] = (int32_t)(uint32_t)(g >> 32);
    room[2] = 3 + RW_PIECES + W->nunknowns;
    const int32_t signal = rwx_walk_go(C, W, room);
    if (signal != RW_GO) return signal > 0 ? RW_UNKNOWN - signal : RW_UNKNOWN;
    rw_bring_home(G, W, S, room + 3);
    return RW_GO;
}

/* Where a walk leads, in G->world; see rw_glance_world. */
static int32_t rw_walked_world(Ctx *C, const RwGlances *G, RwWalk *W, const State *S, const int32_t *names, int32_t *room,
                               int32_t number) {
    if (W->nunknowns) return RW_UNKNOWN;
    const int32_t *new = room + 3, signal = rw_walked_names(C, G, W, S, room, number);
    if (signal != RW_GO) return signal;
    for (int32_t i = 0; i < G->nbound; i++)
        if (new[G->bound[i]] != G->bound[i]) return RW_UNKNOWN;
    if (!rw_is_renaming(new) || !rw_renamed(G->world, S, names, new)) return RW_UNKNOWN;
    rw_index_anew(G->world);
    return RW_GO;
}
#else
static int32_t rw_walked_world(Ctx *C, const RwGlances *G, RwWalk *W, const State *S, const int32_t *names, int32_t *room,
                               int32_t number) {
    return RW_UNKNOWN;
}
#endif

/* World number so many, in G->world: RW_GO. RW_UNKNOWN if Python has to make it: options have to be called otherwise, or
 * something does not fit; RW_UNKNOWN - 1 - n if Python has to say whether fact n holds (rwx_walk_verdict). */
static int32_t rw_glance_world(Ctx *C, const RwGlances *G, RwWalk *W, const State *S, const int32_t *names, int32_t *room,
                           int32_t number) {
    if (W == NULL) {
        rw_copy(G->world, S);
    } else {
        const int32_t signal = rw_walked_world(C, G, W, S, names, room, number);
        if (signal != RW_GO) return signal;
    }
    G->world->steps = 0;
    G->world->stamp = 0;
    return RW_GO;
}

/* ---------------------------------------------------------------- looks */

typedef struct { int32_t nlooks, nparts; int8_t is_faulty; double sum[RW_GLANCE_PARTS]; } RwGlanced;

/* Adds what an option has come to in *S, if it did: how the player stands there. 0 if Python has to do it. */
static int rw_add_glance(Ctx *C, const RwGlances *G, State *S, int has_run, RwGlanced *found) {
    double parts[RW_GLANCE_PARTS];
    const int32_t n = has_run ? rw_standing(C, S, G->player, parts) : RW_UNKNOWN;
    if (n < 0) {
        found->is_faulty = 1;
        return 1;
    }
    if (found->nlooks && n != found->nparts) return 0;
    found->nparts = n;
    found->nlooks++;
    for (int32_t i = 0; i < n; i++) found->sum[i] += parts[i];
    return 1;
}

/* What an option leads to in the world, once, or RW_FALLS times if chance falls. 0 if Python has to do it. */
static int rw_glance(Ctx *C, const RwGlances *G, int32_t option, uint64_t seed, RwGlanced *found) {
    for (int fall = 0; fall < RW_FALLS && !found->is_faulty; fall++) {
        State *S = G->fork;
        rw_copy(S, G->world);
        const uint64_t before = S->g = rw_chance_of(rw_derived_seed(seed, (uint64_t)fall));
        if (!rw_add_glance(C, G, S, rw_goes_on(C, S, option), found)) return 0;
        if (S->g == before) break;
    }
    return 1;
}

/* The same inside a `together`: to the end of the block, RW_FALLS times. */
static int rw_glance_in_block(Ctx *C, const RwGlances *G, const RwInBlock *B, int32_t option, uint64_t seed,
                              RwGlanced *found) {
    for (int fall = 0; fall < RW_FALLS && !found->is_faulty; fall++) {
        const int come = rw_look_behind_block(C, G->fork, B, option, rw_derived_seed(seed, (uint64_t)fall));
        if (come != RW_NOT_THERE && !rw_add_glance(C, G, G->fork, come == RW_LOOKED, found)) return 0;
    }
    return 1;
}

static void rw_read_glances(RwReading *R, RwGlances *G) {
    G->player = rw_told_next(R, 0, RW_PLAYERS - 1);
    G->nworlds = rw_told_next(R, 1, 1 << 20);
    G->seed = (uint32_t)rw_told_next(R, INT32_MIN, INT32_MAX);
    G->seed |= (uint64_t)(uint32_t)rw_told_next(R, INT32_MIN, INT32_MAX) << 32;
    const int32_t sizes[4] = {rw_told_next(R, 0, RW_PIECES), rw_told_next(R, 0, RW_PIECES),
                              rw_told_next(R, 0, RW_PIECES), rw_told_next(R, 1, 64)};
    const int32_t *at = R->at;
    for (int i = 0; i < 4; i++)
        for (int32_t k = 0; k < sizes[i]; k++)
            rw_told_next(R, i < 3 ? 0 : INT32_MIN, i < 3 ? RW_PIECES - 1 : INT32_MAX);
    if (R->left || (sizes[1] && sizes[1] != RW_PIECES)) R->is_wrong = 1;
    G->nbound = sizes[0];
    G->bound = at;
    G->mixes = at + sizes[0];
    G->ntied = sizes[2];
    G->tied = G->mixes + sizes[1];
    G->ntried = sizes[3];
    G->tried = G->tied + sizes[2];
    if (G->ntied && !sizes[1]) R->is_wrong = 1;
}

/* What options of the decision S are worth to its player, over several worlds. W: the walk to them, as it begins; NULL if
 * nothing is hidden, and then there is one world. `names`: where names stand in S (rw_worlds.h). `spare`: two states to work
 * with, `told`: see rw_read_glances. `out`: for each option how many numbers there are (0 for a fault of the rules) and
 * their averages. Gives how many numbers that are in all; below 0: see rw_glance_world. */
RW_API int32_t rwx_glances(Ctx *C, RwWalk *W, const State *S, const int32_t *names, State *const *spare,
                           const int32_t *told, int32_t n, double *out) {
    int32_t room[3 + RW_PIECES + 1];
    RwReading R = {told, n, 0};
    RwGlances G;
    RwGlanced found[64];
    int32_t count = 0;
    rw_read_glances(&R, &G);
    if (R.is_wrong || S->over) return RW_UNKNOWN;
    G.world = spare[0];
    G.fork = spare[1];
    memset(found, 0, sizeof found);
    for (int32_t number = 0; number < (W == NULL ? 1 : G.nworlds); number++) {
        const uint64_t seed = rw_derived_seed(G.seed, (uint64_t)number);
        const int32_t signal = rw_glance_world(C, &G, W, S, names, room, number);
        if (signal != RW_GO) return signal;
        for (int32_t i = 0; i < G.ntried; i++)
            if (!found[i].is_faulty && !rw_glance(C, &G, G.tried[i], seed, &found[i])) return RW_UNKNOWN;
    }
    for (int32_t i = 0; i < G.ntried; i++) {
        const int32_t parts = found[i].is_faulty ? 0 : found[i].nparts;
        out[count++] = parts;
        for (int32_t part = 0; part < parts; part++) out[count++] = found[i].sum[part] / found[i].nlooks;
    }
    return count;
}

#endif
