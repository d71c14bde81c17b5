/* One step ahead of a node, before it selects: which of its options end the game, and how its player stands after the
 * others. play/bots/one_step.py says what for; the same here, step by step. */
#ifndef RW_ONE_STEP_H
#define RW_ONE_STEP_H

#include "rw_tree.h"
#include "rw_worth.h"

enum { RW_MOST_AT_ONCE = 32, RW_NEAR = 2, RW_FEW_OPTIONS = 6, RW_MOST_NEAR = 256 };
enum { RW_LOOK_PAYS = 8, RW_WIDE_PAYS = 32 }; /* one look in so many must tell something */
/* Where a result can be certain: not alone, and not in a team that counts points and is never content with a win. */
enum { RW_PROVES = RW_PLAYERS > 1 && !(RW_TEAM && RW_HAS_SCORES && !RW_PAYOFF) };
#define RW_STANDS_FAULTY (-2.0) /* below every result */

typedef struct { /* how the player of the node stands after an option */
    double result;
    num margin;
    int32_t slot;
} RwStands;

typedef struct { /* room for looks */
    State *state;
    int32_t *options; /* of the node: what lies in the context is overwritten by the first step */
    RwStands *stands, *merged;
    int32_t optioncap, standscap, mergedcap;
    int8_t looks_at_results; /* and at nothing else: margins say nothing in this search */
} RwAhead;

static void rw_free_ahead(RwAhead *A) {
    free(A->state);
    free(A->options);
    free(A->stands);
    free(A->merged);
}

static int rw_has_room_ahead(RwAhead *A, int32_t n) {
    if (A->state == NULL) A->state = malloc(sizeof(State));
    return A->state != NULL && rw_grow((void **)&A->options, &A->optioncap, 0, n, sizeof(int32_t)) &&
           rw_grow((void **)&A->stands, &A->standscap, 0, n, sizeof(RwStands)) &&
           rw_grow((void **)&A->merged, &A->mergedcap, 0, n, sizeof(RwStands));
}

/* Whether another look is worth it: where the rules count no points, always. `told`: the looks that told something and
 * one more, for each visit. */
static int rw_look_pays(const RwTree *T, int64_t told) {
    return !RW_HAS_SCORES || RW_LOOK_PAYS * told >= T->looks;
}

static int rw_is_time_to_look(const RwTree *T, const RwNode *node, int is_root) {
    if (node->is_looked_at || T->has_priors) return 0;
    if (is_root) return 1;
    const int64_t visits = (int64_t)node->visits + 1;
    return RW_MOST_AT_ONCE * visits >= node->slots && rw_look_pays(T, visits * (T->looks_told + 1));
}

/* Whether a node is to be looked at as soon as it is made; it is so many choices away from the root. */
static int rw_is_time_when_made(const RwTree *T, const RwNode *node, int64_t depth) {
    if (!RW_PROVES || !rw_look_pays(T, T->looks_proved + 1) || !node->is_open || T->has_priors) return 0;
    if (depth > RW_NEAR) return node->slots <= RW_FEW_OPTIONS;
    if (node->slots <= RW_MOST_AT_ONCE) return 1;
    return !RW_HAS_SCORES && node->slots <= RW_MOST_NEAR && RW_WIDE_PAYS * (T->wide_proved + 1) >= T->wide_looks;
}

static int rw_is_certain(const RwNode *node) {
    return node->won >= 0 || node->nproved == node->slots;
}

static int rw_stands_before(const RwStands *one, const RwStands *other) {
    return one->result != other->result ? one->result > other->result : one->margin > other->margin;
}

/* Best first; equals keep their order (a merge sort from below). The sorted ones end up in A->stands. */
static void rw_sort_stands(RwAhead *A, int32_t n) {
    int32_t sorted = 1;
    while (sorted < n && !rw_stands_before(&A->stands[sorted], &A->stands[sorted - 1])) sorted++;
    if (sorted >= n) return;
    for (int32_t width = 1; width < n; width *= 2) {
        for (int32_t from = 0; from < n; from += 2 * width) {
            const int32_t middle = from + width < n ? from + width : n;
            const int32_t end = middle + width < n ? middle + width : n;
            int32_t left = from, right = middle;
            for (int32_t i = from; i < end; i++) {
                const int is_right =
                    left == middle || (right < end && rw_stands_before(&A->stands[right], &A->stands[left]));
                A->merged[i] = A->stands[is_right ? right++ : left++];
            }
        }
        memcpy(A->stands, A->merged, sizeof(RwStands) * (size_t)n);
    }
}

/* Takes up an option, and goes on to the next decision, whose options nobody will read; or to the end of the game. */
static int rw_steps_on(Ctx *C, State *S, int32_t option) {
    /* An automa takes the first option, which has to be there. */
    const int wanted = RW_AUTOMAS == 0 ? RW_NUMBER_OF_OPTIONS : 0;
    const int is_there = rw_take(C, S, option) == RW_GO && rw_run_to_choice(C, S, wanted) == RW_STOP;
    C->sampled = 0;
    C->asked = 0; /* what lies in C->opts is not what the next decision offers */
    return is_there;
}

/* Takes up one option on a copy: how the player stands, and a proof if the game is certain to end. 0 if there is no
 * memory. */
static inline int rw_look_at_slot(Ctx *C, RwTree *T, RwAhead *A, const State *S, RwNode *node, RwStands *stands) {
    State *copy = A->state;
    double results[RW_PLAYERS];
    const double *whole;
    num margins[RW_PLAYERS];
    rw_copy(copy, S);
    *stands = (RwStands){RW_STANDS_FAULTY, 0, stands->slot};
    if (!rw_steps_on(C, copy, A->options[stands->slot])) return 1;
    if (copy->over && !rw_result(C, copy, results)) return 1;
    const int has_margin = RW_HAS_POINTS && !A->looks_at_results;
    if (has_margin && !rw_margins_at(C, copy, margins)) return 1;
    stands->margin = has_margin ? margins[node->player] : 0;
    stands->result = copy->over ? results[node->player] : 0.0;
    if (!copy->over || copy->g != S->g || !node->is_open || !RW_PROVES) return 1;
    return rw_prove(T, node, stands->slot, results, &whole);
}

/* The node was looked at, and had so many slots proved before. */
static int rw_note_look(RwTree *T, RwNode *node, int32_t before) {
    node->is_looked_at = 1;
    T->looks++;
    T->looks_proved += node->nproved > before;
    if (node->slots > RW_MOST_AT_ONCE) {
        T->wide_looks++;
        T->wide_proved += node->nproved > before;
    }
    T->looks_told += node->nproved > before || node->is_narrow;
    return 1;
}

/* Puts the slots that were looked at in the order of how the player stands after them, the best first. Not all of them
 * need be tried if those that are not proved differ. */
static void rw_order_slots(RwAhead *A, RwNode *node, const RwSlot *slots, RwSlot *ordered, int32_t n) {
    const RwStands *best = NULL, *worst = NULL; /* of those that are not proved */
    rw_sort_stands(A, n);
    for (int32_t i = 0; i < n; i++) {
        ordered[i].order = A->stands[i].slot;
        if (slots[A->stands[i].slot].proved != RW_UNPROVED) continue;
        if (best == NULL) best = &A->stands[i];
        worst = &A->stands[i];
    }
    node->is_narrow = (int8_t)(best != NULL && rw_stands_before(best, worst));
}

/* Looks at the slots of a node that were not tried yet, in a state that stands at its decision. *options, one for each
 * slot, lies in A afterwards. 0 if there is no memory. */
static int rw_look_one_step(Ctx *C, RwTree *T, RwAhead *A, const State *S, RwNode *node, int is_root,
                            const int32_t **options) {
    RwSlot *slots = T->slots + node->first, *const ordered = slots + node->tried;
    const int32_t n = node->slots - node->tried, before = node->nproved;
    int is_even = 1; /* the player stands alike after all of them: mostly so where nothing is counted */
    if (!rw_has_room_ahead(A, node->slots)) return 0;
    memcpy(A->options, *options, sizeof(int32_t) * (size_t)node->slots);
    *options = A->options;
    for (int32_t i = 0; i < n; i++) {
        RwStands *stands = &A->stands[i];
        stands->slot = ordered[i].order;
        if (!rw_look_at_slot(C, T, A, S, node, stands)) return 0;
        if (node->won >= 0 && !is_root) return rw_note_look(T, node, before); /* nothing else will be selected here */
        if (stands->result != A->stands->result || stands->margin != A->stands->margin) is_even = 0;
    }
    if (!is_even) rw_order_slots(A, node, slots, ordered, n);
    return rw_note_look(T, node, before);
}

#endif
