/* Whole games of bots that need nothing from Python: play/match.py with `random`, `first` and `greedy` at the seats.
 *
 * Choices are those of play/bots, seed by seed. What a seat may know is kept while the game is played (rw_memory.h), what
 * it may conclude from decisions of others is made of that (rw_recall.h), and the looks ahead are those of rw_glances.h. A
 * game that only Python can play gives RW_UNKNOWN. */
#ifndef RW_MATCHES_H
#define RW_MATCHES_H

#include "rw_recall.h"

enum { RW_BOT_RANDOM, RW_BOT_FIRST, RW_BOT_GREEDY };
enum { RW_MOST_TRIED = 12 };

typedef struct { int32_t kind, worlds, asked; uint64_t seed, g; } RwSeat;

typedef struct {
    RwMemory *memory; /* NULL in a game that hides nothing */
    State *game, *world, *fork;
    RwSeat seats[RW_PLAYERS];
    int32_t nchoices, room, *choices;
    int32_t *names;           /* where names stand in the table, as rw_worlds.h reads it */
    int32_t nfacts;           /* room of `facts`, those of the last story */
    RwFact **facts;
} RwMatch;

RW_API void rwx_match_free(RwMatch *X) {
    if (X == NULL) return;
    rw_memory_done(X->memory);
    free(X->game);
    free(X->world);
    free(X->fork);
    free(X->choices);
    free(X->names);
    free(X->facts);
    free(X);
}

/* `told`: of each seat its bot and how many worlds that looks at; then whether something is hidden, and if so what
 * rw_memory reads. NULL if there is no memory, or something is out of its range. */
RW_API RwMatch *rwx_match(const int32_t *told, int32_t n) {
    RwReading R = {told, n, 0};
    RwMatch *X = calloc(1, sizeof *X);
    if (X == NULL) return NULL;
    for (int player = 0; player < RW_PLAYERS; player++) {
        X->seats[player].kind = rw_told_next(&R, RW_BOT_RANDOM, RW_BOT_GREEDY);
        X->seats[player].worlds = rw_told_next(&R, 1, 1 << 20);
    }
    const int32_t hides = rw_told_next(&R, 0, 1);
    X->game = malloc(sizeof(State));
    X->world = malloc(sizeof(State));
    X->fork = malloc(sizeof(State));
    if (hides && !R.is_wrong) X->memory = rw_memory(R.at, R.left);
    X->names = malloc(sizeof(int32_t) * (size_t)(X->memory == NULL ? 1 : X->memory->names_room));
    const int is_whole = X->game != NULL && X->world != NULL && X->fork != NULL && X->names != NULL;
    if (R.is_wrong || !is_whole || (hides && X->memory == NULL) || (!hides && R.left)) {
        rwx_match_free(X);
        return NULL;
    }
    return X;
}

/* ---------------------------------------------------------------- what a player knows now */

/* Pieces that the player knows: those in no mix, or in one whose pieces are all equal. */
static RwBits rw_known_now(const RwMemory *M, int player) {
    const RwMixes *X = &M->mixes[player];
    RwBits found;
    memset(&found, 0, sizeof found);
    for (int32_t piece = 0; piece < RW_PIECES; piece++)
        if (!rw_bit(&X->hidden, piece)) rw_set_bit(&found, piece);
    for (int32_t i = 0; i < X->n; i++)
        if (!rw_bits_beyond(&X->several[i], &M->copies[rw_lowest_bit(&X->several[i])]))
            rw_add_bits(&found, &X->several[i]);
    return found;
}

/* The pieces of a mix in the order in which they lie (`_by_position` of runtime/determinise.py); nothing if all are equal. */
static int32_t rw_by_position(const RwMemory *M, const State *S, const RwBits *mix, int32_t *out) {
    int32_t n = 0, index[RW_PIECES + 1];
    if (!rw_bits_beyond(mix, &M->copies[rw_lowest_bit(mix)])) return 0;
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        if (!rw_bit(mix, piece)) continue;
        const num place = RW_AT(S, piece);
        index[piece] = 0;
        if (place >= 0 && place < RW_LISTS && !RW_UNORDERED[place])
            for (num other = RW_PREVIOUS(S, piece); other >= 0; other = RW_PREVIOUS(S, other)) index[piece]++;
        int32_t at = n++;
        for (; at > 0; at--) {
            const int32_t before = out[at - 1];
            const num there = RW_AT(S, before);
            if (there < place || (there == place && index[before] <= index[piece])) break;
            out[at] = before;
        }
        out[at] = piece;
    }
    return n;
}

static void rw_now_done(RwNow *now) {
    free(now->mixes);
    rw_free_groups(now->groups, now->ngroups);
}

/* What `_now` of native/tales.py hands over. 0 if there is no memory. */
static int rw_look_around(const RwMemory *M, const State *S, int player, RwNow *now) {
    const RwMixes *X = &M->mixes[player];
    int32_t order[RW_PIECES / 2 + 1], pieces[RW_PIECES + 1];
    memset(now, 0, sizeof *now);
    now->has_bags = 1;
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        now->at[piece] = (int32_t)RW_AT(S, piece);
        if (rw_lies_down(S, piece)) now->has_bags = 0;
    }
    now->known = rw_known_now(M, player);
    now->mixes = malloc(sizeof(RwBits) * (size_t)(X->n + 1));
    now->groups = calloc((size_t)X->n + 1, sizeof(RwGroup));
    if (now->mixes == NULL || now->groups == NULL) return 0;
    for (int32_t i = 0; i < X->n; i++) { /* in the order of their first pieces */
        int32_t at = i;
        for (; at > 0 && rw_lowest_bit(&X->several[order[at - 1]]) > rw_lowest_bit(&X->several[i]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    now->nmixes = X->n;
    memcpy(now->mixes, X->several, sizeof(RwBits) * (size_t)X->n);
    for (int32_t i = 0; i < X->n; i++) {
        const int32_t n = rw_by_position(M, S, &X->several[order[i]], pieces);
        RwGroup *group = &now->groups[now->ngroups];
        if (n < 2) continue;
        group->pieces = malloc(sizeof(int32_t) * (size_t)n);
        if (group->pieces == NULL) return 0;
        memcpy(group->pieces, pieces, sizeof(int32_t) * (size_t)n);
        group->n = n;
        now->ngroups++;
    }
    return 1;
}

/* The pieces that options of the table name. */
static int32_t rw_bound_now(const Ctx *C, const RwMatch *X, int32_t *out) {
    const State *S = X->game;
    const RwAsking *site = &X->memory->sites[S->site];
    uint8_t met[RW_PIECES + 1] = {0};
    int32_t n = 0, values[RW_MOST_BOUND];
    for (int32_t i = 0; i < S->nopts; i++) {
        const RwBranch *branch = rw_values_of(site, C->opts[S->opts + i], values);
        for (int32_t k = 0; branch != NULL && k < branch->n; k++)
            if (branch->binders[k].is_piece && values[k] >= 0 && values[k] < RW_PIECES) met[values[k]] = 1;
    }
    for (int32_t piece = 0; piece < RW_PIECES; piece++)
        if (met[piece]) out[n++] = piece;
    return n;
}

/* ---------------------------------------------------------------- looking ahead */

/* Tells the story of a player; what it wants to know of decisions on the way is said at once. */
static int rw_story_of(RwMatch *X, int player) {
    RwTale *T = X->memory->tales[player];
    RwNow now;
    int32_t signal = rw_look_around(X->memory, X->game, player, &now) ? RW_STOP : RW_UNKNOWN;
    while (signal == RW_STOP) {
        signal = rw_tell_story(T, &now);
        for (int32_t i = 0; signal == RW_STOP && i < T->nwanted; i++) {
            RwEvent *E = &T->events[T->wanted[2 * i]];
            if (E->moment < 0 || (!E->is_described && !rw_describe(X->memory, E))) signal = RW_UNKNOWN;
        }
    }
    rw_now_done(&now);
    return signal == RW_GO;
}

/* The walk to the worlds of a player, from the tale; NULL if it is Python's. */
static RwWalk *rw_walk_of(RwMatch *X, int player) {
    RwTale *T = X->memory->tales[player];
    if (!rw_story_of(X, player)) return NULL;
    if (T->nfacts > X->nfacts) {
        RwFact **grown = realloc(X->facts, sizeof(RwFact *) * (size_t)T->nfacts);
        if (grown == NULL) return NULL;
        X->facts = grown;
        X->nfacts = T->nfacts;
    }
    for (int32_t i = 0; i < T->nfacts; i++) {
        RwEvent *E = &T->events[T->facts[3 * i]];
        if (E->fact == NULL) E->fact = rw_recall(X->memory, E);
        if (E->fact == NULL) return NULL;
        X->facts[i] = E->fact;
    }
    return rwx_walk(T->told, T->ntold, X->facts);
}

/* What one option is worth against another: part by part. */
static int rw_is_worth_more(const RwGlanced *one, const RwGlanced *other) {
    if (one->is_faulty || other->is_faulty) return other->is_faulty && !one->is_faulty;
    for (int32_t i = 0; i < one->nparts && i < other->nparts; i++)
        if (one->sum[i] != other->sum[i]) return one->sum[i] > other->sum[i];
    return one->nparts > other->nparts;
}

/* Looks at all options that are tried, in all worlds; averages stand in `found` then. RW_GO, or RW_UNKNOWN. */
static int32_t rw_look_ahead(Ctx *C, const RwMatch *X, RwGlances *G, RwWalk *W, RwGlanced *found) {
    int32_t room[3 + RW_PIECES + 1];
    memset(found, 0, sizeof *found * RW_MOST_TRIED);
    for (int32_t number = 0; number < (W == NULL ? 1 : G->nworlds); number++) {
        const uint64_t seed = rw_derived_seed(G->seed, (uint64_t)number);
        if (rw_glance_world(C, G, W, X->game, X->names, room, number) != RW_GO) return RW_UNKNOWN;
        for (int32_t i = 0; i < G->ntried; i++)
            if (!found[i].is_faulty && !rw_glance(C, G, G->tried[i], seed, &found[i])) return RW_UNKNOWN;
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

/* play/bots/greedy_bot.py: the option that is taken goes to *option. RW_GO, or RW_UNKNOWN. */
static int32_t rw_greedy_choice(Ctx *C, RwMatch *X, uint64_t seed, int32_t *option) {
    const State *S = X->game;
    const RwSeat *seat = &X->seats[S->who];
    int32_t tried[RW_MOST_TRIED], bound[RW_PIECES + 1], mixes[RW_PIECES + 1], tied[RW_PIECES + 1], best[RW_MOST_TRIED];
    RwGlanced found[RW_MOST_TRIED];
    RwGlances G = {.player = S->who, .nworlds = seat->worlds, .seed = seed, .bound = bound, .mixes = mixes,
                   .tied = tied, .tried = tried, .world = X->world, .fork = X->fork};
    uint64_t g = rw_seeded(seed);
    RwWalk *W = NULL;
    if (!rw_sample_tried(C, S, &g, tried, &G.ntried)) return RW_UNKNOWN;
    if (X->memory != NULL) {
        W = rw_walk_of(X, S->who);
        if (W == NULL) return RW_UNKNOWN;
        const RwTale *T = X->memory->tales[S->who];
        const RwMixes *own = &X->memory->mixes[S->who];
        for (int32_t piece = 0; piece < RW_PIECES; piece++)
            if (rw_bit(&T->tied, piece)) tied[G.ntied++] = piece;
        for (int32_t piece = 0; piece < RW_PIECES; piece++) mixes[piece] = piece;
        for (int32_t i = 0; i < own->n; i++)
            for (int32_t piece = 0; piece < RW_PIECES; piece++)
                if (rw_bit(&own->several[i], piece)) mixes[piece] = rw_lowest_bit(&own->several[i]);
        G.nbound = rw_bound_now(C, X, bound);
        rw_find_names(X->memory, S, X->names);
    }
    const int32_t signal = rw_look_ahead(C, X, &G, W, found);
    rwx_walk_free(W);
    if (signal != RW_GO) return signal;
    int32_t n = 0;
    for (int32_t i = 0; i < G.ntried; i++) {
        if (n && rw_is_worth_more(&found[best[0]], &found[i])) continue;
        if (n && rw_is_worth_more(&found[i], &found[best[0]])) n = 0;
        best[n++] = i;
    }
    *option = tried[best[rw_below_of(&g, n)]];
    return RW_GO;
}

/* ---------------------------------------------------------------- playing */

/* Begins a game. The seeds of the seats follow from that of the match. */
RW_API int32_t rwx_match_begin(Ctx *C, RwMatch *X, uint64_t seed) {
    State *S = X->game;
    for (int player = 0; player < RW_PLAYERS; player++) {
        RwSeat *seat = &X->seats[player];
        seat->seed = rw_derived_seed(seed, (uint64_t)player);
        seat->g = rw_seeded(seat->seed);
        seat->asked = 0;
    }
    X->nchoices = 0;
    if (X->memory == NULL) return rw_new(C, S, seed, 1);
    rw_forget_game(X->memory);
    rw_blank(S);
    rw_begin(C);
    if (rw_push_frame(C, S, RW_END, 1) == NULL) return RW_UNKNOWN;
    if (rw_begin_with(C, S, RW_PLAY_ROUTINE) != RW_GO || rw_begin_with(C, S, RW_SETUP_ROUTINE) != RW_GO)
        return RW_UNKNOWN;
    S->g = rw_seeded(seed);
    return rw_run_and_remember(C, S, X->memory);
}

static int32_t rw_choice_of(Ctx *C, RwMatch *X, int32_t *option) {
    const State *S = X->game;
    RwSeat *seat = &X->seats[S->who];
    switch (seat->kind) {
    case RW_BOT_RANDOM: *option = C->opts[S->opts + rw_below_of(&seat->g, S->nopts)]; return RW_GO;
    case RW_BOT_FIRST: *option = C->opts[S->opts]; return RW_GO;
    }
    const int32_t signal = rw_greedy_choice(C, X, rw_derived_seed(seat->seed, (uint64_t)seat->asked), option);
    if (signal == RW_GO) seat->asked++;
    return signal;
}

/* Goes on to the end of the game: RW_STOP, or RW_UNKNOWN if Python has to play it. */
RW_API int32_t rwx_match_play(Ctx *C, RwMatch *X) {
    State *S = X->game;
    RwMemory *M = X->memory;
    while (!S->over) {
        int32_t option;
        if ((M != NULL && M->is_lost) || S->together || S->decisions >= RW_DECISION_LIMIT) return RW_UNKNOWN;
        if (rw_ask_again(C, S) != RW_GO) return RW_UNKNOWN;
        const int32_t signal = rw_choice_of(C, X, &option);
        if (signal != RW_GO) return signal;
        if (X->nchoices == X->room) {
            const int32_t room = X->room ? 2 * X->room : 256;
            int32_t *grown = realloc(X->choices, sizeof(int32_t) * (size_t)room);
            if (grown == NULL) return RW_UNKNOWN;
            X->choices = grown;
            X->room = room;
        }
        X->choices[X->nchoices++] = option;
        S->decisions++;
        if (M != NULL) {
            memset(M->lit, 0, sizeof M->lit);
            M->any_lit = 0;
            rw_tell_took(M, option);
        }
        if (rw_take(C, S, option) != RW_GO) return RW_UNKNOWN;
        if ((M != NULL ? rw_run_and_remember(C, S, M) : rw_run(C, S)) != RW_STOP) return RW_UNKNOWN;
    }
    return M != NULL && M->is_lost ? RW_UNKNOWN : RW_STOP;
}

/* The options that were taken, one after the other. */
RW_API const int32_t *rwx_match_choices(const RwMatch *X, int32_t *n) {
    *n = X->nchoices;
    return X->choices;
}

#endif
