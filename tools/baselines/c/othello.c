/* Othello on 8 by 8. Black (player 0) begins. Who cannot turn a disc passes; when neither can, most discs win. */
#include "baseline.h"

#define SIZE 8
#define MOST_MOVES (SIZE * SIZE)
#define NOBODY (-1)

typedef struct {
    int8_t row, column;
} Move;

typedef struct {
    int8_t board[SIZE][SIZE];
    int8_t player;
    bool over;
} Game;

static const int8_t DIRECTIONS[8][2] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};

static void set_up(Game *game, int players, Random *random) {
    (void)players, (void)random;
    memset(game->board, NOBODY, sizeof game->board);
    game->board[3][3] = game->board[4][4] = 1;
    game->board[3][4] = game->board[4][3] = 0;
    game->player = 0;
    game->over = false;
}

/* How many discs of the rival a disc there would turn in that direction. */
static int turned_toward(const Game *game, int player, int row, int column, int down, int right) {
    int length = 0;
    for (;;) {
        row += down;
        column += right;
        if (row < 0 || row >= SIZE || column < 0 || column >= SIZE || game->board[row][column] == NOBODY) {
            return 0;
        }
        if (game->board[row][column] == player) {
            return length;
        }
        length++;
    }
}

static bool may_place(const Game *game, int player, int row, int column) {
    if (game->board[row][column] != NOBODY) {
        return false;
    }
    for (int way = 0; way < 8; way++) {
        if (turned_toward(game, player, row, column, DIRECTIONS[way][0], DIRECTIONS[way][1]) > 0) {
            return true;
        }
    }
    return false;
}

static bool can_move(const Game *game, int player) {
    for (int row = 0; row < SIZE; row++) {
        for (int column = 0; column < SIZE; column++) {
            if (may_place(game, player, row, column)) {
                return true;
            }
        }
    }
    return false;
}

static int list_moves(const Game *game, Move *moves) {
    int count = 0;
    for (int row = 0; row < SIZE; row++) {
        for (int column = 0; column < SIZE; column++) {
            if (may_place(game, game->player, row, column)) {
                moves[count++] = (Move){(int8_t)row, (int8_t)column};
            }
        }
    }
    return count;
}

static void make_move(Game *game, Move move, Random *random) {
    (void)random;
    int player = game->player, rival = 1 - player;
    for (int way = 0; way < 8; way++) {
        int down = DIRECTIONS[way][0], right = DIRECTIONS[way][1];
        int length = turned_toward(game, player, move.row, move.column, down, right);
        for (int step = 1; step <= length; step++) {
            game->board[move.row + step * down][move.column + step * right] = (int8_t)player;
        }
    }
    game->board[move.row][move.column] = (int8_t)player;
    if (can_move(game, rival)) {
        game->player = (int8_t)rival;
    } else if (!can_move(game, player)) {
        game->over = true;
    }
}

static int discs_of(const Game *game, int player) {
    int count = 0;
    for (int row = 0; row < SIZE; row++) {
        for (int column = 0; column < SIZE; column++) {
            count += game->board[row][column] == player;
        }
    }
    return count;
}

static int score_of(const Game *game, int player) { return discs_of(game, player); }

#include "playouts.h"
