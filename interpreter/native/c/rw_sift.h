/* Which events of a tale say something about now, where rules work something out from secrets: `Sieve` of
 * runtime/sieve.py. rw_tale_read is the same for all other games.
 *
 * A number that still matters was perhaps worked out since the decision that comes next on the way back. Then the step from
 * that decision on is kept whole, with every random event in it, and whatever it may have read matters too. */
#ifndef RW_SIFT_H
#define RW_SIFT_H

#include "rw_tale.h"

/* Of what is kept: an event; the step that begins with it; a decision, which ends the step before; a pass that nobody saw. */
typedef enum { RW_TAG_EVENT, RW_TAG_STEP, RW_TAG_END, RW_TAG_PASSED } RwTag;
enum { RW_NO_END = -1, RW_BLOCK_END = -2 }; /* of a step: no decision yet; where players are about to choose together */

#if RW_REMEMBERS
typedef struct {
    const RwTale *tale;
    RwSieve *sieve;
    int8_t needs;
    int32_t steps, end, took, begun; /* begun: the decision before what is read, or -1 */
    int32_t nof, *of_step;           /* what only a step has a use for */
} RwSifting;

static void rw_sift_keep(RwSifting *F, int32_t event, RwTag tag) {
    RwSieve *V = F->sieve;
    V->tags[V->n] = (int8_t)tag;
    V->ends[V->n] = F->end;
    V->kept[V->n++] = event;
}

static void rw_sift_for_step(RwSifting *F, int32_t event, RwTag tag) {
    F->of_step[F->nof++] = F->sieve->n;
    rw_sift_keep(F, event, tag);
}

/* Whether somebody else was silently asked and passed: nobody has noticed it, so it is no decision (`_with_passes`). */
static int rw_is_unseen_pass(const RwSifting *F, const RwEvent *E) {
    return E->kind == RW_TALE_ASKED && F->took >= 0 && E->pick == RW_PASS && E->is_silent;
}

/* What became of pieces later is not all that is known of them: a number tells what they were. */
static void rw_look_closer(RwSieve *V) {
    memset(&V->fresh, 0, sizeof V->fresh);
    for (int32_t piece = 0; piece <= RW_PIECES; piece++) V->last[piece] = -1;
}

/* A step may turn on each of the pieces that came in since the decision that it begins with (`_run_from`). */
static void rw_run_from(RwSieve *V, const State *from) {
    for (int32_t i = V->nlooks - 1; i >= 0; i--) {
        num place = -1;
        int is_apart = from == NULL;
        for (int32_t piece = 0; piece < RW_PIECES && !is_apart; piece++)
            if (rw_bit(&V->look[i], piece)) {
                is_apart = RW_AT(from, piece) < 0 || (place >= 0 && RW_AT(from, piece) != place);
                place = RW_AT(from, piece);
            }
        if (is_apart || place >= RW_LISTS || !RW_UNORDERED[place]) rw_end_look(V, i);
    }
}

static void rw_sift_need(RwSifting *F) {
    if (F->needs || F->steps >= RW_MOST_STEPS_KEPT) return;
    F->needs = 1;
    rw_look_closer(F->sieve);
}

static int rw_is_some_free(const RwSieve *V) {
    for (int32_t piece = 0; piece < RW_PIECES; piece++)
        if (!rw_bit(&V->pinned, piece) && !rw_bit(&V->fresh, piece)) return 1;
    return 0;
}

static int rw_are_some_free(const RwSieve *V, const RwBits *bits) {
    for (int i = 0; i < RW_PIECE_WORDS; i++)
        if (bits->of[i] & ~(V->pinned.of[i] | V->fresh.of[i])) return 1;
    return 0;
}

static void rw_sift_written(RwSifting *F, const RwEvent *E, int32_t number) {
    RwSieve *V = F->sieve;
    const int is_live = rw_has_number(&V->live, E->number), is_shown = rw_has_number(&V->shown, E->number);
    if (E->is_guessed && (is_live || is_shown) && F->steps < RW_MOST_STEPS_KEPT &&
        (rw_has_numbers(&V->live) || rw_is_some_free(V))) {
        F->needs = 1;
        rw_look_closer(V);
    }
    if (is_live || is_shown) rw_sift_keep(F, number, RW_TAG_EVENT);
    else if (E->is_rolled) rw_sift_for_step(F, number, RW_TAG_EVENT);
    rw_drop_number(&V->live, E->number);
    rw_drop_number(&V->shown, E->number);
}

static void rw_sift_shown(RwSifting *F, const RwEvent *E, int32_t number) {
    rw_sift_keep(F, number, RW_TAG_EVENT);
    rw_drop_number(&F->sieve->live, E->number);
    rw_add_number(&F->sieve->shown, E->number);
}

static void rw_sift_decision(RwSifting *F, const RwEvent *E, int32_t number) {
    RwSieve *V = F->sieve;
    int needs;
    if (E->kind == RW_TALE_ASKED) rw_tell_apart(V, &E->bits, F->needs || E->is_spread);
    if (F->needs && F->steps < RW_MOST_STEPS_KEPT) {
        F->steps++;
        rw_look_closer(V);
        rw_run_from(V, E->kind == RW_TALE_ASKED ? E->state : NULL);
        for (int i = 0; i < RW_NUMBER_WORDS; i++) V->live.of[i] |= F->tale->hidden.of[i];
        rw_sift_keep(F, number, RW_TAG_STEP);
        needs = E->has_locals;
    } else {
        for (int32_t i = 0; i < F->nof; i++) V->kept[F->of_step[i]] = -1;
        needs = F->end == RW_NO_END && E->has_locals;
    }
    if (E->kind == RW_TALE_ASKED && rw_speaks_of(V, E)) {
        if (F->took >= 0) {
            rw_sift_keep(F, F->took, RW_TAG_EVENT);
            rw_drop_bits(&V->pinned, &E->bits); /* any of these may have been chosen */
        }
        rw_sift_keep(F, number, RW_TAG_EVENT);
        rw_look_back(&V->live, &E->reads, &V->shown);
        needs |= E->has_locals;
    }
    rw_sift_keep(F, number, RW_TAG_END);
    F->took = -1;
    F->end = number;
    F->needs = (int8_t)needs;
    F->nof = 0;
}

/* Whether a rule at work had named pieces at the decision before, and perhaps one of these (`names_pieces`). */
static int rw_names_pieces(const RwSifting *F, const RwBits *bits) {
    return F->begun >= 0 && F->tale->events[F->begun].has_locals && rw_bits_beyond(bits, &F->sieve->fresh);
}

static void rw_sift_pieces(RwSifting *F, const RwEvent *E, int32_t number) {
    RwSieve *V = F->sieve;
    if (E->kind == RW_TALE_MIXED) {
        if (!E->by_chance && rw_names_pieces(F, &E->bits)) rw_sift_need(F);
        if (!rw_bits_beyond(&E->bits, &V->fresh)) return;
        const int is_kept = rw_keeps_look(V, E, V->n);
        if (!is_kept) rw_tell_apart(V, &E->bits, 1);
        rw_sift_keep(F, number, RW_TAG_EVENT);
        if (is_kept) return;
        for (int32_t i = 0; i < E->n; i++)
            if (rw_bit(&V->fresh, E->pieces[i])) V->last[E->pieces[i]] = -1;
        rw_drop_bits(&V->pinned, &E->bits);
        if (E->is_closed && !F->needs) rw_add_bits(&V->fresh, &E->bits);
        else rw_drop_bits(&V->fresh, &E->bits);
        return;
    }
    if (rw_bit(&V->pinned, E->piece)) return;
    RwBits bits = {{0}};
    rw_set_bit(&bits, E->piece);
    if (rw_names_pieces(F, &bits)) rw_sift_need(F);
    if (rw_bit(&V->fresh, E->piece)) {
        V->before[V->n] = V->last[E->piece];
        V->last[E->piece] = V->n;
    } else {
        rw_set_bit(&V->pinned, E->piece);
    }
    rw_sift_keep(F, number, RW_TAG_EVENT);
}

/* The last decision up to an event, or -1. */
static int32_t rw_decision_before(const RwTale *T, int32_t number) {
    while (number >= 0 && T->events[number].kind != RW_TALE_ASKED && T->events[number].kind != RW_TALE_BEGUN) number--;
    return number;
}

static void rw_sift_event(RwSifting *F, int32_t number) {
    const RwEvent *E = &F->tale->events[number];
    RwSieve *V = F->sieve;
    if (number < F->begun || F->begun < 0) F->begun = rw_decision_before(F->tale, number);
    switch (E->kind) {
    case RW_TALE_MIXED:
    case RW_TALE_SEEN: rw_sift_pieces(F, E, number); break;
    case RW_TALE_TOOK: F->took = number; break;
    case RW_TALE_ASKED:
    case RW_TALE_BEGUN:
        if (rw_is_unseen_pass(F, E)) {
            rw_sift_for_step(F, number, RW_TAG_PASSED);
            F->took = -1;
        } else {
            rw_sift_decision(F, E, number);
        }
        break;
    case RW_TALE_WROTE: rw_sift_written(F, E, number); break;
    case RW_TALE_SHOWN: rw_sift_shown(F, E, number); break;
    case RW_TALE_LUCKY: rw_sift_keep(F, number, RW_TAG_EVENT); break;
    case RW_TALE_CHANCE: rw_sift_for_step(F, number, RW_TAG_EVENT); break;
    case RW_TALE_SETTLED:
        rw_tell_apart(V, &E->bits, 0);
        if (rw_are_some_free(V, &E->bits)) rw_sift_need(F);
        rw_sift_keep(F, number, RW_TAG_EVENT);
        break;
    default: /* what answered itself, and what was told */
        rw_tell_apart(V, &E->bits, E->is_spread);
        if (!rw_speaks_of(V, E)) break;
        rw_sift_keep(F, number, RW_TAG_EVENT);
        rw_look_back(&V->live, &E->reads, &V->shown);
        if (E->is_told) rw_drop_bits(&V->fresh, &E->bits); /* as rw_sieve_keep */
        F->needs |= E->has_locals;
    }
}

/* Reads the events backwards. `V` has room for four numbers of each event. `block`: nobody is asked yet, players are about to
 * choose together; 2: and rules hold something unseen. 0 if there is no memory. */
static int rw_tale_sift(const RwTale *T, const RwBits *known, RwSieve *V, int block) {
    RwSifting F = {.tale = T, .sieve = V, .end = block ? RW_BLOCK_END : RW_NO_END, .took = -1, .begun = -1, .needs = block > 1};
    F.of_step = malloc(sizeof(int32_t) * (size_t)(T->n + 1));
    if (F.of_step == NULL) return 0;
    V->n = V->nlooks = 0;
    V->pinned = *known;
    memset(&V->fresh, 0, sizeof V->fresh);
    memset(&V->shown, 0, sizeof V->shown);
    V->live = T->hidden;
    for (int32_t piece = 0; piece <= RW_PIECES; piece++) V->last[piece] = -1;
    if (block) rw_sift_keep(&F, 0, RW_TAG_END);
    for (int32_t i = T->n - 1; i >= 0; i--) rw_sift_event(&F, i);
    rw_leave_out_looks(V);
    for (int32_t i = 0; i < F.nof; i++) V->kept[F.of_step[i]] = -1; /* of a step that does not begin with a decision */
    for (int32_t piece = 0; piece < RW_PIECES; piece++)
        for (int32_t at = V->last[piece]; at >= 0; at = V->before[at]) V->kept[at] = -1;
    free(F.of_step);
    return 1;
}
#endif

#endif
