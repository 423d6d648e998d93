/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Asks the checker and the explorer about random programs, and compares their
 * verdicts and their numbers of states.
 *
 *   explorer [--seed FIRST] [--count COUNT] [--states MOST] [--statistics]
 *
 * If the answers about a program differ, `explorer --seed SEED` repeats this
 * program.
 */
#include "explore.h"

#include "checker/check.h"

#include <getopt.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The answers about one of the two searches. */
struct answers {
	uint64_t states, explored;
	unsigned violated, expected;
	bool asked, failed;
};

struct totals {
	unsigned compared, too_large, failed;
	uint32_t most_states; /* larger programs are not compared */
	uint64_t states;
	unsigned asked[PROPERTY_COUNT], violated[PROPERTY_COUNT];
};

static struct lab_question question(unsigned properties)
{
	struct lab_question q = { .algorithm = "random-program",
				  .n = (int)program.n,
				  .k = (int)program.k,
				  .sessions = program.sessions
						      ? (int)program.sessions
						      : -1,
				  .crashes = (int)program.crashes,
				  .deaths = (int)program.deaths,
				  .aborts = (int)program.aborts,
				  .resize_count = (int)program.resizes,
				  .properties = properties,
				  .workers = 1,
				  .memory = 64 << 20 };

	if (properties &
	    (BOUNDED_DOORWAY | BOUNDED_LEAVE | BOUNDED_ABORT | BOUNDED_APPLY))
		q.steps_of = program.steps_of;
	q.passage_count = (int)(program.n - (program.resizes > 0));
	for (unsigned p = 0; p < program.n; p++)
		q.passages[p] = (int)program.passages[p];
	for (unsigned i = 0; i < program.resizes; i++)
		q.resize[i] = (int)program.resize[i];
	return q;
}

/* Ask the checker about these properties. */
static void ask_checker(unsigned properties, struct answers *a)
{
	struct lab_question q = question(properties);
	char error[LAB_ERROR];
	struct lab_check *c = lab_check_start(&q, error);
	const struct lab_answer *answer;

	a->failed = true;
	if (!c) {
		printf("the checker refuses the question: %s\n", error);
		return;
	}
	while (lab_check_advance(c, 3600, NULL))
		;
	answer = lab_check_answer(c);
	a->failed = answer->verdict > LAB_VIOLATED || answer->undecided;
	if (a->failed)
		printf("the checker has no answer: %s %s\n", answer->message,
		       answer->bound ? answer->bound : "");
	a->states = answer->states;
	a->violated = answer->violated;
	lab_check_end(c);
}

static void print_answer(const char *who, uint64_t states, unsigned violated)
{
	printf("  %s: %" PRIu64 " states, violated:", who, states);
	for (unsigned i = 0; i < PROPERTY_COUNT; i++)
		if (violated >> i & 1)
			printf(" %s", lab_property_name(i));
	printf("\n");
}

static void print_answers(const struct answers *a, bool wakes)
{
	if (!a->asked)
		return;
	printf(wakes ? "  with wake-ups:\n" : "  with naps:\n");
	print_answer("  checker ", a->states, a->violated);
	print_answer("  explorer", a->explored, a->expected);
}

static void note(struct totals *t, const struct answers *a)
{
	t->states += a->states;
	for (unsigned i = 0; i < PROPERTY_COUNT; i++)
		t->violated[i] += a->violated >> i & 1;
}

/*
 * If wakes are steps, the checker remembers two things until the process is
 * inside: the words that its last poll named, and the words that an await_any
 * of `settle` looked at.  Therefore the checker counts some states more than
 * once.
 */
static bool counts_twice(bool wakes)
{
	return wakes && program.code[BODY_SETTLE].exists;
}

/*
 * A process that naps may look once more, in vain, before its nap ends.  For
 * the checker, the states before and after this look are one state.  Therefore
 * the checker sees a cycle that does not exist.
 */
static unsigned cycles_of_naps(void)
{
	return program.naps ? NO_DEADLOCK | NO_STARVATION | EXIT_TERMINATION |
				      CONCURRENT_OCCUPANCY | NO_WAIT_BELOW_K
			    : 0;
}

/*
 * The checker leaves out looks in vain, because they lead to no new state.  If
 * the algorithm naps, this is not true, because the end of a nap depends on the
 * other processes.  The checker then finds fewer states than the explorer: so
 * far, at most 2 in 100 were missing.
 */
static bool few_are_missed(const struct answers *a, bool wakes)
{
	return program.naps && !wakes && a->states < a->explored &&
	       a->states * 20 >= a->explored * 19;
}

static bool agree(const struct answers *a, bool wakes)
{
	unsigned missed = a->expected & ~a->violated;
	unsigned more = a->violated & ~a->expected;

	return !missed && !(more & ~cycles_of_naps()) &&
	       (a->states == a->explored || few_are_missed(a, wakes) ||
		(a->states > a->explored && counts_twice(wakes)));
}

/* Ask the checker and the explorer about one of the two searches, with or
 * without wakes as steps.  Returns false if the program has too many states. */
static bool ask_both(bool wakes, uint32_t most_states, struct answers *a)
{
	unsigned properties = wakes ? program.asked & NO_LOST_WAKE
				    : program.asked & ~(unsigned)NO_LOST_WAKE;
	struct finding f;

	a->asked = properties != 0;
	if (!a->asked)
		return true;
	f = explore(wakes, most_states);
	if (f.too_large)
		return false;
	a->explored = f.states;
	a->expected = f.violated;
	ask_checker(properties, a);
	a->failed |= !agree(a, wakes);
	return true;
}

/* Compare the answers about the program with this seed. */
static void compare(uint64_t seed, bool verbose, struct totals *t)
{
	struct answers naps = { 0 }, wakes = { 0 };

	program_generate(&program, seed);
	table_fill();
	if (!ask_both(false, t->most_states, &naps) ||
	    !ask_both(true, t->most_states, &wakes)) {
		t->too_large++;
		return;
	}
	t->compared++;
	note(t, &naps);
	note(t, &wakes);
	for (unsigned i = 0; i < PROPERTY_COUNT; i++)
		t->asked[i] += program.asked >> i & 1;
	if (naps.failed || wakes.failed) {
		t->failed++;
		printf("FAILED: the checker and the explorer disagree; repeat "
		       "with explorer --seed %" PRIu64 "\n",
		       seed);
	}
	if (verbose || naps.failed || wakes.failed) {
		program_print(&program);
		print_answers(&naps, false);
		print_answers(&wakes, true);
	}
	fflush(stdout);
}

static void print_statistics(const struct totals *t)
{
	for (unsigned i = 0; i < PROPERTY_COUNT; i++)
		printf("    %-28s asked %6u, violated %6u\n",
		       lab_property_name(i), t->asked[i], t->violated[i]);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "count", required_argument, NULL, 'c' },
		{ "states", required_argument, NULL, 'm' },
		{ "statistics", no_argument, NULL, 't' },
		{ NULL, 0, NULL, 0 }
	};
	enum { MOST_FAILURES = 10 };
	struct totals t = { .most_states = 20000 };
	uint64_t first = 1, count = 0;
	bool statistics = false;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 's')
			first = strtoull(optarg, NULL, 10);
		else if (option == 'c')
			count = strtoull(optarg, NULL, 10);
		else if (option == 'm')
			t.most_states = (uint32_t)strtoul(optarg, NULL, 10);
		else if (option == 't')
			statistics = true;
		else
			return 2;
	}
	/* Otherwise malloc would keep the checker's large tables after the
	 * first check, and fill them with zeros for every worker. */
	mallopt(M_MMAP_THRESHOLD, 1 << 18);
	for (uint64_t i = 0; i < (count ? count : 1); i++)
		if (t.failed < MOST_FAILURES)
			compare(first + i, count == 0, &t);
	if (statistics)
		print_statistics(&t);
	printf("%s: %u random programs, %" PRIu64 " states, from seed %" PRIu64
	       " on; %u more were too large\n",
	       t.failed ? "FAILED" : "ok", t.compared, t.states, first,
	       t.too_large);
	return t.failed > 0;
}
