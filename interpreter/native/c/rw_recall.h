/* What a player may conclude from a decision of somebody else, made from the decision as it was: the facts of
 * runtime/questions.py (`Asked`, `Fell`), as stories (rw_tale.h) and walks (rw_facts.h) want them.
 *
 * A fact rests on the places in which the decider saw something that the player did not (hands.py). In a hand it matters
 * what is in it and not in which order: such a place is loose, unless a rule at work or a field names one of its pieces. */
#ifndef RW_RECALL_H
#define RW_RECALL_H

#include "rw_moments.h"

/* A closed place of a question: the pieces that lie there. Behind the places stand pieces that it speaks of in any case. */
typedef struct { int32_t place, n, is_loose, pieces[RW_PIECES + 1]; } RwHidden;

/* ---------------------------------------------------------------- closed places */

/* The first own number of a piece in a block, or -1 if it has none. */
static int32_t rw_own_number(const int32_t *block, int32_t piece) {
    return piece >= block[1] && piece < block[1] + block[2] ? block[0] + (piece - block[1]) * block[3] : -1;
}

/* Whether what belongs to two pieces is alike, and they lie the same way up (`_are_alike` of hands.py). */
static int rw_are_alike(const RwMemory *M, const State *S, int32_t one, int32_t other) {
    if (rw_lies_down(S, one) != rw_lies_down(S, other)) return 0;
    for (int32_t i = 0; i < M->blocks.n; i += 4) {
        const int32_t *block = M->blocks.pieces + i;
        const int32_t first = rw_own_number(block, one), second = rw_own_number(block, other);
        if ((first < 0) != (second < 0)) return 0;
        for (int32_t k = 0; first >= 0 && k < block[3]; k++)
            if (rw_number(S, first + k) != rw_number(S, second + k)) return 0;
    }
    return 1;
}

/* Whether something lies on a piece. */
static int rw_carries(const State *S, int32_t piece) {
#if RW_LOADS
    for (int32_t place = 0; place < RW_PLACES; place++)
        if (RW_CARRIER[place] == piece && rw_is_filled(S, place)) return 1;
#endif
    return 0;
}

/* The places of the unseen pieces, in the order of their first pieces; gives how many, or -1 if there is no memory. */
static int32_t rw_hidden_places(const RwMemory *M, RwMoment *one, const RwBits *unseen, RwHidden **found) {
    const State *S = one->state;
    const int32_t *names = rw_names_of(M, one);
    int32_t n = 0, number[RW_PLACES + 1];
    RwHidden *places = malloc(sizeof(RwHidden) * (size_t)(RW_PLACES + RW_MOST_DIGITS + 1));
    *found = places;
    if (names == NULL || places == NULL) return -1;
    const RwBits named = rw_named_in(S, names);
    for (int32_t place = 0; place < RW_PLACES; place++) number[place] = -1;
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        if (!rw_bit(unseen, piece)) continue;
        const int32_t place = (int32_t)RW_AT(S, piece);
        if (number[place] < 0) {
            number[place] = n++;
            places[number[place]].place = place;
            places[number[place]].n = 0;
            places[number[place]].is_loose = rw_has_no_order(place);
        }
        RwHidden *own = &places[number[place]];
        if (rw_bit(&named, piece) || rw_carries(S, piece) || (own->n && !rw_are_alike(M, S, piece, own->pieces[0])))
            own->is_loose = 0;
        own->pieces[own->n++] = piece;
    }
    return n;
}

/* Behind them the unseen pieces that a value was told of, one by one; gives how many. */
static int32_t rw_bound_places(const RwMemory *M, const RwMoment *one, const RwBits *unseen, RwHidden *places) {
    int32_t n = 0;
    if (one->telling < 0) return 0;
    const RwTelling *telling = &M->tellings[one->telling];
    for (int32_t i = 0; i < telling->n; i++) {
        const num piece = one->args[i];
        if (!telling->is_piece[i] || piece < 0 || piece >= RW_PIECES || !rw_bit(unseen, (int32_t)piece)) continue;
        places[n].place = (int32_t)RW_AT(one->state, piece);
        places[n].is_loose = 0;
        places[n].n = 1;
        places[n++].pieces[0] = (int32_t)piece;
    }
    return n;
}

/* What the question can find out about each piece: sorts of runtime/questions.py. */
static const int32_t *rw_sorts_of(const RwMemory *M, const RwMoment *one, const RwHidden *places, int32_t n) {
    if (one->telling >= 0) {
        const int32_t told = M->tellings[one->telling].sorts;
        return told < 0 ? M->tales[0]->row : M->sorts + (size_t)told * RW_PIECES;
    }
    const int32_t sorts = M->sorts_of[RW_TOP_FRAME(one->state)[0]];
    const RwAsking *site = &M->sites[one->state->site];
    int is_told_by_sort = one->is_fell || !site->binds_pieces || site->picks;
    if (!is_told_by_sort) {
        is_told_by_sort = 1;
        for (int32_t i = 0; i < n; i++) is_told_by_sort &= places[i].is_loose;
    }
    return sorts < 0 || !is_told_by_sort ? M->tales[0]->row : M->sorts + (size_t)sorts * RW_PIECES;
}

static int32_t rw_bit_length(int32_t number) {
    int32_t found = 0;
    for (; number; number >>= 1) found++;
    return found;
}

/* How many different sorts there may be. */
static int32_t rw_sorts_count(const int32_t *sorts) {
    int32_t most = -1;
    for (int32_t piece = 0; piece < RW_PIECES; piece++) most = sorts[piece] > most ? sorts[piece] : most;
    return most + 1;
}

/* Whether one of the pieces in a place can have something of its own, a field or what it carries. */
static int rw_has_owners_in(const RwMemory *M, const State *S, int32_t place) {
    for (int32_t piece = 0; M->has_owners && piece < RW_PIECES; piece++)
        if (M->is_owner[piece] && RW_AT(S, piece) == place) return 1;
    return 0;
}

/* Whether it may look at something that tells of a world (`may_look` of runtime/facts.py). Of the n places the last
 * `bound` are pieces that it speaks of. */
static int rw_may_look(const RwMemory *M, RwMoment *one, const RwHidden *places, int32_t n, int32_t bound,
                       const int32_t *sorts) {
    const State *S = one->state;
    const RwGroup *looks = one->telling < 0 ? &M->looks[RW_TOP_FRAME(S)[0]] : &M->tellings[one->telling].looks;
    const RwBits named = rw_named_in(S, one->names);
    const int32_t each = rw_sorts_count(sorts);
    if (bound && each > 1) return 1;
    for (int32_t i = 0; i < n - bound; i++) {
        if (!places[i].is_loose && each < 2) continue; /* it tells nothing */
        if (places[i].place >= RW_LISTS || looks->pieces == NULL) return 1;
        if (rw_has_owners_in(M, S, places[i].place)) return 1;
        for (int32_t k = 0; k < looks->n; k++)
            if (looks->pieces[k] == places[i].place) return 1;
    }
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        if (!rw_bit(&named, piece)) continue;
        for (int32_t i = 0; i < n - bound; i++)
            if ((places[i].is_loose || each > 1) && RW_AT(S, piece) == places[i].place) return 1;
    }
    return 0;
}

/* ---------------------------------------------------------------- for a story */

/* The pieces that the player cannot tell from those that were chosen (`alike`); gives how many. */
static int32_t rw_alike_to(const RwMemory *M, const State *S, const RwAsking *site, const RwBits *unseen,
                           const RwBranch *branch, const int32_t *values, int32_t *out) {
    uint8_t met[RW_PIECES + 1] = {0};
    int32_t n = 0;
    for (int32_t i = 0; i < branch->n; i++) {
        const int32_t piece = values[i];
        if (!branch->binders[i].is_piece || piece < 0 || piece >= RW_PIECES || !rw_bit(unseen, piece)) continue;
        const num place = RW_AT(S, piece);
        if (place < 0 || place >= RW_LISTS) continue;
        if (!RW_UNORDERED[place] && !rw_is_hidden_choice(site, S)) continue;
        if (!met[piece]) out[n++] = piece;
        met[piece] = 1;
        for (num other = RW_FIRST(S, place); other >= 0; other = RW_NEXT(S, other)) {
            if (met[other] || M->back[other] != M->back[piece]) continue;
            out[n++] = (int32_t)other;
            met[other] = 1;
        }
    }
    return n;
}

/* Keeps what was taken, as far as the player knows it (`takes`). 0 if there is no memory. */
static int rw_describe_taken(const RwMemory *M, RwEvent *E, const RwMoment *one, const RwAsking *site) {
    int32_t values[RW_MOST_BOUND], pieces = 0, alike[RW_PIECES + 1];
    const RwBranch *branch = rw_values_of(site, one->pick, values);
    if (branch != NULL) {
        for (int32_t i = 0; i < branch->n; i++) pieces += branch->binders[i].is_piece;
        E->n = rw_alike_to(M, one->state, site, &E->bits, branch, values, alike);
    }
    E->is_kept = !site->picks && !(one->pick == RW_PASS && site->is_silent) &&
                 (!rw_is_hidden_choice(site, one->state) || rw_is_only_pieces(site, branch, values));
    E->has_taken = E->is_kept && pieces > 0;
    E->pieces = malloc(sizeof(int32_t) * (size_t)(E->n + 1));
    E->chosen = malloc(sizeof(int32_t) * (size_t)(pieces + 1));
    if (E->pieces == NULL || E->chosen == NULL) return 0;
    memcpy(E->pieces, alike, sizeof(int32_t) * (size_t)E->n);
    for (int32_t i = 0; E->has_taken && i < branch->n; i++)
        if (branch->binders[i].is_piece && values[i] >= 0) E->chosen[E->nchosen++] = values[i];
    return 1;
}

/* The pieces of a pick of a set: what was taken, or answered itself. 0 if there is no memory. */
static int rw_describe_pick(RwEvent *E, const RwMoment *one, const RwAsking *site) {
    int32_t values[RW_MOST_BOUND];
    const RwBranch *branch = one->is_fell || one->is_taken ? rw_values_of(site, one->pick, values) : NULL;
    E->pick = one->pick;
    E->bound = malloc(sizeof(int32_t) * (RW_MOST_BOUND + 1));
    if (E->bound == NULL) return 0;
    for (int32_t i = 0; branch != NULL && i < branch->n; i++)
        if (branch->binders[i].is_piece && values[i] >= 0 && values[i] < RW_PIECES) E->bound[E->nbound++] = values[i];
    return 1;
}

/* All that a story wants to know of a decision: what rwx_tale_fact reads, and whether it is idle. 0 if there is no memory. */
static int rw_describe(RwMemory *M, RwEvent *E) {
    RwMoment *one = &M->moments[E->moment];
    const RwAsking *site = one->telling < 0 ? &M->sites[one->state->site] : NULL;
    rw_forget_fact(E);
    E->is_described = 1;
    E->is_asked = E->is_visible = E->is_kept = E->has_taken = 0;
    memset(&E->strict, 0, sizeof E->strict);
    E->is_idle = 0;
    E->is_fact = !one->npicked && !(site != NULL && one->is_fell && rw_is_hidden_question(site, one->state));
    if (E->picks && !rw_describe_pick(E, one, site)) return 0;
    if (!E->is_fact && (!E->picks || one->npicked)) return 1;
    RwHidden *places;
    int32_t n = rw_hidden_places(M, one, &E->bits, &places);
    const int32_t bound = n < 0 ? 0 : rw_bound_places(M, one, &E->bits, places + n);
    n += bound;
    E->hands = n < 0 ? NULL : calloc((size_t)n + 1, sizeof(RwBits));
    for (int32_t i = 0; E->hands != NULL && i < n; i++) {
        const RwBits mask = rw_bits_of(places[i].pieces, places[i].n);
        if (places[i].is_loose) E->hands[E->nhands++] = mask;
        else rw_add_bits(&E->strict, &mask);
    }
    if (E->hands != NULL) E->is_idle = (int8_t)!rw_may_look(M, one, places, n, bound, rw_sorts_of(M, one, places, n));
    free(places);
    if (E->hands == NULL) return 0;
    if (one->is_fell) return 1; /* what was told, too */
    E->is_asked = !E->picks;
    E->is_visible = (int8_t)!rw_is_hidden_question(site, one->state);
    return !one->is_taken || rw_describe_taken(M, E, one, site);
}

/* What a step wants to know of the decision that it begins with. 0 if there is no memory. */
static int rw_describe_step(const RwMemory *M, RwEvent *E) {
    RwMoment *one = &M->moments[E->moment];
    E->names = rw_names_of(M, one);
    E->asking = E->kind == RW_TALE_ASKED ? &M->sites[one->state->site] : NULL;
    E->opts = one->opts;
    E->nopts = one->nopts;
    return E->names != NULL;
}

/* ---------------------------------------------------------------- for a walk */

/* A value as it is worked out again. */
static int rw_recall_told(const RwMemory *M, RwMoment *one, RwPast *P) {
    const RwTelling *telling = &M->tellings[one->telling];
    P->kind = RW_FACT_TOLD;
    P->option = one->telling;
    P->value = one->value;
    P->ndigits = telling->n;
    for (int32_t i = 0; i < telling->n; i++)
        P->digits[i] = (RwDigit){.is_piece = telling->is_piece[i], .value = (int32_t)one->args[i]};
    P->state = one->state;
    P->told = rw_names_of(M, one);
    return P->told != NULL;
}

/* The decision as it is asked again: RwPast. 0 if an option binds too much. */
static int rw_recall_past(const RwMemory *M, const RwEvent *E, RwMoment *one, RwPast *P) {
    const State *S = one->state;
    if (one->telling >= 0) return rw_recall_told(M, one, P);
    const RwAsking *site = &M->sites[S->site];
    int32_t values[RW_MOST_BOUND];
    P->kind = one->is_fell ? RW_FACT_FELL : RW_FACT_ASKED;
    P->site = S->site;
    P->who = S->who;
    P->is_visible = E->is_visible;
    P->is_many = one->nopts > 1;
    P->is_taken = E->is_kept;
    P->option = E->is_kept ? one->pick : 0;
    P->has_pick = one->is_fell && one->pick >= 0;
    if (E->has_taken) {
        const RwBranch *branch = rw_values_of(site, one->pick, values);
        int64_t size = 1;
        if (branch->n > RW_MOST_DIGITS) return 0;
        P->first = branch->first;
        P->ndigits = branch->n;
        for (int32_t i = 0; i < branch->n; i++) {
            const RwBinder *from = &branch->binders[i];
            P->digits[i] = (RwDigit){from->low, from->count, from->is_piece, values[i]};
            size *= from->count;
        }
        P->size = size > INT32_MAX ? INT32_MAX : (int32_t)size;
    }
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        const num place = RW_AT(S, piece);
        const int is_ordered = place >= 0 && place < RW_LISTS && !RW_UNORDERED[place];
        P->spots[piece] = is_ordered ? 2 * piece + 1 : 2 * ((int32_t)place + 1);
    }
    P->state = S;
    P->told = rw_names_of(M, one);
    return P->told != NULL;
}

/* A set or payment as it is made again: whether anything of it is asked, or what has gone. 0 if that cannot be here. */
static int rw_recall_picks(const RwMemory *M, const RwEvent *E, RwMoment *one, const RwGone *gone, RwPast *P) {
    const RwAsking *site = &M->sites[E->site];
    if (!rw_recall_past(M, E, one, P)) return 0;
    P->kind = gone->kind;
    P->is_visible = gone->is_posed;
    P->has_pick = gone->picks_some;
    P->is_taken = P->ndigits = 0;
    if (gone->kind != RW_FACT_PICKED) return 1;
    if (site->nbranches != 1 || site->branches[0].n > RW_MOST_DIGITS) return 0;
    P->first = site->branches[0].first;
    P->ndigits = site->branches[0].n;
    for (int32_t i = 0; i < P->ndigits; i++) {
        const RwBinder *from = &site->branches[0].binders[i];
        P->digits[i] = (RwDigit){from->low, from->count, from->is_piece, -1};
    }
    return 1;
}

/* The numbers that a fact turns on: how many, then their offsets; NULL for none. */
static void rw_recall_numbers(RwFact *A, const int32_t *numbers) {
    A->nnumbers = numbers != NULL ? numbers[0] : 0;
    if (A->nnumbers) memcpy(A->past.offsets, numbers + 1, sizeof(int32_t) * (size_t)A->nnumbers);
}

/* What has gone together, as a walk asks it; NULL if that cannot be here. */
static RwFact *rw_recall_gone(const RwMemory *M, const RwEvent *E, const RwGone *gone, const int32_t *numbers) {
    RwFact *A = calloc(1, sizeof *A);
    int32_t nread = 0;
    if (A == NULL) return NULL;
    A->nwords = 1;
    A->nchosen = gone->n;
    A->chosen = malloc(sizeof(int32_t) * (size_t)(gone->n + 1));
    A->counted = malloc(sizeof(int32_t) * (size_t)(gone->nkeys + 1));
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        A->loose[piece] = -1;
        A->reads[piece] = (uint8_t)rw_bit(&E->bits, piece);
        nread += A->reads[piece];
    }
    rw_recall_numbers(A, numbers);
    A->nkey = nread + A->nchosen + A->nnumbers;
    if (A->chosen != NULL && A->counted != NULL && A->nkey > 0 && A->nkey <= RW_MOST_KEY &&
        rw_recall_picks(M, E, &M->moments[E->moment], gone, &A->past)) {
        memcpy(A->chosen, gone->taken, sizeof(int32_t) * (size_t)gone->n);
        for (int32_t i = 0; gone->kind == RW_FACT_PAID && i < gone->nkeys; i++)
            if (gone->keys[i] >= M->tales[0]->nrows) A->counted[A->ncounted++] = gone->keys[i];
        return A;
    }
    rwx_fact_free(A);
    return NULL;
}

/* The bits of a place in the sum of a question: for one count or one sort, and in all (`laid_out` of tallies.py). */
static int32_t rw_width_of(const RwHidden *own, int32_t each) {
    return rw_bit_length(own->is_loose ? own->n : each - 1);
}

/* Puts the shares of all places in the order of their positions. A->share says where those of a position begin. */
static void rw_fill_shares(RwFact *A, const RwHidden *places, int32_t n, int32_t each) {
    int32_t next[RW_PIECES + 1], first = 0;
    memcpy(next, A->share, sizeof next);
    for (int32_t i = 0; i < n; i++) {
        const RwHidden *own = &places[i];
        const int32_t width = rw_width_of(own, each);
        for (int32_t k = 0; k < own->n; k++) {
            const int32_t piece = own->pieces[k], begins = first + (own->is_loose ? 0 : k * width);
            A->shares[next[piece]++] = (RwShare){piece, own->is_loose, begins, width};
            A->reads[piece] = 1;
            if (own->is_loose) A->loose[piece] = own->place;
        }
        first += width * (own->is_loose ? each : own->n);
    }
}

/* How the sum of a question is made (runtime/tallies.py). 0 if it is too long or there is no memory. */
static int rw_recall_shares(RwFact *A, const RwHidden *places, int32_t n, const int32_t *sorts) {
    const int32_t each = rw_sorts_count(sorts);
    int64_t bits = 0;
    for (int32_t i = 0; i < n; i++) {
        bits += (int64_t)rw_width_of(&places[i], each) * (places[i].is_loose ? each : places[i].n);
        if (bits / 64 + 1 > RW_MOST_WORDS) return 0;
        for (int32_t k = 0; k < places[i].n; k++) A->share[places[i].pieces[k] + 1]++;
        A->nshares += places[i].n;
    }
    A->nwords = (int32_t)(bits / 64) + 1;
    A->shares = malloc(sizeof(RwShare) * (size_t)(A->nshares + 1));
    if (A->shares == NULL) return 0;
    for (int32_t piece = 0; piece <= RW_PIECES; piece++) A->share[piece + 1] += A->share[piece];
    rw_fill_shares(A, places, n, each);
    return 1;
}

/* A fact as a walk asks it, from an event that is described; NULL if that cannot be here. `posed`: of a set or payment that
 * begins, whether anything of it was asked; NULL for other facts. */
static RwFact *rw_recall(const RwMemory *M, const RwEvent *E, const RwGone *posed, const int32_t *numbers) {
    RwMoment *one = &M->moments[E->moment];
    RwFact *A = calloc(1, sizeof *A);
    RwHidden *places = NULL;
    int32_t n = A == NULL ? -1 : rw_hidden_places(M, one, &E->bits, &places);
    int is_made = 0;
    if (n >= 0) n += rw_bound_places(M, one, &E->bits, places + n);
    if (n >= 0 && E->nchosen <= 16) {
        const int32_t *sorts = rw_sorts_of(M, one, places, n);
        for (int32_t piece = 0; piece <= RW_PIECES; piece++) A->loose[piece] = -1;
        memcpy(A->sorts, sorts, sizeof(int32_t) * RW_PIECES);
        A->nchosen = E->nchosen;
        A->chosen = malloc(sizeof(int32_t) * (size_t)(E->nchosen + 1));
        is_made = A->chosen != NULL && rw_recall_shares(A, places, n, sorts) && (posed == NULL ? rw_recall_past(M, E, one, &A->past) : rw_recall_picks(M, E, one, posed, &A->past));
        if (is_made && E->nchosen) memcpy(A->chosen, E->chosen, sizeof(int32_t) * (size_t)E->nchosen);
        rw_recall_numbers(A, numbers);
        A->nkey = A->nwords + A->nchosen + A->nnumbers;
    }
    free(places);
    if (is_made) return A;
    if (A != NULL) rwx_fact_free(A);
    return NULL;
}

#endif
