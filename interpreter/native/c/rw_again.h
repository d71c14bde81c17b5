/* Sets and payments that somebody picked one by one, made again as a world would have them: the facts of
 * runtime/picked_sets.py and runtime/paid_sets.py, verdict by verdict.
 *
 * RW_FACT_POSED: whether the player was asked for anything of it. RW_FACT_PICKED, RW_FACT_PAID: pieces have gone unseen,
 * and those that a world has in their stead must be such as could be picked there. What a world took is told by the
 * renaming of a later epoch, so no sum says it: the names themselves are the key of a verdict.
 *
 * Only libraries that remember make such facts. While a set is made again, the context has an RwAgain: emitted code tells it
 * what is picked so far, which picks answered themselves, and when chance falls (rw_moments.h, rw_notices.h). */
#ifndef RW_AGAIN_H
#define RW_AGAIN_H

#include "rw_steps.h"

enum { RW_MOST_WAYS = 200 }; /* picks that are tried for one payment: as in paid_sets.py */

#if RW_REMEMBERS
typedef struct RwAgain {
    int32_t site;
    int8_t is_astray, has_forced; /* chance fell, or all choose together: something else than the set follows */
    int32_t npicked, picked[RW_PIECES + 2];
    int32_t nforced, forced[RW_PIECES + 2], forced_pick; /* what the set had when it last answered itself, and its pick */
} RwAgain;

/* The state of a fact as the world has it: pieces and numbers. 0 if something does not fit. */
static int rw_past_in_world(const RwWalk *W, const RwTold *T, State *S) {
    const RwPast *P = &T->fact->past;
    const int32_t *new = W->epochs[T->epoch].new;
    if (!rw_is_renaming(new) || !rw_renamed(S, P->state, P->told, new)) return 0;
    for (int32_t i = 0; i < T->fact->nnumbers; i++) {
        const num sum = rw_number(S, P->offsets[i]) + W->unknowns[T->numbers[i]].shift;
        if (!rw_fits(P->offsets[i], sum)) return 0;
        rw_set_number(S, P->offsets[i], sum);
    }
    if (T->held_by >= 0) {
        const RwStepNow *held = &W->steps_now[T->held_by];
        if (!rw_put_locals(S, W->steps_told[T->held_by].slots, held->next_k, held->next_top)) return 0;
    }
    rw_index_anew(S);
    S->steps = 0;
    S->stamp = 0;
    return 1;
}

/* ---------------------------------------------------------------- whether somebody is asked */

typedef struct { int8_t is_possible, is_posed, picks_some; } RwPosing;

/* One segment of a set further: 0 when it is known how the set begins. `start`: its frame; `asks`: the segment that asks. */
static int rw_pose_on(Ctx *C, State *S, const RwPast *P, int32_t start, int32_t asks, RwPosing *found) {
    C->optop = C->ustop = 0;
    const int signal = rw_segment(C, S, RW_PLAYOUT, RW_TOP_FRAME(S));
    const int is_asked = signal == RW_STOP && !S->over;
    int32_t *F = RW_TOP_FRAME(S);
    if (signal != RW_GO && !is_asked) { /* what is refused after the last pick is another matter */
        if (signal == RW_FAULT) rw_forget_fault(C);
        found->is_possible = S->k[start] != asks;
        return 0;
    }
    if (S->frame != start || (F[0] != asks && F[0] != asks + 1)) return 0;
    if (is_asked) {
        if (S->site != P->site || S->who != P->who || S->nopts == 0) {
            found->is_possible = found->picks_some = 0;
            return 0;
        }
        found->is_posed = S->nopts > 1 || !S->automatic;
        if (found->is_posed) return 0;
        S->pick = C->opts[S->opts];
        F[0] = asks + 1;
    }
    if (F[0] == asks + 1) { /* it has answered itself; this segment takes the answer up, and asks again */
        if (S->pick < 0) return 0;
        found->picks_some = 1;
    }
    return 1;
}

/* `Posed.agrees` */
static int rw_ask_posed(Ctx *C, const RwWalk *W, const RwTold *T) {
    const RwPast *P = &T->fact->past;
    RwPosing found = {1, 0, 0};
    State *S = C->work;
    if (!rw_past_in_world(W, T, S)) return -1;
    rw_begin(C);
    const int32_t start = S->frame, asks = RW_TOP_FRAME(S)[0];
    while (rw_pose_on(C, S, P, start, asks, &found)) RW_CHARGE(RW_STEP);
    if (!found.is_possible || found.is_posed != P->is_visible) return 0;
    return found.is_posed || found.picks_some == P->has_pick;
}

/* ---------------------------------------------------------------- sets */

/* Pieces by what they are and where they lay before the first pick: a list in which each may stand several times. */
typedef struct { int32_t n; uint64_t of[RW_PIECES + 2]; } RwPlaced;

static void rw_place_pieces(const RwWalk *W, const RwTold *T, const int32_t *pieces, int32_t n, RwPlaced *out) {
    out->n = 0;
    for (int32_t i = 0; i < n; i++) {
        const int32_t here = W->epochs[T->epoch].old[pieces[i]];
        out->of[out->n++] = (uint64_t)(uint32_t)W->row[pieces[i]] << 32 | (uint32_t)T->fact->past.spots[here];
    }
}

/* Takes the second list out of the first, as far as it is there; gives whether all of it was. */
static int rw_take_placed(RwPlaced *from, const RwPlaced *less) {
    int is_whole = 1;
    for (int32_t i = 0; i < less->n; i++) {
        int32_t at = 0;
        while (at < from->n && from->of[at] != less->of[i]) at++;
        if (at < from->n) from->of[at] = from->of[--from->n];
        else is_whole = 0;
    }
    return is_whole;
}

/* The pieces of an option of the set; gives how many. */
static int32_t rw_option_pieces(const RwPast *P, int32_t option, int32_t *out) {
    int32_t n = 0;
    int64_t rest = (int64_t)option - P->first;
    if (option < 0) return 0;
    for (int32_t i = P->ndigits - 1; i >= 0; i--) {
        const RwDigit *one = &P->digits[i];
        const int32_t value = (int32_t)(rest % one->count) + one->low;
        rest /= one->count;
        if (one->is_piece && value >= 0 && value < RW_PIECES) out[n++] = value;
    }
    return n;
}

/* On to the next decision: 1 if somebody is asked, 0 if something else follows, -1 if the rules cannot go on. */
static int rw_run_again(Ctx *C, State *S, RwAgain *again) {
    const uint64_t g = S->g;
    int signal = RW_GO;
    while (signal == RW_GO) {
        C->optop = C->ustop = 0;
        signal = rw_segment(C, S, RW_PLAYOUT, RW_TOP_FRAME(S));
        if (signal == RW_FAULT) rw_forget_fault(C);
        if (again->is_astray || S->g != g || signal == RW_ENDED || (signal == RW_STOP && S->over)) return 0;
        RW_CHARGE(RW_STEP);
        S->steps += RW_STEP;
        if (signal == RW_GO && S->steps > RW_STEP_LIMIT) return 0;
    }
    return signal == RW_STOP ? 1 : -1;
}

/* The first option that is one of the pieces which are left, with its pieces behind those in `picked`; RW_PASS if none. */
static int32_t rw_next_pick(const Ctx *C, const RwWalk *W, const RwTold *T, const State *S, const RwPlaced *left,
                            int32_t *picked, int32_t *npicked) {
    for (int32_t i = 0; i < S->nopts; i++) {
        int32_t bound[RW_MOST_DIGITS];
        RwPlaced own, rest = *left;
        const int32_t option = C->opts[S->opts + i], n = rw_option_pieces(&T->fact->past, option, bound);
        if (option < 0) continue;
        rw_place_pieces(W, T, bound, n, &own);
        if (!rw_take_placed(&rest, &own) || *npicked + n > RW_PIECES) continue;
        memcpy(picked + *npicked, bound, sizeof(int32_t) * (size_t)n);
        *npicked += n;
        return option;
    }
    return RW_PASS;
}

static int rw_offers_pass(const Ctx *C, const State *S) {
    for (int32_t i = 0; i < S->nopts; i++)
        if (C->opts[S->opts + i] == RW_PASS) return 1;
    return 0;
}

/* Whether these pieces are just those that are wanted. */
static int rw_is_wanted(const RwWalk *W, const RwTold *T, const int32_t *pieces, int32_t n, const RwPlaced *wanted) {
    RwPlaced own, left = *wanted;
    rw_place_pieces(W, T, pieces, n, &own);
    return rw_take_placed(&left, &own) && left.n == 0;
}

/* The set with what answered itself behind the last pick; gives how many pieces. */
static int32_t rw_all_picked(const RwPast *P, const RwAgain *again, const int32_t *picked, int32_t n, int32_t *out) {
    if (!again->has_forced) {
        memcpy(out, picked, sizeof(int32_t) * (size_t)n);
        return n;
    }
    memcpy(out, again->forced, sizeof(int32_t) * (size_t)again->nforced);
    return again->nforced + rw_option_pieces(P, again->forced_pick, out + again->nforced);
}

/* `PickedSet.could_take`: 1 or 0. `taken`: what the world must have picked. */
static int rw_pick_again(Ctx *C, const RwWalk *W, const RwTold *T, RwAgain *again, const int32_t *taken, int32_t n) {
    const RwPast *P = &T->fact->past;
    State *S = C->work;
    const int32_t depth = S->depth;
    int32_t picked[RW_PIECES + RW_MOST_DIGITS + 2], npicked = 0;
    RwPlaced wanted;
    rw_place_pieces(W, T, taken, n, &wanted);
    for (;;) {
        again->has_forced = 0;
        const int asked = rw_run_again(C, S, again);
        if (asked < 0) return 0;
        if (!asked || S->site != P->site || S->who != P->who || S->depth != depth || again->npicked < npicked) {
            int32_t all[RW_PIECES + RW_MOST_DIGITS + 2];
            return rw_is_wanted(W, T, all, rw_all_picked(P, again, picked, npicked, all), &wanted);
        }
        RwPlaced left = wanted, has;
        rw_place_pieces(W, T, again->picked, again->npicked, &has);
        rw_take_placed(&left, &has);
        if (again->npicked + left.n != n) return 0;
        if (left.n == 0) return rw_offers_pass(C, S);
        npicked = again->npicked;
        memcpy(picked, again->picked, sizeof(int32_t) * (size_t)npicked);
        const int32_t option = rw_next_pick(C, W, T, S, &left, picked, &npicked);
        if (option < 0 || rw_take(C, S, option) != RW_GO) return 0;
    }
}

/* ---------------------------------------------------------------- payments */

/* A way to pay that has come so far: what has to be paid yet, and the game there. */
typedef struct { int32_t n, *left; State state; } RwPaying;

static int rw_pay_key(RwPaying *way, int32_t key) {
    for (int32_t i = 0; i < way->n; i++)
        if (way->left[i] == key) {
            way->left[i] = way->left[--way->n];
            return 1;
        }
    return 0;
}

static RwPaying *rw_new_paying(int32_t n) {
    RwPaying *way = malloc(sizeof *way);
    if (way == NULL) return NULL;
    way->n = n;
    way->left = malloc(sizeof(int32_t) * (size_t)(n + 1));
    if (way->left != NULL) return way;
    free(way);
    return NULL;
}

static void rw_paying_done(RwPaying *way) {
    if (way == NULL) return;
    free(way->left);
    free(way);
}

/* Forced picks are taken. 1 if something may be picked next, 2 if the payment is complete, 0 if this is no way. */
static int rw_pay_on(Ctx *C, RwPaying *way, int32_t asks) {
    State *S = &way->state;
    const int32_t start = S->frame;
    S->steps = 0;
    for (;;) {
        C->optop = C->ustop = 0;
        const int signal = rw_segment(C, S, RW_PLAYOUT, RW_TOP_FRAME(S));
        const int32_t *F = RW_TOP_FRAME(S);
        if (signal == RW_FAULT) rw_forget_fault(C);
        if (signal == RW_STOP && !S->over) return 1;
        if (signal != RW_GO || S->frame != start || (F[0] != asks && F[0] != asks + 1)) return 0;
        if (F[0] == asks + 1) {
            if (S->pick < 0) return 2;
            if (!rw_pay_key(way, S->pick)) return 0;
        }
        RW_CHARGE(RW_STEP);
    }
}

typedef struct { int32_t n, room; RwPaying **ways; } RwWaiting;

static int rw_wait(RwWaiting *waiting, RwPaying *way) {
    if (way != NULL && rw_grow((void **)&waiting->ways, &waiting->room, waiting->n, waiting->n + 1, sizeof way)) {
        waiting->ways[waiting->n++] = way;
        return 1;
    }
    rw_paying_done(way);
    return 0;
}

/* Every pick that may come next, as a way of its own. 0 if there is no memory. */
static int rw_pay_further(const Ctx *C, const RwPaying *way, RwWaiting *waiting) {
    const State *S = &way->state;
    for (int32_t i = 0; i < S->nopts; i++) {
        const int32_t option = C->opts[S->opts + i];
        int is_left = 0;
        for (int32_t k = 0; k < way->n; k++) is_left |= way->left[k] == option;
        if (!is_left) continue;
        RwPaying *further = rw_new_paying(way->n);
        if (further != NULL) {
            memcpy(further->left, way->left, sizeof(int32_t) * (size_t)way->n);
            rw_copy(&further->state, S);
            rw_pay_key(further, option);
            further->state.pick = option;
            RW_TOP_FRAME(&further->state)[0]++;
        }
        if (!rw_wait(waiting, further)) return 0;
    }
    return 1;
}

/* Whether pieces came out of the places that the true ones came from. */
static int rw_same_places(const RwWalk *W, const RwTold *T, const int32_t *taken, int32_t n) {
    const State *S = T->fact->past.state;
    int32_t ours[RW_PIECES + 1], theirs[RW_PIECES + 1];
    for (int32_t i = 0; i < n; i++) {
        ours[i] = (int32_t)RW_AT(S, T->fact->chosen[i]);
        theirs[i] = (int32_t)RW_AT(S, W->epochs[T->epoch].old[taken[i]]);
        for (int32_t at = i; at > 0 && ours[at - 1] > ours[at]; at--) {
            const int32_t held = ours[at];
            ours[at] = ours[at - 1];
            ours[at - 1] = held;
        }
        for (int32_t at = i; at > 0 && theirs[at - 1] > theirs[at]; at--) {
            const int32_t held = theirs[at];
            theirs[at] = theirs[at - 1];
            theirs[at - 1] = held;
        }
    }
    return memcmp(ours, theirs, sizeof(int32_t) * (size_t)n) == 0;
}

/* `PaidSet.could_take`: 1 or 0, or -1 if only Python can say. */
static int rw_pay_again(Ctx *C, const RwWalk *W, const RwTold *T, const int32_t *taken, int32_t n) {
    const RwFact *A = T->fact;
    RwWaiting waiting = {0, 0, NULL};
    int found = -1;
    if (!rw_same_places(W, T, taken, n)) return 0;
    RwPaying *first = rw_new_paying(n + A->ncounted);
    if (first != NULL) {
        for (int32_t i = 0; i < n; i++) first->left[i] = W->row[taken[i]];
        if (A->ncounted) memcpy(first->left + n, A->counted, sizeof(int32_t) * (size_t)A->ncounted);
        if (!rw_past_in_world(W, T, &first->state)) {
            rw_paying_done(first);
            return -1;
        }
    }
    int is_room = rw_wait(&waiting, first);
    for (int32_t tried = 0; is_room && found < 0 && tried < RW_MOST_WAYS; tried++) {
        if (waiting.n == 0) {
            found = 0;
            break;
        }
        RwPaying *way = waiting.ways[--waiting.n];
        const int comes_to = rw_pay_on(C, way, RW_TOP_FRAME(A->past.state)[0]);
        if (comes_to == 2 && way->n == 0) found = 1;
        else if (comes_to == 1) is_room = rw_pay_further(C, way, &waiting);
        rw_paying_done(way);
    }
    if (is_room && found < 0) found = 1; /* so many ways count as one that leads there */
    while (waiting.n) rw_paying_done(waiting.ways[--waiting.n]);
    free(waiting.ways);
    return found;
}

/* ---------------------------------------------------------------- what has gone together */

static int rw_has_gone(const RwFact *A) { return A->past.kind == RW_FACT_PICKED || A->past.kind == RW_FACT_PAID; }

/* What a world has taken in place of what has gone, by its numbers. */
static void rw_names_gone(const RwWalk *W, const RwTold *T, int32_t *taken) {
    for (int32_t i = 0; i < T->fact->nchosen; i++) {
        const int32_t name = W->epochs[T->taken_in].new[T->fact->chosen[i]];
        int32_t at = i;
        for (; at > 0 && taken[at - 1] > name; at--) taken[at] = taken[at - 1];
        taken[at] = name;
    }
}

/* The key of its verdict: the piece at each position that it reads, the numbers, what was taken. */
static void rw_key_gone(const RwWalk *W, const RwTold *T, uint64_t *key) {
    const RwFact *A = T->fact;
    int32_t n = 0, taken[RW_PIECES + 1];
    for (int32_t i = 0; i < A->nnumbers; i++) key[n++] = (uint64_t)W->unknowns[T->numbers[i]].shift;
    for (int32_t piece = 0; piece < RW_PIECES; piece++)
        if (A->reads[piece]) key[n++] = (uint64_t)W->epochs[T->epoch].new[piece];
    rw_names_gone(W, T, taken);
    for (int32_t i = 0; i < A->nchosen; i++) key[n++] = (uint64_t)taken[i];
}

static int rw_ask_gone(Ctx *C, const RwWalk *W, const RwTold *T) {
    int32_t taken[RW_PIECES + 1];
    rw_names_gone(W, T, taken);
    rw_begin(C);
    if (T->fact->past.kind == RW_FACT_PAID) return rw_pay_again(C, W, T, taken, T->fact->nchosen);
    RwAgain again;
    memset(&again, 0, sizeof again);
    again.site = T->fact->past.site;
    if (!rw_past_in_world(W, T, C->work)) return -1;
    C->again = &again;
    const int found = rw_pick_again(C, W, T, &again, taken, T->fact->nchosen);
    C->again = NULL;
    return found;
}
#endif

#endif
