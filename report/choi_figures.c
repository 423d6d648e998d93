/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prints the numbers of Figures 1 to 3 of Choi's thesis (section 2.1), for
 * report/choi.awk to draw.  The numbers come from the code of the algorithm: it
 * is included here, and runs in native memory.
 *
 *	choi-figures array N K PASSAGES
 *		One process of N makes PASSAGES passages.  Prints "place I J
 *		ROUND" for each word A[I][J], and "enabled COUNT", the number of
 *		enabled tokens.
 *	choi-figures sets K W R
 *		Prints the number of bits of a place, Wait-Set(W) and
 *		Release-Set(R): "bits COUNT", "wait ELEMENT...", "release
 *		ELEMENT...".
 */
#include "algorithms/k_exclusion/choi.c"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, MOST_PASSAGES = 1000, LINE = 64 };

/* Returns the number in the text, or -1 if it is not between least and most. */
static int number(const char *text, int least, int most)
{
	char *end;
	long value = strtol(text, &end, 10);

	return *text && !*end && value >= least && value <= most ? (int)value
								 : -1;
}

static struct choi *run(const struct shape *shape, unsigned passages)
{
	size_t size = choi.words(shape) * sizeof(struct word);
	struct choi *c = aligned_alloc(LINE, (size + LINE - 1) / LINE * LINE);
	struct process process = { .shape = shape };

	if (!c)
		abort();
	memset(c, 0, size);
	choi.init(c, shape);
	for (unsigned i = 0; i < passages; i++) {
		choi.enter(c, &process);
		choi.leave(c, &process);
	}
	return c;
}

static int print_array(unsigned n, unsigned k, unsigned passages)
{
	struct shape shape = { .n = n, .k = k };
	struct choi *c = run(&shape, passages);
	uint64_t enabled = 0;

	for (unsigned i = 0; i < choi_blocks(&shape); i++)
		for (unsigned j = 0; j < k; j++)
			printf("place %u %u %llu\n", i, j,
			       (unsigned long long)mem_peek(
				       &c->A[i * k + j].round));
	while (choi_enabled(c, &shape, enabled))
		enabled++;
	printf("enabled %llu\n", (unsigned long long)enabled);
	free(c);
	return 0;
}

static int print_sets(unsigned k, unsigned waiter, unsigned released)
{
	printf("bits %u\nwait", choi_bits(k));
	for (uint64_t w = waiter; w < k; w = choi_next_waited(waiter, w, k))
		printf(" %llu", (unsigned long long)w);
	printf("\nrelease");
	for (int64_t r = choi_next_released(released, -1); r <= released;
	     r = choi_next_released(released, r))
		printf(" %lld", (long long)r);
	printf("\n");
	return 0;
}

static int usage(void)
{
	fprintf(stderr, "usage: choi-figures array N K PASSAGES\n"
			"       choi-figures sets K W R\n"
			"N and K are 1 to 64, PASSAGES is 0 to 1000, "
			"W and R are 0 to K-1\n");
	return 2;
}

int main(int argc, char **argv)
{
	bool array = argc == 5 && strcmp(argv[1], "array") == 0;
	int a, b, c;

	if (argc != 5 || (!array && strcmp(argv[1], "sets") != 0))
		return usage();
	a = number(argv[2], 1, MOST);
	b = array ? number(argv[3], 1, MOST) : number(argv[3], 0, a - 1);
	c = number(argv[4], 0, array ? MOST_PASSAGES : a - 1);
	if (a < 0 || b < 0 || c < 0)
		return usage();
	return array ? print_array((unsigned)a, (unsigned)b, (unsigned)c)
		     : print_sets((unsigned)a, (unsigned)b, (unsigned)c);
}
