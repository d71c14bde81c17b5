/* A walk from the true game to a world: runtime/walk.py, draw by draw.
 *
 * What must stay as it was is read beforehand (rw_course.h); the steps are taken here, and decisions of the past asked
 * (rw_verdicts.h). Where something has to be asked that only Python can, the walk stops
 * in the middle of its step and says what; Python looks at the renamings, says whether the fact holds (rwx_walk_verdict),
 * and lets it go on. What the rules worked out from secrets is worked out again where a memory has told it (rw_steps.h);
 * other such walks are Python's. */
#ifndef RW_WALK_H
#define RW_WALK_H

#include "rw_verdicts.h"

/* ---------------------------------------------------------------- exchanges */

/* The epochs before which the exchange of two pieces may end; gives how many are in W->ends. */
static int32_t rw_ends(RwWalk *W, int32_t first, int32_t a, int32_t b, int must_be_unseen) {
    const int32_t row_a = W->row[a], row_b = W->row[b];
    int32_t n = 0, x = -1, y = -1;
    for (int32_t number = first; number < W->nepochs; number++) {
        const RwEpoch *E = &W->epochs[number];
        if (x >= 0 && E->in_mixed[x] && E->in_mixed[y]) W->ends[n++] = number;
        x = E->old[a];
        y = E->old[b];
        if (!must_be_unseen) continue;
        if (E->has_seen && ((E->in_seen[x] && W->row[x] != row_b) || (E->in_seen[y] && W->row[y] != row_a))) return n;
        if (E->is_closed && E[1].in_mixed[x] != E[1].in_mixed[y]) return n;
    }
    W->ends[n++] = W->nepochs;
    return n;
}

static int rw_any_exchange(RwWalk *W, int must_be_unseen, RwExchange *made) {
    const int32_t start = rw_walk_below(W, W->nstarts), first = W->starts[2 * start], piece = W->starts[2 * start + 1];
    const RwEpoch *E = &W->epochs[first];
    const int32_t other = E->partners.pieces[rw_walk_below(W, E->partners.n)];
    if (other == piece || (W->keeps_kind && W->kind[other] != W->kind[piece])) return 0;
    const int32_t a = E->new[piece], b = E->new[other];
    if (W->row[a] == W->row[b]) return 0;
    const int32_t n = rw_ends(W, first, a, b, must_be_unseen);
    if (n == 0) return 0;
    made->first = first;
    made->last = W->ends[n > 1 ? rw_walk_below(W, n) : 0];
    made->a = a;
    made->b = b;
    return 1;
}

static void rw_walk_rename(RwEpoch *E, int32_t a, int32_t b) {
    const int32_t x = E->old[a], y = E->old[b];
    E->new[x] = b;
    E->new[y] = a;
    E->old[a] = y;
    E->old[b] = x;
}

static int rw_is_part(const RwGroup *positions, int32_t x, int32_t y) {
    for (int32_t i = 0; i < positions->n; i++)
        if (positions->pieces[i] == x || positions->pieces[i] == y) return 1;
    return 0;
}

static void rw_walk_exchange(RwWalk *W, const RwExchange *made) {
    const int32_t a = made->a, b = made->b;
    for (int32_t number = made->first; number < made->last; number++) {
        RwEpoch *E = &W->epochs[number];
        const int32_t x = E->old[a], y = E->old[b];
        for (int32_t i = 0; i < E->readers.n; i++) {
            RwTold *T = &W->facts[E->readers.pieces[i]];
            if (E->parts[i].n > 0) { /* a part of a fact of another epoch */
                if (rw_is_part(&E->parts[i], x, y)) rw_touch(W, E->readers.pieces[i]);
                continue;
            }
            if (!T->fact->reads[x] && !T->fact->reads[y]) continue;
            rw_touch(W, E->readers.pieces[i]);
            rw_sum_piece(T->fact, T->sum, x, a, -1);
            rw_sum_piece(T->fact, T->sum, x, b, 1);
            rw_sum_piece(T->fact, T->sum, y, b, -1);
            rw_sum_piece(T->fact, T->sum, y, a, 1);
        }
        rw_walk_rename(E, a, b);
    }
}

/* Whether what closed mixes have gained and lost in an epoch comes to nothing, row by row. */
static int rw_stays_closed(const RwWalk *W, int32_t number) {
    const RwEpoch *E = &W->epochs[number];
    int32_t rows[6], sums[6], n = 0, names[6], where[6];
    for (int32_t i = 0; i < W->nmade; i++) {
        const int32_t both[2] = {W->made[i].a, W->made[i].b};
        for (int k = 0; k < 2; k++) {
            names[2 * i + k] = both[k];
            where[2 * i + k] = E->old[both[k]];
        }
    }
    for (int32_t i = W->nmade - 1; i >= 0; i--) {
        const RwExchange *one = &W->made[i];
        if (number < one->first || number >= one->last) continue;
        int32_t at_a = -1, at_b = -1;
        for (int32_t k = 0; k < 2 * W->nmade; k++) { /* a name stands there as often as it was exchanged */
            if (names[k] == one->a) at_a = where[k];
            if (names[k] == one->b) at_b = where[k];
        }
        const int32_t gained = E[1].in_mixed[at_a] - E[1].in_mixed[at_b];
        const int32_t row[2] = {W->row[one->a], W->row[one->b]};
        for (int k = 0; gained && k < 2; k++) {
            int32_t met = 0;
            while (met < n && rows[met] != row[k]) met++;
            if (met == n) {
                rows[n] = row[k];
                sums[n++] = 0;
            }
            sums[met] += k ? -gained : gained;
        }
        for (int32_t k = 0; k < 2 * W->nmade; k++) {
            if (names[k] == one->a) where[k] = at_b;
            else if (names[k] == one->b) where[k] = at_a;
        }
    }
    for (int32_t i = 0; i < n; i++)
        if (sums[i]) return 0;
    return 1;
}

/* Whether the player would see the same after these exchanges, if that was so before them. */
static int rw_sees_the_same_now(const RwWalk *W) {
    for (int32_t number = 0; number < W->nepochs; number++)
        if (W->epochs[number].is_closed && !rw_stays_closed(W, number)) return 0;
    for (int32_t i = 0; i < W->nmade; i++) {
        const RwExchange *one = &W->made[i];
        for (int32_t number = one->first; number < one->last; number++) {
            const RwEpoch *E = &W->epochs[number];
            if (!E->has_seen) continue;
            const int32_t x = E->old[one->a], y = E->old[one->b];
            if (E->in_seen[x] && W->row[x] != W->row[one->a]) return 0;
            if (E->in_seen[y] && W->row[y] != W->row[one->b]) return 0;
        }
    }
    return 1;
}

/* ---------------------------------------------------------------- steps */

static void rw_walk_undo_step(RwWalk *W) {
    rw_restore_sums(W);
    rw_restore_shifts(W);
    rw_forget_asked(W);
    for (int32_t i = W->nmade - 1; i >= 0; i--)
        for (int32_t number = W->made[i].first; number < W->made[i].last; number++)
            rw_walk_rename(&W->epochs[number], W->made[i].a, W->made[i].b);
}

static const int8_t RW_EXCHANGES[8] = {1, 1, 1, 1, 1, 2, 2, 3};

/* Works out again what the rules made of secrets: 1 if the player would have noticed the same. */
static int rw_steps_agree(Ctx *C, RwWalk *W) {
    const int agrees = W->nsteps == 0 ? 1 : rw_works_out(C, W);
    if (agrees < 0) W->is_lost = 1;
    return agrees > 0;
}

static void rw_begin_step(Ctx *C, RwWalk *W) {
    W->several = RW_EXCHANGES[rw_walk_below(W, 8)];
    W->nmade = 0;
    for (int32_t i = 0; i < W->several; i++) {
        RwExchange *one = &W->made[W->nmade];
        if (!rw_any_exchange(W, W->several == 1, one)) continue;
        W->tried[one->a]++;
        W->tried[one->b]++;
        W->nmade++;
        rw_walk_exchange(W, one);
    }
    if (W->nmade == 0) return;
    rw_keep_shifts(W);
    if ((W->several > 1 && !rw_sees_the_same_now(W)) || !rw_steps_agree(C, W)) rw_walk_undo_step(W);
    else W->phase = RW_WALK_STEPPED;
}

static void rw_end_step(RwWalk *W, int holds) {
    int32_t first = W->made[0].first, last = W->made[0].last;
    for (int32_t i = 1; i < W->nmade; i++) {
        if (W->made[i].first < first) first = W->made[i].first;
        if (W->made[i].last > last) last = W->made[i].last;
    }
    if (!holds || !rw_is_as_likely(W, first, last)) {
        rw_walk_undo_step(W);
        return;
    }
    rw_forget_asked(W);
    rw_settle_steps(W);
    for (int32_t i = 0; i < W->nmade; i++) {
        W->tried[W->made[i].a] += RW_STEPS_PER_UNKNOWN / 2;
        W->tried[W->made[i].b] += RW_STEPS_PER_UNKNOWN / 2;
    }
}

static void rw_another_value(RwWalk *W, int32_t number) {
    RwUnknown *U = &W->unknowns[number];
    const int32_t value = rw_walk_below(W, U->nvalues);
    U->shift = U->is_part ? U->values[0] + value : U->values[value];
}

static void rw_undo_redraw(RwWalk *W) {
    rw_forget_asked(W);
    rw_restore_shifts(W);
    for (int32_t i = 0; i < W->nchosen; i++) W->unknowns[W->chosen[i]].shift = W->unknowns[W->chosen[i]].before;
}

static void rw_begin_redraw(Ctx *C, RwWalk *W) {
    W->nchosen = 1 + rw_walk_below(W, 2);
    for (int32_t i = 0; i < W->nchosen; i++) W->chosen[i] = W->drawn[rw_walk_below(W, W->ndrawn)];
    for (int32_t i = 0; i < W->nchosen; i++) W->unknowns[W->chosen[i]].before = W->unknowns[W->chosen[i]].shift;
    rw_keep_shifts(W);
    for (int32_t i = 0; i < W->nchosen; i++) {
        RwUnknown *U = &W->unknowns[W->chosen[i]];
        U->tried++;
        U->is_chosen = U->is_free;
        if (!U->is_free) rw_another_value(W, W->chosen[i]);
        for (int32_t k = 0; k < U->readers.n; k++) rw_touch(W, U->readers.pieces[k]);
    }
    const int agrees = rw_steps_agree(C, W);
    for (int32_t i = 0; i < W->nchosen; i++) W->unknowns[W->chosen[i]].is_chosen = 0;
    if (agrees) W->phase = RW_WALK_REDRAWN;
    else rw_undo_redraw(W);
}

static void rw_end_redraw(RwWalk *W, int holds) {
    if (!holds || !rw_is_as_likely(W, 0, 0)) {
        rw_undo_redraw(W);
        return;
    }
    rw_forget_asked(W);
    rw_settle_steps(W);
    for (int32_t i = 0; i < W->nchosen; i++) W->unknowns[W->chosen[i]].tried += RW_STEPS_PER_UNKNOWN / 2;
}

/* ---------------------------------------------------------------- everything at once */

/* runtime/renaming.py, dealt */
static void rw_dealt(RwWalk *W, const RwGroup *group, int32_t *new) {
    int32_t names[RW_PIECES + 1];
    for (int32_t i = 0; i < group->n; i++) names[i] = new[group->pieces[i]];
    rw_sort_numbers(names, group->n);
    for (int32_t last = group->n - 1; last > 0; last--) {
        const int32_t other = rw_walk_below(W, last + 1), held = names[last];
        names[last] = names[other];
        names[other] = held;
    }
    for (int32_t i = 0; i < group->n; i++) new[group->pieces[i]] = names[i];
}

static int rw_sees_closed_alike(RwWalk *W, const RwEpoch *E) {
    int32_t there[RW_PIECES + 1], true_rows[RW_PIECES + 1];
    const RwGroup *closed = &E[1].mixed;
    for (int32_t i = 0; i < closed->n; i++) {
        there[i] = W->row[E->new[closed->pieces[i]]];
        true_rows[i] = W->row[closed->pieces[i]];
    }
    rw_sort_numbers(there, closed->n);
    rw_sort_numbers(true_rows, closed->n);
    return memcmp(there, true_rows, sizeof(int32_t) * (size_t)closed->n) == 0;
}

static int rw_sees_the_same(RwWalk *W) {
    for (int32_t number = 0; number < W->nepochs; number++) {
        const RwEpoch *E = &W->epochs[number];
        for (int32_t piece = 0; E->has_seen && piece < RW_PIECES; piece++)
            if (E->in_seen[piece] && W->row[E->new[piece]] != W->row[piece]) return 0;
        if (E->is_closed && !rw_sees_closed_alike(W, E)) return 0;
    }
    return 1;
}

static void rw_walk_undo_leap(RwWalk *W) {
    for (int32_t i = 0; i < W->nepochs; i++) {
        memcpy(W->epochs[i].new, W->kept + 2 * i * RW_PIECES, sizeof(int32_t) * RW_PIECES);
        memcpy(W->epochs[i].old, W->kept + (2 * i + 1) * RW_PIECES, sizeof(int32_t) * RW_PIECES);
    }
    for (int32_t i = 0; i < W->ndrawn; i++) W->unknowns[W->drawn[i]].shift = W->unknowns[W->drawn[i]].before;
    rw_restore_shifts(W);
    rw_restore_sums(W);
    rw_forget_asked(W);
}

static int32_t rw_most_leaps(const RwWalk *W) {
    const int32_t most = RW_LEAPT_EPOCHS / W->nepochs;
    return most < RW_LEAPS ? RW_LEAPS : most > RW_MOST_LEAPS ? RW_MOST_LEAPS : most;
}

/* Free choices are made anew in all steps. */
static int rw_steps_agree_anew(Ctx *C, RwWalk *W) {
    for (int32_t i = 0; i < W->ndrawn; i++) W->unknowns[W->drawn[i]].is_chosen = W->unknowns[W->drawn[i]].is_free;
    const int agrees = rw_steps_agree(C, W);
    for (int32_t i = 0; i < W->ndrawn; i++) W->unknowns[W->drawn[i]].is_chosen = 0;
    return agrees;
}

static void rw_begin_leap(Ctx *C, RwWalk *W) {
    int32_t by[RW_PIECES + 1];
    W->leaps++;
    for (int32_t piece = 0; piece < RW_PIECES; piece++) by[piece] = piece;
    for (int32_t i = 0; i < W->ngroups; i++) rw_dealt(W, &W->groups[i], by);
    rw_keep_shifts(W);
    for (int32_t i = 0; i < W->ndrawn; i++) {
        W->unknowns[W->drawn[i]].before = W->unknowns[W->drawn[i]].shift;
        rw_another_value(W, W->drawn[i]);
    }
    for (int32_t i = 0; i < W->nfacts; i++) rw_touch(W, i);
    for (int32_t i = 0; i < W->nepochs; i++) {
        RwEpoch *E = &W->epochs[i];
        memcpy(W->kept + 2 * i * RW_PIECES, E->new, sizeof(int32_t) * RW_PIECES);
        memcpy(W->kept + (2 * i + 1) * RW_PIECES, E->old, sizeof(int32_t) * RW_PIECES);
        for (int32_t piece = 0; piece < RW_PIECES; piece++) E->new[piece] = by[E->new[piece]];
        for (int32_t piece = 0; piece < RW_PIECES; piece++) E->old[E->new[piece]] = piece;
    }
    if (rw_sees_the_same(W) && rw_steps_agree_anew(C, W)) {
        rw_tally(W);
        W->phase = RW_WALK_LEAPT;
    } else {
        rw_walk_undo_leap(W);
    }
}

static void rw_end_leap(RwWalk *W, int holds) {
    W->phase = RW_WALK_LEAP;
    if (holds && rw_is_as_likely(W, 0, W->nepochs)) {
        rw_forget_asked(W);
        rw_settle_steps(W);
        W->leapt = 1;
    } else {
        rw_walk_undo_leap(W);
    }
}

/* ---------------------------------------------------------------- excursions */

/* Whether three numbers or more may have to change at once, and leaps did not do it easily. */
static int rw_may_stray(const RwWalk *W) {
    return W->ndrawn > 2 && W->nsteps == 0 && !(W->leapt && W->leaps <= RW_EASY);
}

/* Another value for one number, on an excursion. */
static void rw_begin_stray(RwWalk *W) {
    if (W->away == 0) {
        W->furthest = W->astray < RW_FURTHEST ? W->astray : RW_FURTHEST;
        W->nbroken = 0;
        for (int32_t i = 0; i < W->nfacts; i++) W->facts[i].is_broken = 0;
        for (int32_t i = 0; i < W->ndrawn; i++) W->unknowns[W->drawn[i]].home = W->unknowns[W->drawn[i]].shift;
    }
    W->chosen[0] = W->drawn[rw_walk_below(W, W->ndrawn)];
    W->unknowns[W->chosen[0]].before = W->unknowns[W->chosen[0]].shift;
    rw_another_value(W, W->chosen[0]);
    W->phase = RW_WALK_STRAYED;
}

/* Whether a fact holds that turns on a number: -1 if only Python can say (W->pending). */
static int rw_fact_holds(Ctx *C, RwWalk *W, int32_t number) {
    uint64_t key[RW_MOST_KEY];
    const RwTold *T = &W->facts[number];
    if (T->is_simple) return 1;
    rw_key_of(W, T, key);
    int verdict = rw_verdict_of(T->fact, key);
    if (verdict) return verdict == 2;
    W->pending = number;
    RW_CHARGE(RW_PIECES);
    verdict = rw_ask_fact(C, W, T);
    return verdict < 0 || !rw_keep_verdict(T->fact, key, verdict) ? -1 : verdict;
}

/* The change is kept with the less chance the more facts it breaks, and the excursion ends when all hold again, or is
 * given up: 1, or -1 with a fact that Python has to be asked. */
static int rw_end_stray(Ctx *C, RwWalk *W) {
    RwUnknown *U = &W->unknowns[W->chosen[0]];
    int32_t worse = 0;
    for (int32_t i = 0; i < U->readers.n; i++) {
        RwTold *T = &W->facts[U->readers.pieces[i]];
        const int holds = rw_fact_holds(C, W, U->readers.pieces[i]);
        if (holds < 0) return -1;
        T->fails = (int8_t)!holds;
        worse += T->fails - T->is_broken;
    }
    if (worse > 0 && rw_walk_below(W, 1 << (worse < 30 ? worse : 30))) {
        U->shift = U->before;
    } else {
        for (int32_t i = 0; i < U->readers.n; i++) {
            RwTold *T = &W->facts[U->readers.pieces[i]];
            T->is_broken = T->fails;
        }
        W->nbroken += worse;
    }
    W->away++;
    if (W->nbroken && W->away == W->furthest)
        for (int32_t i = 0; i < W->ndrawn; i++) W->unknowns[W->drawn[i]].shift = W->unknowns[W->drawn[i]].home;
    if (W->nbroken == 0 || W->away == W->furthest) {
        W->astray -= W->away;
        W->away = 0;
    }
    W->phase = RW_WALK_STRAY;
    return 1;
}

/* ---------------------------------------------------------------- to a world */

static int rw_is_left_over(const RwWalk *W) {
    for (int32_t i = 0; i < W->core.n; i++)
        if (W->tried[W->core.pieces[i]] < RW_STEPS_PER_UNKNOWN) return 1;
    for (int32_t i = 0; i < W->ndrawn; i++)
        if (W->unknowns[W->drawn[i]].tried < RW_STEPS_PER_UNKNOWN) return 1;
    return 0;
}

static void rw_walk_out(RwWalk *W) {
    const int32_t most = W->steps < RW_MOST_STEPS ? W->steps : RW_MOST_STEPS;
    W->worlds++;
    W->left = W->worlds > 1 ? (most + RW_NEXT_WORLD - 1) / RW_NEXT_WORLD : most;
    W->phase = W->worlds > 1 ? RW_WALK_NEXT : RW_WALK_LEAP;
}

/* On to the next world: RW_GO when it is reached, or -1 with a fact that Python has to be asked (W->pending). */
static int32_t rw_walk_to_next(Ctx *C, RwWalk *W) {
    int holds;
    if (W->phase == RW_WALK_IDLE) rw_walk_out(W);
    for (;;) {
    if (W->is_lost) return -1;
    RW_CHARGE(W->phase == RW_WALK_LEAP ? (int64_t)(RW_PIECES + 1) * W->nepochs : RW_PIECES + W->nepochs + W->nfacts);
    switch (W->phase) {
    case RW_WALK_LEAP:
        if (W->leapt || W->leaps == rw_most_leaps(W)) W->phase = RW_WALK_NEXT;
        else rw_begin_leap(C, W);
        break;
    case RW_WALK_NEXT:
        if (W->left == 0) {
            W->phase = RW_WALK_STRAY;
            W->away = 0;
            W->astray = !rw_may_stray(W) ? 0 : W->worlds > 1 ? RW_ASTRAY / RW_NEXT_WORLD : RW_ASTRAY;
            break;
        }
        W->left--;
        if (W->ndrawn && (!W->nstarts || rw_walk_below(W, W->unknown) < W->ndrawn)) rw_begin_redraw(C, W);
        else rw_begin_step(C, W);
        break;
    case RW_WALK_STRAY:
        if (W->astray == 0) {
            W->phase = RW_WALK_IDLE;
            if (W->worlds == 1) W->is_too_short = W->steps > RW_MOST_STEPS && !W->leapt && rw_is_left_over(W);
            return RW_GO;
        }
        rw_begin_stray(W);
        break;
    case RW_WALK_STRAYED:
        if (rw_end_stray(C, W) < 0) return -1;
        break;
    default:
        holds = rw_walk_judges(C, W);
        if (holds < 0) return -1;
        if (W->phase == RW_WALK_LEAPT) {
            rw_end_leap(W, holds);
            break;
        }
        if (W->phase == RW_WALK_STEPPED) rw_end_step(W, holds);
        else rw_end_redraw(W, holds);
        W->phase = RW_WALK_NEXT;
    }
    }
}

/* `room`: the generator in two halves, then how many numbers there is room for. On to the next world: RW_GO with the
 * generator, whether the walk was too short, the piece at each position and how far each number is from the true one; or 1
 * + the fact that has to be asked, or RW_UNKNOWN. What `homing` does is left to Python. */
RW_API int32_t rwx_walk_go(Ctx *C, RwWalk *W, int32_t *room) {
    if (room[2] < 3 + RW_PIECES + W->nunknowns) return RW_UNKNOWN;
    W->g = (uint64_t)(uint32_t)room[1] << 32 | (uint32_t)room[0];
    int32_t signal = RW_GO;
    if (W->has_course && W->steps) signal = rw_walk_to_next(C, W) == RW_GO ? RW_GO : W->is_lost ? RW_UNKNOWN : 1 + W->pending;
    if (signal == RW_GO) {
        for (int32_t i = 0; !W->has_course && i < W->nunknowns; i++) rw_another_value(W, i);
        for (int32_t piece = 0; piece < RW_PIECES; piece++)
            W->now[piece] = W->has_course ? W->epochs[W->nepochs - 1].new[piece] : piece;
        for (int32_t i = 0; i < W->nfree; i++) rw_dealt(W, &W->free[i], W->now);
        for (int32_t i = 0; i < W->nplain; i++) rw_dealt(W, &W->plain[i], W->now);
        memcpy(room + 3, W->now, sizeof(int32_t) * RW_PIECES);
        for (int32_t i = 0; i < W->nunknowns; i++) room[3 + RW_PIECES + i] = (int32_t)W->unknowns[i].shift;
        room[2] = W->is_too_short;
    }
    room[0] = (int32_t)(uint32_t)W->g;
    room[1] = (int32_t)(uint32_t)(W->g >> 32);
    return signal;
}

/* The renaming of an epoch and its inverse, for whoever asks a fact; RW_UNKNOWN if there is no such epoch or no room. */
RW_API int32_t rwx_walk_names(const RwWalk *W, int32_t epoch, int32_t *room, int32_t size) {
    if (epoch < 0 || epoch >= W->nepochs || size < 2 * RW_PIECES) return RW_UNKNOWN;
    memcpy(room, W->epochs[epoch].new, sizeof(int32_t) * RW_PIECES);
    memcpy(room + RW_PIECES, W->epochs[epoch].old, sizeof(int32_t) * RW_PIECES);
    return RW_GO;
}

/* How far each number is from the true one. */
RW_API int32_t rwx_walk_numbers(const RwWalk *W, int32_t *room, int32_t size) {
    if (size < W->nunknowns) return RW_UNKNOWN;
    for (int32_t i = 0; i < W->nunknowns; i++) room[i] = (int32_t)W->unknowns[i].shift;
    return RW_GO;
}

#endif
