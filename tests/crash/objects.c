/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * objects [--all]: members of a shared object are killed at every stop (see
 * stops.h) of an operation, and their recoverer at every stop of the recovery.
 * Afterwards each operation has happened once or never, and its outcome says
 * which.
 *
 * A trial has one or two victims, one after the other.  Each victim completes
 * one operation and is killed during its second operation; both operations have
 * tags.  A trial may also have a recoverer, which calls atmost_object_status.
 * If the first victim has announced its operation, the second victim helps to
 * complete that operation.
 */
#include "common/folder.h"
#include "common/prng.h"
#include "common/size.h"
#include "runtime/pool.h"
#include "stops.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAME "object"

enum { VICTIMS = 2, RECOVERER = VICTIMS, SURE = 2, PLACES_MOST = 2000 };

struct trial {
	unsigned k, victims;
	/* The stop at which each process is killed, or NEVER. */
	uint64_t at[VICTIMS + 1];
	/* The tag of the second operation; the first operation has tag - 1. */
	uint64_t tag[VICTIMS];
	bool killed[VICTIMS + 1];
};

static struct oracle *oracle;
static struct atmost_object *object;
static struct atmost_object_member *me;
static uint64_t random_state, last_tag;
static uint64_t expected; /* the number that the object should hold */
static unsigned long kills, happened_killed, not_happened;

static uint64_t draw(uint64_t limit)
{
	return prng_below(&random_state, limit);
}

__attribute__((noreturn, format(printf, 2, 3))) static void fail(
	const struct trial *t, const char *format, ...)
{
	va_list list;

	printf("ATMOST_SEED=%ju k=%u, killed at %ju, %ju, recoverer at %ju: ",
	       (uintmax_t)prng_seed(), t->k, (uintmax_t)t->at[0],
	       (uintmax_t)t->at[1], (uintmax_t)t->at[RECOVERER]);
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	printf(" (%s)\n", atmost_detail());
	exit(1);
}

/* The state of the object is a number, stored twice. */

enum { ADD = 1 };

static void add(void *state, size_t size, uint64_t operation,
		const uint64_t *argument, uint64_t *result)
{
	uint64_t *number = state;

	(void)size;
	(void)operation;
	result[0] = number[0];
	result[1] = number[0] == number[1];
	number[0] += *argument;
	number[1] = number[0];
}

static int open_object(unsigned k)
{
	const struct atmost_object_type type = {
		.name = "twice",
		.size = 16,
		.apply = add,
		.operations = 1,
		.arguments = 1,
		.results = 2,
	};
	const struct atmost_object_shape shape = {
		.type = &type,
		.k = k,
		.members = 6,
	};

	return atmost_object_open(&object, NAME, &shape);
}

/* The victims and the recoverer run the functions below. */

static void act(const struct trial *t, unsigned number)
{
	const struct oracle_worker worker = { .oracle = oracle,
					      .number = number };
	struct atmost_object_want want = {
		.tag = number == RECOVERER ? 0 : t->tag[number] - 1,
	};
	const uint64_t one = 1, none = 0;
	int error = open_object(t->k);

	if (!error && number == RECOVERER) {
		stops_set(&worker, t->at[number], false);
		error = atmost_object_status(object, NULL, 0, NULL);
	} else if (!error) {
		error = atmost_object_join(object, &me);
		if (!error)
			error = atmost_object_apply_as(me, &want, ADD, &none,
						       NULL);
		want.tag++;
		stops_set(&worker, t->at[number], false);
		if (!error)
			error = atmost_object_apply_as(me, &want, ADD, &one,
						       NULL);
	}
	stops_end();
	_exit(error < 0); /* ends without parting */
}

static void run_process(struct trial *t, unsigned number)
{
	int status;
	pid_t pid;

	atomic_store(&oracle->worker[number].reached, 0);
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		act(t, number);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		fail(t, "no process");
	t->killed[number] = WIFSIGNALED(status);
	kills += t->killed[number];
	oracle_forget(oracle, number);
	if (!WIFSIGNALED(status) && WEXITSTATUS(status))
		fail(t, "worker %u failed", number);
}

/* The functions below make the checks after a trial. */

static uint64_t number_of(const struct trial *t)
{
	uint64_t number[2];

	if (atmost_object_read(object, number) < 0 || number[0] != number[1])
		fail(t, "the state is torn");
	return number[0];
}

/*
 * Checks that each tag has at most one outcome, even after several recoveries.
 */
static void count_outcomes(const struct trial *t, uint64_t tag)
{
	const struct atmost *inner = (const struct atmost *)(const void *)
		object;
	struct outcomes *all =
		(struct outcomes *)(void *)(inner->segment.base +
					    inner->layout.outcomes);
	unsigned count = 0;

	for (unsigned i = 0; i < OUTCOMES; i++)
		count += (mem_peek(&all->at[i].turn) & 3) >= OUTCOME_READY &&
			 mem_peek(&all->at[i].tag) == tag;
	if (count > 1)
		fail(t, "%u outcomes of one tag", count);
}

/*
 * Checks that the library does not mistake the completed first operation for
 * the second.
 */
static void ask_first(const struct trial *t, uint64_t tag)
{
	bool happened = true;
	int error = atmost_object_outcome(object, tag, &happened, NULL);

	if ((error && error != ATMOST_ENOTFOUND) || !happened)
		fail(t, "the outcome says that the first operation did not "
			"happen");
}

/* Returns true if the operation happened; *before is then its result. */
static bool ask(const struct trial *t, unsigned number, uint64_t *before)
{
	bool happened = false;
	uint64_t result[2];
	int error = atmost_object_outcome(object, t->tag[number], &happened,
					  result);

	/* The operation had not begun. */
	if (error == ATMOST_ENOTFOUND && t->killed[number])
		return false;
	if (error < 0)
		fail(t, "worker %u has no outcome", number);
	if (!happened && !t->killed[number])
		fail(t, "worker %u returned, but its operation did not happen",
		     number);
	if (happened && result[1] != 1)
		fail(t, "the function met a torn state");
	if (atmost_object_outcome(object, t->tag[number], &happened, NULL) !=
	    ATMOST_EASKED)
		fail(t, "the outcome was reported twice");
	happened_killed += happened && t->killed[number];
	not_happened += !happened;
	*before = result[0];
	return happened;
}

static void check(const struct trial *t)
{
	const struct atmost_object_want now = { .flags = ATMOST_TRY };
	uint64_t before[VICTIMS] = { 0 }, count = 0, one = 1, result[2];
	struct atmost_totals totals;

	for (unsigned i = 0; i < t->victims; i++) {
		if (ask(t, i, &before[count]))
			count++;
		ask_first(t, t->tag[i] - 1);
		count_outcomes(t, t->tag[i]);
	}
	if (number_of(t) != expected + count)
		fail(t, "the number is %ju instead of %ju + %ju",
		     (uintmax_t)number_of(t), (uintmax_t)expected,
		     (uintmax_t)count);
	/* The results of the operations that happened are consecutive. */
	for (unsigned i = 0; i < count; i++)
		if (before[i] - expected >= count ||
		    (i && before[i] == before[0]))
			fail(t, "%ju was returned", (uintmax_t)before[i]);
	if (atmost_object_status(object, NULL, 0, &totals) != 0 ||
	    totals.members != 1 || totals.lost)
		fail(t, "%u members, %u holders, %u waiters, %u lost",
		     totals.members, totals.holders, totals.waiters,
		     totals.lost);
	expected += count;
	for (unsigned i = 0; i < 2; i++)
		if (atmost_object_apply_as(me, &now, ADD, &one, result) < 0 ||
		    result[0] != expected++)
			fail(t, "the next operation fails");
}

static void run_trial(struct trial *t)
{
	for (unsigned i = 0; i < t->victims; i++)
		t->tag[i] = last_tag += 2;
	for (unsigned i = 0; i < t->victims; i++)
		run_process(t, i);
	t->killed[RECOVERER] = false;
	if (t->at[RECOVERER])
		run_process(t, RECOVERER);
	check(t);
}

/* The functions below run the trials. */

static uint64_t run_places(unsigned k)
{
	struct trial t = { .k = k, .victims = 1 };
	unsigned survived = 0;

	for (t.at[0] = 1; survived < SURE && t.at[0] < PLACES_MOST; t.at[0]++) {
		run_trial(&t);
		survived = t.killed[0] ? 0 : survived + 1;
	}
	return t.at[0] - SURE - 1;
}

/* Kills the victim at stop `at`, and then the recoverer at each of its stops;
 * returns the number of the recoverer's stops. */
static uint64_t run_recoverers(unsigned k, uint64_t at)
{
	struct trial t = { .k = k, .victims = 1, .at = { at } };
	unsigned survived = 0;

	for (t.at[RECOVERER] = 1;
	     survived < SURE && t.at[RECOVERER] < PLACES_MOST;
	     t.at[RECOVERER]++) {
		run_trial(&t);
		survived = t.killed[RECOVERER] ? 0 : survived + 1;
	}
	return t.at[RECOVERER] - SURE - 1;
}

static void run_some(unsigned k, uint64_t places, uint64_t recoverers,
		     unsigned trials)
{
	while (trials-- > 0) {
		struct trial t = {
			.k = k,
			/* With k = 1 the second victim would recover the
			 * first. */
			.victims = k > 1 ? VICTIMS : 1,
			.at = { 1 + draw(places), 1 + draw(2 * places),
				draw(2) ? 1 + draw(recoverers) : NEVER },
		};

		run_trial(&t);
	}
}

static void run_all(unsigned k, bool all)
{
	uint64_t places, recoverers = 0, every;

	atmost_unlink(NAME);
	expected = 0;
	if (open_object(k) < 0 || atmost_object_join(object, &me) < 0)
		fail(&(struct trial){ .k = k }, "no object");
	places = run_places(k);
	every = all ? 1 : size_is_small() ? 50 : 10;
	for (uint64_t at = 1; at <= places; at += every) {
		uint64_t seen = run_recoverers(k, at);

		recoverers = seen > recoverers ? seen : recoverers;
	}
	run_some(k, places, recoverers, all ? 3000 : 100);
	printf("%6lu kills  k=%u  %ju stops of an operation, %ju of a "
	       "recovery; %lu happened, %lu did not\n",
	       kills, k, (uintmax_t)places, (uintmax_t)recoverers,
	       happened_killed, not_happened);
	atmost_object_close(object);
	atmost_unlink(NAME);
}

int main(int argc, char **argv)
{
	const bool all = argc > 1 && strcmp(argv[1], "--all") == 0;

	folder_create(NULL);
	random_state = prng_seed();
	oracle = oracle_map();
	for (unsigned k = 1; k <= (all ? 3 : 2); k++)
		run_all(k, all);
	folder_delete();
	if (!happened_killed || !not_happened) {
		printf("FAILED: no worker was killed in the middle of an "
		       "operation\n");
		return 1;
	}
	printf("ok: %lu kills, and every operation happened once or never\n",
	       kills);
	return 0;
}
