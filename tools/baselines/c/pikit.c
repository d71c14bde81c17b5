/* PiKiT for 2 to 4 players, complete: plays, cancels of cancels, takes, doubles and Mecha, wounds, last round, scores.
 *
 * A card is its value, 1 to 11; the Mecha of face n is MECHA + n. Only the deck has an order: hands, market and discard
 * are counts by card. Dice are 0 and 1. Who could not cancel anyway is not asked.
 */
#include "baseline.h"

#define MOST_PLAYERS 4
#define MOST_MOVES 80
#define HIGHEST 11
#define MECHA 11
#define CARDS (MECHA + 6 + 1)
#define DECK_SIZE 53
#define MARKET_SIZE 8
#define ENOUGH 10
#define MECHA_POINTS 15
#define ONES_BONUS 15
#define WOUND_POINTS 3
#define NOT_YET (-1)

enum { REROLL = 1, STEAL = 2, DRAW = 4, CANCEL = 8, TURN = 16, COPY = 31 };
enum { PLAYING, CANCELLING, TAKING };
enum { PLAY_REROLL, PLAY_STEAL, PLAY_DRAW, PLAY_TURN, PLAY_DONE, DO_CANCEL, DO_PASS };
enum { TAKE_ONE = 10, TAKE_TWO, TAKE_NOTHING, TAKE_MECHA, TAKE_ATTEMPT };

static const int8_t COPIES[HIGHEST + 1] = {0, 6, 6, 6, 6, 6, 6, 7, 7, 1, 1, 1};
static const int8_t TRICKS[CARDS] = {
    [2] = REROLL, [4] = STEAL, [5] = DRAW, [6] = CANCEL, [7] = TURN, [9] = COPY, [10] = COPY, [11] = COPY,
};

typedef struct {
    int8_t kind, card; /* the card that is played or taken */
    int8_t aim, face;  /* dice (a mask), victim, die, or the other card that is taken */
} Move;

typedef struct {
    int8_t deck[DECK_SIZE];
    int8_t deck_size;
    int8_t market[CARDS], market_size;
    int8_t discard[CARDS];
    int8_t hands[MOST_PLAYERS][CARDS], hand_sizes[MOST_PLAYERS];
    int8_t wounds[MOST_PLAYERS];
    bool mecha_waits[7];
    int8_t dice[2];
    int8_t players, player, active;
    int8_t turns_left;
    int8_t step;
    Move declared;
    int8_t cancels;
    int8_t to_ask[MOST_PLAYERS], asked, asking; /* to_ask[asked] up to to_ask[asking - 1] are still to be asked */
    bool over;
} Game;

/* ---------------------------------------------------------------- setup and chance */

static void shuffle(int8_t *cards, int count, Random *random) {
    for (int last = count - 1; last > 0; last--) {
        int other = (int)below(random, (uint32_t)last + 1);
        int8_t card = cards[last];
        cards[last] = cards[other];
        cards[other] = card;
    }
}

static int roll(Random *random) { return 1 + (int)below(random, 6); }

static void give(Game *game, int player, int card) {
    game->hands[player][card]++;
    game->hand_sizes[player]++;
}

static void lose(Game *game, int player, int card) {
    game->hands[player][card]--;
    game->hand_sizes[player]--;
}

static void fill_deck(Game *game, Random *random) {
    for (int value = 1; value <= HIGHEST; value++) {
        int copies = COPIES[value] - (game->players == 2 && value <= 8 ? 2 : 0);
        for (int copy = 0; copy < copies; copy++) {
            game->deck[game->deck_size++] = (int8_t)value;
        }
    }
    shuffle(game->deck, game->deck_size, random);
}

static void refill_market(Game *game) {
    while (game->market_size < MARKET_SIZE && game->deck_size > 0) {
        game->market[game->deck[--game->deck_size]]++;
        game->market_size++;
    }
}

static void begin_turn(Game *game, Random *random) {
    game->dice[0] = (int8_t)roll(random);
    game->dice[1] = (int8_t)roll(random);
    game->player = game->active;
    game->step = PLAYING;
}

static void set_up(Game *game, int players, Random *random) {
    memset(game, 0, sizeof *game);
    game->players = (int8_t)players;
    game->turns_left = NOT_YET;
    fill_deck(game, random);
    refill_market(game);
    for (int face = 1; face <= 6; face++) {
        game->mecha_waits[face] = true;
    }
    for (int player = 0; player < players; player++) {
        for (int total = 0; total < ENOUGH;) {
            int card = game->deck[--game->deck_size];
            give(game, player, card);
            total += card;
        }
    }
    begin_turn(game, random);
}

static void end_turn(Game *game, Random *random) {
    refill_market(game);
    if (game->turns_left != NOT_YET) {
        game->turns_left--;
    } else if (game->deck_size == 0) {
        game->turns_left = game->players;
    }
    if (game->turns_left == 0) {
        game->over = true;
    } else {
        game->active = (int8_t)((game->active + 1) % game->players);
        begin_turn(game, random);
    }
}

/* ---------------------------------------------------------------- what may be done */

static int list_plays(const Game *game, Move *moves) {
    const int8_t *hand = game->hands[game->active];
    int count = 0;
    for (int card = 1; card <= HIGHEST; card++) {
        if (hand[card] == 0) {
            continue;
        }
        if (TRICKS[card] & REROLL) {
            for (int dice = 1; dice <= 3; dice++) {
                moves[count++] = (Move){PLAY_REROLL, (int8_t)card, (int8_t)dice, 0};
            }
        }
        if (TRICKS[card] & STEAL) {
            for (int distance = 1; distance < game->players; distance++) {
                int victim = (game->active + distance) % game->players;
                if (game->hand_sizes[victim] > 0) {
                    moves[count++] = (Move){PLAY_STEAL, (int8_t)card, (int8_t)victim, 0};
                }
            }
        }
        if (TRICKS[card] & DRAW && game->deck_size > 0) {
            moves[count++] = (Move){PLAY_DRAW, (int8_t)card, 0, 0};
        }
        if (TRICKS[card] & TURN) {
            for (int die = 0; die < 2; die++) {
                for (int face = 1; face <= 6; face++) {
                    if (face != game->dice[die]) {
                        moves[count++] = (Move){PLAY_TURN, (int8_t)card, (int8_t)die, (int8_t)face};
                    }
                }
            }
        }
    }
    moves[count++] = (Move){PLAY_DONE, 0, 0, 0};
    return count;
}

static int list_cancels(const Game *game, Move *moves) {
    int count = 0;
    for (int card = 1; card <= HIGHEST; card++) {
        if (game->hands[game->player][card] > 0 && TRICKS[card] & CANCEL) {
            moves[count++] = (Move){DO_CANCEL, (int8_t)card, 0, 0};
        }
    }
    moves[count++] = (Move){DO_PASS, 0, 0, 0};
    return count;
}

static int list_mecha(const Game *game, int face, Move *moves) {
    if (game->mecha_waits[face]) {
        moves[0] = (Move){TAKE_MECHA, (int8_t)face, 0, 0};
        return 1;
    }
    for (int distance = 1; distance < game->players; distance++) {
        int victim = (game->active + distance) % game->players;
        if (game->hands[victim][MECHA + face] > 0) {
            moves[0] = (Move){TAKE_ATTEMPT, 0, (int8_t)victim, 0};
            return 1;
        }
    }
    return 0;
}

static int list_takes(const Game *game, Move *moves) {
    int a = game->dice[0], b = game->dice[1];
    int difference = a > b ? a - b : b - a;
    int count = 0;
    for (int value = 1; value <= HIGHEST; value++) {
        if (game->market[value] > 0 && (value == a + b || value == difference || value == a || value == b)) {
            moves[count++] = (Move){TAKE_ONE, (int8_t)value, 0, 0};
        }
    }
    if (count == 0) {
        moves[count++] = (Move){TAKE_NOTHING, 0, 0, 0};
    }
    if (game->market[a] > (a == b) && game->market[b] > 0) {
        moves[count++] = (Move){TAKE_TWO, (int8_t)a, (int8_t)b, 0};
    }
    return a == b ? count + list_mecha(game, a, moves + count) : count;
}

static int list_moves(const Game *game, Move *moves) {
    switch (game->step) {
    case PLAYING: return list_plays(game, moves);
    case CANCELLING: return list_cancels(game, moves);
    default: return list_takes(game, moves);
    }
}

/* ---------------------------------------------------------------- playing and cancelling */

static int random_card(const Game *game, int player, Random *random) {
    int left = (int)below(random, (uint32_t)game->hand_sizes[player]);
    int card = 0;
    do {
        card++;
        left -= game->hands[player][card];
    } while (left >= 0);
    return card;
}

/* A random card changes hands; a stolen 3 is discarded and wounds. An empty hand gives nothing. */
static void steal_from(Game *game, int victim, Random *random) {
    if (game->hand_sizes[victim] == 0) {
        return;
    }
    int card = random_card(game, victim, random);
    lose(game, victim, card);
    if (card == 3) {
        game->discard[card]++;
        game->wounds[game->active]++;
    } else {
        give(game, game->active, card);
    }
}

static void apply_declared(Game *game, Random *random) {
    Move move = game->declared;
    switch (move.kind) {
    case PLAY_REROLL:
        for (int die = 0; die < 2; die++) {
            if (move.aim >> die & 1) {
                game->dice[die] = (int8_t)roll(random);
            }
        }
        break;
    case PLAY_STEAL: steal_from(game, move.aim, random); break;
    case PLAY_DRAW: give(game, game->active, game->deck[--game->deck_size]); break;
    default: game->dice[move.aim] = move.face;
    }
}

static bool can_cancel(const Game *game, int player) {
    for (int card = 1; card <= HIGHEST; card++) {
        if (game->hands[player][card] > 0 && TRICKS[card] & CANCEL) {
            return true;
        }
    }
    return false;
}

static void ask_next(Game *game, Random *random) {
    if (game->asked < game->asking) {
        game->player = game->to_ask[game->asked++];
        game->step = CANCELLING;
        return;
    }
    if (game->cancels % 2 == 0) {
        apply_declared(game, random);
    }
    game->player = game->active;
    game->step = PLAYING;
}

/* Ask those who can, clockwise, whether they cancel what that player has just played. */
static void open_question(Game *game, int player, Random *random) {
    game->asked = game->asking = 0;
    for (int distance = 1; distance < game->players; distance++) {
        int other = (player + distance) % game->players;
        if (can_cancel(game, other)) {
            game->to_ask[game->asking++] = (int8_t)other;
        }
    }
    ask_next(game, random);
}

static void spend(Game *game, int player, int card) {
    lose(game, player, card);
    game->discard[card]++;
}

static void take_from_market(Game *game, int value) {
    int count = value == 8 ? game->market[8] : 1; /* of the 8s all there are */
    for (int number = 0; number < count; number++) {
        game->market[value]--;
        game->market_size--;
        give(game, game->active, value);
    }
}

static void take(Game *game, Move move, Random *random) {
    switch (move.kind) {
    case TAKE_TWO:
        take_from_market(game, move.card);
        take_from_market(game, move.aim);
        break;
    case TAKE_ONE: take_from_market(game, move.card); break;
    case TAKE_MECHA:
        game->mecha_waits[move.card] = false;
        give(game, game->active, MECHA + move.card);
        break;
    case TAKE_ATTEMPT: steal_from(game, move.aim, random); break;
    default: break;
    }
    end_turn(game, random);
}

static void make_move(Game *game, Move move, Random *random) {
    switch (move.kind) {
    case PLAY_DONE: game->step = TAKING; break;
    case PLAY_REROLL:
    case PLAY_STEAL:
    case PLAY_DRAW:
    case PLAY_TURN:
        spend(game, game->active, move.card);
        game->declared = move;
        game->cancels = 0;
        open_question(game, game->active, random);
        break;
    case DO_PASS: ask_next(game, random); break;
    case DO_CANCEL:
        spend(game, game->player, move.card);
        game->cancels++;
        open_question(game, game->player, random);
        break;
    default: take(game, move, random);
    }
}

/* ---------------------------------------------------------------- scores */

static bool has_most_ones(const Game *game, int player) {
    for (int other = 0; other < game->players; other++) {
        if (game->hands[other][1] > game->hands[player][1]) {
            return false;
        }
    }
    return game->hands[player][1] > 0;
}

static int score_of(const Game *game, int player) {
    int points = has_most_ones(game, player) ? ONES_BONUS : 0;
    for (int card = 1; card < CARDS; card++) {
        points += game->hands[player][card] * (card <= HIGHEST ? card : MECHA_POINTS);
    }
    return points - WOUND_POINTS * game->wounds[player];
}

#include "playouts.h"
