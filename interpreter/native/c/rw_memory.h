/* What players know, kept while a game is played: runtime/knowledge.py and runtime/trail.py, event by event.
 *
 * Only in libraries that remember (RW_REMEMBERS), which are made for whole games of bots. Emitted code says what happens on
 * the table (rw_knows_…, declared in rw.h), as Python's emitted code does while somebody plays. Each player has mixes
 * (rw_mixes.h), and a tale (rw_tale.h) to which whatever that player notices is added at once; Python hands over nothing.
 *
 * Here is what a memory holds, how it is made, and how a tale goes on. What is seen when pieces move is rw_notices.h;
 * decisions, and values told to all, are rw_moments.h: each that somebody may conclude something from is kept whole
 * (RwMoment), and rw_recall.h makes facts of it. Numbers that somebody does not see are known from when they are written or
 * rolled (rw_secret.h), or worked out again in each world (rw_steps.h); before a block of `together` all is kept as it was.
 * What only Python can keep makes the memory lost, with a reason (RwLost): the game is then Python's from its seed on. */
#ifndef RW_MEMORY_H
#define RW_MEMORY_H

#include "rw_mixes.h"

enum { RW_PLACES = RW_LISTS + RW_SLOTS };

typedef struct {               /* a decision, one that answered itself (is_fell), or a value told to all (telling) */
    State *state;
    int32_t nopts, pick; /* pick: what was taken, or what it answered */
    int32_t *names;      /* where names of pieces stand in it, once somebody has asked (rw_recall.h) */
    int8_t is_fell, is_taken, is_posed, picks_some; /* is_posed: its player was really asked; picks_some: and has to pick */
    int32_t npicked, *picked; /* of a set or payment: what it had */
    int32_t telling;     /* which value was told, or -1; with these arguments, and what it came to */
    num value, args[RW_MOST_DIGITS];
    int32_t *opts;       /* what was offered, where nobody saw what was taken and rules work something out from secrets */
} RwMoment;

typedef struct { /* a value that the rules tell to all: which arguments are pieces, and what it can find out */
    int32_t n, is_piece[RW_MOST_DIGITS], sorts, is_unseen; /* is_unseen: it rests on what a rule at work holds unseen */
    RwGroup looks;
} RwTelling;

enum { RW_OWN_NUMBERS = 256 }; /* that belong to a piece */

/* The last decision that was posed, as far as somebody may have written down what was chosen; what chance picked from so
 * many numbers, and when. A number is taken for one of these if it was written so soon behind (`offers` of unseen.py). */
enum { RW_MOST_LOTS = 20, RW_MOST_VALUES = 4096 };
typedef struct { int32_t site, who, is_hidden, option, n, room, *options; } RwOffer;
typedef struct { int64_t at; int32_t value, n, *values; } RwLot;

typedef struct RwMemory {
    RwMixes mixes[RW_PLAYERS];
    RwTale *tales[RW_PLAYERS];
    uint8_t asked[RW_PLAYERS]; /* the last decision is an event of the tale */
    int8_t is_lost;            /* Python has to play this game: why, RwLost */
    uint8_t is_top_open[RW_PLACES + 1], is_bag[RW_PLACES + 1], can_hide[RW_PIECES + 1];
    int32_t back[RW_PIECES + 1];
    RwBits copies[RW_PIECES + 1]; /* of each piece those that are equal to it, itself too */
    uint32_t lit[RW_PIECES + 1];  /* who watches a piece that was revealed since the last decision */
    int8_t any_lit;
    int16_t number_of[RW_FIELDS + 1]; /* of each offset: its number among those that somebody does not see, or -1 */
    uint32_t shown[RW_MOST_NUMBERS];  /* of each of them: who was shown it since it was written */
    int64_t ticks, fell_at, took_at;  /* events of the game; when the last decision answered itself, or was answered */
    RwOffer offer;                    /* that decision */
    int32_t nlots;
    RwLot lots[RW_MOST_LOTS];         /* numbers that chance picked last */
    State *apart;                     /* the game before the block of `together` that runs (has_apart), */
    int8_t has_apart;
    RwMixes apart_mixes[RW_PLAYERS];  /* and what players knew then: mixes, how long their tales were */
    int32_t apart_n[RW_PLAYERS];
    int32_t nblock, block_room, *block; /* what was chosen since: pairs of a player and an option */
    int32_t npicked, picked[RW_PIECES + 1]; /* what a set or payment had when it was asked for last */
    int32_t nmoments, room;
    RwMoment *moments;
    RwAsking sites[RW_SITES + 1];
    RwBinder *binders;
    RwGroup fields;               /* pairs: runs of f that name pieces, from the first to behind the last */
    RwGroup blocks;               /* fours: runs of f that belong to pieces, as rw_worlds.h has them */
    int8_t has_owners;            /* pieces have fields or places of their own: */
    uint8_t is_owner[RW_PIECES + 1];
    int32_t kind[RW_PIECES + 1];  /* of each piece its kind, numbered in the order of their names */
    int32_t names_room;           /* numbers in which all names of a state find room */
    RwGroup naming[RW_SEGMENTS];  /* of each segment pairs: a cell of its frame that names pieces, the room of a set or 0 */
    int32_t sorts_of[RW_SEGMENTS], *sorts; /* of each asking segment its sorts, or -1 (compile/sorts.py); all of them */
    uint8_t is_free_set[RW_SEGMENTS]; /* it asks for so many pieces, whichever they are (Meta.free_sets) */
    RwGroup looks[RW_SEGMENTS];   /* places that a segment may look into; no list at all: any (compile/looks.py) */
    int32_t ntellings;
    RwTelling *tellings;
    int8_t shows_to_one; /* decisions may rest on pieces that were shown to one player alone (hands.py) */
    int8_t works_out, has_slots; /* for steps (rw_steps.h): rules work something out from secrets; … */
    RwGroup seen[RW_PLAYERS];     /* offsets of the numbers that a player always sees */
    RwGroup slots[RW_SEGMENTS];   /* of each segment pairs: a cell that may hold something unseen, the room of a set or 0 */
} RwMemory;

/* ---------------------------------------------------------------- what a tale is told */

/* Whether the option that was taken last is this piece, or one of a set with it (`was_chosen` of runtime/trail.py). */
static int rw_was_chosen(const RwMemory *M, const State *S, int32_t piece) {
    for (int32_t i = 0; i < M->npicked; i++)
        if (M->picked[i] == piece) return 1;
    if (S->site < 0 || S->site >= RW_SITES) return 0;
    int32_t values[RW_MOST_BOUND];
    const RwBranch *branch = rw_values_of(&M->sites[S->site], S->pick, values);
    for (int32_t i = 0; branch != NULL && i < branch->n; i++)
        if (values[i] == piece && !branch->binders[i].is_spot) return 1;
    return 0;
}

/* The game is Python's from now on; the first reason counts. */
static void rw_lose(RwMemory *M, RwLost why) {
    if (!M->is_lost) M->is_lost = (int8_t)why;
}

static RwEvent *rw_tale_event(RwMemory *M, int player, int kind) {
    RwEvent *E = rw_more_events(M->tales[player]);
    if (E == NULL) {
        rw_lose(M, RW_LOST_ROOM);
        return NULL;
    }
    memset(E, 0, sizeof *E);
    E->kind = (int8_t)kind;
    E->is_idle = E->moment = -1;
    M->tales[player]->n++;
    if (kind == RW_TALE_MIXED || kind == RW_TALE_SEEN) M->ticks++; /* any other is one event for all */
    return E;
}

/* The player is about to lose track of which of these pieces is at which of their positions (`_mix_on_trail`). */
static void rw_tell_mixed(RwMemory *M, const State *S, int player, const int32_t *pieces, int32_t n, RwMixing how) {
    const RwMixes *X = &M->mixes[player];
    int32_t touched = 0, is_whole = 1;
    if (n < 2) return;
    RwEvent *E = rw_tale_event(M, player, RW_TALE_MIXED);
    if (E == NULL) return;
    E->pieces = malloc(sizeof(int32_t) * (size_t)n);
    if (E->pieces == NULL) {
        rw_lose(M, RW_LOST_ROOM);
        M->tales[player]->n--;
        return;
    }
    memcpy(E->pieces, pieces, sizeof(int32_t) * (size_t)n);
    E->n = n;
    E->bits = rw_bits_of(pieces, n);
    for (int32_t i = 0; i < X->n; i++)
        if (rw_bits_meet(&X->several[i], &E->bits)) {
            touched++;
            is_whole &= !rw_bits_beyond(&X->several[i], &E->bits);
        }
    E->is_closed = (int8_t)(how == RW_MIXED_BY_CHANCE && is_whole);
    E->is_cut = (int8_t)(!is_whole && (touched > 1 || rw_bits_beyond(&E->bits, &X->hidden)));
    E->by_chance = (int8_t)(how == RW_MIXED_BY_CHANCE);
    E->by_look = (int8_t)(how == RW_MIXED_BY_LOOK);
    E->was_chosen = (int8_t)(how == RW_MIXED_BY_MOVE && rw_was_chosen(M, S, pieces[0]));
}

/* The piece becomes a mix of its own. `note`: the tale is told in any case. */
static void rw_single_out(RwMemory *M, int player, int32_t piece, int note) {
    const int is_new = rw_bit(&M->mixes[player].hidden, piece);
    if (note || is_new) {
        RwEvent *E = rw_tale_event(M, player, RW_TALE_SEEN);
        if (E != NULL) E->piece = piece;
    }
    if (is_new) rw_mix_without(&M->mixes[player], piece);
}

/* The mixes of these pieces become one for each back, in the order in which the backs come. */
static void rw_join_by_back(RwMemory *M, const State *S, int player, const int32_t *pieces, int32_t n, int by_chance) {
    uint8_t done[RW_PIECES + 1] = {0};
    int32_t same[RW_PIECES + 1];
    for (int32_t first = 0; first < n; first++) {
        int32_t count = 0;
        if (done[first]) continue;
        for (int32_t i = first; i < n; i++)
            if (!done[i] && M->back[pieces[i]] == M->back[pieces[first]]) {
                same[count++] = pieces[i];
                done[i] = 1;
            }
        rw_tell_mixed(M, S, player, same, count, by_chance ? RW_MIXED_BY_CHANCE : RW_MIXED_BY_MOVE);
        const RwBits mask = rw_bits_of(same, count);
        rw_mix_joined(&M->mixes[player], &mask);
    }
}

/* Joins the mix of a piece with those that may have an equal copy at one of the positions of `others`. */
static void rw_join_equal(RwMemory *M, int player, int32_t piece, const RwBits *others, int even_if_known) {
    RwMixes *X = &M->mixes[player];
    if (!rw_has_bits(others) || (!even_if_known && !rw_bit(&X->hidden, piece))) return;
    const RwBits own = rw_mix_of(X, piece);
    if (!rw_bits_beyond(others, &own)) return; /* one mix already */
    RwBits joined = *others;
    rw_keep_bits(&joined, &M->copies[piece]);
    rw_drop_bits(&joined, &X->hidden);
    rw_add_bits(&joined, &own);
    for (int32_t i = 0; i < X->n; i++)
        if (rw_bits_meet(&X->several[i], others) && rw_bits_meet(&X->several[i], &M->copies[piece]))
            rw_add_bits(&joined, &X->several[i]);
    if (!rw_same_bits(&joined, &own)) rw_mix_joined(X, &joined);
}

/* ---------------------------------------------------------------- making one */

static void rw_forget_moment(RwMoment *one) {
    free(one->state);
    free(one->names);
    free(one->picked);
    free(one->opts);
    one->state = NULL;
    one->names = one->picked = one->opts = NULL;
}

static void rw_forget_game(RwMemory *M) {
    for (int player = 0; player < RW_PLAYERS; player++) {
        rw_tale_cut(M->tales[player], 0);
        memset(&M->mixes[player], 0, sizeof M->mixes[player]);
    }
    for (int32_t i = 0; i < M->nmoments; i++) rw_forget_moment(&M->moments[i]);
    memset(M->asked, 0, sizeof M->asked);
    memset(M->lit, 0, sizeof M->lit);
    M->nmoments = M->npicked = 0;
    M->is_lost = M->any_lit = 0;
    memset(M->shown, 0, sizeof M->shown);
    for (int32_t i = 0; i < M->nlots; i++) free(M->lots[i].values);
    M->nlots = 0;
    M->ticks = M->fell_at = M->took_at = 0;
    M->has_apart = 0;
    M->nblock = 0;
}

static void rw_memory_done(RwMemory *M) {
    if (M == NULL) return;
    for (int32_t i = 0; i < M->nmoments; i++) rw_forget_moment(&M->moments[i]);
    for (int32_t i = 0; i < M->nlots; i++) free(M->lots[i].values);
    free(M->offer.options);
    free(M->apart);
    free(M->block);
    for (int player = 0; player < RW_PLAYERS; player++) rwx_tale_free(M->tales[player]);
    for (int32_t site = 0; site < RW_SITES; site++) free(M->sites[site].branches);
    for (int32_t segment = 0; segment < RW_SEGMENTS; segment++) {
        free(M->naming[segment].pieces);
        free(M->looks[segment].pieces);
        free(M->slots[segment].pieces);
    }
    for (int player = 0; player < RW_PLAYERS; player++) free(M->seen[player].pieces);
    for (int32_t i = 0; i < M->ntellings; i++) free(M->tellings[i].looks.pieces);
    free(M->tellings);
    free(M->sorts);
    free(M->fields.pieces);
    free(M->blocks.pieces);
    free(M->binders);
    free(M->moments);
    free(M);
}

/* Of each site: whether it is picked one by one, whether nobody sees it, and its branches with what they bind. */
static void rw_read_asking(RwReading *R, RwMemory *M) {
    const int32_t most = R->left;
    RwBinder *next = M->binders = calloc((size_t)most + 1, sizeof(RwBinder));
    if (next == NULL) R->is_wrong = 1;
    for (int32_t number = 0; !R->is_wrong && number < RW_SITES; number++) {
        RwAsking *site = &M->sites[number];
        site->picks = rw_told_next(R, RW_PICKS_NOTHING, RW_PICKS_PAYMENT);
        site->is_silent = rw_told_next(R, 0, 1);
        site->is_secret = rw_told_next(R, 0, 1);
        site->nbranches = rw_told_next(R, 0, R->left);
        site->branches = calloc((size_t)site->nbranches + 1, sizeof(RwBranch));
        if (site->branches == NULL) R->is_wrong = 1;
        for (int32_t i = 0; !R->is_wrong && i < site->nbranches; i++) {
            RwBranch *branch = &site->branches[i];
            branch->first = rw_told_next(R, 0, INT32_MAX);
            branch->n = rw_told_next(R, 0, R->left / 4 < RW_MOST_BOUND ? R->left / 4 : RW_MOST_BOUND);
            branch->binders = next;
            for (int32_t k = 0; k < branch->n; k++, next++) {
                next->low = rw_told_next(R, INT32_MIN, INT32_MAX);
                next->count = rw_told_next(R, 1, INT32_MAX);
                next->is_spot = rw_told_next(R, 0, 1);
                next->is_piece = rw_told_next(R, 0, 1);
                site->binds_pieces |= next->is_piece;
            }
        }
    }
}

/* Of each value told to all: its arguments, whether they are pieces, its sorts, the places that it may look into. */
static void rw_read_tellings(RwReading *R, RwMemory *M, int32_t nsorts) {
    const int32_t n = rw_told_next(R, 0, R->left);
    M->tellings = calloc((size_t)n + 1, sizeof(RwTelling));
    if (M->tellings == NULL) R->is_wrong = 1;
    for (; !R->is_wrong && M->ntellings < n; M->ntellings++) {
        RwTelling *one = &M->tellings[M->ntellings];
        one->n = rw_told_next(R, 0, RW_MOST_DIGITS);
        for (int32_t i = 0; i < one->n; i++) one->is_piece[i] = rw_told_next(R, 0, 1);
        one->sorts = rw_told_next(R, -1, nsorts - 1);
        one->is_unseen = rw_told_next(R, 0, 1);
        if (rw_told_next(R, 0, 1)) one->looks = rw_told_group(R, R->left, 0, RW_PLACES - 1);
    }
}

/* The runs of f that belong to pieces lie in it, and their pieces are pieces. */
static void rw_read_blocks(RwReading *R, RwMemory *M) {
    int64_t each = 0;
    for (int32_t piece = 0; piece < RW_PIECES; piece++) M->kind[piece] = rw_told_next(R, 0, RW_PIECES);
    M->blocks = rw_told_group(R, R->left, 0, INT32_MAX);
    if (M->blocks.n % 4) R->is_wrong = 1;
    for (int32_t i = 0; !R->is_wrong && i < M->blocks.n; i += 4) {
        const int32_t *one = M->blocks.pieces + i;
        if ((int64_t)one[1] + one[2] > RW_PIECES || one[0] + (int64_t)one[2] * one[3] > RW_FIELDS) R->is_wrong = 1;
        each += one[3];
    }
    if (each > RW_OWN_NUMBERS) R->is_wrong = 1;
}

/* Which pieces have fields or places of their own. */
static void rw_find_owners(RwMemory *M) {
    for (int32_t i = 0; i < M->blocks.n; i += 4)
        for (int32_t k = 0; k < M->blocks.pieces[i + 2]; k++) M->is_owner[M->blocks.pieces[i + 1] + k] = 1;
#if RW_LOADS
    for (int i = 0; i < RW_LOADS; i++)
        for (int32_t k = 0; k < RW_LOAD[i][2]; k++) M->is_owner[RW_LOAD[i][1] + k] = 1;
#endif
    for (int32_t piece = 0; piece < RW_PIECES; piece++) M->has_owners |= (int8_t)M->is_owner[piece];
}

/* Of each segment which sorts it has, or -1, then all sorts; of each the places that it may look into, or -1 for any. */
static void rw_read_looks(RwReading *R, RwMemory *M) {
    const int32_t count = rw_told_next(R, 0, R->left);
    for (int32_t segment = 0; segment < RW_SEGMENTS; segment++) M->sorts_of[segment] = rw_told_next(R, -1, count - 1);
    for (int32_t segment = 0; segment < RW_SEGMENTS; segment++)
        M->is_free_set[segment] = (uint8_t)rw_told_next(R, 0, 1);
    if ((int64_t)count * RW_PIECES > R->left) R->is_wrong = 1;
    else M->sorts = rw_told_many(R, count * RW_PIECES, 0, 1 << 24);
    for (int32_t segment = 0; !R->is_wrong && segment < RW_SEGMENTS; segment++)
        if (rw_told_next(R, 0, 1)) M->looks[segment] = rw_told_group(R, R->left, 0, RW_PLACES - 1);
    rw_read_tellings(R, M, count);
}

/* The numbers that somebody does not see: the offset of each, its range, who does not see it. */
static void rw_read_numbers(RwReading *R, RwMemory *M) {
    const int32_t n = rw_told_next(R, 0, RW_MOST_NUMBERS);
    for (int32_t i = 0; i <= RW_FIELDS; i++) M->number_of[i] = -1;
    for (int32_t number = 0; number < n && !R->is_wrong; number++) {
        RwSecret secret = {rw_told_next(R, 0, RW_FIELDS - 1), 0, 0, 0, 0, 0};
        secret.low = rw_told_next(R, INT32_MIN, INT32_MAX);
        secret.high = rw_told_next(R, INT32_MIN, INT32_MAX);
        secret.has_range = rw_told_next(R, 0, 1);
        secret.least = rw_told_next(R, INT32_MIN, INT32_MAX);
        secret.most = rw_told_next(R, INT32_MIN, INT32_MAX);
        M->number_of[secret.offset] = (int16_t)number;
        for (int player = 0; player < RW_PLAYERS; player++) {
            RwTale *T = M->tales[player];
            T->nnumbers = n;
            T->numbers[number] = secret;
            if (rw_told_next(R, 0, 1)) rw_add_number(&T->hidden, number);
        }
    }
}

/* For steps: whether there are any; whether pieces are shown to one player alone; what each player always sees; cells
 * of frames that may hold something unseen. */
static void rw_read_steps(RwReading *R, RwMemory *M) {
    M->works_out = (int8_t)rw_told_next(R, 0, 1);
    M->shows_to_one = (int8_t)rw_told_next(R, 0, 1);
    for (int player = 0; player < RW_PLAYERS; player++) {
        M->tales[player]->player = player;
        M->tales[player]->works_out = M->works_out;
        M->tales[player]->seen = &M->seen[player];
        M->tales[player]->slots = M->slots;
        M->tales[player]->naming = M->naming;
        M->tales[player]->sites = M->sites;
        M->seen[player] = rw_told_group(R, R->left, 0, RW_FIELDS - 1);
    }
    for (int32_t segment = 0; segment < RW_SEGMENTS && !R->is_wrong; segment++) {
        M->slots[segment] = rw_told_group(R, R->left, 0, RW_STACK);
        M->has_slots |= M->slots[segment].n > 0;
        for (int32_t i = 0; i < M->slots[segment].n; i += 2) /* inside of its frame */
            if (i + 1 == M->slots[segment].n ||
                M->slots[segment].pieces[i] + M->slots[segment].pieces[i + 1] >= RW_SEG[segment].frame) R->is_wrong = 1;
    }
}

/* `told`: of each place whether its top is open and whether it is a bag; of each piece its back and whether it can be
 * hidden; the rows and kinds of all pieces, and how many rows there are; the sites; where names stand; what
 * questions can find out; numbers that somebody does not see; what steps go by. NULL if there is no memory, or something is out of range. */
static RwMemory *rw_memory(const int32_t *told, int32_t n) {
    RwReading R = {told, n, 0};
    RwMemory *M = calloc(1, sizeof *M);
    if (M == NULL) return NULL;
    for (int32_t place = 0; place < RW_PLACES; place++) {
        M->is_top_open[place] = (uint8_t)rw_told_next(&R, 0, 1);
        M->is_bag[place] = (uint8_t)rw_told_next(&R, 0, 1);
    }
    for (int32_t piece = 0; piece < RW_PIECES; piece++) {
        M->back[piece] = rw_told_next(&R, 0, INT32_MAX);
        M->can_hide[piece] = (uint8_t)rw_told_next(&R, 0, 1);
    }
    for (int player = 0; player < RW_PLAYERS && !R.is_wrong; player++) {
        M->tales[player] = R.left >= 2 * RW_PIECES ? rwx_tale(R.at, 2 * RW_PIECES) : NULL;
        R.is_wrong = M->tales[player] == NULL;
    }
    for (int32_t i = 0; i < 2 * RW_PIECES; i++) rw_told_next(&R, 0, INT32_MAX);
    const int32_t nrows = rw_told_next(&R, 0, INT32_MAX);
    for (int player = 0; player < RW_PLAYERS && !R.is_wrong; player++) M->tales[player]->nrows = nrows;
    for (int32_t piece = 0; piece < RW_PIECES && !R.is_wrong; piece++)
        for (int32_t other = 0; other < RW_PIECES; other++)
            if (M->tales[0]->row[other] == M->tales[0]->row[piece]) rw_set_bit(&M->copies[piece], other);
    rw_read_asking(&R, M);
    M->fields = rw_told_group(&R, R.left, 0, RW_FIELDS);
    rw_read_blocks(&R, M);
    if (!R.is_wrong) rw_find_owners(M);
    for (int32_t segment = 0; segment < RW_SEGMENTS; segment++)
        M->naming[segment] = rw_told_group(&R, R.left, 0, RW_STACK);
    rw_read_looks(&R, M);
    if (!R.is_wrong) rw_read_numbers(&R, M);
    if (!R.is_wrong) rw_read_steps(&R, M);
    M->names_room = M->fields.n + M->blocks.n + RW_STACK + 3;
    if (R.is_wrong || R.left) {
        rw_memory_done(M);
        return NULL;
    }
    return M;
}

#endif
