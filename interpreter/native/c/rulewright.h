/* A game made by Rulewright, for programs in C and in anything that calls C.
 *
 * A state is opaque memory without pointers: copy it with rwx_copy, keep as many as you like. A context holds buffers;
 * one for each thread. Link with the library, or compile the game's own .c file into the program. */
#ifndef RULEWRIGHT_H
#define RULEWRIGHT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RwContext RwContext;
typedef struct RwState RwState;

enum { RWX_STOP = 1, RWX_REFUSED = 2, RWX_FAULT = 5, RWX_UNKNOWN = -1 };

int32_t rulewright_abi(void);                        /* 1: the version of this header */
/* JSON: how frames of the rules lie in a state, and under "kept" how numbers do. Fields and slots are of the type `small`,
 * each `shift` more than it means; `wides` of them, which do not fit, are of the type `wide`. Numbers of pieces are of the
 * type `link` (`link_shift` more), those of places of the type `place` (`place_shift` more). */
const char *rwx_layout(void);

RwContext *rwx_context(void);                        /* NULL if there is no memory */
void rwx_free_context(RwContext *);
RwState *rwx_state(void);
RwState *rwx_clone(const RwState *);
void rwx_free_state(RwState *);
void *rwx_allocate(int32_t size);                    /* memory of the library's own, for programs around a module */
void rwx_release(void *);
int64_t rwx_state_size(void);
void rwx_copy(RwContext *, RwState *to, const RwState *from);

/* Playing. RWX_STOP: somebody decides, or the game is over; anything else is trouble (rwx_trouble). */
int32_t rwx_new(RwContext *, RwState *, uint64_t seed, int32_t automatic); /* automatic: single options are taken */
int32_t rwx_over(const RwState *);
int32_t rwx_who(const RwState *);                    /* the player who decides, from 0; -1 when it is over */
int32_t rwx_site(const RwState *);                   /* the number of the decision in the rules */
int32_t rwx_options(RwContext *, RwState *, int32_t *out, int32_t room); /* how many there are */
int32_t rwx_apply(RwContext *, RwState *, int32_t index);
int32_t rwx_decisions(const RwState *);

/* The end. */
void rwx_ranking(RwContext *, RwState *, int32_t *ranking); /* per player, 1 is best */
void rwx_returns(RwContext *, RwState *, double *returns);  /* per player: the payoff of the rules, or by rank +1 to -1 */
void rwx_scores(RwContext *, RwState *, int64_t *scores);

/* Random games. */
int32_t rwx_finish(RwContext *, RwState *, uint64_t seed, int32_t *history, int32_t room, int32_t *noted);
int64_t rwx_playouts(RwContext *, uint64_t first_seed, int64_t n, double *returns_sum, int64_t *decisions);

/* Four numbers: code of the fault (0 for none), place in the rules, value, number of the last refusal. */
void rwx_trouble(const RwContext *, int64_t *out);

#ifdef __cplusplus
}
#endif
#endif
