/* A hash of 128 bits over a row of numbers: the key of a decision in a search tree.
 *
 * Two lanes of 64 bits, each with a multiplier of its own. For a given number each step is a bijection of a lane, so
 * rows of one length that differ in a single number never meet in either. Keys are compared by their hash alone: among
 * ten million decisions two would share one in one of 10^24 searches. */
#ifndef RW_HASH_H
#define RW_HASH_H

#include <stdint.h>

typedef struct {
    uint64_t a, b;
} RwHash;

static const RwHash RW_EMPTY_HASH = {0x243F6A8885A308D3u, 0x13198A2E03707344u};

static inline void rw_hash(RwHash *hash, uint64_t number) {
    hash->a = (hash->a ^ number) * 0x9E3779B97F4A7C15u;
    hash->a ^= hash->a >> 32;
    hash->b = (hash->b + number) * 0xD6E8FEB86659FD93u;
    hash->b ^= hash->b >> 29;
}

/* Two numbers of 32 bits at once. */
static inline void rw_hash_pair(RwHash *hash, int64_t one, int64_t other) {
    rw_hash(hash, (uint64_t)(uint32_t)one << 32 | (uint32_t)other);
}

/* A hash of a part, as an element of a whole in which the order of the parts does not count. */
static inline void rw_hash_unordered(RwHash *sum, RwHash part) {
    rw_hash(&part, 0x452821E638D01377u);
    sum->a += part.a;
    sum->b += part.b;
}

static inline int rw_same_hash(RwHash one, RwHash other) {
    return one.a == other.a && one.b == other.b;
}

#endif
