/* Numbers that the rules work out from secrets, worked out again as a world has those secrets: runtime/steps.py.
 *
 * A step leads from one decision to the next. It is run again on the state at its beginning, with the pieces and numbers of
 * the world, with the option that was taken there, and with chance falling as the world has it. The compiled code of the
 * game runs, as it did in the game; while it does, the context has an RwRerun: emitted code tells it when chance falls, and
 * gets what fell in the game (rw_notices.h), and what is noticed is written into its journal. That must be what was noticed
 * in the game, and the step must end at the same decision with the same for the player to see; what it wrote is the
 * world's own.
 *
 * Only libraries that remember make such steps (rw_eras.h). Python keeps runs by what they looked at; here they are run
 * each time, with the same result. */
#ifndef RW_STEPS_H
#define RW_STEPS_H

#include "rw_options.h"

#if RW_REMEMBERS
typedef enum { RW_FALL_SHUFFLE, RW_FALL_ROLL, RW_FALL_DRAW, RW_FALL_PICK } RwFallKind;
/* Where worlds differ in how many numbers chance could pick from, a pick is one of so many equal parts of the set. */
enum { RW_PARTS = 720720, RW_MOST_STEPS_KEPT = 60 }; /* as in steps.py */

/* A random event of a step. Of pieces: the epochs by whose renamings they are called. Of numbers: those that a world
 * draws, by their numbers in the story, or -1. The other of the two is NULL. */
typedef struct { RwFallKind what; int32_t n, *outcome, *epochs, *numbers; } RwFall;

/* A number that a step writes: how far from the true one it may be with all that was added to it since. */
typedef struct { int32_t unknown, offset; int8_t is_shown; num least, most; } RwGiven;

typedef struct RwPassage {
    const State *state, *end;   /* the decision at its beginning, or the game before its setup; the next decision */
    const int32_t *names;       /* where names stand in the first */
    const RwAsking *site;       /* of the first; NULL before setup */
    int32_t option, player;
    int32_t epoch, taken_in, end_epoch;
    int32_t before, choice;     /* the step that says what the rules hold at its beginning; an option that nobody saw */
    int8_t is_kept, is_free, has_choice_anew; /* worlds may have it otherwise; take any option that they offer; draw it */
    int32_t nfalls, nnumbers, ngiven;
    RwFall *falls;
    int32_t *numbers, *offsets; /* of unknown numbers in the state at its beginning */
    RwGiven *given;
    int32_t njournal;
    const int64_t *journal;     /* what the player noticed */
    const RwGroup *seen;        /* offsets of what the player always sees */
    const RwGroup *slots;       /* of each segment pairs: a cell of its frame that may hold something unseen, its room */
    const RwGroup *naming;      /* the same of cells that name pieces */
    const int32_t *row;
    const RwAsking *sites;
    uint8_t lit[RW_PIECES + 1]; /* revealed to the player before it, and followed with the eyes */
    int32_t passes;             /* how often somebody passed at the silent question with which it ends */
    int8_t is_before_block;     /* its end is where players are about to choose together */
} RwPassage;

static void rw_step_done(RwPassage *step) {
    for (int32_t i = 0; i < step->nfalls; i++) {
        free(step->falls[i].outcome);
        free(step->falls[i].epochs);
        free(step->falls[i].numbers);
    }
    free(step->falls);
    free(step->numbers);
    free(step->offsets);
    free(step->given);
}

/* ---------------------------------------------------------------- what emitted code tells while a step runs */

enum { RW_NOTED_TOLD, RW_NOTED_FELL, RW_NOTED_REVEALED, RW_NOTED_SHOWN, RW_NOTED_CAME };

typedef struct RwRerun {
    const RwAsking *sites;
    const int32_t *row;
    int32_t player;
    int8_t is_astray, is_lost;              /* something happens that did not; only Python can go on */
    int8_t stops_at_block, is_at_block;     /* it ends where players are about to choose together; it has come there, */
    State *block;                           /* as this has it */
    int32_t nscript, script_room, *script;  /* of each fall its kind, how many, and the outcome in the world */
    int32_t at;
    int32_t njournal, journal_room;
    int64_t *journal;
    int8_t any_lit;
    uint8_t lit[RW_PIECES + 1];             /* revealed to the player in this step, and followed with the eyes since */
} RwRerun;

static void rw_put_out(RwRerun *R) {
    if (R->any_lit) memset(R->lit, 0, sizeof R->lit);
    R->any_lit = 0;
}

/* Where these pieces are nobody can tell any more. */
static void rw_lose_sight(RwRerun *R, const elt *pieces, int32_t n) {
    for (int32_t i = 0; R->any_lit && i < n; i++) R->lit[pieces[i]] = 0;
}

static void rw_rerun_done(RwRerun *R) {
    free(R->script);
    free(R->journal);
    free(R->block);
}

/* Room for so many more numbers of the journal; NULL if there is no memory. */
static int64_t *rw_note(RwRerun *R, int32_t n) {
    if (!rw_grow((void **)&R->journal, &R->journal_room, R->njournal, R->njournal + n, sizeof(int64_t))) {
        R->is_lost = 1;
        return NULL;
    }
    R->njournal += n;
    return R->journal + R->njournal - n;
}

static void rw_note_few(RwRerun *R, int64_t what, int64_t first, int64_t second, int64_t third) {
    int64_t *noted = rw_note(R, 4);
    if (noted == NULL) return;
    noted[0] = what;
    noted[1] = first;
    noted[2] = second;
    noted[3] = third;
}

/* The outcome of the next fall, if it is of this kind with so many; NULL if the world has gone another way. */
static const int32_t *rw_fallen(RwRerun *R, RwFallKind what, int32_t n) {
    const int32_t *next = R->script + R->at;
    if (R->is_astray || R->at >= R->nscript || next[0] != (int32_t)what || next[1] != n) {
        R->is_astray = 1;
        return NULL;
    }
    R->at += 2 + n;
    return next + 2;
}

/* ---------------------------------------------------------------- chance as it fell */

/* A script that does not fit belongs to another way through the rules. */
static void rw_shuffle_as_scripted(RwRerun *R, State *S, num place) {
    uint8_t met[RW_PIECES + 1] = {0};
    const int32_t n = (int32_t)S->count[place], *order = rw_fallen(R, RW_FALL_SHUFFLE, n);
    if (RW_UNORDERED[place]) R->is_lost = 1; /* Python has it in the order of the script */
    for (int32_t i = 0; order != NULL && i < n; i++)
        if (order[i] < 0 || order[i] >= RW_PIECES || RW_AT(S, order[i]) != place || met[order[i]]++) R->is_astray = 1;
    if (order == NULL || R->is_astray || R->is_lost) return;
    S->first[place] = S->last[place] = RW_LINKED(-1);
    S->count[place] = 0;
    for (int32_t i = 0; i < n; i++) rw_append(S, place, order[i]);
}

static void rw_roll_as_scripted(RwRerun *R, State *S, num first, int count, num low, num high) {
    const int32_t *faces = rw_fallen(R, RW_FALL_ROLL, count);
    for (int32_t i = 0; faces != NULL && i < count; i++)
        if (faces[i] < low || faces[i] > high) R->is_astray = 1;
    if (faces == NULL || R->is_astray) return;
    for (int32_t i = 0; i < count; i++) rw_set_number(S, (int32_t)first + i, faces[i]);
    rw_index_anew(S);
}

/* What was drawn is written into the room of the set. */
static void rw_draw_as_scripted(RwRerun *R, const State *S, num place, Set drawn) {
    uint8_t met[RW_PIECES + 1] = {0};
    const int32_t *pieces = drawn.n ? rw_fallen(R, RW_FALL_DRAW, drawn.n) : NULL;
    for (int32_t i = 0; pieces != NULL && i < drawn.n; i++)
        if (pieces[i] < 0 || pieces[i] >= RW_PIECES || RW_AT(S, pieces[i]) != place || met[pieces[i]]++) R->is_astray = 1;
    if (pieces != NULL && !R->is_astray) memcpy((elt *)drawn.v, pieces, sizeof(int32_t) * (size_t)drawn.n);
}

/* `varies`: of numbers which of so many equal parts of the set was picked. */
static num rw_pick_as_scripted(RwRerun *R, Set items, num picked, int varies) {
    const int32_t *fallen = items.n ? rw_fallen(R, RW_FALL_PICK, 1) : NULL;
    if (fallen == NULL) return picked;
    if (varies && (*fallen < 0 || *fallen >= RW_PARTS)) R->is_astray = 1;
    else if (varies) return items.v[(int64_t)*fallen * items.n / RW_PARTS];
    for (int32_t i = 0; i < items.n; i++)
        if (items.v[i] == *fallen) return *fallen;
    R->is_astray = 1;
    return picked;
}

/* Players are about to choose together. A step that ends there is over: the rest of the segment is of no use. */
static void rw_come_to_block(Ctx *C, const State *S) {
    RwRerun *R = C->rerun;
    if (!R->stops_at_block) return;
    if (R->block == NULL) R->block = malloc(sizeof(State));
    if (R->block == NULL) R->is_lost = 1;
    else rw_copy(R->block, S);
    R->is_at_block = 1;
    C->rerun = NULL;
}

/* Which pieces they were, in no order, and from where (-1: that is not told). */
static void rw_note_rows(RwRerun *R, int64_t what, int32_t *rows, int32_t n, num source) {
    rw_sort_numbers(rows, n);
    int64_t *noted = rw_note(R, 3 + n);
    if (noted == NULL) return;
    noted[0] = what;
    noted[1] = n;
    noted[2] = source;
    for (int32_t i = 0; i < n; i++) noted[3 + i] = rows[i];
}

static void rw_note_revealed(RwRerun *R, Set pieces) {
    int32_t rows[RW_PIECES + 1];
    const int32_t n = pieces.n < RW_PIECES ? pieces.n : RW_PIECES;
    for (int32_t i = 0; i < n; i++) rows[i] = R->row[pieces.v[i]];
    rw_note_rows(R, RW_NOTED_REVEALED, rows, n, -1);
    for (int32_t i = 0; i < n; i++) R->lit[pieces.v[i]] = R->any_lit = 1;
}

/* What comes before the eyes of the player is noticed as well: it may be gone again when the step ends. `is_lit`: it was
 * revealed, and is seen wherever it goes. */
static void rw_note_came(RwRerun *R, const State *S, const int32_t *pieces, int32_t n, num source, num place, int is_lit) {
    int32_t rows[RW_PIECES + 1], seen = 0;
    const int is_open = place >= 0 && RW_SEES[place] >> R->player & 1, is_top_open = place >= 0 && RW_TOP_OPEN[place];
    for (int32_t i = 0; i < n; i++) {
        const int is_shown = is_open || (is_top_open && RW_FIRST(S, place) == pieces[i]);
        if (is_lit || (is_shown && !rw_lies_down(S, pieces[i]))) rows[seen++] = R->row[pieces[i]];
    }
    if (seen) rw_note_rows(R, RW_NOTED_CAME, rows, seen, source);
}

/* The card below is on top of a `top open` pile now, and may be covered again at once. */
static void rw_note_uncovered(RwRerun *R, const State *S, num source) {
    if (source < 0 || !RW_TOP_OPEN[source] || RW_FIRST(S, source) < 0) return;
    const int32_t top = (int32_t)RW_FIRST(S, source);
    rw_note_came(R, S, &top, 1, -1, source, 0);
}

/* ---------------------------------------------------------------- a step in a world */

/* The world: names at the beginning, when the option was taken, and at the end; how far numbers are from the true ones
 * (NULL: as they are); the stack of rules before, or NULL if it holds nothing unseen. */
typedef struct {
    const int32_t *new, *old, *taken, *then;
    const RwUnknown *unknowns;
    const int32_t *k;
    int32_t top;
} RwStepWorld;

/* Writes into the frames of a world the unseen numbers that the rules hold there. 0 if the frames are others. */
static int rw_put_locals(State *S, const RwGroup *slots, const int32_t *k, int32_t top) {
    if (S->top != top) return 0;
    for (int32_t start = 1; start < top; start += 1 + RW_SEG[S->k[start]].frame) {
        if (k[start] < 0 || k[start] >= RW_SEGMENTS || RW_SEG[k[start]].routine != RW_SEG[S->k[start]].routine) return 0;
        if (RW_SEG[k[start]].frame != RW_SEG[S->k[start]].frame) return 0;
        const RwGroup *own = &slots[S->k[start]];
        for (int32_t i = 0; i < own->n; i += 2) {
            const int32_t cell = start + own->pieces[i];
            memcpy(S->k + cell, k + cell, sizeof(int32_t) * (size_t)(1 + own->pieces[i + 1]));
        }
    }
    return 1;
}

/* The cells in which the rules at work name pieces, where somebody may not know which (`named_in`). */
static int32_t rw_named_cells(const State *S, const RwGroup *slots, const RwGroup *naming, int32_t *cells) {
    int32_t n = 0;
    for (int32_t start = 1; start < S->top; start += 1 + RW_SEG[S->k[start]].frame) {
        const RwGroup *own = &slots[S->k[start]], *named = &naming[S->k[start]];
        for (int32_t i = 0; i < own->n; i += 2)
            for (int32_t j = 0; j < named->n; j += 2) {
                if (own->pieces[i] != named->pieces[j]) continue;
                const int32_t cell = start + own->pieces[i], room = own->pieces[i + 1];
                const int32_t held = room == 0 ? 1 : S->k[cell] < room ? S->k[cell] : room;
                for (int32_t k = 0; k < held; k++) {
                    const int32_t at = cell + (room > 0) + k;
                    if (S->k[at] >= 0 && S->k[at] < RW_PIECES) cells[n++] = at;
                }
            }
    }
    return n;
}

static int64_t rw_shift_of(const RwStepWorld *at, int32_t unknown) {
    return at->unknowns == NULL || unknown < 0 ? 0 : at->unknowns[unknown].shift;
}

/* The state at the beginning as the world has it, in C->work. 0 if something does not fit. */
static int rw_begin_of_step(Ctx *C, const RwPassage *step, const RwStepWorld *at) {
    State *S = C->work;
    if (!rw_is_renaming(at->new) || !rw_renamed(S, step->state, step->names, at->new)) return 0;
    for (int32_t i = 0; i < step->nnumbers; i++) {
        const num sum = rw_number(S, step->offsets[i]) + rw_shift_of(at, step->numbers[i]);
        if (!rw_fits(step->offsets[i], sum)) return 0;
        rw_set_number(S, step->offsets[i], sum);
    }
    if (at->k != NULL && !rw_put_locals(S, step->slots, at->k, at->top)) return 0;
    rw_index_anew(S);
    S->steps = 0;
    S->stamp = 0;
    rw_begin(C);
    return 1;
}

/* Asks the decision at the beginning: 1 if it is posed, its options lie in the context; 0 if not, -1 for Python's. */
static int rw_pose_step(Ctx *C) {
    State *S = C->work;
    const int signal = rw_segment(C, S, RW_PLAYOUT, RW_TOP_FRAME(S));
    const int is_large = signal == RW_FAULT && C->fault == RW_TOO_LARGE;
    if (signal == RW_FAULT) rw_forget_fault(C);
    return is_large ? -1 : signal == RW_STOP && !S->over;
}

/* Whether two options are alike, their pieces told by what they are and where they lay (`placed_option`). */
static int rw_are_placed_alike(const RwPassage *step, const RwStepWorld *at, int32_t one, int32_t other) {
    int32_t first[RW_MOST_BOUND], second[RW_MOST_BOUND];
    const RwBranch *branch = rw_values_of(step->site, one, first);
    if (branch == NULL || rw_values_of(step->site, other, second) != branch) return 0;
    for (int32_t i = 0; i < branch->n; i++) {
        const int is_piece = branch->binders[i].is_piece && first[i] >= 0 && second[i] >= 0;
        if (first[i] == second[i]) continue;
        if (!is_piece || first[i] >= RW_PIECES || second[i] >= RW_PIECES) return 0;
        if (step->row[first[i]] != step->row[second[i]]) return 0;
        const num place = RW_AT(step->state, at->old[first[i]]);
        if (RW_AT(step->state, at->old[second[i]]) != place) return 0;
        if (place >= 0 && place < RW_LISTS && !RW_UNORDERED[place]) return 0; /* two positions of a pile */
    }
    return 1;
}

/* The option that is taken in the world: 1 if it is offered there. */
static int rw_option_of_step(const Ctx *C, const RwPassage *step, const RwStepWorld *at, int32_t *option) {
    const State *S = C->work;
    const int32_t true_option = step->option + (int32_t)rw_shift_of(at, step->choice);
    const int32_t wanted = rw_renamed_option(step->site, true_option, at->taken), *offered = C->opts + S->opts;
    *option = wanted;
    for (int32_t i = 0; i < S->nopts; i++)
        if (offered[i] == wanted) return 1;
    for (int32_t i = 0; true_option >= 0 && i < S->nopts; i++) { /* of equal copies only the first is offered */
        *option = offered[i];
        if (rw_are_placed_alike(step, at, offered[i], wanted)) return 1;
    }
    return 0;
}

/* Runs on to the next decision: 1, or 0 if it never comes to one, or -1 for Python's. */
static int rw_run_step_on(Ctx *C, RwRerun *R) {
    State *S = C->work;
    S->steps = 0;
    for (;;) {
        C->optop = C->ustop = 0;
        const int signal = rw_segment(C, S, RW_PLAYOUT, RW_TOP_FRAME(S));
        const int is_large = signal == RW_FAULT && C->fault == RW_TOO_LARGE;
        if (signal == RW_FAULT) rw_forget_fault(C);
        if (R->is_lost || is_large) return -1;
        if (R->is_astray) return 0;
        if (R->is_at_block) {
            rw_copy(S, R->block);
            return 1;
        }
        if (signal != RW_GO) return signal == RW_STOP && !S->over && !R->stops_at_block;
        RW_CHARGE(RW_STEP);
        S->steps += RW_STEP;
        if (S->steps > RW_STEP_LIMIT) return 0;
    }
}

/* Whether a place belongs to a piece that the world calls otherwise: it has another number there. */
static int rw_is_renamed_place(int32_t place, const int32_t *new, const int32_t *then) {
#if RW_LOADS
    const int32_t carrier = RW_CARRIER[place];
    return carrier >= 0 && (new[carrier] != carrier || then[carrier] != carrier);
#else
    (void)place, (void)new, (void)then;
    return 0;
#endif
}

/* Whether the pieces of the world lie where the true ones lay (`_lies_alike`). */
static int rw_lies_alike(const RwPassage *step, const State *S, const int32_t *new, const int32_t *then) {
    int32_t here[RW_PIECES + 1], there[RW_PIECES + 1];
    for (int32_t place = 0; place < RW_LISTS; place++) {
        if (rw_is_renamed_place(place, new, then)) continue;
        int32_t n = 0, m = 0;
        if (S->count[place] != step->end->count[place]) return 0;
        for (num piece = RW_FIRST(S, place); piece >= 0; piece = RW_NEXT(S, piece)) there[n++] = step->row[piece];
        for (num piece = RW_FIRST(step->end, place); piece >= 0; piece = RW_NEXT(step->end, piece))
            here[m++] = step->row[then[piece]];
        if (RW_UNORDERED[place]) {
            rw_sort_numbers(here, m);
            rw_sort_numbers(there, n);
        }
        if (n != m || memcmp(here, there, sizeof(int32_t) * (size_t)n)) return 0;
    }
    for (int32_t slot = 0; slot < RW_SLOTS; slot++) {
        if (rw_is_renamed_place(RW_LISTS + slot, new, then)) continue;
        const num one = rw_slot(S, slot), other = rw_slot(step->end, slot);
        if ((one < 0) != (other < 0) || (one >= 0 && step->row[one] != step->row[then[other]])) return 0;
    }
    return 1;
}

/* What the piece is called that lies in the place of this one at the end of the step: if order does not matter, the piece
 * itself or an equal copy (`_lying_there`). */
static int32_t rw_lying_there(const RwPassage *step, const State *S, int32_t piece, const int32_t *new, const int32_t *then) {
    const int32_t place = (int32_t)RW_AT(S, piece);
    int32_t found = piece;
    if (place < 0 || rw_is_renamed_place(place, new, then)) return piece;
    if (place >= RW_LISTS) return then[rw_slot(step->end, place - RW_LISTS)];
    num here = RW_FIRST(S, place);
    for (num other = RW_FIRST(step->end, place); other >= 0; other = RW_NEXT(step->end, other)) {
        const int32_t called = then[other];
        if (!RW_UNORDERED[place]) {
            if (here == piece) return called;
            here = RW_NEXT(S, here);
        } else if (called == piece) {
            return piece;
        } else if (found == piece && step->row[called] == step->row[piece]) {
            found = called;
        }
    }
    return found;
}

/* The pieces that the rules name are called as they are at the end of the step: of equal copies it may have taken another
 * one than lies there then (`_called_as_later`). */
static void rw_call_as_later(const RwPassage *step, State *S, const int32_t *new, const int32_t *then) {
    int32_t cells[RW_STACK];
    const int32_t n = rw_named_cells(S, step->slots, step->naming, cells);
    for (int32_t i = 0; i < n; i++) S->k[cells[i]] = rw_lying_there(step, S, S->k[cells[i]], new, then);
}

/* Whether the same rules are at work, at the same points. */
static int rw_is_same_stack(const State *S, const State *T) {
    if (S->top != T->top) return 0;
    for (int32_t start = 1; start < S->top; start += 1 + RW_SEG[S->k[start]].frame)
        if (S->k[start] != T->k[start]) return 0;
    return 1;
}

/* Whether it led to the same decision, with the same for the player to see (`_ends_alike`). */
static int rw_ends_alike(const RwPassage *step, const State *S) {
    if (S->site != step->end->site || S->who != step->end->who || S->depth != step->end->depth) return 0;
    if (step->is_before_block && !rw_is_same_stack(S, step->end)) return 0;
    for (int32_t i = 0; i < step->seen->n; i++)
        if (rw_number(S, step->seen->pieces[i]) != rw_number(step->end, step->seen->pieces[i])) return 0;
    return 1;
}

/* Whether somebody else is silently asked on the way, and so has passed: whoever had done anything else there would have been
 * noticed (`_passes_over`). `passes`: how often somebody still passes at the question with which the step ends. */
static int rw_passes_over(const Ctx *C, const RwPassage *step, int32_t *passes) {
    const State *S = C->work;
    const int32_t *offered = C->opts + S->opts;
    int may_pass = 0;
    if (S->over || S->together || S->who == step->player || !step->sites[S->site].is_silent) return 0;
    for (int32_t i = 0; i < S->nopts; i++) may_pass |= offered[i] == RW_PASS;
    if (!may_pass) return 0;
    return step->is_before_block || S->site != step->end->site || S->who != step->end->who || (*passes)-- > 0;
}

/* Runs a step from its beginning, which lies in C->work: 1 if it comes to its end, 0 if not, -1 for Python's. R has the
 * script, and the journal afterwards. */
static int rw_play_step(Ctx *C, const RwPassage *step, const RwStepWorld *at, RwRerun *R) {
    R->at = R->njournal = 0;
    R->is_astray = R->is_lost = R->is_at_block = 0;
    rw_put_out(R);
    for (int32_t piece = 0; piece < RW_PIECES; piece++)
        if (step->lit[piece]) R->lit[at->new[piece]] = R->any_lit = 1;
    R->stops_at_block = step->is_before_block;
    R->player = step->player;
    if (step->site != NULL) {
        int32_t option = 0;
        const int is_posed = rw_pose_step(C);
        if (is_posed < 1) return is_posed;
        if (!rw_option_of_step(C, step, at, &option) || rw_take(C, C->work, option) != RW_GO) return 0;
    }
    C->rerun = R;
    int comes = rw_run_step_on(C, R);
    for (int32_t passes = step->passes; comes == 1 && !R->is_at_block && rw_passes_over(C, step, &passes);) {
        rw_put_out(R);
        comes = rw_take(C, C->work, RW_PASS) == RW_GO ? rw_run_step_on(C, R) : 0;
    }
    C->rerun = NULL;
    if (comes < 1) return comes;
    if (R->at < R->nscript || !rw_ends_alike(step, C->work)) return 0;
    if (!rw_lies_alike(step, C->work, at->new, at->then)) return 0;
    rw_call_as_later(step, C->work, at->new, at->then);
    return 1;
}

/* ---------------------------------------------------------------- steps of a walk */

/* What came of a step where the walk stands, and where it tries to go: the stack of rules; options of a free choice. */
typedef struct RwStepNow {
    int32_t top, next_top, *k, *next_k;
    int32_t noffered, next_n, room, next_room, *offered, *next_offered;
    int8_t is_asked;
} RwStepNow;

static void rw_steps_of_walk_done(RwWalk *W) {
    for (int32_t i = 0; W->steps_now != NULL && i < W->nsteps; i++) {
        free(W->steps_now[i].k);
        free(W->steps_now[i].next_k);
        free(W->steps_now[i].offered);
        free(W->steps_now[i].next_offered);
    }
    free(W->steps_now);
    free(W->shifts);
    if (W->rerun != NULL) rw_rerun_done(W->rerun);
    free(W->rerun);
}

/* Chance as it falls in the world. 0 if there is no memory. */
static int rw_write_script(const RwWalk *W, const RwPassage *step, RwRerun *R) {
    R->nscript = 0;
    for (int32_t i = 0; i < step->nfalls; i++) {
        const RwFall *fall = &step->falls[i];
        if (!rw_grow((void **)&R->script, &R->script_room, R->nscript, R->nscript + 2 + fall->n, sizeof(int32_t))) return 0;
        R->script[R->nscript++] = (int32_t)fall->what;
        R->script[R->nscript++] = fall->n;
        for (int32_t k = 0; k < fall->n; k++) {
            int32_t value = fall->outcome[k];
            if (fall->epochs != NULL) value = W == NULL ? value : W->epochs[fall->epochs[k]].new[value];
            else if (W != NULL && fall->numbers[k] >= 0) value += (int32_t)W->unknowns[fall->numbers[k]].shift;
            R->script[R->nscript++] = value;
        }
    }
    return 1;
}

static RwStepWorld rw_world_of_step(const RwWalk *W, const RwPassage *step) {
    RwStepWorld found = {W->epochs[step->epoch].new, W->epochs[step->epoch].old, W->epochs[step->taken_in].new,
                         W->epochs[step->end_epoch].new, W->unknowns, NULL, 0};
    if (step->before >= 0) { /* an earlier step, which has been worked out already */
        found.k = W->steps_now[step->before].next_k;
        found.top = W->steps_now[step->before].next_top;
    }
    return found;
}

/* What a free choice is offered in the world. 0 if only Python can say. */
static int rw_offer_again(Ctx *C, RwWalk *W, int32_t number) {
    const RwPassage *step = &W->steps_told[number];
    RwStepNow *now = &W->steps_now[number];
    const RwStepWorld at = rw_world_of_step(W, step);
    now->next_n = 0;
    if (!rw_begin_of_step(C, step, &at)) return 0;
    const int is_posed = rw_pose_step(C);
    if (is_posed < 1) return is_posed == 0;
    const State *S = C->work;
    if (!rw_grow((void **)&now->next_offered, &now->next_room, 0, S->nopts + 1, sizeof(int32_t))) return 0;
    for (int32_t i = 0; i < S->nopts; i++)
        if (C->opts[S->opts + i] >= RW_PASS) now->next_offered[now->next_n++] = C->opts[S->opts + i];
    return 1;
}

/* Makes a free choice anew if it is to be drawn or is offered something else (`_choose_again`): 1, or 0 if there is nothing
 * to choose, or -1 for Python's. */
static int rw_choose_again(Ctx *C, RwWalk *W, int32_t number) {
    const RwPassage *step = &W->steps_told[number];
    RwStepNow *now = &W->steps_now[number];
    RwUnknown *choice = &W->unknowns[step->choice];
    if (!rw_offer_again(C, W, number)) return -1;
    const int is_same = now->next_n == now->noffered &&
                        memcmp(now->offered, now->next_offered, sizeof(int32_t) * (size_t)now->next_n) == 0;
    if (!is_same || choice->is_chosen) {
        if (now->next_n == 0) return 0;
        choice->shift = now->next_offered[rw_walk_below(W, now->next_n)] - step->option;
    }
    now->is_asked = 1;
    return 1;
}

/* A number has changed, or what the rules hold: facts that turn on it have to be asked. */
static void rw_touch(RwWalk *W, int32_t number);

/* What a step has written is the world's own: 1, or 0 if that cannot be. */
static int rw_write_given(RwWalk *W, const RwPassage *step, const State *S) {
    for (int32_t i = 0; i < step->ngiven; i++) {
        const RwGiven *one = &step->given[i];
        const num shift = rw_number(S, one->offset) - rw_number(step->end, one->offset);
        RwUnknown *U = &W->unknowns[one->unknown];
        if ((shift && one->is_shown) || shift < one->least || shift > one->most) return 0;
        if (shift == U->shift) continue;
        U->shift = shift;
        for (int32_t k = 0; k < U->readers.n; k++) rw_touch(W, U->readers.pieces[k]);
    }
    return 1;
}

/* The stack of rules behind a step is kept, where rules may hold something unseen. */
static void rw_keep_stack(RwWalk *W, int32_t number, const State *S) {
    RwStepNow *now = &W->steps_now[number];
    if (now->next_k == NULL) return;
    now->next_top = S->top;
    memcpy(now->next_k, S->k, sizeof(int32_t) * (size_t)S->top);
    if (now->top == S->top && memcmp(now->k, S->k, sizeof(int32_t) * (size_t)S->top) == 0) return;
    for (int32_t i = 0; i < W->nfacts; i++)
        if (W->facts[i].held_by == number) rw_touch(W, i);
}

/* Works out again what the rules made of secrets, in the order of the game (`_works_out`): 1 if every step came out as the
 * player noticed it, 0 if not, -1 for Python's. */
static int rw_works_out(Ctx *C, RwWalk *W) {
    for (int32_t i = 0; i < W->nsteps; i++) W->steps_now[i].is_asked = 0;
    for (int32_t i = 0; i < W->nsteps; i++) {
        const RwPassage *step = &W->steps_told[i];
        if (!step->is_kept) continue; /* it comes out as it did */
        if (step->has_choice_anew) {
            const int is_made = rw_choose_again(C, W, i);
            if (is_made < 1) return is_made;
        }
        const RwStepWorld at = rw_world_of_step(W, step);
        if (!rw_begin_of_step(C, step, &at) || !rw_write_script(W, step, W->rerun)) return -1;
        const int comes = rw_play_step(C, step, &at, W->rerun);
        if (comes < 1) return comes;
        const size_t size = sizeof(int64_t) * (size_t)step->njournal;
        if (W->rerun->njournal != step->njournal || (size && memcmp(W->rerun->journal, step->journal, size))) return 0;
        rw_keep_stack(W, i, C->work);
        if (!rw_write_given(W, step, C->work)) return 0;
    }
    return 1;
}

/* Numbers and steps as they are, before they are tried otherwise. */
static void rw_keep_shifts(RwWalk *W) {
    for (int32_t i = 0; W->nsteps && i < W->nunknowns; i++) W->shifts[i] = W->unknowns[i].shift;
}

static void rw_restore_shifts(RwWalk *W) {
    for (int32_t i = 0; W->nsteps && i < W->nunknowns; i++) W->unknowns[i].shift = W->shifts[i];
}

static void rw_swap_rooms(int32_t **one, int32_t **other) {
    int32_t *held = *one;
    *one = *other;
    *other = held;
}

/* The world that was tried is where the walk stands now. */
static void rw_settle_steps(RwWalk *W) {
    for (int32_t i = 0; i < W->nsteps; i++) {
        RwStepNow *now = &W->steps_now[i];
        now->top = now->next_top;
        rw_swap_rooms(&now->k, &now->next_k);
        if (!now->is_asked) continue;
        const int32_t room = now->room;
        now->noffered = now->next_n;
        now->room = now->next_room;
        now->next_room = room;
        rw_swap_rooms(&now->offered, &now->next_offered);
    }
}

/* Gives a walk its steps, as they are in the game. 0 if that cannot be here. */
static int rw_walk_with_steps(Ctx *C, RwWalk *W, const RwPassage *steps, int32_t n, const RwAsking *sites, int has_slots) {
    W->steps_told = steps;
    if (n == 0) return 1;
    W->steps_now = calloc((size_t)n, sizeof(RwStepNow));
    W->shifts = calloc((size_t)W->nunknowns + 1, sizeof(int64_t));
    W->rerun = calloc(1, sizeof(RwRerun));
    if (W->steps_now == NULL || W->shifts == NULL || W->rerun == NULL) return 0;
    W->nsteps = n;
    W->rerun->sites = sites;
    W->rerun->row = W->row;
    for (int32_t i = 0; has_slots && i < n; i++) {
        W->steps_now[i].k = malloc(sizeof(int32_t) * RW_STACK);
        W->steps_now[i].next_k = malloc(sizeof(int32_t) * RW_STACK);
        if (W->steps_now[i].k == NULL || W->steps_now[i].next_k == NULL) return 0;
    }
    for (int32_t i = 0; i < n; i++) { /* with nothing changed each is as it was; what free choices are offered is new */
        RwStepNow *now = &W->steps_now[i];
        if (steps[i].has_choice_anew && !rw_offer_again(C, W, i)) return 0;
        now->is_asked = steps[i].has_choice_anew;
        if (has_slots) {
            memcpy(now->next_k, steps[i].end->k, sizeof(int32_t) * (size_t)steps[i].end->top);
            memcpy(now->k, now->next_k, sizeof(int32_t) * (size_t)steps[i].end->top);
            now->top = now->next_top = steps[i].end->top;
        }
    }
    rw_settle_steps(W);
    return 1;
}
#else
static void rw_steps_of_walk_done(RwWalk *W) {}
static int rw_works_out(Ctx *C, RwWalk *W) { return 1; }
static void rw_keep_shifts(RwWalk *W) {}
static void rw_restore_shifts(RwWalk *W) {}
static void rw_settle_steps(RwWalk *W) {}
#endif

#endif
