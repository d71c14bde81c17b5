/* What players know, kept while a game is played: runtime/knowledge.py and runtime/mixes.py, event by event.
 *
 * Only in libraries that remember (RW_REMEMBERS), which are made for whole games of bots. Emitted code says what happens on
 * the table (rw_knows_…, declared in rw.h), as Python's emitted code does while somebody plays. Each player has mixes, and
 * a tale (rw_tale.h) to which whatever that player notices is added at once; Python hands over nothing.
 *
 * A decision that somebody else may conclude something from is kept whole (RwMoment). What only Python can keep (numbers
 * worked out from secrets, what is done together) makes the memory lost: the game is then Python's from its seed on. */
#ifndef RW_MEMORY_H
#define RW_MEMORY_H

#include "rw_glances.h"

enum { RW_PLACES = RW_LISTS + RW_SLOTS };

typedef struct {               /* pieces in a mix with others; the mixes of several */
    RwBits hidden;
    int32_t n;
    RwBits several[RW_PIECES / 2 + 1];
} RwMixes;

typedef struct {               /* a decision, or one that answered itself (is_fell) */
    State *state;
    int32_t nopts, pick; /* pick: what was taken, or what it answered */
    int32_t *names;      /* where names of pieces stand in it, once somebody has asked (rw_recall.h) */
    int8_t is_fell, is_taken, has_picked;
} RwMoment;

typedef struct { int32_t low, count, is_spot, is_piece; } RwBinder; /* a value of an option; is_spot: a position */
typedef struct { int32_t first, n; const RwBinder *binders; } RwBranch;
typedef struct {
    int32_t is_several, is_silent, is_secret, binds_pieces, nbranches; /* is_several: a set or a payment, pick by pick */
    RwBranch *branches;
} RwAsking;
enum { RW_MOST_BOUND = 64 }; /* values of an option */

typedef struct RwMemory {
    RwMixes mixes[RW_PLAYERS];
    RwTale *tales[RW_PLAYERS];
    uint8_t asked[RW_PLAYERS]; /* the last decision is an event of the tale */
    int8_t is_lost;            /* Python has to play this game */
    uint8_t is_top_open[RW_PLACES + 1], is_bag[RW_PLACES + 1], can_hide[RW_PIECES + 1];
    int32_t back[RW_PIECES + 1];
    RwBits copies[RW_PIECES + 1]; /* of each piece those that are equal to it, itself too */
    uint32_t lit[RW_PIECES + 1];  /* who watches a piece that was revealed since the last decision */
    int8_t any_lit;
    int32_t npicked, picked[RW_PIECES + 1]; /* what a set or payment had when it was asked for last */
    int32_t nmoments, room;
    RwMoment *moments;
    RwAsking sites[RW_SITES + 1];
    RwBinder *binders;
    RwGroup fields;               /* pairs: runs of f that name pieces, from the first to behind the last */
    int32_t names_room;           /* numbers in which all names of a state find room */
    RwGroup naming[RW_SEGMENTS];  /* of each segment pairs: a cell of its frame that names pieces, the room of a set or 0 */
    int32_t sorts_of[RW_SEGMENTS], *sorts; /* of each asking segment its sorts, or -1 (compile/sorts.py); all of them */
    RwGroup looks[RW_SEGMENTS];   /* places that a segment may look into; no list at all: any (compile/looks.py) */
} RwMemory;

/* ---------------------------------------------------------------- mixes */

static RwBits rw_one_bit(int32_t piece) {
    RwBits found;
    memset(&found, 0, sizeof found);
    rw_set_bit(&found, piece);
    return found;
}

static RwBits rw_bits_of(const int32_t *pieces, int32_t n) {
    RwBits found;
    memset(&found, 0, sizeof found);
    for (int32_t i = 0; i < n; i++) rw_set_bit(&found, pieces[i]);
    return found;
}

static int32_t rw_lowest_bit(const RwBits *set) {
    for (int i = 0; i < RW_PIECE_WORDS; i++)
        if (set->of[i]) return 64 * i + (int32_t)rw_lowest(set->of[i]);
    return -1;
}

static RwBits rw_mix_of(const RwMixes *X, int32_t piece) {
    if (rw_bit(&X->hidden, piece))
        for (int32_t i = 0; i < X->n; i++)
            if (rw_bit(&X->several[i], piece)) return X->several[i];
    return rw_one_bit(piece);
}

/* One of the hidden pieces becomes known. */
static void rw_mix_without(RwMixes *X, int32_t piece) {
    const RwBits own = rw_one_bit(piece);
    int32_t kept = 0;
    rw_drop_bits(&X->hidden, &own);
    for (int32_t i = 0; i < X->n; i++) {
        RwBits mix = X->several[i];
        if (rw_bit(&mix, piece)) {
            rw_drop_bits(&mix, &own);
            if (rw_few_bits(&mix) < 2) { /* the last one that is left is known, too */
                rw_drop_bits(&X->hidden, &mix);
                continue;
            }
        }
        X->several[kept++] = mix;
    }
    X->n = kept;
}

/* The mixes of all these pieces become one. */
static void rw_mix_joined(RwMixes *X, const RwBits *pieces) {
    RwBits whole = *pieces;
    int32_t touched = 0, kept = 0;
    for (int32_t i = 0; i < X->n; i++)
        if (rw_bits_meet(&X->several[i], pieces)) {
            rw_add_bits(&whole, &X->several[i]);
            touched++;
        }
    if (rw_few_bits(&whole) < 2) return;                                      /* a single piece that is known */
    if (touched == 1 && !rw_bits_beyond(pieces, &X->hidden)) return;          /* one mix already */
    for (int32_t i = 0; i < X->n; i++)
        if (!rw_bits_meet(&X->several[i], pieces)) X->several[kept++] = X->several[i];
    X->several[kept++] = whole;
    X->n = kept;
    rw_add_bits(&X->hidden, &whole);
}

/* ---------------------------------------------------------------- what a tale is told */

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

/* Whether the option that was taken last is this piece, or one of a set with it (`was_chosen` of runtime/trail.py). */
static int rw_was_chosen(const RwMemory *M, const State *S, int32_t piece) {
    for (int32_t i = 0; i < M->npicked; i++)
        if (M->picked[i] == piece) return 1;
    if (S->site < 0 || S->site >= RW_SITES) return 0;
    int32_t values[RW_MOST_BOUND];
    const RwBranch *branch = rw_values_of(&M->sites[S->site], S->pick, values);
    for (int32_t i = 0; branch != NULL && i < branch->n; i++)
        if (values[i] == piece && !branch->binders[i].is_spot) return 1;
    return 0;
}

static RwEvent *rw_tale_event(RwMemory *M, int player, int kind) {
    RwEvent *E = rw_more_events(M->tales[player]);
    if (E == NULL) {
        M->is_lost = 1;
        return NULL;
    }
    memset(E, 0, sizeof *E);
    E->kind = (int8_t)kind;
    E->is_idle = E->moment = -1;
    M->tales[player]->n++;
    return E;
}

/* The player is about to lose track of which of these pieces is at which of their positions (`_mix_on_trail`). */
static void rw_tell_mixed(RwMemory *M, const State *S, int player, const int32_t *pieces, int32_t n, int by_chance) {
    const RwMixes *X = &M->mixes[player];
    int32_t touched = 0, is_whole = 1;
    if (n < 2) return;
    RwEvent *E = rw_tale_event(M, player, RW_TALE_MIXED);
    if (E == NULL) return;
    E->pieces = malloc(sizeof(int32_t) * (size_t)n);
    if (E->pieces == NULL) {
        M->is_lost = 1;
        M->tales[player]->n--;
        return;
    }
    memcpy(E->pieces, pieces, sizeof(int32_t) * (size_t)n);
    E->n = n;
    E->bits = rw_bits_of(pieces, n);
    for (int32_t i = 0; i < X->n; i++)
        if (rw_bits_meet(&X->several[i], &E->bits)) {
            touched++;
            is_whole &= !rw_bits_beyond(&X->several[i], &E->bits);
        }
    E->is_closed = (int8_t)(by_chance && is_whole);
    E->is_cut = (int8_t)(!is_whole && (touched > 1 || rw_bits_beyond(&E->bits, &X->hidden)));
    E->was_chosen = (int8_t)(!by_chance && rw_was_chosen(M, S, pieces[0]));
}

/* The piece becomes a mix of its own. `note`: the tale is told in any case. */
static void rw_single_out(RwMemory *M, int player, int32_t piece, int note) {
    const int is_new = rw_bit(&M->mixes[player].hidden, piece);
    if (note || is_new) {
        RwEvent *E = rw_tale_event(M, player, RW_TALE_SEEN);
        if (E != NULL) E->piece = piece;
    }
    if (is_new) rw_mix_without(&M->mixes[player], piece);
}

/* The mixes of these pieces become one for each back, in the order in which the backs come. */
static void rw_join_by_back(RwMemory *M, const State *S, int player, const int32_t *pieces, int32_t n, int by_chance) {
    uint8_t done[RW_PIECES + 1] = {0};
    int32_t same[RW_PIECES + 1];
    for (int32_t first = 0; first < n; first++) {
        int32_t count = 0;
        if (done[first]) continue;
        for (int32_t i = first; i < n; i++)
            if (!done[i] && M->back[pieces[i]] == M->back[pieces[first]]) {
                same[count++] = pieces[i];
                done[i] = 1;
            }
        rw_tell_mixed(M, S, player, same, count, by_chance);
        const RwBits mask = rw_bits_of(same, count);
        rw_mix_joined(&M->mixes[player], &mask);
    }
}

/* Joins the mix of a piece with those that may have an equal copy at one of the positions of `others`. */
static void rw_join_equal(RwMemory *M, int player, int32_t piece, const RwBits *others, int even_if_known) {
    RwMixes *X = &M->mixes[player];
    if (!rw_has_bits(others) || (!even_if_known && !rw_bit(&X->hidden, piece))) return;
    const RwBits own = rw_mix_of(X, piece);
    if (!rw_bits_beyond(others, &own)) return; /* one mix already */
    RwBits joined = *others;
    rw_keep_bits(&joined, &M->copies[piece]);
    rw_drop_bits(&joined, &X->hidden);
    rw_add_bits(&joined, &own);
    for (int32_t i = 0; i < X->n; i++)
        if (rw_bits_meet(&X->several[i], others) && rw_bits_meet(&X->several[i], &M->copies[piece]))
            rw_add_bits(&joined, &X->several[i]);
    if (!rw_same_bits(&joined, &own)) rw_mix_joined(X, &joined);
}

/* ---------------------------------------------------------------- what is seen */

static int rw_has_no_order(num place) { return place >= 0 && place < RW_LISTS && RW_UNORDERED[place]; }

/* The pieces of a place, in its order. */
static int32_t rw_contents(const State *S, num place, int32_t *out) {
    int32_t n = 0;
    if (place >= RW_LISTS) {
        const num piece = rw_slot(S, place - RW_LISTS);
        if (piece >= 0) out[n++] = (int32_t)piece;
        return n;
    }
    for (num piece = RW_FIRST(S, place); piece >= 0; piece = RW_NEXT(S, piece)) out[n++] = (int32_t)piece;
    return n;
}

/* The players who see the piece lying in that place, as a bit mask. */
static uint32_t rw_shown_at(const RwMemory *M, const State *S, num piece, num place) {
    if (place < 0 || rw_lies_down(S, piece)) return 0;
    if (M->is_top_open[place]) return RW_FIRST(S, place) == piece ? UINT32_MAX : 0;
    return RW_SEES[place];
}

static int rw_sees(num place, int player) { return (int)(RW_SEES[place] >> player & 1); }

/* The pieces of a place whose faces the player does not see. */
static int32_t rw_unseen_there(const State *S, num place, int player, int32_t *out) {
    const int32_t n = rw_contents(S, place, out);
    int32_t kept = 0;
    if (!rw_sees(place, player)) return n;
    for (int32_t i = 0; i < n; i++)
        if (rw_lies_down(S, out[i])) out[kept++] = out[i];
    return kept;
}

/* All see the top card of a `top open` pile. */
static void rw_show_top(RwMemory *M, const State *S, num place) {
    if (place < 0 || !M->is_top_open[place]) return;
    const num top = RW_FIRST(S, place);
    if (top < 0 || rw_lies_down(S, top)) return;
    for (int player = 0; player < RW_PLAYERS; player++)
        if (rw_bit(&M->mixes[player].hidden, (int32_t)top)) rw_single_out(M, player, (int32_t)top, 0);
}

static int rw_is_in(const int32_t *pieces, int32_t n, int32_t piece) {
    for (int32_t i = 0; i < n; i++)
        if (pieces[i] == piece) return 1;
    return 0;
}

/* A player sees pieces that stay where they are; in an unordered place an equal copy not shown may be meant. */
static void rw_see_inside(RwMemory *M, const State *S, int player, const int32_t *shown, int32_t n, num place) {
    if (place >= 0 && rw_has_no_order(place)) {
        int32_t there[RW_PIECES + 1], both[2 * RW_PIECES + 2], others = 0;
        const int32_t count = rw_unseen_there(S, place, player, there);
        for (int32_t i = 0; i < count; i++)
            if (!rw_is_in(shown, n, there[i])) there[others++] = there[i];
        if (others && n) {
            memcpy(both, shown, sizeof(int32_t) * (size_t)n);
            memcpy(both + n, there, sizeof(int32_t) * (size_t)others);
            rw_tell_mixed(M, S, player, both, n + others, 0);
        }
        const RwBits beside = rw_bits_of(there, others);
        for (int32_t i = 0; i < n; i++) rw_join_equal(M, player, shown[i], &beside, 0);
    }
    for (int32_t i = 0; i < n; i++) rw_single_out(M, player, shown[i], 1);
}

/* A player who sees a place looks at all that lies face up in it. */
static void rw_see_contents(RwMemory *M, const State *S, int player, num place) {
    int32_t there[RW_PIECES + 1], n = 0;
    const int32_t count = rw_contents(S, place, there);
    for (int32_t i = 0; i < count; i++)
        if (!rw_lies_down(S, there[i])) there[n++] = there[i];
    rw_see_inside(M, S, player, there, n, place);
}

/* What is put into a bag cannot be told from what lies there, but by those who see it. */
static void rw_join_bag(RwMemory *M, const State *S, num place) {
    int32_t there[RW_PIECES + 1];
    if (place < 0 || !M->is_bag[place]) return;
    for (int player = 0; player < RW_PLAYERS; player++)
        rw_join_by_back(M, S, player, there, rw_unseen_there(S, place, player, there), 1);
}

/* ---------------------------------------------------------------- moves */

/* What lies where a piece has left: `others` all of it; `alike` the piece with those that look like it from behind. */
typedef struct { int32_t n, alike[RW_PIECES + 2]; RwBits others, mask; } RwBeside;

static void rw_beside(const RwMemory *M, int32_t piece, const int32_t *there, int32_t n, RwBeside *found) {
    found->n = 1;
    found->alike[0] = piece;
    for (int32_t i = 0; i < n; i++)
        if (M->back[there[i]] == M->back[piece]) found->alike[found->n++] = there[i];
    found->others = rw_bits_of(there, n);
    found->mask = rw_bits_of(found->alike, found->n);
}

/* A player sees a piece outside that came from a place among others not seen there. */
static void rw_see_leaving(RwMemory *M, const State *S, int player, int32_t piece, num source, const RwBeside *beside) {
    if (rw_has_no_order(source)) {
        rw_tell_mixed(M, S, player, beside->alike, beside->n, M->is_bag[source]);
        rw_join_equal(M, player, piece, &beside->others, 0);
    } else {
        rw_join_equal(M, player, piece, &beside->others, 1);
        const RwBits mix = rw_mix_of(&M->mixes[player], piece);
        if (rw_bits_meet(&mix, &beside->others)) {
            /* It may have left a gap at several positions, so whatever lay between them may have moved up. */
            int32_t there[RW_PIECES + 2], n = 1;
            const int32_t count = rw_contents(S, source, there + 1);
            there[0] = piece;
            for (int32_t i = 1; i <= count; i++)
                if (rw_bit(&beside->others, there[i])) there[n++] = there[i];
            rw_join_by_back(M, S, player, there, n, 0);
        }
    }
    rw_single_out(M, player, piece, 1);
}

/* What players learn of a piece that has left a place where others lie. */
static void rw_left_among_others(RwMemory *M, const State *S, int32_t piece, num source, uint32_t seen_there,
                                 int was_down) {
    RwBeside beside, faces_down;
    int has_beside = 0, has_down = 0;
    int32_t there[RW_PIECES + 1];
    for (int player = 0; player < RW_PLAYERS; player++) {
        const int is_seen = (int)(seen_there >> player & 1), sees = rw_sees(source, player);
        const RwBeside *own;
        if (sees && !was_down) {
            if (is_seen && rw_bit(&M->mixes[player].hidden, piece)) rw_single_out(M, player, piece, 0);
            continue;
        }
        if (sees) { /* the same for all who see the place */
            if (!has_down) rw_beside(M, piece, there, rw_unseen_there(S, source, player, there), &faces_down);
            has_down = 1;
            own = &faces_down;
        } else {
            if (!has_beside) rw_beside(M, piece, there, rw_contents(S, source, there), &beside);
            has_beside = 1;
            own = &beside;
        }
        if (is_seen) {
            rw_see_leaving(M, S, player, piece, source, own);
        } else {
            rw_tell_mixed(M, S, player, own->alike, own->n, M->is_bag[source]);
            rw_mix_joined(&M->mixes[player], &own->mask);
        }
    }
}

/* One piece has gone from source to target (place numbers, or -1 for the box): `moved` of runtime/knowledge.py. */
static void rw_learn_move(RwMemory *M, const State *S, num piece, num source, num target, int by_position, int was_down,
                          uint32_t watched) {
    const uint32_t seen_there = rw_shown_at(M, S, piece, target) | watched;
    int is_empty = 1;
    if (source >= 0) is_empty = source >= RW_LISTS ? rw_slot(S, source - RW_LISTS) < 0 : S->count[source] == 0;
    if (by_position || source < 0 || is_empty) {
        for (int player = 0; player < RW_PLAYERS; player++)
            if ((seen_there >> player & 1) && rw_bit(&M->mixes[player].hidden, (int32_t)piece))
                rw_single_out(M, player, (int32_t)piece, 0);
    } else {
        rw_left_among_others(M, S, (int32_t)piece, source, seen_there, was_down);
    }
    rw_join_bag(M, S, target);
    rw_show_top(M, S, source);
}

static void rw_forget_lit(RwMemory *M, const elt *pieces, int32_t n) {
    for (int32_t i = 0; M->any_lit && i < n; i++) M->lit[pieces[i]] = 0;
}

/* What lies in these places came there as a whole (swapped, or passed on from seat to seat). */
static void rw_came_whole(RwMemory *M, const State *S, num place) {
    for (int player = 0; player < RW_PLAYERS; player++)
        if (rw_sees(place, player)) rw_see_contents(M, S, player, place);
    rw_join_bag(M, S, place);
    rw_show_top(M, S, place);
}

static void rw_learn_shuffle(RwMemory *M, const State *S, num place) {
    int32_t there[RW_PIECES + 1];
    for (int player = 0; player < RW_PLAYERS; player++) {
        if (rw_sees(place, player)) rw_see_contents(M, S, player, place);
        rw_join_by_back(M, S, player, there, rw_unseen_there(S, place, player, there), 1);
    }
    rw_show_top(M, S, place);
}

static void rw_tell_lucky(RwMemory *M, int32_t piece) {
    for (int player = 0; player < RW_PLAYERS; player++) {
        RwEvent *E = rw_tale_event(M, player, RW_TALE_LUCKY);
        if (E != NULL) E->piece = piece;
    }
}

/* ---------------------------------------------------------------- what emitted code tells */

static void rw_knows_move(Ctx *C, State *S, num piece, num source, num target, int by_position, int was_down) {
    RwMemory *M = C->memory;
    if (M != NULL)
        rw_learn_move(M, S, piece, source, target, by_position, was_down, M->any_lit ? M->lit[piece] : 0);
}

static void rw_knows_deal(Ctx *C, State *S, Set pieces, num source, num target) {
    for (int32_t i = 0; C->memory != NULL && i < pieces.n; i++)
        rw_knows_move(C, S, pieces.v[i], source, target, 1, 0);
}

static void rw_knows_shuffle(Ctx *C, State *S, num place) {
    int32_t there[RW_PIECES + 1];
    if (C->memory == NULL) return;
    rw_forget_lit(C->memory, there, rw_contents(S, place, there));
    rw_learn_shuffle(C->memory, S, place);
}

/* Shuffles as rw_shuffle_into does; what is known follows each piece on its way. */
static void rw_knows_shuffle_into(Ctx *C, State *S, num source, num target) {
    elt pieces[RW_PIECES + 1];
    const int32_t n = rw_listed(S, source, pieces);
    for (int32_t i = 0; i < n; i++) {
        rw_put_front(S, pieces[i], target);
        if (C->memory != NULL) rw_learn_move(C->memory, S, pieces[i], source, target, 1, 0, 0);
    }
    if (!rw_has_no_order(target)) rw_shuffle(S, target);
    rw_knows_shuffle(C, S, target);
}

static void rw_knows_swap(Ctx *C, State *S, num one, num other) {
    if (C->memory == NULL || one == other) return;
    const num first = RW_AT(S, other), second = RW_AT(S, one);
    rw_learn_move(C->memory, S, one, first, second, !rw_has_no_order(first), 0, 0);
    rw_learn_move(C->memory, S, other, second, first, !rw_has_no_order(second), 0, 0);
}

static void rw_knows_places(Ctx *C, State *S, num one, num other, int size) {
    for (int i = 0; C->memory != NULL && i < size; i++) {
        rw_came_whole(C->memory, S, one + i);
        rw_came_whole(C->memory, S, other + i);
    }
}

static void rw_knows_passed(Ctx *C, State *S, num base, int size) {
    for (int i = 0; C->memory != NULL && i < size; i++) rw_came_whole(C->memory, S, base + i);
}

static void rw_knows_flip(Ctx *C, State *S, num piece) {
    RwMemory *M = C->memory;
    if (M == NULL) return;
    const num place = RW_AT(S, piece);
    const uint32_t seen = rw_shown_at(M, S, piece, place);
    const int32_t shown = (int32_t)piece;
    for (int player = 0; player < RW_PLAYERS; player++)
        if (seen >> player & 1) rw_see_inside(M, S, player, &shown, 1, place);
}

static void rw_knows_draw(Ctx *C, State *S, num place, Set drawn) {
    int32_t there[RW_PIECES + 1];
    if (C->memory == NULL || drawn.n == 0) return;
    rw_forget_lit(C->memory, there, rw_contents(S, place, there));
    for (int32_t i = 0; i < drawn.n; i++) rw_tell_lucky(C->memory, drawn.v[i]);
}

/* One of these pieces was picked at random; those from the box nobody can tell apart any more. */
static void rw_knows_pick(Ctx *C, State *S, Set items, num picked) {
    int32_t boxed[RW_PIECES + 1], n = 0;
    RwMemory *M = C->memory;
    if (M == NULL || picked < 0) return;
    rw_forget_lit(M, items.v, items.n);
    for (int32_t i = 0; i < items.n; i++)
        if (RW_AT(S, items.v[i]) == -1 && M->can_hide[items.v[i]]) boxed[n++] = items.v[i];
    for (int player = 0; player < RW_PLAYERS; player++) rw_join_by_back(M, S, player, boxed, n, 1);
    rw_tell_lucky(M, (int32_t)picked);
}

/* `to`: a player, or -1 for all. Pieces of one place are shown together: equal copies are seen to be several. */
static void rw_knows_reveal(Ctx *C, State *S, Set pieces, num to) {
    uint8_t done[RW_PIECES + 1] = {0};
    int32_t shown[RW_PIECES + 1];
    RwMemory *M = C->memory;
    for (int32_t first = 0; M != NULL && first < pieces.n; first++) {
        const num place = RW_AT(S, pieces.v[first]);
        int32_t n = 0;
        if (done[first]) continue;
        for (int32_t i = first; i < pieces.n; i++)
            if (!done[i] && RW_AT(S, pieces.v[i]) == place) {
                shown[n++] = pieces.v[i];
                done[i] = 1;
            }
        for (int player = 0; player < RW_PLAYERS; player++)
            if (to < 0 || to == player) rw_see_inside(M, S, player, shown, n, place);
    }
    for (int32_t i = 0; M != NULL && i < pieces.n; i++) {
        M->lit[pieces.v[i]] |= to < 0 ? RW_EVERYBODY : 1u << to;
        M->any_lit = 1;
    }
}

/* Something happens that only Python can keep. */
static void rw_knows_no_more(Ctx *C) {
    if (C->memory != NULL) C->memory->is_lost = 1;
}

/* ---------------------------------------------------------------- decisions */

/* The pieces in play that the player does not see where they lie, but the decider does (`unseen_places`, hands.py). */
static RwBits rw_unseen_of(const RwMemory *M, const State *S, int player, num decider) {
    RwBits found;
    memset(&found, 0, sizeof found);
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        const num place = RW_AT(S, piece);
        if (place < 0 || (rw_sees(place, player) && !rw_lies_down(S, piece))) continue;
        if (!rw_sees(place, (int)decider)) continue;
        if (M->is_top_open[place] && RW_FIRST(S, place) == piece) continue;
        rw_set_bit(&found, piece);
    }
    return found;
}

static void rw_forget_moment(RwMoment *one) {
    free(one->state);
    free(one->names);
    one->state = NULL;
    one->names = NULL;
}

/* Keeps the decision that is pending, or answers itself; gives its number, or -1 if there is no memory. */
static int32_t rw_keep_moment(RwMemory *M, const State *S, int is_fell, int32_t pick, int has_picked) {
    if (M->nmoments == M->room) {
        const int32_t room = M->room ? 2 * M->room : 64;
        RwMoment *grown = realloc(M->moments, sizeof(RwMoment) * (size_t)room);
        if (grown == NULL) return -1;
        M->moments = grown;
        M->room = room;
    }
    RwMoment *one = &M->moments[M->nmoments];
    memset(one, 0, sizeof *one);
    one->is_fell = (int8_t)is_fell;
    one->has_picked = (int8_t)has_picked;
    one->pick = pick;
    one->nopts = is_fell ? 0 : S->nopts;
    one->state = malloc(sizeof(State));
    if (one->state == NULL) return -1;
    rw_copy(one->state, S);
    return M->nmoments++;
}

/* A decision is an event for each player who does not see all that it may turn on. */
static void rw_tell_decision(RwMemory *M, const State *S, int is_fell, int32_t pick, int has_picked) {
    const RwAsking *site = &M->sites[S->site];
    int32_t moment = -1;
    if (S->together) M->is_lost = 1;
    for (int player = 0; player < RW_PLAYERS && !M->is_lost; player++) {
        if (!is_fell) M->asked[player] = 0;
        if (player == S->who) continue;
        const RwBits unseen = rw_unseen_of(M, S, player, S->who);
        if (!rw_has_bits(&unseen)) continue;
        /* Of a set that nobody sees being picked, whether it is a fact at all is for Python to say. */
        if (site->is_several && site->is_silent) M->is_lost = 1;
        if (moment < 0) moment = rw_keep_moment(M, S, is_fell, pick, has_picked);
        RwEvent *E = rw_tale_event(M, player, is_fell ? RW_TALE_FELL : RW_TALE_ASKED);
        if (moment < 0 || E == NULL) {
            M->is_lost = 1;
            return;
        }
        E->is_set = (int8_t)site->is_several;
        E->bits = unseen;
        E->moment = moment;
        if (!is_fell) M->asked[player] = 1;
    }
}

/* Nobody was asked, which tells the other players something too (`not_asked` of runtime/flow.py). */
static void rw_knows_unasked(Ctx *C, State *S, int site, num who, int has_picked, int32_t pick) {
    if (C->memory == NULL) return;
    S->site = site;
    S->who = (int32_t)who;
    rw_tell_decision(C->memory, S, 1, pick, has_picked);
}

/* What a set or a payment has so far, when its next pick is asked for. */
static void rw_knows_picked(Ctx *C, Set picked) {
    RwMemory *M = C->memory;
    if (M == NULL) return;
    if (picked.n > RW_PIECES) { /* units of counters may be more than there are pieces */
        M->is_lost = 1;
        return;
    }
    M->npicked = picked.n;
    if (picked.n) memcpy(M->picked, picked.v, sizeof(int32_t) * (size_t)picked.n);
}

/* A decision is pending, also one that answers itself at once. */
static void rw_tell_asked(RwMemory *M, const State *S) {
    if (!M->sites[S->site].is_several) M->npicked = 0; /* picks of an earlier set do not belong to this decision */
    rw_tell_decision(M, S, 0, 0, M->npicked > 0);
}

/* The last decision that was posed is answered so. */
static void rw_tell_took(RwMemory *M, int32_t option) {
    for (int player = 0; player < RW_PLAYERS; player++) {
        if (!M->asked[player]) continue;
        RwTale *T = M->tales[player];
        const int32_t asked = rw_tale_asked(T, T->n);
        M->moments[T->events[asked].moment].pick = option;
        M->moments[T->events[asked].moment].is_taken = 1;
        rw_forget_fact(&T->events[asked]);
        rw_tale_event(M, player, RW_TALE_TOOK);
    }
}

/* As rw_run, with whatever players notice on the way. */
static int rw_run_and_remember(Ctx *C, State *S, RwMemory *M) {
    rw_begin(C);
    C->memory = M;
    S->steps = 0;
    int signal = RW_GO;
    while (signal == RW_GO && !M->is_lost) {
        C->optop = C->ustop = 0;
        signal = rw_segment(C, S, RW_PLAYOUT, RW_TOP_FRAME(S));
        if (signal == RW_STOP && !S->over) {
            int done;
            const int32_t first = S->nopts > 0 ? C->opts[S->opts] : 0;
            if (S->depth > RW_FRAME_LIMIT) signal = RW_FAULT;
            rw_tell_asked(M, S);
            if (signal == RW_FAULT || rw_answers_itself(C, S, &done) != RW_GO) {
                signal = RW_FAULT;
            } else if (done) {
                rw_tell_took(M, first);
                RW_CHARGE(RW_COPIED);
                S->steps += RW_COPIED;
                signal = RW_GO;
            } else {
                signal = rw_pending(C, S);
            }
        } else if (signal == RW_ENDED) {
            signal = RW_STOP;
        }
        if (signal == RW_GO && rw_spend(C, S, RW_STEP, -1) != RW_GO) signal = RW_FAULT;
    }
    C->memory = NULL;
    return signal;
}

/* ---------------------------------------------------------------- making one */

static void rw_forget_game(RwMemory *M) {
    for (int player = 0; player < RW_PLAYERS; player++) {
        rw_tale_cut(M->tales[player], 0);
        memset(&M->mixes[player], 0, sizeof M->mixes[player]);
    }
    for (int32_t i = 0; i < M->nmoments; i++) rw_forget_moment(&M->moments[i]);
    memset(M->asked, 0, sizeof M->asked);
    memset(M->lit, 0, sizeof M->lit);
    M->nmoments = M->npicked = 0;
    M->is_lost = M->any_lit = 0;
}

static void rw_memory_done(RwMemory *M) {
    if (M == NULL) return;
    for (int32_t i = 0; i < M->nmoments; i++) rw_forget_moment(&M->moments[i]);
    for (int player = 0; player < RW_PLAYERS; player++) rwx_tale_free(M->tales[player]);
    for (int32_t site = 0; site < RW_SITES; site++) free(M->sites[site].branches);
    for (int32_t segment = 0; segment < RW_SEGMENTS; segment++) {
        free(M->naming[segment].pieces);
        free(M->looks[segment].pieces);
    }
    free(M->sorts);
    free(M->fields.pieces);
    free(M->binders);
    free(M->moments);
    free(M);
}

/* Of each site: whether it is picked one by one, whether nobody sees it, and its branches with what they bind. */
static void rw_read_asking(RwReading *R, RwMemory *M) {
    const int32_t most = R->left;
    RwBinder *next = M->binders = calloc((size_t)most + 1, sizeof(RwBinder));
    if (next == NULL) R->is_wrong = 1;
    for (int32_t number = 0; !R->is_wrong && number < RW_SITES; number++) {
        RwAsking *site = &M->sites[number];
        site->is_several = rw_told_next(R, 0, 1);
        site->is_silent = rw_told_next(R, 0, 1);
        site->is_secret = rw_told_next(R, 0, 1);
        site->nbranches = rw_told_next(R, 0, R->left);
        site->branches = calloc((size_t)site->nbranches + 1, sizeof(RwBranch));
        if (site->branches == NULL) R->is_wrong = 1;
        for (int32_t i = 0; !R->is_wrong && i < site->nbranches; i++) {
            RwBranch *branch = &site->branches[i];
            branch->first = rw_told_next(R, 0, INT32_MAX);
            branch->n = rw_told_next(R, 0, R->left / 4 < RW_MOST_BOUND ? R->left / 4 : RW_MOST_BOUND);
            branch->binders = next;
            for (int32_t k = 0; k < branch->n; k++, next++) {
                next->low = rw_told_next(R, INT32_MIN, INT32_MAX);
                next->count = rw_told_next(R, 1, INT32_MAX);
                next->is_spot = rw_told_next(R, 0, 1);
                next->is_piece = rw_told_next(R, 0, 1);
                site->binds_pieces |= next->is_piece;
            }
        }
    }
}

/* Of each segment which sorts it has, or -1, then all sorts; of each the places that it may look into, or -1 for any. */
static void rw_read_looks(RwReading *R, RwMemory *M) {
    const int32_t count = rw_told_next(R, 0, R->left);
    for (int32_t segment = 0; segment < RW_SEGMENTS; segment++) M->sorts_of[segment] = rw_told_next(R, -1, count - 1);
    if ((int64_t)count * RW_PIECES > R->left) R->is_wrong = 1;
    else M->sorts = rw_told_many(R, count * RW_PIECES, 0, 1 << 24);
    for (int32_t segment = 0; !R->is_wrong && segment < RW_SEGMENTS; segment++)
        if (rw_told_next(R, 0, 1)) M->looks[segment] = rw_told_group(R, R->left, 0, RW_PLACES - 1);
}

/* `told`: of each place whether its top is open and whether it is a bag; of each piece its back and whether it can be
 * hidden; the rows and kinds of all pieces; the sites; where names stand; what
 * questions can find out. NULL if there is no memory, or something is out of range. */
static RwMemory *rw_memory(const int32_t *told, int32_t n) {
    RwReading R = {told, n, 0};
    RwMemory *M = calloc(1, sizeof *M);
    if (M == NULL) return NULL;
    for (int32_t place = 0; place < RW_PLACES; place++) {
        M->is_top_open[place] = (uint8_t)rw_told_next(&R, 0, 1);
        M->is_bag[place] = (uint8_t)rw_told_next(&R, 0, 1);
    }
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        M->back[piece] = rw_told_next(&R, 0, INT32_MAX);
        M->can_hide[piece] = (uint8_t)rw_told_next(&R, 0, 1);
    }
    for (int player = 0; player < RW_PLAYERS && !R.is_wrong; player++) {
        M->tales[player] = R.left >= 2 * RW_PIECES ? rwx_tale(R.at, 2 * RW_PIECES) : NULL;
        R.is_wrong = M->tales[player] == NULL;
    }
    for (int32_t i = 0; i < 2 * RW_PIECES; i++) rw_told_next(&R, 0, INT32_MAX);
    for (int32_t piece = 0; piece < RW_PIECES && !R.is_wrong; piece++)
        for (int32_t other = 0; other < RW_PIECES; other++)
            if (M->tales[0]->row[other] == M->tales[0]->row[piece]) rw_set_bit(&M->copies[piece], other);
    rw_read_asking(&R, M);
    M->fields = rw_told_group(&R, R.left, 0, RW_FIELDS);
    for (int32_t segment = 0; segment < RW_SEGMENTS; segment++)
        M->naming[segment] = rw_told_group(&R, R.left, 0, RW_STACK);
    rw_read_looks(&R, M);
    M->names_room = M->fields.n + RW_STACK + 3;
    if (R.is_wrong || R.left) {
        rw_memory_done(M);
        return NULL;
    }
    return M;
}

#endif
