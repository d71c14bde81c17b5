/* Connect four, 7 columns of 6. A move is the number of a column, 0 to 6. */
#include "baseline.h"

#define COLUMNS 7
#define ROWS 6
#define MOST_MOVES COLUMNS
#define NOBODY (-1)

typedef int8_t Move;

typedef struct {
    int8_t grid[COLUMNS][ROWS];
    int8_t heights[COLUMNS];
    int8_t discs;
    int8_t player;
    int8_t winner;
    bool over;
} Game;

static const int8_t DIRECTIONS[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

static void set_up(Game *game, int players, Random *random) {
    (void)players, (void)random;
    memset(game, 0, sizeof *game);
    memset(game->grid, NOBODY, sizeof game->grid);
    game->winner = NOBODY;
}

static int list_moves(const Game *game, Move *moves) {
    int count = 0;
    for (int column = 0; column < COLUMNS; column++) {
        if (game->heights[column] < ROWS) {
            moves[count++] = (Move)column;
        }
    }
    return count;
}

/* How many discs of the player to move follow one another from there in that direction. */
static int run_length(const Game *game, int column, int row, int right, int up) {
    int length = 0;
    column += right;
    row += up;
    while (column >= 0 && column < COLUMNS && row >= 0 && row < ROWS && game->grid[column][row] == game->player) {
        length++;
        column += right;
        row += up;
    }
    return length;
}

static bool makes_four(const Game *game, int column, int row) {
    for (int way = 0; way < 4; way++) {
        int right = DIRECTIONS[way][0], up = DIRECTIONS[way][1];
        if (1 + run_length(game, column, row, right, up) + run_length(game, column, row, -right, -up) >= 4) {
            return true;
        }
    }
    return false;
}

static void make_move(Game *game, Move column, Random *random) {
    (void)random;
    int row = game->heights[column]++;
    game->grid[column][row] = game->player;
    game->discs++;
    if (makes_four(game, column, row)) {
        game->winner = game->player;
        game->over = true;
    } else if (game->discs == COLUMNS * ROWS) {
        game->over = true;
    } else {
        game->player = 1 - game->player;
    }
}

static int score_of(const Game *game, int player) {
    return game->winner == NOBODY ? 0 : game->winner == player ? 1 : -1;
}

#include "playouts.h"
