/* Steps in a story: from one decision to the next, where something that still matters was worked out from secrets. This is
 * what `Telling` (runtime/telling.py) does with them; how they are run again is rw_steps.h. */
#ifndef RW_TOLD_STEPS_H
#define RW_TOLD_STEPS_H

#include "rw_epochs.h"

/* The step that a fact is, or is a part of; -1 for any other. */
static int32_t rw_step_of(const RwStory *Y, const RwSaid *one) {
    return one->partner < 0 ? one->step : Y->said[one->partner].step;
}

static void rw_forget_fallen(RwOpen *open) {
    for (int32_t piece = 0; piece <= RW_PIECES; piece++) open->fallen[piece] = -1;
}

#if RW_REMEMBERS
/* A number that is only part of a step: an option that nobody saw, what chance picked. Gives it, or -1. */
static int32_t rw_new_source(RwStory *Y, int32_t true_value, const int32_t *values, int32_t n) {
    RwWritten *one = &Y->written[Y->nwritten];
    *one = (RwWritten){.number = -1, .true_value = true_value, .nvalues = n, .step = -1};
    one->values = malloc(sizeof(int32_t) * (size_t)(n + 1));
    if (one->values == NULL) {
        Y->is_lost = 1;
        return -1;
    }
    memcpy(one->values, values, sizeof(int32_t) * (size_t)n);
    return Y->nwritten++;
}

/* ---------------------------------------------------------------- its beginning */

/* The option as something that a world draws, if the player did not see which it was (`_hidden_option`). */
static void rw_tell_hidden_option(RwStory *Y, RwPassage *step, const RwEvent *E) {
    const RwAsking *site = step->site;
    int32_t n = 0, is_offered = 0;
    if (site == NULL || E->state->who == step->player || !(site->is_secret || E->state->together)) return;
    int32_t values[RW_MOST_BOUND];
    const RwBranch *branch = rw_values_of(site, step->option, values);
    if (rw_is_only_pieces(site, branch, values) || E->opts == NULL) return;
    int32_t *offered = malloc(sizeof(int32_t) * (size_t)(E->nopts + 1));
    for (int32_t i = 0; offered != NULL && i < E->nopts; i++) {
        if (E->opts[i] < RW_PASS) continue;
        is_offered |= E->opts[i] == step->option;
        offered[n++] = E->opts[i];
    }
    /* With a single option it matters whether the player sees all that the question looks at, which only Python notices. */
    if (offered == NULL || (is_offered && n < 2 && !site->binds_pieces)) Y->is_lost = 1;
    else if (is_offered && n > 1) step->choice = rw_new_source(Y, step->option, offered, n);
    step->is_free = (int8_t)(step->choice >= 0 && !site->binds_pieces);
    free(offered);
}

/* The choice was told before, so its pieces are called as this epoch calls them; the question is older (`_begin`). */
static void rw_tell_step(RwStory *Y, RwOpen *open, int32_t event, int32_t end) {
    const RwEvent *E = &Y->tale->events[event];
    const int32_t number = Y->nsteps++, said = Y->nsaid++;
    RwPassage *step = &Y->steps[number];
    Y->told_steps[number] = (RwToldStep){.event = event, .end = end, .said = said, .bits = E->closed};
    step->state = E->state;
    for (int32_t piece = 0; piece < RW_PIECES; piece++) step->lit[piece] = (uint8_t)rw_bit(&E->lit, piece);
    step->is_before_block = end == RW_BLOCK_END;
    step->end = step->is_before_block ? Y->now : Y->tale->events[end].state;
    step->names = E->names;
    step->site = E->kind == RW_TALE_ASKED ? E->asking : NULL;
    step->option = E->pick;
    step->player = Y->tale->player;
    step->sites = Y->tale->sites;
    step->row = Y->tale->row;
    step->seen = Y->tale->seen;
    step->slots = Y->tale->slots;
    step->naming = Y->tale->naming;
    step->epoch = open->posed_in;
    step->taken_in = step->end_epoch = Y->neras - 1;
    step->before = E->has_locals ? open->ended : -1;
    step->choice = -1;
    Y->said[said] = (RwSaid){event, open->posed_in, -1, -1, -1, -1, 0, number, -1};
    rw_hang_said(Y, &Y->eras[open->posed_in].said, said);
    rw_tell_hidden_option(Y, step, E);
    open->step = number;
}

/* ---------------------------------------------------------------- chance */

/* A random event of the step that runs; NULL if there is no memory. */
static RwFall *rw_new_fall(RwStory *Y, const RwOpen *open, RwFallKind what, const int32_t *outcome, int32_t n) {
    RwPassage *step = &Y->steps[open->step];
    RwFall *grown = realloc(step->falls, sizeof(RwFall) * (size_t)(step->nfalls + 1));
    if (grown == NULL) {
        Y->is_lost = 1;
        return NULL;
    }
    step->falls = grown;
    RwFall *fall = &step->falls[step->nfalls++];
    *fall = (RwFall){what, n, malloc(sizeof(int32_t) * (size_t)(n + 1)), NULL, NULL};
    int32_t *beside = malloc(sizeof(int32_t) * (size_t)(n + 1));
    fall->epochs = beside;
    if (fall->outcome == NULL || beside == NULL) {
        fall->n = 0;
        Y->is_lost = 1;
        return NULL;
    }
    memcpy(fall->outcome, outcome, sizeof(int32_t) * (size_t)n);
    for (int32_t i = 0; i < n; i++) beside[i] = Y->neras - 1;
    return fall;
}

/* The numbers of a fall stand where the epochs of its pieces would. */
static void rw_fall_of_numbers(RwFall *fall) {
    fall->numbers = fall->epochs;
    fall->epochs = NULL;
    for (int32_t i = 0; i < fall->n; i++) fall->numbers[i] = -1;
}

static void rw_tell_rolled(RwStory *Y, const RwEvent *E, const RwOpen *open) {
    RwFall *fall = rw_new_fall(Y, open, RW_FALL_ROLL, E->pieces + 1, E->n - 1);
    if (fall == NULL) return;
    rw_fall_of_numbers(fall);
    for (int32_t k = 0; k < fall->n; k++)
        for (int32_t i = 0; i < Y->nwritten; i++) {
            const RwWritten *one = &Y->written[i];
            if (one->number >= 0 && one->is_now && !one->is_dropped &&
                Y->tale->numbers[one->number].offset == E->pieces[0] + k) fall->numbers[k] = i;
        }
}

/* A number that chance picked. Where worlds pick from other sets, it is one of so many parts of the set. */
static void rw_tell_lot_fell(RwStory *Y, const RwEvent *E, const RwOpen *open) {
    int32_t value = E->value, index = 0;
    if (E->varies) {
        while (index < E->n && E->pieces[index] != E->value) index++;
        value = (int32_t)((int64_t)(2 * index + 1) * RW_PARTS / (2 * E->n));
    }
    const int32_t parts[2] = {0, 1};
    RwFall *fall = rw_new_fall(Y, open, RW_FALL_PICK, &value, 1);
    if (fall == NULL) return;
    rw_fall_of_numbers(fall);
    fall->numbers[0] = E->varies ? rw_new_source(Y, value, parts, 2) : rw_new_source(Y, value, E->pieces, E->n);
    if (E->varies && fall->numbers[0] >= 0) Y->written[fall->numbers[0]].is_part = 1;
}

static void rw_tell_fall(RwStory *Y, const RwEvent *E, RwOpen *open) {
    if (open->step < 0) return;
    if (E->what == RW_FALL_ROLL) {
        rw_tell_rolled(Y, E, open);
    } else if (E->is_lot) {
        rw_tell_lot_fell(Y, E, open);
    } else if (rw_new_fall(Y, open, (RwFallKind)E->what, E->pieces, E->n) != NULL && E->what != RW_FALL_SHUFFLE) {
        for (int32_t i = 0; i < E->n; i++) {
            open->fallen[E->pieces[i]] = Y->steps[open->step].nfalls - 1;
            open->fallen_at[E->pieces[i]] = i;
            open->fallen_from[E->pieces[i]] = open->luck[E->pieces[i]];
        }
    }
}

/* Whether a piece that chance has picked leaves its place with this mix (`leaves_with` of runtime/trail.py). */
static int rw_leaves_here(const RwStory *Y, const RwEvent *E, const RwOpen *open, int32_t piece) {
    const int32_t luck = open->fallen_from[piece];
    if (luck < 0) return E->n > 1;
    RwBits others = E->bits;
    const RwBits *beside = &Y->tale->events[luck].bits;
    others.of[piece / 64] &= ~((uint64_t)1 << piece % 64);
    if (!rw_bits_meet(&others, beside)) return 0;
    return !E->by_chance || E->pieces[0] == piece || !rw_bits_beyond(&E->bits, beside);
}

/* Which piece chance picked is settled when it leaves its place, which is here. */
static void rw_tell_left(RwStory *Y, const RwEvent *E, RwOpen *open) {
    for (int32_t i = 0; open->step >= 0 && i < E->n; i++) {
        const int32_t piece = E->pieces[i];
        if (open->fallen[piece] < 0 || !rw_leaves_here(Y, E, open, piece)) continue;
        Y->steps[open->step].falls[open->fallen[piece]].epochs[open->fallen_at[piece]] = Y->neras - 1;
        open->fallen[piece] = -1;
    }
}

/* ---------------------------------------------------------------- its end */

/* Somebody passed unseen (`_pass_over`). */
static void rw_tell_pass(RwStory *Y, const RwEvent *E, const RwOpen *open) {
    RwPassage *step = open->step < 0 ? NULL : &Y->steps[open->step];
    if (step == NULL || step->end == NULL) return;
    step->passes += step->end->site == E->state->site && step->end->who == E->state->who;
}

/* A decision: what a rule at work still holds came out of the step that ends here (`_end`). */
static void rw_tell_end(RwStory *Y, RwOpen *open) {
    open->ended = open->step;
    open->step = -1;
    if (open->ended >= 0) {
        Y->steps[open->ended].end_epoch = Y->neras - 1;
        for (int32_t i = open->moved; open->nmoved > 0 && !open->moved_apart && i < Y->neras; i++)
            if (Y->eras[i].is_moved) Y->eras[i].by_choice = 1;
    }
    open->nmoved = 0;
    rw_forget_fallen(open);
    open->posed_in = Y->neras - 1;
}

/* The facts that were told with an event, from `first` on: the step that says what the rules held then. */
static void rw_tell_before(RwStory *Y, const RwEvent *E, const RwOpen *open, int32_t first) {
    for (int32_t i = first; E->has_locals && E->state != NULL && i < Y->nsaid; i++) {
        const int is_paid = Y->said[i].gone >= 0 && Y->gone[Y->said[i].gone].kind == RW_FACT_PAID;
        if (Y->said[i].partner < 0 && (E->kind == RW_TALE_ASKED || is_paid)) Y->said[i].before = open->ended;
    }
}

/* Every epoch that a step turns on is told of it, and the numbers that are only part of it are the story's (`finish`). */
static void rw_finish_steps(RwStory *Y) {
    for (int32_t i = 0; i < Y->nsteps; i++) {
        RwPassage *step = &Y->steps[i];
        RwToldStep *told = &Y->told_steps[i];
        for (int32_t era = step->epoch; era <= step->end_epoch; era++) rw_add_bits(&told->bits, &Y->eras[era].bits);
        uint8_t *reads = calloc((size_t)Y->neras + 1, 1);
        if (reads == NULL) {
            Y->is_lost = 1;
            return;
        }
        reads[step->taken_in] = reads[step->end_epoch] = 1;
        for (int32_t k = 0; k < step->nfalls; k++) {
            const RwFall *fall = &step->falls[k];
            for (int32_t j = 0; fall->epochs != NULL && j < fall->n; j++) {
                rw_set_bit(&told->bits, fall->outcome[j]);
                reads[fall->epochs[j]] = 1;
            }
            for (int32_t j = 0; fall->numbers != NULL && j < fall->n; j++)
                if (fall->numbers[j] >= 0 && Y->written[fall->numbers[j]].number < 0) Y->drawn[Y->ndrawn++] = fall->numbers[j];
        }
        for (int32_t era = 0; era < Y->neras; era++) {
            if (!reads[era] || era == step->epoch) continue;
            Y->said[Y->nsaid] = (RwSaid){told->event, era, -1, told->said, -1, -1, 0, -1, -1};
            rw_hang_said(Y, &Y->eras[era].said, Y->nsaid++);
        }
        free(reads);
        if (step->choice >= 0) Y->drawn[Y->ndrawn++] = step->choice;
    }
}

/* ---------------------------------------------------------------- what it turns on */

static int32_t rw_drawn_at(const RwStory *Y, int32_t written) {
    for (int32_t i = 0; written >= 0 && i < Y->ndrawn; i++)
        if (Y->drawn[i] == written) return i;
    return -1;
}

/* Whether a step may come out otherwise in a world. */
static int rw_step_turns(const RwStory *Y, const RwSaid *asked, int turns_on_numbers) {
    const RwPassage *step = &Y->steps[asked->step];
    const RwBits *bits = &Y->told_steps[asked->step].bits;
    if (turns_on_numbers || step->before >= 0 || rw_drawn_at(Y, step->choice) >= 0) return 1;
    if (rw_bits_meet(bits, &Y->movable[step->epoch]) || rw_bits_meet(bits, &Y->movable[step->taken_in]) ||
        rw_bits_meet(bits, &Y->movable[step->end_epoch])) return 1;
    for (int32_t i = 0; i < step->nfalls; i++) {
        const RwFall *fall = &step->falls[i];
        for (int32_t k = 0; fall->epochs != NULL && k < fall->n; k++)
            if (rw_bits_meet(bits, &Y->movable[fall->epochs[k]])) return 1;
        for (int32_t k = 0; fall->numbers != NULL && k < fall->n; k++)
            if (rw_drawn_at(Y, fall->numbers[k]) >= 0) return 1;
    }
    return 0;
}

static void rw_renumber_steps(RwStory *Y) {
    for (int32_t i = 0; i < Y->nsteps; i++) {
        RwPassage *step = &Y->steps[i];
        step->epoch = Y->number[step->epoch];
        step->taken_in = Y->number[step->taken_in];
        step->end_epoch = Y->number[step->end_epoch];
        for (int32_t k = 0; k < step->nfalls; k++)
            for (int32_t j = 0; step->falls[k].epochs != NULL && j < step->falls[k].n; j++)
                step->falls[k].epochs[j] = Y->number[step->falls[k].epochs[j]];
    }
}
#else
static void rw_tell_step(RwStory *Y, RwOpen *open, int32_t event, int32_t end) {}
static void rw_tell_fall(RwStory *Y, const RwEvent *E, RwOpen *open) {}
static void rw_tell_left(RwStory *Y, const RwEvent *E, RwOpen *open) {}
static void rw_tell_pass(RwStory *Y, const RwEvent *E, const RwOpen *open) {}
static void rw_tell_end(RwStory *Y, RwOpen *open) {}
static void rw_tell_before(RwStory *Y, const RwEvent *E, const RwOpen *open, int32_t first) {}
static void rw_finish_steps(RwStory *Y) {}
static int rw_step_turns(const RwStory *Y, const RwSaid *asked, int turns_on_numbers) { return 1; }
static void rw_renumber_steps(RwStory *Y) {}
#endif

#endif
