/* A learnt policy: what a position is worth to each player, and how likely each option of a decision is to be good. The
 * same as play/bots/features.py, learnt_value.py and option_weights.py, in the same order, so that the same doubles come
 * out.
 *
 * A policy is handed over as two arrays. Numbers: how many features, hidden units and weights of options there are; of
 * a game for one which points are worth -1 and 1, else twice the same; then for each player how many parts of a position are read, and each as sort, where, how many values, the values; then
 * the options, as the header of option_weights.py says. Weights: the bias of each unit, and of the whole if there are
 * hidden units; the weights of these; the weights of options; for each feature its weight for each unit. */
#ifndef RW_POLICY_H
#define RW_POLICY_H

#include "rw_sight.h"
#include "rw_worth.h"

enum { RW_NUMBER, RW_SEAT, RW_VALUE, RW_FILLED, RW_FULL_PART, RW_ROWS, RW_ONE_ROW }; /* parts of a position */
enum { RW_SILENT, RW_BY_VALUE, RW_BY_PIECE, RW_BY_PLAYER };                          /* values of options */
enum { RW_MOST_FEATURES = 1 << 16, RW_MOST_UNITS = 256 };
#define RW_SHARED_PRIOR 0.25

typedef struct {
    int32_t *read;                       /* the numbers; the rows below lie in it */
    double *weights;                     /* all of them, as they were handed over */
    double *features;                    /* room for those of one position */
    int32_t nfeatures, nhidden, noptions, lowest, highest;
    const double *output, *of_options, *of_features;
    const int32_t *parts[RW_PLAYERS];    /* behind their number */
    const int32_t *sites[RW_SITES + 1];
} RwPolicy;

static void rw_free_policy(RwPolicy *P) {
    if (P == NULL) return;
    free(P->read);
    free(P->weights);
    free(P->features);
    free(P);
}

/* ---------------------------------------------------------------- taking one over */

/* How many features a part makes; -1 if it cannot be read from a state of this game. */
static int64_t rw_part_width(int32_t sort, int32_t at, int32_t n, const int32_t *values) {
    switch (sort) {
    case RW_NUMBER: return at < RW_FIELDS && n == 2 && values[1] > 0 ? 1 : -1;
    case RW_SEAT: return at < RW_FIELDS && n == 0 ? RW_PLAYERS : -1;
    case RW_VALUE: return at < RW_FIELDS ? n : -1;
    case RW_FILLED: return at < RW_SLOTS && n == 0 ? 1 : -1;
    case RW_FULL_PART: return at < RW_LISTS && n == 1 && values[0] > 0 ? 1 : -1;
    case RW_ROWS: return at < RW_LISTS ? n : -1;
    case RW_ONE_ROW: return at < RW_SLOTS ? n : -1;
    default: return -1;
    }
}

static void rw_read_parts(RwReader *R, RwPolicy *P, int player) {
    P->parts[player] = R->v + R->at;
    int64_t width = 3 * RW_PLAYERS;
    for (int32_t left = rw_read_number(R); left > 0 && !R->is_bad; left--) {
        int32_t sort = rw_read_number(R), at = rw_read_number(R), n = rw_read_number(R);
        if (at < 0 || n < 0 || n > R->n - R->at) R->is_bad = 1;
        if (R->is_bad) return;
        int64_t more = rw_part_width(sort, at, n, R->v + R->at);
        if (more < 0) R->is_bad = 1;
        width += more;
        R->at += n;
    }
    if (width != P->nfeatures) R->is_bad = 1;
}

/* A value of an option: as many weights as it may ask for. */
static void rw_read_value(RwReader *R, const RwPolicy *P) {
    (void)rw_read_number(R);
    int32_t count = rw_read_number(R), sort = rw_read_number(R), first = rw_read_number(R);
    int64_t wanted = sort == RW_BY_VALUE ? count : sort == RW_BY_PLAYER ? RW_PLAYERS : 0;
    for (int piece = 0; sort == RW_BY_PIECE && piece < RW_PIECES; piece++)
        if (RW_ROW[piece + 1] >= wanted) wanted = RW_ROW[piece + 1] + 1;
    if (count < 1 || sort < RW_SILENT || sort > RW_BY_PLAYER || first < 0 || first + wanted > P->noptions) R->is_bad = 1;
}

static void rw_read_site(RwReader *R, RwPolicy *P, int site) {
    P->sites[site] = R->v + R->at;
    int32_t passing = rw_read_number(R);
    if (passing < 0 || passing >= P->noptions) R->is_bad = 1;
    for (int32_t left = rw_read_number(R); left > 0 && !R->is_bad; left--) {
        (void)rw_read_number(R);
        int32_t own = rw_read_number(R);
        if (own < 0 || own >= P->noptions) R->is_bad = 1;
        for (int32_t values = rw_read_number(R); values > 0 && !R->is_bad; values--) rw_read_value(R, P);
    }
}

/* Takes `read` and `weights` over as they lie in P; 0 if they do not fit this game or each other. */
static int rw_fits_policy(RwPolicy *P, int32_t nread, int32_t nweights) {
    RwReader R = {P->read, nread, 0, 0};
    P->nfeatures = rw_read_number(&R);
    P->nhidden = rw_read_number(&R);
    P->noptions = rw_read_number(&R);
    P->lowest = rw_read_number(&R);
    P->highest = rw_read_number(&R);
    if (P->nfeatures < 1 || P->nfeatures > RW_MOST_FEATURES || P->nhidden < 0 || P->nhidden > RW_MOST_UNITS) return 0;
    const int64_t units = P->nhidden > 0 ? P->nhidden : 1, bias = units + (P->nhidden > 0);
    if (P->noptions < 0 || bias + P->nhidden + P->noptions + units * P->nfeatures != nweights) return 0;
    P->output = P->weights + bias;
    P->of_options = P->output + P->nhidden;
    P->of_features = P->of_options + P->noptions;
    for (int player = 0; player < RW_PLAYERS && !R.is_bad; player++) rw_read_parts(&R, P, player);
    for (int site = 0; P->noptions > 0 && site < RW_SITES && !R.is_bad; site++) rw_read_site(&R, P, site);
    if (P->noptions > 0 && P->noptions < RW_FREES) R.is_bad = 1;
    return !R.is_bad && R.at == nread;
}

/* A policy from its two arrays, which it copies. NULL if they do not fit, or there is no memory. */
static RwPolicy *rw_new_policy(const int32_t *read, int32_t nread, const double *weights, int32_t nweights) {
    if (nread < 3 || nweights < 1) return NULL;
    RwPolicy *P = calloc(1, sizeof *P);
    if (P == NULL) return NULL;
    P->read = malloc(sizeof(int32_t) * (size_t)nread);
    P->weights = malloc(sizeof(double) * (size_t)nweights);
    if (P->read != NULL && P->weights != NULL) {
        memcpy(P->read, read, sizeof(int32_t) * (size_t)nread);
        memcpy(P->weights, weights, sizeof(double) * (size_t)nweights);
        if (rw_fits_policy(P, nread, nweights)) P->features = malloc(sizeof(double) * (size_t)P->nfeatures);
    }
    if (P->features != NULL) return P;
    rw_free_policy(P);
    return NULL;
}

/* ---------------------------------------------------------------- features of a position */

/* How many pieces of each row a list shows. */
static void rw_count_rows(const State *S, int32_t list, const int32_t *rows, int32_t n, double *out) {
    for (int32_t i = 0; i < n; i++) out[i] = 0.0;
    for (int32_t piece = RW_FIRST(S, list); piece >= 0; piece = RW_NEXT(S, piece))
        for (int32_t i = 0, row = rw_row_of(S, piece); i < n; i++)
            if (rows[i] == row) out[i] += 1.0;
}

/* One part of a position, as a player sees it; gives where the next one goes. */
static double *rw_read_part(const State *S, int player, const int32_t *part, double *out) {
    const int32_t at = part[1], n = part[2], *values = part + 3;
    switch (part[0]) {
    case RW_NUMBER: *out++ = (double)(rw_number(S, at) - (num)values[0]) / (double)values[1]; break;
    case RW_SEAT:
        for (int step = 0; step < RW_PLAYERS; step++) *out++ = rw_number(S, at) == (player + step) % RW_PLAYERS ? 1.0 : 0.0;
        break;
    case RW_VALUE:
        for (int32_t i = 0; i < n; i++) *out++ = rw_number(S, at) == values[i] ? 1.0 : 0.0;
        break;
    case RW_FILLED: *out++ = rw_number(S, at) >= 0 ? 1.0 : 0.0; break;
    case RW_FULL_PART: *out++ = (double)S->count[at] / (double)values[0]; break;
    case RW_ROWS:
        rw_count_rows(S, at, values, n, out);
        out += n;
        break;
    default: {
        const int32_t row = rw_row_of(S, rw_number(S, at));
        for (int32_t i = 0; i < n; i++) *out++ = row == values[i] ? 1.0 : 0.0;
    }
    }
    return out;
}

static void rw_read_features(const RwPolicy *P, const State *S, const RwRank *keys, const num *margins, int player) {
    double *out = P->features;
    const int32_t *part = P->parts[player];
    int32_t left = *part++;
    for (int step = 0; step < RW_PLAYERS; step++) *out++ = (double)margins[(player + step) % RW_PLAYERS];
    for (int step = 0; step < RW_PLAYERS; step++) {
        const RwRank *own = &keys[(player + step) % RW_PLAYERS];
        *out++ = own->n > 0 ? (double)own->key[0] : 0.0;
    }
    for (int step = 0; step < RW_PLAYERS; step++) *out++ = !S->over && S->who == (player + step) % RW_PLAYERS ? 1.0 : 0.0;
    for (; left > 0; left--) {
        out = rw_read_part(S, player, part, out);
        part += 3 + part[2];
    }
}

/* ---------------------------------------------------------------- worth */

static double rw_within_one(double total) {
    return total > 1.0 ? 1.0 : total < -1.0 ? -1.0 : total;
}

/* The value of the position whose features were read last. */
static double rw_learnt_value(const RwPolicy *P) {
    double units[RW_MOST_UNITS];
    const int32_t n = P->nhidden > 0 ? P->nhidden : 1;
    memcpy(units, P->weights, sizeof(double) * (size_t)n);
    for (int32_t feature = 0; feature < P->nfeatures; feature++) {
        const double number = P->features[feature], *row = P->of_features + (ptrdiff_t)feature * n;
        if (number == 0.0) continue;
        for (int32_t unit = 0; unit < n; unit++) units[unit] += row[unit] * number;
    }
    if (P->nhidden == 0) return rw_within_one(units[0]);
    double total = P->weights[n];
    for (int32_t unit = 0; unit < n; unit++)
        if (units[unit] > 0.0) total += P->output[unit] * units[unit];
    return rw_within_one(total);
}

/* What an unfinished position is worth to each player; 0 if the ranking runs into a fault. */
static int rw_policy_worth(Ctx *C, const RwPolicy *P, State *S, double *worth) {
    RwRank keys[RW_PLAYERS];
    num margins[RW_PLAYERS];
    if (!rw_keys(C, S, keys)) return 0;
    rw_margins(keys, margins);
    for (int player = 0; player < RW_PLAYERS; player++) {
        rw_read_features(P, S, keys, margins, player);
        worth[player] = rw_learnt_value(P);
    }
    return 1;
}

/* ---------------------------------------------------------------- priors */

/* The weight of one value of an option. */
static double rw_weight_of_value(const RwPolicy *P, int player, const int32_t *of, int64_t value) {
    switch (of[2]) {
    case RW_BY_VALUE: return P->of_options[of[3] + value - of[0]];
    case RW_BY_PLAYER:
        if (value < 0 || value >= RW_PLAYERS) return 1.0;
        return P->of_options[of[3] + (value - player + RW_PLAYERS) % RW_PLAYERS];
    case RW_BY_PIECE:
        if (value < 0 || value >= RW_PIECES || RW_ROW[value + 1] < 0) return 1.0;
        return P->of_options[of[3] + RW_ROW[value + 1]];
    default: return 1.0;
    }
}

/* How likely an option is, beside others. */
static double rw_option_weight(const RwPolicy *P, const State *S, int32_t option) {
    if (option <= RW_FREE) return P->of_options[RW_FREE - option];
    const int32_t *at = P->sites[S->site];
    if (option < 0) return P->of_options[at[0]];
    int32_t branches = at[1];
    const int32_t *branch = at + 2, *next = branch;
    for (; branches > 0 && (next == at + 2 || next[0] <= option); branches--) {
        branch = next;
        next += 3 + 4 * next[2];
    }
    double product = P->of_options[branch[1]];
    int64_t rest = (int64_t)option - branch[0];
    for (int32_t digit = branch[2] - 1; digit >= 0; digit--) {
        const int32_t *of = branch + 3 + 4 * digit;
        product *= rw_weight_of_value(P, S->who, of, rest % of[1] + of[0]);
        rest /= of[1];
    }
    return product;
}

/* The priors of so many options of the pending decision. */
static void rw_priors(const RwPolicy *P, const State *S, const int32_t *options, int32_t n, double *priors) {
    double total = 0.0;
    for (int32_t i = 0; i < n; i++) {
        priors[i] = rw_option_weight(P, S, options[i]);
        total += priors[i];
    }
    const double equal = RW_SHARED_PRIOR / n;
    for (int32_t i = 0; i < n; i++) priors[i] = (1.0 - RW_SHARED_PRIOR) * priors[i] / total + equal;
}

#endif
