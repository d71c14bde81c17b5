/* Tic-tac-toe. A move is the number of a cell, 0 to 8, row by row. */
#include "baseline.h"

#define CELLS 9
#define MOST_MOVES CELLS
#define NOBODY (-1)

typedef int8_t Move;

typedef struct {
    int8_t cells[CELLS];
    int8_t player;
    int8_t winner;
    bool over;
} Game;

static const int8_t LINES[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

static void set_up(Game *game, int players, Random *random) {
    (void)players, (void)random;
    for (int cell = 0; cell < CELLS; cell++) {
        game->cells[cell] = NOBODY;
    }
    game->player = 0;
    game->winner = NOBODY;
    game->over = false;
}

static int list_moves(const Game *game, Move *moves) {
    int count = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        if (game->cells[cell] == NOBODY) {
            moves[count++] = (Move)cell;
        }
    }
    return count;
}

static bool has_three(const Game *game, int player) {
    for (int line = 0; line < 8; line++) {
        const int8_t *in = LINES[line];
        if (game->cells[in[0]] == player && game->cells[in[1]] == player && game->cells[in[2]] == player) {
            return true;
        }
    }
    return false;
}

static bool is_full(const Game *game) {
    for (int cell = 0; cell < CELLS; cell++) {
        if (game->cells[cell] == NOBODY) {
            return false;
        }
    }
    return true;
}

static void make_move(Game *game, Move move, Random *random) {
    (void)random;
    game->cells[move] = game->player;
    if (has_three(game, game->player)) {
        game->winner = game->player;
        game->over = true;
    } else if (is_full(game)) {
        game->over = true;
    } else {
        game->player = 1 - game->player;
    }
}

static int score_of(const Game *game, int player) {
    return game->winner == NOBODY ? 0 : game->winner == player ? 1 : -1;
}

#include "playouts.h"
