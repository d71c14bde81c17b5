/* Random games of the `Game` that was defined before, and counts of its sequences of moves. */

EXPORT int32_t rulewright_abi(void) { return 1; }

/* One of the moves, each as likely as any other; true if there was a choice. A game may have a faster way. */
#ifndef HAS_RANDOM_MOVE
static bool random_move(const Game *game, Random *random, Move *move) {
    Move moves[MOST_MOVES];
    int count = list_moves(game, moves);
    *move = moves[count > 1 ? below(random, (uint32_t)count) : 0];
    return count > 1;
}
#endif

static int64_t play_out(Game *game, int players, Random *random) {
    Move move;
    int64_t decisions = 0;
    set_up(game, players, random);
    while (!game->over) {
        decisions += random_move(game, random, &move);
        make_move(game, move, random);
    }
    return decisions;
}

EXPORT void playouts(uint64_t seed, int64_t games, int32_t players, Totals *totals) {
    memset(totals, 0, sizeof *totals);
    totals->games = games;
    Random random = seeded(seed);
    for (int64_t number = 0; number < games; number++) {
        Game game;
        int64_t decisions = play_out(&game, players, &random);
        totals->decisions += decisions;
        totals->decisions_squared += decisions * decisions;
        for (int player = 0; player < players; player++) {
            int64_t score = score_of(&game, player);
            totals->score[player] += score;
            totals->score_squared[player] += score * score;
        }
    }
}

/* How many sequences of exactly `depth` moves there are; only for games without chance. */
static int64_t count_from(const Game *game, int depth, Random *random) {
    if (depth == 0) {
        return 1;
    }
    if (game->over) {
        return 0;
    }
    Move moves[MOST_MOVES];
    int count = list_moves(game, moves);
    int64_t sequences = 0;
    for (int number = 0; number < count; number++) {
        Game after = *game;
        make_move(&after, moves[number], random);
        sequences += count_from(&after, depth - 1, random);
    }
    return sequences;
}

EXPORT int64_t count_sequences(int32_t depth) {
    Game game;
    Random random = seeded(0);
    set_up(&game, 2, &random);
    return count_from(&game, depth, &random);
}
