/* What a player sees of a state, as a hash; and what tells the options of a decision apart.
 *
 * What is seen is not decided here. Python reads it off the declarations once for each game
 * (play/bots/observed.py) and hands it over as rows of numbers, each with its length in front:
 *
 *   the whole:    is anything hidden at all; the lists with an open top; then for each player
 *   each player:  numbers of f seen; lists seen; slots seen; tops seen; lists counted; slots of which it shows only
 *                 that they are filled; numbers of f that hold a piece; open fields of pieces, four numbers each (first
 *                 piece, pieces, first number of f, numbers of one piece)
 *   the copies:   for each piece the first of its row; then for each site how many branches it has, 0 if none of them
 *                 offers equal copies; for each branch its first option and its digits, three numbers each (lowest,
 *                 how many, whether it is a piece of which copies are equal), the first digit first
 *
 * Everything is checked when it is taken over, so that nothing here reads outside a state. */
#ifndef RW_SIGHT_H
#define RW_SIGHT_H

#include "rw_hash.h"
#include "rw_parts.h"

typedef struct { /* a row of the description */
    const int32_t *v;
    int32_t n;
} RwRow;

typedef struct {
    RwRow plain, lists, slots, tops, counted, filled, holding, owned;
} RwSight;

typedef struct {
    int32_t *held; /* the whole description, RW_FIELDS of it bounded; the rows lie in it */
    int32_t nheld;
    int8_t has_secrets;
    uint8_t is_top[RW_LISTS + 1];
    RwSight of[RW_PLAYERS];
    RwRow alike;                  /* by piece: the first piece of its row */
    int32_t copies[RW_SITES + 1]; /* where the branches of a site are described in `held`, -1 if it offers no copies */
} RwSights;

/* ---------------------------------------------------------------- taking a description over */

typedef struct {
    const int32_t *v;
    int32_t n, at;
    int8_t is_bad;
} RwReader;

static int32_t rw_read_number(RwReader *R) {
    if (R->at >= R->n) {
        R->is_bad = 1;
        return 0;
    }
    return R->v[R->at++];
}

/* The next row, of numbers from 0 to below `bound`. */
static RwRow rw_read_row(RwReader *R, int32_t bound) {
    RwRow row = {R->v, 0};
    int32_t n = rw_read_number(R);
    if (n < 0 || n > R->n - R->at) R->is_bad = 1;
    if (R->is_bad) return row;
    row.v = R->v + R->at;
    row.n = n;
    R->at += n;
    for (int32_t i = 0; i < n; i++)
        if (row.v[i] < 0 || row.v[i] >= bound) R->is_bad = 1;
    return row;
}

/* The open fields of pieces: each block of numbers lies within f, and its pieces are pieces. */
static RwRow rw_read_owned(RwReader *R) {
    RwRow row = rw_read_row(R, INT32_MAX);
    if (row.n % 4 != 0) R->is_bad = 1;
    for (int32_t i = 0; i + 3 < row.n; i += 4) {
        const int32_t *one = row.v + i;
        if ((int64_t)one[0] + one[1] > RW_PIECES || one[2] + (int64_t)one[1] * one[3] > RW_FIELDS) R->is_bad = 1;
    }
    return row;
}

static RwSight rw_read_sight(RwReader *R) {
    RwSight sight;
    sight.plain = rw_read_row(R, RW_FIELDS);
    sight.lists = rw_read_row(R, RW_LISTS);
    sight.slots = rw_read_row(R, RW_SLOTS);
    sight.tops = rw_read_row(R, RW_LISTS);
    sight.counted = rw_read_row(R, RW_LISTS);
    sight.filled = rw_read_row(R, RW_SLOTS);
    sight.holding = rw_read_row(R, RW_FIELDS);
    sight.owned = rw_read_owned(R);
    return sight;
}

/* Where the branches of each site are described; the numbers of every digit fit. */
static void rw_read_copies(RwReader *R, RwSights *sights) {
    for (int site = 0; site < RW_SITES; site++) {
        int32_t branches = rw_read_number(R);
        sights->copies[site] = branches > 0 ? R->at - 1 : -1;
        for (int32_t branch = 0; branch < branches && !R->is_bad; branch++) {
            int32_t first = rw_read_number(R), digits = rw_read_number(R);
            if (first < 0 || digits < 0) R->is_bad = 1;
            for (int32_t digit = 0; digit < digits && !R->is_bad; digit++) {
                (void)rw_read_number(R);
                if (rw_read_number(R) < 1) R->is_bad = 1;
                (void)rw_read_number(R);
            }
        }
    }
}

/* Takes a description over, which belongs to `sights` from then on; RW_UNKNOWN if it does not fit this game. */
static int rw_read_sights(RwSights *sights, const int32_t *numbers, int32_t n) {
    RwReader R = {numbers, n, 0, 0};
    sights->has_secrets = rw_read_number(&R) != 0;
    memset(sights->is_top, 0, sizeof sights->is_top);
    RwRow tops = rw_read_row(&R, RW_LISTS);
    for (int32_t i = 0; i < tops.n && !R.is_bad; i++) sights->is_top[tops.v[i]] = 1;
    for (int player = 0; player < RW_PLAYERS; player++) sights->of[player] = rw_read_sight(&R);
    sights->alike = rw_read_row(&R, RW_PIECES);
    if (sights->alike.n != RW_PIECES) R.is_bad = 1;
    rw_read_copies(&R, sights);
    return R.is_bad || R.at != n ? RW_UNKNOWN : RW_GO;
}

/* ---------------------------------------------------------------- seeing */

static inline int32_t rw_row_of(const State *S, num piece) {
    return piece < 0 || rw_lies_down(S, piece) ? -1 : RW_ROW[piece + 1];
}

/* Whether a player sees a piece where it lies. */
static int rw_sees_piece(const RwSights *sights, const State *S, int player, num piece) {
    int place = RW_AT(S, piece);
    if (place < 0 || rw_lies_down(S, piece)) return 0;
    if (place < RW_LISTS && sights->is_top[place]) return RW_FIRST(S, place) == piece;
    return (RW_SEES[place] >> player & 1) != 0;
}

static void rw_hash_list(RwHash *hash, const State *S, int32_t list) {
    rw_hash(hash, (uint64_t)(uint32_t)S->count[list] << 32); /* where a list ends matters */
    for (int32_t piece = RW_FIRST(S, list); piece >= 0; piece = RW_NEXT(S, piece))
        rw_hash(hash, (uint32_t)rw_row_of(S, piece));
}

static void rw_hash_fields(RwHash *hash, const State *S, RwRow offsets) {
    int32_t i = 0;
    for (; i + 1 < offsets.n; i += 2) rw_hash_pair(hash, rw_number(S, offsets.v[i]), rw_number(S, offsets.v[i + 1]));
    if (i < offsets.n) rw_hash(hash, (uint32_t)rw_number(S, offsets.v[i]));
}

/* The fields of pieces in sight, each with its row and its place; which of equal copies it is does not count. */
static void rw_hash_owned(RwHash *hash, const RwSights *sights, const State *S, int player, const int32_t *owned) {
    RwHash sum = {0, 0};
    for (int32_t i = 0; i < owned[1]; i++) {
        int32_t piece = owned[0] + i;
        const num own = owned[2] + (num)i * owned[3];
        if (!rw_sees_piece(sights, S, player, piece)) continue;
        RwHash one = RW_EMPTY_HASH;
        rw_hash_pair(&one, RW_ROW[piece + 1], RW_AT(S, piece));
        for (int32_t number = 0; number < owned[3]; number++) rw_hash(&one, (uint32_t)rw_number(S, own + number));
        rw_hash_unordered(&sum, one);
    }
    rw_hash(hash, sum.a);
    rw_hash(hash, sum.b);
}

/* Where nothing is hidden: every number and every piece. */
static void rw_hash_all(RwHash *hash, const State *S) {
    int i = 0;
    for (; i + 1 < RW_FIELDS; i += 2) rw_hash_pair(hash, rw_number(S, i), rw_number(S, i + 1));
    if (i < RW_FIELDS) rw_hash(hash, (uint32_t)rw_number(S, i));
    for (int list = 0; list < RW_LISTS; list++) {
        rw_hash(hash, (uint64_t)(uint32_t)S->count[list] << 32);
        for (int32_t piece = RW_FIRST(S, list); piece >= 0; piece = RW_NEXT(S, piece)) rw_hash(hash, (uint32_t)piece);
    }
}

/* What a player sees now. */
static void rw_hash_seen(RwHash *hash, const RwSights *sights, const State *S, int player) {
    const RwSight *sight = &sights->of[player];
    if (!sights->has_secrets) {
        rw_hash_all(hash, S);
        return;
    }
    rw_hash_fields(hash, S, sight->plain);
    for (int32_t i = 0; i < sight->lists.n; i++) rw_hash_list(hash, S, sight->lists.v[i]);
    for (int32_t i = 0; i < sight->slots.n; i++) rw_hash(hash, (uint32_t)rw_row_of(S, rw_slot(S, sight->slots.v[i])));
    for (int32_t i = 0; i < sight->tops.n; i++) rw_hash(hash, (uint32_t)rw_row_of(S, RW_FIRST(S, sight->tops.v[i])));
    for (int32_t i = 0; i < sight->counted.n; i++) rw_hash(hash, (uint32_t)S->count[sight->counted.v[i]]);
    for (int32_t i = 0; i < sight->filled.n; i++) rw_hash(hash, rw_slot(S, sight->filled.v[i]) >= 0);
    for (int32_t i = 0; i < sight->holding.n; i++) {
        num piece = rw_number(S, sight->holding.v[i]);
        int32_t shown = piece < 0 ? -1 : rw_sees_piece(sights, S, player, piece) ? RW_ROW[piece + 1] : -2;
        rw_hash(hash, (uint32_t)shown);
    }
    for (int32_t i = 0; i + 3 < sight->owned.n; i += 4) rw_hash_owned(hash, sights, S, player, sight->owned.v + i);
}

/* ---------------------------------------------------------------- options */

/* The option with each piece replaced by the first of its equal copies: options that are the same have the same. */
static int32_t rw_name_of_option(const RwSights *sights, int site, int32_t option) {
    if (option < 0) return option;
    const int32_t *at = sights->held + sights->copies[site] + 1, *branch = at;
    for (int32_t left = sights->held[sights->copies[site]]; left > 0 && at[0] <= option; left--) {
        branch = at;
        at += 2 + 3 * at[1];
    }
    int64_t rest = option - branch[0], weight = 1, name = branch[0];
    for (int32_t digit = branch[1] - 1; digit >= 0; digit--) {
        const int32_t *of = branch + 2 + 3 * digit; /* lowest, how many, is a piece of which copies are equal */
        int64_t value = rest % of[1] + of[0];
        if (of[2] && value >= 0 && value < RW_PIECES) value = sights->alike.v[value];
        name += (value - of[0]) * weight;
        weight *= of[1];
        rest /= of[1];
    }
    return (int32_t)name;
}

#endif
