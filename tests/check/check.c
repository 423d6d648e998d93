/* SPDX-License-Identifier: BSD-2-Clause */
#include "check.h"

#include "large.h"
#include "tests/common/size.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned properties(const char *names)
{
	char copy[256], *rest = copy, *name;
	unsigned set = 0;

	if (!names)
		return 0;
	snprintf(copy, sizeof copy, "%s", names);
	while ((name = strsep(&rest, ", ")) != NULL) {
		int number = *name ? lab_property_number(name) : 0;

		if (number < 0)
			fail_msg("the test names an unknown property: %s",
				 name);
		if (*name)
			set |= 1u << number;
	}
	return set;
}

static unsigned promised(const char *algorithm)
{
	struct lab_algorithm a;

	if (lab_algorithm_named(algorithm, &a))
		return a.promises;
	fail_msg("the test names an unknown algorithm: %s", algorithm);
	return 0;
}

static struct lab_question question(const char *algorithm, struct ask ask)
{
	struct lab_question q = {
		.algorithm = algorithm,
		.n = ask.n ? ask.n : -1,
		.k = ask.k ? ask.k : -1,
		.sessions = ask.sessions ? ask.sessions : -1,
		.crashes = ask.no_crashes ? 0
			   : ask.crashes  ? ask.crashes
					  : -1,
		.deaths = ask.deaths,
		.aborts = ask.aborts,
		.faults = ask.faults,
		.no_clocks = ask.no_clocks,
		.passages = { ask.passages == -1 ? 0 : ask.passages },
		.passage_count = ask.passages ? 1 : 0,
		.properties = properties(ask.only),
		.steps_of = ask.steps_of,
		.seconds = ask.seconds,
		.workers = ask.workers,
		.find_collisions = ask.find_collisions,
		.memory = (uint64_t)(ask.gigabytes ? ask.gigabytes : 4) << 30,
	};

	if (ask.each[0]) {
		memcpy(q.passages, ask.each, sizeof q.passages);
		q.passage_count = ask.n - (ask.resize[0] != 0);
	}
	while (q.resize_count < LAB_MAX_RESIZES - 1 &&
	       ask.resize[q.resize_count]) {
		q.resize[q.resize_count] = ask.resize[q.resize_count];
		q.resize_count++;
	}
	if (ask.pauses)
		q.resize[q.resize_count++] = 0;
	if (ask.also)
		q.properties = promised(algorithm) | properties(ask.also);
	return q;
}

/* Returns the largest number of states that a search may visit; with
 * `make test-all` there is no limit. */
static uint64_t most_states(const struct ask *ask)
{
	return size_is_small() && !ask->whole ? SIZE_SMALL_STATES : UINT64_MAX;
}

/*
 * Turns an instance into the next smaller one of its family: fewer passages,
 * then fewer deaths, aborts and faults, then fewer processes.  Returns false if
 * there is no smaller instance.
 */
static bool make_smaller(struct ask *ask)
{
	const int n = ask->n ? ask->n : 3, k = ask->k ? ask->k : 1;

	if (ask->each[0] > 0 || ask->passages > 1 || ask->passages < 0) {
		ask->passages = ask->passages > 2 || ask->passages < 0 ? 2 : 1;
		memset(ask->each, 0, sizeof ask->each);
	} else if (ask->deaths > 1) {
		ask->deaths--;
	} else if (ask->aborts > 1) {
		ask->aborts--;
	} else if (ask->faults > 1) {
		ask->faults--;
	} else if (n > 2 && !ask->resize[0]) {
		ask->n = n - 1;
		if (ask->k && k >= ask->n)
			ask->k = k - 1 > 0 ? k - 1 : 1;
		if (ask->crashes > 0 && ask->crashes >= ask->k)
			ask->crashes = 0;
		ask->steps_of &= (1u << ask->n) - 1;
	} else {
		return false;
	}
	return true;
}

static void say_large(const char *name)
{
	printf("    %s: more than %d states, left to make test-all\n", name,
	       SIZE_SMALL_STATES);
}

/* Searches the instance; returns NULL if it has more than states_limit
 * states. */
static struct lab_check *answer(const char *algorithm, const struct ask *ask,
				uint64_t states_limit, const char *file,
				int line)
{
	const struct lab_question q = question(algorithm, *ask);
	static const char *const words[] = { "holds", "violated", "bounded",
					     "failed" };
	char error[LAB_ERROR], name[LARGE_NAME];
	struct lab_check *c;
	const struct lab_answer *a;
	struct lab_progress progress = { 0 };
	char resize[64] = "", steps_of[32] = "";
	int used = 0;
	bool is_large;

	large_name(name, algorithm, ask);
	is_large = large_lists(name);
	if (is_large && states_limit != UINT64_MAX) {
		say_large(name);
		return NULL;
	}
	c = lab_check_start(&q, error);
	if (!c) {
		print_error("%s:%d: %s\n", file, line, error);
		fail();
	}
	while (lab_check_advance(c, states_limit == UINT64_MAX ? 3600 : 0.05,
				 &progress))
		if (progress.states > states_limit) {
			say_large(name);
			lab_check_end(c);
			return NULL;
		}
	a = lab_check_answer(c);
	for (unsigned i = 0; i < a->resizes; i++)
		used += snprintf(resize + used, sizeof resize - (size_t)used,
				 i ? ",%u" : " resize=%u", a->resize[i]);
	if (a->steps_of)
		snprintf(steps_of, sizeof steps_of, " steps-of=%#x",
			 a->steps_of);
	printf("    %s n=%u k=%u m=%u passages=%u%s crashes=%u deaths=%u "
	       "aborts=%u faults=%u%s%s: %s, %" PRIu64 " states, %.2f s%s%s\n",
	       a->algorithm, a->n, a->k, a->sessions, a->passages[0], resize,
	       a->crashes, a->deaths, a->aborts, a->faults,
	       a->no_clocks ? " no-clocks" : "", steps_of, words[a->verdict],
	       a->states, a->seconds, a->schedule ? "\n      " : "",
	       a->schedule ? a->schedule : "");
	fflush(stdout);
	/* `make test` does not search the instances that the file lists, so the
	 * file must list no instance that is small. */
	if (is_large && a->verdict == LAB_HOLDS &&
	    a->states < SIZE_SMALL_STATES / 2) {
		print_error("%s:%d: tests/check/large lists '%s', which has "
			    "only %" PRIu64 " states: remove the line\n",
			    file, line, name, a->states);
		fail();
	}
	return c;
}

void check_holds(const char *algorithm, struct ask ask, const char *file,
		 int line)
{
	struct lab_check *c = answer(algorithm, &ask, most_states(&ask), file,
				     line);
	const struct lab_answer *a;

	while (!c) {
		const bool is_smaller = make_smaller(&ask);

		c = answer(algorithm, &ask,
			   is_smaller ? most_states(&ask) : UINT64_MAX, file,
			   line);
	}
	a = lab_check_answer(c);
	if (a->verdict != LAB_HOLDS) {
		print_error("%s:%d: %s does not hold: %s %s\n", file, line,
			    algorithm, a->why, a->message);
		fail();
	}
	lab_check_end(c);
}

void check_no_violation(const char *algorithm, struct ask ask, const char *file,
			int line)
{
	struct lab_check *c = answer(algorithm, &ask, most_states(&ask), file,
				     line);
	const struct lab_answer *a;

	if (!c)
		return;
	a = lab_check_answer(c);
	if (a->verdict == LAB_BOUNDED)
		printf("      %s ran out first: not every schedule was "
		       "searched\n",
		       a->bound);
	else if (a->verdict != LAB_HOLDS) {
		print_error("%s:%d: %s is refused: %s %s\n", file, line,
			    algorithm, a->why, a->message);
		fail();
	}
	lab_check_end(c);
}

void check_breaks(const char *property, const char *algorithm, struct ask ask,
		  const char *file, int line)
{
	unsigned wanted = properties(property), hold = properties(ask.holds);
	struct lab_check *c;
	const struct lab_answer *a;

	if (!ask.only && !(promised(algorithm) & wanted))
		ask.also = property;
	c = answer(algorithm, &ask, most_states(&ask), file, line);
	if (!c)
		return;
	a = lab_check_answer(c);
	if (a->verdict != LAB_VIOLATED || (a->violated & wanted) != wanted ||
	    (hold & (a->violated | a->undecided)) || (hold & ~a->asked)) {
		print_error("%s:%d: %s should violate %s and none of %s "
			    "(violated %x, undecided %x) %s\n",
			    file, line, algorithm, property,
			    ask.holds ? ask.holds : "-", a->violated,
			    a->undecided, a->message);
		fail();
	}
	if (ask.most_steps && a->steps > ask.most_steps) {
		print_error("%s:%d: the counterexample has %zu steps; %u are "
			    "enough\n",
			    file, line, a->steps, ask.most_steps);
		fail();
	}
	lab_check_end(c);
}

void check_refused(const char *words, const char *algorithm, struct ask ask,
		   const char *file, int line)
{
	struct lab_question q = question(algorithm, ask);
	char error[LAB_ERROR] = "";
	struct lab_check *c = lab_check_start(&q, error);

	if (c || !strstr(error, words)) {
		print_error("%s:%d: '%s' should say '%s'\n", file, line,
			    c ? "(answered)" : error, words);
		fail();
	}
}

void check_replays(const char *property, const char *schedule, const char *file,
		   int line)
{
	char error[LAB_ERROR] = "";
	struct lab_check *c = lab_replay(schedule, error);

	if (!c || !(lab_check_answer(c)->violated & properties(property))) {
		print_error("%s:%d: the replay does not violate %s: %s\n", file,
			    line, property,
			    c ? lab_check_answer(c)->why : error);
		fail();
	}
	lab_check_end(c);
}

void check_replays_file(const char *property, const char *trace,
			const char *file, int line)
{
	char path[512], schedule[16384] = "", text[1024];
	FILE *from;

	snprintf(path, sizeof path, "%s/%s", ATMOST_TRACES, trace);
	from = fopen(path, "r");
	if (!from)
		fail_msg("%s:%d: there is no %s", file, line, path);
	while (fgets(text, sizeof text, from))
		if (text[0] != '#')
			strncat(schedule, text,
				sizeof schedule - strlen(schedule) - 1);
	fclose(from);
	check_replays(property, schedule, file, line);
	printf("    %s replays and violates %s\n", trace, property);
}
