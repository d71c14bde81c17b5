/* What a walk to a world goes by: the epochs of a story with their renamings, the facts that must hold, what may be
 * exchanged. Python reads the trail and says it (`told`, see rw_read_walk for its order), or rw_story.h does from a tale;
 * runtime/course.py has the same. */
#ifndef RW_COURSE_H
#define RW_COURSE_H

#include "rw_facts.h"

enum { RW_LEAPS = 2, RW_MOST_LEAPS = 64, RW_LEAPT_EPOCHS = 256 };
enum { RW_STEPS_PER_UNKNOWN = 8, RW_NEXT_WORLD = 4, RW_MOST_STEPS = 2000 }; /* as course.py and walk.py */
enum { RW_EASY = 8, RW_ASTRAY = 2000, RW_FURTHEST = 100 };
enum { RW_ASKING_ROOM = RW_PIECES + 4096 }; /* numbers of a question, and of its options */
enum { RW_WALK_IDLE, RW_WALK_LEAP, RW_WALK_LEAPT, RW_WALK_NEXT, RW_WALK_STEPPED, RW_WALK_REDRAWN,
       RW_WALK_STRAY, RW_WALK_STRAYED };

typedef struct { int32_t n, *pieces; } RwGroup;

typedef struct {
    RwGroup mixed, partners;
    uint8_t in_mixed[RW_PIECES + 1], in_seen[RW_PIECES + 1];
    int8_t has_seen, is_closed, is_weighed; /* is_closed: what the next epoch mixes is all that there was */
    int32_t copies;                         /* how many equal ones there are of what was chosen */
    int32_t new[RW_PIECES + 1], old[RW_PIECES + 1]; /* the renaming and its inverse */
    RwGroup readers, *parts; /* facts that turn on it; of each the positions, none of a fact that asks in this epoch */
} RwEpoch;

typedef struct {
    RwFact *fact;
    int32_t epoch, taken_in, *numbers;
    int32_t held_by; /* the step that says what the rules hold there (rw_steps.h), or -1 */
    int8_t is_simple, is_asked, is_broken, fails; /* on the present excursion; with the change that is tried */
    uint64_t *sum, *before; /* before: as it was when the present step began */
} RwTold;

/* is_part: its values are parts, of which the true one is -values[0]; is_chosen: a free choice that is drawn in this step. */
typedef struct {
    int32_t nvalues, *values, is_drawn, tried;
    int8_t is_part, is_free, is_chosen;
    int64_t shift, before, home; /* home: where the present excursion began */
    RwGroup readers;
} RwUnknown;
typedef struct { int32_t first, last, a, b; } RwExchange;

typedef struct {
    uint64_t g;
    int32_t nepochs, nstarts, nunknowns, nfacts, ndrawn, unknown, steps, nfree, nplain, ngroups;
    int8_t keeps_kind, has_course, is_too_short, has_copies;
    int32_t row[RW_PIECES + 1], kind[RW_PIECES + 1], now[RW_PIECES + 1], tried[RW_PIECES + 1];
    int32_t *starts, *drawn;
    RwEpoch *epochs;
    RwTold *facts;
    RwUnknown *unknowns;
    RwGroup *free, *plain, *groups, core;
    uint64_t *sums;
    int32_t *asking;      /* room for a question and its options */
    int32_t *kept, *ends; /* renamings as they were before a leap; room for the ends of an exchange */
    int32_t phase, left, leaps, leapt, worlds, pending;
    int32_t astray, away, furthest, nbroken; /* changes left for excursions; of the present one: made, most, facts broken */
    int32_t nasked, *asked;
    int32_t nmade, nchosen, chosen[2], several;
    RwExchange made[3];
    int32_t nsteps;                 /* what the rules worked out from secrets (rw_steps.h) */
    const struct RwPassage *steps_told;
    struct RwStepNow *steps_now;
    struct RwRerun *rerun;
    int64_t *shifts;                /* of all numbers, before they are tried otherwise */
    int8_t is_lost;                 /* Python has to walk on */
} RwWalk;

/* runtime/chance.py, Quick */
static int32_t rw_walk_below(RwWalk *W, int32_t count) {
    W->g = W->g * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((W->g >> 32) * (uint64_t)count >> 32);
}

/* Sorts numbers, of which there are few and most in order: a module in a sandbox has no qsort. */
static void rw_sort_numbers(int32_t *numbers, int32_t n) {
    for (int32_t i = 1; i < n; i++) {
        const int32_t held = numbers[i];
        int32_t at = i;
        for (; at > 0 && numbers[at - 1] > held; at--) numbers[at] = numbers[at - 1];
        numbers[at] = held;
    }
}

/* ---------------------------------------------------------------- making one */

static void rw_free_groups(RwGroup *groups, int32_t n) {
    for (int32_t i = 0; groups != NULL && i < n; i++) free(groups[i].pieces);
    free(groups);
}

static void rw_steps_of_walk_done(RwWalk *W); /* rw_steps.h */

RW_API void rwx_walk_free(RwWalk *W) {
    if (W == NULL) return;
    rw_steps_of_walk_done(W);
    for (int32_t i = 0; W->epochs != NULL && i < W->nepochs; i++) {
        free(W->epochs[i].mixed.pieces);
        free(W->epochs[i].partners.pieces);
        rw_free_groups(W->epochs[i].parts, W->epochs[i].readers.n);
        free(W->epochs[i].readers.pieces);
    }
    for (int32_t i = 0; W->facts != NULL && i < W->nfacts; i++) free(W->facts[i].numbers);
    for (int32_t i = 0; W->unknowns != NULL && i < W->nunknowns; i++) {
        free(W->unknowns[i].values);
        free(W->unknowns[i].readers.pieces);
    }
    rw_free_groups(W->free, W->nfree);
    rw_free_groups(W->plain, W->nplain);
    rw_free_groups(W->groups, W->ngroups);
    free(W->core.pieces);
    free(W->starts);
    free(W->drawn);
    free(W->epochs);
    free(W->facts);
    free(W->unknowns);
    free(W->sums);
    free(W->kept);
    free(W->asking);
    free(W->ends);
    free(W->asked);
    free(W);
}

static RwGroup rw_told_group(RwReading *R, int32_t most, int32_t low, int32_t high) {
    RwGroup found = {rw_told_next(R, 0, most), NULL};
    found.pieces = rw_told_many(R, found.n, low, high);
    if (found.pieces == NULL) found.n = 0;
    return found;
}

/* Lists of pieces; at most so many as there are numbers left. */
static RwGroup *rw_told_groups(RwReading *R, int32_t *n, int32_t most) {
    *n = rw_told_next(R, 0, R->left < most ? R->left : most);
    RwGroup *found = calloc((size_t)*n + 1, sizeof(RwGroup));
    if (found == NULL) {
        R->is_wrong = 1;
        *n = 0;
        return NULL;
    }
    for (int32_t i = 0; i < *n; i++) found[i] = rw_told_group(R, RW_PIECES, 0, RW_PIECES - 1);
    return found;
}

static void rw_read_epoch(RwReading *R, RwEpoch *E, int32_t nfacts) {
    E->mixed = rw_told_group(R, RW_PIECES, 0, RW_PIECES - 1);
    E->partners = rw_told_group(R, RW_PIECES, 0, RW_PIECES - 1);
    RwGroup seen = rw_told_group(R, RW_PIECES, 0, RW_PIECES - 1);
    for (int32_t i = 0; i < E->mixed.n; i++) E->in_mixed[E->mixed.pieces[i]] = 1;
    for (int32_t i = 0; i < seen.n; i++) E->in_seen[seen.pieces[i]] = 1;
    E->has_seen = seen.n > 0;
    free(seen.pieces);
    E->is_closed = (int8_t)rw_told_next(R, 0, 1);
    E->is_weighed = (int8_t)rw_told_next(R, 0, 1);
    if (E->is_weighed && E->mixed.n == 0) R->is_wrong = 1;
    E->readers = rw_told_group(R, 1 << 20, 0, nfacts - 1);
    E->parts = rw_told_groups(R, &E->readers.n, E->readers.n);
    for (int32_t piece = 0; piece < RW_PIECES; piece++) E->new[piece] = E->old[piece] = piece;
}

static void rw_read_told(RwReading *R, RwTold *T, RwFact *fact, const RwWalk *W) {
    T->fact = fact;
    T->epoch = rw_told_next(R, 0, W->nepochs - 1);
    T->taken_in = rw_told_next(R, -1, W->nepochs - 1);
    T->is_simple = (int8_t)rw_told_next(R, 0, 1);
    T->held_by = -1;
    T->numbers = rw_told_many(R, fact->nnumbers, 0, W->nunknowns - 1);
    if (fact->nchosen && T->taken_in < 0) R->is_wrong = 1;
}

static void rw_read_unknown(RwReading *R, RwUnknown *U, int32_t nfacts) {
    U->is_drawn = rw_told_next(R, 0, 1);
    U->nvalues = rw_told_next(R, 1, 1 << 20);
    U->values = rw_told_many(R, U->nvalues, INT32_MIN, INT32_MAX); /* as far as each is from the true one */
    U->readers = rw_told_group(R, 1 << 20, 0, nfacts - 1);
}

static int32_t rw_copies(const RwWalk *W, const RwEpoch *E) {
    const int32_t own = W->row[E->new[E->mixed.pieces[0]]];
    int32_t found = 0;
    for (int32_t i = 0; i < E->mixed.n; i++) found += W->row[E->new[E->mixed.pieces[i]]] == own;
    return found;
}

/* The sums of all facts, from the renamings as they are. */
static void rw_tally(RwWalk *W) {
    for (int32_t f = 0; f < W->nfacts; f++) {
        RwTold *T = &W->facts[f];
        memset(T->sum, 0, sizeof(uint64_t) * (size_t)T->fact->nwords);
        for (int32_t i = 0; i < T->fact->nshares; i++) {
            const int32_t position = T->fact->shares[i].position;
            if (i == 0 || T->fact->shares[i - 1].position != position)
                rw_sum_piece(T->fact, T->sum, position, W->epochs[T->epoch].new[position], 1);
        }
    }
}

static void *rw_told_room(RwReading *R, int32_t n, size_t size) {
    void *found = calloc((size_t)n + 1, size);
    if (found == NULL) R->is_wrong = 1;
    return found;
}

static void rw_read_facts(RwReading *R, RwWalk *W, RwFact *const *facts) {
    int32_t words = 0;
    W->facts = rw_told_room(R, W->nfacts, sizeof(RwTold));
    for (int32_t i = 0; !R->is_wrong && i < W->nfacts; i++) {
        rw_read_told(R, &W->facts[i], facts[i], W);
        words += facts[i]->nwords;
    }
    W->sums = rw_told_room(R, 2 * words, sizeof(uint64_t));
    W->asked = rw_told_room(R, W->nfacts, sizeof(int32_t));
    uint64_t *sum = W->sums;
    for (int32_t i = 0; !R->is_wrong && i < W->nfacts; i++, sum += 2 * facts[i - 1]->nwords) {
        W->facts[i].sum = sum;
        W->facts[i].before = sum + facts[i]->nwords;
    }
}

static void rw_read_walk(RwReading *R, RwWalk *W, RwFact *const *facts) {
    W->has_course = (int8_t)rw_told_next(R, 0, 1);
    W->keeps_kind = (int8_t)rw_told_next(R, 0, 1);
    W->nepochs = rw_told_next(R, 0, R->left);
    W->nfacts = rw_told_next(R, 0, R->left);
    W->nunknowns = rw_told_next(R, 0, R->left);
    W->nstarts = rw_told_next(R, 0, R->left / 2);
    W->unknown = rw_told_next(R, 0, INT32_MAX);
    W->steps = rw_told_next(R, 0, INT32_MAX);
    for (int32_t piece = 0; piece < RW_PIECES; piece++) W->row[piece] = rw_told_next(R, 0, INT32_MAX);
    for (int32_t piece = 0; piece < RW_PIECES; piece++) W->kind[piece] = rw_told_next(R, 0, INT32_MAX);
    W->starts = rw_told_room(R, 2 * W->nstarts, sizeof(int32_t));
    for (int32_t i = 0; W->starts != NULL && i < W->nstarts; i++) {
        W->starts[2 * i] = rw_told_next(R, 0, W->nepochs - 1);
        W->starts[2 * i + 1] = rw_told_next(R, 0, RW_PIECES - 1);
    }
    W->epochs = rw_told_room(R, W->nepochs, sizeof(RwEpoch));
    for (int32_t i = 0; !R->is_wrong && i < W->nepochs; i++) rw_read_epoch(R, &W->epochs[i], W->nfacts);
    if (!R->is_wrong) rw_read_facts(R, W, facts);
    W->unknowns = rw_told_room(R, W->nunknowns, sizeof(RwUnknown));
    W->drawn = rw_told_room(R, W->nunknowns, sizeof(int32_t));
    for (int32_t i = 0; !R->is_wrong && i < W->nunknowns; i++) {
        rw_read_unknown(R, &W->unknowns[i], W->nfacts);
        if (W->unknowns[i].is_drawn) W->drawn[W->ndrawn++] = i;
    }
    W->core = rw_told_group(R, RW_PIECES, 0, RW_PIECES - 1);
    W->groups = rw_told_groups(R, &W->ngroups, RW_PIECES);
    W->free = rw_told_groups(R, &W->nfree, INT32_MAX);
    W->plain = rw_told_groups(R, &W->nplain, RW_PIECES);
    W->kept = rw_told_room(R, 2 * RW_PIECES * W->nepochs, sizeof(int32_t));
    W->asking = rw_told_room(R, RW_ASKING_ROOM, sizeof(int32_t));
    W->ends = rw_told_room(R, W->nepochs + 1, sizeof(int32_t));
    for (int32_t i = 0; !R->is_wrong && i < W->nstarts; i++) /* whoever begins there has a partner */
        R->is_wrong = (int8_t)(W->epochs[W->starts[2 * i]].partners.n == 0);
    if (W->has_course && (W->nepochs == 0 || R->is_wrong || W->epochs[W->nepochs - 1].is_closed)) R->is_wrong = 1;
}

/* A walk that begins with the truth. NULL if there is no memory or something is out of its range. */
RW_API RwWalk *rwx_walk(const int32_t *told, int32_t n, RwFact *const *facts) {
    RwReading R = {told, n, 0};
    RwWalk *W = calloc(1, sizeof *W);
    if (W == NULL) return NULL;
    rw_read_walk(&R, W, facts);
    if (R.is_wrong || R.left) {
        rwx_walk_free(W);
        return NULL;
    }
    rw_tally(W);
    for (int32_t i = 0; i < W->nepochs; i++)
        if (W->epochs[i].is_weighed) {
            W->has_copies = 1;
            W->epochs[i].copies = rw_copies(W, &W->epochs[i]);
        }
    return W;
}

#endif
