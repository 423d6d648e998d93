/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that readers withstand damaged answers of etcd.  ATMOST_SEED repeats a
 * run; `--corpus FOLDER` writes good answers for libFuzzer. */
#include "common/prng.h"
#include "common/size.h"
#include "read_answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4096 };

/* Pieces of answers, because random bytes rarely make JSON. */
static const char *const pieces[] = {
	"{",
	"}",
	"[",
	"]",
	",",
	":",
	"\"",
	"null",
	"true",
	"false",
	"0",
	"7",
	"-1",
	"1e9",
	"\"7\"",
	"\"-7\"",
	"\"9223372036854775807\"",
	"\"9223372036854775808\"",
	"\"\"",
	"\"YQ==\"",
	"\\u0000",
	"\"succeeded\":true",
	"\"kvs\"",
	"\"result\"",
	"\"header\":{\"revision\":\"7\"}",
	"\n",
	"\xff",
};

/* Replaces `drop` bytes at a place by others. */
static size_t splice(char *text, size_t length, size_t at, size_t drop,
		     const char *bytes, size_t add)
{
	if (length - drop + add > ROOM)
		return length;
	memmove(text + at + add, text + at + drop, length - at - drop);
	memcpy(text + at, bytes, add);
	return length - drop + add;
}

static size_t change(uint64_t *random, char *text, size_t length)
{
	const size_t at = prng_below(random, length + 1);
	const size_t most = length - at < 16 ? length - at : 16;
	const size_t drop = prng_below(random, most + 1);
	const char *piece =
		pieces[prng_below(random, sizeof pieces / sizeof *pieces)];
	char copy[64];
	size_t from;

	switch (prng_below(random, 5)) {
	case 0: /* insert a piece, or replace bytes by it */
		return splice(text, length, at, drop, piece, strlen(piece));
	case 1: /* remove bytes */
		return splice(text, length, at, drop, "", 0);
	case 2: /* cut the answer off */
		return at;
	case 3: /* change a byte */
		if (at < length)
			text[at] = (char)prng_next(random);
		return length;
	default: /* repeat a part */
		from = prng_below(random, length + 1);
		memset(copy, ' ', sizeof copy);
		memcpy(copy, text + from,
		       length - from < 64 ? length - from : 64);
		return splice(text, length, at, 0, copy,
			      prng_below(random, 64));
	}
}

/* Writes the good answers into files of a folder, for libFuzzer. */
static int write_corpus(const char *folder)
{
	for (unsigned i = 0; good_answers[i]; i++) {
		char path[256];
		FILE *file;

		snprintf(path, sizeof path, "%s/%u", folder, i);
		file = fopen(path, "w");
		if (!file || fputs(good_answers[i], file) < 0 || fclose(file)) {
			perror(path);
			return 2;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *wanted = getenv("ATMOST_FUZZ_CASES");
	const unsigned long cases = wanted ? strtoul(wanted, NULL, 0) /
						     (size_is_small() ? 4 : 1)
					   : 20000;
	uint64_t random = prng_seed();
	unsigned long taken = 0;
	unsigned good = 0;

	if (argc == 3 && strcmp(argv[1], "--corpus") == 0)
		return write_corpus(argv[2]);
	for (; good_answers[good]; good++)
		if (!read_answers(good_answers[good],
				  strlen(good_answers[good]))) {
			printf("FAILED: a good answer is refused: %s\n",
			       good_answers[good]);
			return 1;
		}
	for (unsigned long i = 0; i < cases; i++) {
		const char *from = good_answers[prng_below(&random, good)];
		size_t length = strlen(from);
		/* `exact` has the size of the answer, so that a sanitizer
		 * notices an access beyond it. */
		char text[ROOM], *exact;

		memcpy(text, from, length);
		for (unsigned j = prng_below(&random, 4) + 1; j > 0; j--)
			length = change(&random, text, length);
		exact = malloc(length ? length : 1);
		if (!exact)
			return 2;
		memcpy(exact, text, length);
		taken += read_answers(exact, length) > 0;
		free(exact);
	}
	printf("%lu answers, %lu taken\n"
	       "ok: no damaged answer makes a reader crash or take nonsense\n",
	       cases, taken);
	return 0;
}
