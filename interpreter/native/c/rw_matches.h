/* Whole games of bots that need nothing from Python: play/match.py with `random`, `first`, `greedy`, `flat:N` and `mcts:N`
 * at the seats.
 *
 * Choices are those of play/bots, seed by seed. What a seat may know is kept while the game is played (rw_memory.h), what
 * it may conclude from decisions of others is made of that (rw_recall.h), and worlds are drawn from both (rw_present.h).
 * The looks ahead are those of rw_glances.h, searches those of rw_thinking.h. A game that only Python can play gives
 * RW_UNKNOWN. A library for a game that hides nothing has no memory at all (RW_REMEMBERS is 0). */
#ifndef RW_MATCHES_H
#define RW_MATCHES_H

#include "rw_thinking.h"

enum { RW_BOT_RANDOM, RW_BOT_FIRST, RW_BOT_GREEDY, RW_BOT_FLAT, RW_BOT_MCTS };
enum { RW_MOST_TRIED = 12 };

typedef struct {
    int32_t kind, amount, asked; /* amount: worlds of a look ahead, games of a search */
    uint64_t seed, g;
    RwThinker thinker;
} RwSeat;

typedef struct {
    RwPresent present;
    int8_t remembers;         /* something is hidden */
    State *game, *world, *fork;
    RwSeat seats[RW_PLAYERS];
    int32_t nchoices, room, *choices;
    RwLost why;               /* if Python has to play */
} RwMatch;

RW_API void rwx_match_free(RwMatch *X) {
    if (X == NULL) return;
#if RW_REMEMBERS
    rw_present_done(&X->present);
#endif
    for (int player = 0; player < RW_PLAYERS; player++) rw_thinker_done(&X->seats[player].thinker);
    free(X->game);
    free(X->world);
    free(X->fork);
    free(X->choices);
    free(X);
}

/* The search of a seat, if it has one. `cut`: see rwx_search; `sight`: what players see, n numbers of it. */
static int rw_make_thinker(RwSeat *seat, int32_t cut, const int32_t *sight, int32_t n, int32_t most_slots) {
    if (seat->kind < RW_BOT_FLAT) return 1;
    seat->thinker.search = rwx_search(sight, n, cut, seat->kind == RW_BOT_MCTS, most_slots);
    return seat->thinker.search != NULL;
}

/* Begins to remember, if something is hidden. 0 if that cannot be. */
static int rw_make_present(RwMatch *X, const RwReading *R) {
#if RW_REMEMBERS
    return !X->remembers || rw_present(&X->present, R->at, R->left);
#else
    return !X->remembers && R->left == 0;
#endif
}

/* `told`: of each seat its bot, how much that looks at, and its cutoff; how many slots a tree may have, and what players
 * see (rw_sight.h), with its length in front; then whether something is hidden, and if so what rw_memory reads. NULL if
 * there is no memory, or something is out of its range. */
RW_API RwMatch *rwx_match(const int32_t *told, int32_t n) {
    RwReading R = {told, n, 0};
    int32_t cut[RW_PLAYERS];
    RwMatch *X = calloc(1, sizeof *X);
    if (X == NULL) return NULL;
    for (int player = 0; player < RW_PLAYERS; player++) {
        X->seats[player].kind = rw_told_next(&R, RW_BOT_RANDOM, RW_BOT_MCTS);
        X->seats[player].amount = rw_told_next(&R, 1, INT32_MAX - 4);
        cut[player] = rw_told_next(&R, 0, INT32_MAX);
    }
    const int32_t most_slots = rw_told_next(&R, 0, INT32_MAX / 4), size = rw_told_next(&R, 0, R.left);
    const int32_t *sight = R.at;
    for (int32_t i = 0; i < size; i++) rw_told_next(&R, INT32_MIN, INT32_MAX);
    X->remembers = (int8_t)rw_told_next(&R, 0, 1);
    X->game = malloc(sizeof(State));
    X->world = malloc(sizeof(State));
    X->fork = malloc(sizeof(State));
    int is_whole = !R.is_wrong && X->game != NULL && X->world != NULL && X->fork != NULL;
    for (int player = 0; player < RW_PLAYERS && is_whole; player++)
        is_whole = rw_make_thinker(&X->seats[player], cut[player], sight, size, most_slots);
    if (is_whole && rw_make_present(X, &R)) return X;
    rwx_match_free(X);
    return NULL;
}

/* ---------------------------------------------------------------- looking ahead */

/* What one option is worth against another: part by part. */
static int rw_is_worth_more(const RwGlanced *one, const RwGlanced *other) {
    if (one->is_faulty || other->is_faulty) return other->is_faulty && !one->is_faulty;
    for (int32_t i = 0; i < one->nparts && i < other->nparts; i++)
        if (one->sum[i] != other->sum[i]) return one->sum[i] > other->sum[i];
    return one->nparts > other->nparts;
}

#if RW_REMEMBERS
/* World number so many, in D->G.world. */
static int32_t rw_look_into(Ctx *C, RwMatch *X, RwDrawing *D, int32_t number) {
    if (X->remembers) return rw_draw_world(C, &X->present, X->game, D, number);
    return rw_glance_world(C, &D->G, NULL, X->game, NULL, NULL, number);
}

/* An option of the table as that world has it: pieces that the player does not see are called otherwise there. */
static int32_t rw_option_there(const RwMatch *X, const RwDrawing *D, int32_t option) {
    if (!X->remembers) return option;
    return rw_option_in_world(&X->present, X->game, D, option);
}
/* A world that asks something else teaches nothing. */
static int rw_is_like_root(const RwMatch *X, const RwDrawing *D) { return !X->remembers || D->is_like_root; }

/* What an option leads to in the world that was drawn last. 0 if Python has to look. */
static int rw_glance_there(Ctx *C, const RwMatch *X, const RwDrawing *D, int32_t option, uint64_t seed, RwGlanced *found) {
    if (!X->game->together) return rw_glance(C, &D->G, option, seed, found);
    const RwInBlock B = {D->G.world, D->begun, D->G.player, D->nown, D->nopts, D->own, D->opts};
    return rw_glance_in_block(C, &D->G, &B, option, seed, found);
}
#else
static int rw_is_like_root(const RwMatch *X, const RwDrawing *D) { return 1; }
static int rw_glance_there(Ctx *C, const RwMatch *X, const RwDrawing *D, int32_t option, uint64_t seed, RwGlanced *found) {
    return rw_glance(C, &D->G, option, seed, found);
}
static int32_t rw_look_into(Ctx *C, RwMatch *X, RwDrawing *D, int32_t number) {
    return rw_glance_world(C, &D->G, NULL, X->game, NULL, NULL, number);
}
static int32_t rw_option_there(const RwMatch *X, const RwDrawing *D, int32_t option) { return option; }
#endif

/* Looks at all options that are tried, in all worlds; averages stand in `found` then. RW_GO, or RW_UNKNOWN. */
static int32_t rw_look_ahead(Ctx *C, RwMatch *X, RwDrawing *D, RwGlanced *found) {
    const RwGlances *G = &D->G;
    memset(found, 0, sizeof *found * RW_MOST_TRIED);
    for (int32_t number = 0; number < (X->remembers ? G->nworlds : 1); number++) {
        const uint64_t seed = rw_derived_seed(G->seed, (uint64_t)number);
        if (rw_look_into(C, X, D, number) != RW_GO) return RW_UNKNOWN;
        if (!rw_is_like_root(X, D)) continue;
        for (int32_t i = 0; i < G->ntried; i++) {
            const int32_t option = rw_option_there(X, D, G->tried[i]);
            if (!found[i].is_faulty && !rw_glance_there(C, X, D, option, seed, &found[i])) return RW_UNKNOWN;
        }
    }
    for (int32_t i = 0; i < G->ntried; i++)
        for (int32_t part = 0; part < found[i].nparts; part++) found[i].sum[part] /= found[i].nlooks;
    return RW_GO;
}

/* At most so many of the options, any with equal chance, in their order; 0 if there is no memory. */
static int rw_sample_tried(const Ctx *C, const State *S, uint64_t *g, int32_t *tried, int32_t *ntried) {
    int32_t n = S->nopts, *left = malloc(sizeof(int32_t) * (size_t)n);
    if (left == NULL) return 0;
    memcpy(left, C->opts + S->opts, sizeof(int32_t) * (size_t)n);
    while (n > RW_MOST_TRIED) {
        const num at = rw_below_of(g, n--);
        memmove(left + at, left + at + 1, sizeof(int32_t) * (size_t)(n - at));
    }
    memcpy(tried, left, sizeof(int32_t) * (size_t)n);
    free(left);
    *ntried = n;
    return 1;
}

/* Draws the worlds of the table and looks at what is tried. */
static int32_t rw_looked_at(Ctx *C, RwMatch *X, RwDrawing *D, RwGlanced *found) {
    D->G.world = X->world;
    D->G.fork = X->fork;
    D->walk = NULL;
#if RW_REMEMBERS
    D->table = D->opts = D->own = NULL;
    D->begun = NULL;
    if (X->remembers && !rw_begin_drawing(C, &X->present, X->game, D)) {
        rw_drawing_done(D);
        return RW_UNKNOWN;
    }
    const int32_t signal = rw_look_ahead(C, X, D, found);
    rw_drawing_done(D);
    return signal;
#else
    return rw_look_ahead(C, X, D, found);
#endif
}

/* play/bots/greedy_bot.py: the option that is taken goes to *option. RW_GO, or RW_UNKNOWN. */
static int32_t rw_greedy_choice(Ctx *C, RwMatch *X, uint64_t seed, int32_t *option) {
    const State *S = X->game;
    int32_t tried[RW_MOST_TRIED], best[RW_MOST_TRIED], n = 0;
    RwGlanced found[RW_MOST_TRIED];
    RwDrawing D;
    uint64_t g = rw_seeded(seed);
    D.G = (RwGlances){.player = S->who, .nworlds = X->seats[S->who].amount, .seed = seed, .tried = tried};
    if (!rw_sample_tried(C, S, &g, tried, &D.G.ntried) || rw_looked_at(C, X, &D, found) != RW_GO) return RW_UNKNOWN;
    for (int32_t i = 0; i < D.G.ntried; i++) {
        if (n && rw_is_worth_more(&found[best[0]], &found[i])) continue;
        if (n && rw_is_worth_more(&found[i], &found[best[0]])) n = 0;
        best[n++] = i;
    }
    *option = tried[best[rw_below_of(&g, n)]];
    return RW_GO;
}

/* ---------------------------------------------------------------- playing */

#if RW_REMEMBERS
/* As rw_new, with all that players notice while it is set up. */
static int32_t rw_begin_remembering(Ctx *C, RwMatch *X, uint64_t seed) {
    State *S = X->game;
    rw_forget_game(X->present.memory);
    X->present.why = RW_LOST_NOT;
    rw_blank(S);
    rw_begin(C);
    if (rw_push_frame(C, S, RW_END, 1) == NULL) return RW_UNKNOWN;
    if (rw_begin_with(C, S, RW_PLAY_ROUTINE) != RW_GO || rw_begin_with(C, S, RW_SETUP_ROUTINE) != RW_GO)
        return RW_UNKNOWN;
    S->g = rw_seeded(seed);
    rw_tell_begun(X->present.memory, S);
    return rw_run_and_remember(C, S, X->present.memory);
}

static int rw_is_lost(const RwMatch *X) { return X->remembers && X->present.memory->is_lost; }

/* Why something that was tried is Python's: what the memory lacks, else what worlds lack, else `otherwise`. */
static RwLost rw_why_lost(const RwMatch *X, RwLost otherwise) {
    if (rw_is_lost(X)) return (RwLost)X->present.memory->is_lost;
    return X->remembers && X->present.why ? X->present.why : otherwise;
}

/* The option is taken, and all notice what comes of it. */
static int32_t rw_apply_choice(Ctx *C, RwMatch *X, int32_t option) {
    RwMemory *M = X->present.memory;
    if (!X->remembers) return rw_take(C, X->game, option) == RW_GO ? rw_run(C, X->game) : RW_UNKNOWN;
    memset(M->lit, 0, sizeof M->lit);
    M->any_lit = 0;
    if (X->game->together) {
        if (!rw_grow((void **)&M->block, &M->block_room, 2 * M->nblock, 2 * M->nblock + 2, sizeof(int32_t))) return RW_UNKNOWN;
        M->block[2 * M->nblock] = X->game->who;
        M->block[2 * M->nblock++ + 1] = option;
    }
    rw_tell_took(M, option);
    return rw_take(C, X->game, option) == RW_GO ? rw_run_and_remember(C, X->game, M) : RW_UNKNOWN;
}
#else
static int32_t rw_begin_remembering(Ctx *C, RwMatch *X, uint64_t seed) { return RW_UNKNOWN; }
static int rw_is_lost(const RwMatch *X) { return 0; }
static RwLost rw_why_lost(const RwMatch *X, RwLost otherwise) { return otherwise; }
static int32_t rw_apply_choice(Ctx *C, RwMatch *X, int32_t option) {
    return rw_take(C, X->game, option) == RW_GO ? rw_run(C, X->game) : RW_UNKNOWN;
}
#endif

/* Begins a game. The seeds of the seats follow from that of the match. */
RW_API int32_t rwx_match_begin(Ctx *C, RwMatch *X, uint64_t seed) {
    State *S = X->game;
    for (int player = 0; player < RW_PLAYERS; player++) {
        RwSeat *seat = &X->seats[player];
        seat->seed = rw_derived_seed(seed, (uint64_t)player);
        seat->g = rw_seeded(seat->seed);
        seat->asked = 0;
        seat->thinker.has_tree = 0;
    }
    X->nchoices = 0;
    X->why = RW_LOST_RULES;
    return X->remembers ? rw_begin_remembering(C, X, seed) : rw_new(C, S, seed, 1);
}

/* What a seat that thinks chooses at the decision of the table. */
static int32_t rw_thought_out(Ctx *C, RwMatch *X, RwSeat *seat, uint64_t seed, int32_t *option) {
    State *S = X->game;
    const RwThought about = {S, X->world, X->remembers ? &X->present : NULL, seed, X->nchoices};
    if (S->nopts == 1) { /* nothing to think about, and the tree is of no use behind it */
        seat->thinker.has_tree = 0;
        *option = C->opts[S->opts];
        return RW_GO;
    }
    switch (seat->kind) {
    case RW_BOT_FLAT: return rw_flat_choice(C, &seat->thinker, &about, seat->amount, option);
    case RW_BOT_MCTS: return rw_mcts_choice(C, &seat->thinker, &about, S, seat->amount, option);
    default: return rw_greedy_choice(C, X, seed, option);
    }
}

static int32_t rw_choice_of(Ctx *C, RwMatch *X, int32_t *option) {
    const State *S = X->game;
    RwSeat *seat = &X->seats[S->who];
    switch (seat->kind) {
    case RW_BOT_RANDOM: *option = C->opts[S->opts + rw_below_of(&seat->g, S->nopts)]; return RW_GO;
    case RW_BOT_FIRST: *option = C->opts[S->opts]; return RW_GO;
    default: return rw_thought_out(C, X, seat, rw_derived_seed(seat->seed, (uint64_t)seat->asked++), option);
    }
}

/* Keeps what was chosen; 0 if there is no memory. */
static int rw_keep_choice(RwMatch *X, int32_t option) {
    if (!rw_grow((void **)&X->choices, &X->room, X->nchoices, X->nchoices + 1, sizeof(int32_t))) return 0;
    X->choices[X->nchoices++] = option;
    return 1;
}

static int32_t rw_left_to_python(RwMatch *X, RwLost otherwise) {
    X->why = rw_why_lost(X, otherwise);
    return RW_UNKNOWN;
}

/* Goes on by so many choices at most: RW_STOP at the end of the game, RW_GO before it, or RW_UNKNOWN if Python has to
 * play it. */
RW_API int32_t rwx_match_play(Ctx *C, RwMatch *X, int32_t most) {
    State *S = X->game;
    for (; !S->over; most--) {
        int32_t option;
        if (most <= 0) return RW_GO;
        const int is_closed = S->together && !X->remembers; /* others choose unseen, and nobody remembers before what */
        if (rw_is_lost(X) || is_closed || S->decisions >= RW_DECISION_LIMIT)
            return rw_left_to_python(X, is_closed ? RW_LOST_TOGETHER : RW_LOST_LENGTH);
        if (rw_ask_again(C, S) != RW_GO) return rw_left_to_python(X, RW_LOST_RULES);
        if (rw_choice_of(C, X, &option) != RW_GO) return rw_left_to_python(X, RW_LOST_SEARCH);
        if (!rw_keep_choice(X, option)) return rw_left_to_python(X, RW_LOST_ROOM);
        RwThinker *thinker = &X->seats[S->who].thinker;
        const uint64_t before = S->g;
        S->decisions++;
        if (rw_apply_choice(C, X, option) != RW_STOP) return rw_left_to_python(X, RW_LOST_RULES);
        thinker->is_certain = S->g == before;
        thinker->behind = X->nchoices;
    }
    return rw_is_lost(X) ? rw_left_to_python(X, RW_LOST_ROOM) : RW_STOP;
}

#if RW_REMEMBERS
/* The last of so many worlds of whoever decides, as a look ahead with this seed draws them: for tests, which compare worlds
 * with those of Python. NULL if they are Python's. */
RW_API const State *rwx_match_world(Ctx *C, RwMatch *X, uint64_t seed, int32_t n) {
    RwDrawing D;
    memset(&D, 0, sizeof D);
    D.G = (RwGlances){.player = X->game->who, .nworlds = n, .seed = seed, .world = X->world, .fork = X->fork};
    int is_drawn = X->remembers && !X->game->over && rw_ask_again(C, X->game) == RW_GO;
    is_drawn = is_drawn && rw_begin_drawing(C, &X->present, X->game, &D);
    for (int32_t i = 0; is_drawn && i < n; i++) is_drawn = rw_draw_world(C, &X->present, X->game, &D, i) == RW_GO;
    rw_drawing_done(&D);
    return is_drawn ? X->world : NULL;
}
#endif

/* Why Python has to play the game that could not be played to its end: RwLost. */
RW_API int32_t rwx_match_why(const RwMatch *X) { return (int32_t)rw_why_lost(X, X->why); }

/* The options that were taken, one after the other. */
RW_API const int32_t *rwx_match_choices(const RwMatch *X, int32_t *n) {
    *n = X->nchoices;
    return X->choices;
}

#endif
