/* The interface of a compiled game: what Python, C, Rust or JavaScript calls.
 *
 * A state is rwx_state_size() bytes without any pointer: whoever plays keeps as many as needed, anywhere, and copies
 * them with rwx_copy. A context holds the buffers; one for each thread. The options of a decision lie in the context
 * and belong to the state that asked last, and its copies: for another one they are worked out again when somebody
 * asks for them.
 *
 * Functions that play give RW_STOP (1) if a decision is pending or the game is over, RW_REFUSED (2) if the rules have
 * come to a dead end, RW_FAULT (5) for a fault, which rwx_trouble describes, RW_UNKNOWN (-1) for an argument that does
 * not fit.
 *
 * A state can be read and written part by part as arrays of int32 (rwx_get, rwx_set), so that Python's State can be
 * turned into this one and back at every decision. What is written is checked: no number, whatever a save says, makes
 * anything here read or write outside the state.
 */
#ifndef RW_API_H
#define RW_API_H

#include <stdlib.h>

#include "rw.h"
#include "rw_play.h"

#ifndef RW_API
#if defined(_WIN32)
#define RW_API __declspec(dllexport)
#elif defined(__GNUC__) || defined(__clang__)
#define RW_API __attribute__((visibility("default")))
#else
#define RW_API
#endif
#endif

/* Room of a context. Python nests trials until its stack is full, at about a thousand calls. */
#ifndef RW_TRIAL_LEVELS
#define RW_TRIAL_LEVELS 512
#endif
#ifndef RW_OPTION_ROOM
#define RW_OPTION_ROOM (1 << 20)
#endif
enum { RW_AHEAD = 4096 }; /* options that a loop may write before it asks whether there was room for them */

enum { RW_UNKNOWN = -1 };

/* Which version of this interface the library has: Python asks before it calls anything else. */
RW_API int32_t rulewright_abi(void) {
    return 1;
}

/* What the numbers of frames mean, as JSON text. */
RW_API const char *rwx_layout(void) {
    return RW_LAYOUT;
}

#if defined(__wasm__)
/* Where the allowance of a call stands: units of work, as compile/work.py counts them. Whoever calls writes it before
 * each call; a module that nobody limits has more than it can use up. */
RW_API int64_t *rwx_allowance(void) {
    return &rw_allowance;
}
#endif

/* ---------------------------------------------------------------- contexts and states */

RW_API void rwx_free_context(Ctx *C) {
    if (C == NULL) return;
    free(C->opts);
    free(C->kept);
    free(C->us);
    for (int32_t i = 0; C->trials != NULL && i < C->trial_levels; i++) free(C->trials[i]);
    free(C->trials);
    free(C->first);
    free(C->work);
    rw_free_chunks(C);
    rw_free_far(C);
    free(C);
}

/* NULL if there is not enough memory. */
RW_API Ctx *rwx_context(void) {
    Ctx *C = calloc(1, sizeof *C);
    if (C == NULL) return NULL;
    C->optcap = C->keptcap = C->uscap = RW_OPTION_ROOM;
    C->trial_levels = RW_TRIAL_LEVELS;
    C->untried = -1;
    /* Stamps of different contexts must differ, since a state may wander from thread to thread. */
    C->stamps = ((uint64_t)(uintptr_t)C * 0x9E3779B97F4A7C15u) & ~(((uint64_t)1 << 40) - 1);
    C->opts = malloc(sizeof(int32_t) * ((size_t)C->optcap + RW_AHEAD)); /* untouched pages cost nothing */
    C->kept = malloc(sizeof(int32_t) * (size_t)C->keptcap);
    C->us = malloc(sizeof(int32_t) * (size_t)C->uscap);
    C->trials = calloc((size_t)C->trial_levels, sizeof(State *));
    C->first = malloc(sizeof(State));
    C->work = malloc(sizeof(State));
    if (C->opts == NULL || C->kept == NULL || C->us == NULL || C->trials == NULL ||
        C->first == NULL || C->work == NULL) {
        rwx_free_context(C);
        return NULL;
    }
    return C;
}

/* Memory for what is handed in and out, for programs that cannot make any in here: a page around a module. */
RW_API void *rwx_allocate(int32_t size) {
    return malloc((size_t)size);
}

RW_API void rwx_release(void *block) {
    free(block);
}

RW_API int64_t rwx_state_size(void) {
    return (int64_t)sizeof(State);
}

/* How many bytes of a state are in use: a copy of those, laid into a full state, is the same game. */
RW_API int64_t rwx_live_size(const State *S) {
    return (int64_t)rw_live_size(S);
}

RW_API State *rwx_state(void) {
    State *S = malloc(sizeof(State));
    if (S != NULL) rw_blank(S);
    return S;
}

RW_API void rwx_free_state(State *S) {
    free(S);
}

RW_API void rwx_copy(Ctx *C, State *to, const State *from) {
    (void)C;
    rw_copy(to, from);
}

/* ---------------------------------------------------------------- playing */

/* Where six numbers stand after each rwx_new, rwx_apply and rwx_resume: the site and the option of the choice that was
 * made, whether the game is over, who decides, at which site, among how many options. Behind them stand the options, if
 * there are no more than RW_OPTIONS_TOLD. One look instead of seven calls. */
RW_API int32_t *rwx_report(Ctx *C) {
    return C->report;
}

static int32_t rw_told(Ctx *C, const State *S, int signal) {
    C->report[2] = S->over;
    C->report[3] = S->who;
    C->report[4] = S->site;
    C->report[5] = S->over ? 0 : S->nopts;
    if (signal == RW_STOP && C->report[5] > 0 && C->report[5] <= RW_OPTIONS_TOLD)
        memcpy(C->report + RW_TOLD, C->opts + S->opts, sizeof(int32_t) * (size_t)C->report[5]);
    return signal;
}

RW_API int32_t rwx_new(Ctx *C, State *S, uint64_t seed, int32_t automatic) {
    return rw_told(C, S, rw_new(C, S, seed, automatic));
}

/* A state of its own that is the same; NULL if there is no memory. */
RW_API State *rwx_clone(const State *from) {
    State *to = malloc(sizeof(State));
    if (to != NULL) rw_copy(to, from);
    return to;
}

/* Goes on from a state that was put together by rwx_set: the pending decision is asked again. */
RW_API int32_t rwx_resume(Ctx *C, State *S) {
    return rw_told(C, S, S->over ? RW_STOP : rw_run(C, S));
}

RW_API int32_t rwx_over(const State *S) {
    return S->over;
}

RW_API int32_t rwx_who(const State *S) {
    return S->over ? -1 : S->who;
}

RW_API int32_t rwx_site(const State *S) {
    return S->over ? -1 : S->site;
}

RW_API int32_t rwx_decisions(const State *S) {
    return S->decisions;
}

/* The numbers of the options of the pending decision, at most `room` of them; gives how many there are, or RW_UNKNOWN
 * if they could not be worked out. */
RW_API int32_t rwx_options(Ctx *C, State *S, int32_t *out, int32_t room) {
    if (S->over) return 0;
    if (rw_ask_again(C, S) != RW_GO) return RW_UNKNOWN;
    int32_t n = S->nopts < room ? S->nopts : room;
    if (n > 0) memcpy(out, C->opts + S->opts, sizeof(int32_t) * (size_t)n);
    return S->nopts;
}

/* Makes a choice: the option with this index. */
RW_API int32_t rwx_apply(Ctx *C, State *S, int32_t index) {
    if (S->over) return RW_UNKNOWN;
    int signal = rw_ask_again(C, S);
    if (signal != RW_GO) return signal;
    if (index < 0 || index >= S->nopts) return RW_UNKNOWN;
    if (++S->decisions > RW_DECISION_LIMIT) return rw_fault(C, 906, RW_DECISION_LIMIT, -1);
    C->report[0] = S->site;
    C->report[1] = C->opts[S->opts + index];
    if (rw_take(C, S, C->report[1]) != RW_GO) return RW_FAULT;
    return rw_told(C, S, rw_run(C, S));
}

/* Makes a choice: the option with this number. */
RW_API int32_t rwx_take(Ctx *C, State *S, int32_t option) {
    if (S->over) return RW_UNKNOWN;
    int signal = rw_ask_again(C, S);
    if (signal != RW_GO) return signal;
    for (int32_t i = 0; i < S->nopts; i++)
        if (C->opts[S->opts + i] == option) return rwx_apply(C, S, i);
    return RW_UNKNOWN;
}

/* ---------------------------------------------------------------- playouts */

static int rw_recorded(Ctx *C, State *S, uint64_t seed, int32_t *history, int32_t room, int32_t *noted) {
    C->history = history;
    C->histcap = history != NULL ? room : 0;
    C->nhistory = 0;
    int signal = rw_finish(C, S, seed);
    if (noted != NULL) *noted = C->nhistory;
    C->history = NULL;
    return signal;
}

/* A game of random choices from its beginning. The history is site, option, site, option …; *noted tells how many
 * numbers it has: more than `room` if it did not fit. `history` and `noted` may be NULL. */
RW_API int32_t rwx_playout(Ctx *C, State *S, uint64_t seed, int32_t *history, int32_t room, int32_t *noted) {
    int signal = rw_set_out(C, S, seed, 1);
    memset(C->counts, 0, sizeof C->counts); /* the certain part of setup is not counted: it is done once for all games */
    return signal == RW_GO ? rw_recorded(C, S, seed, history, room, noted) : signal;
}

/* What was counted in the last playout: choices with a single option, then how often each counted place of the rules
 * was reached. */
RW_API const int32_t *rwx_counts(const Ctx *C) {
    return C->counts;
}

/* The same from where a game stands. */
RW_API int32_t rwx_finish(Ctx *C, State *S, uint64_t seed, int32_t *history, int32_t room, int32_t *noted) {
    return rw_recorded(C, S, seed, history, room, noted);
}

RW_API void rwx_ranking(Ctx *C, State *S, int32_t *ranking) {
    rw_ranking(C, S, ranking);
}

RW_API void rwx_returns(Ctx *C, State *S, double *returns) {
    rw_returns(C, S, returns);
}

RW_API void rwx_scores(Ctx *C, State *S, int64_t *scores) {
    C->fault = 0;
    for (int player = 0; player < RW_PLAYERS; player++) scores[player] = RW_SCORED ? rw_points(C, S, player) : 0;
}

/* Games of random choices from the seeds first, first + 1 … Adds up what each player got, and the choices made. Gives
 * how many games were played to their end: fewer than n if one of them ran into a fault. */
RW_API int64_t rwx_playouts(Ctx *C, uint64_t first, int64_t n, double *returns_sum, int64_t *decisions) {
    double returns[RW_PLAYERS];
    for (int64_t game = 0; game < n; game++) {
        uint64_t seed = first + (uint64_t)game;
        if (rwx_playout(C, C->work, seed, NULL, 0, NULL) != RW_STOP) return game;
        rwx_returns(C, C->work, returns);
        for (int player = 0; player < RW_PLAYERS; player++) returns_sum[player] += returns[player];
        *decisions += C->work->decisions;
    }
    return n;
}

/* ---------------------------------------------------------------- faults and figures */

enum { RW_TROUBLES = 4, RW_FIGURES = 2 };

/* What went wrong: the code (0 for none), the place in the rules (-1 if unknown), the value, the number of the last
 * refusal. */
RW_API void rwx_trouble(const Ctx *C, int64_t *out) {
    out[0] = C->fault;
    out[1] = C->fault_place;
    out[2] = C->fault_value;
    out[3] = C->refusal;
}

/* How many trials were made in this context, and how many ran out of steps. */
RW_API void rwx_figures(const Ctx *C, int64_t *out) {
    out[0] = C->tried;
    out[1] = C->exhausted;
}

#endif
