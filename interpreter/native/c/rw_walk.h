/* A walk from the true game to a world: runtime/walk.py, draw by draw.
 *
 * Python reads the trail and says what must stay as it was (`told`, see rw_read_walk for its order); the steps are taken
 * here, and decisions of the past asked (rw_ask_fact). Where something has to be asked that only Python can, the walk stops
 * in the middle of its step and says what; Python looks at the renamings, says whether the fact holds (rwx_walk_verdict),
 * and lets it go on. What the rules worked out from secrets is not here: such walks are Python's. */
#ifndef RW_WALK_H
#define RW_WALK_H

#include "rw_facts.h"

enum { RW_LEAPS = 2, RW_MOST_LEAPS = 64, RW_LEAPT_EPOCHS = 256 };
enum { RW_STEPS_PER_UNKNOWN = 8, RW_NEXT_WORLD = 4, RW_MOST_STEPS = 700 }; /* as course.py and walk.py */
enum { RW_ASKING_ROOM = RW_PIECES + 4096 }; /* numbers of a question, and of its options */
enum { RW_WALK_IDLE, RW_WALK_LEAP, RW_WALK_LEAPT, RW_WALK_NEXT, RW_WALK_STEPPED, RW_WALK_REDRAWN };

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
    int8_t is_simple, is_asked;
    uint64_t *sum, *before; /* before: as it was when the present step began */
} RwTold;

typedef struct { int32_t nvalues, *values, is_drawn, tried; int64_t shift, before; RwGroup readers; } RwUnknown;
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
    int32_t nasked, *asked;
    int32_t nmade, nchosen, chosen[2], several;
    RwExchange made[3];
} RwWalk;

/* runtime/chance.py, Quick */
static int32_t rw_walk_below(RwWalk *W, int32_t count) {
    W->g = W->g * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((W->g >> 32) * (uint64_t)count >> 32);
}

/* ---------------------------------------------------------------- making one */

static void rw_free_groups(RwGroup *groups, int32_t n) {
    for (int32_t i = 0; groups != NULL && i < n; i++) free(groups[i].pieces);
    free(groups);
}

RW_API void rwx_walk_free(RwWalk *W) {
    if (W == NULL) return;
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
    memcpy(key, T->sum, sizeof(uint64_t) * (size_t)n);
    for (int32_t i = 0; i < A->nnumbers; i++) key[n++] = (uint64_t)W->unknowns[T->numbers[i]].shift;
    for (int32_t i = 0; i < A->nchosen; i++) {
        const int32_t piece = W->epochs[T->taken_in].new[A->chosen[i]], here = W->epochs[T->epoch].old[piece];
        const int is_loose = A->loose[here] >= 0;
        const uint32_t what = (uint32_t)(is_loose ? A->sorts[piece] : W->row[piece]);
        key[n++] = (uint64_t)what << 32 | (uint32_t)(is_loose ? A->loose[here] : ~here);
    }
}

/* 1 if all facts of this step hold, 0 if one does not, -1 if Python has to say it of W->pending. One that is known to
 * fail comes before any that is not known. */
static int rw_walk_holds(RwWalk *W) {
    uint64_t key[RW_MOST_KEY];
    W->pending = -1;
    for (int32_t i = 0; i < W->nasked; i++) {
        const RwTold *T = &W->facts[W->asked[i]];
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
    if (!rw_is_renaming(new) || !rw_renamed(S, P->state, P->told, new)) return -1;
    rw_index_anew(S);
    rw_begin(C);
    S->steps = 0;
    S->stamp = 0;
    for (int32_t i = 0; i < P->ndigits; i++) {
        const int is_piece = P->digits[i].is_piece && P->digits[i].value >= 0;
        args[i] = is_piece ? new[P->digits[i].value] : P->digits[i].value;
    }
    const int is_known = rw_told_again(C, S, P->option, args, &value);
    if (!is_known) rw_forget_fault(C);
    return is_known && value == P->value;
}
#endif

/* Asks a decision of the past again: 1 if the fact holds in this world, 0 if not, -1 if only Python can say. */
static int rw_ask_fact(Ctx *C, RwWalk *W, const RwTold *T) {
    const RwPast *P = &T->fact->past;
    int32_t *room = W->asking;
    if (P->kind == RW_FACT_OTHER || P->state == NULL) return -1;
#if RW_REMEMBERS
    if (P->kind == RW_FACT_TOLD) return rw_ask_told(C, W, T);
#endif
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
    if (P->kind == RW_FACT_FELL) return room[0] == RW_GO && (room[3] >= 0) == P->has_pick;
    const int posed = room[0] == RW_STOP && room[1] == P->site && room[2] == P->who;
    if (P->is_visible && (!posed || (room[4] > 1) != P->is_many)) return 0;
    if (!P->is_taken) return 1;
    for (int32_t i = 0; posed && i < room[4]; i++)
        if (rw_is_taken(W, T, room[RW_ASKED_HEAD + i])) return 1;
    return 0;
}

/* As rw_walk_holds, with what can be asked here asked. */
static int rw_walk_judges(Ctx *C, RwWalk *W) {
    uint64_t key[RW_MOST_KEY];
    for (;;) {
        const int holds = rw_walk_holds(W);
        if (holds >= 0) return holds;
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

/* Whether a step is taken that agrees: less often, if it leads to more equal copies where one was chosen. Python has made
 * sure that the products fit. */
static int rw_is_as_likely(RwWalk *W, int32_t first, int32_t last) {
    uint64_t before = 1, after = 1;
    if (!W->has_copies) return 1;
    for (int32_t i = first; i < last; i++)
        if (W->epochs[i].is_weighed) {
            before *= (uint64_t)W->epochs[i].copies;
            after *= (uint64_t)rw_copies(W, &W->epochs[i]);
        }
    if (before < after) {
        uint64_t most = after, least = before;
        if (after >= (uint64_t)1 << 31) { /* least = before * 2^31 / after, bit by bit */
            uint64_t rest = before;
            least = 0;
            for (int bit = 0; bit < 31; bit++) {
                rest <<= 1;
                least <<= 1;
                if (rest >= after) {
                    rest -= after;
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
    rw_forget_asked(W);
    for (int32_t i = W->nmade - 1; i >= 0; i--)
        for (int32_t number = W->made[i].first; number < W->made[i].last; number++)
            rw_walk_rename(&W->epochs[number], W->made[i].a, W->made[i].b);
}

static const int8_t RW_EXCHANGES[8] = {1, 1, 1, 1, 1, 2, 2, 3};

static void rw_begin_step(RwWalk *W) {
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
    if (W->several > 1 && !rw_sees_the_same_now(W)) rw_walk_undo_step(W);
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
    for (int32_t i = 0; i < W->nmade; i++) {
        W->tried[W->made[i].a] += RW_STEPS_PER_UNKNOWN / 2;
        W->tried[W->made[i].b] += RW_STEPS_PER_UNKNOWN / 2;
    }
}

static void rw_another_value(RwWalk *W, int32_t number) {
    RwUnknown *U = &W->unknowns[number];
    U->shift = U->values[rw_walk_below(W, U->nvalues)];
}

static void rw_begin_redraw(RwWalk *W) {
    W->nchosen = 1 + rw_walk_below(W, 2);
    for (int32_t i = 0; i < W->nchosen; i++) W->chosen[i] = W->drawn[rw_walk_below(W, W->ndrawn)];
    for (int32_t i = 0; i < W->nchosen; i++) W->unknowns[W->chosen[i]].before = W->unknowns[W->chosen[i]].shift;
    for (int32_t i = 0; i < W->nchosen; i++) {
        RwUnknown *U = &W->unknowns[W->chosen[i]];
        U->tried++;
        rw_another_value(W, W->chosen[i]);
        for (int32_t k = 0; k < U->readers.n; k++) rw_touch(W, U->readers.pieces[k]);
    }
    W->phase = RW_WALK_REDRAWN;
}

static void rw_end_redraw(RwWalk *W, int holds) {
    rw_forget_asked(W);
    for (int32_t i = 0; i < W->nchosen; i++) {
        RwUnknown *U = &W->unknowns[W->chosen[i]];
        if (holds) U->tried += RW_STEPS_PER_UNKNOWN / 2;
        else U->shift = U->before;
    }
}

/* ---------------------------------------------------------------- everything at once */

/* Sorts numbers, of which there are few and most in order: a module in a sandbox has no qsort. */
static void rw_sort_numbers(int32_t *numbers, int32_t n) {
    for (int32_t i = 1; i < n; i++) {
        const int32_t held = numbers[i];
        int32_t at = i;
        for (; at > 0 && numbers[at - 1] > held; at--) numbers[at] = numbers[at - 1];
        numbers[at] = held;
    }
}

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
    rw_restore_sums(W);
    rw_forget_asked(W);
}

static int32_t rw_most_leaps(const RwWalk *W) {
    const int32_t most = RW_LEAPT_EPOCHS / W->nepochs;
    return most < RW_LEAPS ? RW_LEAPS : most > RW_MOST_LEAPS ? RW_MOST_LEAPS : most;
}

static void rw_begin_leap(RwWalk *W) {
    int32_t by[RW_PIECES + 1];
    W->leaps++;
    for (int32_t piece = 0; piece < RW_PIECES; piece++) by[piece] = piece;
    for (int32_t i = 0; i < W->ngroups; i++) rw_dealt(W, &W->groups[i], by);
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
    if (rw_sees_the_same(W)) {
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
        W->leapt = 1;
    } else {
        rw_walk_undo_leap(W);
    }
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
    RW_CHARGE(W->phase == RW_WALK_LEAP ? (int64_t)(RW_PIECES + 1) * W->nepochs : RW_PIECES + W->nepochs + W->nfacts);
    switch (W->phase) {
    case RW_WALK_LEAP:
        if (W->leapt || W->leaps == rw_most_leaps(W)) W->phase = RW_WALK_NEXT;
        else rw_begin_leap(W);
        break;
    case RW_WALK_NEXT:
        if (W->left == 0) {
            W->phase = RW_WALK_IDLE;
            if (W->worlds == 1) W->is_too_short = W->steps > RW_MOST_STEPS && !W->leapt && rw_is_left_over(W);
            return RW_GO;
        }
        W->left--;
        if (W->ndrawn && (!W->nstarts || rw_walk_below(W, W->unknown) < W->ndrawn)) rw_begin_redraw(W);
        else rw_begin_step(W);
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
    if (W->has_course && W->steps) signal = rw_walk_to_next(C, W) == RW_GO ? RW_GO : 1 + W->pending;
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
