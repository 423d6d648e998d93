/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Four processes record values in shared statistics.  One of them is killed
 * (SIGKILL), and no value is lost or counted twice.
 *
 * The statistics are a shared object of a type that this program defines:
 * apply() changes count, sum, least and most together.  There is no lock that a
 * killed process could leave locked.  The last operation of the killed process
 * has either happened or will never happen.  count_victim() asks which of the
 * two is true, with the tag that the process noted before the operation.
 */
#define _GNU_SOURCE
#include <atmost/resilient.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAME "example-shared-stats"

enum { WORKERS = 4, VICTIM = 2, TIMES = 20000 };
enum { RECORD = 1 };

struct stats {
	uint64_t count, sum, least, most;
};

/*
 * The library may call this function several times for one operation, on copies
 * of the state and in other processes.  So the function only changes the state
 * and sets the result.
 */
static void apply(void *state, size_t size, uint64_t operation,
		  const uint64_t *argument, uint64_t *result)
{
	struct stats *s = state;

	(void)size;
	(void)operation; /* always RECORD */
	s->least = s->count && s->least < *argument ? s->least : *argument;
	s->most = s->most > *argument ? s->most : *argument;
	s->sum += *argument;
	*result = ++s->count;
}

/* The notes of a worker, in memory that all processes share. */
struct note {
	volatile uint64_t tag;  /* tag of the current operation */
	volatile uint64_t done; /* operations that have returned */
};

static void fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, atmost_detail());
	atmost_unlink(NAME);
	exit(1);
}

static struct atmost_object *open_stats(void)
{
	static const struct atmost_object_type type = {
		.name = "stats",
		.size = sizeof(struct stats),
		.apply = apply,
		.operations = RECORD,
		.arguments = 1,
		.results = 1,
	};
	const struct atmost_object_shape shape = { .type = &type,
						   .k = WORKERS };
	struct atmost_object *object;

	if (atmost_object_open(&object, NAME, &shape) < 0)
		fail("open");
	return object;
}

static void work(unsigned worker, struct note *note)
{
	struct atmost_object *object = open_stats();
	struct atmost_object_member *me;

	if (atmost_object_join(object, &me) < 0)
		fail("join");
	for (uint64_t i = 1; i <= TIMES || worker == VICTIM; i++) {
		struct atmost_object_want want = { .tag = worker * 1000000000 +
							  i };
		uint64_t value = i % 1000 + worker;

		note->tag = want.tag;
		if (atmost_object_apply_as(me, &want, RECORD, &value, NULL) < 0)
			fail("apply");
		note->done = i;
	}
	atmost_object_part(me);
	atmost_object_close(object);
	exit(0);
}

/* Returns how many operations of the killed worker have happened. */
static uint64_t count_victim(struct atmost_object *object, struct note *note)
{
	bool happened = false;
	uint64_t done = note->done;
	int error;

	do { /* ATMOST_EBUSY: a worker is recovering the victim */
		error = atmost_object_outcome(object, note->tag, &happened,
					      NULL);
	} while (error == ATMOST_EBUSY);
	if (error < 0) {
		/*
		 * The worker was killed before the operation that it noted
		 * began.
		 */
		printf("the killed worker was between two operations\n");
		return done;
	}
	printf("the last operation of the killed worker %s\n",
	       happened ? "has happened" : "has not happened, and never will");
	return note->tag % 1000000000 - !happened;
}

int main(void)
{
	struct note *notes = mmap(NULL, WORKERS * sizeof *notes,
				  PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct atmost_object *object;
	struct stats stats;
	uint64_t expected = 0;
	pid_t pid[WORKERS];
	bool right;

	atmost_unlink(NAME);
	object = open_stats();
	for (unsigned i = 0; i < WORKERS; i++) {
		pid[i] = fork();
		if (pid[i] == 0)
			work(i, &notes[i]);
	}
	while (notes[VICTIM].done < TIMES / 4)
		usleep(100);
	kill(pid[VICTIM], SIGKILL);
	for (unsigned i = 0; i < WORKERS; i++) {
		waitpid(pid[i], NULL, 0);
		expected += i == VICTIM ? count_victim(object, &notes[i])
					: notes[i].done;
	}
	if (atmost_object_read(object, &stats) < 0)
		fail("read");
	printf("%ju values, from %ju to %ju, mean %.1f\n",
	       (uintmax_t)stats.count, (uintmax_t)stats.least,
	       (uintmax_t)stats.most, (double)stats.sum / (double)stats.count);
	right = stats.count == expected;
	printf("%ju operations: %s\n", (uintmax_t)expected,
	       right ? "no value is missing or counted twice" : "WRONG");
	atmost_object_close(object);
	atmost_unlink(NAME);
	return !right;
}
