/* What options of a decision are made of, as a memory is told it: branches, and of each the values that it binds. */
#ifndef RW_OPTIONS_H
#define RW_OPTIONS_H

#include "rw_course.h"

typedef struct { /* a value of an option; is_spot: a position; is_piece: also one that stands for all equal copies */
    int32_t low, count, is_spot, is_piece;
} RwBinder;
typedef struct { int32_t first, n; const RwBinder *binders; } RwBranch;
typedef struct {
    int32_t picks, is_silent, is_secret, binds_pieces, nbranches; /* picks: RwPicks, a set or a payment pick by pick */
    RwBranch *branches;
} RwAsking;
enum { RW_MOST_BOUND = 64 }; /* values of an option */

/* The branch of an option and its values; NULL for passing and free actions. */
static const RwBranch *rw_values_of(const RwAsking *site, int32_t option, int32_t *values) {
    int32_t number = site->nbranches - 1;
    if (option < 0 || number < 0) return NULL;
    while (number > 0 && site->branches[number].first > option) number--;
    const RwBranch *branch = &site->branches[number];
    int32_t rest = option - branch->first;
    for (int32_t i = branch->n - 1; i >= 0; i--) {
        values[i] = rest % branch->binders[i].count + branch->binders[i].low;
        rest /= branch->binders[i].count;
    }
    return branch;
}

/* Whether an option is nothing but pieces, of the only branch that there is (`only_pieces`). Those that are never out of
 * sight do not count: no world calls them otherwise, so one that somebody chose unseen is drawn as a number is. */
static int rw_is_only_pieces(const RwAsking *site, const RwBranch *branch, const int32_t *values) {
    if (branch == NULL || site->nbranches != 1) return 0;
    int is_closed = branch->n == 0;
    for (int32_t i = 0; i < branch->n; i++) {
        if (!branch->binders[i].is_piece) return 0;
        is_closed |= values[i] < 0 || values[i] >= RW_PIECES || !RW_ALWAYS_SEEN[values[i]];
    }
    return is_closed;
}

/* An option as a world has it, in which each piece x is called new[x] (`renamed_option` of runtime/determinise.py). */
static int32_t rw_renamed_option(const RwAsking *site, int32_t option, const int32_t *new) {
    int32_t values[RW_MOST_BOUND], number = 0;
    const RwBranch *branch = rw_values_of(site, option, values);
    if (branch == NULL) return option;
    for (int32_t i = 0; i < branch->n; i++) {
        const RwBinder *one = &branch->binders[i];
        const int is_named = one->is_piece && values[i] >= 0 && values[i] < RW_PIECES;
        number = (i ? number * one->count : 0) + (is_named ? new[values[i]] : values[i]) - one->low;
    }
    return branch->first + number;
}

#endif
