/* Breakthrough with a mask of 64 bits for each player, eight a row. The board is always seen from the player to move,
 * who goes up the rows: after each move it is turned upside down. */
#include "baseline.h"

#define MOST_MOVES 48
#define LEFT UINT64_C(0x0101010101010101)
#define RIGHT (LEFT << 7)
#define FAR_ROW (UINT64_C(0xFF) << 56)

typedef struct {
    uint64_t start, goal;
} Move;

typedef struct {
    uint64_t own, rival;
    int8_t player;
    int8_t winner;
    bool over;
} Game;

static void set_up(Game *game, int players, Random *random) {
    (void)players, (void)random;
    *game = (Game){.own = 0xFFFF, .rival = UINT64_C(0xFFFF) << 48};
}

static int add_moves(uint64_t goals, int shift, Move *moves, int count) {
    for (; goals; goals &= goals - 1) {
        uint64_t goal = goals & -goals;
        moves[count++] = (Move){goal >> shift, goal};
    }
    return count;
}

static uint64_t goals_ahead(const Game *game) { return game->own << 8 & ~(game->own | game->rival); }
static uint64_t goals_left(const Game *game) { return (game->own & ~LEFT) << 7 & ~game->own; }
static uint64_t goals_right(const Game *game) { return (game->own & ~RIGHT) << 9 & ~game->own; }

static int list_moves(const Game *game, Move *moves) {
    int count = add_moves(goals_ahead(game), 8, moves, 0);
    count = add_moves(goals_left(game), 7, moves, count);
    return add_moves(goals_right(game), 9, moves, count);
}

#define HAS_RANDOM_MOVE
static bool random_move(const Game *game, Random *random, Move *move) {
    uint64_t ahead = goals_ahead(game), left = goals_left(game), right = goals_right(game);
    int first = bits_in(ahead), second = first + bits_in(left), count = second + bits_in(right);
    int chosen = count > 1 ? (int)below(random, (uint32_t)count) : 0;
    uint64_t goal;
    if (chosen < first) {
        goal = nth_bit(ahead, chosen);
        *move = (Move){goal >> 8, goal};
    } else if (chosen < second) {
        goal = nth_bit(left, chosen - first);
        *move = (Move){goal >> 7, goal};
    } else {
        goal = nth_bit(right, chosen - second);
        *move = (Move){goal >> 9, goal};
    }
    return count > 1;
}

static void make_move(Game *game, Move move, Random *random) {
    (void)random;
    uint64_t own = (game->own & ~move.start) | move.goal;
    uint64_t rival = game->rival & ~move.goal;
    if (move.goal & FAR_ROW || rival == 0) {
        game->winner = game->player;
        game->over = true;
    } else {
        game->own = __builtin_bswap64(rival);
        game->rival = __builtin_bswap64(own);
        game->player ^= 1;
    }
}

static int score_of(const Game *game, int player) { return game->winner == player ? 1 : -1; }

#include "playouts.h"
