/* Room for large sets: lent by the context, last lent first given back.
 *
 * A set of some thousand elements does not belong on the machine's stack, which rules may nest hundreds of calls deep.
 * A function that needs more than a little gets it in one block from its wrapper, which gives it back. Blocks lie in
 * chunks that stay with the context; the first one is made when somebody wants it. */
#ifndef RW_ROOMS_H
#define RW_ROOMS_H

#include <stdlib.h>

#include "rw.h"

#define RW_CHUNK ((size_t)1 << 20)
#define RW_ROUNDED(size) (((size_t)(size) + 15) & ~(size_t)15)

struct RwChunk {
    RwChunk *below, *above;
    size_t used, size; /* bytes behind this head */
};

static RwChunk *rw_chunk_above(Ctx *C, size_t size) {
    RwChunk *below = C->chunk, *chunk = below != NULL ? below->above : NULL;
    if (chunk != NULL && chunk->size >= size) return chunk;
    if (chunk != NULL) { /* too small: it and all above it are empty */
        for (RwChunk *next; chunk != NULL; chunk = next) {
            next = chunk->above;
            free(chunk);
        }
        below->above = NULL;
    }
    chunk = malloc(RW_ROUNDED(sizeof *chunk) + (size > RW_CHUNK ? size : RW_CHUNK));
    if (chunk == NULL) return NULL;
    chunk->below = below;
    chunk->above = NULL;
    chunk->used = 0;
    chunk->size = size > RW_CHUNK ? size : RW_CHUNK;
    if (below != NULL) below->above = chunk;
    return chunk;
}

/* So many bytes, a multiple of 16; NULL and a fault if there is no memory. */
static unsigned char *rw_borrow(Ctx *C, size_t size) {
    RwChunk *chunk = C->chunk;
    if (chunk == NULL || chunk->used + size > chunk->size) {
        chunk = rw_chunk_above(C, size);
        if (chunk == NULL) {
            rw_fault(C, RW_TOO_LARGE, -1, -1);
            return NULL;
        }
        C->chunk = chunk;
    }
    unsigned char *block = (unsigned char *)chunk + RW_ROUNDED(sizeof *chunk) + chunk->used;
    chunk->used += size;
    return block;
}

/* Gives back the block that was lent last. */
static void rw_return_room(Ctx *C, size_t size) {
    RwChunk *chunk = C->chunk;
    chunk->used -= size;
    if (chunk->used == 0 && chunk->below != NULL) C->chunk = chunk->below;
}

static void rw_free_chunks(Ctx *C) {
    RwChunk *chunk = C->chunk;
    if (chunk == NULL) return;
    while (chunk->above != NULL) chunk = chunk->above;
    for (RwChunk *below; chunk != NULL; chunk = below) {
        below = chunk->below;
        free(chunk);
    }
    C->chunk = NULL;
}

#endif
