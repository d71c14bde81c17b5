/* Games of a study: played, looked at, summed up. Only in libraries that count (RW_HITS), which are made for studies.
 *
 * study/watch.py and study/tally.py, figure for figure: rwx_study_play and rwx_study_follow write a row of numbers for
 * each game, rwx_study_sums adds the rows up. Whatever appears for the first time is told in that order, since Python's
 * counters keep it. A game whose row does not fit (a fault, an end whose words Python has to find, points beyond a
 * million) is left to Python: rwx_study_play stops in front of it. What the numbers of choices mean is described by
 * Python once (rwx_study).
 */
#ifndef RW_STUDY_H
#define RW_STUDY_H

#include "rw_study_rows.h"

#if RW_HITS > 0

/* ---------------------------------------------------------------- what was used */

static int rw_add_thing(int32_t *things, int n, int32_t thing) {
    return n == RW_MOST_THINGS || rw_is_among(things, n, thing) ? n : (things[n] = thing, n + 1);
}

/* What a choice did and named, each thing once (study/choices.py). */
static int rw_things_of(const RwStudy *T, int32_t number, int32_t option, int32_t *things) {
    const int32_t *at = T->described + T->sites[number], *bases = T->bases;
    int branches = at[0];
    if (option <= RW_FREE) return rw_add_thing(things, 0, bases[0] + RW_FREE - option);
    if (option < 0) return rw_add_thing(things, 0, at[1]);
    for (at += 2; --branches > 0 && option >= at[1]; at += 4 + 3 * at[3]) {}
    int32_t rest = option - at[0], values[RW_MOST_THINGS];
    int n = rw_add_thing(things, 0, at[2]);
    const int count = at[3] < RW_MOST_THINGS ? at[3] : RW_MOST_THINGS;
    for (int i = count - 1; i >= 0; i--) {
        values[i] = rest % at[5 + 3 * i] + at[4 + 3 * i];
        rest /= at[5 + 3 * i];
    }
    for (int i = 0; i < count; i++) {
        const int32_t value = values[i];
        switch (at[6 + 3 * i]) {
        case RW_THING_PIECE:
            if (value >= 0 && value < RW_PIECES) n = rw_add_thing(things, n, bases[1] + T->rows_of[value]);
            break;
        case RW_THING_NODE: n = rw_add_thing(things, n, bases[2] + value); break;
        case RW_THING_EDGE: n = rw_add_thing(things, n, bases[3] + value); break;
        }
    }
    return n;
}

static void rw_use(RwUse *use, int32_t *order, int32_t *count, int32_t number) {
    if (use[number].games == 0 && use[number].players == 0) order[(*count)++] = number;
}

/* Adds what the present game used; `winners` came first. */
static void rw_add_uses(RwStudy *T, const Ctx *C, uint32_t winners) {
    const RwChosen *chosen = (const RwChosen *)(const void *)T->choices.bytes;
    const int64_t made = T->choices.n / (int64_t)sizeof *chosen;
    int32_t things[RW_MOST_THINGS], pairs = 0;
    T->game_number++;
    for (int64_t i = 0; i < made; i++) {
        const int n = rw_things_of(T, chosen[i].site, chosen[i].option, things);
        for (int j = 0; j < n; j++) {
            const int32_t pair = things[j] * RW_PLAYERS + chosen[i].who;
            if (T->used[pair]++ == 0) T->used_order[pairs++] = pair;
        }
    }
    for (int32_t i = 0; i < pairs; i++) {
        const int32_t pair = T->used_order[i], thing = pair / RW_PLAYERS;
        RwUse *use = &T->uses[thing];
        rw_use(T->uses, T->touched, &T->touched_count, thing);
        use->times += T->used[pair];
        use->players++;
        use->firsts += winners >> (pair % RW_PLAYERS) & 1;
        if (use->seen_in != T->game_number) use->games++;
        use->seen_in = T->game_number;
        T->used[pair] = 0;
    }
    for (int32_t i = 0; i < RW_HITS; i++) {
        if (C->counts[1 + i] == 0) continue;
        rw_use(T->begun, T->begun_order, &T->begun_count, i);
        T->begun[i].times += C->counts[1 + i];
        T->begun[i].games++;
    }
}

/* One game looked at closely, and its row; RW_STOP, or why it has to be Python's. */
static int rw_closely(Ctx *C, RwStudy *T, uint64_t seed, const int32_t *given, int32_t n) {
    State *S = C->work;
    const int64_t early = T->early.n;
    int signal = rw_set_out(C, S, seed, 1);
    memset(C->counts, 0, sizeof C->counts);
    if (signal == RW_GO) signal = rw_close_game(C, T, S, rw_seeded(seed ^ 0x5DEECE66Du), given, n);
    if (signal == RW_STOP && (T->failed || !rw_make_row(C, T, S, C->counts[0]))) signal = RW_UNKNOWN;
    if (signal == RW_STOP) {
        T->row[RW_ROW_CLOSE] = 1;
        T->row[RW_ROW_OFFERED] = T->offered;
        rw_sum_up_leaders(T, T->row);
        if (!rw_keep_row(T)) signal = RW_UNKNOWN;
    }
    if (signal != RW_STOP) {
        T->early.n = early;
        return signal;
    }
    rw_add_uses(T, C, (uint32_t)T->row[RW_ROW_WINNERS]);
    T->close_games++;
    return RW_STOP;
}

/* A random game and its row; 0 if it has to be Python's. */
static int rw_study_game(Ctx *C, RwStudy *T, uint64_t seed, int is_close) {
    if (is_close) return rw_closely(C, T, seed, NULL, 0) == RW_STOP && !T->failed;
    if (rwx_playout(C, C->work, seed, NULL, 0, NULL) != RW_STOP) return 0;
    RwAlike *known = rw_alike(C, T, C->work);
    if (known != NULL && known->row > 0) return rw_count_row(T, known->row - 1);
    if (!rw_make_row(C, T, C->work, C->counts[0])) return 0;
    const int32_t number = rw_number_of_row(T);
    if (known != NULL) known->row = number + 1;
    return rw_count_row(T, number) && !T->failed;
}

/* True if no game can be played before those so far are summed up and forgotten. */
RW_API int32_t rwx_study_is_full(const RwStudy *T) {
    return rw_rows(T) >= RW_MOST_ROWS;
}

/* Random games from these seeds; those whose numbers `step` divides, counted from `number` on, are looked at closely.
 * Gives how many were played: fewer than n if there is no more room, or the next has to be Python's. */
RW_API int32_t rwx_study_play(Ctx *C, RwStudy *T, const uint64_t *seeds, int32_t n, int64_t number, int64_t step) {
    for (int32_t game = 0; game < n; game++)
        if (rwx_study_is_full(T) || !rw_study_game(C, T, seeds[game], (number + game) % step == 0)) return game;
    return n;
}

/* The same from seeds that follow each other. */
RW_API int32_t rwx_study_run(Ctx *C, RwStudy *T, uint64_t first, int32_t n, int64_t number, int64_t step) {
    for (int32_t game = 0; game < n; game++)
        if (rwx_study_is_full(T) || !rw_study_game(C, T, first + (uint64_t)game, (number + game) % step == 0)) return game;
    return n;
}

/* A game whose choices are known, looked at closely: 1, or 0 if it has to be Python's. */
RW_API int32_t rwx_study_follow(Ctx *C, RwStudy *T, uint64_t seed, const int32_t *given, int32_t n) {
    return rw_closely(C, T, seed, given, n) == RW_STOP;
}

/* ---------------------------------------------------------------- sums */

/* How often a column has which number, in the order in which they come; RW_ROW_NONE is left out if `is_optional`. Any
 * number may come. */
static void rw_tell_wide(RwStudy *T, int column, int is_optional) {
    static const int32_t empty = INT32_MIN;
    struct { int32_t value; int32_t at; } buckets[RW_BUCKETS];
    const int32_t *row = rw_first_row(T), *times = rw_games_of_rows(T);
    const int64_t rows = rw_rows(T), head = T->out.n;
    int32_t known = 0;
    for (int32_t i = 0; i < RW_BUCKETS; i++) buckets[i].value = empty;
    rw_put_sum(T, 0);
    for (int64_t i = 0; i < rows; i++, row += RW_ROW_WIDTH) {
        const int32_t value = row[column];
        if (is_optional && value == RW_ROW_NONE) continue;
        uint32_t at = (uint32_t)value * 2654435761u >> (32 - RW_BUCKET_BITS);
        while (buckets[at].value != value && buckets[at].value != empty) at = (at + 1) % RW_BUCKETS;
        if (buckets[at].value == empty) {
            if (known == RW_BUCKETS / 2) {
                T->failed = 1;
                return;
            }
            buckets[at].value = value;
            buckets[at].at = known++;
            rw_put_sum(T, value);
            rw_put_sum(T, 0);
            if (T->failed) return;
        }
        ((int64_t *)(void *)(T->out.bytes + head))[2 + 2 * buckets[at].at] += times[i];
    }
    ((int64_t *)(void *)(T->out.bytes + head))[0] = known;
}

/* The columns that are counted, and whether RW_ROW_NONE is left out. */
static const struct { int16_t at, is_optional; } RW_TOLD_COLUMNS[] = {
    {RW_ROW_LEAD, 0}, {RW_ROW_MARGIN, 0}, {RW_ROW_DECISIONS, 0}, {RW_ROW_FORCED, 0}, {RW_ROW_TURNS, 1},
    {RW_ROW_ROUNDS, 1}, {RW_ROW_CHANGES, 1}, {RW_ROW_ENDING, 0}, {RW_ROW_BEHIND, 1},
};
enum { RW_COLUMNS = 1 + RW_PLAYERS + (int)(sizeof RW_TOLD_COLUMNS / sizeof *RW_TOLD_COLUMNS), RW_WINDOW = 256 };

/* Most columns have few different numbers that lie close together: those are counted in a window around the first one,
 * all columns in one go, since rows lie far apart in memory. A column that leaves its window is counted by itself. */
typedef struct {
    int32_t first, known;
    int16_t column;
    int8_t is_optional, is_wide, is_points;
    uint8_t order[RW_WINDOW];
    int32_t counts[RW_WINDOW];
} RwCounted;

static void rw_begin_columns(RwCounted *all, const int32_t *row) {
    for (int i = 0; i < RW_COLUMNS; i++) {
        RwCounted *own = &all[i];
        const int plain = i - 1 - RW_PLAYERS;
        own->column = (int16_t)(i == 0 ? RW_ROW_WINNERS : plain < 0 ? RW_ROW_SCORES + i - 1 : RW_TOLD_COLUMNS[plain].at);
        own->is_optional = (int8_t)(plain >= 0 && RW_TOLD_COLUMNS[plain].is_optional);
        own->is_points = i > 0 && (plain < 0 || own->column == RW_ROW_LEAD || own->column == RW_ROW_MARGIN);
        own->first = row[own->column] - RW_WINDOW / 2;
        own->known = own->is_wide = 0;
        memset(own->counts, 0, sizeof own->counts);
    }
}

/* How often each column has which number, in the order in which they come. */
static void rw_tell_columns(RwStudy *T) {
    RwCounted all[RW_COLUMNS];
    const int32_t *row = rw_first_row(T), *times = rw_games_of_rows(T);
    const int64_t rows = rw_rows(T);
    if (rows > 0) rw_begin_columns(all, row);
    for (int64_t i = 0; i < rows; i++, row += RW_ROW_WIDTH)
        for (RwCounted *own = all; own < all + RW_COLUMNS; own++) {
            if (RW_BLOCKS == 0 && own->is_points) continue;
            const uint32_t at = (uint32_t)row[own->column] - (uint32_t)own->first;
            if (at >= RW_WINDOW) own->is_wide = 1;
            else if ((own->counts[at] += times[i]) == times[i]) own->order[own->known++] = (uint8_t)at;
        }
    for (RwCounted *own = all; own < all + RW_COLUMNS; own++) {
        if (rows > 0 && RW_BLOCKS == 0 && own->is_points) { /* without a score sheet all are 0 */
            own->order[own->known++] = RW_WINDOW / 2;
            own->counts[RW_WINDOW / 2] = (int32_t)rw_games(T);
        }
        if (rows == 0) {
            rw_put_sum(T, 0);
            continue;
        }
        if (own->is_wide) {
            rw_tell_wide(T, own->column, own->is_optional);
            continue;
        }
        const uint32_t none = own->is_optional ? (uint32_t)RW_ROW_NONE - (uint32_t)own->first : RW_WINDOW;
        rw_put_sum(T, own->known - (none < RW_WINDOW && own->counts[none] > 0));
        for (int32_t i = 0; i < own->known; i++) {
            if (own->order[i] == none) continue;
            rw_put_sum(T, own->first + own->order[i]);
            rw_put_sum(T, own->counts[own->order[i]]);
        }
    }
}

/* The score sheet: labels in the order in which they come, then of each label and seat sums and squares, of each label
 * its part of the differences; last the squares of those. */
static void rw_tell_sheet(RwStudy *T) {
    enum { LABELS = RW_LINES + 1 };
    int64_t sums[LABELS][RW_PLAYERS] = {{0}}, squares[LABELS][RW_PLAYERS] = {{0}}, shared[LABELS] = {0}, spread = 0;
    int32_t order[LABELS], known = 0;
    int8_t is_known[LABELS] = {0};
    const int32_t *row = rw_first_row(T), *times = rw_games_of_rows(T);
    const int64_t rows = rw_rows(T);
    for (int64_t i = 0; i < rows; i++, row += RW_ROW_WIDTH) {
        const int32_t *scores = row + RW_ROW_SCORES, *masks = row + RW_ROW_BLOCKS, *points = row + RW_ROW_POINTS;
        int64_t own[LABELS][RW_PLAYERS] = {{0}};
        for (int line = 0; line < RW_LINES; line++)
            for (int seat = 0; seat < RW_PLAYERS; seat++) own[T->groups[line]][seat] += points[line * RW_PLAYERS + seat];
        for (int seat = 0; known < T->group_count && seat < RW_PLAYERS; seat++)
            for (int block = 0, line = 0; block < RW_BLOCKS; line += RW_LINES_OF[block++])
                for (int j = 0; (masks[block] >> seat & 1) && j < RW_LINES_OF[block]; j++)
                    if (!is_known[T->groups[line + j]]) is_known[order[known++] = T->groups[line + j]] = 1;
        for (int32_t label = 0; label < T->group_count; label++)
            for (int seat = 0; seat < RW_PLAYERS; seat++) {
                sums[label][seat] += times[i] * own[label][seat];
                squares[label][seat] += times[i] * own[label][seat] * own[label][seat];
                for (int one = 0; one < seat; one++)
                    shared[label] += times[i] * (own[label][one] - own[label][seat]) * (scores[one] - scores[seat]);
            }
        for (int seat = 1; RW_BLOCKS > 0 && seat < RW_PLAYERS; seat++)
            for (int one = 0; one < seat; one++)
                spread += times[i] * (int64_t)(scores[one] - scores[seat]) * (scores[one] - scores[seat]);
    }
    rw_put_sum(T, known);
    for (int32_t i = 0; i < known; i++) {
        rw_put_sum(T, order[i]);
        for (int seat = 0; seat < RW_PLAYERS; seat++) rw_put_sum(T, sums[order[i]][seat]);
        for (int seat = 0; seat < RW_PLAYERS; seat++) rw_put_sum(T, squares[order[i]][seat]);
        rw_put_sum(T, shared[order[i]]);
    }
    rw_put_sum(T, spread);
}

static void rw_tell_uses(RwStudy *T, const RwUse *uses, const int32_t *order, int32_t count) {
    rw_put_sum(T, count);
    for (int32_t i = 0; i < count; i++) {
        const RwUse *use = &uses[order[i]];
        rw_put_sum(T, order[i]);
        rw_put_sum(T, use->times);
        rw_put_sum(T, use->games);
        rw_put_sum(T, use->players);
        rw_put_sum(T, use->firsts);
    }
}

/* The first random choices and how often each was made, in the order in which they come. If very many differ, the last of
 * them are told one by one: whoever adds up what is told finds the same. */
static void rw_tell_early(RwStudy *T) {
    enum { PLACES = 4096 };
    int32_t entries[PLACES] = {0}; /* their numbers from 1 on; 0 is free */
    const int64_t noted = T->early.n / (int64_t)sizeof(int64_t), head = T->out.n;
    int32_t known = 0;
    rw_put_sum(T, 0);
    for (int64_t i = 0; i < noted && !T->failed; i++) {
        const int64_t choice = ((const int64_t *)(const void *)T->early.bytes)[i];
        int64_t *told = (int64_t *)(void *)(T->out.bytes + head) - 1; /* entry n begins at told[2 * n] */
        uint32_t at = (uint32_t)((uint64_t)choice * 0x9E3779B97F4A7C15u >> 52);
        while (entries[at] != 0 && told[2 * (int64_t)entries[at]] != choice) at = (at + 1) % PLACES;
        if (entries[at] != 0) {
            told[2 * (int64_t)entries[at] + 1]++;
            continue;
        }
        rw_put_sum(T, choice);
        rw_put_sum(T, 1);
        if (++known < PLACES / 2) entries[at] = known;
    }
    if (!T->failed) ((int64_t *)(void *)(T->out.bytes + head))[0] = known;
}

static void rw_tell_close(RwStudy *T) {
    const int32_t *row = rw_first_row(T), *times = rw_games_of_rows(T);
    const int64_t rows = rw_rows(T);
    int64_t offered = 0, decisions = 0, firsts = 0;
    for (int64_t i = 0; i < rows; i++, row += RW_ROW_WIDTH) {
        if (!row[RW_ROW_CLOSE]) continue;
        offered += (int64_t)times[i] * row[RW_ROW_OFFERED];
        decisions += (int64_t)times[i] * row[RW_ROW_DECISIONS];
        for (int seat = 0; seat < RW_PLAYERS; seat++) firsts += times[i] * (row[RW_ROW_WINNERS] >> seat & 1);
    }
    rw_put_sum(T, T->close_games);
    rw_put_sum(T, firsts);
    rw_put_sum(T, offered);
    rw_put_sum(T, decisions);
    rw_tell_uses(T, T->uses, T->touched, T->touched_count);
    rw_tell_uses(T, T->begun, T->begun_order, T->begun_count);
    rw_tell_early(T);
}

/* All games since the last time, added up: how many there are, then columns, the score sheet, what was seen closely.
 * *n numbers stand at the address that is given; NULL if there is no memory. The rows stay until rwx_study_anew. */
RW_API const int64_t *rwx_study_sums(RwStudy *T, int32_t *n) {
    T->out.n = 0;
    rw_put_sum(T, rw_games(T));
    rw_tell_columns(T);
    rw_tell_sheet(T);
    rw_tell_close(T);
    *n = (int32_t)(T->out.n / (int64_t)sizeof(int64_t));
    return T->failed ? NULL : (const int64_t *)(const void *)T->out.bytes;
}

/* The different rows: figures[0] of them, of figures[1] numbers each. */
RW_API const int32_t *rwx_study_rows(const RwStudy *T, int32_t *figures) {
    figures[0] = (int32_t)rw_rows(T);
    figures[1] = RW_ROW_WIDTH;
    return rw_first_row(T);
}

/* Of each game the number of its row. */
RW_API const int32_t *rwx_study_games(const RwStudy *T) {
    return (const int32_t *)(const void *)T->row_of_game.bytes;
}

/* Endings from `first` on, as a text, how many values it has, and RW_WHYS + 1 numbers; gives how many there are. */
RW_API int32_t rwx_study_endings(const RwStudy *T, int32_t first, int32_t *out, int32_t room) {
    const RwEnding *known = (const RwEnding *)(const void *)T->endings.bytes;
    const int32_t count = (int32_t)(T->endings.n / (int64_t)sizeof *known);
    for (int32_t i = first; i < count && (i - first + 1) * (int32_t)(sizeof *known / sizeof *out) <= room; i++)
        memcpy(out + (size_t)(i - first) * (sizeof *known / sizeof *out), &known[i], sizeof *known);
    return count;
}

RW_API void rwx_study_anew(RwStudy *T) {
    rw_study_anew(T);
}

#endif /* RW_HITS */
#endif
