/* What a player was told, as a walk to a world asks it: a sum over the pieces that lie where the question looks, and
 * whether the world agrees, by sum.
 *
 * The sum is that of runtime/tallies.py, in words of 64 bits. Whether a world agrees is found out once for each
 * key: the sum, the numbers that the question may turn on, and what was chosen, by what it is and where it lay. */
#ifndef RW_FACTS_H
#define RW_FACTS_H

#include "rw_reading.h"
#include "rw_worlds.h"

/* So many numbers in this range; NULL if there is no memory, which is wrong too. */
static int32_t *rw_told_many(RwReading *R, int32_t count, int32_t low, int32_t high) {
    int32_t *found = malloc(sizeof(int32_t) * (size_t)(count + 1));
    if (found == NULL) R->is_wrong = 1;
    for (int32_t i = 0; found != NULL && i < count; i++) found[i] = rw_told_next(R, low, high);
    return found;
}

enum { RW_MOST_WORDS = 64, RW_MOST_KEY = 128, RW_MOST_VERDICTS = 1 << 14 };

typedef struct { int32_t position, is_loose, first, width; } RwShare;

/* A decision of the past as rwx_asked asks it, and what the player noticed of it: RW_FACT_ASKED, somebody had to decide
 * (questions.py, Asked); RW_FACT_FELL, it answered itself. RW_FACT_TOLD: all were told what a value came to, `option` being
 * its number and `digits` its arguments; only a memory makes such facts, Python asks its own. The last three are sets and
 * payments picked one by one (rw_again.h). RW_FACT_POSED: is_visible says whether its player was asked for anything, has_pick
 * whether it picked something by itself; RW_FACT_PICKED, RW_FACT_PAID: `chosen` has gone, `digits` say what options bind. */
enum { RW_FACT_OTHER, RW_FACT_ASKED, RW_FACT_FELL, RW_FACT_TOLD, RW_FACT_POSED, RW_FACT_PICKED, RW_FACT_PAID };
enum { RW_MOST_DIGITS = 16 };
typedef struct { int32_t low, count, is_piece, value; } RwDigit;
typedef struct {
    int32_t kind, site, who, is_visible, is_many, is_taken, option, has_pick;
    int32_t first, size, ndigits;     /* of the branch of an option with pieces, how its values are put together */
    RwDigit digits[RW_MOST_DIGITS];   /* with the values of the option that was taken */
    int32_t spots[RW_PIECES + 1];     /* by position: what tells it from others */
    int32_t offsets[32];              /* of the numbers that it may turn on */
    num value;                        /* what was told */
    const State *state;               /* the decision in native memory, and where names stand in it */
    const int32_t *told;
} RwPast;

typedef struct {
    int32_t nwords, nnumbers, nchosen, nshares, nkey;
    int32_t sorts[RW_PIECES + 1];  /* what the question can tell of each piece */
    int32_t loose[RW_PIECES + 1];  /* by position: its place, if order does not matter there; or -1 */
    uint8_t reads[RW_PIECES + 1];  /* by position: whether it may turn on what lies there */
    int32_t share[RW_PIECES + 2];  /* by position: the first of its shares */
    RwShare *shares;
    RwPast past;
    int32_t *chosen;               /* positions of what was taken */
    int32_t ncounted, *counted;    /* of a payment: units of counters that were paid beside them */
    uint64_t *keys;                /* of the verdicts */
    uint8_t *verdicts;             /* 0 not known, 1 no, 2 yes */
    int32_t room, used;
} RwFact;

RW_API void rwx_fact_free(RwFact *A) {
    if (A == NULL) return;
    free(A->shares);
    free(A->chosen);
    free(A->counted);
    free(A->keys);
    free(A->verdicts);
    free(A);
}

static int rw_read_shares(RwFact *A, RwReading *R) {
    A->shares = malloc(sizeof(RwShare) * (size_t)(A->nshares + 1));
    if (A->shares == NULL) return 0;
    int32_t last = 0;
    for (int32_t i = 0; i < A->nshares && !R->is_wrong; i++) {
        RwShare *one = &A->shares[i];
        one->position = rw_told_next(R, last, RW_PIECES - 1); /* in their order */
        one->is_loose = rw_told_next(R, 0, 1);
        one->first = rw_told_next(R, 0, 64 * A->nwords - 1);
        one->width = rw_told_next(R, 0, 32);
        last = one->position;
        A->share[one->position + 1]++;
    }
    for (int32_t piece = 0; piece <= RW_PIECES; piece++) A->share[piece + 1] += A->share[piece];
    return 1;
}

static void rw_read_past(RwFact *A, RwReading *R) {
    RwPast *P = &A->past;
    P->kind = rw_told_next(R, RW_FACT_OTHER, RW_FACT_FELL);
    P->site = rw_told_next(R, 0, INT32_MAX);
    P->who = rw_told_next(R, -1, INT32_MAX);
    P->is_visible = rw_told_next(R, 0, 1);
    P->is_many = rw_told_next(R, 0, 1);
    P->is_taken = rw_told_next(R, 0, 1);
    P->option = rw_told_next(R, INT32_MIN, INT32_MAX);
    P->has_pick = rw_told_next(R, 0, 1);
    P->first = rw_told_next(R, 0, INT32_MAX);
    P->size = rw_told_next(R, 0, INT32_MAX);
    P->ndigits = rw_told_next(R, 0, RW_MOST_DIGITS);
    for (int32_t i = 0; i < P->ndigits; i++) {
        P->digits[i].low = rw_told_next(R, INT32_MIN, INT32_MAX);
        P->digits[i].count = rw_told_next(R, 1, INT32_MAX);
        P->digits[i].is_piece = rw_told_next(R, 0, 1);
        P->digits[i].value = rw_told_next(R, INT32_MIN, INT32_MAX);
        if (P->digits[i].is_piece && P->digits[i].value >= RW_PIECES) R->is_wrong = 1;
    }
    for (int32_t i = 0; i < A->nnumbers; i++) P->offsets[i] = rw_told_next(R, 0, INT32_MAX);
    for (int32_t piece = 0; piece < RW_PIECES; piece++) P->spots[piece] = rw_told_next(R, 0, INT32_MAX);
}

/* NULL if there is no memory or something is out of its range. `state` is the decision of which it tells, or NULL if
 * Python has to ask it; `names` says where names stand in it. */
RW_API RwFact *rwx_fact(const int32_t *told, int32_t n, const State *state, const int32_t *names) {
    RwReading R = {told, n, 0};
    RwFact *A = calloc(1, sizeof *A);
    if (A == NULL) return NULL;
    A->nwords = rw_told_next(&R, 1, RW_MOST_WORDS);
    A->nnumbers = rw_told_next(&R, 0, 32);
    A->nchosen = rw_told_next(&R, 0, 16);
    A->nshares = rw_told_next(&R, 0, 1 << 20);
    A->nkey = A->nwords + A->nnumbers + A->nchosen;
    const int32_t npieces = rw_told_next(&R, 0, RW_PIECES);
    for (int32_t piece = 0; piece < RW_PIECES; piece++) A->sorts[piece] = rw_told_next(&R, -1, 1 << 24);
    for (int32_t piece = 0; piece < RW_PIECES; piece++) A->loose[piece] = rw_told_next(&R, -1, INT32_MAX);
    A->chosen = rw_told_many(&R, A->nchosen, 0, RW_PIECES - 1);
    for (int32_t i = 0; i < npieces; i++) A->reads[rw_told_next(&R, 0, RW_PIECES - 1)] = 1;
    if (!R.is_wrong && rw_read_shares(A, &R)) rw_read_past(A, &R);
    else R.is_wrong = 1;
    if (R.is_wrong) {
        rwx_fact_free(A);
        return NULL;
    }
    A->past.state = state;
    A->past.told = names;
    return A;
}

/* ---------------------------------------------------------------- sums */

/* Adds a number, moved up by so many bits; what is carried out at the top is lost. */
static void rw_sum_add(uint64_t *sum, int32_t nwords, int32_t bit, int64_t number) {
    const uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    const int32_t shift = bit & 63;
    uint64_t low = size << shift, high = shift ? size >> (64 - shift) : 0;
    for (int32_t word = bit >> 6; word < nwords && (low || high); word++) {
        const uint64_t before = sum[word];
        uint64_t carried;
        if (number < 0) {
            sum[word] = before - low;
            carried = before < low;
        } else {
            sum[word] = before + low;
            carried = sum[word] < before;
        }
        low = high + carried; /* high is below 2^63: a number has at most 33 bits */
        high = 0;
    }
}

/* What a piece at a position adds to a sum, or takes away. */
static void rw_sum_piece(const RwFact *A, uint64_t *sum, int32_t position, int32_t piece, int sign) {
    const int32_t sort = A->sorts[piece];
    for (int32_t i = A->share[position]; i < A->share[position + 1]; i++) {
        const RwShare *one = &A->shares[i];
        if (!one->is_loose) rw_sum_add(sum, A->nwords, one->first, (int64_t)sign * sort);
        else if (sort >= 0) rw_sum_add(sum, A->nwords, one->first + one->width * sort, sign);
    }
}

/* ---------------------------------------------------------------- verdicts */

static uint32_t rw_key_hash(const uint64_t *key, int32_t nkey) {
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (int32_t i = 0; i < nkey; i++) {
        hash ^= key[i];
        hash *= 0xD1B54A32D192ED03u;
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash >> 16);
}

/* Where a key stands or would stand. There is always a gap. */
static int32_t rw_verdict_at(const RwFact *A, const uint64_t *key) {
    int32_t at = (int32_t)(rw_key_hash(key, A->nkey) & (uint32_t)(A->room - 1));
    while (A->verdicts[at] && memcmp(A->keys + (size_t)at * (size_t)A->nkey, key, sizeof(uint64_t) * (size_t)A->nkey))
        at = (at + 1) & (A->room - 1);
    return at;
}

static int rw_verdict_of(const RwFact *A, const uint64_t *key) {
    return A->room == 0 ? 0 : A->verdicts[rw_verdict_at(A, key)];
}

/* Twice the room; when there are too many, all are forgotten: Python says them again. 0 if there is no memory. */
static int rw_more_verdicts(RwFact *A) {
    const int32_t room = A->room == 0 ? 16 : A->used > RW_MOST_VERDICTS ? 16 : 2 * A->room;
    const int keeps = room > A->room;
    uint64_t *keys = A->keys;
    uint8_t *verdicts = A->verdicts;
    const int32_t before = A->room;
    uint64_t *more = malloc(sizeof(uint64_t) * (size_t)room * (size_t)A->nkey);
    uint8_t *known = calloc((size_t)room, 1);
    if (more == NULL || known == NULL) {
        free(more);
        free(known);
        return 0;
    }
    A->keys = more;
    A->verdicts = known;
    A->room = room;
    A->used = 0;
    for (int32_t i = 0; keeps && i < before; i++) {
        if (!verdicts[i]) continue;
        const int32_t at = rw_verdict_at(A, keys + (size_t)i * (size_t)A->nkey);
        memcpy(A->keys + (size_t)at * (size_t)A->nkey, keys + (size_t)i * (size_t)A->nkey,
               sizeof(uint64_t) * (size_t)A->nkey);
        A->verdicts[at] = verdicts[i];
        A->used++;
    }
    free(keys);
    free(verdicts);
    return 1;
}

static int rw_keep_verdict(RwFact *A, const uint64_t *key, int is_kept) {
    if (4 * (A->used + 1) > 3 * A->room && !rw_more_verdicts(A)) return 0;
    const int32_t at = rw_verdict_at(A, key);
    if (!A->verdicts[at]) A->used++;
    memcpy(A->keys + (size_t)at * (size_t)A->nkey, key, sizeof(uint64_t) * (size_t)A->nkey);
    A->verdicts[at] = (uint8_t)(is_kept ? 2 : 1);
    return 1;
}

#endif
