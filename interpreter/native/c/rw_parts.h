/* A state read and written part by part, as arrays of int32: how Python's State becomes a native one and back.
 *
 *   RW_PART_FIELDS     slots, dice and fields, as they lie in f
 *   RW_PART_LISTS      for each list its number of pieces, then the pieces in order
 *   RW_PART_FRAMES     for each frame, the lowest first, its number of cells, then the cells: segment, slots
 *   RW_PART_GENERATOR  the low and the high half of the generator
 *   RW_PART_DOWN       the pieces that lie face down, in order
 *   RW_PART_WON        the winners that were named, after a 1; a single 0 if nobody was
 *   RW_PART_GONE       the players who have dropped out, in the order in which they did
 *   RW_PART_WHY        the text that says why the game ended, and its values; nothing if there is none
 *   RW_PART_RESULT     what the last framed call gave
 *   RW_PART_NUMBERS    over, automatic, together, pick, steps, decisions, site, who
 *
 * Where pieces are follows from lists and slots, so rwx_set works it out anew: write FIELDS and LISTS both. What is
 * written is checked for its form. A frame has exactly the cells that its segment needs, a piece lies in one place: so
 * that nothing here is led outside the state. What the numbers of a frame mean is known to the compiler only: Python
 * checks them against the types of its slots before it hands on a save of a stranger.
 */
#ifndef RW_PARTS_H
#define RW_PARTS_H

#include "rw.h"
#include "rw_api.h"

enum {
    RW_PART_FIELDS, RW_PART_LISTS, RW_PART_FRAMES, RW_PART_GENERATOR, RW_PART_DOWN, RW_PART_WON, RW_PART_GONE,
    RW_PART_WHY, RW_PART_RESULT, RW_PART_NUMBERS
};
enum { RW_NUMBERS = 8 };

/* ---------------------------------------------------------------- reading */

typedef struct {
    int32_t *out;
    int32_t room, n; /* n counts on where the room ends: it tells how much would be needed */
} RwOut;

/* Called, not written out: a dozen copies of it would take the compiler longer than anybody saves. */
static void rw_put(RwOut *out, num number) {
    if (out->n < out->room) out->out[out->n] = (int32_t)number;
    out->n++;
}

static void rw_get_lists(const State *S, RwOut *out) {
    for (int list = 0; list < RW_LISTS; list++) {
        rw_put(out, S->count[list]);
        for (int piece = RW_FIRST(S, list); piece >= 0; piece = RW_NEXT(S, piece)) rw_put(out, piece);
    }
}

/* Frames lie one behind the other, each with its link in front. */
static void rw_get_frames(const State *S, RwOut *out) {
    int32_t at = 1; /* of the frame's segment; in front of it lies its link to the frame below */
    for (int32_t depth = 0; depth < S->depth; depth++) {
        int32_t size = RW_SEG[S->k[at]].frame;
        rw_put(out, size);
        for (int32_t i = 0; i < size; i++) rw_put(out, S->k[at + i]);
        at += size + 1;
    }
}

static void rw_get_down(const State *S, RwOut *out) {
#if RW_FACES
    for (int piece = 0; piece < RW_PIECES; piece++)
        if (S->down[piece]) rw_put(out, piece);
#else
    (void)S;
    (void)out;
#endif
}

static void rw_get_won(const State *S, RwOut *out) {
    rw_put(out, S->nwon >= 0);
    for (int i = 0; i < S->nwon; i++) rw_put(out, S->won[i]);
}

static void rw_get_why(const State *S, RwOut *out) {
    if (S->why < 0) return;
    rw_put(out, S->why);
    for (int i = 0; i < S->nwhy; i++) rw_put(out, S->whys[i]);
}

static void rw_get_numbers(const State *S, RwOut *out) {
    const int32_t steps = S->steps < INT32_MAX ? (int32_t)S->steps : INT32_MAX; /* units of work, for tests to compare */
    const int32_t numbers[RW_NUMBERS] = {S->over, S->automatic, S->together, S->pick, steps, S->decisions, S->site, S->who};
    for (int i = 0; i < RW_NUMBERS; i++) rw_put(out, numbers[i]);
}

/* Writes a part of a state, at most `room` numbers; gives how many there are, or RW_UNKNOWN for no such part. */
RW_API int32_t rwx_get(const State *S, int32_t part, int32_t *numbers, int32_t room) {
    RwOut out = {numbers, room, 0};
    switch (part) {
    case RW_PART_FIELDS:
        for (int i = 0; i < RW_FIELDS; i++) rw_put(&out, (int32_t)rw_number(S, i));
        break;
    case RW_PART_LISTS: rw_get_lists(S, &out); break;
    case RW_PART_FRAMES: rw_get_frames(S, &out); break;
    case RW_PART_GENERATOR:
        rw_put(&out, (int32_t)(uint32_t)S->g);
        rw_put(&out, (int32_t)(uint32_t)(S->g >> 32));
        break;
    case RW_PART_DOWN: rw_get_down(S, &out); break;
    case RW_PART_WON: rw_get_won(S, &out); break;
    case RW_PART_GONE:
        for (int i = 0; i < S->ngone; i++) rw_put(&out, S->gone[i]);
        break;
    case RW_PART_WHY: rw_get_why(S, &out); break;
    case RW_PART_RESULT:
        for (int i = 0; i < RW_RESULT; i++) rw_put(&out, S->r[i]);
        break;
    case RW_PART_NUMBERS: rw_get_numbers(S, &out); break;
    default: return RW_UNKNOWN;
    }
    return out.n;
}

/* ---------------------------------------------------------------- writing */

/* A number that does not fit where it is kept belongs to no save of this game. */
static int rw_set_fields(State *S, const int32_t *in, int32_t n) {
    if (n != RW_FIELDS) return 0;
    for (int32_t i = 0; i < n; i++) {
        if (!rw_fits(i, in[i])) return 0;
        if (i < RW_SLOTS && (in[i] < -1 || in[i] >= RW_PIECES)) return 0;
    }
    for (int32_t i = 0; i < n; i++) rw_set_number(S, i, in[i]);
    rw_index_anew(S);
    return 1;
}

/* Takes a piece out of the box into a place; 0 if it lies somewhere already. */
static int rw_place_anew(State *S, int32_t piece, int place) {
    if (piece < 0 || piece >= RW_PIECES || RW_AT(S, piece) != -1) return 0;
    rw_lay_at(S, piece, place);
    return 1;
}

static int rw_slots_anew(State *S) {
    for (int i = 0; i < RW_PIECES; i++) rw_lay_at(S, i, -1);
    for (int slot = 0; slot < RW_SLOTS; slot++)
        if (rw_slot(S, slot) >= 0 && !rw_place_anew(S, (int32_t)rw_slot(S, slot), RW_LISTS + slot)) return 0;
    return 1;
}

static void rw_append(State *S, int list, int32_t piece) {
    const int last = RW_LAST(S, list);
    S->previous[piece] = RW_LINKED(last);
    S->next[piece] = RW_LINKED(-1);
    if (last < 0)
        S->first[list] = RW_LINKED(piece);
    else
        S->next[last] = RW_LINKED(piece);
    S->last[list] = RW_LINKED(piece);
    S->count[list]++;
}

static int rw_set_lists(State *S, const int32_t *in, int32_t n) {
    int32_t at = 0;
    if (!rw_slots_anew(S)) return 0;
    for (int list = 0; list < RW_LISTS; list++) {
        S->first[list] = S->last[list] = RW_LINKED(-1);
        S->count[list] = 0;
    }
    for (int list = 0; list < RW_LISTS; list++) {
        if (at >= n || in[at] < 0 || in[at] > n - at - 1) return 0;
        for (int32_t left = in[at++]; left > 0; left--, at++) {
            if (!rw_place_anew(S, in[at], list)) return 0;
            rw_append(S, list, in[at]);
        }
    }
    return at == n;
}

static int rw_is_frame(const int32_t *in, int32_t size, int lowest) {
    if (size < 1 || in[0] < 0 || in[0] >= RW_SEGMENTS || size != RW_SEG[in[0]].frame) return 0;
    if ((in[0] == RW_END) != lowest) return 0;
    return in[0] != 0 || (in[1] >= 0 && in[1] < RW_CELLS && in[3] >= 0 && in[3] <= RW_CELL_OF[in[1]].n);
}

static int rw_set_frames(State *S, const int32_t *in, int32_t n) {
    S->depth = S->running = S->top = 0;
    S->frame = -1;
    for (int32_t at = 0; at < n;) {
        int32_t size = in[at++];
        if (size > n - at || !rw_is_frame(in + at, size, S->depth == 0)) return 0;
        if (size + 1 > RW_STACK - S->top) return 0;
        S->k[S->top] = S->frame;
        S->frame = S->top + 1;
        memcpy(S->k + S->frame, in + at, sizeof(int32_t) * (size_t)size);
        S->top += size + 1;
        S->depth++;
        S->running += in[at] == 0;
        at += size;
    }
    return S->depth > 0;
}

static int rw_set_down(State *S, const int32_t *in, int32_t n) {
#if RW_FACES
    memset(S->down, 0, sizeof S->down);
    for (int32_t i = 0; i < n; i++) {
        if (in[i] < 0 || in[i] >= RW_PIECES) return 0;
        S->down[in[i]] = 1;
    }
    return 1;
#else
    (void)S;
    (void)in;
    return n == 0;
#endif
}

static int rw_set_players(int8_t *out, const int32_t *in, int32_t n) {
    if (n > RW_PLAYERS) return 0;
    for (int32_t i = 0; i < n; i++) {
        if (in[i] < 0 || in[i] >= RW_PLAYERS) return 0;
        out[i] = (int8_t)in[i];
    }
    return 1;
}

static int rw_set_won(State *S, const int32_t *in, int32_t n) {
    S->nwon = -1;
    if (n < 1 || in[0] < 0 || in[0] > 1 || !rw_set_players(S->won, in + 1, n - 1)) return 0;
    if (in[0]) S->nwon = (int8_t)(n - 1);
    return in[0] || n == 1;
}

static int rw_set_gone(State *S, const int32_t *in, int32_t n) {
    S->ngone = 0;
    if (!rw_set_players(S->gone, in, n)) return 0;
    S->ngone = (int8_t)n;
    return 1;
}

static int rw_set_why(State *S, const int32_t *in, int32_t n) {
    S->why = -1;
    S->nwhy = 0;
    if (n == 0) return 1;
    if (in[0] < 0 || n - 1 > RW_WHYS) return 0;
    S->why = in[0];
    S->nwhy = n - 1;
    memcpy(S->whys, in + 1, sizeof(int32_t) * (size_t)(n - 1));
    return 1;
}

static int rw_set_result(State *S, const int32_t *in, int32_t n) {
    if (n > RW_RESULT) return 0;
    memset(S->r, 0, sizeof S->r);
    memcpy(S->r, in, sizeof(int32_t) * (size_t)n);
    return 1;
}

static int rw_set_numbers(State *S, const int32_t *in, int32_t n) {
    if (n != RW_NUMBERS || in[6] < -1 || in[6] >= RW_SITES || in[7] < -1 || in[7] >= RW_PLAYERS) return 0;
    S->over = in[0] != 0;
    S->automatic = in[1] != 0;
    S->together = in[2];
    S->pick = in[3];
    S->steps = 0; /* a decision is pending, or setup is */
    S->decisions = in[5];
    S->site = in[6];
    S->who = in[7];
    return 1;
}

/* Writes n numbers into a part of a state; RW_GO, or RW_UNKNOWN if they do not fit: the state is of no use then. The
 * options of the pending decision are not part of it: rwx_resume asks for them. */
RW_API int32_t rwx_set(Ctx *C, State *S, int32_t part, const int32_t *numbers, int32_t n) {
    int fits = 0;
    (void)C;
    if (n < 0) return RW_UNKNOWN;
    S->nopts = 0;
    S->stamp = 0;
    switch (part) {
    case RW_PART_FIELDS: fits = rw_set_fields(S, numbers, n); break;
    case RW_PART_LISTS: fits = rw_set_lists(S, numbers, n); break;
    case RW_PART_FRAMES: fits = rw_set_frames(S, numbers, n); break;
    case RW_PART_GENERATOR:
        fits = n == 2;
        if (fits) S->g = (uint64_t)(uint32_t)numbers[0] | (uint64_t)(uint32_t)numbers[1] << 32;
        break;
    case RW_PART_DOWN: fits = rw_set_down(S, numbers, n); break;
    case RW_PART_WON: fits = rw_set_won(S, numbers, n); break;
    case RW_PART_GONE: fits = rw_set_gone(S, numbers, n); break;
    case RW_PART_WHY: fits = rw_set_why(S, numbers, n); break;
    case RW_PART_RESULT: fits = rw_set_result(S, numbers, n); break;
    case RW_PART_NUMBERS: fits = rw_set_numbers(S, numbers, n); break;
    default: break;
    }
    return fits ? RW_GO : RW_UNKNOWN;
}

/* Nothing set up: what rwx_set begins with. */
RW_API void rwx_blank(Ctx *C, State *S) {
    (void)C;
    rw_blank(S);
}

#endif
