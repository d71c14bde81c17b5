/* What sources need of <stdlib.h> where there is no C library: found only by compilers that make wasm.
 *
 * A block has a size that is a power of two, with a header of 16 bytes that says which. A freed block waits in the list
 * of its size. Fresh memory is asked of the sandbox, which gives it zeroed and has the last word about how much there
 * is; it may give pages to others in between, so each request stands on its own. One thread.
 */
#ifndef RULEWRIGHT_WASM_STDLIB_H
#define RULEWRIGHT_WASM_STDLIB_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RULEWRIGHT_PAGE 65536u
#define RULEWRIGHT_SIZES 32

typedef struct rulewright_block {
    uint32_t power;                /* the whole block has 2 to the power of this many bytes */
    struct rulewright_block *next; /* while it is free */
    uint32_t unused[2];            /* so that what follows is aligned for any type */
} rulewright_block;

static rulewright_block *rulewright_free_blocks[RULEWRIGHT_SIZES];
static uint32_t rulewright_fresh, rulewright_fresh_end; /* what is left of the last pages */

static rulewright_block *rulewright_fresh_block(uint32_t size) {
    if (rulewright_fresh_end - rulewright_fresh < size) {
        uint32_t pages = (size + RULEWRIGHT_PAGE - 1) / RULEWRIGHT_PAGE;
        size_t first = __builtin_wasm_memory_grow(0, pages);
        if (first == SIZE_MAX) {
            return NULL;
        }
        rulewright_fresh = (uint32_t)first * RULEWRIGHT_PAGE;
        rulewright_fresh_end = rulewright_fresh + pages * RULEWRIGHT_PAGE;
    }
    rulewright_block *block = (rulewright_block *)(uintptr_t)rulewright_fresh;
    rulewright_fresh += size;
    return block;
}

static void *malloc(size_t wanted) {
    uint32_t power = 6;
    while (power < RULEWRIGHT_SIZES - 1 && ((uint32_t)1 << power) - sizeof(rulewright_block) < wanted) {
        power++;
    }
    if (power == RULEWRIGHT_SIZES - 1) {
        return NULL;
    }
    rulewright_block *block = rulewright_free_blocks[power];
    if (block != NULL) {
        rulewright_free_blocks[power] = block->next;
    } else {
        block = rulewright_fresh_block((uint32_t)1 << power);
        if (block == NULL) {
            return NULL;
        }
        block->power = power;
    }
    return block + 1;
}

static void *calloc(size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    void *found = malloc(count * size);
    return found == NULL ? NULL : memset(found, 0, count * size);
}

static void free(void *freed) {
    if (freed != NULL) {
        rulewright_block *block = (rulewright_block *)freed - 1;
        block->next = rulewright_free_blocks[block->power];
        rulewright_free_blocks[block->power] = block;
    }
}

static void *realloc(void *old, size_t wanted) {
    if (old == NULL) {
        return malloc(wanted);
    }
    const rulewright_block *block = (const rulewright_block *)old - 1;
    const size_t room = ((size_t)1 << block->power) - sizeof(rulewright_block);
    if (wanted <= room) {
        return old;
    }
    void *grown = malloc(wanted);
    if (grown != NULL) {
        memcpy(grown, old, room);
        free(old);
    }
    return grown;
}

#endif
