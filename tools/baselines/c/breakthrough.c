/* Breakthrough on 8 by 8. Player 0 goes up the rows. */
#include "baseline.h"

#define SIZE 8
#define MOST_MOVES (3 * 2 * SIZE)
#define NOBODY (-1)

typedef struct {
    int8_t row, column, goal_row, goal_column;
} Move;

typedef struct {
    int8_t board[SIZE][SIZE];
    int8_t pawns[2];
    int8_t player;
    int8_t winner;
    bool over;
} Game;

static void set_up(Game *game, int players, Random *random) {
    (void)players, (void)random;
    memset(game->board, NOBODY, sizeof game->board);
    for (int column = 0; column < SIZE; column++) {
        game->board[0][column] = game->board[1][column] = 0;
        game->board[SIZE - 1][column] = game->board[SIZE - 2][column] = 1;
    }
    game->pawns[0] = game->pawns[1] = 2 * SIZE;
    game->player = 0;
    game->winner = NOBODY;
    game->over = false;
}

static int list_moves(const Game *game, Move *moves) {
    int player = game->player;
    int ahead = player == 0 ? 1 : -1;
    int count = 0;
    for (int row = 0; row < SIZE; row++) {
        int goal_row = row + ahead;
        if (goal_row < 0 || goal_row >= SIZE) {
            continue;
        }
        for (int column = 0; column < SIZE; column++) {
            if (game->board[row][column] != player) {
                continue;
            }
            for (int goal = column - 1; goal <= column + 1; goal++) {
                if (goal < 0 || goal >= SIZE) {
                    continue;
                }
                /* Straight ahead the square must be empty; diagonally it may hold a pawn of the rival. */
                int pawn = game->board[goal_row][goal];
                if (pawn == NOBODY || (pawn != player && goal != column)) {
                    moves[count++] = (Move){(int8_t)row, (int8_t)column, (int8_t)goal_row, (int8_t)goal};
                }
            }
        }
    }
    return count;
}

static void make_move(Game *game, Move move, Random *random) {
    (void)random;
    int rival = 1 - game->player;
    if (game->board[move.goal_row][move.goal_column] == rival) {
        game->pawns[rival]--;
    }
    game->board[move.row][move.column] = NOBODY;
    game->board[move.goal_row][move.goal_column] = game->player;
    int far_row = game->player == 0 ? SIZE - 1 : 0;
    if (move.goal_row == far_row || game->pawns[rival] == 0) {
        game->winner = game->player;
        game->over = true;
    } else {
        game->player = (int8_t)rival;
    }
}

static int score_of(const Game *game, int player) { return game->winner == player ? 1 : -1; }

#include "playouts.h"
