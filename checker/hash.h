/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The hash of a state is the sum of one hash per word and one per process, so
 * that a step updates only the hashes of what it changed.  To hash bytes,
 * hash_copy combines each word with a key and multiplies the words in pairs.
 * These multiplications do not depend on each other, so the processor can
 * overlap them.
 */
#ifndef ATMOST_CHECKER_HASH_H
#define ATMOST_CHECKER_HASH_H

#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 hash_product;

static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	hash_product p = (hash_product)a * b;

	return (uint64_t)p ^ (uint64_t)(p >> 64);
}

/* Returns the i-th of a fixed sequence of random-looking keys. */
static inline uint64_t hash_key(uint64_t i)
{
	uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static inline uint64_t hash_word(uint64_t key, uint64_t value)
{
	uint64_t x = hash_mix(value ^ UINT64_C(0xa0761d6478bd642f), key | 1);

	return hash_mix(x ^ key, UINT64_C(0xe7037ed1a0b428db));
}

enum { HASH_KEYS = 128 };
extern const uint64_t hash_keys[HASH_KEYS];

/* Stack bytes are read eight at a time, in the units in which they were
 * written, so that the processor can forward them from its store buffer. */
typedef uint64_t hash_lane __attribute__((may_alias));

/*
 * Copy bytes, in whole words, and return their hash.  The seed distinguishes
 * processes.
 */
static inline uint64_t hash_copy(char *to, const char *from, size_t size,
				 uint64_t seed)
{
	const hash_lane *v = (const hash_lane *)(const void *)from;
	hash_lane *copy = (hash_lane *)(void *)to;
	uint64_t a = seed, b = size;
	size_t i = 0, words = size / 8;

	for (; i + 4 <= words; i += 4) {
		const uint64_t *key = hash_keys + i % HASH_KEYS;
		uint64_t v0 = v[i], v1 = v[i + 1], v2 = v[i + 2], v3 = v[i + 3];

		copy[i] = v0;
		copy[i + 1] = v1;
		copy[i + 2] = v2;
		copy[i + 3] = v3;
		a += hash_mix(v0 ^ key[0], v1 ^ key[1]);
		b += hash_mix(v2 ^ key[2], v3 ^ key[3]);
		/* After the last key the first one is used again.  Mix, so that
		 * the hash changes if two words with the same key change
		 * places. */
		if (i % HASH_KEYS == HASH_KEYS - 4)
			a = hash_mix(a ^ b, hash_keys[1]);
	}
	for (; i < words; i++) {
		copy[i] = v[i];
		b += hash_mix(v[i] ^ hash_keys[i % HASH_KEYS],
			      hash_keys[HASH_KEYS - 1 - i % HASH_KEYS] ^ i);
	}
	return hash_mix(a ^ UINT64_C(0x8bb84b93962eacc9), b ^ seed);
}

#endif
