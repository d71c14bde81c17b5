/* What players notice when pieces lie, move, are shuffled and shown: `moved`, `shuffled`, `revealed` and the others of
 * runtime/knowledge.py, in their order. Emitted code calls the functions at the end, in the game that is played and nowhere
 * else: while somebody looks ahead there is no memory in the context. */
#ifndef RW_NOTICES_H
#define RW_NOTICES_H

#include "rw_memory.h"

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

/* A player sees all that lies in an unordered place: which of the pieces was there first is not seen (`_look_at_whole`). */
static void rw_look_at_whole(RwMemory *M, const State *S, int player, const int32_t *shown, int32_t n) {
    uint8_t done[RW_PIECES + 1] = {0};
    int32_t same[RW_PIECES + 1];
    for (int32_t first = 0; first < n; first++) {
        int32_t count = 0;
        for (int32_t i = first; i < n; i++)
            if (!done[i] && rw_bit(&M->mixes[player].hidden, shown[i]) && M->back[shown[i]] == M->back[shown[first]]) {
                same[count++] = shown[i];
                done[i] = 1;
            }
        rw_tell_mixed(M, S, player, same, count, RW_MIXED_BY_LOOK);
    }
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
            rw_tell_mixed(M, S, player, both, n + others, RW_MIXED_BY_MOVE);
        } else if (n > 1) {
            rw_look_at_whole(M, S, player, shown, n);
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

/* What lies where a piece has left: `others` all of it; `alike` the piece with those that look like it from behind. It may
 * have come back to where it lay: `pick c in p.hand at random`, `move c to p.hand`. */
typedef struct { int32_t n, alike[RW_PIECES + 2]; RwBits others, mask; } RwBeside;

static void rw_beside(const RwMemory *M, int32_t piece, const int32_t *there, int32_t n, RwBeside *found) {
    int32_t others[RW_PIECES + 1], left = 0;
    for (int32_t i = 0; i < n; i++)
        if (there[i] != piece) others[left++] = there[i];
    found->n = 1;
    found->alike[0] = piece;
    for (int32_t i = 0; i < left; i++)
        if (M->back[others[i]] == M->back[piece]) found->alike[found->n++] = others[i];
    found->others = rw_bits_of(others, left);
    found->mask = rw_bits_of(found->alike, found->n);
}

/* A player sees a piece outside that came from a place among others not seen there. */
static void rw_see_leaving(RwMemory *M, const State *S, int player, int32_t piece, num source, const RwBeside *beside) {
    if (rw_has_no_order(source)) {
        rw_tell_mixed(M, S, player, beside->alike, beside->n, M->is_bag[source] ? RW_MIXED_BY_CHANCE : RW_MIXED_BY_MOVE);
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

/* A player sees that those pieces stay which were just revealed: in `left` there is what lies beside without them
 * (`_see_staying`). Says whether there are any. */
static int rw_see_staying(RwMemory *M, int player, int32_t piece, const RwBeside *beside, RwBeside *left) {
    int32_t others[RW_PIECES + 1], n = 0;
    for (int32_t i = 1; i < beside->n; i++)
        if (!(M->lit[beside->alike[i]] >> player & 1)) others[n++] = beside->alike[i];
    if (n + 1 == beside->n) return 0;
    for (int32_t i = 1; i < beside->n; i++)
        if (M->lit[beside->alike[i]] >> player & 1) rw_single_out(M, player, beside->alike[i], 1);
    rw_beside(M, piece, others, n, left);
    return 1;
}

/* What players learn of a piece that has left a place where others lie. A card that somebody watches is not the one that
 * goes unseen. */
static void rw_left_among_others(RwMemory *M, const State *S, int32_t piece, num source, uint32_t seen_there,
                                 int was_down, int is_lit) {
    RwBeside beside, faces_down, left;
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
            if (is_lit && rw_see_staying(M, player, piece, own, &left)) own = &left;
            rw_tell_mixed(M, S, player, own->alike, own->n, M->is_bag[source] ? RW_MIXED_BY_CHANCE : RW_MIXED_BY_MOVE);
            rw_mix_joined(&M->mixes[player], &own->mask);
        }
    }
}

/* One piece has gone from source to target (place numbers, or -1 for the box): `moved` of runtime/knowledge.py.
 * `is_lit`: those who watch a card that was just revealed see it go, or stay. */
static void rw_learn_move(RwMemory *M, const State *S, num piece, num source, num target, int by_position, int was_down,
                          int is_lit) {
    if (source == target && rw_has_no_order(source)) return; /* it is put back where it lay: nothing has gone, nor come */
    const uint32_t seen_there = rw_shown_at(M, S, piece, target) | (is_lit ? M->lit[piece] : 0);
    int is_empty = 1;
    if (source >= 0) is_empty = source >= RW_LISTS ? rw_slot(S, source - RW_LISTS) < 0 : S->count[source] == 0;
    if (by_position || source < 0 || is_empty) {
        for (int player = 0; player < RW_PLAYERS; player++)
            if ((seen_there >> player & 1) && rw_bit(&M->mixes[player].hidden, (int32_t)piece))
                rw_single_out(M, player, (int32_t)piece, 0);
    } else {
        rw_left_among_others(M, S, (int32_t)piece, source, seen_there, was_down, is_lit);
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

/* Chance fell so: an event of its own inside a `together`, and where steps may have to be run again (`_noting` of
 * chances.py). */
static void rw_tell_chance(RwMemory *M, const State *S, RwFallKind what, const int32_t *outcome, int32_t n) {
    M->ticks += S->together != 0 || M->works_out;
    for (int player = 0; M->works_out && player < RW_PLAYERS; player++) {
        RwEvent *E = rw_tale_event(M, player, RW_TALE_CHANCE);
        int32_t *kept = malloc(sizeof(int32_t) * (size_t)(n + 1));
        if (E == NULL || kept == NULL) {
            free(kept);
            rw_lose(M, RW_LOST_ROOM);
            return;
        }
        if (n) memcpy(kept, outcome, sizeof(int32_t) * (size_t)n);
        E->what = (int8_t)what;
        E->pieces = kept;
        E->n = n;
    }
}

/* `there`: what lay beside the piece; NULL if it goes at once. */
static void rw_tell_lucky(RwMemory *M, int32_t piece, const RwBits *there) {
    M->ticks++;
    for (int player = 0; player < RW_PLAYERS; player++) {
        RwEvent *E = rw_tale_event(M, player, RW_TALE_LUCKY);
        if (E == NULL) continue;
        E->piece = piece;
        if (there != NULL) E->bits = *there;
        else memset(&E->bits, 0xff, sizeof E->bits);
    }
}

/* ---------------------------------------------------------------- what emitted code tells */

static void rw_knows_move(Ctx *C, State *S, num piece, num source, num target, int by_position, int was_down) {
    RwMemory *M = C->memory;
    const int32_t come = (int32_t)piece;
    /* What a piece carries has another number in a world in which that piece has another name. */
    const num known = source < 0 || RW_CARRIER[source] >= 0 ? -1 : source;
    if (C->rerun != NULL) {
        rw_note_came(C->rerun, S, &come, 1, known, target, C->rerun->lit[come]);
        rw_note_uncovered(C->rerun, S, source);
    }
    if (M != NULL)
        rw_learn_move(M, S, piece, source, target, by_position, was_down, M->any_lit);
}

static void rw_knows_deal(Ctx *C, State *S, Set pieces, num source, num target) {
    for (int32_t i = 0; (C->memory != NULL || C->rerun != NULL) && i < pieces.n; i++)
        rw_knows_move(C, S, pieces.v[i], source, target, 1, 0);
}

static void rw_knows_shuffle(Ctx *C, State *S, num place) {
    int32_t there[RW_PIECES + 1];
    if (C->again != NULL) C->again->is_astray = 1;
    if (C->rerun != NULL) {
        rw_shuffle_as_scripted(C->rerun, S, place);
        rw_lose_sight(C->rerun, there, rw_contents(S, place, there));
    }
    if (C->memory == NULL) return;
    rw_forget_lit(C->memory, there, rw_contents(S, place, there));
    rw_learn_shuffle(C->memory, S, place);
    rw_tell_chance(C->memory, S, RW_FALL_SHUFFLE, there, rw_contents(S, place, there));
}

/* A piece has gone to a position of this place that only `knower` knows, or nobody (-1): knowledge.lost_order. */
static void rw_knows_spot(Ctx *C, State *S, num place, num knower) {
    int32_t there[RW_PIECES + 1];
    if (C->rerun != NULL) rw_lose_sight(C->rerun, there, rw_contents(S, place, there));
    if (C->memory == NULL) return;
    rw_forget_lit(C->memory, there, rw_contents(S, place, there));
    for (int player = 0; player < RW_PLAYERS; player++)
        if (player != knower)
            rw_join_by_back(C->memory, S, player, there, rw_unseen_there(S, place, player, there), 1);
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
    const int32_t come[2] = {(int32_t)one, (int32_t)other};
    for (int i = 0; C->rerun != NULL && one != other && i < 2; i++)
        rw_note_came(C->rerun, S, &come[i], 1, -1, RW_AT(S, come[i]), 0);
    if (C->memory == NULL || one == other) return;
    const num first = RW_AT(S, other), second = RW_AT(S, one);
    rw_learn_move(C->memory, S, one, first, second, !rw_has_no_order(first), 0, 0);
    rw_learn_move(C->memory, S, other, second, first, !rw_has_no_order(second), 0, 0);
}

/* What lies in this place has come there as a whole. */
static void rw_note_whole(Ctx *C, const State *S, num place) {
    int32_t there[RW_PIECES + 1];
    if (C->rerun != NULL) rw_note_came(C->rerun, S, there, rw_contents(S, place, there), -1, place, 0);
}

static void rw_knows_places(Ctx *C, State *S, num one, num other, int size) {
    for (int i = 0; i < size; i++) {
        rw_note_whole(C, S, one + i);
        rw_note_whole(C, S, other + i);
    }
    for (int i = 0; C->memory != NULL && i < size; i++) {
        rw_came_whole(C->memory, S, one + i);
        rw_came_whole(C->memory, S, other + i);
    }
}

static void rw_knows_passed(Ctx *C, State *S, num base, int size) {
    for (int i = 0; i < size; i++) rw_note_whole(C, S, base + i);
    for (int i = 0; C->memory != NULL && i < size; i++) rw_came_whole(C->memory, S, base + i);
}

static void rw_knows_flip(Ctx *C, State *S, num piece) {
    RwMemory *M = C->memory;
    const num place = RW_AT(S, piece);
    const int32_t shown = (int32_t)piece;
    if (C->rerun != NULL) rw_note_came(C->rerun, S, &shown, 1, -1, place, 0);
    if (M == NULL) return;
    const uint32_t seen = rw_shown_at(M, S, piece, place);
    for (int player = 0; player < RW_PLAYERS; player++)
        if (seen >> player & 1) rw_see_inside(M, S, player, &shown, 1, place);
}

static void rw_knows_draw(Ctx *C, State *S, num place, Set drawn) {
    int32_t there[RW_PIECES + 1];
    if (C->again != NULL && drawn.n) C->again->is_astray = 1;
    if (C->rerun != NULL) {
        rw_draw_as_scripted(C->rerun, S, place, drawn);
        rw_lose_sight(C->rerun, there, rw_contents(S, place, there));
    }
    if (C->memory == NULL || drawn.n == 0) return;
    rw_forget_lit(C->memory, there, rw_contents(S, place, there));
    for (int32_t i = 0; i < drawn.n; i++) rw_tell_lucky(C->memory, drawn.v[i], NULL);
    rw_tell_chance(C->memory, S, RW_FALL_DRAW, drawn.v, drawn.n);
}

/* One of these pieces was picked at random; those from the box nobody can tell apart any more. */
static num rw_knows_pick(Ctx *C, State *S, Set items, num picked) {
    int32_t boxed[RW_PIECES + 1], n = 0;
    const int32_t piece = (int32_t)picked;
    RwMemory *M = C->memory;
    if (C->again != NULL && picked >= 0) C->again->is_astray = 1;
    if (C->rerun != NULL) {
        rw_lose_sight(C->rerun, items.v, items.n);
        return rw_pick_as_scripted(C->rerun, items, picked, 0);
    }
    if (M == NULL || picked < 0) return picked;
    rw_forget_lit(M, items.v, items.n);
    for (int32_t i = 0; i < items.n; i++)
        if (RW_AT(S, items.v[i]) == -1 && M->can_hide[items.v[i]]) boxed[n++] = items.v[i];
    for (int player = 0; player < RW_PLAYERS; player++) rw_join_by_back(M, S, player, boxed, n, 1);
    RwBits beside = {{0}};
    n = RW_AT(S, piece) == -1 ? 0 : rw_contents(S, RW_AT(S, piece), boxed);
    for (int32_t i = 0; i < n; i++) rw_set_bit(&beside, boxed[i]);
    rw_tell_lucky(M, piece, n ? &beside : NULL);
    rw_tell_chance(M, S, RW_FALL_PICK, &piece, 1);
    return picked;
}

/* `to`: a player, or -1 for all. Pieces of one place are shown together: equal copies are seen to be several. */
static void rw_knows_reveal(Ctx *C, State *S, Set pieces, num to) {
    uint8_t done[RW_PIECES + 1] = {0};
    int32_t shown[RW_PIECES + 1];
    RwMemory *M = C->memory;
    if (C->rerun != NULL && (to < 0 || to == C->rerun->player)) rw_note_revealed(C->rerun, pieces);
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

/* ---------------------------------------------------------------- numbers */

/* The values that could have been chosen in place of this one, at the decision that was answered last (`_beside`). */
static int32_t rw_offered_beside(const RwMemory *M, int32_t value, int32_t *out, int32_t most) {
    const RwOffer *offer = &M->offer;
    const RwAsking *site = &M->sites[offer->site];
    int32_t values[RW_MOST_BOUND], n = 0, at = 0;
    const RwBranch *taken = rw_values_of(site, offer->option, values);
    if (!offer->is_hidden || taken == NULL) return 0;
    while (at < taken->n && values[at] != value) at++;
    if (at == taken->n) return 0;
    for (int32_t i = 0; i < offer->n; i++) {
        if (rw_values_of(site, offer->options[i], values) != taken || rw_is_in(out, n, values[at])) continue;
        if (n == most) return -1;
        out[n++] = values[at];
    }
    return n;
}

/* What a number that has just been written may be, if it was chosen unseen or picked by chance (`offers` of unseen.py), and
 * who chose it. 0 if it was neither, -1 if it may be too much. */
static int32_t rw_might_be(const RwMemory *M, int32_t value, int32_t *out, int32_t most, int32_t *who) {
    const RwLot *lot = NULL;
    const int64_t oldest = M->ticks - RW_MOST_LOTS;
    *who = -1;
    for (int32_t i = 0; i < M->nlots; i++)
        if (M->lots[i].value == value && M->lots[i].n > 0 && (lot == NULL || M->lots[i].at > lot->at)) lot = &M->lots[i];
    const int64_t last = M->fell_at > M->took_at ? M->fell_at : M->took_at;
    if (lot != NULL && lot->at > last && lot->at > oldest) {
        if (lot->n > most) return -1;
        memcpy(out, lot->values, sizeof(int32_t) * (size_t)lot->n);
        return lot->n;
    }
    if (M->took_at == 0 || last != M->took_at || last <= oldest) return 0;
    *who = M->offer.who;
    return rw_offered_beside(M, value, out, most);
}

/* A number has got a value: those who do not see it know what it may be. */
static void rw_tell_number(RwMemory *M, const State *S, int32_t number, const int32_t *values, int32_t n, int32_t who,
                           int is_guessed, int is_rolled) {
    M->ticks++;
    M->shown[number] = 0;
    for (int player = 0; player < RW_PLAYERS; player++) {
        if (!rw_has_number(&M->tales[player]->hidden, number)) continue;
        RwEvent *E = rw_tale_event(M, player, RW_TALE_WROTE);
        if (E == NULL) return;
        E->number = number;
        E->value = (int32_t)rw_number(S, M->tales[player]->numbers[number].offset);
        E->pick = n ? who : -1;
        E->is_guessed = (int8_t)is_guessed;
        E->is_rolled = (int8_t)is_rolled;
        E->pieces = malloc(sizeof(int32_t) * (size_t)(n + 1));
        if (E->pieces == NULL) {
            rw_lose(M, RW_LOST_ROOM);
            return;
        }
        E->n = n;
        if (n) memcpy(E->pieces, values, sizeof(int32_t) * (size_t)n);
    }
}

/* `is_unseen`: not everybody may know it. `is_chosen`: it is what the only choice or pick of the rule gave. */
static void rw_knows_wrote(Ctx *C, State *S, num first, int is_unseen, int size, int is_chosen) {
    RwMemory *M = C->memory;
    int32_t values[RW_MOST_VALUES], who = -1;
    for (num offset = first; M != NULL && offset < first + size; offset++) {
        const int32_t number = M->number_of[offset];
        if (number < 0) continue;
        const int32_t n = is_chosen ? rw_might_be(M, (int32_t)rw_number(S, offset), values, RW_MOST_VALUES, &who) : 0;
        const int is_guessed = n == 0 && is_unseen;
        if (n < 0) rw_lose(M, RW_LOST_ROOM);
        else if (is_guessed && !M->works_out) rw_lose(M, RW_LOST_WORKED_OUT);
        else rw_tell_number(M, S, number, values, n, who, is_guessed, 0);
    }
}

static void rw_knows_rolled(Ctx *C, State *S, num first, int count, num low, num high) {
    RwMemory *M = C->memory;
    int32_t faces[RW_MOST_VALUES], n = 0;
    if (C->rerun != NULL) rw_roll_as_scripted(C->rerun, S, first, count, low, high);
    if (M == NULL) return;
    for (num face = low; face <= high && n < RW_MOST_VALUES; face++) faces[n++] = (int32_t)face;
    for (num offset = first; offset < first + count; offset++) {
        if (M->number_of[offset] < 0) continue;
        if (high - low >= RW_MOST_VALUES) rw_lose(M, RW_LOST_ROOM);
        rw_tell_number(M, S, M->number_of[offset], faces, n, -1, 0, 1);
    }
    int32_t rolled[RW_MOST_VALUES + 1] = {(int32_t)first};
    if (count > RW_MOST_VALUES) rw_lose(M, RW_LOST_ROOM);
    for (int i = 0; i < count && i < RW_MOST_VALUES; i++) rolled[1 + i] = (int32_t)rw_number(S, first + i);
    rw_tell_chance(M, S, RW_FALL_ROLL, rolled, 1 + (count < RW_MOST_VALUES ? count : RW_MOST_VALUES));
}

/* `to`: a player, or -1 for all. */
static void rw_knows_shown(Ctx *C, State *S, num offset, num to) {
    RwMemory *M = C->memory;
    if (C->rerun != NULL && (to < 0 || to == C->rerun->player))
        rw_note_few(C->rerun, RW_NOTED_SHOWN, offset, rw_number(S, offset), 0);
    if (M == NULL) return;
    const int32_t number = M->number_of[offset];
    M->ticks++;
    if (number < 0) return;
    const uint32_t mask = to < 0 ? RW_EVERYBODY : 1u << to;
    M->shown[number] |= mask;
    for (int player = 0; player < RW_PLAYERS; player++) {
        if (!(mask >> player & 1) || !rw_has_number(&M->tales[player]->hidden, number)) continue;
        RwEvent *E = rw_tale_event(M, player, RW_TALE_SHOWN);
        if (E != NULL) E->number = number;
    }
}

/* A number was picked by chance: kept where steps may have to be run again. */
static void rw_tell_lot(RwMemory *M, const State *S, Set items, num picked, int varies) {
    rw_tell_chance(M, S, RW_FALL_PICK, items.v, items.n);
    for (int player = 0; M->works_out && !M->is_lost && player < RW_PLAYERS; player++) {
        RwEvent *E = &M->tales[player]->events[M->tales[player]->n - 1];
        E->is_lot = 1;
        E->value = (int32_t)picked;
        E->varies = (int8_t)varies;
    }
}

/* Somebody may write down a number that was picked. */
static void rw_keep_lot(RwMemory *M, Set items, num picked) {
    if (M->tales[0]->nnumbers == 0) return;
    if (M->nlots == RW_MOST_LOTS) {
        free(M->lots[0].values);
        memmove(M->lots, M->lots + 1, sizeof(RwLot) * (size_t)--M->nlots);
    }
    RwLot *lot = &M->lots[M->nlots++];
    *lot = (RwLot){M->ticks, (int32_t)picked, items.n, malloc(sizeof(int32_t) * (size_t)(items.n + 1))};
    if (lot->values == NULL) {
        lot->n = 0;
        rw_lose(M, RW_LOST_ROOM);
    } else {
        memcpy(lot->values, items.v, sizeof(int32_t) * (size_t)items.n);
    }
}

/* Chance has picked one of these; no pieces that may lie unseen. */
static num rw_knows_lot(Ctx *C, State *S, Set items, num picked, int varies) {
    RwMemory *M = C->memory;
    if (C->again != NULL) C->again->is_astray = 1;
    if (C->rerun != NULL) return rw_pick_as_scripted(C->rerun, items, picked, varies);
    if (M == NULL) return picked;
    M->ticks++;
    rw_keep_lot(M, items, picked);
    rw_tell_lot(M, S, items, picked, varies);
    return picked;
}

/* Which of the pieces of a place are moved or shown next, the rules say from something unseen. */
static void rw_knows_settled(Ctx *C, State *S, num place) {
    int32_t there[RW_PIECES + 1];
    RwMemory *M = C->memory;
    if (M == NULL) return;
    if (!M->works_out) rw_lose(M, RW_LOST_WORKED_OUT);
    M->ticks++;
    const int32_t n = rw_contents(S, place, there);
    for (int player = 0; M->works_out && player < RW_PLAYERS; player++) {
        RwEvent *E = rw_tale_event(M, player, RW_TALE_SETTLED);
        if (E != NULL) E->bits = rw_bits_of(there, n);
    }
}

/* A block begins (+1) or ends (-1) that nobody sees into. Worlds choose anew from before the outermost one what a player
 * has not seen in it. */
static void rw_knows_together(Ctx *C, State *S, int change) {
    RwMemory *M = C->memory;
    if (C->again != NULL && change > 0) C->again->is_astray = 1;
    if (C->rerun != NULL && change > 0 && S->together == 0) rw_come_to_block(C, S);
    if (M == NULL) return;
    if (S->together + change == 0) M->has_apart = 0;
    if (S->together || change < 0) return;
    if (M->apart == NULL) M->apart = malloc(sizeof(State));
    if (M->apart == NULL) {
        rw_lose(M, RW_LOST_ROOM);
        return;
    }
    rw_copy(M->apart, S);
    memcpy(M->apart_mixes, M->mixes, sizeof M->mixes);
    for (int player = 0; player < RW_PLAYERS; player++) M->apart_n[player] = M->tales[player]->n;
    M->has_apart = 1;
    M->nblock = 0;
}

/* Something happens that only Python can keep. */
static void rw_knows_no_more(Ctx *C, int why) {
    if (C->again != NULL) C->again->is_astray = 1;
    if (C->memory != NULL) rw_lose(C->memory, why);
}

#endif
