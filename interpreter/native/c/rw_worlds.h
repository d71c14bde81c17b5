/* A past decision asked again as a world would have it: with other pieces where the player saw none.
 *
 * Drawing a world asks the decisions of a game again and again, each time of the state as it was then with some pieces
 * exchanged. Python keeps who knows what and says which pieces; this is runtime/renaming.py and `asked_again` of
 * runtime/facts.py, on native memory.
 *
 * Where the names of pieces stand in f and in the frames is handed in once with the state:
 *
 *   n, then (first, behind the last) of each run of f that holds pieces
 *   n, then (base, first piece, pieces, numbers for each) of each run of f that belongs to pieces
 *   n, then the cells of the stack that hold pieces
 */
#ifndef RW_WORLDS_H
#define RW_WORLDS_H

#include "rw_parts.h"
#include "rw_search.h"

enum { RW_ASKED_HEAD = 5 }; /* of what comes out: signal, site, who, pick, how many options; then the options */

/* Whether these numbers are the pieces in another order: a list of anything else might never end. */
static int rw_is_renaming(const int32_t *now) {
    uint8_t met[RW_PIECES + 1] = {0};
    for (int piece = 0; piece < RW_PIECES; piece++) {
        if (now[piece] < 0 || now[piece] >= RW_PIECES || met[now[piece]]) return 0;
        met[now[piece]] = 1;
    }
    return 1;
}

static void rw_list_renamed(State *T, const State *S, int list, const int32_t *now) {
    T->first[list] = T->last[list] = RW_LINKED(-1);
    T->count[list] = 0;
    if (RW_UNORDERED[list]) { /* by their numbers */
        for (int32_t piece = 0; piece < RW_PIECES; piece++)
            if (RW_AT(T, piece) == list) rw_append(T, list, piece);
    } else {
        for (int piece = RW_FIRST(S, list); piece >= 0; piece = RW_NEXT(S, piece)) rw_append(T, list, now[piece]);
    }
}

static void rw_places_renamed(State *T, const State *S, const int32_t *now) {
    uint8_t touched[RW_LISTS + 1] = {0};
    for (int piece = 0; piece < RW_PIECES; piece++) {
        const int32_t place = (int32_t)RW_AT(S, piece);
        if (now[piece] == piece) continue;
        rw_lay_at(T, now[piece], place);
#if RW_FACES
        T->down[now[piece]] = S->down[piece];
#endif
        if (place >= RW_LISTS) rw_set_slot(T, place - RW_LISTS, now[piece]);
        else if (place >= 0) touched[place] = 1;
    }
    for (int list = 0; list < RW_LISTS; list++)
        if (touched[list]) rw_list_renamed(T, S, list, now);
}

#if RW_LOADS
/* Where what lies in a place of a piece comes to lie: in the same place of the piece that the world has there. One of
 * another kind may have no such place; then it stays. */
static int32_t rw_carried_to(int32_t place, const int32_t *now) {
    const int32_t carrier = RW_CARRIER[place];
    for (int i = 0; i < RW_LOADS; i++) {
        const int32_t *block = RW_LOAD[i], low = block[1], each = block[3];
        if (place < block[0] || place >= block[0] + block[2] * each) continue;
        const int32_t name = now[carrier];
        return name >= low && name < low + block[2] ? place + (name - carrier) * each : place;
    }
    return place;
}

static int rw_is_filled(const State *S, int32_t place) {
    return place < RW_LISTS ? S->count[place] > 0 : rw_slot(S, place - RW_LISTS) >= 0;
}

static void rw_empty_place(State *T, int32_t place) {
    if (place >= RW_LISTS) {
        rw_set_slot(T, place - RW_LISTS, -1);
        return;
    }
    T->first[place] = T->last[place] = RW_LINKED(-1);
    T->count[place] = 0;
}

/* Lays what S has in a place into a place of T, by its new names; by their numbers where there is no order. */
static void rw_lay_renamed(State *T, const State *S, int32_t place, int32_t target, const int32_t *now) {
    int32_t called[RW_PIECES + 1], n = 0;
    rw_empty_place(T, target);
    if (place >= RW_LISTS) {
        const int32_t name = now[rw_slot(S, place - RW_LISTS)];
        rw_set_slot(T, target - RW_LISTS, name);
        rw_lay_at(T, name, target);
        return;
    }
    for (num piece = RW_FIRST(S, place); piece >= 0; piece = RW_NEXT(S, piece)) {
        int32_t at = n++;
        for (; at > 0 && RW_UNORDERED[place] && called[at - 1] > now[piece]; at--) called[at] = called[at - 1];
        called[at] = now[piece];
    }
    for (int32_t i = 0; i < n; i++) {
        rw_append(T, target, called[i]);
        rw_lay_at(T, called[i], target);
    }
}

/* What lies on a piece goes with it, so places change their numbers too (`_carry` of runtime/renaming.py). */
static void rw_places_carried(State *T, const State *S, const int32_t *now) {
    uint8_t is_source[RW_LISTS + RW_SLOTS + 1] = {0};
    for (int32_t place = 0; place < RW_LISTS + RW_SLOTS; place++) {
        const int32_t carrier = RW_CARRIER[place];
        if (carrier < 0 || now[carrier] == carrier) continue;
        is_source[place] = (uint8_t)rw_is_filled(S, place);
        rw_empty_place(T, place);
    }
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        const int32_t place = (int32_t)RW_AT(S, piece);
        if (now[piece] == piece) continue;
        rw_lay_at(T, now[piece], place);
#if RW_FACES
        T->down[now[piece]] = S->down[piece];
#endif
        if (place >= 0) is_source[place] = 1;
    }
    for (int32_t place = 0; place < RW_LISTS + RW_SLOTS; place++) {
        const int32_t carrier = RW_CARRIER[place];
        if (is_source[place])
            rw_lay_renamed(T, S, place, carrier >= 0 && now[carrier] != carrier ? rw_carried_to(place, now) : place, now);
    }
}
#endif

/* What belongs to a piece goes with its name; what no piece comes to own is at its start. 0 if it is outside of f. */
static int rw_block_renamed(State *T, const State *S, const int32_t *block, const int32_t *now) {
    const int32_t base = block[0], low = block[1], count = block[2], each = block[3];
    if (base < 0 || low < 0 || count < 0 || each < 0 || low + count > RW_PIECES) return 0;
    if ((int64_t)base + (int64_t)count * each > RW_FIELDS) return 0;
    for (int32_t piece = low; piece < low + count; piece++)
        if (now[piece] != piece)
            for (int32_t at = base + (piece - low) * each, left = each; left > 0; left--, at++)
                rw_set_number(T, at, RW_START[at]);
    for (int32_t piece = low; piece < low + count; piece++)
        if (now[piece] != piece && now[piece] >= low && now[piece] < low + count)
            for (int32_t i = 0; i < each; i++)
                rw_set_number(T, base + (now[piece] - low) * each + i, rw_number(S, base + (piece - low) * each + i));
    return 1;
}

static int rw_names_renamed(State *T, int32_t first, int32_t behind, const int32_t *now) {
    if (first < 0 || behind > RW_FIELDS) return 0;
    for (int32_t i = first; i < behind; i++) {
        const num piece = rw_number(T, i);
        if (piece >= 0 && piece < RW_PIECES) rw_set_number(T, i, now[piece]);
    }
    return 1;
}

/* Writes into T what S says with each piece called by its new name. `told` says where names stand. */
static int rw_renamed(State *T, const State *S, const int32_t *told, const int32_t *now) {
    const int32_t *names = told + 1, *blocks = names + 2 * told[0] + 1, *cells = blocks + 4 * blocks[-1] + 1;
    rw_copy(T, S);
    for (int32_t i = 0; i < blocks[-1]; i++)
        if (!rw_block_renamed(T, S, blocks + 4 * i, now)) return 0;
    for (int32_t i = 0; i < told[0]; i++)
        if (!rw_names_renamed(T, names[2 * i], names[2 * i + 1], now)) return 0;
    for (int32_t i = 0; i < cells[-1]; i++) {
        if (cells[i] < 0 || cells[i] >= S->top) return 0;
        if (S->k[cells[i]] >= 0 && S->k[cells[i]] < RW_PIECES) T->k[cells[i]] = now[S->k[cells[i]]];
    }
#if RW_LOADS
    rw_places_carried(T, S, now);
#else
    rw_places_renamed(T, S, now);
#endif
    return 1;
}

/* Adds to numbers of f: n, then (offset, how much). 0 if the sum does not fit there. */
static int rw_numbers_shifted(State *T, const int32_t *added) {
    for (int32_t i = 0; i < added[0]; i++) {
        const int32_t offset = added[1 + 2 * i];
        if (offset < 0 || offset >= RW_FIELDS) return 0;
        const num sum = rw_number(T, offset) + added[2 + 2 * i];
        if (!rw_fits(offset, sum)) return 0;
        rw_set_number(T, offset, sum);
    }
    return 1;
}

/* Asks the pending decision of S again, with its pieces called otherwise. `room` holds the new name of each piece and
 * the numbers to add, and what comes out afterwards: see RW_ASKED_HEAD. Gives how many numbers that are, or RW_UNKNOWN
 * if it cannot be said here; Python can then. */
RW_API int32_t rwx_asked(Ctx *C, const State *S, const int32_t *told, int32_t *room, int32_t size) {
    State *T = C->work;
    if (size < RW_PIECES + 1 || size < RW_ASKED_HEAD || !rw_is_renaming(room)) return RW_UNKNOWN;
    if (room[RW_PIECES] < 0 || room[RW_PIECES] > (size - RW_PIECES - 1) / 2 || S->over || S->depth == 0)
        return RW_UNKNOWN;
    if (!rw_renamed(T, S, told, room) || !rw_numbers_shifted(T, room + RW_PIECES)) return RW_UNKNOWN;
    rw_index_anew(T);
    rw_begin(C);
    T->steps = 0;
    T->stamp = 0;
    int signal = rw_segment(C, T, RW_PLAYOUT, RW_TOP_FRAME(T));
    if (signal == RW_FAULT) rw_forget_fault(C);
    if (signal == RW_STOP && T->over) signal = RW_ENDED;
    const int32_t count = signal == RW_STOP ? T->nopts : 0;
    if (signal == RW_FAULT || count > size - RW_ASKED_HEAD) return RW_UNKNOWN;
    const int32_t head[RW_ASKED_HEAD] = {signal, T->site, T->who, T->pick, count};
    memcpy(room, head, sizeof head);
    if (count > 0) memcpy(room + RW_ASKED_HEAD, C->opts + T->opts, sizeof(int32_t) * (size_t)count);
    return RW_ASKED_HEAD + count;
}

/* A world of the decision S for a search: its pieces called otherwise, as `rwx_asked` has it. `room`: the new name of each
 * piece, the numbers to add, the generator in two halves, the option of each slot of the root. RW_GO, or RW_UNKNOWN. */
RW_API int32_t rwx_search_dealt(Ctx *C, RwSearch *Q, const State *S, const int32_t *told, const int32_t *room,
                                int32_t size, int32_t is_like_root) {
    State *T = C->work;
    if (size < RW_PIECES + 3 || !rw_is_renaming(room) || room[RW_PIECES] < 0) return RW_UNKNOWN;
    if (room[RW_PIECES] > (size - RW_PIECES - 3) / 2) return RW_UNKNOWN;
    const int32_t *rest = room + RW_PIECES + 1 + 2 * room[RW_PIECES];
    if (size - (rest - room) < 2 + Q->nroot) return RW_UNKNOWN;
    if (!rw_renamed(T, S, told, room) || !rw_numbers_shifted(T, room + RW_PIECES)) return RW_UNKNOWN;
    rw_index_anew(T);
    T->g = (uint64_t)(uint32_t)rest[1] << 32 | (uint32_t)rest[0];
    T->steps = 0;
    T->stamp = 0;
    return rwx_search_world(C, Q, T, rest + 2, is_like_root);
}

#endif
