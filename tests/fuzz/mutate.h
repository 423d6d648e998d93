/* SPDX-License-Identifier: BSD-2-Clause */
/* Damages images at random; the same random numbers give the same damage. */
#ifndef ATMOST_TESTS_FUZZ_MUTATE_H
#define ATMOST_TESTS_FUZZ_MUTATE_H

#include "image.h"

enum { MUTANT_MOST = 1 << 16 };

struct mutant {
	_Alignas(64) unsigned char bytes[MUTANT_MOST];
	size_t size;
};

void mutate(struct mutant *mutant, const struct image *image, uint64_t *state);

/* Makes the checksum of the header right again, as an attacker would. */
void mutate_sign(unsigned char *bytes, size_t size);

#endif
