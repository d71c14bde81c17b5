/* What a story is made of while it is told: epochs, facts, numbers and steps, with the room for them. Lists of what was seen
 * and told are chains through two arrays, since epochs are joined again and again. */
#ifndef RW_EPOCHS_H
#define RW_EPOCHS_H

#include "rw_picked.h"
#include "rw_sift.h"

/* A step: the decisions that it begins and ends with, the pieces that it may turn on; its fact. */
typedef struct { int32_t event, end, said; int8_t is_kept; RwBits bits; } RwToldStep;

typedef struct { int32_t first, last; } RwChain; /* -1 where it is empty */

/* A fact in the story; one with a `partner` is the choice that answered that fact, in the epoch of the choice. `gone`: it is
 * a fact of a set or payment; -1 if not. One whose partner is a step is that step, in another epoch that it turns on. */
typedef struct {
    int32_t event, epoch, taken_in, partner, next, gone, is_hung;
    int32_t step, before; /* it is this step of the story; the step that says what the rules hold at this decision; or -1 */
} RwSaid;

typedef struct {
    const int32_t *mixed;
    int32_t nmixed;
    int8_t is_cut, is_closed, by_choice;
    int8_t is_moved; /* it began with a piece that went or was shown, and not by chance */
    RwBits bits;
    RwChain seen, said;
} RwEra;

/* One epoch that is left while they are merged; `own` stands for all of `others`, which begin with itself. */
typedef struct {
    int32_t own, first; /* first: a piece that must stay the first, or -1 */
    int8_t is_closed, is_whole;
    RwBits read;        /* positions that are looked at one by one */
    RwChain others, hands;
} RwLeft;

typedef struct {
    RwTale *tale;
    RwSieve sieve;
    int32_t neras, nsaid, nseen, nleft, nhands, ngone;
    RwGone *gone;
    int32_t nwritten, ndrawn;
    RwWritten *written;      /* numbers that the player did not see being written; */
    int32_t *drawn;          /* those of them that a world draws, in the order of runtime/telling.py */
    RwEra *eras;
    RwSaid *said;
    RwLeft *left;
    int32_t *seen_piece, *seen_next, *number, *other_next, *hand_next;
    const RwBits **hand;
    RwBits *movable, tied, weighed, copied;
    int32_t nsteps, last;    /* last: the step that led to now, if rules hold something unseen; or -1 */
    RwToldStep *told_steps;
    struct RwPassage *steps;    /* the same as walks run them */
    const State *now;        /* the game as it stands */
    int8_t is_remembered;    /* in the memory of a whole game */
    int8_t is_lost;          /* only Python can tell this story */
} RwStory;

static void rw_forget_story_steps(RwStory *Y) {
#if RW_REMEMBERS
    for (int32_t i = 0; Y->steps != NULL && i < Y->nsteps; i++) rw_step_done(&Y->steps[i]);
    free(Y->steps);
#endif
}

static void rw_story_done(RwStory *Y) {
    free(Y->sieve.kept);
    free(Y->sieve.before);
    free(Y->sieve.tags);
    free(Y->sieve.ends);
    free(Y->told_steps);
    rw_forget_story_steps(Y);
    free(Y->eras);
    free(Y->said);
    free(Y->gone);
    for (int32_t i = 0; i < Y->nwritten; i++) free(Y->written[i].values);
    free(Y->written);
    free(Y->drawn);
    free(Y->left);
    free(Y->seen_piece);
    free(Y->seen_next);
    free(Y->number);
    free(Y->other_next);
    free(Y->hand_next);
    free((void *)Y->hand);
    free(Y->movable);
}

static int rw_story_sieved(RwStory *Y, RwTale *T, const RwBits *known, int block) {
    memset(Y, 0, sizeof *Y);
    Y->tale = T;
    const size_t n = (size_t)(T->works_out ? 4 : 2) * (size_t)(T->n + 1);
    Y->sieve.kept = malloc(sizeof(int32_t) * n);
    Y->sieve.before = malloc(sizeof(int32_t) * n);
    if (Y->sieve.kept == NULL || Y->sieve.before == NULL) return 0;
#if RW_REMEMBERS
    if (T->works_out) {
        Y->sieve.tags = malloc(n);
        Y->sieve.ends = malloc(sizeof(int32_t) * n);
        return Y->sieve.tags != NULL && Y->sieve.ends != NULL && rw_tale_sift(T, known, &Y->sieve, block);
    }
#endif
    rw_tale_read(T, known, &Y->sieve);
    return 1;
}

static int rw_story_rooms(RwStory *Y) {
    const size_t n = (size_t)Y->sieve.n + 2;
    int32_t hands = 1, picks = 1, steps = 1;
    size_t parts = 0; /* epochs that steps turn on, and numbers in them that a world draws */
    for (int32_t i = 0; i < Y->sieve.n; i++) {
        if (Y->sieve.kept[i] < 0) continue;
        const RwEvent *E = &Y->tale->events[Y->sieve.kept[i]];
        hands += E->picks ? 3 * E->nhands : E->nhands; /* a pick may be three facts */
        picks += E->picks ? 2 : 0;
        if (E->kind == RW_TALE_CHANCE) parts += (size_t)E->n + 1;
        if (Y->sieve.tags == NULL || Y->sieve.tags[i] != RW_TAG_STEP) continue;
        parts += 4;
        steps++;
    }
    Y->eras = calloc(n, sizeof(RwEra));
    Y->said = calloc(2 * n + 2 * (size_t)picks + parts, sizeof(RwSaid));
    Y->gone = calloc((size_t)picks, sizeof(RwGone));
    Y->written = calloc(n + parts, sizeof(RwWritten));
    Y->drawn = malloc(sizeof(int32_t) * (n + parts));
    Y->told_steps = calloc((size_t)steps, sizeof(RwToldStep));
#if RW_REMEMBERS
    Y->steps = calloc((size_t)steps, sizeof(RwPassage));
    if (Y->steps == NULL) return 0;
#endif
    Y->left = calloc(n, sizeof(RwLeft));
    Y->seen_piece = malloc(sizeof(int32_t) * (2 * n + RW_PIECES));
    Y->seen_next = malloc(sizeof(int32_t) * (2 * n + RW_PIECES));
    Y->number = malloc(sizeof(int32_t) * n);
    Y->other_next = malloc(sizeof(int32_t) * n);
    Y->hand_next = malloc(sizeof(int32_t) * (size_t)hands);
    Y->hand = malloc(sizeof(RwBits *) * (size_t)hands);
    Y->movable = calloc(3 * n, sizeof(RwBits));
    return Y->told_steps != NULL && Y->eras != NULL && Y->said != NULL && Y->gone != NULL && Y->written != NULL &&
           Y->drawn != NULL && Y->left != NULL && Y->seen_piece != NULL && Y->seen_next != NULL &&
           Y->number != NULL && Y->other_next != NULL && Y->hand_next != NULL && Y->hand != NULL && Y->movable != NULL;
}

/* ---------------------------------------------------------------- chains */

static void rw_hang(RwChain *chain, int32_t *next, int32_t one) {
    next[one] = -1;
    if (chain->last < 0) chain->first = one;
    else next[chain->last] = one;
    chain->last = one;
}

/* Hangs a chain behind another one. */
static void rw_hang_all(RwChain *chain, int32_t *next, const RwChain *more) {
    if (more->first < 0) return;
    if (chain->last < 0) chain->first = more->first;
    else next[chain->last] = more->first;
    chain->last = more->last;
}

static void rw_era_sees(RwStory *Y, RwEra *era, int32_t piece) {
    Y->seen_piece[Y->nseen] = piece;
    rw_hang(&era->seen, Y->seen_next, Y->nseen++);
}

static RwBits rw_seen_bits(const RwStory *Y, const RwEra *era) {
    RwBits found = {{0}};
    for (int32_t at = era->seen.first; at >= 0; at = Y->seen_next[at]) rw_set_bit(&found, Y->seen_piece[at]);
    return found;
}

static void rw_hang_said(RwStory *Y, RwChain *chain, int32_t one) {
    Y->said[one].next = -1;
    Y->said[one].is_hung = 1;
    if (chain->last < 0) chain->first = one;
    else Y->said[chain->last].next = one;
    chain->last = one;
}

static void rw_hang_all_said(RwStory *Y, RwChain *chain, const RwChain *more) {
    if (more->first < 0) return;
    if (chain->last < 0) chain->first = more->first;
    else Y->said[chain->last].next = more->first;
    chain->last = more->last;
}

/* ---------------------------------------------------------------- telling */

static RwEra *rw_new_era(RwStory *Y, const int32_t *mixed, int32_t n) {
    RwEra *era = &Y->eras[Y->neras++];
    era->mixed = mixed;
    era->nmixed = n;
    for (int32_t i = 0; i < n; i++) rw_set_bit(&era->bits, mixed[i]);
    era->seen = era->said = (RwChain){-1, -1};
    return era;
}

static int32_t rw_new_said(RwStory *Y, int32_t event, int32_t partner) {
    const int32_t one = Y->nsaid++;
    Y->said[one] = (RwSaid){event, Y->neras - 1, -1, partner, -1, -1, 0, -1, -1};
    rw_hang_said(Y, &Y->eras[Y->neras - 1].said, one);
    return one;
}

/* What is still open while a story is told: the question, its event, the pieces alike to what was chosen last, chance's
 * picks since; the set or payment that is being made, as facts of the story or -1 (`begun`, `picking`, `paying`); paid_in:
 * the epoch in which the last piece of a payment went; npicked, picked: what the set had when it was asked for last. */
typedef struct {
    int32_t asked, event, begun, picking, paying, paid_in, npicked;
    const int32_t *picked;
    /* lucky: picked by chance; met: those of them that were shown or moved; settled: pieces chosen, until they go or
     * something else out of sight is picked */
    RwBits chosen, lucky, met, settled;
    int32_t going;                 /* one of those settled is shown or goes; if it is seen to, it still is; or -1 */
    int32_t luck[RW_PIECES + 1];   /* of each piece picked by chance the event of that, if what lay beside it counts; or -1 */
    int8_t is_pick;                /* the last decision was for a piece of a set or payment */
    /* Of steps: the one that runs, the one that led to the last decision, the epoch of that; the epoch that began first with
     * a piece going unseen in this one, how many did, and whether with several pieces; of each piece drawn by chance that has
     * not moved yet the fall and where it stands in it. */
    int32_t step, ended, posed_in, moved, nmoved, moved_apart, fallen[RW_PIECES + 1], fallen_at[RW_PIECES + 1];
    int32_t fallen_from[RW_PIECES + 1]; /* as `luck` was when it fell */
} RwOpen;

#endif
