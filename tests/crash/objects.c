/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * objects [--all]: members of a shared object are killed at every stop of an
 * operation; then who recovers them is, at every stop of that; and then their
 * operations have happened once or not at all, as the outcomes say.
 *
 * A trial is one or two victims, one after the other, each with an operation
 * that it does and one at which it is killed, both with tags; and perhaps an heir
 * that looks at the status.  The second victim helps the first, if that has
 * announced something.
 */
#include "runtime/pool.h"
#include "stops.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAME "object"

enum { VICTIMS = 2, HEIR = VICTIMS, SURE = 2, PLACES_MOST = 2000 };

struct trial {
	unsigned k, victims;
	uint64_t at[VICTIMS +
		    1]; /* the stop at which each is killed, or NEVER */
	uint64_t
		tag[VICTIMS]; /* of the second operation; one less: the first */
	bool killed[VICTIMS + 1];
};

static struct oracle *oracle;
static struct atmost_object *object;
static struct atmost_object_member *me;
static uint64_t seed, chance, last_tag;
static uint64_t expected; /* the number there should be */
static unsigned long kills, happened_killed, not_happened;

static uint64_t draw(uint64_t limit)
{
	chance = chance * UINT64_C(6364136223846793005) +
		 UINT64_C(1442695040888963407);
	return (chance >> 33) % limit;
}

__attribute__((noreturn, format(printf, 2, 3))) static void fail(
	const struct trial *t, const char *format, ...)
{
	va_list list;

	printf("ATMOST_SEED=%ju k=%u, killed at %ju, %ju, heir at %ju: ",
	       (uintmax_t)seed, t->k, (uintmax_t)t->at[0], (uintmax_t)t->at[1],
	       (uintmax_t)t->at[HEIR]);
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	printf(" (%s)\n", atmost_detail());
	exit(1);
}

/* The object: a number, kept twice. */

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

/* Who is killed. */

static void act(const struct trial *t, unsigned chair)
{
	const struct actor actor = { .oracle = oracle, .chair = chair };
	struct atmost_object_want want = {
		.tag = chair == HEIR ? 0 : t->tag[chair] - 1,
	};
	const uint64_t one = 1, none = 0;
	int error = open_object(t->k);

	if (!error && chair == HEIR) {
		stops_set(&actor, t->at[chair], false);
		error = atmost_object_status(object, NULL, 0, NULL);
	} else if (!error) {
		error = atmost_object_join(object, &me);
		if (!error)
			error = atmost_object_apply_as(me, &want, ADD, &none,
						       NULL);
		want.tag++;
		stops_set(&actor, t->at[chair], false);
		if (!error)
			error = atmost_object_apply_as(me, &want, ADD, &one,
						       NULL);
	}
	stops_end();
	_exit(error < 0); /* without parting */
}

static void run(struct trial *t, unsigned chair)
{
	int status;
	pid_t pid;

	atomic_store(&oracle->chair[chair].reached, 0);
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		act(t, chair);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		fail(t, "no process");
	t->killed[chair] = WIFSIGNALED(status);
	kills += t->killed[chair];
	oracle_bury(oracle, chair);
	if (!WIFSIGNALED(status) && WEXITSTATUS(status))
		fail(t, "chair %u failed", chair);
}

/* What is left. */

static uint64_t number_of(const struct trial *t)
{
	uint64_t number[2];

	if (atmost_object_read(object, number) < 0 || number[0] != number[1])
		fail(t, "the state is not whole");
	return number[0];
}

/* There is one outcome of each, also if several have recovered. */
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

/* What it had done before must not be taken for what it did not do. */
static void ask_first(const struct trial *t, uint64_t tag)
{
	bool happened = true;
	int error = atmost_object_outcome(object, tag, &happened, NULL);

	if ((error && error != ATMOST_ENOTFOUND) || !happened)
		fail(t, "the first operation is said not to have happened");
}

/* *before: what it returned.  True: it has happened. */
static bool ask(const struct trial *t, unsigned chair, uint64_t *before)
{
	bool happened = false;
	uint64_t result[2];
	int error = atmost_object_outcome(object, t->tag[chair], &happened,
					  result);

	/* Then it was not begun. */
	if (error == ATMOST_ENOTFOUND && t->killed[chair])
		return false;
	if (error < 0)
		fail(t, "chair %u has no outcome", chair);
	if (!happened && !t->killed[chair])
		fail(t, "chair %u returned, and it did not happen", chair);
	if (happened && result[1] != 1)
		fail(t, "the function met a torn state");
	if (atmost_object_outcome(object, t->tag[chair], &happened, NULL) !=
	    ATMOST_EASKED)
		fail(t, "there is a second answer");
	happened_killed += happened && t->killed[chair];
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
		fail(t, "%ju, not %ju and %ju", (uintmax_t)number_of(t),
		     (uintmax_t)expected, (uintmax_t)count);
	/* One after the other: different numbers, from the first one on. */
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
			fail(t, "what comes next is not applied");
}

static void play(struct trial *t)
{
	for (unsigned i = 0; i < t->victims; i++)
		t->tag[i] = last_tag += 2;
	for (unsigned i = 0; i < t->victims; i++)
		run(t, i);
	t->killed[HEIR] = false;
	if (t->at[HEIR])
		run(t, HEIR);
	check(t);
}

/* Which trials. */

static uint64_t play_places(unsigned k)
{
	struct trial t = { .k = k, .victims = 1 };
	unsigned survived = 0;

	for (t.at[0] = 1; survived < SURE && t.at[0] < PLACES_MOST; t.at[0]++) {
		play(&t);
		survived = t.killed[0] ? 0 : survived + 1;
	}
	return t.at[0] - SURE - 1;
}

/* The heir at every place, of the victim's `at`: how many there are. */
static uint64_t play_heirs(unsigned k, uint64_t at)
{
	struct trial t = { .k = k, .victims = 1, .at = { at } };
	unsigned survived = 0;

	for (t.at[HEIR] = 1; survived < SURE && t.at[HEIR] < PLACES_MOST;
	     t.at[HEIR]++) {
		play(&t);
		survived = t.killed[HEIR] ? 0 : survived + 1;
	}
	return t.at[HEIR] - SURE - 1;
}

static void play_some(unsigned k, uint64_t places, uint64_t heirs,
		      unsigned trials)
{
	while (trials-- > 0) {
		struct trial t = {
			.k = k,
			/* With one name the second would recover the first. */
			.victims = k > 1 ? VICTIMS : 1,
			.at = { 1 + draw(places), 1 + draw(2 * places),
				draw(2) ? 1 + draw(heirs) : NEVER },
		};

		play(&t);
	}
}

static void play_all(unsigned k, bool all)
{
	uint64_t places, heirs = 0, every;

	atmost_unlink(NAME);
	expected = 0;
	if (open_object(k) < 0 || atmost_object_join(object, &me) < 0)
		fail(&(struct trial){ .k = k }, "no object");
	places = play_places(k);
	every = all ? 1 : 10;
	for (uint64_t at = 1; at <= places; at += every) {
		uint64_t seen = play_heirs(k, at);

		heirs = seen > heirs ? seen : heirs;
	}
	play_some(k, places, heirs, all ? 3000 : 100);
	printf("%6lu kills  k=%u  %ju stops of an operation, %ju of who "
	       "recovers; %lu happened, %lu did not\n",
	       kills, k, (uintmax_t)places, (uintmax_t)heirs, happened_killed,
	       not_happened);
	atmost_object_close(object);
	atmost_unlink(NAME);
}

int main(int argc, char **argv)
{
	const bool all = argc > 1 && strcmp(argv[1], "--all") == 0;
	const char *text = getenv("ATMOST_SEED");
	char folder[] = "/tmp/atmost-crash-XXXXXX";

	if (!mkdtemp(folder) || setenv("ATMOST_DIR", folder, 1))
		return 2;
	seed = text && *text ? (uint64_t)strtoull(text, NULL, 0)
			     : (uint64_t)getpid();
	chance = seed;
	printf("ATMOST_SEED=%ju\n", (uintmax_t)seed);
	oracle = oracle_map();
	for (unsigned k = 1; k <= (all ? 3 : 2); k++)
		play_all(k, all);
	rmdir(folder);
	if (!happened_killed || !not_happened) {
		printf("no kills in the middle are no test\n");
		return 1;
	}
	printf("ok: %lu kills, and every operation happened once or never\n",
	       kills);
	return 0;
}
