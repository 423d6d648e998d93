/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Damage, at random but always the same from the same numbers.
 */
#ifndef ATMOST_TESTS_FUZZ_MUTATE_H
#define ATMOST_TESTS_FUZZ_MUTATE_H

#include "image.h"

enum { MUTANT_MOST = 1 << 16 };

struct mutant {
	_Alignas(64) unsigned char bytes[MUTANT_MOST];
	size_t size;
};

uint64_t mutate_random(uint64_t *state);
unsigned mutate_below(uint64_t *state, uint64_t limit);

void mutate(struct mutant *mutant, const struct image *image, uint64_t *state);

/* The header adds up again, as one made by somebody hostile would. */
void mutate_sign(unsigned char *bytes, size_t size);

#endif
