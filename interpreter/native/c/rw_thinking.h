/* Seats that search, in whole games of bots: `mcts:N` (play/bots/mcts_bot.py, kept_tree.py) and `flat:N` (flat_bot.py),
 * choice by choice those of Python.
 *
 * The search itself is rw_search.h, the same that a bot at a table has. What is done in Python there is done here: seeds,
 * worlds as they are wanted (one more whenever the square of their number is reached), and a tree that is kept from one
 * decision of a player to the next.
 *
 * Whether a tree goes on asks, where nothing is hidden, whether the game stands as it was foreseen. Here nothing has to be
 * compared for that. What was foreseen is where the chosen option led; so if no chance fell, it is the very next decision
 * of the game, and no later one: at a later one somebody else decided first, and what was foreseen is that decision. */
#ifndef RW_THINKING_H
#define RW_THINKING_H

#include "rw_kept.h"
#include "rw_looks.h"
#include "rw_present.h"

typedef struct {
    RwSearch *search;  /* NULL if the seat does not search */
    int32_t nslots, room;
    int32_t *options;  /* of each slot of the root the option of the table, then its index among those offered */
    int32_t slot;      /* what was chosen */
    int32_t behind;    /* how many choices there were in the game when it had been taken */
    int8_t has_tree, is_certain; /* is_certain: no chance fell until the decision behind it */
} RwThinker;

/* Where a seat thinks: the table with its options, and what its player knows. */
typedef struct {
    State *table;
    State *world;
    RwPresent *present; /* NULL in a game that hides nothing */
    uint64_t seed;
    int32_t nchoices;   /* of the game so far */
} RwThought;

static void rw_thinker_done(RwThinker *T) {
    rwx_search_free(T->search);
    free(T->options);
}

/* Notes the options of the table: each, or equal copies once. They lie in the context. 0 if there is no memory. */
static int rw_note_root(const Ctx *C, RwThinker *T, const State *S, int every) {
    RwSearch *Q = T->search;
    if (every) rw_all_options(C, Q, S);
    else if (!rw_read_options(C, Q, S)) return 0;
    if (!rw_grow((void **)&T->options, &T->room, 0, 2 * Q->noptions, sizeof(int32_t))) return 0;
    T->nslots = Q->noptions;
    for (int32_t i = 0, at = 0; i < Q->noptions; i++, at++) {
        while (C->opts[S->opts + at] != Q->options[i]) at++;
        T->options[i] = Q->options[i];
        T->options[Q->noptions + i] = at;
    }
    return 1;
}

/* ---------------------------------------------------------------- worlds */

#if RW_REMEMBERS
/* A world drawn from what the player knows, with its own names in the options. */
static int32_t rw_drawn_world(Ctx *C, RwThinker *T, const RwThought *about, RwDrawing *D, int is_flat) {
    RwSearch *Q = T->search;
    int32_t *options = malloc(sizeof(int32_t) * (size_t)T->nslots);
    if (options == NULL || rw_draw_world(C, about->present, about->table, D, Q->nworlds) != RW_GO) {
        free(options);
        return RW_UNKNOWN;
    }
    for (int32_t i = 0; i < T->nslots; i++) options[i] = rw_option_in_world(about->present, about->table, D, T->options[i]);
    const int32_t signal = rwx_search_world(C, Q, D->G.world, options, D->is_like_root);
    free(options);
    if (signal != RW_GO || is_flat || !about->table->together) return signal;
    return rwx_search_begun(Q, D->begun, D->own, D->nown);
}
#else
static int32_t rw_drawn_world(Ctx *C, RwThinker *T, const RwThought *about, RwDrawing *D, int is_flat) {
    return RW_UNKNOWN;
}
#endif

/* Sees to it that the world of the next simulation is there (`Worlds.number` of imagined.py). RW_GO, or RW_UNKNOWN. */
static int32_t rw_provide_world(Ctx *C, RwThinker *T, const RwThought *about, RwDrawing *D, int is_flat) {
    RwSearch *Q = T->search;
    const int64_t n = Q->nworlds;
    if (about->present != NULL) return n == 0 || n * n <= Q->simulations ? rw_drawn_world(C, T, about, D, is_flat) : RW_GO;
    return n > 0 || rw_keep_world(Q, about->table, T->options, 1) ? RW_GO : RW_UNKNOWN;
}

/* Simulates until there are so many. RW_GO, or RW_UNKNOWN if Python has to. */
static int32_t rw_search_on(Ctx *C, RwThinker *T, const RwThought *about, RwDrawing *D, int64_t wanted, int is_flat) {
    RwSearch *Q = T->search;
    while (Q->simulations < wanted && !Q->is_decided) {
        if (rw_provide_world(C, T, about, D, is_flat) != RW_GO) return RW_UNKNOWN;
        int64_t until = (int64_t)Q->nworlds * Q->nworlds;
        if (about->present == NULL || until > wanted) until = wanted;
        if ((is_flat ? rwx_search_flat(C, Q, until) : rwx_search_run(C, Q, until)) != RW_GO) return RW_UNKNOWN;
    }
    return RW_GO;
}

/* All of it, with the worlds of this decision. The options of the table lie in the context when it begins. */
static int32_t rw_spend_on(Ctx *C, RwThinker *T, const RwThought *about, int64_t wanted, int is_flat) {
    RwDrawing D;
    memset(&D.G, 0, sizeof D.G);
    D.walk = NULL;
#if RW_REMEMBERS
    D.table = D.opts = D.own = NULL;
    D.begun = NULL;
#endif
    D.G.player = about->table->who;
    D.G.seed = about->seed;
    D.G.world = about->world;
#if RW_REMEMBERS
    if (about->present != NULL && !rw_begin_drawing(C, about->present, about->table, &D)) {
        rw_drawing_done(&D);
        return RW_UNKNOWN;
    }
    const int32_t signal = rw_search_on(C, T, about, &D, wanted, is_flat);
    rw_drawing_done(&D);
    return signal;
#else
    return rw_search_on(C, T, about, &D, wanted, is_flat);
#endif
}

/* ---------------------------------------------------------------- bots */

/* A search that begins at the decision of the table. RW_GO, or RW_UNKNOWN. */
static int32_t rw_begin_thinking(const Ctx *C, RwThinker *T, const RwThought *about, int every) {
    rw_search_anew(T->search);
    if (!rw_note_root(C, T, about->table, every)) return RW_UNKNOWN;
    return rwx_search_begin(T->search, about->seed, about->table->who, T->nslots, about->present == NULL);
}

/* `flat:N`: what was worth most on average, the first of several. */
static int32_t rw_flat_choice(Ctx *C, RwThinker *T, const RwThought *about, int32_t games, int32_t *option) {
    if (rw_begin_thinking(C, T, about, 1) != RW_GO) return RW_UNKNOWN;
    if (rw_spend_on(C, T, about, games, 1) != RW_GO) return RW_UNKNOWN;
    const RwSlot *slots = T->search->tree.slots;
    int32_t best = 0;
    for (int32_t i = 1; i < T->nslots; i++) {
        const double own = slots[i].visits ? slots[i].q : -2.0, most = slots[best].visits ? slots[best].q : -2.0;
        if (own > most) best = i;
    }
    *option = T->options[best];
    return RW_GO;
}

/* The node of the table's decision in the tree that was kept, or RW_NO_NODE. */
static int32_t rw_kept_node(Ctx *C, const RwThinker *T, const RwThought *about) {
    RwSearch *Q = T->search;
    if (about->present == NULL && T->is_certain && Q->tree.nodes[Q->root].is_open)
        return T->behind == about->nchoices ? rwx_search_next(Q, T->slot) : RW_NO_NODE;
    return rwx_search_after(C, Q, about->table, T->slot);
}

/* Goes on with the tree of the decision before (`go_on` of kept_tree.py). 0 if it is of no use; *problem if there is
 * something that only Python can do. */
static int rw_goes_on_thinking(Ctx *C, RwThinker *T, const RwThought *about, State *table, int *problem) {
    RwSearch *Q = T->search;
    *problem = 0;
    const int is_in_block = Q->nworlds > 0 && Q->worlds[0].begun != NULL; /* worlds begin before the root: none goes on */
    if (!T->has_tree || about->table->together || is_in_block || Q->is_decided || Q->tree.nslots > Q->tree.most / 2) return 0;
    const int32_t node = rw_kept_node(C, T, about), slot = T->slot;
    *problem = rw_ask_again(C, table) != RW_GO;
    if (*problem || node < 0) return 0;
    *problem = !rw_note_root(C, T, table, 0);
    if (*problem) return 0;
    return rwx_search_move(C, Q, node, about->seed, slot, T->options + T->nslots, T->nslots, table->nopts) >= 0;
}

/* `mcts:N`. `table` is that of the thought: its options are asked for again if need be. */
static int32_t rw_mcts_choice(Ctx *C, RwThinker *T, const RwThought *about, State *table, int32_t games,
                              int32_t *option) {
    int64_t wanted = games;
    int problem;
    if (rw_goes_on_thinking(C, T, about, table, &problem)) {
        const int64_t left = (int64_t)games - T->search->tree.nodes[T->search->root].visits, least = (games + 3) / 4;
        wanted = left > least ? left : least;
    } else if (problem || rw_ask_again(C, table) != RW_GO || rw_begin_thinking(C, T, about, 0) != RW_GO) {
        return RW_UNKNOWN;
    }
    T->has_tree = 0;
    if (rw_ask_again(C, table) != RW_GO || rw_spend_on(C, T, about, wanted, 0) != RW_GO) return RW_UNKNOWN;
    T->slot = rw_best_slot(&T->search->tree, &T->search->tree.nodes[T->search->root]);
    T->has_tree = 1;
    *option = T->options[T->slot];
    return RW_GO;
}

#endif
