/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads and processes apply random operations to an object of each type; all
 * that they did must be linearizable.
 */
#include "linear/chance.h"
#include "party.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { GUESTS = 6, OPERATIONS = 300, MINUTES = 5 };

static uint64_t seed;
static char folder[] = "/tmp/atmost-ready-XXXXXX";

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(void)
{
	const char *wanted = getenv("ATMOST_STRESS_SECONDS");

	return wanted ? strtod(wanted, NULL) : 0.15;
}

/* Everybody's work; the first failure, or 0. */
static int work(struct guest *guest)
{
	struct book *book = guest->party->book;
	int error = atmost_object_join(guest->party->object, &guest->member);

	atomic_fetch_add(&book->ready, 1);
	while (atomic_load(&book->ready) < GUESTS)
		sched_yield();
	for (unsigned i = 0; !error && i < OPERATIONS; i++) {
		int done = guest_acts(guest, PLAINLY);

		error = done < 0 ? done : 0;
	}
	if (!error)
		atmost_object_part(guest->member);
	return error;
}

static void *work_in_thread(void *argument)
{
	return (void *)(intptr_t)work(argument);
}

static void run_threads(struct guest *guest)
{
	pthread_t thread[GUESTS];
	void *error;

	for (unsigned i = 0; i < GUESTS; i++)
		assert_int_equal(0, pthread_create(&thread[i], NULL,
						   work_in_thread, &guest[i]));
	for (unsigned i = 0; i < GUESTS; i++) {
		pthread_join(thread[i], &error);
		assert_int_equal(0, (intptr_t)error);
	}
}

/* Each opens the object for itself, elsewhere in its memory. */
static void work_in_process(struct guest *guest)
{
	struct party own = *guest->party;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	guest->party = &own;
	if (!party_open(&own, "party") || work(guest) < 0)
		_exit(1);
	_exit(0);
}

static void run_processes(struct guest *guest)
{
	pid_t pid[GUESTS];
	int status;

	for (unsigned i = 0; i < GUESTS; i++) {
		pid[i] = fork();
		assert_true(pid[i] >= 0);
		if (pid[i] == 0)
			work_in_process(&guest[i]);
	}
	for (unsigned i = 0; i < GUESTS; i++) {
		assert_int_equal(pid[i], waitpid(pid[i], &status, 0));
		assert_int_equal(0, status);
	}
}

/* Once; how many operations. */
static size_t meet(struct party *party, const char *name,
		   void (*run)(struct guest *), uint64_t *random,
		   size_t *overlaps)
{
	struct guest guest[GUESTS];
	size_t count;

	book_clear(party->book);
	if (!party_open(party, name))
		fail_msg("%s", atmost_detail());
	for (unsigned i = 0; i < GUESTS; i++)
		guest[i] = (struct guest){ .party = party,
					   .writer = i,
					   .random = chance(random) };
	run(guest);
	atmost_object_close(party->object);
	if (name)
		assert_int_equal(0, atmost_unlink(name));
	count = book_count(party->book);
	assert_int_equal(GUESTS * OPERATIONS, count);
	assert_int_equal(LINEARIZABLE,
			 book_check(party->book, &models[party->which],
				    CAPACITY));
	*overlaps += book_overlaps(party->book);
	return count;
}

static void meet_for_a_while(const char *name, void (*run)(struct guest *))
{
	struct party party = { .book = book_open(), .members = GUESTS };
	uint64_t random = seed;

	for (party.which = 0; party.which < MODELS; party.which++)
		for (party.k = 1; party.k <= 4; party.k *= 2) {
			double end = now() + seconds();
			size_t count = 0, overlaps = 0;

			alarm(60 * MINUTES + (unsigned)seconds());
			do
				count += meet(&party, name, run, &random,
					      &overlaps);
			while (now() < end);
			print_message("%-8s k=%u  %6zu operations, %6zu not "
				      "alone\n",
				      models[party.which].name, party.k, count,
				      overlaps);
			/* Otherwise nothing was tested. */
			assert_true(overlaps > 0);
		}
	book_close(party.book);
}

static void what_threads_do_is_linearizable(void **state)
{
	(void)state;
	meet_for_a_while(NULL, run_threads);
}

static void what_processes_do_is_linearizable(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(folder));
	setenv("ATMOST_DIR", folder, 1);
	meet_for_a_while("party", run_processes);
	assert_int_equal(0, rmdir(folder));
}

static void an_object_of_an_impossible_capacity_is_refused(void **state)
{
	(void)state;
	for (unsigned which = QUEUE; which <= MAP; which++) {
		const struct atmost_object_type none = party_type(which, 0);
		const struct atmost_object_type huge = party_type(which,
								  131072);
		struct atmost_object_shape shape = { .type = &none, .k = 1 };
		struct atmost_object *object;

		assert_int_equal(ATMOST_ESHAPE,
				 atmost_object_create(&object, &shape));
		assert_non_null(strstr(atmost_detail(), "size is 0"));
		shape.type = &huge;
		assert_int_equal(ATMOST_ESHAPE,
				 atmost_object_create(&object, &shape));
		assert_non_null(strstr(atmost_detail(), "size is "));
		assert_non_null(strstr(atmost_detail(), "1048576"));
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest threads[] = {
		cmocka_unit_test(what_threads_do_is_linearizable),
		cmocka_unit_test(
			an_object_of_an_impossible_capacity_is_refused),
	};
	const struct CMUnitTest processes[] = {
		cmocka_unit_test(what_processes_do_is_linearizable),
	};

	(void)argv;
	seed = chance_seed();
	return argc == 1 ? cmocka_run_group_tests(threads, NULL, NULL)
			 : cmocka_run_group_tests(processes, NULL, NULL);
}
