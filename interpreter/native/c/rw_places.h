/* Frames, chance, and pieces in places.
 *
 * A list of pieces is a chain through `after` and `before`, with its first, its last and its number by place. Taking a
 * piece out of a list costs the same wherever it lies, and a state has room for the pieces it has, not for every list
 * at its fullest. Places from RW_LISTS on are slots, which come first of the numbers. */
#ifndef RW_PLACES_H
#define RW_PLACES_H

#include "rw_masks.h"

/* ---- frames ---- */

/* A new top frame with all slots 0; NULL if the stack has no room. */
static inline int32_t *rw_push_frame(Ctx *C, State *S, int segment, int size) {
    if (S->top + 1 + size > RW_STACK) {
        rw_fault(C, RW_TOO_LARGE, S->depth, -1);
        return NULL;
    }
    int32_t *F = S->k + S->top + 1;
    F[-1] = S->frame;
    S->frame = S->top + 1;
    S->top += 1 + size;
    S->depth++;
    F[0] = segment;
    memset(F + 1, 0, sizeof(int32_t) * (size_t)(size - 1));
    return F;
}

static inline void rw_pop_frame(State *S) {
    S->top = S->frame - 1;
    S->frame = S->k[S->top];
    S->depth--;
}

/* True if the segment that comes next may be run at once, and counts it: the machine need not be asked for it. Random
 * games have segments left (C->left, which falls below 0 in the end). Whoever goes on to the next choice counts a step for
 * each, as the machine does; where that is beyond the limit, the machine shall say so. All other loops look at the game
 * between two segments. */
static inline int rw_runs_on(Ctx *C, State *S) {
    if (--C->left >= 0) return 1;
    if (!C->is_going_on || S->steps + RW_STEP > RW_STEP_LIMIT) return 0;
    RW_CHARGE(RW_STEP);
    S->steps += RW_STEP;
    return 1;
}

/* ---- chance: PCG32, the same numbers as runtime/chance.py ---- */

#define RW_MULTIPLIER 6364136223846793005ULL
#define RW_INCREMENT 1442695040888963407ULL

static inline uint64_t rw_seeded(uint64_t seed) {
    return (RW_INCREMENT + seed) * RW_MULTIPLIER + RW_INCREMENT;
}

/* A number below `count`, each equally likely: numbers below the threshold, 2^32 modulo `count`, would favour small
 * results, and are drawn again. A number that is not below `count` is not below the threshold either, which saves
 * a division in nearly every case. */
static inline num rw_below_of(uint64_t *state, num count) {
    uint32_t faces = (uint32_t)count;
    for (;;) {
        uint64_t now = *state;
        uint32_t shifted = (uint32_t)(((now >> 18) ^ now) >> 27), turn = (uint32_t)(now >> 59);
        *state = now * RW_MULTIPLIER + RW_INCREMENT;
        uint32_t number = (shifted >> turn) | (shifted << (-turn & 31));
        if (number >= faces || number >= (uint32_t)(-faces) % faces) return number % faces;
    }
}

static inline num rw_below(State *S, num count) { return rw_below_of(&S->g, count); }

static inline void rw_roll(State *S, num first, int count, num low, num high) {
    for (int i = 0; i < count; i++) rw_set_number(S, RW_DICE + first + i, low + rw_below(S, high - low + 1));
}

#define RW_TURN(choice) ((choice) * RW_MULTIPLIER + RW_INCREMENT)

/* The next choice of a playout, a number below n. One number of the generator serves several choices. */
static inline int32_t rw_next_choice(Ctx *C, int32_t n) {
    if (C->bits < 0x10000) {
        C->choice = RW_TURN(C->choice);
        C->bits = C->choice >> 16;
    }
    const uint64_t bits = C->bits;
    C->bits = bits / (uint64_t)n;
    return (int32_t)(bits - C->bits * (uint64_t)n);
}

/* The same for a question that draws one of n options without writing them all down. A single one is no choice. */
static inline int32_t rw_drawn_option(Ctx *C, int32_t n) {
    C->drawn = 1;
    return n == 1 ? 0 : rw_next_choice(C, n);
}

/* ---- pieces in places ---- */

/* A store into a slot. Where slots are indexed it is emitted, since what knows them is written out there. */
#if !RW_MASKS && !RW_SUMS
static inline void rw_write_slot(State *S, num at, num value) { rw_set_slot(S, at, value); }
#else
static void rw_write_slot(State *S, num at, num value);
#endif

static inline void rw_take_out(State *S, num piece) {
    num place = RW_AT(S, piece);
    if (place >= RW_LISTS) {
        rw_write_slot(S, place - RW_LISTS, -1);
    } else if (place >= 0) {
        const num before = RW_PREVIOUS(S, piece), after = RW_NEXT(S, piece);
        if (before >= 0) S->next[before] = RW_LINKED(after);
        else S->first[place] = RW_LINKED(after);
        if (after >= 0) S->previous[after] = RW_LINKED(before);
        else S->last[place] = RW_LINKED(before);
        S->count[place]--;
    }
}

/* Puts a piece that lies nowhere behind another one of the list; -1: at the front. */
static inline void rw_link(State *S, num piece, num place, num before) {
    num after = before >= 0 ? RW_NEXT(S, before) : RW_FIRST(S, place);
    S->previous[piece] = RW_LINKED(before);
    S->next[piece] = RW_LINKED(after);
    if (before >= 0) S->next[before] = RW_LINKED(piece);
    else S->first[place] = RW_LINKED(piece);
    if (after >= 0) S->previous[after] = RW_LINKED(piece);
    else S->last[place] = RW_LINKED(piece);
    S->count[place]++;
    rw_lay_at(S, piece, place);
}

static inline num rw_put_front(State *S, num piece, num place) {
    num source = RW_AT(S, piece);
    rw_take_out(S, piece);
    rw_link(S, piece, place, -1);
    return source;
}

static inline num rw_put_back(State *S, num piece, num place) {
    num source = RW_AT(S, piece);
    rw_take_out(S, piece);
    rw_link(S, piece, place, RW_LAST(S, place));
    return source;
}

/* Behind none it is the first; behind itself, or behind what lies elsewhere, the last. */
static inline num rw_put_behind(State *S, num piece, num place, num before) {
    num source = RW_AT(S, piece);
    rw_take_out(S, piece);
    if (before < 0 || (before != piece && RW_AT(S, before) == place)) rw_link(S, piece, place, before);
    else rw_link(S, piece, place, RW_LAST(S, place));
    return source;
}

/* Behind the last one with a smaller number, looked for from the back: pieces mostly come in order. */
static inline void rw_link_sorted(State *S, num piece, num place) {
    num before = RW_LAST(S, place);
    while (before > piece) before = RW_PREVIOUS(S, before);
    rw_link(S, piece, place, before);
}

static inline num rw_put_sorted(State *S, num piece, num place) {
    num source = RW_AT(S, piece);
    rw_take_out(S, piece);
    rw_link_sorted(S, piece, place);
    return source;
}

static inline num rw_put_slot(State *S, num piece, num place) {
    num source = RW_AT(S, piece);
    rw_take_out(S, piece);
    rw_write_slot(S, place - RW_LISTS, piece);
    rw_lay_at(S, piece, place);
    return source;
}

/* Into the first free one of `size` slots; there is one, as the rules have asked before. */
static inline num rw_put_group(State *S, num piece, num place, int size) {
    for (int i = 0; i < size - 1; i++)
        if (rw_slot(S, place + i - RW_LISTS) < 0) return rw_put_slot(S, piece, place + i);
    return rw_put_slot(S, piece, place + size - 1);
}

static inline num rw_put_box(State *S, num piece) {
    num source = RW_AT(S, piece);
    rw_take_out(S, piece);
    rw_lay_at(S, piece, -1);
    return source;
}

/* Back to where it came from: a slot, the box, or a list in table order. */
static inline void rw_lay_back(State *S, num piece, num place) {
    if (place >= RW_LISTS) rw_put_slot(S, piece, place);
    else if (place >= 0) rw_put_sorted(S, piece, place);
    else rw_put_box(S, piece);
}

/* How many of a group of slots are filled. */
static inline num rw_filled(const State *S, num first, int size) {
    num n = 0;
    for (int i = 0; i < size; i++) n += rw_slot(S, first + i) >= 0;
    return n;
}

/* On trial: whoever looks ahead sees what lies there. */
static inline int rw_seen(const State *S, num place, const uint32_t *sees, uint32_t everybody) {
    uint32_t mask = S->looker < 0 ? everybody : 1u << S->looker;
    return place < 0 || (sees[place] & mask) == mask;
}

/* Moves up to `count` pieces from the front of a list to another; gives how many, and which in `out`. They are all taken
 * before the first is put down: both may be the same list. */
enum { RW_TO_FRONT, RW_TO_BACK, RW_SORTED };
static inline int32_t rw_deal(State *S, num source, num target, num count, int how, elt *out) {
    int32_t n = 0;
    num next = RW_FIRST(S, source);
    for (; next >= 0 && n < count; next = RW_NEXT(S, next)) out[n++] = (elt)next;
    if (n == 0) return 0;
    S->first[source] = RW_LINKED(next);
    if (next >= 0) S->previous[next] = RW_LINKED(-1);
    else S->last[source] = RW_LINKED(-1);
    S->count[source] = (RW_LINK)(S->count[source] - n);
    for (int32_t i = 0; i < n; i++) {
        if (how == RW_TO_FRONT) rw_link(S, out[i], target, -1);
        else if (how == RW_TO_BACK) rw_link(S, out[i], target, RW_LAST(S, target));
        else rw_link_sorted(S, out[i], target);
    }
    return n;
}

/* Where a piece lies in a list, counted from 1; 0 if it is not there. The first ones are found at once. */
static inline num rw_position_in(const State *S, num place, num piece) {
    if (piece < 0 || place < 0 || RW_AT(S, piece) != place) return 0;
    num position = 1;
    for (num before = RW_PREVIOUS(S, piece); before >= 0; before = RW_PREVIOUS(S, before)) position++;
    return position;
}

/* The pieces of a list as an array, in its order. */
static inline int32_t rw_listed(const State *S, num place, elt *out) {
    int32_t n = 0;
    for (num piece = RW_FIRST(S, place); piece >= 0; piece = RW_NEXT(S, piece)) out[n++] = (elt)piece;
    return n;
}

static inline void rw_relink(State *S, num place, const elt *pieces, int32_t n) {
    int before = -1;
    S->first[place] = RW_LINKED(n > 0 ? pieces[0] : -1);
    for (int32_t i = 0; i < n; i++) {
        const int piece = pieces[i];
        S->previous[piece] = RW_LINKED(before);
        if (before >= 0) S->next[before] = RW_LINKED(piece);
        rw_lay_at(S, piece, place);
        before = piece;
    }
    if (before >= 0) S->next[before] = RW_LINKED(-1);
    S->last[place] = RW_LINKED(before);
    S->count[place] = (RW_LINK)n;
}

enum { RW_FAR_OFF = 32 }; /* an element that is moved past fewer others is counted with what was done to have it */
static inline void rw_sort(elt *v, int32_t n) {
    for (int32_t i = 1; i < n; i++) { /* all but one are in order: insertion is quickest */
        elt item = v[i];
        int32_t j = i - 1;
        while (j >= 0 && v[j] > item) { v[j + 1] = v[j]; j--; }
        if (i - j > RW_FAR_OFF) RW_CHARGE((i - j) / 2);
        v[j + 1] = item;
    }
}

/* Pieces are sorted first, so that the outcome rests on the generator alone and not on how they came there. Their
 * numbers are marked in a bitmap and read off in order, which is quicker than sorting a pile that was mixed. */
static inline void rw_shuffle(State *S, num place) {
    elt pieces[RW_PIECES + 1];
    uint64_t marked[RW_PIECES / 64 + 1] = {0};
    for (num piece = RW_FIRST(S, place); piece >= 0; piece = RW_NEXT(S, piece)) marked[piece >> 6] |= 1ULL << (piece & 63);
    int32_t n = 0;
    for (int word = 0; word <= RW_PIECES / 64; word++)
        for (uint64_t left = marked[word]; left; left &= left - 1) pieces[n++] = word * 64 + (elt)rw_lowest(left);
    for (int32_t i = n - 1; i > 0; i--) {
        num j = rw_below(S, i + 1);
        elt kept = pieces[i];
        pieces[i] = pieces[j];
        pieces[j] = kept;
    }
    rw_relink(S, place, pieces, n);
}

static inline void rw_shuffle_into(State *S, num source, num target) {
    elt pieces[RW_PIECES + 1];
    int32_t n = rw_listed(S, source, pieces);
    for (int32_t i = 0; i < n; i++) rw_put_front(S, pieces[i], target);
    rw_shuffle(S, target);
}

/* The piece with that number in a list, counted from 0; from the end that is nearer. */
static inline num rw_piece_at(const State *S, num place, num number) {
    num piece, left = S->count[place] - 1 - number;
    if (number <= left) {
        for (piece = RW_FIRST(S, place); number > 0; number--) piece = RW_NEXT(S, piece);
    } else {
        for (piece = RW_LAST(S, place); left > 0; left--) piece = RW_PREVIOUS(S, piece);
    }
    return piece;
}

/* Which pieces a draw from a bag takes; they stay in their place. One alone needs no list of all. */
static inline int32_t rw_draw(State *S, num place, num count, elt *out) {
    if (count == 1 && S->count[place] > 0) {
        out[0] = (elt)rw_piece_at(S, place, rw_below(S, S->count[place]));
        return 1;
    }
    elt left[RW_PIECES + 1];
    int32_t n = rw_listed(S, place, left), taken = 0;
    while (taken < count && n > 0) {
        num j = rw_below(S, n);
        out[taken++] = left[j];
        n--;
        if (n - j > RW_FAR_OFF) RW_CHARGE((n - j) / 4);
        memmove(left + j, left + j + 1, sizeof *left * (size_t)(n - j));
    }
    return taken;
}


/* Two pieces trade places. An unordered list stays sorted. */
static inline void rw_swap_pieces(State *S, num one, num other, const uint8_t *unordered) {
    num a = RW_AT(S, one), b = RW_AT(S, other);
    elt room[RW_PIECES + 2];
    if (one == other) return;
    if (a == b) { /* inside one place: only the order of a list changes, and an unordered one has none */
        if (a >= 0 && a < RW_LISTS && !unordered[a]) {
            int32_t n = rw_listed(S, a, room);
            for (int32_t i = 0; i < n; i++) room[i] = room[i] == one ? (elt)other : room[i] == other ? (elt)one : room[i];
            rw_relink(S, a, room, n);
        }
        return;
    }
    /* Both lists are read before either is linked anew: each piece is in the chain of only one of them. */
    int32_t n[2] = {0, 0};
    elt *lists[2] = {room, room};
    for (int side = 0; side < 2; side++) {
        num place = side ? b : a, old = side ? other : one, new = side ? one : other;
        if (side) lists[1] = room + n[0];
        if (place < 0 || place >= RW_LISTS) continue;
        n[side] = rw_listed(S, place, lists[side]);
        for (int32_t i = 0; i < n[side]; i++)
            if (lists[side][i] == old) lists[side][i] = (elt)new;
        if (unordered[place]) rw_sort(lists[side], n[side]);
    }
    for (int side = 0; side < 2; side++) {
        num place = side ? b : a;
        if (place >= RW_LISTS) rw_write_slot(S, place - RW_LISTS, side ? one : other);
        else if (place >= 0) rw_relink(S, place, lists[side], n[side]);
    }
    rw_lay_at(S, one, b);
    rw_lay_at(S, other, a);
}

static inline void rw_own_list(State *S, num place) {
    for (num piece = RW_FIRST(S, place); piece >= 0; piece = RW_NEXT(S, piece)) rw_lay_at(S, piece, place);
}

#define RW_EXCHANGE(type, one, other) do { type kept_ = one; one = other; other = kept_; } while (0)

static inline void rw_swap_places(State *S, num one, num other, int size) {
    for (int i = 0; i < size; i++) {
        num a = one + i, b = other + i;
        if (a < RW_LISTS) {
            RW_EXCHANGE(RW_LINK, S->first[a], S->first[b]);
            RW_EXCHANGE(RW_LINK, S->last[a], S->last[b]);
            RW_EXCHANGE(RW_LINK, S->count[a], S->count[b]);
            rw_own_list(S, a);
            rw_own_list(S, b);
        } else {
            num i1 = a - RW_LISTS, i2 = b - RW_LISTS;
            const num first = rw_slot(S, i1), second = rw_slot(S, i2);
            rw_write(S, i1, second);
            rw_write(S, i2, first);
            if (second >= 0) rw_lay_at(S, second, a);
            if (first >= 0) rw_lay_at(S, first, b);
        }
    }
}

static inline int rw_is_gone(const State *S, num seat) {
    for (int i = 0; i < S->ngone; i++)
        if (S->gone[i] == seat) return 1;
    return 0;
}

/* What lies in the places of all seats that are still in the game goes one seat on: to the left is the next seat.
 * A trade of the first seat with each of the others in turn, from the near end, moves all of them by one. */
static inline void rw_pass_on(State *S, int base, int stride, int size, int to_left) {
    int seats[RW_PLAYERS], n = 0;
    for (int seat = 0; seat < size / stride; seat++)
        if (!rw_is_gone(S, seat)) seats[n++] = seat;
    for (int i = 1; i < n; i++) {
        int other = seats[to_left ? i : n - i];
        rw_swap_places(S, base + seats[0] * stride, base + other * stride, stride);
    }
}

/* ---- whereabouts ---- */

/* The node (or the player) whose place holds the piece, directly or through the pieces that carry it. */
static inline num rw_where(const State *S, num piece, const int16_t *of, const int16_t *carrier) {
    num place = RW_AT(S, piece);
    while (place >= 0) {
        if (of[place] >= 0) return of[place];
        place = carrier[place] >= 0 ? RW_AT(S, carrier[place]) : -1;
    }
    return -1;
}

static inline num rw_place_of(const State *S, num piece) { return piece < 0 ? -1 : RW_AT(S, piece); }

static inline num rw_under(const State *S, num piece, const int16_t *carrier) {
    num place = RW_AT(S, piece);
    return place >= 0 ? carrier[place] : -1;
}

static inline int rw_into_itself(const State *S, num piece, num place, const int16_t *carrier) {
    while (place >= 0 && carrier[place] >= 0) {
        if (carrier[place] == piece) return 1;
        place = RW_AT(S, carrier[place]);
    }
    return 0;
}

#endif
