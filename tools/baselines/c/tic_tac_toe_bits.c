/* Tic-tac-toe with a mask of nine bits for each player. A move is a mask with one bit. */
#include "baseline.h"

#define MOST_MOVES 9
#define ALL 0777u

typedef uint16_t Move;

typedef struct {
    uint16_t own, other; /* of the player to move, and of the one who moved last */
    int8_t player;
    int8_t winner;
    bool over;
} Game;

static void set_up(Game *game, int players, Random *random) {
    (void)players, (void)random;
    *game = (Game){.winner = -1};
}

static uint32_t free_cells(const Game *game) { return ALL & ~(uint32_t)(game->own | game->other); }

static int list_moves(const Game *game, Move *moves) {
    int count = 0;
    for (uint32_t free = free_cells(game); free; free &= free - 1) {
        moves[count++] = (Move)(free & -free);
    }
    return count;
}

static bool has_three(uint32_t own) {
    uint32_t across = own & own >> 1 & own >> 2 & 0111u;
    uint32_t down = own & own >> 3 & own >> 6 & 0007u;
    return across || down || (own & 0421u) == 0421u || (own & 0124u) == 0124u;
}

static void make_move(Game *game, Move move, Random *random) {
    (void)random;
    uint16_t own = game->own | move;
    if (has_three(own)) {
        game->winner = game->player;
        game->over = true;
    } else if ((own | game->other) == ALL) {
        game->over = true;
    } else {
        game->own = game->other;
        game->other = own;
        game->player ^= 1;
    }
}

static int score_of(const Game *game, int player) { return game->winner < 0 ? 0 : game->winner == player ? 1 : -1; }

#include "playouts.h"
