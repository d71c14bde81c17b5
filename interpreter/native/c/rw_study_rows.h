/* The rows of a study: a game is played, and what came of it is written down as numbers. Included by rw_study.h.
 *
 * A game that is looked at closely is played by the same draws with more noted on the way: how many options there were,
 * who would win if the game ended now, what was chosen.
 *
 * Small games end in few ways: ten thousand games of nim have some fifty different rows. So a row is kept once, with
 * how many games it is of, and each game has the number of its row. What is summed up later goes over the different
 * rows alone, and they stay in the cache of the processor; written one after the other, rows cost such a game a tenth of
 * its time.
 */
#ifndef RW_STUDY_ROWS_H
#define RW_STUDY_ROWS_H

#include "rw_api.h"

#if RW_HITS > 0

enum { /* numbers of a row; behind them ranking and scores of each seat, RW_BLOCKS masks, points by line and seat */
    RW_ROW_CLOSE, RW_ROW_DECISIONS, RW_ROW_FORCED, RW_ROW_TURNS, RW_ROW_ROUNDS, RW_ROW_ENDING, RW_ROW_OFFERED,
    RW_ROW_CHANGES, RW_ROW_BEHIND, RW_ROW_WINNERS, RW_ROW_LEAD, RW_ROW_MARGIN, RW_ROW_RANKING,
    RW_ROW_SCORES = RW_ROW_RANKING + RW_PLAYERS,
    RW_ROW_BLOCKS = RW_ROW_SCORES + RW_PLAYERS,
    RW_ROW_POINTS = RW_ROW_BLOCKS + RW_BLOCKS,
    RW_ROW_FILLED = RW_ROW_POINTS + RW_LINES * RW_PLAYERS,
    RW_ROW_WIDTH = (RW_ROW_FILLED + 3) / 4 * 4 /* rows are compared in steps of four numbers; what is left over is 0 */
};
enum { RW_BUCKET_BITS = 14, RW_BUCKETS = 1 << RW_BUCKET_BITS }; /* twice the rows that there may be at a time */
enum { RW_MOST_ROWS = RW_BUCKETS / 2 }; /* different ones at a time: then they have to be summed up and forgotten */
enum { RW_FEW_PLAYERS = 31, RW_RANKED = 16, RW_ALIKE_BITS = 7, RW_ALIKE = 1 << RW_ALIKE_BITS };
enum { RW_ROW_NONE = -1, RW_MOST_POINTS = 1000000, RW_MOST_ENDINGS = 1024, RW_EARLY = 12, RW_MOST_THINGS = 32 };
enum { RW_THING_PIECE = 1, RW_THING_NODE, RW_THING_EDGE };

typedef struct { int32_t text, n; elt values[RW_WHYS + 1]; } RwEnding;
typedef struct { int32_t who, site, option; } RwChosen;
typedef struct { int64_t times, games, players, firsts; int32_t seen_in; } RwUse;
typedef struct { uint64_t ends; int32_t winners, ranking[RW_PLAYERS]; } RwRanked; /* `ends` is one more: 0 is free */

/* What the row of a game follows from where the rules have no score sheet, and the number of that row, from 1 on. */
typedef struct { uint64_t ends; int32_t decisions, forced, turns, rounds, why, row; } RwAlike;

/* A list that grows; `failed` if there was no memory for it. */
typedef struct { char *bytes; int64_t n, room; } RwList;

typedef struct {
    /* what Python described, and where its parts begin */
    int32_t *described;
    const int32_t *turns, *rounds;   /* counters of rules: how many, then which */
    const int32_t *groups;           /* of each line of the score sheet the number of its label */
    const int32_t *bases;            /* things: of free actions, of rows of pieces, of nodes, of edges, and how many */
    const int32_t *rows_of;          /* the row of each piece */
    const int32_t *sites;            /* where each site begins in `described` */
    int32_t group_count;
    /* games so far: what is summed up next */
    RwList rows, times;              /* the different rows, and of how many games (int32_t) each is */
    RwList row_of_game;              /* of each game the number of its row (int32_t) */
    int32_t *buckets;                /* where a row is found again: its number from 1 on; 0 is free */
    RwRanked ranked[RW_RANKED];      /* rankings by who won and who is gone, as far as these decide */
    RwAlike alike[RW_ALIKE];         /* ends of games so far */
    RwList early, endings;
    /* what the games that were looked at closely used */
    RwUse *uses, *begun;
    int32_t *touched, *begun_order;  /* things and counters, in the order in which they first came */
    int32_t touched_count, begun_count;
    int64_t *used;                   /* of the present game, by seat and thing */
    int32_t *used_order;
    /* of the present game */
    RwList leaders, choices;
    RwRank first_keys[RW_PLAYERS];
    int32_t row[RW_ROW_WIDTH];
    int32_t looked, offered, early_noted;
    int8_t moved, has_last;
    num last;
    int32_t close_games, game_number;
    /* sums, as told to Python */
    RwList out;
    int8_t failed;
} RwStudy;

/* ---------------------------------------------------------------- lists */

static int rw_list_grown(RwStudy *T, RwList *list, size_t size) {
    const int64_t room = 2 * list->room + (int64_t)size + 4096;
    char *bytes = realloc(list->bytes, (size_t)room);
    if (bytes == NULL) {
        T->failed = 1;
        return 0;
    }
    list->bytes = bytes;
    list->room = room;
    return 1;
}

static inline void *rw_list_more(RwStudy *T, RwList *list, size_t size) {
    if (list->n + (int64_t)size > list->room && !rw_list_grown(T, list, size)) return NULL;
    void *place = list->bytes + list->n;
    list->n += (int64_t)size;
    return place;
}

static void rw_put_sum(RwStudy *T, int64_t number) {
    int64_t *place = rw_list_more(T, &T->out, sizeof number);
    if (place != NULL) *place = number;
}

/* ---------------------------------------------------------------- a study */

RW_API void rwx_free_study(RwStudy *T) {
    if (T == NULL) return;
    free(T->described);
    free(T->rows.bytes);
    free(T->times.bytes);
    free(T->row_of_game.bytes);
    free(T->buckets);
    free(T->early.bytes);
    free(T->endings.bytes);
    free(T->leaders.bytes);
    free(T->choices.bytes);
    free(T->out.bytes);
    free(T->uses);
    free(T->begun);
    free(T->touched);
    free(T->begun_order);
    free(T->used);
    free(T->used_order);
    free(T);
}

/* ---------------------------------------------------------------- rows that are kept once */

static int64_t rw_games(const RwStudy *T) {
    return T->row_of_game.n / (int64_t)sizeof(int32_t);
}

/* How many different rows there are; the first one; and of how many games each is. */
static int64_t rw_rows(const RwStudy *T) {
    return T->times.n / (int64_t)sizeof(int32_t);
}

static const int32_t *rw_first_row(const RwStudy *T) {
    return (const int32_t *)(const void *)T->rows.bytes;
}

static int32_t *rw_games_of_rows(const RwStudy *T) {
    return (int32_t *)(void *)T->times.bytes;
}

/* Two chains, so that the processor need not wait for each product before it begins the next. */
static uint32_t rw_bucket_of(const int32_t *row) {
    uint64_t one = 0, other = 0, pairs[2];
    for (int i = 0; i < RW_ROW_WIDTH; i += 4) {
        memcpy(pairs, row + i, sizeof pairs);
        one = one * 0x9E3779B97F4A7C15u + pairs[0];
        other = other * 0xD1342543DE82EF95u + pairs[1];
    }
    return (uint32_t)((one ^ (other << 32 | other >> 32)) * 0x9E3779B97F4A7C15u >> (64 - RW_BUCKET_BITS));
}

static int rw_is_same_row(const int32_t *row, const int32_t *other) {
    uint64_t pairs[2], others[2], differ = 0;
    for (int i = 0; i < RW_ROW_WIDTH && differ == 0; i += 4) {
        memcpy(pairs, row + i, sizeof pairs);
        memcpy(others, other + i, sizeof others);
        differ = (pairs[0] ^ others[0]) | (pairs[1] ^ others[1]);
    }
    return differ == 0;
}

/* The number of T->row among the different rows, which it joins if it is new; -1 if there is no room. */
static int32_t rw_number_of_row(RwStudy *T) {
    uint32_t at = rw_bucket_of(T->row);
    for (; T->buckets[at] != 0; at = (at + 1) % RW_BUCKETS)
        if (rw_is_same_row(T->row, rw_first_row(T) + (int64_t)(T->buckets[at] - 1) * RW_ROW_WIDTH))
            return T->buckets[at] - 1;
    const int32_t number = (int32_t)rw_rows(T);
    if (number == RW_MOST_ROWS) {
        T->failed = 1;
        return -1;
    }
    int32_t *place = rw_list_more(T, &T->rows, sizeof T->row), *times = rw_list_more(T, &T->times, sizeof *times);
    if (place == NULL || times == NULL) return -1;
    memcpy(place, T->row, sizeof T->row);
    *times = 0;
    T->buckets[at] = number + 1;
    return number;
}

/* One more game with the row of this number; 0 if there is no room for it. */
static inline int rw_count_row(RwStudy *T, int32_t number) {
    int32_t *place = number < 0 ? NULL : rw_list_more(T, &T->row_of_game, sizeof *place);
    if (place == NULL) return 0;
    *place = number;
    rw_games_of_rows(T)[number]++;
    return 1;
}

/* One more game, whose row is T->row; 0 if there is no room for it. */
static int rw_keep_row(RwStudy *T) {
    return rw_count_row(T, rw_number_of_row(T));
}

/* Forgets all games. Endings keep their numbers. */
static void rw_study_anew(RwStudy *T) {
    for (int32_t i = 0; i < T->touched_count; i++) memset(&T->uses[T->touched[i]], 0, sizeof *T->uses);
    for (int32_t i = 0; i < T->begun_count; i++) memset(&T->begun[T->begun_order[i]], 0, sizeof *T->begun);
    T->touched_count = T->begun_count = T->close_games = T->game_number = 0;
    T->rows.n = T->times.n = T->row_of_game.n = T->early.n = 0;
    memset(T->buckets, 0, sizeof *T->buckets * RW_BUCKETS);
    memset(T->alike, 0, sizeof T->alike);
}

/* `described`: turns, rounds, groups of lines (each with its length in front; the last with the number of groups in
 * front of that), five bases of things, the row of each piece, then where each site begins, and the sites. A site: how
 * many branches, the thing of passing, and for each branch its first option, the first behind it, its thing, how many
 * values it has, and of each the lowest, how many there are, what kind of thing it is. NULL if there is no memory. */
RW_API RwStudy *rwx_study(const int32_t *described, int32_t n) {
    RwStudy *T = calloc(1, sizeof *T);
    if (T == NULL) return NULL;
    T->described = malloc(sizeof(int32_t) * (size_t)n);
    if (T->described == NULL) {
        free(T);
        return NULL;
    }
    memcpy(T->described, described, sizeof(int32_t) * (size_t)n);
    T->turns = T->described;
    T->rounds = T->turns + 1 + T->turns[0];
    T->group_count = T->rounds[1 + T->rounds[0]];
    T->groups = T->rounds + 2 + T->rounds[0];
    T->bases = T->groups + RW_LINES;
    T->rows_of = T->bases + 5;
    T->sites = T->rows_of + RW_PIECES;
    const size_t things = (size_t)T->bases[4];
    T->uses = calloc(things, sizeof *T->uses);
    T->touched = calloc(things, sizeof *T->touched);
    T->begun = calloc(RW_HITS + 1, sizeof *T->begun);
    T->begun_order = calloc(RW_HITS + 1, sizeof *T->begun_order);
    T->used = calloc(things * RW_PLAYERS, sizeof *T->used);
    T->used_order = calloc(things * RW_PLAYERS, sizeof *T->used_order);
    T->buckets = calloc(RW_BUCKETS, sizeof *T->buckets);
    if (T->buckets == NULL || T->uses == NULL || T->touched == NULL || T->begun == NULL || T->begun_order == NULL || T->used == NULL ||
        T->used_order == NULL) {
        rwx_free_study(T);
        return NULL;
    }
    return T;
}

/* ---------------------------------------------------------------- the end of a game */

/* The number of an ending, a text with its values; RW_ROW_NONE for no text, -2 if it has to be Python's. */
static int32_t rw_ending(RwStudy *T, const State *S) {
    RwEnding *known = (RwEnding *)(void *)T->endings.bytes;
    const int32_t count = (int32_t)(T->endings.n / (int64_t)sizeof *known);
    if (S->why < 0) return RW_ROW_NONE;
    if (S->nwhy < 0) return -2;
    const size_t size = sizeof(elt) * (size_t)S->nwhy;
    for (int32_t i = 0; i < count; i++)
        if (known[i].text == S->why && memcmp(known[i].values, S->whys, size) == 0) return i;
    if (count == RW_MOST_ENDINGS || (known = rw_list_more(T, &T->endings, sizeof *known)) == NULL) return -2;
    known->text = S->why;
    known->n = S->nwhy;
    memcpy(known->values, S->whys, size);
    return count;
}

/* The score sheet of a game that is over; 0 if Python has to read it. */
static int rw_read_sheet(Ctx *C, State *S, int32_t *row) {
    int32_t *scores = row + RW_ROW_SCORES, *masks = row + RW_ROW_BLOCKS, *points = row + RW_ROW_POINTS;
    memset(scores, 0, sizeof(int32_t) * (size_t)(RW_ROW_WIDTH - RW_ROW_SCORES));
    if (rw_is_unscored(S)) return 1;
    for (int player = 0; player < RW_PLAYERS; player++) {
        int64_t total = 0;
        for (int block = 0, line = 0; block < RW_BLOCKS; line += RW_LINES_OF[block++]) {
            elt room[RW_LINE_ROOM];
            Set lines = rw_block(C, S, player, block, room);
            if (lines.n > 0) masks[block] |= 1 << player;
            for (int32_t i = 0; i < lines.n; i++) {
                const elt own = lines.v[i];
                if (own > RW_MOST_POINTS || own < -RW_MOST_POINTS) return 0;
                points[(line + i) * RW_PLAYERS + player] = own;
                total += own;
            }
        }
        if (total > RW_MOST_POINTS || total < -RW_MOST_POINTS) return 0;
        scores[player] = (int32_t)total;
    }
    return C->fault == 0;
}

/* How often the rules with these counters began. */
static inline int32_t rw_begun_of(const Ctx *C, const int32_t *counters) {
    int32_t sum = 0;
    for (int32_t i = 1; i <= counters[0]; i++) sum += C->counts[1 + counters[i]];
    return sum;
}

/* How many rounds have begun, and so many turns. Without a rule for them one turn of each player makes one. */
static inline int32_t rw_rounds_begun(const Ctx *C, const RwStudy *T, int32_t turns) {
    return T->rounds[0] > 0 ? rw_begun_of(C, T->rounds) : (turns + RW_PLAYERS - 1) / RW_PLAYERS;
}

static void rw_rank_anew(Ctx *C, State *S, int32_t *row) {
    int32_t *ranking = row + RW_ROW_RANKING;
    num scores[RW_PLAYERS];
    for (int player = 0; player < RW_PLAYERS; player++) scores[player] = row[RW_ROW_SCORES + player];
    C->known_points = scores; /* ranks ask for them */
    rw_ranking(C, S, ranking);
    C->known_points = NULL;
    row[RW_ROW_WINNERS] = 0;
    for (int player = 0; player < RW_PLAYERS; player++)
        if (ranking[player] == 1) row[RW_ROW_WINNERS] |= 1 << player;
}

/* Who won and who is gone, where there are few players. */
static uint64_t rw_outcome(const State *S) {
    uint64_t ends = 1;
    for (int player = 0; player < RW_PLAYERS; player++) ends += (uint64_t)(rw_is_gone(S, player) != 0) << player;
    for (int i = 0; i < S->nwon; i++) ends += (uint64_t)1 << (RW_PLAYERS + S->won[i]);
    return ends;
}

/* Where the rules name the winners, nothing else counts but who is gone: such a ranking is worked out once. */
static void rw_rank_row(Ctx *C, RwStudy *T, State *S, int32_t *row) {
    if (S->nwon < 0 || RW_PLAYERS > RW_FEW_PLAYERS) {
        rw_rank_anew(C, S, row);
        return;
    }
    const uint64_t ends = rw_outcome(S);
    RwRanked *known = &T->ranked[(ends ^ ends >> RW_PLAYERS) % RW_RANKED];
    if (known->ends != ends) {
        rw_rank_anew(C, S, row);
        known->ends = ends;
        known->winners = row[RW_ROW_WINNERS];
        memcpy(known->ranking, row + RW_ROW_RANKING, sizeof known->ranking);
    }
    row[RW_ROW_WINNERS] = known->winners;
    memcpy(row + RW_ROW_RANKING, known->ranking, sizeof known->ranking);
}

static void rw_compare_scores(int32_t *row) {
    const int32_t *scores = row + RW_ROW_SCORES;
    int32_t best = RW_POINTS_WIN * scores[0], second = INT32_MIN, other = INT32_MIN;
    for (int player = 1; player < RW_PLAYERS; player++) {
        const int32_t worth = RW_POINTS_WIN * scores[player];
        if (worth > other) other = worth;
        if (worth > best) {
            second = best;
            best = worth;
        } else if (worth > second) {
            second = worth;
        }
    }
    row[RW_ROW_LEAD] = RW_PLAYERS > 1 ? RW_POINTS_WIN * scores[0] - other : 0;
    row[RW_ROW_MARGIN] = RW_PLAYERS > 1 ? best - second : 0;
}

/* Makes the row of a game that is over; 0 if Python has to. */
static int rw_make_row(Ctx *C, RwStudy *T, State *S, int32_t forced) {
    int32_t *row = T->row;
    C->fault = 0;
    row[RW_ROW_CLOSE] = 0;
    row[RW_ROW_DECISIONS] = S->decisions;
    row[RW_ROW_FORCED] = forced;
    row[RW_ROW_TURNS] = T->turns[0] > 0 ? rw_begun_of(C, T->turns) : RW_ROW_NONE;
    row[RW_ROW_ROUNDS] = T->turns[0] > 0 ? rw_rounds_begun(C, T, row[RW_ROW_TURNS]) : RW_ROW_NONE;
    row[RW_ROW_ENDING] = rw_ending(T, S);
    row[RW_ROW_OFFERED] = row[RW_ROW_CHANGES] = row[RW_ROW_BEHIND] = RW_ROW_NONE;
    if (row[RW_ROW_ENDING] == -2 || !rw_read_sheet(C, S, row)) return 0;
    rw_rank_row(C, T, S, row);
    rw_compare_scores(row);
    return 1;
}

/* Where the rules count no points, a game ends in one of a few ways: the place of its way among those so far. It has no
 * row, if none ended so before. NULL if the row of this game has more to it. */
static RwAlike *rw_alike(const Ctx *C, RwStudy *T, const State *S) {
    const int is_ranked = RW_RANK_KEYS > 0 || RW_SCORED;
    if (RW_BLOCKS > 0 || RW_PLAYERS > RW_FEW_PLAYERS || (is_ranked && S->nwon < 0) || S->nwhy != 0) return NULL;
    RwAlike way = {rw_outcome(S) | (uint64_t)(S->nwon >= 0) << 63, S->decisions, C->counts[0], RW_ROW_NONE, RW_ROW_NONE, S->why, 0};
    if (T->turns[0] > 0) {
        way.turns = rw_begun_of(C, T->turns);
        way.rounds = rw_rounds_begun(C, T, way.turns);
    }
    const uint32_t told = (uint32_t)way.ends + 31 * (uint32_t)way.decisions + 1021 * (uint32_t)way.forced +
                          (uint32_t)(way.turns + way.rounds + way.why);
    RwAlike *known = &T->alike[told * 2654435761u >> (32 - RW_ALIKE_BITS)];
    if (known->ends != way.ends || known->decisions != way.decisions || known->forced != way.forced ||
        known->turns != way.turns || known->rounds != way.rounds || known->why != way.why)
        *known = way;
    return known;
}

/* ---------------------------------------------------------------- looking closely */

/* Who leads, whenever a round has begun; in a game without turns whenever somebody else decides. A score sheet that can
 * be read only at the end is passed over. */
static void rw_note_leaders(Ctx *C, RwStudy *T, State *S) {
    RwRank keys[RW_PLAYERS];
    num points[RW_PLAYERS];
    const int32_t refusal = C->refusal;
    C->fault = 0;
    for (int player = 0; player < RW_PLAYERS; player++) points[player] = RW_SCORED ? rw_points(C, S, player) : 0;
    C->known_points = points;
    for (int player = 0; player < RW_PLAYERS; player++) keys[player] = rw_rank_of(C, S, player);
    C->known_points = NULL;
    C->refusal = refusal;
    if (C->fault != 0) {
        C->fault = 0;
        return;
    }
    if (!T->looked) memcpy(T->first_keys, keys, sizeof keys);
    T->looked = 1;
    uint32_t leaders = 0;
    int best = 0;
    for (int player = 1; player < RW_PLAYERS; player++)
        if (rw_is_before(&keys[player], &keys[best])) best = player;
    for (int player = 0; player < RW_PLAYERS; player++) {
        if (!rw_is_before(&keys[best], &keys[player])) leaders |= 1u << player;
        const RwRank *first = &T->first_keys[player];
        if (rw_is_before(&keys[player], first) || rw_is_before(first, &keys[player])) T->moved = 1;
    }
    uint32_t *place = rw_list_more(T, &T->leaders, sizeof leaders);
    if (place != NULL) *place = leaders;
}

static void rw_look(Ctx *C, RwStudy *T, State *S) {
    if (!RW_SCORED && RW_RANK_KEYS == 0) return;
    const num now = T->turns[0] > 0 ? rw_rounds_begun(C, T, rw_begun_of(C, T->turns)) : S->who;
    if (T->has_last && now == T->last) return;
    T->has_last = 1;
    T->last = now;
    rw_note_leaders(C, T, S);
}

/* How many options of a decision that has yet to be tried can be carried through. */
static int32_t rw_carried_count(Ctx *C, State *S) {
    const RwSite *site = &RW_SITE[S->site];
    int32_t budget = RW_TRIAL_STEPS, count = 0;
    int callers = RW_NOT_ASKED;
    for (int32_t i = 0; i < S->nopts; i++) {
        const int32_t option = C->opts[S->opts + i];
        count += option <= RW_FREE ||
                 rw_is_offered(C, S, site, C->untried_test, C->env.bytes, option, S->who, &budget, &callers);
    }
    return count;
}

static int rw_note_closely(Ctx *C, RwStudy *T, State *S, int32_t count, int32_t option) {
    RwChosen *chosen = rw_list_more(T, &T->choices, sizeof *chosen);
    if (chosen == NULL) return rw_fault(C, 904, 0, -1);
    *chosen = (RwChosen){S->who, S->site, option};
    T->offered += count;
    S->steps = 0;
    S->decisions++;
    return RW_GO;
}

/* One of the first choices among evenly drawn options: which of them it is, of how many options, which one, as one
 * number (`early_choice` of study/rows.py). */
static void rw_note_early(RwStudy *T, int32_t count, int32_t index) {
    const int32_t made = (int32_t)(T->choices.n / (int64_t)sizeof(RwChosen));
    if (made >= RW_EARLY) return;
    int64_t *place = rw_list_more(T, &T->early, sizeof *place);
    if (place != NULL) *place = (int64_t)made << 58 | (int64_t)count << 29 | index;
}

/* Which option a question drew that draws by itself (rw_drawn_option), from the generator as it was before. */
static int32_t rw_drawn_index(uint64_t choice, uint64_t bits, int32_t n) {
    if (bits < 0x10000) bits = RW_TURN(choice) >> 16;
    return (int32_t)(bits % (uint64_t)n);
}

/* Answers the pending decision: by the choices that are given, else at random. */
static int rw_close_choice(Ctx *C, RwStudy *T, State *S, const int32_t *given, int32_t n, uint64_t choice,
                           uint64_t bits) {
    int32_t option, count = S->nopts;
    if (C->untried >= 0 && C->untried == S->site) {
        int only = 0;
        count = rw_carried_count(C, S);
        if (rw_sample(C, S, &C->choice, &option, &only) != RW_GO) return RW_FAULT;
    } else if (count == 1) {
        option = C->opts[S->opts];
        if (rw_spend(C, S, 0, -1) != RW_GO) return RW_FAULT;
    } else if (count == 0 || rw_is_automa(S->who)) {
        int done;
        return rw_answers_itself(C, S, &done);
    } else if (given != NULL) {
        const int32_t made = (int32_t)(T->choices.n / (int64_t)sizeof(RwChosen));
        if (made >= n) return rw_fault(C, 908, made, -1);
        option = given[made];
        if (!rw_is_among(C->opts + S->opts, count, option)) return rw_fault(C, 908, option, -1);
    } else {
        const int32_t index = C->drawn ? rw_drawn_index(choice, bits, count) : rw_next_choice(C, count);
        option = C->opts[S->opts + (C->drawn ? 0 : index)];
        rw_note_early(T, count, index);
    }
    if (count == 1) C->counts[0]++;
    else if (rw_note_closely(C, T, S, count, option) != RW_GO) return RW_FAULT;
    return rw_take(C, S, option);
}

/* rw_playout with more noted. */
static int rw_close_game(Ctx *C, RwStudy *T, State *S, uint64_t choice, const int32_t *given, int32_t n) {
    rw_begin(C);
    if (S->depth == 0) return rw_fault(C, 908, 0, -1);
    C->choice = choice;
    C->bits = 0;
    C->sampled = RW_AUTOMAS == 0 && given == NULL ? RW_ONE_OPTION : 0;
    T->leaders.n = T->choices.n = 0;
    T->looked = T->offered = 0;
    T->moved = T->has_last = 0;
    for (int64_t left = (int64_t)RW_DECISION_LIMIT * 20; left > 0; left--) {
        const uint64_t drawn_from = C->choice, bits = C->bits;
        C->optop = C->ustop = 0;
        C->drawn = 0;
        int signal = rw_segment(C, S, RW_PLAYOUT, RW_TOP_FRAME(S));
        rw_check_masks(S);
        if (signal == RW_GO) continue;
        if (signal == RW_STOP && !S->over) {
            rw_look(C, T, S);
            signal = rw_close_choice(C, T, S, given, n, drawn_from, bits);
        }
        if (signal == RW_GO) continue;
        C->sampled = 0;
        return signal == RW_ENDED ? RW_STOP : signal;
    }
    C->sampled = 0;
    return rw_fault(C, 906, RW_DECISION_LIMIT, -1);
}

static int rw_is_alone(uint32_t leaders) {
    return leaders != 0 && (leaders & (leaders - 1)) == 0;
}

/* Changes of the lead, and whether the winner was behind at half time; none where nobody ever leads. */
static void rw_sum_up_leaders(const RwStudy *T, int32_t *row) {
    const uint32_t *leaders = (const uint32_t *)(const void *)T->leaders.bytes;
    const int64_t count = T->leaders.n / (int64_t)sizeof *leaders;
    const uint32_t winners = (uint32_t)row[RW_ROW_WINNERS];
    uint32_t last = 0;
    int32_t changes = 0;
    if (!T->moved || RW_PLAYERS < 2 || count == 0) return;
    for (int64_t i = 0; i <= count; i++) {
        const uint32_t now = i < count ? leaders[i] : winners;
        if (!rw_is_alone(now)) continue;
        changes += last != 0 && now != last;
        last = now;
    }
    row[RW_ROW_CHANGES] = changes;
    if (rw_is_alone(winners)) row[RW_ROW_BEHIND] = (leaders[count / 2] & winners) == 0;
}

#endif /* RW_HITS */
#endif
