/* Many games stepped together: one call makes a choice in each of them, and writes down what is to be decided next.
 *
 * The games lie one behind the other. Their options lie in one array, game after game, as they were worked out when the
 * last choice was made: nothing is asked twice. A game that is over begins anew with the next seed, and its rewards
 * stand until its next choice. */
#ifndef RW_BATCH_H
#define RW_BATCH_H

#include "rw_api.h"

typedef struct {
    int32_t n, room;      /* games; room for options */
    uint64_t next_seed;
    int64_t size;         /* bytes from one game to the next */
    unsigned char *games;
    int32_t *who, *site, *count; /* of each game: who decides, where, among how many options */
    int64_t *first;       /* where its options begin */
    int32_t *options;     /* all of them, and those of the step before */
    int32_t *options_before;
    int64_t *first_before;
    double *rewards;      /* of each game and player: of the game that has just ended, else 0 */
    uint8_t *ended;
    int32_t *length;      /* choices made in the game that has just ended */
} RwBatch;

static State *rw_game_of(RwBatch *B, int32_t number) {
    return (State *)(void *)(B->games + B->size * number);
}

/* Many games do not fit into the memory that is near the processor. While one is played, the next but one is on its way; only
 * the part in front of the frames and the lowest of them, since nearly nothing lies behind. */
enum { RW_LINE = 64, RW_LINES_AHEAD = 96 };
static inline void rw_send_for(const RwBatch *B, int32_t number) {
#if defined(__GNUC__) || defined(__clang__)
    const size_t live = (offsetof(State, k) + 4 * RW_LINE + RW_LINE - 1) / RW_LINE;
    const size_t size = sizeof(State) / RW_LINE, lines = live < size ? live : size;
    if (number >= B->n) return;
    for (size_t line = 0; line < lines && line < RW_LINES_AHEAD; line++)
        __builtin_prefetch(B->games + B->size * number + line * RW_LINE, 0, 2);
#else
    (void)B; (void)number;
#endif
}

/* Notes the decision that a game has come to; RW_UNKNOWN if the room for options is used up. */
static int rw_note_game(Ctx *C, RwBatch *B, int32_t number, int64_t *used) {
    State *S = rw_game_of(B, number);
    if (*used + S->nopts > B->room) return RW_UNKNOWN;
    B->who[number] = S->who;
    B->site[number] = S->site;
    B->count[number] = S->nopts;
    B->first[number] = *used;
    memcpy(B->options + *used, C->opts + S->opts, sizeof(int32_t) * (size_t)S->nopts);
    *used += S->nopts;
    return RW_GO;
}

/* `sampled` as in rw_run_to_choice. */
static int rw_begin_game(Ctx *C, RwBatch *B, int32_t number, int sampled) {
    int signal = rw_set_out(C, rw_game_of(B, number), B->next_seed++, 1);
    if (signal == RW_GO) signal = rw_run_to_choice(C, rw_game_of(B, number), sampled);
    return signal == RW_STOP && !rw_game_of(B, number)->over ? RW_GO : signal == RW_STOP ? RW_FAULT : signal;
}

/* Begins all games. */
RW_API int32_t rwx_batch_begin(Ctx *C, RwBatch *B) {
    int64_t used = 0;
    for (int32_t number = 0; number < B->n; number++) {
        int signal = rw_begin_game(C, B, number, 0);
        if (signal == RW_GO) signal = rw_note_game(C, B, number, &used);
        if (signal != RW_GO) return signal;
        B->ended[number] = 0;
        B->length[number] = 0;
        for (int player = 0; player < RW_PLAYERS; player++) B->rewards[number * RW_PLAYERS + player] = 0.0;
    }
    return RW_STOP;
}

/* Goes on to the next choice of a game, or of the one that follows it: RW_GO. */
static int rw_go_on(Ctx *C, RwBatch *B, int32_t number, int sampled) {
    State *S = rw_game_of(B, number);
    const int signal = rw_run_to_choice(C, S, sampled);
    if (signal != RW_STOP) return signal;
    if (!S->over) return RW_GO;
    rw_returns(C, S, B->rewards + (int64_t)number * RW_PLAYERS);
    B->ended[number] = 1;
    B->length[number] = S->decisions;
    return rw_begin_game(C, B, number, sampled);
}

/* Takes an option that is offered, and goes on. */
static int rw_take_in_game(Ctx *C, RwBatch *B, int32_t number, int32_t option, int sampled) {
    State *S = rw_game_of(B, number);
    double *rewards = B->rewards + (int64_t)number * RW_PLAYERS;
    for (int player = 0; player < RW_PLAYERS; player++) rewards[player] = 0.0;
    B->ended[number] = 0;
    if (++S->decisions > RW_DECISION_LIMIT) return rw_fault(C, 906, RW_DECISION_LIMIT, -1);
    return rw_take(C, S, option) == RW_GO ? rw_go_on(C, B, number, sampled) : RW_FAULT;
}

static int rw_step_game(Ctx *C, RwBatch *B, int32_t number, int32_t choice) {
    if (choice < 0 || choice >= rw_game_of(B, number)->nopts) return RW_UNKNOWN;
    return rw_take_in_game(C, B, number, B->options_before[B->first_before[number] + choice], 0);
}

/* The options of the step before, and room for those of this one. */
static void rw_turn_rooms(RwBatch *B) {
    int32_t *options = B->options_before;
    int64_t *first = B->first_before;
    B->options_before = B->options;
    B->first_before = B->first;
    B->options = options;
    B->first = first;
}

/* Makes a choice in every game: the index of one of its options. RW_STOP if all went well; else *at is the game that
 * did not, and RW_UNKNOWN says that its choice does not fit. */
RW_API int32_t rwx_batch_step(Ctx *C, RwBatch *B, const int32_t *choices, int32_t *at) {
    int64_t used = 0;
    rw_turn_rooms(B);
    for (int32_t number = 0; number < B->n; number++) {
        *at = number;
        C->fault = 0;
        rw_send_for(B, number + 2);
        int signal = rw_step_game(C, B, number, choices[number]);
        if (signal == RW_GO) signal = rw_note_game(C, B, number, &used);
        if (signal != RW_GO) return signal;
    }
    return RW_STOP;
}

/* One option of the pending decision of a game. What turns out to be the only one is taken, as where all are listed. */
static int rw_choose_in_game(Ctx *C, RwBatch *B, int32_t number, int sampled, int32_t *chosen) {
    for (;;) {
        int only, signal = rw_any_option(C, rw_game_of(B, number), chosen, &only);
        if (signal != RW_GO || !only) return signal;
        if (rw_take(C, rw_game_of(B, number), *chosen) != RW_GO) return RW_FAULT;
        signal = rw_go_on(C, B, number, sampled);
        if (signal != RW_GO) return signal;
    }
}

/* So many random choices in one game; the decision that the last one leads to is noted with all its options. Before
 * that one option of each will do, which takes less than to list them all. *left: choices that were not made. */
static int rw_random_choices(Ctx *C, RwBatch *B, int32_t number, int64_t *left, int64_t *used) {
    const int sampled = RW_AUTOMAS == 0 ? RW_ONE_OPTION : 0;
    const int64_t index = rw_next_choice(C, B->count[number]);
    int32_t chosen = B->options_before[B->first_before[number] + index];
    int signal = RW_GO;
    for (; signal == RW_GO && *left > 1; --*left) {
        signal = rw_take_in_game(C, B, number, chosen, sampled);
        if (signal == RW_GO) signal = rw_choose_in_game(C, B, number, sampled, &chosen);
        if (signal != RW_GO) return signal;
    }
    signal = rw_take_in_game(C, B, number, chosen, 0);
    return signal == RW_GO ? rw_note_game(C, B, number, used) : signal;
}

/* Steps of random choices; gives how many choices were made. Nobody looks at the games in between, so each makes all of its
 * choices before the next one begins: a game comes from memory once, and not once for each step. */
RW_API int64_t rwx_batch_random(Ctx *C, RwBatch *B, int64_t steps, uint64_t seed) {
    int64_t used = 0;
    if (steps <= 0) return 0;
    rw_turn_rooms(B);
    C->choice = rw_seeded(seed);
    C->bits = 0;
    for (int32_t number = 0; number < B->n; number++) {
        int64_t left = steps;
        C->fault = 0;
        rw_send_for(B, number + 1);
        if (rw_random_choices(C, B, number, &left, &used) != RW_GO) return number * steps + steps - left;
    }
    return steps * B->n;
}

/* What a player may see, as numbers: fields (RW_HIDDEN where they are hidden), where each piece lies (RW_HIDDEN if that
 * is not seen), how many lie in each list. What the numbers stand for is written in docs/native.md. */
enum { RW_HIDDEN = -3 };

static void rw_observe(const State *S, int player, int32_t *out) {
    const uint32_t eye = 1u << player;
    for (int i = 0; i < RW_FIELDS; i++) {
        const num now = rw_number(S, i);
        int covered = i < RW_SLOTS && now >= 0 && rw_lies_down(S, now);
        out[i] = (RW_FIELD_SEEN[i] & eye) && !covered ? (int32_t)now : RW_HIDDEN;
    }
    out += RW_FIELDS;
    for (int piece = 0; piece < RW_PIECES; piece++) {
        int place = RW_AT(S, piece);
        int seen = place < 0 ? RW_BOX_SEEN[piece] : (RW_SEES[place] & eye) && !rw_lies_down(S, piece);
        out[piece] = seen ? place : RW_HIDDEN;
    }
    out += RW_PIECES;
    for (int list = 0; list < RW_LISTS; list++) out[list] = RW_COUNTED[list] ? S->count[list] : RW_HIDDEN;
}

RW_API int32_t rwx_observation_size(void) {
    return RW_FIELDS + RW_PIECES + RW_LISTS;
}

/* The observation of whoever decides, in every game. */
RW_API void rwx_batch_observe(RwBatch *B, int32_t *out) {
    for (int32_t number = 0; number < B->n; number++) {
        const State *S = rw_game_of(B, number);
        rw_observe(S, S->who < 0 ? 0 : S->who, out + (int64_t)number * (RW_FIELDS + RW_PIECES + RW_LISTS));
    }
}

#endif
