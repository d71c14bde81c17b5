/* What sources need of <string.h> where there is no C library: found only by compilers that make wasm.
 *
 * The functions are defined here, since a game is one source. `no_builtin` keeps the compiler from seeing that a loop
 * that copies is a call of memcpy, and replacing it by a call of itself. Eight bytes at a time: wasm has no alignment.
 */
#ifndef RULEWRIGHT_WASM_STRING_H
#define RULEWRIGHT_WASM_STRING_H

#include <stddef.h>
#include <stdint.h>

#define RULEWRIGHT_PLAIN __attribute__((no_builtin("memcpy", "memmove", "memset", "memcmp")))

typedef uint64_t rulewright_word __attribute__((aligned(1), may_alias));

RULEWRIGHT_PLAIN void *memcpy(void *restrict to, const void *restrict from, size_t count) {
    unsigned char *out = to;
    const unsigned char *in = from;
    for (; count >= 8; count -= 8, out += 8, in += 8) {
        *(rulewright_word *)out = *(const rulewright_word *)in;
    }
    for (; count > 0; count--) {
        *out++ = *in++;
    }
    return to;
}

/* Each word is read before anything is written that overlaps what is still to be read, however near the two lie. */
RULEWRIGHT_PLAIN void *memmove(void *to, const void *from, size_t count) {
    unsigned char *out = to;
    const unsigned char *in = from;
    if (out <= in) {
        for (; count >= 8; count -= 8, out += 8, in += 8) {
            *(rulewright_word *)out = *(const rulewright_word *)in;
        }
        for (; count > 0; count--) {
            *out++ = *in++;
        }
        return to;
    }
    for (; count >= 8; count -= 8) {
        *(rulewright_word *)(out + count - 8) = *(const rulewright_word *)(in + count - 8);
    }
    while (count-- > 0) {
        out[count] = in[count];
    }
    return to;
}

RULEWRIGHT_PLAIN void *memset(void *to, int value, size_t count) {
    unsigned char *out = to;
    uint64_t word = (unsigned char)value * UINT64_C(0x0101010101010101);
    for (; count >= 8; count -= 8, out += 8) {
        *(rulewright_word *)out = word;
    }
    for (; count > 0; count--) {
        *out++ = (unsigned char)value;
    }
    return to;
}

RULEWRIGHT_PLAIN int memcmp(const void *one, const void *other, size_t count) {
    const unsigned char *a = one, *b = other;
    for (; count > 0; count--, a++, b++) {
        if (*a != *b) {
            return *a < *b ? -1 : 1;
        }
    }
    return 0;
}

#endif
