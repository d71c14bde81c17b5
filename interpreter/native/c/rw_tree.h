/* A search tree: decisions with how often each option was simulated, and what came of it. The same as
 * play/bots/node.py, to the last bit; the header of play/bots/tree.py says what everything means.
 *
 * Nodes and slots lie in arrays that grow, and are known by their numbers. A tree has at most `most` slots: when it is
 * full no node is added, and the search goes on with what it has. */
#ifndef RW_TREE_H
#define RW_TREE_H

#include <math.h>

#include "rw_hash.h"
#include "rw_api.h"

#define RW_BY_PRIOR 1.5    /* how much a prior counts for */
#define RW_UNTRIED (-INFINITY) /* whatever it is multiplied by, no score with it is larger than another */
enum { RW_FREE_SLOTS = 8, RW_WIDTH = 4 }; /* how many slots a narrow node tries for its visits */
enum { RW_FEWEST = 256 }; /* room of an array to begin with */
enum { RW_NO_NODE = -1, RW_UNPROVED = -1, RW_NO_MEMORY = -2, RW_FULL = -3 };

typedef struct {
    int32_t player, slots;
    int32_t first;   /* its slots are those from here on */
    int32_t tried;   /* of the order of its slots; what is proved is passed over */
    int32_t won;     /* the first slot that was proved to win, or -1 */
    int32_t visits;
    int32_t nproved; /* slots that are certain */
    int32_t position; /* where its position begins, or -1: rw_positions.h */
    double total;    /* worth to the player, over all visits */
    int8_t is_open;  /* stands for one position, not for all that a player cannot tell apart */
    int8_t is_looked_at, is_narrow; /* by rw_one_step.h; it found a difference: not all slots need be tried */
} RwNode;

typedef struct {
    double sum, q, r; /* worth to the player over all visits; sum / visits; 1 / sqrt(visits), 0 for what is proved, and
                         RW_UNTRIED for what is neither tried nor proved */
    int32_t visits;
    int32_t before;   /* those of them before its node became the root of a tree that was kept */
    int32_t next;     /* of an open node: the decision after this slot without chance, or RW_NO_NODE */
    int32_t order;    /* of all slots of the node, the number of the one that is tried at this place */
    int32_t proved;   /* where the result that is certain begins in `results`, or RW_UNPROVED */
} RwSlot;

typedef struct { /* a decision that is found by what its player has seen */
    RwHash key;
    int32_t node; /* RW_NO_NODE: this entry is free */
} RwEntry;

typedef struct {
    RwNode *nodes;
    int32_t nnodes, nodecap;
    RwSlot *slots;
    int32_t nslots, slotcap, most;
    int8_t has_priors;
    double *priors;   /* of each slot how likely it is to be good, if a policy tells; else NULL */
    int32_t priorcap;
    double *results; /* RW_PLAYERS numbers for each slot that is certain */
    int32_t nresults, resultcap;
    RwEntry *entries; /* a table of 2^n entries, at most half of them in use */
    int32_t nentries, entrycap;
    int64_t looks, looks_told, looks_proved; /* one step ahead: how many, and how many told or proved something */
    int64_t wide_looks, wide_proved;         /* of them, those at more than RW_MOST_AT_ONCE options */
} RwTree;

/* A 63-bit seed for one of many streams: play/seeds.py. */
static inline uint64_t rw_derived_seed(uint64_t seed, uint64_t stream) {
    uint64_t mixed = seed * 0x9E3779B97F4A7C15u + (stream + 1) * 0xD1B54A32D192ED03u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return (mixed ^ mixed >> 31) >> 1;
}

/* ---------------------------------------------------------------- memory */

/* An array with room for `wanted` elements, at least doubled; what it held is kept. Gives 0 if there is no memory. */
static int rw_grow_more(void **array, int32_t *cap, int32_t used, int32_t wanted, size_t size) {
    int32_t more = *cap < RW_FEWEST ? RW_FEWEST : *cap;
    while (more < wanted) {
        if (more > INT32_MAX / 2) return 0;
        more *= 2;
    }
    void *made = malloc((size_t)more * size);
    if (made == NULL) return 0;
    if (used > 0) memcpy(made, *array, (size_t)used * size);
    free(*array);
    *array = made;
    *cap = more;
    return 1;
}

static inline int rw_grow(void **array, int32_t *cap, int32_t used, int32_t wanted, size_t size) {
    return wanted <= *cap || rw_grow_more(array, cap, used, wanted, size);
}

static void rw_free_tree(RwTree *T) {
    free(T->nodes);
    free(T->slots);
    free(T->priors);
    free(T->results);
    free(T->entries);
}

/* ---------------------------------------------------------------- nodes */

/* A new node; RW_FULL if the tree has no room for its slots, RW_NO_MEMORY if the machine has none. The first node is
 * always made. */
static int32_t rw_new_node(RwTree *T, uint64_t seed, int player, int32_t slots, int is_open) {
    if (T->nnodes > 0 && slots > T->most - T->nslots) return RW_FULL;
    if (!rw_grow((void **)&T->nodes, &T->nodecap, T->nnodes, T->nnodes + 1, sizeof(RwNode)) ||
        !rw_grow((void **)&T->slots, &T->slotcap, T->nslots, T->nslots + slots, sizeof(RwSlot)) ||
        (T->has_priors && !rw_grow((void **)&T->priors, &T->priorcap, T->nslots, T->nslots + slots, sizeof(double))))
        return RW_NO_MEMORY;
    const int32_t number = T->nnodes++;
    const uint64_t stream = ((uint64_t)1 << 41) + (uint64_t)number;
    T->nodes[number] =
        (RwNode){.player = player, .slots = slots, .first = T->nslots, .is_open = (int8_t)is_open, .won = -1, .position = -1};
    int32_t order = (int32_t)(rw_derived_seed(seed, stream) % (uint64_t)slots);
    RwSlot *const first = T->slots + T->nslots, *const end = first + slots;
    for (RwSlot *slot = first; slot < end; slot++) {
        *slot = (RwSlot){.r = RW_UNTRIED, .next = RW_NO_NODE, .proved = RW_UNPROVED, .order = order};
        order = order + 1 < slots ? order + 1 : 0;
    }
    T->nslots += slots;
    return number;
}

/* The slot of the next simulation, by the priors of a policy. */
static int32_t rw_select_by_prior(const RwTree *T, const RwNode *node) {
    const RwSlot *slots = T->slots + node->first;
    const double *priors = T->priors + node->first;
    const double mean = node->visits > 0 ? node->total / node->visits : 0.0;
    const double wide = RW_BY_PRIOR * sqrt((double)node->visits + 1.0);
    double most = 0.0;
    int32_t best = 0;
    for (int32_t i = 0; i < node->slots; i++) {
        double score = slots[i].visits > 0 || slots[i].proved != RW_UNPROVED ? slots[i].q : mean;
        if (slots[i].proved == RW_UNPROVED) score += wide * priors[i] / (1 + slots[i].visits);
        if (i > 0 && score <= most) continue;
        most = score;
        best = i;
    }
    return best;
}

/* Whether a slot is to be tried that was not tried so far. */
static int rw_has_another(const RwTree *T, RwNode *node) {
    const RwSlot *slots = T->slots + node->first;
    while (node->tried < node->slots && slots[slots[node->tried].order].proved != RW_UNPROVED) node->tried++;
    const int64_t tried = node->tried;
    if (tried == node->slots || !node->is_narrow) return tried < node->slots;
    return tried <= RW_FREE_SLOTS || tried * tried <= (int64_t)RW_WIDTH * node->visits;
}

/* The slot of the next simulation. */
static int32_t rw_select(const RwTree *T, RwNode *node) {
    if (T->has_priors) return rw_select_by_prior(T, node);
    const RwSlot *slots = T->slots + node->first;
    if (node->won >= 0) return node->won;
    if (rw_has_another(T, node)) return slots[node->tried].order;
    const int32_t visits = node->visits > 1 ? node->visits : 1;
    const int32_t power = 31 - __builtin_clz((uint32_t)visits);
    const double whole = (double)((int32_t)1 << power);
    const double wide = sqrt(power + (visits - whole) / whole);
    const RwSlot *best = slots, *const end = slots + node->slots;
    double most = -INFINITY;
    for (const RwSlot *slot = slots; slot < end; slot++) {
        const double score = slot->q + wide * slot->r;
        if (!(score > most)) continue; /* an untried slot has -INFINITY, or no number at all if `wide` is 0 */
        most = score;
        best = slot;
    }
    return (int32_t)(best - slots);
}

/* A simulation through this slot came to that. */
static void rw_add(RwTree *T, RwNode *node, int32_t number, double worth) {
    RwSlot *slot = &T->slots[node->first + number];
    node->visits++;
    node->total += worth;
    slot->visits++;
    if (node->tried < node->slots && T->slots[node->first + node->tried].order == number) node->tried++;
    slot->sum += worth;
    if (slot->proved != RW_UNPROVED) return;
    slot->q = slot->sum / slot->visits;
    slot->r = 1.0 / sqrt(slot->visits);
}

/* ---------------------------------------------------------------- proofs */

/* The slot is certain to end so. *whole is then the result of the whole node if that is certain now, else NULL; it
 * lies in `results` or is the result itself. Gives 0 if there is no memory. */
static int rw_prove(RwTree *T, RwNode *node, int32_t number, const double *result, const double **whole) {
    RwSlot *slots = T->slots + node->first;
    *whole = NULL;
    if (slots[number].proved == RW_UNPROVED) {
        if (T->nresults > INT32_MAX - RW_PLAYERS ||
            !rw_grow((void **)&T->results, &T->resultcap, T->nresults, T->nresults + RW_PLAYERS, sizeof(double)))
            return 0;
        memcpy(T->results + T->nresults, result, sizeof(double) * RW_PLAYERS);
        slots[number].proved = T->nresults;
        slots[number].q = result[node->player];
        slots[number].r = 0.0;
        T->nresults += RW_PLAYERS;
        node->nproved++;
    }
    if (result[node->player] >= 1.0) {
        if (node->won < 0) node->won = number;
        *whole = result;
        return 1;
    }
    if (node->nproved < node->slots) return 1;
    for (int32_t i = 0; i < node->slots; i++) {
        const double *known = T->results + slots[i].proved;
        if (*whole == NULL || known[node->player] > (*whole)[node->player]) *whole = known;
    }
    return 1;
}

static int rw_is_proved(const RwTree *T, const RwNode *node, const RwSlot *slot, double bound, int above) {
    if (slot->proved == RW_UNPROVED) return 0;
    double known = T->results[slot->proved + node->player];
    return above ? known >= bound : known <= bound;
}

static int rw_is_better(const RwSlot *one, const RwSlot *other) {
    return one->visits != other->visits ? one->visits > other->visits : one->q > other->q;
}

/* The slot to choose when the search is over. */
static int32_t rw_best_slot(const RwTree *T, const RwNode *node) {
    const RwSlot *slots = T->slots + node->first;
    int32_t best = -1, of_all = 0;
    for (int32_t i = 0; i < node->slots; i++) {
        if (rw_is_proved(T, node, &slots[i], 1.0, 1)) return i;
        if (i > 0 && rw_is_better(&slots[i], &slots[of_all])) of_all = i;
        if (rw_is_proved(T, node, &slots[i], -1.0, 0)) continue;
        if (best < 0 || rw_is_better(&slots[i], &slots[best])) best = i;
    }
    return best < 0 ? of_all : best;
}

/* ---------------------------------------------------------------- nodes by key */

static RwEntry *rw_entry_of(const RwTree *T, RwHash key) {
    uint32_t at = (uint32_t)(key.a >> 16) & (uint32_t)(T->entrycap - 1);
    while (T->entries[at].node != RW_NO_NODE && !rw_same_hash(T->entries[at].key, key))
        at = (at + 1) & (uint32_t)(T->entrycap - 1);
    return &T->entries[at];
}

static int32_t rw_find_node(const RwTree *T, RwHash key) {
    return T->entrycap == 0 ? RW_NO_NODE : rw_entry_of(T, key)->node;
}

/* Twice as many entries, with all that were there. */
static int rw_widen_table(RwTree *T) {
    RwTree wide = {.entrycap = T->entrycap == 0 ? RW_FEWEST : T->entrycap * 2};
    wide.entries = malloc(sizeof(RwEntry) * (size_t)wide.entrycap);
    if (wide.entries == NULL) return 0;
    for (int32_t i = 0; i < wide.entrycap; i++) wide.entries[i].node = RW_NO_NODE;
    for (int32_t i = 0; i < T->entrycap; i++)
        if (T->entries[i].node != RW_NO_NODE) *rw_entry_of(&wide, T->entries[i].key) = T->entries[i];
    free(T->entries);
    T->entries = wide.entries;
    T->entrycap = wide.entrycap;
    return 1;
}

/* The node is found by this key from now on; 0 if there is no memory. */
static int rw_keep_node(RwTree *T, RwHash key, int32_t node) {
    if (T->nentries * 2 >= T->entrycap && !rw_widen_table(T)) return 0;
    RwEntry *entry = rw_entry_of(T, key);
    entry->key = key;
    entry->node = node;
    T->nentries++;
    return 1;
}

#endif
