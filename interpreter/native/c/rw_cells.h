/* Cells that are performed, rules that run inside others, free actions, and taking up an option.
 *
 * The same as in runtime/flow.py and runtime/trials.py. A cell is performed in a frame of segment 0, which goes through
 * its calls one by one: so it can be asked which cells are running. */
#ifndef RW_CELLS_H
#define RW_CELLS_H

#include "rw.h"
#include "rw_trials.h"

/* ---------------------------------------------------------------- effects in cells */

static int rw_cell_running(State *S, num cell) {
    if (S->running == 0) return 0;
    const int32_t *F = RW_TOP_FRAME(S);
    for (int32_t depth = S->depth; depth > 0; depth--) {
        if (F[0] == 0 && F[1] == cell) return 1;
        if (depth > 1) F = rw_frame_below(S, F);
    }
    return 0;
}

/* The frame in which the calls of a cell are gone through; NULL when the stack is full. */
static int32_t *rw_cell_frame(Ctx *C, State *S, num cell, num who, const elt *given) {
    int32_t *F = rw_push_frame(C, S, 0, RW_CELL_FRAME + RW_GIVENS);
    if (F == NULL) return NULL;
    F[1] = (int32_t)cell;
    F[2] = (int32_t)who;
    for (int i = 0; given != NULL && i < RW_GIVENS; i++) F[RW_CELL_FRAME + i] = given[i];
    S->running++;
    return F;
}

static inline void rw_cell_done(State *S) {
    rw_pop_frame(S);
    S->running--;
}

static int rw_is_supplied(const RwCall *call) {
    for (int i = 0; i < call->nargs; i++)
        if (RW_ARGS[call->args + i].from == RW_ARG_GIVEN) return 1;
    return 0;
}

/* The arguments of a call of a cell; `given` may be NULL if none is supplied by the performer. Gives the number of
 * their cells, -1 and a fault if a set does not fit. */
static int rw_call_args(Ctx *C, const RwCall *call, num who, const elt *given, elt *args) {
    int n = 0;
    if (call->takes_player) args[n++] = (elt)who;
    for (int i = 0; i < call->nargs; i++) {
        RwArg arg = RW_ARGS[call->args + i];
        const elt *from = arg.from == RW_ARG_GIVEN ? given + arg.value : RW_WRITTEN + arg.value;
        if (arg.room < 0) {
            args[n++] = arg.from == RW_ARG_VALUE ? arg.value : *from;
        } else {
            if (rw_keep(C, args + n, (Set){from + 1, from[0]}, arg.room) != RW_GO) return -1;
            n += 1 + arg.room;
        }
    }
    return n;
}

/* What is known beforehand of performing a cell: RW_UNFORESEEN or RW_UNSURE if only a trial can tell. Only the first
 * call can be asked, because the others run on what it has changed: those must always succeed. */
static int rw_foreseen_cell(Ctx *C, State *S, num cell, num who, const elt *given) {
    const RwCall *calls = &RW_CALLS[RW_CELL_OF[cell].first];
    for (int i = 1; i < RW_CELL_OF[cell].n; i++)
        if (!RW_ALWAYS[calls[i].routine]) return RW_UNFORESEEN;
    if (RW_ALWAYS[calls[0].routine]) return RW_YES;
    if (!calls[0].takes_player || rw_is_supplied(&calls[0])) return RW_UNFORESEEN;
    elt args[RW_MOST_ARGS + 1];
    if (rw_call_args(C, &calls[0], who, NULL, args) < 0) return RW_UNSURE;
    /* What asks for other cells must see that this one is running: no cell is performed inside itself. */
    const int performs = rw_performing(calls[0].routine);
    if (performs && rw_cell_frame(C, S, cell, who, given) == NULL) {
        rw_forget_fault(C);
        return RW_UNSURE;
    }
    int answer = rw_foreseen(C, S, calls[0].routine, args);
    if (performs) rw_cell_done(S);
    return answer;
}

static int rw_can_perform(Ctx *C, State *S, num cell, num who, const elt *given) {
    if (cell < 0 || rw_cell_running(S, cell)) return 0;
    int answer = rw_foreseen_cell(C, S, cell, who, given);
    if (answer == RW_NO || answer == RW_YES) return answer;
    State *copy = rw_trial_copy(C, S);
    if (copy == NULL) return 1;
    if (rw_cell_frame(C, copy, cell, who, given) == NULL) {
        answer = rw_forget_fault(C);
    } else {
        int32_t budget = RW_TRIAL_STEPS;
        answer = rw_explore(C, copy, rw_call_bound(copy), who, &budget);
        rw_after_looking(C, S, budget);
    }
    rw_give_back(C);
    return answer;
}

/* Segment 0: goes through the calls of a cell; behind the last one the cell is done. */
static int rw_perform_next(Ctx *C, State *S, int way, int32_t *F) {
    const RwCell *cell = &RW_CELL_OF[F[1]];
    while (F[3] < cell->n) {
        const RwCall *call = &RW_CALLS[cell->first + F[3]++];
        elt args[RW_MOST_ARGS + 1];
        int nargs = rw_call_args(C, call, F[2], F + RW_CELL_FRAME, args);
        if (nargs < 0) return RW_FAULT;
        if (RW_ROUTINE[call->routine].entry >= 0) {
            int32_t *G = rw_call_frame(C, S, call->routine, args, nargs);
            return G == NULL ? RW_FAULT : rw_segment(C, S, way, G);
        }
        int signal = rw_plain(C, S, way, call->routine, args);
        if (signal != RW_GO) return signal;
    }
    rw_cell_done(S);
    return RW_GO;
}

/* Rules nest without a bound of their own only through `perform` and rules with a depth: both ask here. */
static int rw_limit_frames(Ctx *C, State *S, int place) {
    return S->depth > RW_FRAME_LIMIT ? rw_fault(C, 904, -1, place) : RW_GO;
}

static int rw_perform(Ctx *C, State *S, int way, num cell, num who, const elt *given, int refusal) {
    if (cell < 0 || rw_cell_running(S, cell)) return rw_refuse(C, refusal);
    const RwCall *call = &RW_CALLS[RW_CELL_OF[cell].first];
    if (!RW_CELLS_NEST && RW_CELL_OF[cell].n == 1 && RW_ROUTINE[call->routine].entry < 0 && !rw_is_supplied(call)) {
        /* The only call needs no frame, neither its own nor the cell's: nobody asks whether it runs. */
        elt args[RW_MOST_ARGS + 1];
        if (rw_call_args(C, call, who, NULL, args) < 0) return RW_FAULT;
        return rw_plain(C, S, way, call->routine, args);
    }
    if (rw_limit_frames(C, S, -1) != RW_GO) return RW_FAULT;
    int32_t *F = rw_cell_frame(C, S, cell, who, given);
    return F == NULL ? RW_FAULT : rw_perform_next(C, S, way, F);
}

static int rw_rule_running(State *S, int rule) {
    const int32_t *F = RW_TOP_FRAME(S);
    for (int32_t depth = S->depth; depth > 0; depth--) {
        if (RW_SEG[F[0]].rule == rule) return 1;
        if (depth > 1) F = rw_frame_below(S, F);
    }
    return 0;
}

/* A fault if a rule runs inside itself more than `depth` times; its value is the routine, or -1 for too many frames. */
static int rw_limit_depth(Ctx *C, State *S, int routine, int depth, int place) {
    int running = 0;
    const int32_t *F = RW_TOP_FRAME(S);
    for (int32_t at = S->depth; at > 0; at--) {
        running += RW_SEG[F[0]].routine == routine;
        if (at > 1) F = rw_frame_below(S, F);
    }
    return running > depth ? rw_fault(C, 904, routine, place) : rw_limit_frames(C, S, place);
}

/* ---------------------------------------------------------------- free actions */

/* Reads a free action's arguments from a frame of its phase; 0 if the phase runs for another player. */
static int rw_args_from(const RwFree *action, const int32_t *F, num who, elt *args) {
    if (!action->has_player) args[0] = (elt)who;
    for (int i = 0; i < action->nparams; i++) {
        const int32_t *param = RW_FREE_PARAMS + 3 * (action->params + i);
        memcpy(args + param[1], F + param[0], sizeof(elt) * (size_t)param[2]);
    }
    return args[0] == who ? action->cells : 0;
}

/* What a free action is called with: the player, and what the phase was called with. Gives the number of arguments; 0
 * if the phase does not run for that player, or a free action does. */
static int rw_free_args(State *S, int number, num who, elt *args) {
    const RwFree *action = &RW_FREE_ACTION[number];
    const int32_t *F = RW_TOP_FRAME(S);
    int n = 0;
    for (int32_t depth = S->depth; depth > 0; depth--) {
        int rule = RW_SEG[F[0]].rule;
        if (rule >= 0 && RW_FREE_RULE[rule]) return 0;
        if (n == 0 && rule >= 0 && rule == action->during) n = rw_args_from(action, F, who, args);
        if (depth > 1) F = rw_frame_below(S, F);
    }
    return n;
}

/* A frame of a call that is not on the stack, in room above the options; NULL if there is none left. */
static int32_t *rw_loose_frame(Ctx *C, const State *S, int routine, const elt *args, int nargs) {
    const RwRoutine *called = &RW_ROUTINE[routine];
    if (called->frame + 1 > C->optcap - C->optop) return NULL;
    int32_t *F = C->opts + C->optop + 1;
    C->optop += called->frame + 1;
    F[-1] = S->frame;
    F[0] = called->entry;
    memset(F + 1, 0, sizeof(int32_t) * (size_t)(called->frame - 1));
    if (nargs > 0) memcpy(F + 1, args, sizeof(elt) * (size_t)nargs);
    return F;
}

/* Whether the question that a rule begins with has any option. Asking changes nothing, so no copy is needed: its frame
 * stays off the stack, and the pending decision is put back. */
static int rw_has_something_to_offer(Ctx *C, State *S, int routine, const elt *args, int nargs) {
    if (!RW_SEG[RW_ROUTINE[routine].entry].asks) return 1;
    const int32_t site = S->site, who = S->who, opts = S->opts, nopts = S->nopts, pick = S->pick;
    const RwMark mark = rw_mark(C);
    int32_t *F = rw_loose_frame(C, S, routine, args, nargs);
    if (F == NULL) return 1;
    int signal = rw_segment(C, S, RW_TRIAL, F);
    int answer = signal == RW_STOP ? S->nopts > 0 : signal != RW_REFUSED;
    if (signal == RW_FAULT) rw_forget_fault(C);
    S->site = site;
    S->who = who;
    S->opts = opts;
    S->nopts = nopts;
    S->pick = pick;
    rw_back_to(C, mark);
    return answer;
}

/* The free action can be carried through, and the decision it interrupts can still be answered. */
static int rw_free_goes_through(Ctx *C, State *S, int routine, const elt *args, int nargs) {
    if (!rw_has_something_to_offer(C, S, routine, args, nargs)) return 0;
    RwBound bound = rw_phase_bound(S);
    State *copy = rw_trial_copy(C, S);
    if (copy == NULL) return 1;
    int32_t budget = RW_TRIAL_STEPS;
    int answer = rw_call_frame(C, copy, routine, args, nargs) == NULL ? rw_forget_fault(C)
                                                                      : rw_explore(C, copy, bound, args[0], &budget);
    rw_give_back(C);
    return rw_after_looking(C, S, budget) == RW_GO && answer;
}

/* What is foreseen of a free action; RW_YES as well for one that always succeeds. */
static int rw_foreseen_free(Ctx *C, State *S, int number, const elt *args, const uint8_t *known) {
    const int routine = RW_FREE_ACTION[number].routine;
    if (known != NULL) return known[number];
    return RW_ALWAYS[routine] ? RW_YES : rw_foreseen(C, S, routine, args);
}

/* Adds the free actions that may be taken at this decision: none inside another one. `known`: what is foreseen of
 * each, if that has been asked already; else NULL. */
static int rw_free_actions(Ctx *C, State *S, int site, num who, const uint8_t *known) {
    const int in_phase = RW_SITE[site].in_phase && RW_SEG[RW_TOP_FRAME(S)[0]].phase;
    for (int number = 0; number < RW_FREES; number++) {
        const RwFree *action = &RW_FREE_ACTION[number];
        elt args[RW_MOST_ARGS + 1];
        if (!action->inside && !in_phase) continue;
        int nargs = rw_free_args(S, number, who, args);
        if (nargs == 0) continue;
        int sure = rw_foreseen_free(C, S, number, args, known);
        if (C->fault != 0) return RW_FAULT;
        if (sure == RW_NO) continue;
        if ((sure == RW_YES && RW_SITE[site].steady) || rw_free_goes_through(C, S, action->routine, args, nargs))
            if (rw_offer(C, RW_FREE - number) != RW_GO) return RW_FAULT;
        if (C->fault != 0) return RW_FAULT;
    }
    return RW_GO;
}

/* Takes up a free action in place of the pending decision. */
static int rw_take_free(Ctx *C, State *S, int32_t option) {
    const int number = RW_FREE - option;
    elt args[RW_MOST_ARGS + 1];
    int nargs = rw_free_args(S, number, S->who, args);
    if (nargs == 0) {
        args[0] = S->who;
        nargs = 1;
    }
    return rw_call_frame(C, S, RW_FREE_ACTION[number].routine, args, nargs) == NULL ? RW_FAULT : RW_GO;
}

#endif
