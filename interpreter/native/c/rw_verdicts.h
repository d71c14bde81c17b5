/* Whether a world agrees with what its player was told: sums of what lies where a fact looks, verdicts that are known
 * by sum (rw_facts.h), and decisions of the past and values told to all, asked again as the world would have them. Where
 * only Python can ask, the walk says so. */
#ifndef RW_VERDICTS_H
#define RW_VERDICTS_H

#include "rw_again.h"

/* ---------------------------------------------------------------- facts */

/* The fact has to be asked in this step; its sum is kept as it was. */
static void rw_touch(RwWalk *W, int32_t number) {
    RwTold *T = &W->facts[number];
    if (T->is_asked) return;
    T->is_asked = 1;
    memcpy(T->before, T->sum, sizeof(uint64_t) * (size_t)T->fact->nwords);
    W->asked[W->nasked++] = number;
}

static void rw_forget_asked(RwWalk *W) {
    for (int32_t i = 0; i < W->nasked; i++) W->facts[W->asked[i]].is_asked = 0;
    W->nasked = 0;
}

static void rw_restore_sums(RwWalk *W) {
    for (int32_t i = 0; i < W->nasked; i++) {
        RwTold *T = &W->facts[W->asked[i]];
        memcpy(T->sum, T->before, sizeof(uint64_t) * (size_t)T->fact->nwords);
    }
}

/* What the answer of a fact turns on, and what was taken: its pieces by what the question can tell of them and where
 * they lay. */
static void rw_key_of(const RwWalk *W, const RwTold *T, uint64_t *key) {
    const RwFact *A = T->fact;
    int32_t n = A->nwords;
#if RW_REMEMBERS
    if (rw_has_gone(A)) {
        rw_key_gone(W, T, key);
        return;
    }
#endif
    memcpy(key, T->sum, sizeof(uint64_t) * (size_t)n);
    for (int32_t i = 0; i < A->nnumbers; i++) key[n++] = (uint64_t)W->unknowns[T->numbers[i]].shift;
    for (int32_t i = 0; i < A->nchosen; i++) {
        const int32_t piece = W->epochs[T->taken_in].new[A->chosen[i]], here = W->epochs[T->epoch].old[piece];
        const int is_loose = A->loose[here] >= 0;
        const uint32_t what = (uint32_t)(is_loose ? A->sorts[piece] : W->row[piece]);
        key[n++] = (uint64_t)what << 32 | (uint32_t)(is_loose ? A->loose[here] : ~here);
    }
}

/* 1 if all facts of this step hold, 0 if one does not, -1 if it has to be asked of W->pending. One that is known to fail
 * comes before any that is not known. Facts that turn on what rules hold are left out: rw_asks_with_locals. */
static int rw_walk_holds(RwWalk *W) {
    uint64_t key[RW_MOST_KEY];
    W->pending = -1;
    for (int32_t i = 0; i < W->nasked; i++) {
        const RwTold *T = &W->facts[W->asked[i]];
        if (T->held_by >= 0) continue;
        if (T->is_simple && memcmp(T->sum, T->before, sizeof(uint64_t) * (size_t)T->fact->nwords) == 0) continue;
        rw_key_of(W, T, key);
        const int verdict = rw_verdict_of(T->fact, key);
        if (verdict == 1) return 0;
        if (verdict == 0) W->pending = W->asked[i];
    }
    return W->pending < 0 ? 1 : -1;
}

/* ---------------------------------------------------------------- asking */

/* What a piece of a world is to a question, and where it lay then. */
static uint64_t rw_placed(const RwWalk *W, const RwTold *T, int32_t piece) {
    const int32_t here = W->epochs[T->epoch].old[piece];
    const uint32_t what = (uint32_t)(T->fact->loose[here] >= 0 ? T->fact->sorts[piece] : W->row[piece]);
    return (uint64_t)what << 32 | (uint32_t)T->fact->past.spots[here];
}

/* Whether an option of a world is the one that was taken: its numbers are, and its pieces are such as were taken. */
static int rw_is_taken(const RwWalk *W, const RwTold *T, int32_t option) {
    const RwPast *P = &T->fact->past;
    if (P->ndigits == 0) return option == P->option;
    if (option < P->first || option - P->first >= P->size) return 0;
    int32_t rest = option - P->first;
    for (int32_t i = P->ndigits - 1; i >= 0; i--) {
        const RwDigit *one = &P->digits[i];
        const int32_t value = rest % one->count + one->low;
        rest /= one->count;
        if (!one->is_piece || value < 0 || one->value < 0) {
            if (value != one->value) return 0;
        } else if (value >= RW_PIECES ||
                   rw_placed(W, T, value) != rw_placed(W, T, W->epochs[T->taken_in].new[one->value])) {
            return 0;
        }
    }
    return 1;
}

#if RW_REMEMBERS
/* Asks again what a value comes to that was told to all. A fault of the rules is not what was told. */
static int rw_ask_told(Ctx *C, const RwWalk *W, const RwTold *T) {
    const RwPast *P = &T->fact->past;
    const int32_t *new = W->epochs[T->epoch].new;
    num args[RW_MOST_DIGITS + 1] = {0}, value = 0;
    State *S = C->work;
    if (!rw_past_in_world(W, T, S)) return -1;
    rw_begin(C);
    for (int32_t i = 0; i < P->ndigits; i++) {
        const int is_piece = P->digits[i].is_piece && P->digits[i].value >= 0;
        args[i] = is_piece ? new[P->digits[i].value] : P->digits[i].value;
    }
    const int is_known = rw_told_again(C, S, P->option, args, &value);
    if (!is_known) rw_forget_fault(C);
    return is_known && value == P->value;
}
#endif

/* Whether an answer is what the player was told; `head`: as RW_ASKED_HEAD has it. */
static int rw_is_answered_alike(const RwWalk *W, const RwTold *T, const int32_t *head, const int32_t *options) {
    const RwPast *P = &T->fact->past;
    if (P->kind == RW_FACT_FELL) return head[0] == RW_GO && (head[3] >= 0) == P->has_pick;
    const int posed = head[0] == RW_STOP && head[1] == P->site && head[2] == P->who;
    if (P->is_visible && (!posed || (head[4] > 1) != P->is_many)) return 0;
    if (!P->is_taken) return 1;
    for (int32_t i = 0; posed && i < head[4]; i++)
        if (rw_is_taken(W, T, options[i])) return 1;
    return 0;
}

/* Asks a decision at which the rules hold something unseen, as the world has it. */
static int rw_ask_with_locals(Ctx *C, const RwWalk *W, const RwTold *T) {
#if RW_REMEMBERS
    State *S = C->work;
    if (!rw_past_in_world(W, T, S)) return -1;
    rw_begin(C);
    int signal = rw_segment(C, S, RW_PLAYOUT, RW_TOP_FRAME(S));
    if (signal == RW_FAULT && C->fault == RW_TOO_LARGE) return -1;
    if (signal == RW_FAULT) rw_forget_fault(C);
    if (signal == RW_STOP && S->over) signal = RW_ENDED;
    const int32_t head[RW_ASKED_HEAD] = {signal, S->site, S->who, S->pick, signal == RW_STOP ? S->nopts : 0};
    return rw_is_answered_alike(W, T, head, C->opts + S->opts);
#else
    return -1;
#endif
}

/* Asks a decision of the past again: 1 if the fact holds in this world, 0 if not, -1 if only Python can say. */
static int rw_ask_fact(Ctx *C, RwWalk *W, const RwTold *T) {
    const RwPast *P = &T->fact->past;
    int32_t *room = W->asking;
    if (P->kind == RW_FACT_OTHER || P->state == NULL) return -1;
#if RW_REMEMBERS
    if (P->kind == RW_FACT_TOLD) return rw_ask_told(C, W, T);
    if (P->kind == RW_FACT_POSED) return rw_ask_posed(C, W, T);
    if (rw_has_gone(T->fact)) return rw_ask_gone(C, W, T);
#endif
    if (T->held_by >= 0) return rw_ask_with_locals(C, W, T);
    memcpy(room, W->epochs[T->epoch].new, sizeof(int32_t) * RW_PIECES);
    int32_t *added = room + RW_PIECES;
    *added = 0;
    for (int32_t i = 0; i < T->fact->nnumbers; i++) {
        const int64_t shift = W->unknowns[T->numbers[i]].shift;
        if (shift == 0) continue;
        added[1 + 2 * *added] = P->offsets[i];
        added[2 + 2 * *added] = (int32_t)shift;
        ++*added;
    }
    const int32_t count = rwx_asked(C, P->state, P->told, room, RW_ASKING_ROOM);
    if (count < RW_ASKED_HEAD) return -1;
    return rw_is_answered_alike(W, T, room, room + RW_ASKED_HEAD);
}

/* The facts of this step that turn on what the rules hold at that moment. No verdict of theirs is kept. */
static int rw_asks_with_locals(Ctx *C, RwWalk *W) {
    for (int32_t i = 0; W->nsteps && i < W->nasked; i++) {
        if (W->facts[W->asked[i]].held_by < 0) continue;
        const int verdict = rw_ask_fact(C, W, &W->facts[W->asked[i]]);
        if (verdict < 0) W->is_lost = 1;
        if (verdict < 1) return verdict;
    }
    return 1;
}

/* As rw_walk_holds, with what can be asked here asked. */
static int rw_walk_judges(Ctx *C, RwWalk *W) {
    uint64_t key[RW_MOST_KEY];
    for (;;) {
        const int holds = rw_walk_holds(W);
        if (holds >= 0) return holds ? rw_asks_with_locals(C, W) : 0;
        const RwTold *T = &W->facts[W->pending];
        const int verdict = rw_ask_fact(C, W, T);
        if (verdict < 0) return -1;
        rw_key_of(W, T, key);
        RW_CHARGE(RW_PIECES);
        if (!rw_keep_verdict(T->fact, key, verdict)) return -1;
    }
}

/* Python says whether the pending fact holds. RW_GO, or RW_UNKNOWN if there is no memory. */
RW_API int32_t rwx_walk_verdict(RwWalk *W, int32_t is_kept) {
    uint64_t key[RW_MOST_KEY];
    if (W->pending < 0) return RW_UNKNOWN;
    RwTold *T = &W->facts[W->pending];
    rw_key_of(W, T, key);
    return rw_keep_verdict(T->fact, key, is_kept) ? RW_GO : RW_UNKNOWN;
}

/* The products of two rows of numbers, without what they have in common, and whether the second is larger than what the
 * generator gives: its 32 bits are then too few, and the share of the first in the second is rounded. */
typedef struct { uint64_t before, after; int8_t is_large, is_out; double size; } RwWeights;

static void rw_weigh(RwWeights *weights, uint64_t before, uint64_t after) {
    const uint64_t most = (uint64_t)1 << 62;
    weights->size *= (double)after; /* exact until it is large */
    weights->is_large |= weights->size >= 2147483648.0;
    if (before == after) return;
    if ((before && weights->before > most / before) || (after && weights->after > most / after)) {
        weights->is_out = 1;
        return;
    }
    weights->before *= before;
    weights->after *= after;
    uint64_t one = weights->before, other = weights->after;
    while (other) {
        const uint64_t rest = one % other;
        one = other;
        other = rest;
    }
    weights->before /= one ? one : 1;
    weights->after /= one ? one : 1;
}

/* In how many ways choices that were made again could be made, against where the walk stands. */
static void rw_weigh_choices(const RwWalk *W, RwWeights *weights) {
#if RW_REMEMBERS
    for (int32_t i = 0; i < W->nsteps; i++)
        if (W->steps_now[i].is_asked)
            rw_weigh(weights, (uint64_t)W->steps_now[i].next_n, (uint64_t)W->steps_now[i].noffered);
#endif
}

/* Whether a step is taken that agrees: less often, if it leads to more equal copies where one was chosen, or if choices that
 * were made again are offered less than before. */
static int rw_is_as_likely(RwWalk *W, int32_t first, int32_t last) {
    RwWeights weights = {1, 1, 0, 0, 1.0};
    if (!W->has_copies && !W->nsteps) return 1;
    for (int32_t i = first; i < last; i++)
        if (W->epochs[i].is_weighed)
            rw_weigh(&weights, (uint64_t)W->epochs[i].copies, (uint64_t)rw_copies(W, &W->epochs[i]));
    rw_weigh_choices(W, &weights);
    if (weights.is_out) {
        W->is_lost = 1;
        return 0;
    }
    if (weights.before < weights.after) {
        uint64_t most = weights.after, least = weights.before;
        if (weights.is_large) { /* least = before * 2^31 / after, bit by bit */
            uint64_t rest = weights.before;
            least = 0;
            for (int bit = 0; bit < 31; bit++) {
                rest <<= 1;
                least <<= 1;
                if (rest >= weights.after) {
                    rest -= weights.after;
                    least |= 1;
                }
            }
            most = (uint64_t)1 << 31;
        }
        W->g = W->g * 6364136223846793005u + 1442695040888963407u;
        if (((W->g >> 32) * most >> 32) >= least) return 0;
    }
    for (int32_t i = first; i < last; i++)
        if (W->epochs[i].is_weighed) W->epochs[i].copies = rw_copies(W, &W->epochs[i]);
    return 1;
}

#endif
