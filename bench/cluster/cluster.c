/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cluster: measures enter and leave of one process in etcd, against etcd's own
 * lock over the same wire.  The two take turns, so that the same load affects
 * both; the ratios are those of neighbouring samples.
 */
#include "bench/cluster/recipe.h"
#include "bench/common/statistics.h"
#include "passage.h"
#include "tests/cluster/node.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 41, ROUNDS_MOST = 1000, PASSAGES = 10, SECONDS = 15 };

static const char usage[] =
	"usage: cluster [ROUNDS] [--samples]\n"
	"\n"
	"Measure enter and leave in an etcd that the program starts, in ROUNDS\n"
	"rounds (6 to 1000; default: 41) of 10 passages each.  ATMOST_ETCD_DIR\n"
	"names the folder for etcd's data; default: a folder in memory.\n"
	"\n"
	"  --samples    print every sample, too\n";

extern const struct algorithm ledger;

enum { RECIPE, RECIPE_SESSION, LEDGER, LEDGER_AHEAD, LOCKS };
static const char *const names[LOCKS] = { "etcd's recipe",
					  "recipe, one session", "ledger",
					  "ledger, leases ahead" };
static const double goals[LOCKS] = { [LEDGER] = 0.85, [LEDGER_AHEAD] = 0.65 };

static struct recipe recipe[LEDGER];
static struct etcd *etcd[LOCKS];
static double sample[LOCKS][ROUNDS_MOST], ratio[LOCKS][ROUNDS_MOST];

static bool pass(unsigned lock)
{
	if (lock < LEDGER)
		return recipe_enter(&recipe[lock], SECONDS) &&
		       recipe_leave(&recipe[lock]);
	if (etcd_doorway(etcd[lock], &ledger) != ETCD_INSIDE)
		return false;
	etcd_leave(etcd[lock], &ledger);
	return true;
}

/* Returns the milliseconds of a passage, or exits. */
static double measure(unsigned lock)
{
	const int64_t before = wire_now();

	for (unsigned i = 0; i < PASSAGES; i++)
		if (!pass(lock)) {
			fprintf(stderr, "cluster: %s did not enter\n",
				names[lock]);
			node_stop();
			exit(1);
		}
	return (double)(wire_now() - before) / PASSAGES / 1e6;
}

static void open_locks(const char *const *node)
{
	static uint64_t own[LOCKS][16];
	const struct wire_address address = { .endpoints = node, .count = 1 };

	for (unsigned lock = 0; lock < LEDGER; lock++)
		recipe[lock].wire = wire_open(&address);
	recipe[RECIPE_SESSION].keeps_session = true;
	for (unsigned lock = LEDGER; lock < LOCKS; lock++) {
		etcd[lock] = etcd_open(&(struct etcd_settings){
			.address = address,
			.root = lock == LEDGER ? "bench/plain" : "bench/ahead",
			.k = 1, /* 1, because the recipe is a mutex */
			.seconds = SECONDS,
			.member = "{\"host\":\"bench\",\"pid\":1}",
			.ahead = lock == LEDGER_AHEAD,
			.own = own[lock] });
		if (!etcd[lock] || etcd_create_pool(etcd[lock]) != ETCD_DONE) {
			fprintf(stderr, "cluster: no pool in etcd\n");
			node_stop();
			exit(1);
		}
	}
}

static void close_locks(void)
{
	for (unsigned lock = 0; lock < LEDGER; lock++) {
		recipe_free(&recipe[lock]);
		wire_close(recipe[lock].wire);
	}
	for (unsigned lock = LEDGER; lock < LOCKS; lock++)
		etcd_close(etcd[lock], INT64_MAX);
}

static void print_results(unsigned rounds)
{
	printf("%-22s %12s %24s %6s\n", "one process", "enter+leave",
	       "ratio (95% interval)", "goal");
	for (unsigned lock = 0; lock < LOCKS; lock++) {
		const struct interval time = statistics_interval(sample[lock],
								 rounds);
		const struct interval part = statistics_interval(ratio[lock],
								 rounds);

		printf("%-22s %9.3f ms", names[lock], time.median);
		if (lock != RECIPE)
			printf("     %.3f (%.3f - %.3f)", part.median, part.low,
			       part.high);
		if (goals[lock] > 0)
			printf(" <=%.2f", goals[lock]);
		puts("");
	}
}

int main(int argc, char **argv)
{
	const char *node;
	unsigned rounds = ROUNDS;
	bool samples = false;

	for (int i = 1; i < argc; i++) {
		if (argv[i][0] == '-' && argv[i][1] == '-' && argv[i][2] == 's')
			samples = true;
		else
			rounds = (unsigned)strtoul(argv[i], NULL, 10);
	}
	if (rounds < 6 || rounds > ROUNDS_MOST) {
		fputs(usage, stderr);
		return 2;
	}
	node = node_start(NULL);
	open_locks(&node);
	for (unsigned lock = 0; lock < LOCKS; lock++)
		measure(lock); /* opens connections, and gets the first lease
				  ahead */
	for (unsigned round = 0; round < rounds; round++) {
		/* The order rotates, so that no lock always comes first. */
		for (unsigned i = 0; i < LOCKS; i++) {
			const unsigned lock = (round + i) % LOCKS;

			sample[lock][round] = measure(lock);
		}
		for (unsigned lock = 0; lock < LOCKS; lock++)
			ratio[lock][round] = sample[lock][round] /
					     sample[RECIPE][round];
		if (samples)
			printf("%.3f %.3f %.3f %.3f ms\n", sample[0][round],
			       sample[1][round], sample[2][round],
			       sample[3][round]);
	}
	print_results(rounds);
	close_locks();
	node_stop();
	return 0;
}
