/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is a target for libFuzzer, which searches for damage that reaches new
 * code.
 *
 * An input consists of one byte and a segment.  If the byte is odd, the target
 * makes the checksum of the header right, as an attacker would.  The other bits
 * of the byte choose the calls.  `fuzz-segments --corpus FOLDER` writes the
 * first inputs.
 */
#include "exercise.h"
#include "mutate.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void end(void)
{
	unlink(image_path(EXERCISE_NAME));
	image_end();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	image_begin();
	atexit(end);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct mutant mutant;
	struct exercise plan = {
		.shape = { .kind = ATMOST_MUTEX }, .patience = 100000, /* ns */
	};

	if (size < 1 || size - 1 > sizeof mutant.bytes)
		return 0;
	mutant.size = size - 1;
	memcpy(mutant.bytes, data + 1, mutant.size);
	if (data[0] & 1)
		mutate_sign(mutant.bytes, mutant.size);
	/* If `random` were a multiple of 256, a resize would wait for a held
	 * lock. */
	plan.random = data[0] | 1;
	exercise(&plan, mutant.bytes, mutant.size);
	return 0;
}
