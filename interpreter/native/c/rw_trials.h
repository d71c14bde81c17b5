/* Trials: an option is offered only if the very code that carries it out, run on a copy, comes through.
 *
 * The same functions in the same order as runtime/trials.py; what it says of cells and free actions is in rw_cells.h.
 * Both engines must give the same answer in every case, also where a budget runs out: so steps are counted at the same
 * places. What Python does with exceptions is a signal here.
 *
 * Three things are kept in order throughout:
 *   - Copies have one level for each that is alive, and are given back in reverse order.
 *   - Options of a trial lie in C->opts above those of whoever asked, unsure ones in C->us likewise. A trial remembers
 *     where it found both (`RwMark`) and puts them back: what lies below is never touched.
 *   - A fault inside a trial is forgotten (C->fault = 0). It does not hide an option: taking the option shows the fault.
 *
 * Besides the constants named in rw.h this needs RW_MOST_ARGS: arguments of a call of a cell or of a free action, the
 * player included.
 */
#ifndef RW_TRIALS_H
#define RW_TRIALS_H

#include "rw.h"
#include "rw_places.h"
#include "rw_sets.h"

enum { RW_FEW = 3 };         /* so many options are looked at all together */
enum { RW_ASKS = 2 };        /* beside no (0) and yes (1): a trial has come to a decision */
enum { RW_CELL_FRAME = 4 };  /* a frame of segment 0: segment, cell, who, calls done; then what was given */

/* How far a trial looks: it has succeeded with fewer frames than `depth`, or where a pass of this loop ends. */
typedef struct {
    int32_t depth, loop_depth, loop;
} RwBound;

/* Where the options of whoever asked end: what lies above belongs to a trial. */
typedef struct {
    int32_t optop, ustop;
} RwMark;

static inline RwMark rw_mark(const Ctx *C) {
    return (RwMark){C->optop, C->ustop};
}

static inline void rw_back_to(Ctx *C, RwMark mark) {
    C->optop = mark.optop;
    C->ustop = mark.ustop;
}

static int rw_take_free(Ctx *C, State *S, int32_t option);

/* Takes up an option of the pending decision. Nearly every one is a number for the next segment to find; the room for
 * the arguments of a free action is taken by a function of its own. */
static inline int rw_take(Ctx *C, State *S, int32_t option) {
    if (RW_FREES > 0 && option <= RW_FREE) return rw_take_free(C, S, option);
    S->pick = option;
    RW_TOP_FRAME(S)[0]++;
    return RW_GO;
}

static int rw_explore(Ctx *C, State *T, RwBound bound, num who, int32_t *budget);

/* ---------------------------------------------------------------- frames, sites, copies */

static inline int32_t *rw_frame_below(State *S, const int32_t *F) {
    return S->k + F[-1];
}

/* The frame that a call of this routine begins with; NULL when the stack is full. */
static int32_t *rw_call_frame(Ctx *C, State *S, int routine, const elt *args, int nargs) {
    const RwRoutine *called = &RW_ROUTINE[routine];
    int32_t *F = rw_push_frame(C, S, called->entry, called->frame);
    if (F == NULL) return NULL;
    if (nargs > 0) memcpy(F + 1, args, sizeof(elt) * (size_t)nargs);
    return F;
}

/* The branch of an option that is neither passing nor a free action: the last one that begins at it or before it. */
static inline int rw_branch_of(const RwSite *site, int32_t option) {
    if (site->branches < 2) return 0;
    const int32_t *firsts = RW_FIRSTS + site->first;
    int branch = site->branches;
    while (branch > 0 && firsts[branch - 1] > option) branch--;
    return branch - 1; /* -1 is what a negative option comes to: the same number as passing */
}

static inline int rw_is_tried(const RwSite *site, int branch) {
    if (branch < 0) return site->pass_tried;
    return branch < site->branches && RW_TRIED[site->tried + branch];
}

/* Must this option be tried at its own site? */
static inline int rw_needs_trial(const RwSite *site, int32_t option) {
    if (option == RW_PASS && site->may_pass) return site->pass_tried;
    return rw_is_tried(site, rw_branch_of(site, option));
}

/* A copy for a trial; NULL if trials are nested as deep as they may be, which counts as success. Each level has a state
 * of its own, made when it is first wanted; pages that nobody touches cost nothing. */
static State *rw_trial_copy(Ctx *C, const State *S) {
    if (C->trial_level >= C->trial_levels) return NULL;
    State *copy = C->trials[C->trial_level];
    if (copy == NULL) {
        copy = C->trials[C->trial_level] = malloc(sizeof(State));
        if (copy == NULL) return NULL;
    }
    C->trial_level++;
    RW_CHARGE(RW_COPIED);
    rw_copy(copy, S);
    copy->steps = 0;
    return copy;
}

static inline void rw_give_back(Ctx *C) {
    C->trial_level--;
}

/* A trial that runs into a fault counts as success. What is too large for C alone is no fault of the rules: it stays,
 * and whoever asked hands it on, up to Python, which has room for it. */
static inline int rw_forget_fault(Ctx *C) {
    if (C->fault != RW_TOO_LARGE) C->fault = 0;
    return 1;
}

static inline int rw_unsure_after(Ctx *C) {
    rw_forget_fault(C);
    return RW_UNSURE;
}

/* The steps that looking ahead took count as steps of the game too: one look has a bound, but rules may ask for any
 * number of them. Gives RW_FAULT beyond the limit. */
static inline int rw_after_looking(Ctx *C, State *S, int32_t budget) {
    if (budget == RW_TRIAL_STEPS) return RW_GO;
    return rw_count(C, S, (int64_t)RW_STEP * (RW_TRIAL_STEPS - (budget > 0 ? budget : 0)), -1);
}

/* ---------------------------------------------------------------- how far a decision looks */

/* To the end of the innermost phase that runs, or of the present pass through its innermost loop. */
static RwBound rw_phase_bound(State *S) {
    const int32_t *F = RW_TOP_FRAME(S);
    for (int32_t depth = S->depth; depth > 0; depth--) {
        const RwSegment *segment = &RW_SEG[F[0]];
        if (segment->phase) {
            RwBound found = {depth, depth, segment->loop};
            /* Hooks before the phase, and what stands in for it, run in frames of their own below its body. */
            while (found.depth > 1) {
                F = rw_frame_below(S, F);
                if (!RW_SEG[F[0]].phase_entry || RW_SEG[F[0]].rule != segment->rule) break;
                found.depth--;
            }
            return found;
        }
        RW_CHARGE(1);
        if (depth > 1) F = rw_frame_below(S, F);
    }
    return (RwBound){1, 0, 0};
}

static inline int rw_same_bound(RwBound one, RwBound other) {
    return one.depth == other.depth && one.loop_depth == other.loop_depth && one.loop == other.loop;
}

/* A call that is tried on its own: to where its frame is gone. */
static inline RwBound rw_call_bound(const State *S) {
    return (RwBound){S->depth, 0, 0};
}

/* Something that rules further down the stack have still to do, as far as a decision here looks, may be refused. */
static int rw_callers_may_refuse(State *S) {
    const int32_t lowest = rw_phase_bound(S).depth;
    const int32_t *F = RW_TOP_FRAME(S);
    for (int32_t depth = S->depth - 1; depth >= lowest; depth--) {
        F = rw_frame_below(S, F);
        if (RW_SEG[F[0]].may_refuse || (F[0] == 0 && F[3] < RW_CELL_OF[F[1]].n)) return 1;
    }
    return 0;
}

/* Whether a trial that has come to this question of `who` may stop at an option that is sure: one of a branch that is
 * never tried, one that its test approves, passing. As _sure_here in runtime/trials.py. Not if nothing is tried, but the
 * question itself is asked. */
enum { RW_SURE_UNTRIED, RW_SURE_TESTED, RW_SURE_PASSING };
static inline int rw_sure_here(State *T, int number, num who, int of) {
    const RwSite *site = &RW_SITE[number];
    if (T->reach == 0) return 0;
    if (who != T->looker) return of == RW_SURE_UNTRIED && site->ntried == 0;
    if (of == RW_SURE_TESTED && site->callers && rw_callers_may_refuse(T)) return 0;
    const RwBound own = rw_phase_bound(T);
    return own.depth < T->reach || rw_same_bound(own, (RwBound){T->reach, T->tb_depth, T->tb_loop});
}

/* ---------------------------------------------------------------- one option */

static int rw_option_carries(Ctx *C, State *S, int32_t option, RwBound bound, num who, int32_t *budget) {
    if (!RW_TRIES) return 1; /* so that a compiler leaves out what follows where nothing is ever tried */
    State *copy = rw_trial_copy(C, S);
    if (copy == NULL) return 1;
    int answer = rw_take(C, copy, option) == RW_GO ? rw_explore(C, copy, bound, who, budget) : rw_forget_fault(C);
    rw_give_back(C);
    return answer;
}

/* What a site's test says; RW_UNSURE as well if it runs into a fault, which *faulty tells. */
static int rw_tested(Ctx *C, State *S, RwTest test, const void *env, int32_t option, int *faulty) {
    int answer = test(C, S, env, option);
    if (C->fault != 0) {
        *faulty = 1;
        rw_forget_fault(C);
        return RW_UNSURE;
    }
    return answer == RW_NO || answer == RW_YES ? answer : RW_UNSURE;
}

/* Whether an option can be carried through that no test knows anything of. */
static int rw_offered_by_trial(Ctx *C, State *S, const RwSite *site, int32_t option, num who, int32_t *budget) {
    return !rw_needs_trial(site, option) || rw_option_carries(C, S, option, rw_phase_bound(S), who, budget);
}

/* What is known of the callers while the options of a question are gone through: it is the same for all of them. */
enum { RW_NOT_ASKED = -1 };

/* Whether an option can be carried through: by the site's test as far as that knows, else by trial. */
static int rw_is_offered(Ctx *C, State *S, const RwSite *site, RwTest test, const void *env, int32_t option, num who,
                         int32_t *budget, int *callers) {
    if (!rw_needs_trial(site, option)) return 1;
    if (test != NULL) {
        int faulty = 0, answer = rw_tested(C, S, test, env, option, &faulty);
        if (answer == RW_NO) return 0;
        if (answer == RW_YES) {
            if (*callers == RW_NOT_ASKED) *callers = site->callers && rw_callers_may_refuse(S);
            if (!*callers) return 1;
        }
    }
    return rw_option_carries(C, S, option, rw_phase_bound(S), who, budget);
}

/* ---------------------------------------------------------------- all options of a question */

/* Playouts look only at the options that they pick, if there are many. Trials never do. */
static inline int rw_may_sample(const Ctx *C, const RwSite *site, int32_t options) {
    return C->sampled == RW_ONE_OPTION && C->trial_level == 0 && site->picked_from && options > RW_FEW;
}

/* The options [o, end) are replaced by those that were kept behind them, [end, C->optop). */
static void rw_keep_options(Ctx *C, int32_t o, int32_t end) {
    int32_t kept = C->optop - end;
    memmove(C->opts + o, C->opts + end, sizeof(int32_t) * (size_t)kept);
    C->optop = o + kept;
}

/* Keeps the options that a test settles, the unsure ones by trial. Gives 0 if the test ran into a fault: then the
 * options are as they were. Kept ones are gathered behind the others, so that this can be undone. */
static int rw_settled_options(Ctx *C, State *S, const RwSite *site, num who, int32_t o, RwTest test, const void *env,
                              int32_t *budget) {
    const int32_t end = C->optop;
    for (int32_t i = o; i < end; i++) {
        int faulty = 0, answer = rw_tested(C, S, test, env, C->opts[i], &faulty);
        if (faulty) {
            C->optop = end;
            return 0;
        }
        if (answer == RW_UNSURE) answer = rw_offered_by_trial(C, S, site, C->opts[i], who, budget);
        if (answer && rw_offer(C, C->opts[i]) != RW_GO) return RW_FAULT;
    }
    rw_keep_options(C, o, end);
    return 1;
}

static int rw_leave_untried(Ctx *C, int site, RwTest test, const void *env, size_t size) {
    if (size > sizeof C->env.bytes) return rw_fault(C, 904, (num)size, -1);
    if (size > 0) memmove(C->env.bytes, env, size);
    C->untried = site;
    C->untried_test = test;
    C->untried_list = 0;
    return RW_GO;
}

/* Filters the options of the question in the making, C->opts[o] … C->opts[C->optop - 1], in place and in order. */
static int rw_carried_options(Ctx *C, State *S, int number, num who, int32_t o, RwTest test, const void *env,
                              size_t size) {
    const RwSite *site = &RW_SITE[number];
    const int32_t end = C->optop;
    if (end == o) return RW_GO;
    if (rw_may_sample(C, site, end - o)) return rw_leave_untried(C, number, test, env, size);
    int32_t budget = RW_TRIAL_STEPS;
    if (test != NULL && !site->callers) { /* what the test says is the last word */
        int done = rw_settled_options(C, S, site, who, o, test, env, &budget);
        if (done == RW_FAULT) return RW_FAULT;
        if (done != 0) return rw_after_looking(C, S, budget);
        /* a fault does not hide an option: each is asked by itself */
    }
    int32_t kept = o;
    int callers = RW_NOT_ASKED;
    for (int32_t i = o; i < end; i++) {
        int32_t option = C->opts[i];
        if (rw_is_offered(C, S, site, test, env, option, who, &budget, &callers)) C->opts[kept++] = option;
    }
    C->optop = kept;
    return rw_after_looking(C, S, budget);
}

static int rw_is_among(const int32_t *list, int32_t n, int32_t option) {
    for (int32_t i = 0; i < n; i++)
        if (list[i] == option) return 1;
    return 0;
}

/* The test of a question whose unsure options were listed: it knows the others. */
static int rw_listed_test(Ctx *C, State *S, const void *env, int32_t option) {
    (void)S;
    (void)env;
    RW_CHARGE(1 + C->nunsure / 4);
    return rw_is_among(C->kept + C->unsure, C->nunsure, option) ? RW_UNSURE : RW_YES;
}

/* Keeps the options that are sure, and those of the others that come through. All are unsure if what the callers have
 * still to do may be refused. */
static int rw_tried_options(Ctx *C, State *S, int number, num who, int32_t o, const int32_t *unsure, int32_t nunsure) {
    const RwSite *site = &RW_SITE[number];
    const int32_t end = C->optop;
    const int all = site->callers && rw_callers_may_refuse(S);
    if (!all && nunsure == 0) return RW_GO;
    if (all) nunsure = end - o;
    if (rw_may_sample(C, site, nunsure)) {
        if (nunsure > C->keptcap) return rw_fault(C, 905, nunsure, -1);
        memmove(C->kept, all ? C->opts + o : unsure, sizeof(int32_t) * (size_t)nunsure);
        C->unsure = 0;
        C->nunsure = nunsure;
        rw_leave_untried(C, number, rw_listed_test, NULL, 0);
        C->untried_list = 1;
        return RW_GO;
    }
    int32_t budget = RW_TRIAL_STEPS;
    int32_t kept = o;
    int callers = RW_NOT_ASKED;
    for (int32_t i = o; i < end; i++) {
        int32_t option = C->opts[i];
        RW_CHARGE(all ? 1 : 1 + nunsure / 4);
        int sure = !all && !rw_is_among(unsure, nunsure, option);
        if (sure || rw_is_offered(C, S, site, NULL, NULL, option, who, &budget, &callers)) C->opts[kept++] = option;
    }
    C->optop = kept;
    return rw_after_looking(C, S, budget);
}

/* ---------------------------------------------------------------- playouts: options are tried as they are picked */

/* True if another option besides the picked one can be carried through: those that need no trial are looked for first. */
static int rw_is_another(Ctx *C, State *S, const RwSite *site, const int32_t *left, int32_t n, int32_t *budget) {
    int untried = site->branches + site->may_pass - site->ntried;
    if (untried > 1 || (n > 0 && left[n - 1] <= RW_FREE))
        for (int32_t i = 0; i < n; i++)
            if (left[i] <= RW_FREE || !rw_needs_trial(site, left[i])) return 1;
    int callers = RW_NOT_ASKED;
    for (int32_t i = 0; i < n; i++)
        if (rw_is_offered(C, S, site, C->untried_test, C->env.bytes, left[i], S->who, budget, &callers)) return 1;
    return 0;
}

static int rw_sampled_option_carries(Ctx *C, State *S, const RwSite *site, int32_t option, int32_t *budget) {
    const RwTest test = C->untried_test;
    int callers = RW_NOT_ASKED;
    if (option <= RW_FREE) return 1;
    if (test == NULL || site->callers)
        return rw_is_offered(C, S, site, test, C->env.bytes, option, S->who, budget, &callers);
    int faulty = 0, answer = rw_tested(C, S, test, C->env.bytes, option, &faulty);
    return answer == RW_UNSURE ? rw_offered_by_trial(C, S, site, option, S->who, budget) : answer;
}

/* A random option of the pending decision among those that can be carried through, and whether it is the only one.
 * Options are looked at in random order until one comes through; then another is looked for, no matter which. */
static int rw_sample(Ctx *C, State *S, uint64_t *choice, int32_t *option, int *only) {
    const RwSite *site = &RW_SITE[C->untried];
    const int32_t mark = C->optop;
    int32_t n = S->nopts, budget = RW_TRIAL_STEPS;
    C->untried = -1;
    if (n > C->optcap - mark) return rw_fault(C, 905, n, -1);
    int32_t *left = C->opts + mark; /* those not yet looked at; trials work above them */
    memcpy(left, C->opts + S->opts, sizeof(int32_t) * (size_t)n);
    C->optop = mark + n;
    while (n > 0) {
        *choice = *choice * RW_MULTIPLIER + RW_INCREMENT;
        int32_t picked = (int32_t)(((*choice >> 32) * (uint64_t)n) >> 32);
        *option = left[picked];
        n--;
        RW_CHARGE(16 + (n - picked) / 4);
        memmove(left + picked, left + picked + 1, sizeof(int32_t) * (size_t)(n - picked));
        if (!rw_sampled_option_carries(C, S, site, *option, &budget)) continue;
        if (rw_after_looking(C, S, budget) != RW_GO) return RW_FAULT;
        *only = !(site->always >= 0 && rw_branch_of(site, *option) != site->always) &&
                !rw_is_another(C, S, site, left, n, &budget);
        C->optop = mark;
        return RW_GO;
    }
    C->optop = mark;
    return rw_fault(C, 701, S->site, -1);
}

/* ---------------------------------------------------------------- running a trial */

/* Tries the option that was met last, when there is a further one; as try_listed in runtime/trials.py. `o` is where the
 * options of the question begin. */
static int rw_try_listed(Ctx *C, State *T, num who, int32_t o) {
    if (C->optop == o || T->reach == 0 || who != T->looker || T->pick == RW_NOTHING_ELSE) return 0;
    const RwBound bound = {T->reach, T->tb_depth, T->tb_loop};
    if (rw_option_carries(C, T, C->opts[C->optop - 1], bound, who, C->budget)) return 1;
    T->failed++;
    return 0;
}

/* Runs the segments of a trial: as rw_run_trial. */
static int rw_run_segments(Ctx *C, State *T, RwBound bound, int32_t *budget) {
    const RwMark mark = rw_mark(C);
    for (;;) {
        rw_back_to(C, mark); /* options of a question that answered itself are of no use any more */
        int signal = rw_segment(C, T, RW_TRIAL, RW_TOP_FRAME(T));
        if (signal == RW_STOP) return T->over ? 1 : T->nopts == 0 ? 0 : RW_ASKS;
        if (signal == RW_REFUSED) return 0;
        if (signal != RW_GO) return rw_forget_fault(C);
        if (T->depth < bound.depth) return 1;
        if (--*budget < 0) {
            C->exhausted++;
            return 1;
        }
    }
}

/* Runs a trial to its end (0 or 1), or to the next decision (RW_ASKS). */
static int rw_run_trial(Ctx *C, State *T, RwBound bound, num who, int32_t *budget) {
    const int64_t begun = T->steps;
    C->tried++;
    /* A copy costs too: without that, choices upon choices would never use up a budget. */
    *budget -= RW_COPY_STEPS;
    if (*budget < 0) {
        C->exhausted++;
        return 1;
    }
    int32_t *const outer = C->budget;
    C->budget = budget;
    T->failed = 0;
    T->reach = bound.depth;
    T->tb_depth = bound.loop_depth;
    T->tb_loop = bound.loop;
    T->looker = (int32_t)who;
    int answer = rw_run_segments(C, T, bound, budget);
    C->budget = outer;
    *budget -= (int32_t)((T->steps - begun) / RW_STEP); /* loops inside the segments */
    return answer;
}

/* One of the options needs no trial at its own site, and its site looks as far as this trial does. */
static int rw_surely_carries(Ctx *C, State *T, const RwSite *site, RwBound bound) {
    const int32_t *options = C->opts + T->opts;
    int safe = 0;
    if (site->values_only) {
        safe = !rw_is_tried(site, 0) && (!site->pass_tried || options[0] != RW_PASS);
    } else {
        for (int32_t i = 0; i < T->nopts && !safe; i++)
            safe = !rw_is_tried(site, options[i] == RW_PASS ? RW_PASS : rw_branch_of(site, options[i]));
    }
    if (!safe) return 0;
    RwBound own = rw_phase_bound(T);
    return own.depth < bound.depth || rw_same_bound(own, bound);
}

/* By a trial of its own: whoever decides looks ahead to the end of the phase that runs there, or of the call that is
 * tried; the frames below a call tried on its own have not come to what follows it. */
static int rw_would_be_offered(Ctx *C, State *T, int32_t option, RwBound bound, int32_t *budget) {
    RwBound own = rw_phase_bound(T);
    return rw_option_carries(C, T, option, own.depth >= bound.depth ? own : bound, T->who, budget);
}

/* What comes if nothing is offered: `otherwise`, or going on without the choice. A set of which something is picked
 * already has neither: it asks once more, and that is the end of it. */
static int rw_instead_carries(Ctx *C, State *T, RwBound bound, num who, int32_t *budget) {
    if (T->pick == RW_NOTHING_ELSE) return 0;
    State *copy = rw_trial_copy(C, T);
    if (copy == NULL) return 1;
    copy->pick = RW_NOTHING_ELSE;
    int answer = rw_explore(C, copy, bound, who, budget);
    rw_give_back(C);
    return answer;
}

/* Options of a trial's decision in the order of trying: passing is the quickest way through, so it comes first. */
static inline int32_t rw_option_in_turn(const Ctx *C, const State *T, int pass_first, int32_t number) {
    const int32_t *options = C->opts + T->opts;
    if (!pass_first) return options[number];
    return number == 0 ? RW_PASS : options[number - 1];
}

static int rw_any_would_be_offered(Ctx *C, State *T, int pass_first, RwBound bound, int32_t *budget) {
    for (int32_t i = 0; i < T->nopts; i++)
        if (rw_would_be_offered(C, T, rw_option_in_turn(C, T, pass_first, i), bound, budget)) return 1;
    return 0;
}

/* The chooser's own decision: yes if one of the options leads on. The last one needs no copy, because nothing comes
 * back to this state: it is taken here, and RW_ASKS tells the caller to run on. */
static int rw_explore_own(Ctx *C, State *T, const RwSite *site, RwBound bound, num who, int32_t *budget) {
    if (rw_surely_carries(C, T, site, bound)) return 1;
    const int pass_first = C->opts[T->opts + T->nopts - 1] == RW_PASS;
    for (int32_t i = T->failed; i < T->nopts; i++) { /* those in front were tried as they were met */
        int32_t option = rw_option_in_turn(C, T, pass_first, i);
        if (i == T->nopts - 1 && !site->fallback)
            return rw_take(C, T, option) == RW_GO ? RW_ASKS : rw_forget_fault(C);
        if (rw_option_carries(C, T, option, bound, who, budget)) return 1;
    }
    if (rw_any_would_be_offered(C, T, pass_first, bound, budget)) return 0;
    return rw_instead_carries(C, T, bound, who, budget);
}

/* Somebody else's decision, which the chooser cannot steer: it is enough that something would be offered. */
static int rw_explore_other(Ctx *C, State *T, const RwSite *site, RwBound bound, num who, int32_t *budget) {
    if (site->ntried == 0) return 1;
    if (rw_any_would_be_offered(C, T, 0, bound, budget)) return 1;
    return site->fallback && rw_instead_carries(C, T, bound, who, budget);
}

/* Whether some way over the chooser's own decisions leads to the bound without a refusal. The recursion is bounded by
 * the levels of copies; the last option of each decision is a further turn of this loop. */
static int rw_explore(Ctx *C, State *T, RwBound bound, num who, int32_t *budget) {
    const RwMark mark = rw_mark(C);
    int answer;
    do {
        rw_back_to(C, mark);
        answer = rw_run_trial(C, T, bound, who, budget);
        if (answer == RW_ASKS) {
            const RwSite *site = &RW_SITE[T->site];
            answer = T->who != who ? rw_explore_other(C, T, site, bound, who, budget)
                                   : rw_explore_own(C, T, site, bound, who, budget);
        }
    } while (answer == RW_ASKS);
    rw_back_to(C, mark);
    return answer;
}

/* ---------------------------------------------------------------- trials of calls */

/* Whether a routine can be carried through that has no decision: it needs no frame. */
static int rw_plain_carries(Ctx *C, State *copy, int routine, const elt *args, num who) {
    const RwMark mark = rw_mark(C);
    C->tried++;
    copy->looker = (int32_t)who;
    int signal = rw_plain(C, copy, RW_TRIAL, routine, args);
    rw_back_to(C, mark);
    if (signal == RW_REFUSED) return 0;
    return rw_forget_fault(C);
}

/* Whether a call can be carried through, by trial; `who` is -1 if nobody in particular looks ahead. */
static int rw_can_call(Ctx *C, State *S, int routine, const elt *args, int nargs, num who) {
    if (S->steps > RW_STEP_LIMIT) return 1; /* a fault already, which whoever counts next will tell */
    State *copy = rw_trial_copy(C, S);
    if (copy == NULL) return 1;
    int answer;
    if (RW_ROUTINE[routine].entry < 0) {
        answer = rw_plain_carries(C, copy, routine, args, who);
        rw_count(C, S, RW_STEP + copy->steps, -1);
    } else if (rw_call_frame(C, copy, routine, args, nargs) == NULL) {
        answer = rw_forget_fault(C);
    } else {
        int32_t budget = RW_TRIAL_STEPS;
        answer = rw_explore(C, copy, rw_call_bound(copy), who, &budget);
        rw_after_looking(C, S, budget);
    }
    rw_give_back(C);
    return answer;
}

#endif
