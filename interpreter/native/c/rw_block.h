/* Inside a `together`. A simulation of a search begins at the first question of the block, so that others who have chosen
 * already choose in the tree, as those do who are yet to choose: play/bots/imagined.py says why, tree.py how. A look ahead
 * begins there too, and goes on to the end of the block, with all others at random: play/bots/at_once.py.
 * rw_search.h includes this. */
#ifndef RW_BLOCK_H
#define RW_BLOCK_H

/* The last world at the first question of the block, and what the player has chosen there before. RW_GO, or RW_UNKNOWN. */
RW_API int32_t rwx_search_begun(RwSearch *Q, const State *S, const int32_t *own, int32_t n) {
    RwWorld *world = Q->nworlds > 0 ? &Q->worlds[Q->nworlds - 1] : NULL;
    if (world == NULL || world->begun != NULL || n < 0) return RW_UNKNOWN;
    if (!rw_grow((void **)&Q->own, &Q->owncap, 0, n, sizeof(int32_t))) return RW_UNKNOWN;
    world->begun = malloc(rw_live_size(S));
    if (world->begun == NULL) return RW_UNKNOWN;
    rw_copy(world->begun, S);
    if (n > 0) memcpy(Q->own, own, sizeof(int32_t) * (size_t)n);
    Q->nown = n;
    return RW_GO;
}

/* Whether the pending decision offers what the root does, in the same order. */
static int rw_offers_those(const Ctx *C, const State *S, const int32_t *options, int32_t n) {
    int32_t at = 0;
    for (int32_t i = 0; i < n; i++, at++) {
        while (at < S->nopts && C->opts[S->opts + at] != options[i]) at++;
        if (at >= S->nopts) return 0;
    }
    return 1;
}

typedef struct { uint64_t choice; int is_out; } RwLeaving; /* the tree ends on the way to the root: at random from there */

/* One choice on the way from the beginning of a block to the root: the player's own ones as they were, those of others by
 * their nodes. 0 if it cannot be made, RW_NO_MEMORY. */
static int rw_step_in_block(Ctx *C, RwSearch *Q, State *S, int is_own, int32_t *nown, RwLeaving *leaving) {
    int32_t option;
    if (is_own) {
        if (*nown == Q->nown || !rw_offers(C, S, Q->own[*nown])) return 0;
        option = Q->own[(*nown)++];
    } else if (leaving->is_out) {
        option = C->opts[S->opts + rw_upper_below(&leaving->choice, S->nopts)];
    } else {
        int is_new = 0;
        const int32_t number = rw_node_by_sight(C, Q, S, &is_new);
        if (number < 0 && number != RW_FULL) return number == RW_NO_MEMORY ? RW_NO_MEMORY : 0;
        if (is_new || number == RW_FULL) {
            leaving->is_out = 1;
            return rw_step_in_block(C, Q, S, 0, nown, leaving);
        }
        const RwStep at = {number, rw_select(&Q->tree, &Q->tree.nodes[number])};
        if (at.slot >= Q->noptions) return 0;
        if (!rw_note_step(Q, at)) return RW_NO_MEMORY;
        option = Q->options[at.slot];
    }
    return rw_take(C, S, option) == RW_GO && rw_run(C, S) == RW_STOP;
}

/* From the beginning of the block to the root. 0 if this world does not come there, RW_NO_MEMORY. */
static int rw_come_to_root(Ctx *C, RwSearch *Q, State *S, const RwWorld *world, uint64_t seed, int *is_out) {
    const int player = Q->tree.nodes[Q->root].player;
    RwLeaving leaving = {rw_seeded(seed ^ 0x2545F4914F6CDD1Du), 0};
    int32_t nown = 0;
    rw_copy(S, world->begun);
    S->g = rw_chance_of(seed);
    S->stamp = 0;
    if (rw_ask_again(C, S) != RW_GO) return 0;
    rw_note_block(Q, S);
    while (S->together && !S->over && !(S->who == player && nown == Q->nown)) {
        const int done = rw_step_in_block(C, Q, S, S->who == player, &nown, &leaving);
        if (done != 1) return done;
    }
    *is_out = leaving.is_out;
    return S->together && !S->over && rw_offers_those(C, S, world->options, Q->nroot);
}

/* ---------------------------------------------------------------- all others at random */

typedef struct {
    uint64_t choice;
    int32_t who;               /* who was asked last in the block, or -1 */
    int8_t before[RW_PLAYERS]; /* who was asked before that, and has had the turn there */
} RwAtOnce;

/* A decision in a block, as one world has it: where the block begins (NULL if that is not known: the decision itself then),
 * what its player has chosen there before, and its options. */
typedef struct {
    const State *world, *begun;
    int32_t player, nown, noptions;
    const int32_t *own, *options;
} RwInBlock;

static RwAtOnce rw_at_once(uint64_t seed) {
    RwAtOnce A = {.choice = rw_seeded(seed ^ 0x2545F4914F6CDD1Du), .who = -1};
    return A;
}

/* Whether the decision that is pending is one of the block. */
static int rw_block_goes_on(RwAtOnce *A, const State *S) {
    if (S->over || !S->together) return 0;
    if (S->who == A->who) return 1;
    if (A->who >= 0) A->before[A->who] = 1;
    A->who = S->who;
    return !A->before[S->who];
}

static int rw_choose_at_once(Ctx *C, RwAtOnce *A, State *S) {
    return rw_goes_on(C, S, C->opts[S->opts + rw_upper_below(&A->choice, S->nopts)]);
}

/* Goes on to the first decision behind the block; 0 for a fault of the rules. */
static int rw_leave_block(Ctx *C, RwAtOnce *A, State *S) {
    while (rw_block_goes_on(A, S))
        if (!rw_choose_at_once(C, A, S)) return 0;
    return 1;
}

/* From the first question of the block to the decision, in *S: own choices as they were, others at random. 0 if this does
 * not lead there. */
static int rw_come_at_random(Ctx *C, RwAtOnce *A, State *S, const RwInBlock *B, uint64_t seed) {
    int32_t nown = 0;
    rw_copy(S, B->begun != NULL ? B->begun : B->world);
    S->g = rw_chance_of(seed);
    S->stamp = 0;
    if (B->begun == NULL) return 1;
    if (rw_ask_again(C, S) != RW_GO) return 0;
    while (rw_block_goes_on(A, S) && !(S->who == B->player && nown == B->nown)) {
        const int is_own = S->who == B->player;
        if (is_own && !rw_offers(C, S, B->own[nown])) return 0;
        if (!(is_own ? rw_goes_on(C, S, B->own[nown++]) : rw_choose_at_once(C, A, S))) return 0;
    }
    const int is_asked = S->together && !S->over && S->who == B->player && nown == B->nown;
    return is_asked && rw_offers_those(C, S, B->options, B->noptions);
}

enum { RW_LOOKED, RW_NOT_THERE, RW_LOOK_FAILS };

/* Takes an option of the decision, with the others at random, and goes on to the first decision behind the block. */
static int rw_look_behind_block(Ctx *C, State *S, const RwInBlock *B, int32_t option, uint64_t seed) {
    RwAtOnce A = rw_at_once(seed);
    if (!rw_come_at_random(C, &A, S, B, seed)) return RW_NOT_THERE;
    rw_block_goes_on(&A, S); /* the player is asked there */
    return rw_goes_on(C, S, option) && rw_leave_block(C, &A, S) ? RW_LOOKED : RW_LOOK_FAILS;
}

#endif
