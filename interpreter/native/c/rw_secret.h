/* Numbers that a player does not see, in tales and stories: secret fields, dice under a cup.
 *
 * A number is known from the moment at which it is written or rolled: whoever does not see it knows what it may be, and
 * draws one of that; or the rules worked it out from secrets, and do so again in every world (rw_steps.h). Until it is written again, a world's number is as far from
 * the true one as it was then; what was asked or told in between must fit. This is `Unknown` of runtime/steps.py with what
 * `Sieve` (runtime/sieve.py) and `Telling` (runtime/telling.py) do with it. */
#ifndef RW_SECRET_H
#define RW_SECRET_H

enum { RW_MOST_NUMBERS = 256, RW_NUMBER_WORDS = 4, RW_NUMBERS_OF_FACT = 32 }; /* the last as in rw_facts.h */

typedef struct { uint64_t of[RW_NUMBER_WORDS]; } RwNumberSet; /* bit n: number n of those that somebody does not see */
/* has_range: it stays between low and high; what rules work out from secrets stays between least and most. */
typedef struct { int32_t offset, low, high, has_range, least, most; } RwSecret;

/* A number from one writing to the next; `values`: what it may have been; facts since then: from `first` to before `behind`,
 * by their numbers in the story. */
typedef struct {
    int32_t number, true_value, nvalues, *values, first, behind, low, high;
    int8_t is_now, is_dropped;
    int8_t is_guessed, is_shown, is_part; /* worked out from something unseen; shown since; one of RW_PARTS parts */
    int8_t is_over;                       /* something else was written there before the end of its step */
    int32_t step;                         /* of a story with steps (rw_told_steps.h): it was worked out there; or -1 */
    num least, most;                      /* there: how far it may be from the true one */
} RwWritten;

/* Of a story: a number that a world draws, and whether it is what the number is now. */
typedef struct { int32_t offset; int8_t is_now, is_free, is_part; } RwDrawnNumber; /* the last two as RwUnknown has them */

static inline int rw_has_number(const RwNumberSet *set, int32_t n) { return (int)(set->of[n / 64] >> n % 64 & 1); }
static inline void rw_add_number(RwNumberSet *set, int32_t n) { set->of[n / 64] |= (uint64_t)1 << n % 64; }
static inline void rw_drop_number(RwNumberSet *set, int32_t n) { set->of[n / 64] &= ~((uint64_t)1 << n % 64); }

static inline int rw_has_numbers(const RwNumberSet *set) {
    for (int i = 0; i < RW_NUMBER_WORDS; i++)
        if (set->of[i]) return 1;
    return 0;
}

static inline int rw_numbers_meet(const RwNumberSet *one, const RwNumberSet *other) {
    for (int i = 0; i < RW_NUMBER_WORDS; i++)
        if (one->of[i] & other->of[i]) return 1;
    return 0;
}

/* What is kept may turn on numbers that were written again later (`_look_back`): they matter too, unless they were shown. */
static inline void rw_look_back(RwNumberSet *live, const RwNumberSet *read, const RwNumberSet *shown) {
    for (int i = 0; i < RW_NUMBER_WORDS; i++) live->of[i] |= read->of[i] & ~shown->of[i];
}

#endif
