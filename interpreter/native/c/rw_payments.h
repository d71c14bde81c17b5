/* Paying with units of several kinds: what may be paid next so that the rest can still be paid.
 *
 * The same as runtime/payments.py. A payment is a list of costs, each with an amount, a pattern and the kinds of units
 * it may be paid with. Picks are keys in the order paid, cost after cost. Within a cost they follow the order of its
 * kinds: paying red then blue and blue then red are the same payment and must not both be offered.
 *
 * Python hands on tuples of picks. Here a payment counts how often each kind was picked for its cost, and remembers the
 * last pick of each cost: nothing else of the picks is ever asked for, and the search needs no room that grows.
 *
 * Emitted code describes a payment anew whenever it needs one: rw_pay_begin, then for each cost rw_pay_cost followed by
 * its sources, rw_pay_counter and rw_pay_pieces, or by rw_pay_as if they are those of an earlier cost. If a payment outgrows its room, `full` is set, and asking for its
 * options is a fault.
 */
#ifndef RW_PAYMENTS_H
#define RW_PAYMENTS_H

#include "rw.h"
#include "rw_sets.h"

enum { RW_ANY = 0, RW_ALL_EQUAL = 1, RW_ALL_DIFFERENT = 2, RW_AMONG = 3 }; /* patterns */
enum { RW_WILD = 1 << 30 }; /* the value of pieces that have none: above all others */
enum { RW_PAY_DEPTH = 900 }; /* picks that the search looks ahead; Python's stack has room for about as many */

typedef struct {
    num amount;
    Set among;                /* of RW_AMONG: the values that will do */
    int32_t values;           /* how many different values there are in the game */
    int32_t first, n;         /* its kinds */
    int32_t picks;            /* how many units were picked for it */
    int32_t last;             /* the last pick: number of the first kind with that key; -1 for none */
    uint8_t pattern;
    uint8_t shared;           /* two of its kinds have the same key */
} RwCost;

typedef struct {
    int32_t key, value;       /* value: by which units are told apart */
    int32_t held;
    int32_t picked;           /* counted at the first kind with this key in its cost */
    int32_t same;             /* number of that first kind */
    int32_t over;             /* number of the first kind with this key in all costs, which may share units … */
    int32_t used;             /* … and how often the key was picked for all of them: counted there */
    int32_t source;
    int32_t first;            /* pieces: pieces[first] … pieces[first + held - 1] */
    uint8_t wild, counter, capped;
    int32_t offset, step, name; /* of a counter: where it is, how far to the next seat, what it is called */
    num low, high;
} RwKind;

typedef struct {
    RwCost costs[RW_COSTS + 1];
    RwKind kinds[RW_KINDS + 1];
    elt pieces[RW_PAID_PIECES + 1];
    int32_t ncosts, nkinds, npieces;
    int32_t picks;            /* of all costs */
    int32_t described;        /* kinds of all costs, also of those that ask for nothing and have none here */
    int64_t looked;           /* units of work that searching took: whoever asks counts them */
    uint8_t full;
    uint8_t uneven;           /* two costs do not agree on how much there is under a key */
} RwPay;

/* ---------------------------------------------------------------- describing a payment */

static inline void rw_pay_begin(RwPay *P) {
    P->ncosts = P->nkinds = P->npieces = P->picks = P->described = 0;
    P->looked = 0;
    P->full = P->uneven = 0;
}

static void rw_pay_cost(RwPay *P, num amount, int pattern, Set among, int values) {
    if (P->ncosts >= RW_COSTS) {
        P->full = 1;
        return;
    }
    P->costs[P->ncosts++] = (RwCost){
        .amount = amount, .among = among, .values = values, .first = P->nkinds, .last = -1, .pattern = (uint8_t)pattern};
}

/* A new kind of the present cost, or NULL if there is no room. */
static RwKind *rw_pay_kind(RwPay *P, int32_t key, int32_t value, int wild, int source) {
    if (P->nkinds >= RW_KINDS || P->ncosts == 0) {
        P->full = 1;
        return NULL;
    }
    RwKind *kind = &P->kinds[P->nkinds++];
    *kind = (RwKind){.key = key, .value = value, .wild = (uint8_t)wild, .source = source};
    P->costs[P->ncosts - 1].n++;
    return kind;
}

/* Remembers for the kinds from `from` on which one is the first with their key: of their cost, and of all. */
static void rw_pay_number(RwPay *P, int32_t from) {
    RwCost *cost = &P->costs[P->ncosts - 1];
    for (int32_t k = from; k < P->nkinds; k++) {
        RwKind *kind = &P->kinds[k];
        int32_t same = cost->first, over = 0;
        RW_CHARGE(1 + k / 4);
        while (P->kinds[same].key != kind->key) same++;
        while (P->kinds[over].key != kind->key) over++;
        kind->same = same;
        kind->over = over;
        cost->shared |= same != k;
        P->uneven |= P->kinds[over].held != kind->held;
    }
    P->described += P->nkinds - from;
}

/* What a counter holds above `low`. Its units are equal to one another and different from all others. */
static void rw_pay_counter(RwPay *P, const State *S, int key, num offset, int wild, int source, int step, num low,
                           num high, int capped, int name) {
    num held = rw_number(S, offset) - low;
    if (held <= 0) return;
    RwKind *kind = rw_pay_kind(P, key, -2 - key, wild, source);
    if (kind == NULL) return;
    kind->held = (int32_t)held;
    kind->counter = 1;
    kind->offset = (int32_t)offset;
    kind->step = step;
    kind->low = low;
    kind->high = high;
    kind->capped = (uint8_t)capped;
    kind->name = name;
    rw_pay_number(P, P->nkinds - 1);
}

/* Takes the pieces into the payment in order of their numbers; equal pieces have consecutive numbers. */
static int rw_pay_sorted(RwPay *P, Set pieces) {
    if (pieces.n > RW_PAID_PIECES - P->npieces) {
        P->full = 1;
        return 0;
    }
    elt *sorted = P->pieces + P->npieces;
    for (int32_t i = 0; i < pieces.n; i++) {
        int32_t at = i;
        RW_CHARGE(1 + (i > 0 && sorted[i - 1] > pieces.v[i] ? i / 2 : 0));
        for (; at > 0 && sorted[at - 1] > pieces.v[i]; at--) sorted[at] = sorted[at - 1];
        sorted[at] = pieces.v[i];
    }
    return 1;
}

static inline int rw_kind_before(const RwKind *one, const RwKind *other) {
    return one->value < other->value || (one->value == other->value && one->key < other->key);
}

/* Sorts the kinds from `from` on by value, then by row. */
static void rw_pay_sort_kinds(RwPay *P, int32_t from) {
    for (int32_t i = from + 1; i < P->nkinds; i++) {
        RwKind moved = P->kinds[i];
        int32_t at = i;
        for (; at > from && rw_kind_before(&moved, &P->kinds[at - 1]); at--) P->kinds[at] = P->kinds[at - 1];
        P->kinds[at] = moved;
    }
}

/* Pieces, one kind for each row. `by` gives the value of each piece; without it they are all alike. Pieces whose value is
 * `none` are wild, and come last. */
static void rw_pay_pieces(RwPay *P, Set pieces, const elt *by, int wild, int32_t none, int source) {
    const int32_t from = P->nkinds;
    if (!rw_pay_sorted(P, pieces)) return;
    RwKind *kind = NULL;
    for (int32_t i = 0; i < pieces.n; i++) {
        elt piece = P->pieces[P->npieces];
        int32_t row = RW_ROW[piece + 1];
        if (kind == NULL || kind->key != row) {
            int32_t value = by != NULL ? by[piece] : -2 - (RW_PIECES + 1) - source;
            if (value == none) value = RW_WILD;
            kind = rw_pay_kind(P, row, value, wild || value == RW_WILD, source);
            if (kind == NULL) return;
            kind->first = P->npieces;
        }
        kind->held++;
        P->npieces++;
    }
    rw_pay_sort_kinds(P, from);
    if (P->nkinds > from) rw_pay_number(P, from);
}

/* The present cost is paid from the same as an earlier one. If it asks for nothing, nothing is ever picked for it. */
static void rw_pay_as(RwPay *P, int earlier) {
    if (P->full || earlier >= P->ncosts - 1) return;
    const RwCost *like = &P->costs[earlier];
    RwCost *cost = &P->costs[P->ncosts - 1];
    cost->shared = like->shared;
    P->described += like->n;
    if (cost->amount == 0) return;
    if (like->n > RW_KINDS - P->nkinds) {
        P->full = 1;
        return;
    }
    for (int32_t k = 0; k < like->n; k++) {
        P->kinds[P->nkinds + k] = P->kinds[like->first + k];
        P->kinds[P->nkinds + k].same += cost->first - like->first;
    }
    P->nkinds += like->n;
    cost->n = like->n;
}

/* ---------------------------------------------------------------- what has been picked */

static num rw_pay_total(const RwPay *P) {
    num total = 0;
    for (int32_t c = 0; c < P->ncosts; c++) total += P->costs[c].amount;
    return total;
}

/* The cost that the next pick is for; NULL if everything is paid. */
static RwCost *rw_pay_current(RwPay *P) {
    num position = 0;
    for (int32_t c = 0; c < P->ncosts; c++) {
        position += P->costs[c].amount;
        if (P->picks < position) return &P->costs[c];
    }
    return NULL;
}

/* The first kind of a cost with this key, or -1. */
static int32_t rw_pay_find(const RwPay *P, const RwCost *cost, int32_t key) {
    for (int32_t k = cost->first; k < cost->first + cost->n; k++)
        if (P->kinds[k].key == key) return k;
    return -1;
}

static inline void rw_pay_pick(RwPay *P, RwCost *cost, int32_t kind) {
    P->kinds[kind].picked++;
    P->kinds[P->kinds[kind].over].used++;
    cost->picks++;
    cost->last = kind;
    P->picks++;
}

static inline void rw_pay_unpick(RwPay *P, RwCost *cost, int32_t kind, int32_t last) {
    P->kinds[kind].picked--;
    P->kinds[P->kinds[kind].over].used--;
    cost->picks--;
    cost->last = last;
    P->picks--;
}

/* Counts the picks made so far; 0 if one of them is of no kind of its cost. */
static int rw_pay_count(RwPay *P, Set picks) {
    for (int32_t k = 0; k < P->nkinds; k++) P->kinds[k].picked = P->kinds[k].used = 0;
    for (int32_t c = 0; c < P->ncosts; c++) {
        P->costs[c].picks = 0;
        P->costs[c].last = -1;
    }
    P->picks = 0;
    for (int32_t i = 0; i < picks.n; i++) {
        RwCost *cost = rw_pay_current(P);
        if (cost == NULL) return 1;
        int32_t kind = rw_pay_find(P, cost, picks.v[i]);
        if (kind < 0) return 0;
        rw_pay_pick(P, cost, kind);
    }
    return 1;
}

/* How often the key of a kind was picked, for all costs together: they may be paid from the same units. */
static inline int32_t rw_pay_picked(const RwPay *P, const RwKind *kind) { return P->kinds[kind->over].used; }

/* ---------------------------------------------------------------- patterns */

/* The kind that speaks for a key: the last one that has it. */
static const RwKind *rw_pay_speaker(const RwPay *P, const RwCost *cost, int32_t first) {
    const RwKind *found = &P->kinds[first];
    for (int32_t k = first + 1; k < cost->first + cost->n; k++)
        if (P->kinds[k].same == first) found = &P->kinds[k];
    return found;
}

/* True if two picked kinds of a cost have the same value, or different ones: whichever is asked for. */
static int rw_pay_two(const RwPay *P, const RwCost *cost, const RwKind *one, int32_t from, int equal) {
    for (int32_t k = from; k < cost->first + cost->n; k++) {
        if (P->kinds[k].picked == 0) continue;
        const RwKind *other = rw_pay_speaker(P, cost, k);
        if (!other->wild && (other->value == one->value) == equal) return 1;
    }
    return 0;
}

/* True if the picks of a cost fit its pattern. */
static int rw_cost_fits(const RwPay *P, const RwCost *cost) {
    if (cost->pattern == RW_ANY || cost->picks == 0) return 1;
    int32_t wild = 0;
    for (int32_t k = cost->first; k < cost->first + cost->n; k++) {
        int32_t picked = P->kinds[k].picked;
        if (picked == 0) continue;
        const RwKind *kind = rw_pay_speaker(P, cost, k);
        if (kind->wild)
            wild += picked;
        else if (cost->pattern == RW_AMONG ? !rw_has(cost->among, kind->value)
                 : cost->pattern == RW_ALL_EQUAL
                     ? rw_pay_two(P, cost, kind, k + 1, 0)
                     : picked > 1 || rw_pay_two(P, cost, kind, k + 1, 1))
            return 0;
    }
    /* With `all different` a wild unit must stand for a value of its own: more units than values cannot be paid. */
    return cost->pattern != RW_ALL_DIFFERENT || wild == 0 || cost->amount <= cost->values;
}

static int rw_pay_fits(const RwPay *P) {
    for (int32_t c = 0; c < P->ncosts; c++)
        if (!rw_cost_fits(P, &P->costs[c])) return 0;
    return 1;
}

/* ---------------------------------------------------------------- a single cost: decided by counting */

static inline int32_t rw_pay_left(const RwPay *P, const RwKind *kind) { return kind->held - rw_pay_picked(P, kind); }

/* True if a unit that is not wild was paid; with `value`, one of that value. Here each kind that has a picked key
 * counts, not only the one that speaks for it. */
static int rw_pay_used(const RwPay *P, const RwCost *cost, int any, int32_t value) {
    for (int32_t k = cost->first; k < cost->first + cost->n; k++) {
        const RwKind *kind = &P->kinds[k];
        if (!kind->wild && (any || kind->value == value) && P->kinds[kind->same].picked > 0) return 1;
    }
    return 0;
}

/* Units of one value among the kinds from `from` on. */
static num rw_pay_of_value(const RwPay *P, const RwCost *cost, int32_t from, int32_t value) {
    num found = 0;
    for (int32_t k = from; k < cost->first + cost->n; k++) {
        const RwKind *kind = &P->kinds[k];
        int32_t left = rw_pay_left(P, kind);
        if (!kind->wild && kind->value == value && left > 0) found += left;
    }
    return found;
}

/* True if a kind before this one, from `from` on, has units of the same value. */
static int rw_pay_value_before(const RwPay *P, int32_t from, int32_t kind) {
    for (int32_t k = from; k < kind; k++)
        if (!P->kinds[k].wild && P->kinds[k].value == P->kinds[kind].value && rw_pay_left(P, &P->kinds[k]) > 0)
            return 1;
    return 0;
}

/* True if so many more units of the kinds from `from` on can be found that fit the pattern. */
static int rw_pay_held(const RwPay *P, const RwCost *cost, int32_t from, num missing) {
    num wild = 0, all = 0, most = 0, fresh = 0;
    const int bound = cost->pattern == RW_ALL_EQUAL && rw_pay_used(P, cost, 1, 0);
    for (int32_t k = from; k < cost->first + cost->n; k++) {
        const RwKind *kind = &P->kinds[k];
        int32_t left = rw_pay_left(P, kind);
        if (left <= 0) continue;
        if (kind->wild) {
            wild += left;
            continue;
        }
        if (cost->pattern == RW_ALL_EQUAL) {
            num units = rw_pay_of_value(P, cost, from, kind->value);
            if (units > most && (!bound || rw_pay_used(P, cost, 0, kind->value))) most = units;
        } else if (cost->pattern == RW_ALL_DIFFERENT) {
            fresh += !rw_pay_value_before(P, from, k) && !rw_pay_used(P, cost, 0, kind->value);
        } else if (cost->pattern == RW_ANY || rw_has(cost->among, kind->value)) {
            all += left;
        }
    }
    switch (cost->pattern) {
    case RW_ALL_DIFFERENT: return fresh + (cost->amount <= cost->values ? wild : 0) >= missing;
    case RW_ALL_EQUAL: return wild + most >= missing;
    default: return wild + all >= missing;
    }
}

/* ---------------------------------------------------------------- what may be paid next */

/* Whether a kind may be the next pick: the first with its key, not before the last pick, and something is left. */
static int rw_pay_is_next(const RwPay *P, const RwCost *cost, int32_t k) {
    const RwKind *kind = &P->kinds[k];
    if (kind->same != k || k < cost->last) return 0;
    num held = 0;
    for (int32_t i = k; i < cost->first + cost->n; i++)
        if (P->kinds[i].same == k) held += P->kinds[i].held;
    return held > rw_pay_picked(P, kind);
}

/* Several costs, each for any units or for units of certain values: whether the rest can be paid, or -1 if counting
 * does not tell. Every group of costs must find as many units that fit one of them as the group needs; that is enough
 * too (Hall's theorem). See _is_counted in runtime/payments.py. */
enum { RW_MOST_COUNTED = 8 };

/* The costs that are not yet paid, as bits, that a kind would do for. It is the first kind with its key. */
static int rw_pay_serves(const RwPay *P, const RwCost *current, int32_t k, int wanting) {
    int mask = 0;
    for (int32_t c = 0; c < P->ncosts; c++) {
        const RwCost *cost = &P->costs[c];
        if (!(wanting >> c & 1)) continue;
        const int32_t own = rw_pay_find(P, cost, P->kinds[k].key);
        if (own < 0 || (cost == current && own < cost->last)) continue;
        const RwKind *unit = &P->kinds[own];
        if (cost->pattern == RW_ANY || unit->wild || rw_has(cost->among, unit->value)) mask |= 1 << c;
    }
    return mask;
}

/* Several costs, and each unit does for one of them or for all. Then what each lacks must be met by the latter (gold for
 * any gem), and there is no need to look at groups of costs. */
static int rw_pay_is_simple(const num *counts, int wanting) {
    if ((wanting & (wanting - 1)) == 0) return 0;
    for (int mask = 1; mask < wanting; mask++)
        if ((mask & (mask - 1)) != 0 && counts[mask] != 0) return 0;
    return 1;
}

/* `counts`, by the costs that a unit would do for, becomes how many units do for no cost outside of them; then each
 * group of costs finds all units but those that do for the other costs alone. */
static int rw_pay_meets_all(num *counts, const num *needs, int32_t ncosts, int wanting) {
    if (rw_pay_is_simple(counts, wanting)) {
        num lacking = 0;
        for (int32_t c = 0; c < ncosts; c++)
            if (wanting >> c & 1 && needs[c] > counts[1 << c]) lacking += needs[c] - counts[1 << c];
        return lacking <= counts[wanting];
    }
    for (int32_t c = 0; c < ncosts; c++) {
        if (!(wanting >> c & 1)) continue;
        for (int mask = 1 << c; mask <= wanting; mask++)
            if (mask >> c & 1) counts[mask] += counts[mask ^ 1 << c];
    }
    for (int group = wanting; group > 0; group = (group - 1) & wanting) {
        num need = 0;
        for (int32_t c = 0; c < ncosts; c++)
            if (group >> c & 1) need += needs[c];
        if (need > counts[wanting] - counts[wanting & ~group]) return 0;
    }
    return 1;
}

static int rw_pay_counted(RwPay *P, const RwCost *current) {
    num counts[1 << RW_MOST_COUNTED], needs[RW_MOST_COUNTED];
    int wanting = 0;
    if (P->ncosts > RW_MOST_COUNTED || P->uneven) return -1;
    for (int32_t c = 0; c < P->ncosts; c++) {
        const RwCost *cost = &P->costs[c];
        if ((cost->pattern != RW_ANY && cost->pattern != RW_AMONG) || cost->shared) return -1;
        needs[c] = cost->amount - cost->picks;
        if (needs[c] > 0) wanting |= 1 << c;
    }
    for (int mask = 0; mask <= wanting; mask++) counts[mask] = 0;
    for (int32_t k = 0; k < P->nkinds; k++) {
        const RwKind *kind = &P->kinds[k];
        if (kind->over == k) counts[rw_pay_serves(P, current, k, wanting)] += rw_pay_left(P, kind); /* each key once */
    }
    P->looked += wanting * wanting / 8; /* groups and sorts of units, as in Python */
    return rw_pay_meets_all(counts, needs, P->ncosts, wanting);
}

/* True if the picks so far fit the patterns and the rest can still be paid. A single cost whose kinds all have
 * different keys is decided by counting, and so are several that ask for no more than certain values. Otherwise two
 * kinds share a key, or patterns compete for the same units, and only a search over the remaining picks tells. */
static int rw_pay_searched(RwPay *P, int depth) {
    RwCost *only = P->ncosts == 1 ? &P->costs[0] : NULL;
    if (only != NULL && P->picks == 0) return rw_pay_held(P, only, only->first, only->amount);
    if (!rw_pay_fits(P)) return 0;
    if (only != NULL && !only->shared) /* later picks follow the order of the kinds */
        return rw_pay_held(P, only, only->last, only->amount - P->picks);
    RwCost *cost = rw_pay_current(P);
    if (cost == NULL || depth <= 0) return 1;
    const int counted = rw_pay_counted(P, cost);
    if (counted >= 0) return counted;
    const int64_t units = 16 + 8 * P->described + P->picks;
    RW_CHARGE(RW_SEARCHED * units); /* more than P->looked has, and at once: that is counted when the search is over */
    P->looked += units;
    if (P->looked > RW_STEP_LIMIT) return 1; /* a fault, as soon as it is counted */
    const int32_t last = cost->last;
    for (int32_t k = cost->first; k < cost->first + cost->n; k++) {
        if (!rw_pay_is_next(P, cost, k)) continue;
        rw_pay_pick(P, cost, k);
        int found = rw_pay_searched(P, depth - 1);
        rw_pay_unpick(P, cost, k, last);
        if (found) return 1;
    }
    return 0;
}

static int rw_payable(RwPay *P, Set picks) {
    return !P->full && rw_pay_count(P, picks) && rw_pay_searched(P, RW_PAY_DEPTH);
}

/* ---------------------------------------------------------------- whether costs can be met, by what is held of each value */

typedef struct {
    const num *of;            /* units of the values low, low + 1, … */
    num low, n;
    num wild, other;          /* units that do for any value; units that have none */
} RwHeld;

static inline num rw_held_of(const RwHeld *units, num value) {
    return value >= units->low && value < units->low + units->n ? units->of[value - units->low] : 0;
}

/* One cost: as rw_pay_held says of a payment for which nothing is picked. */
static int rw_held_meets(RwHeld units, int pattern, num amount, Set among, num values) {
    num found = 0;
    if (pattern == RW_AMONG) {
        for (int32_t i = 0; i < among.n; i++) found += rw_held_of(&units, among.v[i]);
        return found + units.wild >= amount;
    }
    for (num i = 0; i < units.n; i++) {
        const num held = units.of[i];
        if (pattern == RW_ANY) found += held;
        else if (pattern == RW_ALL_DIFFERENT) found += held > 0;
        else if (held > found) found = held;
    }
    if (pattern == RW_ANY) found += units.other;
    return found + (pattern != RW_ALL_DIFFERENT || amount <= values ? units.wild : 0) >= amount;
}

/* What costs that ask for one value each, and all for different ones, lack of it; -1 if they do not. */
static num rw_held_lacking(const RwHeld *units, int32_t ncosts, const uint8_t *patterns, const num *amounts,
                           const Set *among) {
    uint64_t seen = 0;
    num lacking = 0;
    for (int32_t c = 0; c < ncosts; c++) {
        if (amounts[c] <= 0) continue;
        if (patterns[c] != RW_AMONG || among[c].n != 1) return -1;
        const num at = among[c].v[0] - units->low;
        if (at < 0 || at >= units->n || seen >> at & 1) return -1;
        seen |= UINT64_C(1) << at;
        if (amounts[c] > units->of[at]) lacking += amounts[c] - units->of[at];
    }
    return lacking;
}

/* Several costs for any units or for units of certain values, paid from the same: as rw_pay_counted says of them. */
static int rw_held_meets_all(RwHeld units, int32_t ncosts, const uint8_t *patterns, const num *amounts, const Set *among,
                             int64_t *looked) {
    num counts[1 << RW_MOST_COUNTED];
    int wanting = 0, any = 0;
    for (int32_t c = 0; c < ncosts; c++) {
        if (amounts[c] <= 0) continue;
        wanting |= 1 << c;
        if (patterns[c] == RW_ANY) any |= 1 << c;
    }
    *looked += wanting * wanting / 8;
    const num lacking = rw_held_lacking(&units, ncosts, patterns, amounts, among);
    if (lacking >= 0) return lacking <= units.wild;
    for (int mask = 0; mask <= wanting; mask++) counts[mask] = 0;
    counts[any] += units.other;
    counts[wanting] += units.wild;
    for (num i = 0; i < units.n; i++) {
        int mask = any;
        if (units.of[i] == 0) continue;
        for (int32_t c = 0; c < ncosts; c++)
            if (wanting >> c & 1 && rw_has(among[c], (elt)(units.low + i))) mask |= 1 << c;
        counts[mask] += units.of[i];
    }
    return rw_pay_meets_all(counts, amounts, ncosts, wanting);
}

/* Adds the keys that may be paid next. Gives 1 if everything is paid, 0 if options were added, a negative signal if
 * the costs cannot be paid. */
static int rw_pay_options(Ctx *C, RwPay *P, Set picks, int refusal) {
    if (P->full) return -rw_fault(C, 905, P->nkinds, -1);
    if (picks.n >= rw_pay_total(P)) return 1;
    const int32_t before = C->optop;
    RwCost *cost = rw_pay_count(P, picks) ? rw_pay_current(P) : NULL;
    for (int32_t k = cost != NULL ? cost->first : 0; cost != NULL && k < cost->first + cost->n; k++) {
        if (!rw_pay_is_next(P, cost, k)) continue;
        const int32_t last = cost->last;
        rw_pay_pick(P, cost, k);
        int found = rw_pay_searched(P, RW_PAY_DEPTH);
        rw_pay_unpick(P, cost, k, last);
        if (found && rw_offer(C, P->kinds[k].key) != RW_GO) return -RW_FAULT;
    }
    return C->optop > before ? 0 : -rw_refuse(C, refusal);
}

/* ---------------------------------------------------------------- what was paid */

typedef struct {              /* goes through the picks and says of each what is paid with it */
    int32_t at, cost;         /* the pick that comes next; the cost it is for */
    num end;                  /* the pick at which that cost ends */
    uint8_t gone[RW_PIECES / 8 + 1]; /* pieces that are used already, a bit for each */
} RwUnits;

static void rw_units_begin(const RwPay *P, RwUnits *U) {
    memset(U, 0, sizeof *U);
    U->end = P->ncosts > 0 ? P->costs[0].amount : 0;
}

/* The first piece with this key that is not yet used; it is used then. */
static const RwKind *rw_unit_piece(const RwPay *P, const RwCost *cost, int32_t first, RwUnits *U, elt *piece) {
    for (int32_t k = first; k < cost->first + cost->n; k++) {
        const RwKind *kind = &P->kinds[k];
        if (kind->same != first || kind->counter) continue;
        for (int32_t i = kind->first; i < kind->first + kind->held; i++) {
            elt one = P->pieces[i];
            if (U->gone[one / 8] >> (one % 8) & 1) continue;
            U->gone[one / 8] |= (uint8_t)(1 << (one % 8));
            *piece = one;
            return kind;
        }
    }
    return NULL;
}

/* The kind of the next pick, and the piece that is paid (-1 for a counter); NULL behind the last pick. */
static const RwKind *rw_next_unit(const RwPay *P, Set picks, RwUnits *U, elt *piece) {
    if (U->at >= picks.n) return NULL;
    while (U->cost < P->ncosts && U->at >= U->end) {
        U->cost++;
        if (U->cost < P->ncosts) U->end += P->costs[U->cost].amount;
    }
    if (U->cost >= P->ncosts) return NULL;
    const RwCost *cost = &P->costs[U->cost];
    int32_t first = rw_pay_find(P, cost, picks.v[U->at++]);
    if (first < 0) return NULL;
    *piece = -1;
    return P->kinds[first].counter ? &P->kinds[first] : rw_unit_piece(P, cost, first, U, piece);
}

/* Writes the pieces paid from one source for one cost, in the order picked; gives their number. */
static int32_t rw_paid(const RwPay *P, Set picks, int cost, int source, elt *out) {
    RwUnits units;
    const RwKind *kind;
    elt piece;
    int32_t n = 0;
    if (P->costs[cost].amount <= 0) return 0;
    rw_units_begin(P, &units);
    while ((kind = rw_next_unit(P, picks, &units, &piece)) != NULL)
        if (piece >= 0 && units.cost == cost && kind->source == source) out[n++] = piece;
    return n;
}

/* Takes the counters that were picked; they go to the player `to`, -1 for nobody. */
static int rw_settle(Ctx *C, State *S, const RwPay *P, Set picks, num player, num to, int place) {
    RwUnits units;
    const RwKind *kind;
    elt piece;
    if (P->full) return rw_fault(C, 905, P->nkinds, place);
    rw_units_begin(P, &units);
    while ((kind = rw_next_unit(P, picks, &units, &piece)) != NULL) {
        if (!kind->counter) continue;
        rw_write(S, kind->offset, rw_number(S, kind->offset) - 1);
        if (to < 0) continue;
        num theirs = kind->offset + (to - player) * kind->step;
        num more = rw_number(S, theirs) + 1;
        if (kind->capped && more > kind->high) more = kind->high;
        if (!kind->capped && (more < kind->low || more > kind->high)) return rw_fault(C, 901, more, place);
        rw_write(S, theirs, more);
    }
    return RW_GO;
}

#endif
