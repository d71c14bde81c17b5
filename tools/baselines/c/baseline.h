/* What every hand-written C game has: a generator, and totals over many random games.
 *
 * A game file includes this header, defines `Game` and `Move`, MOST_MOVES and MOST_PLAYERS, and the functions
 *
 *     static void set_up(Game *game, int players, Random *random);
 *     static int list_moves(const Game *game, Move *moves);         never 0 while the game runs
 *     static void make_move(Game *game, Move move, Random *random);
 *     static int score_of(const Game *game, int player);
 *
 * with a field `over` in `Game`, and ends with #include "playouts.h", which plays. The games are what a good
 * programmer would write for one game on an ordinary day: arrays and loops, neither tuned nor slowed down. Files named
 * *_bits.c are what somebody writes who wants speed from that one game.
 */
#ifndef BASELINE_H
#define BASELINE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* PCG32 with its published bounded draw: the generator that the rules use too, so that rules are compared with rules. */
typedef struct {
    uint64_t state;
} Random;

static uint32_t next_number(Random *random) {
    uint64_t old = random->state;
    random->state = old * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t turn = (uint32_t)(old >> 59);
    return (shifted >> turn) | (shifted << (-turn & 31));
}

static uint32_t below(Random *random, uint32_t bound) {
    uint32_t threshold = -bound % bound;
    for (;;) {
        uint32_t number = next_number(random);
        if (number >= threshold) {
            return number % bound;
        }
    }
}

static Random seeded(uint64_t seed) {
    Random random = {UINT64_C(1442695040888963407) + seed};
    next_number(&random);
    return random;
}

/* For games with masks: how many bits are set, and one of them at random, as a mask. */
static int bits_in(uint64_t mask) { return __builtin_popcountll(mask); }

static uint64_t nth_bit(uint64_t mask, int number) {
    for (; number > 0; number--) {
        mask &= mask - 1;
    }
    return mask & -mask;
}

/* Sums over games. A decision is a choice between at least two moves. */
typedef struct {
    int64_t games;
    int64_t decisions;
    int64_t decisions_squared;
    int64_t score[4];
    int64_t score_squared[4];
} Totals;

#endif
