/* What a player knows at this very decision, and the way to worlds that agree with it: everything that drawing worlds
 * needs, made from what a game remembers (rw_memory.h, rw_recall.h).
 *
 * At a table Python hands this over for every decision (native/tales.py, native/glances.py). In a whole game of bots it is
 * all here: mixes and tales are kept event by event, so that a look around is enough (`rw_look_around`), the story is told
 * from it, and the walk to worlds is made of the story. Bots that look ahead and bots that search draw from the same walk;
 * the worlds are those of play/bots/imagined.py, world by world.
 *
 * In a library that does not remember nothing is hidden, and there is one world: the game itself. */
#ifndef RW_PRESENT_H
#define RW_PRESENT_H

#if RW_REMEMBERS
#include "rw_recall.h"

typedef struct {
    RwMemory *memory; /* NULL in a game that hides nothing */
    int32_t *names;   /* where names stand in the table, as rw_worlds.h reads it */
    int32_t nfacts;   /* room of `facts`, those of the last story */
    RwFact **facts;
    RwLost why;       /* if worlds are Python's */
} RwPresent;

/* What one player draws worlds from, at one decision. `G` has what the worlds of rw_glances.h go by. */
typedef struct {
    RwGlances G;
    RwWalk *walk; /* NULL until it is wanted */
    int32_t bound[RW_PIECES + 1], mixes[RW_PIECES + 1], tied[RW_PIECES + 1], room[3 + RW_PIECES + RW_MOST_NUMBERS + 1];
    int8_t is_like_root;                  /* inside a `together`: the world asks what the table asks */
    int32_t ntable, *table, nopts, *opts; /* there: the options of the table, and those of the world */
    State *begun;                         /* there: the world at the first question of the block */
    int32_t nown, *own;                   /* there: what the player has chosen in the block so far */
} RwDrawing;

static void rw_present_done(RwPresent *P) {
    rw_memory_done(P->memory);
    free(P->names);
    free(P->facts);
}

/* Begins to remember, by what rw_memory reads. 0 if there is no memory, or something is out of its range. */
static int rw_present(RwPresent *P, const int32_t *told, int32_t n) {
    P->memory = rw_memory(told, n);
    if (P->memory == NULL) return 0;
    P->names = malloc(sizeof(int32_t) * (size_t)P->memory->names_room);
    return P->names != NULL;
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

/* What two pieces have of their own, number by number: below 0 if the first comes first. One that has less comes first. */
static int rw_compare_own(const RwMemory *M, const State *S, int32_t one, int32_t other) {
    num own[2][RW_OWN_NUMBERS + 1];
    int32_t n[2] = {0, 0};
    for (int32_t i = 0; i < M->blocks.n; i += 4)
        for (int side = 0; side < 2; side++) {
            const int32_t *block = M->blocks.pieces + i, first = rw_own_number(block, side ? other : one);
            for (int32_t k = 0; first >= 0 && k < block[3] && n[side] < RW_OWN_NUMBERS; k++)
                own[side][n[side]++] = rw_number(S, first + k);
        }
    for (int32_t i = 0; i < n[0] && i < n[1]; i++)
        if (own[0][i] != own[1][i]) return own[0][i] < own[1][i] ? -1 : 1;
    return n[0] - n[1];
}

/* Puts pieces in the order in which they lie (`_by_position` of runtime/determinise.py). */
static void rw_put_by_position(const RwMemory *M, const State *S, int32_t *pieces, int32_t n) {
    int32_t index[RW_PIECES + 1];
    for (int32_t i = 0; i < n; i++) {
        const int32_t piece = pieces[i];
        const num place = RW_AT(S, piece);
        index[piece] = 0;
        if (place >= 0 && place < RW_LISTS && !RW_UNORDERED[place])
            for (num other = RW_PREVIOUS(S, piece); other >= 0; other = RW_PREVIOUS(S, other)) index[piece]++;
        int32_t at = i;
        for (; at > 0; at--) {
            const int32_t before = pieces[at - 1];
            const num there = RW_AT(S, before);
            if (there < place || (there == place && index[before] < index[piece])) break;
            if (there == place && index[before] == index[piece] && rw_compare_own(M, S, before, piece) <= 0) break;
            pieces[at] = before;
        }
        pieces[at] = piece;
    }
}

/* Whether the piece carries something, or has a field that is not as it was at the start (`_is_laden`). */
static int rw_is_laden(const RwMemory *M, const State *S, int32_t piece) {
    for (int32_t i = 0; i < M->blocks.n; i += 4) {
        const int32_t *block = M->blocks.pieces + i, first = rw_own_number(block, piece);
        for (int32_t k = 0; first >= 0 && k < block[3]; k++)
            if (rw_number(S, first + k) != RW_START[first + k]) return 1;
    }
    return rw_carries(S, piece);
}

/* The pieces of a mix that belong to a group: of those without anything of their own (kind -1), or laden ones of a kind. */
static int32_t rw_members(const RwMemory *M, const State *S, const RwBits *mix, int apart, int32_t kind, int32_t *out) {
    int32_t n = 0;
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        if (!rw_bit(mix, piece)) continue;
        if (apart && (rw_is_laden(M, S, piece) ? M->kind[piece] : -1) != kind) continue;
        out[n++] = piece;
    }
    return n;
}

/* Adds the pieces of a mix that may be dealt anew among them, group by group (`exchangeable`). 0 if there is no memory. */
static int rw_add_groups(const RwMemory *M, const State *S, const RwBits *mix, RwNow *now) {
    int32_t pieces[RW_PIECES + 1], kinds = -1;
    const int32_t first = rw_lowest_bit(mix);
    int apart = 0;
    if (!rw_bits_beyond(mix, &M->copies[first])) return 1; /* all are equal */
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        if (!rw_bit(mix, piece)) continue;
        apart |= M->has_owners && M->kind[piece] != M->kind[first];
        kinds = M->kind[piece] > kinds ? M->kind[piece] : kinds;
    }
    for (int32_t kind = -1; kind <= (apart ? kinds : -1); kind++) {
        const int32_t n = rw_members(M, S, mix, apart, kind, pieces);
        if (n < 2) continue;
        RwGroup *group = &now->groups[now->ngroups];
        rw_put_by_position(M, S, pieces, n);
        group->pieces = malloc(sizeof(int32_t) * (size_t)n);
        if (group->pieces == NULL) return 0;
        memcpy(group->pieces, pieces, sizeof(int32_t) * (size_t)n);
        group->n = n;
        now->ngroups++;
    }
    return 1;
}

static void rw_now_done(RwNow *now) {
    free(now->mixes);
    rw_free_groups(now->groups, now->ngroups);
}

/* What `_now` of native/tales.py hands over. 0 if there is no memory. */
static int rw_look_around(Ctx *C, const RwMemory *M, const State *S, int player, RwNow *now) {
    const RwMixes *X = &M->mixes[player];
    int32_t order[RW_PIECES / 2 + 1];
    memset(now, 0, sizeof *now);
    now->state = S;
    now->context = C;
    now->is_unseen = (int8_t)rw_has_unseen_locals(M, S);
    now->is_between = S == M->apart;
    now->has_owners = M->has_owners;
    now->has_bags = !now->has_owners;
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        now->at[piece] = (int32_t)RW_AT(S, piece);
        if (rw_lies_down(S, piece)) now->has_bags = 0;
    }
    now->known = rw_known_now(M, player);
    now->mixes = malloc(sizeof(RwBits) * (size_t)(X->n + 1));
    now->groups = calloc((size_t)RW_PIECES / 2 + 1, sizeof(RwGroup));
    if (now->mixes == NULL || now->groups == NULL) return 0;
    for (int32_t i = 0; i < X->n; i++) { /* in the order of their first pieces */
        int32_t at = i;
        for (; at > 0 && rw_lowest_bit(&X->several[order[at - 1]]) > rw_lowest_bit(&X->several[i]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    now->nmixes = X->n;
    memcpy(now->mixes, X->several, sizeof(RwBits) * (size_t)X->n);
    for (int32_t i = 0; i < X->n; i++)
        if (!rw_add_groups(M, S, &X->several[order[i]], now)) return 0;
    return 1;
}

/* The pieces that options of the table name. */
static int32_t rw_bound_now(const Ctx *C, const RwMemory *M, const State *S, int32_t *out) {
    const RwAsking *site = &M->sites[S->site];
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

/* ---------------------------------------------------------------- the walk to worlds */

/* Tells the story of a player; what it wants to know of decisions on the way is said at once. */
static int rw_story_of(Ctx *C, RwPresent *P, const State *S, int player) {
    RwTale *T = P->memory->tales[player];
    RwNow now;
    int32_t signal = rw_look_around(C, P->memory, S, player, &now) ? RW_STOP : RW_UNKNOWN;
    while (signal == RW_STOP) {
        signal = rw_tell_story(T, &now);
        for (int32_t i = 0; signal == RW_STOP && i < T->nwanted; i++) {
            RwEvent *E = &T->events[T->wanted[2 * i]];
            const int is_step = T->wanted[2 * i + 1] == RW_WANTED_STEP;
            if (E->moment < 0 || (is_step && !rw_describe_step(P->memory, E))) signal = RW_UNKNOWN;
            else if (!is_step && !E->is_described && !rw_describe(P->memory, E)) signal = RW_UNKNOWN;
        }
    }
    rw_now_done(&now);
    return signal == RW_GO;
}

/* A fact of the last story as a walk asks it; NULL if it is Python's. What was said of it in earlier walks is kept with the
 * event, but for sets and payments of which more is known by now. */
static RwFact *rw_fact_of(RwMemory *M, RwEvent *E, const RwGone *gone, const int32_t *numbers) {
    if (gone != NULL && (gone->kind == RW_FACT_PICKED || gone->kind == RW_FACT_PAID)) {
        rwx_fact_free(E->gone);
        E->gone = rw_recall_gone(M, E, gone, numbers);
        return E->gone;
    }
    const RwGone *posed = gone != NULL && gone->kind == RW_FACT_POSED ? gone : NULL;
    const int32_t n = numbers != NULL ? numbers[0] : 0;
    if (E->fact != NULL) {
        const RwPast *before = &E->fact->past;
        int is_other = n != E->fact->nnumbers;
        if (posed != NULL) is_other |= before->is_visible != posed->is_posed || before->has_pick != posed->picks_some;
        for (int32_t i = 0; !is_other && i < n; i++) is_other = before->offsets[i] != numbers[1 + i];
        if (is_other) {
            rwx_fact_free(E->fact);
            E->fact = NULL;
        }
    }
    if (E->fact == NULL) E->fact = rw_recall(M, E, posed, numbers);
    return E->fact;
}

/* A walk with the steps of the last story; NULL if it is Python's. */
static RwWalk *rw_with_steps(Ctx *C, const RwMemory *M, const RwTale *T, RwWalk *W) {
    for (int32_t i = 0; W != NULL && i < W->nunknowns; i++) {
        W->unknowns[i].is_free = T->drawn[i].is_free;
        W->unknowns[i].is_part = T->drawn[i].is_part;
        if (W->unknowns[i].is_part) W->unknowns[i].nvalues = RW_PARTS;
    }
    for (int32_t i = 0; W != NULL && T->before != NULL && i < W->nfacts; i++) W->facts[i].held_by = T->before[i];
    if (W == NULL || rw_walk_with_steps(C, W, T->steps, T->nsteps, M->sites, M->has_slots)) return W;
    rwx_walk_free(W);
    return NULL;
}

/* The walk to the worlds of a player, from the tale; NULL if it is Python's. */
static RwWalk *rw_walk_of(Ctx *C, RwPresent *P, const State *S, int player) {
    RwTale *T = P->memory->tales[player];
    P->why = RW_LOST_STORY;
    if (!rw_story_of(C, P, S, player)) return NULL;
    P->why = RW_LOST_FACT;
    if (T->nfacts > P->nfacts) {
        RwFact **grown = realloc(P->facts, sizeof(RwFact *) * (size_t)T->nfacts);
        if (grown == NULL) return NULL;
        P->facts = grown;
        P->nfacts = T->nfacts;
    }
    for (int32_t i = 0; i < T->nfacts; i++) {
        const int32_t *numbers = T->turns_on != NULL ? T->turns_on + (size_t)i * (1 + RW_NUMBERS_OF_FACT) : NULL;
        RwGone *gone = T->gone != NULL ? &T->gone[i] : NULL;
        P->facts[i] = rw_fact_of(P->memory, &T->events[T->facts[3 * i]], gone, numbers);
        if (P->facts[i] == NULL) return NULL;
    }
    P->why = RW_LOST_STEPS;
    return rw_with_steps(C, P->memory, T, rwx_walk(T->told, T->ntold, P->facts));
}

/* ---------------------------------------------------------------- drawing */

static void rw_swap_mixes(RwMixes *one, RwMixes *other) {
    unsigned char *first = (unsigned char *)one, *second = (unsigned char *)other;
    for (size_t i = 0; i < sizeof *one; i++) {
        const unsigned char held = first[i];
        first[i] = second[i];
        second[i] = held;
    }
}

/* The walk of a player from the game as it was before the block that runs: what was known and had happened then. */
static RwWalk *rw_walk_before(Ctx *C, RwPresent *P, int player) {
    RwMemory *M = P->memory;
    RwTale *T = M->tales[player];
    const int32_t n = T->n;
    rw_swap_mixes(&M->mixes[player], &M->apart_mixes[player]);
    T->n = M->apart_n[player];
    RwWalk *found = rw_walk_of(C, P, M->apart, player);
    T->n = n;
    rw_swap_mixes(&M->mixes[player], &M->apart_mixes[player]);
    return found;
}

/* Inside a block the options of the table are kept: worlds have their own. 0 if worlds are Python's, as they are where
 * chance has fallen in the block: what the player saw of it must come again. */
static int rw_begin_apart(const Ctx *C, RwPresent *P, const State *S, RwDrawing *D) {
    P->why = RW_LOST_CHANCE;
    if (!P->memory->has_apart || P->memory->apart->g != S->g) return 0;
    D->table = malloc(sizeof(int32_t) * (size_t)(S->nopts + 1));
    D->begun = malloc(sizeof(State));
    D->own = malloc(sizeof(int32_t) * (size_t)(P->memory->nblock + 1));
    if (D->table == NULL || D->begun == NULL || D->own == NULL) return 0;
    for (int32_t i = D->nown = 0; i < P->memory->nblock; i++)
        if (P->memory->block[2 * i] == S->who) D->own[D->nown++] = P->memory->block[2 * i + 1];
    D->ntable = S->nopts;
    memcpy(D->table, C->opts + S->opts, sizeof(int32_t) * (size_t)S->nopts);
    return 1;
}

/* Sees to it that worlds can be drawn. The options of the decision lie in the context. 0 if they are Python's. */
static int rw_begin_drawing(Ctx *C, RwPresent *P, State *S, RwDrawing *D) {
    if (D->walk != NULL) return 1;
    if (S->together && !rw_begin_apart(C, P, S, D)) return 0;
    D->walk = S->together ? rw_walk_before(C, P, S->who) : rw_walk_of(C, P, S, S->who);
    if (D->walk == NULL) return 0;
    if (D->walk->nsteps && rw_ask_again(C, S) != RW_GO) return 0; /* steps were run in this context since */
    P->why = RW_LOST_NOT;
    const RwTale *T = P->memory->tales[S->who];
    const RwMixes *own = S->together ? &P->memory->apart_mixes[S->who] : &P->memory->mixes[S->who];
    RwGlances *G = &D->G;
    G->ntied = 0;
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        D->mixes[piece] = piece;
        if (rw_bit(&T->tied, piece)) D->tied[G->ntied++] = piece;
    }
    for (int32_t i = 0; i < own->n; i++)
        for (int32_t piece = 0; piece < RW_PIECES; piece++)
            if (rw_bit(&own->several[i], piece)) D->mixes[piece] = rw_lowest_bit(&own->several[i]);
    G->mixes = D->mixes;
    G->tied = D->tied;
    G->bound = D->bound;
    G->nbound = rw_bound_now(C, P->memory, S, D->bound);
    rw_find_names(P->memory, S->together ? P->memory->apart : S, P->names);
    return 1;
}

static void rw_drawing_done(RwDrawing *D) {
    rwx_walk_free(D->walk);
    free(D->table);
    free(D->opts);
    free(D->begun);
    free(D->own);
}

/* A state as the names and numbers in D->room have it, in D->G.world. 0 if something does not fit. */
static int rw_lay_out(const RwPresent *P, const State *S, int player, const RwDrawing *D, const RwWalk *W) {
    const RwTale *T = P->memory->tales[player];
    const RwStepNow *last = T->last >= 0 && W->has_course ? &W->steps_now[T->last] : NULL;
    const int32_t *new = D->room + 3;
    State *world = D->G.world;
    if (!rw_is_renaming(new) || !rw_renamed(world, S, P->names, new)) return 0;
    for (int32_t i = 0; i < T->ndrawn; i++) {
        if (!T->drawn[i].is_now) continue;
        const num sum = rw_number(world, T->drawn[i].offset) + new[RW_PIECES + i];
        if (!rw_fits(T->drawn[i].offset, sum)) return 0;
        rw_set_number(world, T->drawn[i].offset, sum);
    }
    if (last != NULL) {
        int32_t cells[RW_STACK];
        if (!rw_put_locals(world, P->memory->slots, last->k, last->top)) return 0;
        /* Since the last step pieces were dealt, and equal ones were brought home. */
        const int32_t n = rw_named_cells(world, P->memory->slots, P->memory->naming, cells);
        for (int32_t i = 0; i < n; i++) world->k[cells[i]] = new[W->epochs[W->nepochs - 1].old[world->k[cells[i]]]];
    }
    rw_index_anew(world);
    world->steps = 0;
    world->stamp = 0;
    return 1;
}

/* ---------------------------------------------------------------- inside a `together` */

enum { RW_ATTEMPTS = 8 }; /* as in runtime/private_choices.py */

/* The game before the block as a world has it; a walk that begins with the truth leads there. */
static int rw_draw_before(Ctx *C, RwPresent *P, int player, RwDrawing *D, uint64_t *g) {
    const RwTale *T = P->memory->tales[player];
    RwWalk *W = rw_with_steps(C, P->memory, T, rwx_walk(T->told, T->ntold, P->facts));
    if (W == NULL) return 0;
    D->room[0] = (int32_t)(uint32_t)*g;
    D->room[1] = (int32_t)(uint32_t)(*g >> 32);
    D->room[2] = 3 + RW_PIECES + W->nunknowns;
    const int is_there = rwx_walk_go(C, W, D->room) == RW_GO;
    *g = (uint64_t)(uint32_t)D->room[1] << 32 | (uint32_t)D->room[0];
    if (is_there) rw_bring_home(&D->G, W, P->memory->apart, D->room + 3);
    const int is_laid = is_there && rw_lay_out(P, P->memory->apart, player, D, W);
    rwx_walk_free(W);
    return is_laid;
}

/* The player's next own choice in the block, from `at` on; nblock if there is none left. */
static int32_t rw_own_choice(const RwMemory *M, int player, int32_t at) {
    while (at < M->nblock && M->block[2 * at] != player) at++;
    return at;
}

/* Plays the block of a world, which begins as *begun then has it, up to the decision of the table: own choices as they were, those of the others at random. 0 if
 * that cannot be (`_played` of private_choices.py). */
static int rw_play_block(Ctx *C, const RwMemory *M, State *T, State *begun, int player, uint64_t *g) {
    int32_t own = rw_own_choice(M, player, 0);
    if (rw_run(C, T) != RW_STOP) return 0;
    rw_copy(begun, T);
    while (T->together && !T->over && !(T->who == player && own == M->nblock)) {
        int32_t option = -1, at = 0;
        if (T->who != player) {
            *g = *g * 6364136223846793005u + 1442695040888963407u;
            option = C->opts[T->opts + (int32_t)((*g >> 32) * (uint64_t)T->nopts >> 32)];
        } else {
            option = own < M->nblock ? M->block[2 * own + 1] : -1;
            while (at < T->nopts && C->opts[T->opts + at] != option) at++;
            if (own == M->nblock || at == T->nopts) return 0;
            own = rw_own_choice(M, player, own + 1);
        }
        if (rw_take(C, T, option) != RW_GO || rw_run(C, T) != RW_STOP) return 0;
    }
    return T->together && !T->over;
}

/* A world inside a block: everything is drawn as it was before it, and the block is played again. */
static int32_t rw_draw_together(Ctx *C, RwPresent *P, const State *S, RwDrawing *D, uint64_t seed) {
    State *world = D->G.world;
    uint64_t g = rw_seeded(seed);
    int is_drawn = 0;
    for (int attempt = 0; !is_drawn && attempt < RW_ATTEMPTS; attempt++) {
        if (!rw_draw_before(C, P, S->who, D, &g)) return RW_UNKNOWN;
        world->g = g ^ 0x9E3779B97F4A7C15u;
        is_drawn = rw_play_block(C, P->memory, world, D->begun, S->who, &g);
        if (!is_drawn) rw_forget_fault(C);
    }
    int32_t *grown = is_drawn ? realloc(D->opts, sizeof(int32_t) * (size_t)(world->nopts + 1)) : NULL;
    if (grown == NULL) return RW_UNKNOWN;
    D->opts = grown;
    D->nopts = world->nopts;
    memcpy(D->opts, C->opts + world->opts, sizeof(int32_t) * (size_t)world->nopts);
    D->is_like_root = world->site == S->site && world->nopts == D->ntable;
    return RW_GO;
}

/* An option of the table as the world has it: pieces that the player does not see are called otherwise there; inside a block
 * it is the one with the same index. */
static int32_t rw_option_in_world(const RwPresent *P, const State *S, const RwDrawing *D, int32_t option) {
    int32_t at = 0;
    if (!S->together) return rw_renamed_option(&P->memory->sites[S->site], option, D->room + 3);
    while (at < D->ntable && D->table[at] != option) at++;
    return D->is_like_root && at < D->ntable ? D->opts[at] : option;
}

/* World number so many of a search that began with this seed, in D->G.world, and its names in D->room + 3. RW_GO, or
 * RW_UNKNOWN if it is Python's. */
static int32_t rw_draw_world(Ctx *C, RwPresent *P, const State *S, RwDrawing *D, int32_t number) {
    RwGlances *G = &D->G;
    const uint64_t seed = rw_derived_seed(G->seed, RW_WORLD_STREAM + (uint64_t)number);
    P->why = RW_LOST_WORLD;
    D->is_like_root = 1;
    if (S->together) {
        if (rw_draw_together(C, P, S, D, seed) != RW_GO) return RW_UNKNOWN;
    } else {
        if (rw_walked_names(C, G, D->walk, S, D->room, number) != RW_GO) return RW_UNKNOWN;
        if (!rw_lay_out(P, S, S->who, D, D->walk)) return RW_UNKNOWN;
    }
    G->world->g = rw_seeded(seed ^ 0x9E3779B97F4A7C15u);
    G->world->steps = 0;
    G->world->stamp = 0;
    P->why = RW_LOST_NOT;
    return RW_GO;
}

#else
#include "rw_glances.h"

typedef struct { int8_t nothing; } RwPresent;
typedef struct { RwGlances G; RwWalk *walk; } RwDrawing;
#endif

#endif
