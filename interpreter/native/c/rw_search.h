/* Tree search over worlds: the algorithm of play/bots/tree.py, which says it to the last tie.
 *
 * Python draws the worlds, hands them over with the options of the decision that is to be made, and asks for
 * simulations. Everything else is done here: going down the tree, random games, what they are worth, proofs. A search
 * owns its memory: the tree, the worlds, and one state to play with. It belongs to one thread at a time. */
#ifndef RW_SEARCH_H
#define RW_SEARCH_H

#include "rw_policy.h"
#include "rw_positions.h"
#include "rw_sight.h"
#include "rw_tree.h"
#include "rw_worth.h"
#include "rw_one_step.h"

typedef struct {
    State *state;     /* the live part of it */
    State *begun;     /* inside a `together`: where the block begins in this world; else NULL */
    int32_t *options; /* of the root: one for each of its slots, RwSearch.nroot of them */
    int8_t is_like_root; /* a world that asks something else teaches nothing */
} RwWorld;

typedef struct { int32_t node, slot; } RwStep;

enum { RW_SPARE_SLOTS = 1 << 17 }; /* some megabytes: the most that is kept for the next search */

typedef struct {
    RwSights sights;
    RwTree tree;
    RwWorth worth;
    RwPolicy *policy;      /* asked in place of a random game; or NULL */
    uint64_t seed;
    int64_t simulations;
    int32_t root, nroot;   /* the node of the decision; its slots */
    int8_t is_decided;     /* the root is proved */
    int8_t has_chance;     /* it fell in the tree */
    int8_t has_block;      /* a `together` runs: block[p] is what p saw when it began */
    int32_t *own;          /* what the player of the root has chosen in the block before, where worlds have its beginning */
    int32_t nown, owncap;
    RwWorld *worlds;
    int32_t nworlds, worldcap;
    RwStep *way;           /* from the root down, of the simulation that runs */
    int32_t nway, waycap;
    RwHash block[RW_PLAYERS];
    const int32_t *options, *names; /* of the decision that was met last: one option for each slot, and its name */
    int32_t noptions;
    int32_t *once, *named; /* room for them, where equal copies are left out */
    int32_t oncecap, namedcap;
    RwAhead ahead;         /* room to look one step ahead */
    RwPositions positions;
    State *work;           /* the fork that a simulation plays with */
    RwHash key;            /* of the decision that was looked for last: rw_kept.h */
} RwSearch;

/* ---------------------------------------------------------------- making one */

static void rw_drop_worlds(RwSearch *Q) {
    for (int32_t i = 0; i < Q->nworlds; i++) {
        free(Q->worlds[i].state);
        free(Q->worlds[i].begun);
        free(Q->worlds[i].options);
    }
    Q->nworlds = 0;
}

RW_API void rwx_search_free(RwSearch *Q) {
    if (Q == NULL) return;
    rw_drop_worlds(Q);
    rw_free_tree(&Q->tree);
    free(Q->worlds);
    free(Q->way);
    free(Q->own);
    free(Q->once);
    free(Q->named);
    rw_free_ahead(&Q->ahead);
    free(Q->positions.bytes);
    free(Q->work);
    free(Q->worth.other);
    free(Q->worth.before);
    free(Q->worth.options);
    free(Q->sights.held);
    rw_free_policy(Q->policy);
    free(Q);
}

/* A search without a root, whose tree has at most so many slots. `described` says what players see: rw_sight.h. `cut`:
 * segments of rules until the cutoff of random games, or 0; `is_guided`: games choose the best of a few where the rules
 * count points. NULL if there is no memory or the description does not fit. */
RW_API RwSearch *rwx_search(const int32_t *described, int32_t n, int32_t cut, int32_t is_guided, int32_t most_slots) {
    if (n <= 0) return NULL;
    RwSearch *Q = calloc(1, sizeof *Q);
    if (Q == NULL) return NULL;
    Q->worth.cut = cut;
    Q->worth.is_guided = (int8_t)(is_guided && RW_HAS_POINTS && cut == 0);
    Q->tree.most = most_slots;
    Q->root = RW_NO_NODE;
    Q->work = malloc(sizeof(State));
    Q->sights.held = malloc(sizeof(int32_t) * (size_t)n);
    if (Q->work != NULL && Q->sights.held != NULL) {
        memcpy(Q->sights.held, described, sizeof(int32_t) * (size_t)n);
        Q->sights.nheld = n;
        if (rw_read_sights(&Q->sights, Q->sights.held, n) == RW_GO) {
            Q->worth.most_drawn = Q->sights.has_secrets ? RW_MOST_DRAWN : RW_DRAWN;
            return Q;
        }
    }
    rwx_search_free(Q);
    return NULL;
}

/* Forgets all that was searched, so that the next search is as if it had just been made: what it has learnt of margins
 * and of lengths goes too. Its room stays, which saves whoever searches at every decision the making. */
static void rw_search_anew(RwSearch *Q) {
    const RwWorth before = Q->worth;
    RwTree *T = &Q->tree;
    rw_drop_worlds(Q);
    T->nnodes = T->nslots = T->nresults = T->nentries = 0;
    Q->positions.used = 0;
    T->looks = T->looks_told = T->looks_proved = T->wide_looks = T->wide_proved = 0;
    for (int32_t i = 0; i < T->entrycap; i++) T->entries[i].node = RW_NO_NODE;
    memset(&Q->worth, 0, sizeof Q->worth);
    Q->worth.cut = before.cut;
    Q->worth.is_guided = before.is_guided;
    Q->worth.most_drawn = before.most_drawn;
    Q->worth.other = before.other;
    Q->worth.before = before.before;
    Q->worth.options = before.options;
    Q->worth.optioncap = before.optioncap;
    Q->root = RW_NO_NODE;
    Q->simulations = 0;
    Q->is_decided = Q->has_chance = Q->has_block = 0;
}

/* A search that is over is to begin again, as if it had just been made: 1, or 0 if it had better be freed, because it
 * has a policy or has taken much room. */
RW_API int32_t rwx_search_again(RwSearch *Q) {
    if (Q->policy != NULL || Q->tree.slotcap > RW_SPARE_SLOTS) return 0;
    rw_search_anew(Q);
    return 1;
}

/* A policy for a search that has not begun: rw_policy.h says what the numbers mean. RW_GO, or RW_UNKNOWN. */
RW_API int32_t rwx_search_policy(RwSearch *Q, const int32_t *read, int32_t nread, const double *weights,
                                 int32_t nweights) {
    if (Q->root != RW_NO_NODE || Q->policy != NULL) return RW_UNKNOWN;
    Q->policy = rw_new_policy(read, nread, weights, nweights);
    if (Q->policy == NULL) return RW_UNKNOWN;
    Q->tree.has_priors = Q->policy->noptions > 0;
    Q->worth.any = Q->policy->lowest < Q->policy->highest; /* finished games have the range of the learnt value */
    Q->worth.lowest = Q->policy->lowest;
    Q->worth.highest = Q->policy->highest;
    return RW_GO;
}

/* Begins at a decision with so many slots, on an empty tree. RW_GO, or RW_UNKNOWN. */
RW_API int32_t rwx_search_begin(RwSearch *Q, uint64_t seed, int32_t player, int32_t slots, int32_t is_open) {
    if (player < 0 || player >= RW_PLAYERS || slots < 1 || Q->root != RW_NO_NODE) return RW_UNKNOWN;
    Q->seed = seed;
    Q->nroot = slots;
    int32_t root = rw_new_node(&Q->tree, seed, player, slots, is_open);
    if (root < 0) return RW_UNKNOWN;
    Q->root = root;
    return RW_GO;
}

/* A world with its options of the root; takes nothing over. 0 if there is no memory. */
static int rw_keep_world(RwSearch *Q, const State *S, const int32_t *options, int is_like_root) {
    RwWorld world = {NULL, NULL, NULL, (int8_t)is_like_root};
    if (!rw_grow((void **)&Q->worlds, &Q->worldcap, Q->nworlds, Q->nworlds + 1, sizeof(RwWorld))) return 0;
    world.state = malloc(rw_live_size(S));
    world.options = malloc(sizeof(int32_t) * (size_t)Q->nroot);
    if (world.state == NULL || world.options == NULL) {
        free(world.state);
        free(world.options);
        return 0;
    }
    rw_copy(world.state, S);
    memcpy(world.options, options, sizeof(int32_t) * (size_t)Q->nroot);
    Q->worlds[Q->nworlds++] = world;
    return 1;
}

/* Takes up a state and asks its pending decision; 0 if it has none. */
static int rw_asked(Ctx *C, RwSearch *Q, const State *S) {
    rw_copy(Q->work, S);
    Q->work->stamp = 0; /* what lies in C->opts is of another question */
    return !S->over && rw_ask_again(C, Q->work) == RW_GO;
}

static int rw_offers(const Ctx *C, const State *S, int32_t option) {
    for (int32_t i = 0; i < S->nopts; i++)
        if (C->opts[S->opts + i] == option) return 1;
    return 0;
}

/* Works out the priors of a node, of whose slots these are the options in a world that is there. */
static void rw_set_priors(RwSearch *Q, const State *S, int32_t number, const int32_t *options) {
    if (!Q->tree.has_priors) return;
    const RwNode *node = &Q->tree.nodes[number];
    rw_priors(Q->policy, S, options, node->slots, Q->tree.priors + node->first);
}

/* One more world: a state at the decision of the root, and its option for each slot. What is not really offered there
 * is refused, whoever says it: RW_UNKNOWN. */
RW_API int32_t rwx_search_world(Ctx *C, RwSearch *Q, const State *S, const int32_t *options, int32_t is_like_root) {
    if (Q->root == RW_NO_NODE) return RW_UNKNOWN;
    if (is_like_root) {
        if (!rw_asked(C, Q, S)) return RW_UNKNOWN;
        for (int32_t slot = 0; slot < Q->nroot; slot++)
            if (!rw_offers(C, Q->work, options[slot])) return RW_UNKNOWN;
        rw_set_priors(Q, Q->work, Q->root, options);
    }
    return rw_keep_world(Q, S, options, is_like_root) ? RW_GO : RW_UNKNOWN;
}

/* ---------------------------------------------------------------- decisions in the tree */

/* Every option of the pending decision, as it lies in the context until the next question. */
static void rw_all_options(const Ctx *C, RwSearch *Q, const State *S) {
    Q->options = Q->names = C->opts + S->opts;
    Q->noptions = S->nopts;
}

/* The same with equal copies once: the first of them stands for all. 0 if there is no memory. */
static int rw_read_options(const Ctx *C, RwSearch *Q, const State *S) {
    const int32_t *offered = C->opts + S->opts;
    rw_all_options(C, Q, S);
    if (Q->sights.copies[S->site] < 0) return 1;
    if (!rw_grow((void **)&Q->once, &Q->oncecap, 0, S->nopts, sizeof(int32_t)) ||
        !rw_grow((void **)&Q->named, &Q->namedcap, 0, S->nopts, sizeof(int32_t)))
        return 0;
    Q->options = Q->once;
    Q->names = Q->named;
    Q->noptions = 0;
    for (int32_t i = 0; i < S->nopts; i++) {
        int32_t name = rw_name_of_option(&Q->sights, S->site, offered[i]), met = 0;
        RW_CHARGE(1 + Q->noptions / 4);
        while (met < Q->noptions && Q->named[met] != name) met++;
        if (met < Q->noptions) continue;
        Q->named[Q->noptions] = name;
        Q->once[Q->noptions++] = offered[i];
    }
    return 1;
}

/* The key of the decision whose options were read last. `is_by_sight`: as its player knows it, `from` being that
 * player's last own step; otherwise of one position after chance, `from` being the step before it. */
static RwHash rw_key(const RwSearch *Q, const State *S, RwStep from, int is_by_sight) {
    RwHash key = RW_EMPTY_HASH;
    rw_hash_pair(&key, from.node, from.slot);
    rw_hash_pair(&key, S->site, S->who);
    rw_hash_pair(&key, Q->noptions, is_by_sight);
    for (int32_t i = 0; i < Q->noptions; i++) rw_hash(&key, (uint32_t)Q->names[i]);
    RwHash seen = Q->block[S->who];
    if (!Q->has_block) {
        seen = RW_EMPTY_HASH;
        rw_hash_seen(&seen, &Q->sights, S, S->who);
    }
    rw_hash(&key, seen.a);
    rw_hash(&key, seen.b);
    return key;
}

/* The node by its key. If there is none it is made, and *is_new tells so; RW_FULL or RW_NO_MEMORY. Two decisions might
 * share a key, if not by chance then by rules that somebody made for it: one with other slots is never taken. */
static int32_t rw_node_by_key(RwSearch *Q, const State *S, RwHash key, int is_open, int *is_new) {
    int32_t node = rw_find_node(&Q->tree, key);
    *is_new = node == RW_NO_NODE;
    if (node != RW_NO_NODE) {
        const RwNode *found = &Q->tree.nodes[node];
        return found->slots == Q->noptions && found->player == S->who ? node : RW_FULL;
    }
    node = rw_new_node(&Q->tree, Q->seed, S->who, Q->noptions, is_open);
    if (node < 0) return node;
    rw_set_priors(Q, S, node, Q->options);
    return rw_keep_node(&Q->tree, key, node) ? node : RW_NO_MEMORY;
}

/* Nothing is hidden: the way leads to one decision, unless chance fell or players chose at once. */
static int32_t rw_node_by_way(Ctx *C, RwSearch *Q, const State *S, RwStep from, int is_certain, int *is_new) {
    rw_all_options(C, Q, S);
    const RwNode *above = &Q->tree.nodes[from.node];
    if (!is_certain || !above->is_open) return rw_node_by_key(Q, S, rw_key(Q, S, from, 0), 1, is_new);
    const int32_t at = above->first + from.slot;
    *is_new = Q->tree.slots[at].next == RW_NO_NODE;
    if (!*is_new) return Q->tree.slots[at].next;
    int32_t node = rw_new_node(&Q->tree, Q->seed, S->who, S->nopts, 1);
    if (node < 0) return node;
    Q->tree.slots[at].next = node;
    rw_set_priors(Q, S, node, Q->options);
    return node;
}

/* The last own step of a player on the way. */
static RwStep rw_last_own(const RwSearch *Q, int player) {
    for (int32_t step = Q->nway - 1; step >= 0; step--)
        if (Q->tree.nodes[Q->way[step].node].player == player) return Q->way[step];
    return (RwStep){RW_NO_NODE, 0};
}

/* The decision of a player as that player knows it. */
static int32_t rw_node_by_sight(Ctx *C, RwSearch *Q, const State *S, int *is_new) {
    if (!rw_read_options(C, Q, S)) return RW_NO_MEMORY;
    return rw_node_by_key(Q, S, rw_key(Q, S, rw_last_own(Q, S->who), 1), 0, is_new);
}

static void rw_note_block(RwSearch *Q, const State *S) {
    if (!S->together) {
        Q->has_block = 0;
        return;
    }
    if (Q->has_block) return;
    Q->has_block = 1;
    for (int player = 0; player < RW_PLAYERS; player++) {
        Q->block[player] = RW_EMPTY_HASH;
        rw_hash_seen(&Q->block[player], &Q->sights, S, player);
    }
}

/* ---------------------------------------------------------------- proofs */

/* The last slot is certain; goes up as long as that makes nodes certain and no chance lies above them. 0 if there is
 * no memory. */
static int rw_prove_way(RwSearch *Q, const double *result) {
    RwTree *T = &Q->tree;
    double known[RW_PLAYERS];
    memcpy(known, result, sizeof known);
    for (int32_t step = Q->nway - 1; step >= 0; step--) {
        const RwStep at = Q->way[step];
        const double *whole;
        if (!rw_prove(T, &T->nodes[at.node], at.slot, known, &whole)) return 0;
        if (whole == NULL) return 1;
        if (whole != known) memcpy(known, whole, sizeof known);
        if (step == 0) break;
        const RwStep above = Q->way[step - 1];
        if (T->slots[T->nodes[above.node].first + above.slot].next != at.node) return 1;
    }
    Q->is_decided = 1;
    return 1;
}

/* ---------------------------------------------------------------- simulations */

enum { RW_WORTH_KNOWN, RW_TO_PLAY_OUT, RW_FAULTY, RW_OUT_OF_MEMORY }; /* what going down the tree came to */

/* The game has ended. */
static int rw_at_end(Ctx *C, RwSearch *Q, State *S, int is_certain, double *worth) {
    const RwNode *node = &Q->tree.nodes[Q->way[Q->nway - 1].node];
    if (is_certain && node->is_open && RW_PROVES) {
        double result[RW_PLAYERS];
        if (!rw_result(C, S, result)) return RW_FAULTY;
        if (!rw_prove_way(Q, result)) return RW_OUT_OF_MEMORY;
    }
    Q->worth.made = Q->nway;
    return rw_final_worth(C, &Q->worth, S, worth) ? RW_WORTH_KNOWN : RW_FAULTY;
}

/* Notes a step of the way; 0 if there is no memory. */
static inline int rw_note_step(RwSearch *Q, RwStep at) {
    const int32_t n = Q->nway;
    if (!rw_grow((void **)&Q->way, &Q->waycap, n, n + 1, sizeof(RwStep))) return 0;
    Q->way[n] = at;
    Q->nway = n + 1;
    return 1;
}

/* Looks one step ahead of a node, if it is time for that; 0 if there is no memory. A node with other slots than options
 * is met in a world that does not agree: nothing is learnt there. */
static int rw_look_if_time(Ctx *C, RwSearch *Q, const State *S, int32_t number, const int32_t **options, int32_t n) {
    RwNode *node = &Q->tree.nodes[number];
    const int is_root = number == Q->root;
    if (n != node->slots || !rw_is_time_to_look(&Q->tree, node, is_root)) return 1;
    return rw_look_one_step(C, &Q->tree, &Q->ahead, S, node, is_root, options);
}

/* The slot of the last step was proved before, perhaps by a look just now: then the nodes above may be certain too. */
static int rw_at_proof(RwSearch *Q, const RwNode *node, const RwSlot *slot, double *worth) {
    memcpy(worth, Q->tree.results + slot->proved, sizeof(double) * RW_PLAYERS);
    return !node->is_open || rw_prove_way(Q, worth) ? RW_WORTH_KNOWN : RW_OUT_OF_MEMORY;
}

/* The tree ends here, at a node that was just made: looks ahead of it if that may prove something, and plays out unless
 * it did. `is_same`: the node has a position to keep, if it will be met again: nobody goes through one that is proved. */
static int rw_at_new(Ctx *C, RwSearch *Q, State *S, int32_t number, int is_same, double *worth) {
    RwNode *node = &Q->tree.nodes[number];
    const int32_t *options = Q->options;
    const int looks = rw_is_time_when_made(&Q->tree, node, Q->nway);
    if (looks && !rw_look_one_step(C, &Q->tree, &Q->ahead, S, node, 0, &options)) return RW_OUT_OF_MEMORY;
    if (looks && rw_is_certain(node)) {
        const RwStep at = {number, rw_select(&Q->tree, node)};
        if (!rw_note_step(Q, at)) return RW_OUT_OF_MEMORY;
        return rw_at_proof(Q, node, &Q->tree.slots[node->first + at.slot], worth);
    }
    if (is_same) rw_keep_position(&Q->positions, node, S, options);
    /* A guided game begins with the options; a random one asks for its own. */
    return !looks || !rw_guides(&Q->worth) || rw_ask_again(C, S) == RW_GO ? RW_TO_PLAY_OUT : RW_FAULTY;
}

/* Takes up a position, with the chance of this simulation, if that is still to be done. */
static inline void rw_take_up_position(State *S, const State **ahead, uint64_t chance) {
    if (*ahead == NULL) return;
    rw_copy(S, *ahead);
    S->g = chance;
    *ahead = NULL;
}

/* The chance of a simulation. */
static inline uint64_t rw_chance_of(uint64_t seed) {
    return rw_seeded(seed ^ 0x9E3779B97F4A7C15u);
}

#include "rw_block.h"

/* Goes down the tree from a slot of the root, in a world, with this chance. RW_WORTH_KNOWN: `worth` has what it came
 * to; RW_TO_PLAY_OUT: a random game from *S is to tell. */
static int rw_descend(Ctx *C, RwSearch *Q, State *S, int32_t first, const RwWorld *world, uint64_t chance,
                      int is_out, double *worth) {
    int32_t number = Q->root, noptions = Q->nroot;
    const int32_t *options = world->options;
    const State *ahead = world->begun ? NULL : world->state; /* the position that *S has yet to take up, or NULL */
    int is_root = 1, is_same = Q->tree.nodes[number].is_open; /* as in every other simulation, but for chance to come */
    for (;;) {
        RwNode *node = &Q->tree.nodes[number];
        if (!node->is_looked_at && !is_root) {
            rw_take_up_position(S, &ahead, chance);
            if (!rw_look_if_time(C, Q, S, number, &options, noptions)) return RW_OUT_OF_MEMORY;
        }
        const RwStep at = {number, is_root ? first : rw_select(&Q->tree, node)};
        is_root = 0;
        const RwSlot *slot = &Q->tree.slots[node->first + at.slot];
        if (!rw_note_step(Q, at)) return RW_OUT_OF_MEMORY;
        if (slot->proved != RW_UNPROVED) return rw_at_proof(Q, node, slot, worth);
        if (at.slot >= noptions) return RW_FAULTY;
        if (is_same && slot->next != RW_NO_NODE && Q->tree.nodes[slot->next].position >= 0) {
            number = slot->next;
            ahead = rw_state_at(&Q->positions, &Q->tree.nodes[number]);
            options = rw_options_at(&Q->positions, &Q->tree.nodes[number]);
            noptions = Q->tree.nodes[number].slots;
            continue;
        }
        rw_take_up_position(S, &ahead, chance);
        const uint64_t before = S->g;
        if (rw_take(C, S, options[at.slot]) != RW_GO || rw_run(C, S) != RW_STOP) return RW_FAULTY;
        const int is_certain = S->g == before;
        if (!is_certain) Q->has_chance = 1;
        if (S->over) return rw_at_end(C, Q, S, is_certain, worth);
        if (is_out) return RW_TO_PLAY_OUT;
        int is_new = 0;
        rw_note_block(Q, S);
        number = Q->sights.has_secrets || Q->has_block ? rw_node_by_sight(C, Q, S, &is_new)
                                                       : rw_node_by_way(C, Q, S, at, is_certain, &is_new);
        if (number == RW_NO_MEMORY) return RW_OUT_OF_MEMORY;
        if (number == RW_FULL) return RW_TO_PLAY_OUT;
        options = Q->options;
        noptions = Q->noptions;
        is_same = is_same && is_certain && Q->tree.nodes[number].is_open;
        if (is_new) return rw_at_new(C, Q, S, number, is_same, worth);
        if (is_same) rw_keep_position(&Q->positions, &Q->tree.nodes[number], S, options);
    }
}

/* The fork of a world, with the chance of a simulation. */
static State *rw_forked(RwSearch *Q, const RwWorld *world, uint64_t seed) {
    rw_copy(Q->work, world->state);
    Q->work->g = rw_chance_of(seed);
    return Q->work;
}

/* Looks one step ahead of the root, if that was not done yet; 0 if there is no memory. */
static int rw_look_at_root(Ctx *C, RwSearch *Q, const RwWorld *world, uint64_t seed) {
    const int32_t *options = world->options;
    if (!rw_is_time_to_look(&Q->tree, &Q->tree.nodes[Q->root], 1)) return 1;
    return rw_look_if_time(C, Q, rw_forked(Q, world, seed), Q->root, &options, Q->nroot);
}

/* What the position at which the tree ends is worth: by the policy, or by a game from it. */
static void rw_leaf_worth(Ctx *C, RwSearch *Q, State *S, uint64_t seed, double *worth) {
    Q->worth.made = Q->nway;
    if (Q->policy == NULL)
        rw_worth(C, &Q->worth, S, seed, worth);
    else if (!rw_policy_worth(C, Q->policy, S, worth))
        rw_nothing(worth);
}

/* Before the first simulation, where margins are what players have: random games from the root tell whether having more
 * speaks for winning. */
static void rw_try_stock(Ctx *C, RwSearch *Q, const RwWorld *world) {
    RwStock *stock = &Q->worth.stock;
    if (!RW_STOCK || stock->is_tried) return;
    const uint64_t games = Q->worth.is_guided && Q->policy == NULL ? RW_STOCK_MEASURED : 0;
    for (uint64_t number = 0; number < games; number++) {
        const uint64_t seed = rw_derived_seed(Q->seed, RW_STOCK_STREAM + number);
        rw_measure_stock(C, &Q->worth, rw_forked(Q, world, seed), seed);
    }
    stock->is_tried = 1;
    stock->misleads = rw_goes_against(stock);
    Q->ahead.looks_at_results = !rw_weighs_margins(&Q->worth);
}

/* One more simulation; 0 if there is no memory. */
static int rw_simulate(Ctx *C, RwSearch *Q) {
    const int64_t number = Q->simulations++;
    const RwWorld *world = &Q->worlds[number % Q->nworlds];
    double worth[RW_PLAYERS];
    if (!world->is_like_root) return 1;
    rw_try_stock(C, Q, world);
    RwNode *root = &Q->tree.nodes[Q->root];
    if (!root->is_looked_at && !rw_look_at_root(C, Q, world, rw_derived_seed(Q->seed, (uint64_t)number))) return 0;
    const int32_t first = rw_select(&Q->tree, root);
    const RwSlot *slot = &Q->tree.slots[root->first + first];
    const int64_t turn = Q->has_chance && root->is_open ? slot->visits - slot->before : number;
    const uint64_t seed = rw_derived_seed(Q->seed, (uint64_t)turn);
    Q->nway = 0;
    Q->has_block = 0;
    int is_out = 0;
    const int come = world->begun ? rw_come_to_root(C, Q, Q->work, world, seed, &is_out) : 1;
    if (come != 1) return come == 0; /* nothing is learnt */
    switch (rw_descend(C, Q, Q->work, first, world, rw_chance_of(seed), is_out, worth)) {
    case RW_WORTH_KNOWN: break;
    case RW_TO_PLAY_OUT: rw_leaf_worth(C, Q, Q->work, seed, worth); break;
    case RW_FAULTY: rw_nothing(worth); break;
    default: return 0;
    }
    for (const RwStep *step = Q->way, *const end = step + Q->nway; step < end; step++) {
        RwNode *node = &Q->tree.nodes[step->node];
        rw_add(&Q->tree, node, step->slot, worth[node->player]);
    }
    return 1;
}

/* Simulates until there are `until` simulations, or the root is proved. RW_GO, or RW_UNKNOWN if there is no memory. */
RW_API int32_t rwx_search_run(Ctx *C, RwSearch *Q, int64_t until) {
    if (Q->nworlds == 0 || Q->root == RW_NO_NODE || until > INT32_MAX) return RW_UNKNOWN;
    while (Q->simulations < until && !Q->is_decided)
        if (!rw_simulate(C, Q)) return RW_UNKNOWN;
    return RW_GO;
}

#include "rw_found.h"

#endif
