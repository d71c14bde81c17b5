/* The story of a player: what is left of a tale, told in order, and then with as few epochs as say the same.
 *
 * This is `Telling` (runtime/telling.py), `_told` (runtime/story.py) and `_Merging` (runtime/epochs.py) for stories of pieces
 * alone, step by step; why each step is right is said there. */
#ifndef RW_ERAS_H
#define RW_ERAS_H

#include "rw_told_steps.h"

/* ---------------------------------------------------------------- telling */

static void rw_forget_beside(RwOpen *open) {
    for (int32_t piece = 0; piece <= RW_PIECES; piece++) open->luck[piece] = -1;
}

/* Those of the pieces of a mix that lay there when chance picked the first of them: what has come in since is not it. */
static int32_t rw_picked_among(RwEvent *E, const RwBits *there) {
    int32_t n = 0;
    if (E->chosen == NULL) E->chosen = malloc(sizeof(int32_t) * (size_t)E->n);
    for (int32_t i = 0; E->chosen != NULL && i < E->n; i++)
        if (rw_bit(there, E->pieces[i])) E->chosen[n++] = E->pieces[i];
    return n;
}

/* Which of several unseen pieces was chosen is not seen: the choice belongs to an epoch of its own. */
static void rw_tell_taken(RwStory *Y, RwOpen *open) {
    const int32_t one = open->asked, event = open->event;
    memset(&open->lucky, 0, sizeof open->lucky);
    rw_forget_beside(open);
    memset(&open->met, 0, sizeof open->met);
    memset(&open->chosen, 0, sizeof open->chosen);
    if (open->is_pick) memset(&open->settled, 0, sizeof open->settled);
    open->asked = open->event = -1;
    if (event < 0) return;
    const RwEvent *E = &Y->tale->events[event];
    const int is_kept = one >= 0 && E->is_kept;
    if (is_kept) Y->said[one].taken_in = Y->neras - 1 + (E->n > 1);
    for (int32_t i = 0; i < E->n; i++) rw_set_bit(&open->chosen, E->pieces[i]);
    rw_drop_bits(&open->settled, &open->chosen);
    if (E->n && !open->is_pick) rw_set_bit(&open->settled, E->pieces[0]);
    if (E->n < 2) return;
    rw_new_era(Y, E->pieces, E->n)->by_choice = 1;
    if (is_kept) rw_new_said(Y, event, one);
}

static RwGone *rw_gone_of(const RwStory *Y, int32_t said) { return &Y->gone[Y->said[said].gone]; }

static void rw_tell_mix(RwStory *Y, int32_t number, RwOpen *open) {
    const RwEvent *E = &Y->tale->events[number];
    open->going = -1;
    if (E->by_look) { /* nothing has gone */
        rw_new_era(Y, E->pieces, E->n)->is_cut = E->is_cut;
        rw_drop_bits(&open->settled, &E->bits);
        return;
    }
    const int is_settled = !E->by_chance && rw_bit(&open->settled, E->pieces[0]);
    open->going = is_settled ? E->pieces[0] : -1;
    rw_drop_bits(&open->settled, &E->bits);
    if (!rw_bits_beyond(&E->bits, &open->chosen)) return;
    if (is_settled) { /* which one goes was settled when it was chosen: what has come in since is not it */
        rw_new_era(Y, E->pieces, 1)->is_cut = 1;
        return;
    }
    const int is_lucky = rw_bit(&open->lucky, E->pieces[0]), is_moved = !E->by_chance && !is_lucky;
    if (is_moved && open->nmoved++ == 0) {
        open->moved = Y->neras;
        open->moved_apart = 0;
    }
    const int32_t luck = E->by_chance ? -1 : open->luck[E->pieces[0]];
    const RwBits *there = luck < 0 ? NULL : &Y->tale->events[luck].bits;
    const int is_less = there != NULL && rw_bits_beyond(&E->bits, there);
    RwEvent *mix = &Y->tale->events[number];
    const int32_t n = is_less ? rw_picked_among(mix, there) : E->n;
    RwEra *era = rw_new_era(Y, is_less && n ? mix->chosen : E->pieces, n ? n : 1);
    era->is_moved = (int8_t)is_moved;
    if (is_moved) open->moved_apart |= Y->eras[open->moved].mixed[0] != era->mixed[0];
    era->is_cut = (int8_t)(E->is_cut || is_less);
    era->is_closed = (int8_t)(E->is_closed && !is_less);
    const int is_paid = open->paying >= 0 && !E->by_chance &&
                        rw_gone_due(rw_gone_of(Y, open->paying), Y->tale->row[E->pieces[0]]) >= 0;
    /* Each copy that chance may pick is a way. What is shown and then goes was picked once. */
    era->by_choice = is_lucky ? rw_bit(&open->met, E->pieces[0]) : E->was_chosen || is_paid;
    if (is_lucky) rw_set_bit(&open->met, E->pieces[0]);
}

/* ---------------------------------------------------------------- sets and payments */

/* All pieces of a set have gone where they were meant to go (`_has_picked`). */
static void rw_end_set(RwStory *Y, RwOpen *open) {
    const int32_t one = open->picking;
    open->picking = -1;
    if (one < 0) return;
    Y->said[one].taken_in = Y->neras - 1;
    if (Y->said[one].taken_in != Y->said[one].epoch) rw_new_said(Y, Y->said[one].event, one);
}

/* If all that was picked to be paid has gone unseen, what went is what could be paid (`_has_paid`). `at`: where pieces lie
 * by now. */
static void rw_end_payment(RwStory *Y, RwOpen *open, const State *after, const int32_t *at) {
    const int32_t one = open->paying;
    open->paying = -1;
    if (one < 0) return;
    RwGone *paid = rw_gone_of(Y, one);
    const RwEvent *E = &Y->tale->events[paid->event];
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        const num now = after != NULL ? RW_AT(after, piece) : at[piece];
        if (rw_bit(&E->bits, piece) && !rw_gone_has(paid, piece) && now != RW_AT(E->state, piece) &&
            rw_gone_goes(paid, Y->tale, piece))
            open->paid_in = Y->neras - 1;
    }
    if (paid->n == 0 || paid->nleft > 0) return;
    rw_hang_said(Y, &Y->eras[Y->said[one].epoch].said, one);
    Y->said[one].taken_in = open->paid_in;
    if (open->paid_in == Y->said[one].epoch) return;
    Y->said[Y->nsaid] = (RwSaid){paid->event, open->paid_in, -1, one, -1, -1, 0, -1, -1};
    rw_hang_said(Y, &Y->eras[open->paid_in].said, Y->nsaid++);
}

static int32_t rw_new_gone(RwStory *Y, int32_t event, int kind, int is_hung) {
    const int32_t one = Y->nsaid++;
    Y->said[one] = (RwSaid){event, Y->neras - 1, kind == RW_FACT_POSED ? -1 : Y->neras - 1, -1, -1, Y->ngone, 0, -1, -1};
    RwGone *gone = &Y->gone[Y->ngone++];
    gone->kind = (int8_t)kind;
    gone->event = event;
    if (is_hung) rw_hang_said(Y, &Y->eras[Y->neras - 1].said, one);
    return one;
}

/* A pick of a set or payment that was asked for or answered itself (`_begin_picks`, and `_pick` where it was asked). */
static void rw_tell_pick(RwStory *Y, RwOpen *open, int32_t number) {
    const RwEvent *E = &Y->tale->events[number];
    const int is_asked = E->kind == RW_TALE_ASKED;
    int32_t begun = -1;
    if (open->paying >= 0) rw_gone_pays(rw_gone_of(Y, open->paying), Y->tale, E->picked, E->npicked, NULL);
    if (E->npicked) {
        if (open->begun >= 0 && Y->tale->events[Y->said[open->begun].event].site == E->site)
            rw_gone_of(Y, open->begun)->is_posed |= E->is_posed;
    } else {
        open->begun = begun = E->is_open && open->step < 0 ? rw_new_gone(Y, number, RW_FACT_POSED, 0) : -1;
        if (begun >= 0) {
            rw_gone_of(Y, begun)->is_posed = E->is_posed;
            rw_gone_of(Y, begun)->picks_some = E->picks_some;
            if (E->picks == RW_PICKS_PAYMENT) open->paying = rw_new_gone(Y, number, RW_FACT_PAID, 0);
        }
    }
    if (is_asked) {
        if (open->picking >= 0 && E->npicked && Y->tale->events[Y->said[open->picking].event].site == E->site) {
            open->picked = E->picked;
            open->npicked = E->npicked;
        } else {
            rw_end_set(Y, open);
            if (E->picks == RW_PICKS_SET && !E->is_free && !E->npicked) {
                open->picking = rw_new_gone(Y, number, RW_FACT_PICKED, 1);
                open->npicked = 0;
            }
        }
    }
    if (begun >= 0) rw_hang_said(Y, &Y->eras[Y->neras - 1].said, begun);
}

/* What a decision or a told value is to the sets and payments that are open. */
static void rw_tell_question(RwStory *Y, RwOpen *open, int32_t number) {
    const RwEvent *E = &Y->tale->events[number];
    if (open->paying >= 0 && !(E->npicked && E->site == Y->tale->events[rw_gone_of(Y, open->paying)->event].site))
        rw_end_payment(Y, open, E->state, NULL);
    if (E->kind == RW_TALE_FELL && E->picks && open->picking >= 0 && E->npicked &&
        Y->tale->events[Y->said[open->picking].event].site == E->site)
        rw_gone_picks(rw_gone_of(Y, open->picking), E->picked, E->npicked, E);
    if (E->kind == RW_TALE_FELL && E->picks) memset(&open->settled, 0, sizeof open->settled);
    if (E->kind == RW_TALE_ASKED) {
        open->is_pick = (int8_t)(E->picks != 0);
        open->event = E->npicked || (!E->is_fact && !E->picks) ? -1 : number;
        open->asked = -1;
    }
    if (E->picks) {
        rw_tell_pick(Y, open, number);
        if (E->kind == RW_TALE_FELL && open->paying >= 0)
            rw_gone_pays(rw_gone_of(Y, open->paying), Y->tale, E->picked, E->npicked, &E->pick);
        return;
    }
    if (E->kind == RW_TALE_ASKED) rw_end_set(Y, open);
    if (!E->is_fact || (E->kind == RW_TALE_FELL && open->step >= 0)) return; /* a step judges what happens in it */
    const int32_t one = rw_new_said(Y, number, -1);
    if (E->kind == RW_TALE_ASKED) open->asked = one;
}

/* What was taken, to the sets and payments that are open; `last`: the decision. */
static void rw_tell_picked(RwStory *Y, RwOpen *open, int32_t last) {
    if (last < 0) return;
    const RwEvent *E = &Y->tale->events[last];
    if (open->picking >= 0) rw_gone_picks(rw_gone_of(Y, open->picking), open->picked, open->npicked, E);
    if (open->paying < 0) return;
    RwGone *paid = rw_gone_of(Y, open->paying);
    rw_gone_pays(paid, Y->tale, paid->keys, paid->nkeys, &E->pick);
}

/* ---------------------------------------------------------------- numbers */

/* Whether a fact was told while a number was as it had been written. */
static int rw_is_since(const RwStory *Y, const RwWritten *one, int32_t said) {
    return said >= one->first && said < one->behind && Y->said[said].partner < 0 && Y->said[said].is_hung;
}

/* What follows is about another number (`_close`), or the number was shown (`_show`): then it is known, or what it was worked
 * out from must fit. `step`: the one that runs, or -1. */
static void rw_close_number(RwStory *Y, int32_t number, int is_shown, int32_t step) {
    for (int32_t i = 0; i < Y->nwritten; i++) {
        RwWritten *one = &Y->written[i];
        if (one->number != number || !one->is_now || one->is_dropped) continue;
        if (is_shown && one->step >= 0) {
            one->is_shown |= one->step != step;
            continue;
        }
        int has_facts = one->step >= 0 || step >= 0;
        one->behind = Y->nsaid;
        for (int32_t said = one->first; said < one->behind; said++) has_facts |= rw_is_since(Y, one, said);
        one->is_now = 0;
        one->is_over = (int8_t)(one->step >= 0 && one->step == step);
        one->is_dropped = (int8_t)(is_shown || !has_facts);
        if (!one->is_dropped) Y->drawn[Y->ndrawn++] = i;
    }
}

static void rw_tell_written(RwStory *Y, const RwEvent *E, int player, int32_t step) {
    const RwSecret *secret = &Y->tale->numbers[E->number];
    rw_close_number(Y, E->number, 0, step);
    if (E->is_guessed ? secret->least >= secret->most : E->n < 2 || E->pick == player) return; /* all know it; or who chose */
    RwWritten *one = &Y->written[Y->nwritten++];
    *one = (RwWritten){.number = E->number, .true_value = E->value, .first = Y->nsaid, .behind = INT32_MAX,
                       .low = secret->low, .high = secret->high, .is_now = 1, .step = -1};
    if (E->is_guessed) {
        one->low = secret->least;
        one->high = secret->most;
    }
    for (int32_t i = 0; !secret->has_range && i < E->n; i++) {
        if (i == 0 || E->pieces[i] < one->low) one->low = E->pieces[i];
        if (i == 0 || E->pieces[i] > one->high) one->high = E->pieces[i];
    }
    if (step >= 0 && !E->is_rolled) one->step = step;
    one->is_guessed = E->is_guessed && one->step < 0;
    one->values = malloc(sizeof(int32_t) * (size_t)(E->n + 1));
    if (one->values == NULL) {
        Y->is_lost = 1;
        return;
    }
    one->nvalues = E->n;
    if (E->n) memcpy(one->values, E->pieces, sizeof(int32_t) * (size_t)E->n);
    if (one->step < 0) return;
    one->values[0] = one->true_value; /* a world works it out, and draws nothing */
    one->nvalues = 1;
}

/* Leaves only values with which a number stays in its range, with all that was added since (`Unknown.fit`). */
static void rw_fit_number(RwStory *Y, RwWritten *one, const State *S) {
    const int32_t offset = Y->tale->numbers[one->number].offset;
    num least = one->is_now ? rw_number(S, offset) : one->true_value, most = least;
    int32_t n = 0;
    for (int32_t said = one->first; said < Y->nsaid && said < one->behind; said++) {
        if (!rw_is_since(Y, one, said)) continue;
        const num held = rw_number(Y->tale->events[Y->said[said].event].state, offset);
        if (held < least) least = held;
        if (held > most) most = held;
    }
    one->least = one->low - least;
    one->most = one->high - most;
    for (int32_t i = 0; i < one->nvalues; i++) {
        const num shift = (num)one->values[i] - one->true_value;
        if (shift == 0 || (shift >= one->low - least && shift <= one->high - most)) one->values[n++] = one->values[i];
    }
    one->nvalues = n;
}

/* The numbers that a world draws, when all is told. */
static void rw_find_drawn(RwStory *Y, const State *S) {
    int32_t kept = 0;
    for (int32_t i = 0; i < Y->nwritten; i++)
        if (Y->written[i].is_now && !Y->written[i].is_dropped) Y->drawn[Y->ndrawn++] = i;
    for (int32_t i = 0; i < Y->ndrawn; i++) {
        RwWritten *one = &Y->written[Y->drawn[i]];
        if (one->number >= 0) rw_fit_number(Y, one, S);
        if (one->is_guessed) Y->is_lost = 1; /* what it was worked out from is too long ago: Python draws it by itself */
        if (one->nvalues > 1 || one->step >= 0) Y->drawn[kept++] = Y->drawn[i];
    }
    Y->ndrawn = kept;
    if (kept > RW_MOST_NUMBERS) Y->is_lost = 1;
}

/* Whether a fact turns on a number that a world draws. */
static int rw_turns_on(const RwStory *Y, int32_t said, int32_t drawn) {
    const RwWritten *one = &Y->written[Y->drawn[drawn]];
    if (one->number < 0 || !rw_is_since(Y, one, said)) return 0; /* numbers that are only part of a step */
    return Y->said[said].step >= 0 || rw_has_number(&Y->tale->events[Y->said[said].event].reads, one->number);
}

static int rw_turns_on_numbers(const RwStory *Y, int32_t said) {
    for (int32_t i = 0; i < Y->ndrawn; i++)
        if (rw_turns_on(Y, said, i)) return 1;
    return 0;
}

static void rw_tell(RwStory *Y, const int32_t *at, int is_unseen_now) {
    RwOpen open = {.asked = -1, .event = -1, .begun = -1, .picking = -1, .paying = -1, .step = -1, .ended = -1, .going = -1};
    int32_t last = -1; /* the decision that was posed last */
    rw_new_era(Y, NULL, 0);
    rw_forget_fallen(&open);
    rw_forget_beside(&open);
    for (int32_t i = Y->sieve.n - 1; i >= 0; i--) {
        const int32_t number = Y->sieve.kept[i];
        if (number < 0) continue;
        const RwEvent *E = &Y->tale->events[number];
        if (Y->sieve.tags != NULL && Y->sieve.tags[i] != RW_TAG_EVENT) {
            if (Y->sieve.tags[i] == RW_TAG_STEP) rw_tell_step(Y, &open, number, Y->sieve.ends[i]);
            else if (Y->sieve.tags[i] == RW_TAG_PASSED) rw_tell_pass(Y, E, &open);
            else rw_tell_end(Y, &open);
            continue;
        }
        if (E->kind == RW_TALE_ASKED) last = number;
        if (E->kind == RW_TALE_MIXED) {
            rw_tell_mix(Y, number, &open);
            if (E->by_look) continue;
            rw_tell_left(Y, E, &open);
            if (open.paying >= 0 && !E->by_chance && rw_gone_goes(rw_gone_of(Y, open.paying), Y->tale, E->pieces[0]))
                open.paid_in = Y->neras - 1;
        } else if (E->kind == RW_TALE_SEEN) {
            rw_era_sees(Y, &Y->eras[Y->neras - 1], E->piece);
            if (E->piece == open.going) rw_set_bit(&open.settled, E->piece);
            if (open.paying >= 0 && rw_gone_has(rw_gone_of(Y, open.paying), E->piece)) open.paying = -1;
        } else if (E->kind == RW_TALE_SETTLED) {
            memset(&open.settled, 0, sizeof open.settled);
            rw_forget_beside(&open);
        } else if (E->kind == RW_TALE_LUCKY) {
            rw_set_bit(&open.lucky, E->piece);
            open.luck[E->piece] = number;
            RwBits again;
            memset(&again, 0, sizeof again);
            rw_set_bit(&again, E->piece);
            rw_drop_bits(&open.met, &again);
            rw_drop_bits(&open.settled, &again);
        } else if (E->kind == RW_TALE_TOOK) {
            rw_tell_picked(Y, &open, last);
            rw_tell_taken(Y, &open);
        } else if (E->kind == RW_TALE_WROTE) {
            rw_tell_written(Y, E, Y->tale->player, open.step);
        } else if (E->kind == RW_TALE_SHOWN) {
            rw_close_number(Y, E->number, 1, open.step);
        } else if (E->kind == RW_TALE_CHANCE) {
            rw_tell_fall(Y, E, &open);
        } else {
            const int32_t first = Y->nsaid;
            rw_tell_question(Y, &open, number);
            rw_tell_before(Y, E, &open, first);
        }
    }
    rw_end_set(Y, &open);
    rw_end_payment(Y, &open, NULL, at);
    rw_finish_steps(Y);
    Y->last = Y->nsteps && is_unseen_now ? open.ended : -1;
}

/* What is known now is as good as seen now. */
static void rw_see_what_is_known(RwStory *Y, const RwBits *known) {
    RwBits moving = {{0}};
    for (int32_t i = 0; i < Y->neras; i++) rw_add_bits(&moving, &Y->eras[i].bits);
    for (int32_t piece = 0; piece < RW_PIECES; piece++)
        if (rw_bit(&moving, piece) && rw_bit(known, piece)) rw_era_sees(Y, &Y->eras[Y->neras - 1], piece);
}

/* ---------------------------------------------------------------- facts that cannot fail */

static const RwSaid *rw_partner(const RwStory *Y, const RwSaid *one) {
    return one->partner < 0 ? one : &Y->said[one->partner];
}

/* The pieces that a fact may turn on: those of its question, or what was chosen. */
static RwBits rw_said_bits(const RwStory *Y, const RwSaid *one) {
    const RwEvent *E = &Y->tale->events[one->event];
    if (rw_step_of(Y, one) >= 0) return Y->told_steps[rw_step_of(Y, one)].bits;
    if (one->partner < 0) return E->bits;
    if (Y->said[one->partner].gone >= 0) return rw_gone_bits(rw_gone_of(Y, one->partner));
    RwBits found = {{0}};
    for (int32_t i = 0; i < E->nchosen; i++) rw_set_bit(&found, E->chosen[i]);
    return found;
}

/* For each epoch the positions that may hold another piece than the true one. */
static void rw_find_movable(RwStory *Y) {
    const int32_t n = Y->neras;
    RwBits *found = Y->movable, *may = found + n, *seen = may + n, pinned = {{0}}, moved = {{0}};
    for (int32_t i = n - 1; i >= 0; i--) {
        seen[i] = rw_seen_bits(Y, &Y->eras[i]);
        rw_add_bits(&pinned, &seen[i]);
        may[i] = Y->eras[i].bits;
        rw_drop_bits(&may[i], &pinned);
        rw_drop_bits(&pinned, &Y->eras[i].bits);
    }
    for (int32_t i = 0; i < n; i++) {
        const RwBits *mixed = &Y->eras[i].bits;
        const int changes = rw_few_bits(&may[i]) > 1 || rw_bits_meet(&moved, mixed);
        rw_drop_bits(&moved, mixed);
        if (changes) rw_add_bits(&moved, &may[i]);
        rw_drop_bits(&moved, &seen[i]);
        found[i] = moved;
    }
}

static int rw_can_fail(const RwStory *Y, const RwSaid *one, int32_t number) {
    const RwSaid *asked = rw_partner(Y, one);
    const RwEvent *E = &Y->tale->events[asked->event];
    if (asked->step >= 0) return rw_step_turns(Y, asked, rw_turns_on_numbers(Y, (int32_t)(asked - Y->said)));
    if (asked->gone < 0 && E->is_asked && !E->is_visible && asked->taken_in < 0) return 0;
    if (asked->gone >= 0 && Y->gone[asked->gone].kind == RW_FACT_PICKED) {
        const RwBits taken = rw_gone_bits(&Y->gone[asked->gone]);
        if (!rw_bits_meet(&E->bits, &taken)) return 0;
    }
    if (asked->before >= 0 || rw_turns_on_numbers(Y, (int32_t)(asked - Y->said))) return 1;
    const RwBits bits = rw_said_bits(Y, one);
    return rw_bits_meet(&bits, &Y->movable[number]) || rw_bits_meet(&bits, &Y->movable[asked->epoch]) ||
           (asked->taken_in >= 0 && rw_bits_meet(&bits, &Y->movable[asked->taken_in]));
}

static void rw_leave_out_idle(RwStory *Y) {
    rw_find_movable(Y);
    for (int32_t i = 0; i < Y->neras; i++) {
        RwChain said = Y->eras[i].said;
        Y->eras[i].said = (RwChain){-1, -1};
        for (int32_t at = said.first, next; at >= 0; at = next) {
            const RwEvent *E = &Y->tale->events[Y->said[at].event];
            next = Y->said[at].next;
            if (!rw_can_fail(Y, &Y->said[at], i)) continue;
            const RwSaid *asked = rw_partner(Y, &Y->said[at]);
            const int32_t gone = asked->gone;
            const int is_gone = (gone >= 0 && Y->gone[gone].kind != RW_FACT_POSED) || asked->step >= 0 || asked->before >= 0;
            if (Y->said[at].step >= 0) Y->told_steps[Y->said[at].step].is_kept = 1;
            if (is_gone || rw_turns_on_numbers(Y, (int32_t)(rw_partner(Y, &Y->said[at]) - Y->said))) { /* never idle */
                rw_hang_said(Y, &Y->eras[i].said, at);
                continue;
            }
            if (E->is_idle < 0) rw_want(Y->tale, Y->said[at].event, RW_WANTED_IDLE);
            if (E->is_idle <= 0) rw_hang_said(Y, &Y->eras[i].said, at);
        }
    }
}

/* ---------------------------------------------------------------- pieces of which more is known */

static int rw_have_copies(const RwTale *T, const RwBits *group) {
    uint8_t met[RW_PIECES + 1] = {0};
    for (int32_t piece = 0; piece < RW_PIECES; piece++)
        if (rw_bit(group, piece) && met[T->like[piece]]++) return 1;
    return 0;
}

/* The pieces of which there is an equal copy among these. */
static void rw_find_copied(RwStory *Y, const RwBits *grouped) {
    int32_t alike[RW_PIECES + 1] = {0};
    for (int32_t piece = 0; piece < RW_PIECES; piece++) alike[Y->tale->like[piece]] += rw_bit(grouped, piece);
    for (int32_t piece = 0; piece < RW_PIECES; piece++)
        if (rw_bit(&Y->weighed, piece) && alike[Y->tale->like[piece]] > 1) rw_set_bit(&Y->copied, piece);
}

/* The pieces that a fact reads or that are part of a cut mix, and those that were ever out of sight with them. `groups`:
 * the mixes of the player, with room for one more of each epoch. */
static void rw_find_tied(RwStory *Y, RwBits *groups, int32_t n) {
    RwBits told = {{0}};
    for (int32_t i = 0; i < Y->neras; i++) {
        const RwEra *era = &Y->eras[i];
        for (int32_t at = era->said.first; at >= 0; at = Y->said[at].next) {
            const RwBits bits = rw_said_bits(Y, &Y->said[at]);
            rw_add_bits(&told, &bits);
        }
        if (era->is_cut) rw_add_bits(&told, &era->bits);
    }
    if (!rw_has_bits(&told)) return;
    for (int32_t i = 0; i < Y->neras; i++) {
        if (!rw_has_bits(&Y->eras[i].bits)) continue;
        RwBits whole = Y->eras[i].bits;
        int32_t apart = 0;
        for (int32_t g = 0; g < n; g++) {
            if (rw_bits_meet(&groups[g], &whole)) rw_add_bits(&whole, &groups[g]);
            else groups[apart++] = groups[g];
        }
        groups[apart++] = whole;
        n = apart;
    }
    RwBits grouped = {{0}};
    for (int32_t g = 0; g < n; g++) {
        if (!rw_bits_meet(&groups[g], &told)) continue;
        rw_add_bits(&grouped, &groups[g]);
        if (rw_have_copies(Y->tale, &groups[g])) rw_add_bits(&Y->weighed, &groups[g]);
    }
    Y->tied = told;
    rw_add_bits(&Y->tied, &grouped);
    rw_find_copied(Y, &Y->tied);
}

static void rw_renumber(RwStory *Y) {
    for (int32_t i = 0; i < Y->nsaid; i++) {
        Y->said[i].epoch = Y->number[Y->said[i].epoch];
        if (Y->said[i].taken_in >= 0) Y->said[i].taken_in = Y->number[Y->said[i].taken_in];
    }
    rw_renumber_steps(Y);
}

/* Only epochs that begin with pieces that are tied stay; what the others hold goes to the one before. */
static void rw_leave_out_untied(RwStory *Y) {
    int32_t kept = 0;
    Y->number[0] = 0;
    for (int32_t i = 1; i < Y->neras; i++) {
        if (rw_bit(&Y->tied, Y->eras[i].mixed[0])) {
            Y->eras[++kept] = Y->eras[i];
        } else {
            rw_hang_all(&Y->eras[kept].seen, Y->seen_next, &Y->eras[i].seen);
            rw_hang_all_said(Y, &Y->eras[kept].said, &Y->eras[i].said);
        }
        Y->number[i] = kept;
    }
    Y->neras = kept + 1;
    for (int32_t i = 0; i < Y->neras; i++) {
        RwChain seen = Y->eras[i].seen;
        Y->eras[i].seen = (RwChain){-1, -1};
        for (int32_t at = seen.first, next; at >= 0; at = next) {
            next = Y->seen_next[at];
            if (rw_bit(&Y->tied, Y->seen_piece[at])) rw_hang(&Y->eras[i].seen, Y->seen_next, at);
        }
    }
    rw_renumber(Y);
}

/* Whether a renaming counts less, the more equal copies there are of what was chosen. */
static int rw_is_weighed(const RwStory *Y, const RwEra *era) {
    return era->by_choice && era->nmixed > 0 && rw_bit(&Y->weighed, era->mixed[0]);
}

/* ---------------------------------------------------------------- merging */

static const RwBits *rw_left_bits(const RwStory *Y, int32_t position) { return &Y->eras[Y->left[position].own].bits; }

static void rw_begin_left(RwStory *Y, int32_t number) {
    const RwEra *era = &Y->eras[number];
    RwLeft *left = &Y->left[number];
    *left = (RwLeft){number, rw_is_weighed(Y, era) ? era->mixed[0] : -1, era->is_closed, era->is_closed,
                     rw_seen_bits(Y, era), {-1, -1}, {-1, -1}};
    rw_hang(&left->others, Y->other_next, number);
    for (int32_t at = era->said.first; at >= 0; at = Y->said[at].next) {
        const RwEvent *E = &Y->tale->events[Y->said[at].event];
        if (Y->said[at].partner >= 0 || Y->said[at].step >= 0) {
            const RwBits bits = rw_said_bits(Y, &Y->said[at]);
            rw_add_bits(&left->read, &bits);
            continue;
        }
        rw_add_bits(&left->read, &E->strict);
        for (int32_t i = 0; i < E->nhands; i++) {
            Y->hand[Y->nhands] = &E->hands[i];
            rw_hang(&left->hands, Y->hand_next, Y->nhands++);
        }
    }
    if (number == 0) return;
    for (int32_t i = 0; i < number; i++)
        if (rw_bits_meet(&Y->eras[i].bits, &era->bits) && rw_bits_beyond(&Y->eras[i].bits, &era->bits)) return;
    left->is_whole = 1; /* no earlier epoch could bring in or take out a piece: this needs no telling */
    left->is_closed = 0;
}

/* Whether somebody would notice if these positions changed places. */
static int rw_is_looked_at(const RwStory *Y, int32_t position, const RwBits *own) {
    const RwLeft *left = &Y->left[position];
    if (rw_bits_meet(&left->read, own)) return 1;
    for (int32_t at = left->hands.first; at >= 0; at = Y->hand_next[at])
        if (rw_bits_meet(Y->hand[at], own) && rw_bits_beyond(own, Y->hand[at])) return 1;
    return 0;
}

static int rw_can_close(RwStory *Y, int32_t earlier, int32_t position) {
    RwLeft *there = &Y->left[earlier], *here = &Y->left[position];
    if (!here->is_closed || rw_same_bits(rw_left_bits(Y, position), rw_left_bits(Y, earlier))) return 1;
    RwBits rest = *rw_left_bits(Y, earlier);
    rw_drop_bits(&rest, rw_left_bits(Y, position));
    if (!there->is_whole || rw_few_bits(&rest) > 1 || (there->first >= 0 && rw_bit(&rest, there->first))) return 0;
    for (int32_t piece = 0; piece < RW_PIECES; piece++)
        if (rw_bit(&rest, piece)) rw_era_sees(Y, &Y->eras[there->own], piece);
    rw_add_bits(&there->read, &rest);
    here->is_closed = 0;
    return 1;
}

/* An earlier epoch that mixes all of this one, with nobody looking at these positions in between; 0 if there is none. */
static int32_t rw_done_before(RwStory *Y, int32_t position) {
    const RwBits *own = rw_left_bits(Y, position);
    if (Y->left[position].first >= 0) return 0;
    for (int32_t earlier = position - 1; earlier > 0; earlier--) {
        if (rw_is_looked_at(Y, earlier, own)) return 0;
        const RwBits *there = rw_left_bits(Y, earlier);
        if (!rw_bits_beyond(own, there)) {
            const int32_t first = Y->left[earlier].first;
            return !(first >= 0 && rw_bit(own, first)) && rw_can_close(Y, earlier, position) ? earlier : 0;
        }
        if (rw_bits_meet(own, there)) return 0;
    }
    return 0;
}

/* A later one; 0 if there is none. */
static int32_t rw_done_again(const RwStory *Y, int32_t position) {
    const RwBits *own = rw_left_bits(Y, position);
    if (Y->left[position].first >= 0) return 0;
    for (int32_t later = position + 1; later < Y->nleft; later++) {
        if (rw_is_looked_at(Y, later - 1, own)) return 0;
        const RwBits *there = rw_left_bits(Y, later);
        if (!rw_bits_beyond(own, there))
            return !Y->left[position].is_closed || rw_same_bits(own, there) ? later : 0;
        if (rw_bits_meet(own, there)) return 0;
    }
    return 0;
}

/* What was seen and told in an epoch that is left out belongs to the one before. */
static void rw_drop_left(RwStory *Y, int32_t position) {
    RwLeft *before = &Y->left[position - 1], *gone = &Y->left[position];
    rw_add_bits(&before->read, &gone->read);
    rw_hang_all(&before->hands, Y->hand_next, &gone->hands);
    rw_hang_all(&before->others, Y->other_next, &gone->others);
    memmove(gone, gone + 1, sizeof(RwLeft) * (size_t)(Y->nleft - position - 1));
    Y->nleft--;
}

static int rw_leave_out(RwStory *Y, int is_forwards) {
    int found = 0;
    for (int32_t position = 1; position < Y->nleft;) {
        const int32_t other = is_forwards ? rw_done_again(Y, position) : rw_done_before(Y, position);
        if (other == 0) {
            position++;
            continue;
        }
        Y->left[other].is_closed |= Y->left[position].is_closed;
        rw_drop_left(Y, position);
        found = 1;
    }
    return found;
}

/* The epochs without those that others stand for. */
static void rw_merge(RwStory *Y) {
    Y->nleft = Y->neras;
    for (int32_t i = 0; i < Y->neras; i++) rw_begin_left(Y, i);
    while (rw_leave_out(Y, 0) || rw_leave_out(Y, 1)) continue;
    for (int32_t position = 0; position < Y->nleft; position++) {
        const RwLeft *left = &Y->left[position];
        RwEra *era = &Y->eras[left->own];
        era->is_closed = left->is_closed;
        for (int32_t at = left->others.first; at >= 0; at = Y->other_next[at]) {
            Y->number[at] = position;
            if (at == left->own) continue;
            rw_hang_all(&era->seen, Y->seen_next, &Y->eras[at].seen);
            rw_hang_all_said(Y, &era->said, &Y->eras[at].said);
        }
        Y->eras[position] = *era; /* own >= position, and what stood there is told already */
    }
    Y->neras = Y->nleft;
    rw_renumber(Y);
}

#endif
