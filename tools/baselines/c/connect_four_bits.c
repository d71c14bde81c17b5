/* Connect four with a mask for each player: seven bits a column, the topmost always empty, so that lines cannot run
 * from one column into the next. A move is the bit that the disc falls to. */
#include "baseline.h"

#define COLUMNS 7
#define ROWS 6
#define MOST_MOVES COLUMNS
#define BOTTOM UINT64_C(0x40810204081) /* the lowest cell of each column */
#define BOARD (BOTTOM * 63)            /* all cells */

typedef uint64_t Move;

typedef struct {
    uint64_t own, other; /* of the player to move, and of the one who moved last */
    int8_t player;
    int8_t winner;
    bool over;
} Game;

static void set_up(Game *game, int players, Random *random) {
    (void)players, (void)random;
    *game = (Game){.winner = -1};
}

/* Adding one to the filled part of a column carries into its lowest free cell. */
static uint64_t free_cells(const Game *game) { return ((game->own | game->other) + BOTTOM) & BOARD; }

static int list_moves(const Game *game, Move *moves) {
    int count = 0;
    for (uint64_t free = free_cells(game); free; free &= free - 1) {
        moves[count++] = free & -free;
    }
    return count;
}

static bool has_four(uint64_t own) {
    static const int8_t SHIFTS[4] = {1, 7, 6, 8};
    for (int way = 0; way < 4; way++) {
        uint64_t pairs = own & own >> SHIFTS[way];
        if (pairs & pairs >> 2 * SHIFTS[way]) {
            return true;
        }
    }
    return false;
}

static void make_move(Game *game, Move move, Random *random) {
    (void)random;
    uint64_t own = game->own | move;
    if (has_four(own)) {
        game->winner = game->player;
        game->over = true;
    } else if ((own | game->other) == BOARD) {
        game->over = true;
    } else {
        game->own = game->other;
        game->other = own;
        game->player ^= 1;
    }
}

static int score_of(const Game *game, int player) { return game->winner < 0 ? 0 : game->winner == player ? 1 : -1; }

#include "playouts.h"
