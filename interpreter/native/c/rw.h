/* What every native game shares: the state, the context, the signals, and the tables that the compiler writes.
 *
 * A game is one C file: the constants of this game (RW_…), this header and the other rw_*.h, then the emitted code.
 * The emitted code has one function per routine or segment and per way of running: q_… plays, t_… looks ahead.
 *
 * Nothing here allocates while a game runs, nothing jumps out of a function: what Python does with exceptions is a
 * signal that every caller hands on. C11, no extension, so that the same text becomes a library or WebAssembly.
 *
 * Constants that the emitted file defines before it includes this header:
 *   RW_PLAYERS RW_PIECES RW_LISTS RW_SLOTS RW_FIELDS (slots, dice and fields: the array f) RW_DICE
 *   RW_SMALL RW_SHIFT RW_WIDE RW_WIDES RW_SLOTS_WIDE (how numbers are kept: see State)
 *   and the table RW_WIDE_OF[address] (where in `wide`, or -1), if there are any
 *   RW_LINK RW_LINK_SHIFT RW_PLACE RW_PLACE_SHIFT (types of the number of a piece and of a place) RW_STACK (cells of all frames together) RW_RESULT (cells of a result)
 *   RW_SEGMENTS RW_END (the segment that ends the game) RW_SITES RW_ROUTINES RW_FREES RW_CELLS RW_GIVENS RW_WHYS
 *   RW_HITS (places of the rules that are counted, for studies)
 *   RW_STEP RW_STEP_LIMIT (units of work: in a step, the most between two decisions)
 *   RW_COPIED RW_COPY_STEPS (what a copy of a state costs: units; steps of a trial) RW_FRAME_LIMIT RW_TRIAL_STEPS RW_OPTION_LIMIT RW_DECISION_LIMIT
 *   RW_TRIES (0: nothing is ever tried)
 *   RW_COSTS RW_KINDS RW_PAID_PIECES (room of a payment) RW_ENV (bytes that the tests of a question may keep)
 *   RW_MOST_ARGS (arguments of a call of a cell or of a free action, the player included)
 *   RW_PLAY_ROUTINE RW_SETUP_ROUTINE RW_DEALS RW_SCORED RW_RANK_KEYS RW_TEAM RW_PROGRESS RW_STOCK RW_DANGER (see rw_play.h)
 *   RW_HIDES (1: somebody may not know something; otherwise there is no walk to worlds, see rw_glances.h)
 *   RW_REMEMBERS (1: what players know is kept too, see rw_memory.h); there RW_LOADS, if pieces carry others: runs of
 *   places that belong to pieces, each (first place, first piece, pieces, places of each) in RW_LOAD
 *   RW_FACES (1: pieces may lie face down) RW_AUTOMAS (a bit mask) RW_AUTOMA_FIRST (those that take first options)
 */
#ifndef RW_H
#define RW_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef RW_CHECKED /* a build for tests */
#include <stdlib.h>
#endif

typedef int64_t num;  /* a number while it is worked with; what is kept has 32 bits or less */
typedef int32_t elt;  /* an element of a set */

typedef struct {      /* a set that somebody else keeps */
    const elt *v;
    int32_t n;
} Set;

/* ---- the allowance of a call: what a module may do before it comes back to whoever called it ----
 *
 * S->steps bounds the work from one decision to the next. A whole game has thousands of decisions, and a search has
 * thousands of games, so one call might still take hours. In a module every count of work is therefore taken off a
 * second number too, which belongs to the call and which nothing in the module ever raises. When it is used up the
 * module traps: the call ends there and then, wherever it is, and its memory is to be dropped.
 *
 * What is charged: each segment with the most that it does before its first count (RW_CHARGE at its head), each count
 * of work (rw_spend), and in this runtime each loop that neither of them knows of and that no declared size bounds by
 * little. Libraries have no such number, since whoever loads one trusts it with the whole process. */
/* What the compiler counts beforehand is the most that can happen, and often ten times what does. Searches for sets and
 * payments count exactly what they do, and a unit of theirs takes up to fifty instructions: so it weighs more. */
enum { RW_SEARCHED = 16 };

#if defined(__wasm__)
static int64_t rw_allowance = INT64_MAX;
#define RW_CHARGE(units) do { if ((rw_allowance -= (int64_t)(units)) < 0) __builtin_trap(); } while (0)
#else
#define RW_CHARGE(units) ((void)0)
#endif

/* ---- signals: what a segment or a plain routine comes back with ---- */
enum {
    RW_GO = 0,      /* a segment: the machine goes on with the top frame. A plain routine: done */
    RW_STOP = 1,    /* a decision is pending, or the game is over */
    RW_REFUSED = 2, /* a requirement is not met: C->refusal says which */
    RW_CARRIED = 3, /* the trial stops here and counts as success */
    RW_ENDED = 4,   /* the game is over; unwinds rules without decisions */
    RW_FAULT = 5    /* an error of the ruleset: C->fault says which */
};

enum { RW_NO = 0, RW_YES = 1, RW_UNSURE = 2 }; /* the three answers of foresight */
enum { RW_PASS = -1, RW_SKIP = -2, RW_NOTHING_ELSE = -3, RW_FREE = -4 }; /* options that are none of a branch */
enum { RW_PLAYOUT = 0, RW_TRIAL = 1 }; /* ways of running: index of RW_CODE */
enum { RW_TOO_LARGE = 999 }; /* in place of a fault: Python has room for it, and must play this choice */
enum { RW_TOLD = 6, RW_OPTIONS_TOLD = 32 }; /* numbers of a report; options behind them */
#define RW_NO_NUMBER (-2147483647 - 1)

/* ---- the state: flat, no pointer, the stack of frames last, so that a copy takes the live part only ---- */
typedef struct {
    uint64_t g;                    /* the generator */
    uint64_t stamp;                /* of the question that is pending; copies have the same: see rw_ask_again */
    int32_t depth, top, frame;     /* frames on the stack; cells in use of k; where the top frame begins */
    int32_t site, who;             /* of the pending decision */
    int32_t opts, nopts;           /* where its options lie in C->opts */
    int32_t pick;                  /* the option that was taken last, or what is said in its place */
    int64_t steps;                 /* units of work since the last decision */
    int32_t decisions;             /* choices made so far */
    int32_t running;               /* cells that are being performed: frames of segment 0 */
    int32_t together;
    int32_t tb_depth, tb_loop;     /* on trial: where a pass of this loop ends, the trial has succeeded */
    int32_t reach;                 /* on trial: with fewer frames than that it is over; else 0 */
    int32_t failed;                /* on trial: so many options of its question have been tried already */
    int32_t looker;                /* on trial: who looks ahead; -1 for all players together */
    int32_t why, nwhy;             /* the text that says why the game ended, or -1; how many values it has */
    int8_t over, automatic;        /* single options are taken without asking */
    int8_t nwon;                   /* -1: nobody was named as winner; else the first nwon of won */
    int8_t ngone;
    int8_t won[RW_PLAYERS], gone[RW_PLAYERS];
    elt whys[RW_WHYS + 1];
    elt r[RW_RESULT + 1];          /* what the last framed call gave; a set: its size first */
    /* Slots, dice, fields, read by rw_number and changed by rw_write only. Those whose numbers fit lie in `small`, each
     * RW_SHIFT more than it means; the others in `wide`, at RW_WIDE_OF of their address. */
#if RW_WIDES
    RW_WIDE wide[RW_WIDES];
#endif
    RW_SMALL small[RW_FIELDS + 1];
    /* Where pieces lie: read by RW_AT, RW_NEXT, RW_PREVIOUS, RW_FIRST and RW_LAST. Numbers of pieces are kept
     * RW_LINK_SHIFT more than they mean, those of places RW_PLACE_SHIFT more, so that none (-1) and 254 pieces fit into
     * eight bits. */
    RW_PLACE lies[RW_PIECES + 1];    /* by piece + 1: its place, -1 the box, and -2 for none */
    RW_LINK next[RW_PIECES + 1];     /* by piece: the next in its list, or -1 */
    RW_LINK previous[RW_PIECES + 1]; /* the one in front of it, or -1 */
    RW_LINK first[RW_LISTS + 1], last[RW_LISTS + 1];
    RW_LINK count[RW_LISTS + 1];     /* how many lie there: as it is, not shifted */
#if RW_FACES
    uint8_t down[RW_PIECES + 1];   /* face down */
#endif
#if RW_MASKS
    uint64_t m[RW_MASKS];          /* masks of the indexes: see rw_masks.h */
#endif
#if RW_SUMS
    uint64_t z[RW_SUMS];           /* sums over fields */
#endif
    int32_t k[RW_STACK];           /* frames: [where the frame below begins, segment, slots …] */
} State;

/* An index over a field: the smallest number of the field and how many there are; by number, where the mask of its
 * class begins in m. Which index knows a field, and as which element. */
typedef struct {
    int32_t lowest, values;
    const int16_t *masks;
} RwIndex;
typedef struct { int16_t index, element; } RwIndexed;

/* A sum over fields: the smallest number of a field and how many there are; by field and number, what it adds. Which
 * sum a field is in, and where its row begins. */
typedef struct {
    int32_t lowest, values;
    const uint32_t *worth;
} RwSum;
typedef struct { int32_t sum, row; } RwSummed;

#define RW_AT(S, piece) ((num)(S)->lies[(piece) + 1] - RW_PLACE_SHIFT)
#define RW_NEXT(S, piece) ((num)(S)->next[piece] - RW_LINK_SHIFT)
#define RW_PREVIOUS(S, piece) ((num)(S)->previous[piece] - RW_LINK_SHIFT)
#define RW_FIRST(S, list) ((num)(S)->first[list] - RW_LINK_SHIFT)
#define RW_LAST(S, list) ((num)(S)->last[list] - RW_LINK_SHIFT)
#define RW_LINKED(piece) ((RW_LINK)((piece) + RW_LINK_SHIFT)) /* the number of a piece as it is kept */
#define RW_KEPT_PLACE(place) ((RW_PLACE)((place) + RW_PLACE_SHIFT))

static inline void rw_lay_at(State *S, num piece, num place) { S->lies[piece + 1] = RW_KEPT_PLACE(place); }

/* A number of the state by its address, wherever that is kept. Emitted code that knows the address knows where, too. */
#if RW_WIDES
static inline num rw_number(const State *S, num at) {
    const int wide = RW_WIDE_OF[at];
    return wide >= 0 ? (num)S->wide[wide] : (num)S->small[at] - RW_SHIFT;
}
/* Keeps a number and nothing else: indexes and sums do not follow. See rw_write. */
static inline void rw_set_number(State *S, num at, num value) {
    const int wide = RW_WIDE_OF[at];
    if (wide >= 0) S->wide[wide] = (RW_WIDE)value;
    else S->small[at] = (RW_SMALL)(value + RW_SHIFT);
}
static inline int rw_fits(num at, num value) {
    return RW_WIDE_OF[at] >= 0 ? (num)(RW_WIDE)value == value : (num)(RW_SMALL)(value + RW_SHIFT) - RW_SHIFT == value;
}
#else
static inline num rw_number(const State *S, num at) { return (num)S->small[at] - RW_SHIFT; }
static inline void rw_set_number(State *S, num at, num value) { S->small[at] = (RW_SMALL)(value + RW_SHIFT); }
static inline int rw_fits(num at, num value) {
    (void)at;
    return (num)(RW_SMALL)(value + RW_SHIFT) - RW_SHIFT == value;
}
#endif

/* The piece in a slot, or -1. Slots come first of all numbers, and are kept in one way all together. */
static inline num rw_slot(const State *S, num slot) {
#if RW_SLOTS_WIDE
    return S->wide[slot];
#else
    return (num)S->small[slot] - RW_SHIFT;
#endif
}
static inline void rw_set_slot(State *S, num slot, num piece) {
#if RW_SLOTS_WIDE
    S->wide[slot] = (RW_WIDE)piece;
#else
    S->small[slot] = (RW_SMALL)(piece + RW_SHIFT);
#endif
}

#define RW_TOP_FRAME(S) ((S)->k + (S)->frame)
/* A frame as segments see it: F[0] is the segment, F[1] … its slots. F[-1] is where the frame below begins (its F[0]
 * as an index of k), -1 for the lowest. See rw_push_frame and rw_pop_frame in rw_places.h. */

/* ---- the context: buffers of one thread; nothing in it belongs to a game ---- */
struct RwContext;
typedef struct RwChunk RwChunk; /* see rw_rooms.h */
typedef struct RwFar RwFar;     /* see rw_far.h */
typedef int (*RwTest)(struct RwContext *, State *, const void *env, int32_t option); /* RW_NO, RW_YES, RW_UNSURE */

/* What is wanted of the options of a decision in place of all of them: one at random, tried as it is picked; or how many
 * there are, where that can be counted without writing them down. */
enum { RW_ONE_OPTION = 1, RW_NUMBER_OF_OPTIONS = 2 };

typedef struct RwContext {
    int32_t *opts;                 /* a stack of options: those of the pending decision, then those of trials */
    int32_t optop, optcap;
    int32_t *us;                   /* a second stack, of those options that must be tried */
    int32_t ustop, uscap;
    int32_t refusal;               /* number of the last refusal */
    int32_t fault;                 /* 901 … 908, as the codes of diagnostics; 0 for none */
    int32_t fault_place;           /* index of the instruction's place in the rules */
    num fault_value;
    State **trials;                /* copies for trials, one per level of looking ahead */
    int32_t trial_level, trial_levels;
    int32_t *budget;               /* steps that the trials which are running have left */
    int64_t tried, exhausted;      /* how many trials were made; how many ran out of steps */
    int8_t sampled;                /* RW_ONE_OPTION, RW_NUMBER_OF_OPTIONS, or 0 if all options are wanted */
    int8_t drawn;                  /* the option at S->opts is the one that was drawn, and the only one there */
    int64_t left;                  /* of a playout: segments that it may still run; else 0 or less */
    int8_t is_going_on;            /* to the next choice (rw_run_to_choice) */
    uint64_t choice, bits;         /* of a playout: the generator of its choices; what is left of its last number */
    int32_t untried;               /* the site whose pending options have yet to be tried, or -1 */
    RwTest untried_test;           /* their test, or NULL; with untried_list the unsure ones are listed instead */
    int8_t untried_list;
    int32_t nunsure, unsure;       /* where those lie: unsure is an index of `kept` */
    int32_t *kept;                 /* options kept aside for sampling */
    int32_t keptcap;
    int32_t *history;              /* site, option, site, option …; NULL if nobody wants it */
    int32_t nhistory, histcap;
    uint64_t asked, stamps;        /* stamp of the state whose pending options lie in opts, 0 for none; the last stamp */
    State *first;                  /* a game with the certain part of setup done, if has_first */
    int8_t has_first;
    int32_t counts[RW_HITS + 1];   /* of the last playout: forced choices, then what the rules count (RW_HITS) */
    int32_t report[RW_TOLD + RW_OPTIONS_TOLD]; /* after rwx_apply and rwx_new: see rwx_report */
    const num *known_points;       /* of each player, if somebody who counts them has them at hand; else NULL */
    State *work;                   /* room for a game of playouts in a row */
    RwChunk *chunk;                /* room for large sets */
    RwFar *far[RW_FARS + 1];       /* distances on large maps */
    union { double aligned; unsigned char bytes[RW_ENV + 8]; } env; /* what untried_test needs, see rw_carried_options */
#if RW_REMEMBERS
    struct RwMemory *memory;       /* of the game that is played; NULL while somebody looks ahead */
    struct RwAgain *again;         /* a set of the past that is made again (rw_again.h); else NULL */
    struct RwRerun *rerun;         /* a step of the rules that is run again (rw_steps.h); else NULL */
#endif
} Ctx;

/* Why Python has to play a game of bots. native/matches.py has a sentence for each. */
typedef enum {
    RW_LOST_NOT,
    RW_LOST_ROOM,       /* there is no memory, or something is too long */
    RW_LOST_TOGETHER,   /* all choose at the same time in a game without a memory */
    RW_LOST_PICKS,      /* more is picked one by one than there are pieces */
    RW_LOST_WORKED_OUT, /* which pieces go, or what is told, was worked out from secrets */
    RW_LOST_STORY,      /* what a player has lived through is not for C */
    RW_LOST_FACT,       /* nor what a player may conclude from a decision */
    RW_LOST_WORLD,      /* a world cannot be made */
    RW_LOST_SEARCH,     /* a search cannot go on */
    RW_LOST_RULES,      /* a fault of the rules, which Python tells in words */
    RW_LOST_LENGTH,     /* the game has more decisions than are allowed */
    RW_LOST_CHANCE,     /* chance has fallen while all choose at the same time */
    RW_LOST_BLOCK,      /* all choose between several ways at the same time, and rules work something out from secrets */
    RW_LOST_STEPS       /* what they worked out cannot be worked out again in C */
} RwLost;

#if RW_REMEMBERS
/* What emitted code tells: see rw_memory.h. */
static void rw_knows_move(Ctx *C, State *S, num piece, num source, num target, int by_position, int was_down);
static void rw_knows_deal(Ctx *C, State *S, Set pieces, num source, num target);
static void rw_knows_shuffle(Ctx *C, State *S, num place);
static void rw_knows_spot(Ctx *C, State *S, num place, num knower);
static void rw_knows_shuffle_into(Ctx *C, State *S, num source, num target);
static void rw_knows_swap(Ctx *C, State *S, num one, num other);
static void rw_knows_places(Ctx *C, State *S, num one, num other, int size);
static void rw_knows_passed(Ctx *C, State *S, num base, int size);
static void rw_knows_flip(Ctx *C, State *S, num piece);
static void rw_knows_draw(Ctx *C, State *S, num place, Set drawn);
static num rw_knows_pick(Ctx *C, State *S, Set items, num picked);
static void rw_knows_reveal(Ctx *C, State *S, Set pieces, num to);
static void rw_knows_unasked(Ctx *C, State *S, int site, num who, Set picked, int32_t pick);
static void rw_knows_picked(Ctx *C, Set picked);
static void rw_knows_told(Ctx *C, State *S, int number, const num *args, num value);
static void rw_knows_wrote(Ctx *C, State *S, num first, int is_unseen, int size, int is_chosen);
static void rw_knows_rolled(Ctx *C, State *S, num first, int count, num low, num high);
static void rw_knows_shown(Ctx *C, State *S, num offset, num to);
static num rw_knows_lot(Ctx *C, State *S, Set items, num picked, int varies);
static void rw_knows_settled(Ctx *C, State *S, num place);
static void rw_knows_together(Ctx *C, State *S, int change);
static void rw_knows_no_more(Ctx *C, int why); /* RwLost */
static int rw_told_again(Ctx *C, State *S, int number, const num *args, num *value); /* emitted; 0 for a fault */
#endif

/* ---- tables that the emitted file writes, by these names ---- */
typedef struct {
    int16_t rule;                  /* number of the rule it belongs to, -1 for none */
    int16_t routine;               /* number of the routine */
    int16_t loop;                  /* innermost loop of a phase around it, or 0 */
    uint8_t phase, phase_entry;    /* body of a phase, or what stands in for it; a phase before its body */
    uint8_t may_refuse, asks;
    int32_t frame;                 /* cells of its frame: segment and slots */
} RwSegment;

typedef struct {
    uint8_t kind;                  /* RW_CHOOSE … */
    uint8_t in_phase, values_only, may_pass, fallback, callers, steady;
    uint8_t picked_from;           /* kind is choose, one or may, without a fallback: playouts draw first, then try */
    int16_t always;                /* a branch that can always be chosen, or -1 */
    int16_t branches;
    uint8_t pass_tried;            /* passing must be tried too */
    int32_t first;                 /* RW_FIRSTS[first + b] is the first option of branch b */
    int32_t tried;                 /* RW_TRIED[tried + b]: options of branch b must be tried */
    int16_t ntried;                /* how many branches must be tried, passing included */
} RwSite;
enum { RW_CHOOSE, RW_SET, RW_ONE, RW_MAY, RW_PAUSE, RW_ORDER, RW_PAY };

typedef struct {                   /* a framed routine has an entry; a plain or pure one has -1 */
    int16_t entry, params;
    int32_t frame;
} RwRoutine;

typedef struct {                   /* a free action */
    int16_t rule, routine, during; /* its rule; its routine; the rule of the phase in which it may be taken */
    uint8_t inside;
    uint8_t has_player;            /* its player is among what the phase was called with */
    int16_t nparams, params;       /* RW_FREE_PARAMS[3 * (params + i)]: where a parameter of the phase lies, where it goes, its cells */
    int32_t cells;                 /* of all arguments */
} RwFree;

typedef struct { int32_t first, n; } RwCell; /* its calls: RW_CALLS[first] … */
typedef struct {
    int16_t routine;
    uint8_t takes_player;
    int16_t nargs;
    int32_t args;                  /* RW_ARGS[args + i] */
} RwCall;
/* An argument: the value; or what was given by the performer, by where it lies; or a set that is written there, by where
 * it lies in RW_WRITTEN. `room`: of a set, how many elements its parameter can have; else -1. Arguments are handed over as
 * they lie in a frame: a number is one cell, a set its size and the room of its elements. */
typedef struct { int32_t from, value, room; } RwArg;
enum { RW_ARG_VALUE, RW_ARG_GIVEN, RW_ARG_SET };

/* Emitted, by these names:
 *   static const RwSegment RW_SEG[RW_SEGMENTS]; RwSite RW_SITE[]; int32_t RW_FIRSTS[]; uint8_t RW_TRIED[];
 *   RwRoutine RW_ROUTINE[]; RwFree RW_FREE_ACTION[]; int16_t RW_FREE_PARAMS[]; uint8_t RW_FREE_RULE[rule];
 *   uint8_t RW_ALWAYS[routine] (it can always be carried through: FORESEEN says True);
 *   RwCell RW_CELL_OF[]; RwCall RW_CALLS[]; RwArg RW_ARGS[]; uint8_t RW_CELLS_NEST (a constant);
 *   uint32_t RW_SEES[place] (who sees what lies there), uint8_t RW_TOP_OPEN[place] (all see the piece on top there),
 *   uint8_t RW_UNORDERED[place], int16_t RW_ROW[piece + 1],
 *   int16_t RW_CARRIER[place], RW_HOLDER[place], RW_NODE_OF[place]; int32_t RW_START[RW_FIELDS]
 * and functions:
 *   int rw_segment(Ctx *, State *, int way, int32_t *F)   runs the segment F[0] of that way
 *   int rw_plain(Ctx *, State *, int way, int routine, const elt *args)   calls a plain routine
 *   int rw_foreseen(Ctx *, State *, int routine, const elt *args)   an answer; RW_UNFORESEEN where nothing is known
 *   int rw_performing(int routine)   what foresees it asks for other cells
 *   num rw_formula(Ctx *, State *, int cell, num who)
 *   num rw_points(Ctx *, State *, int player);  int rw_rank(Ctx *, State *, int player, num *keys)
 */
enum { RW_UNFORESEEN = 3 };

static inline int rw_segment(Ctx *C, State *S, int way, int32_t *F);
static int rw_plain(Ctx *C, State *S, int way, int routine, const elt *args);
static int rw_foreseen(Ctx *C, State *S, int routine, const elt *args);
static int rw_performing(int routine);
static num rw_formula(Ctx *C, State *S, num cell, num who);
static num rw_points(Ctx *C, State *S, int player);
#if RW_PAYOFF
static num rw_payoff(Ctx *C, State *S, int player);
#endif
static int rw_rank(Ctx *C, State *S, int player, num *keys);

static inline int rw_refuse(Ctx *C, int number) {
    C->refusal = number;
    return RW_REFUSED;
}

static inline int rw_fault(Ctx *C, int code, num value, int place) {
    C->fault = code;
    C->fault_value = value;
    C->fault_place = place;
    return RW_FAULT;
}

/* A segment that nothing comes to, as the compiler has proved. A trial forgets its faults, so a build for tests stops. */
static inline int rw_never(Ctx *C) {
#ifdef RW_CHECKED
    abort();
#endif
    return rw_fault(C, 904, 0, -1);
}

/* Counts work that has been taken off the allowance already, such as that of a trial when it is over. */
static inline int rw_count(Ctx *C, State *S, int64_t units, int place) {
    S->steps += units;
    return S->steps > RW_STEP_LIMIT ? rw_fault(C, 903, RW_STEP_LIMIT / RW_STEP, place) : RW_GO;
}

/* Counts work that the rules do (compile/work.py says where); a fault if it is more than the limit allows. */
static inline int rw_spend(Ctx *C, State *S, int64_t units, int place) {
    RW_CHARGE(units);
    return rw_count(C, S, units, place);
}

/* An option is added behind those of the question in the making; RW_FAULT if there is no room left. */
static inline int rw_offer(Ctx *C, num option) {
    if (C->optop >= C->optcap) return rw_fault(C, 905, C->optop, -1);
    C->opts[C->optop++] = (int32_t)option;
    return RW_GO;
}

/* The option is also one of those that must be tried. */
static inline int rw_offer_unsure(Ctx *C, num option) {
    if (C->ustop >= C->uscap) return rw_fault(C, 905, C->ustop, -1);
    C->us[C->ustop++] = (int32_t)option;
    return RW_GO;
}

/* Bytes of a state that are in use: what lies behind the last frame means nothing. */
static inline size_t rw_live_size(const State *S) {
    return offsetof(State, k) + sizeof(int32_t) * (size_t)S->top;
}

/* Copies the live part of a state. */
static inline void rw_copy(State *to, const State *from) {
    memcpy(to, from, rw_live_size(from));
}

#endif
