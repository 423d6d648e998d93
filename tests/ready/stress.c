/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads and processes apply random operations to an object of each type; the
 * operations must be linearizable.
 */
#include "common/clock.h"
#include "common/folder.h"
#include "common/prng.h"
#include "common/watchdog.h"
#include "worker.h"

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

enum { WORKERS = 6, OPERATIONS = 300 };

static uint64_t seed;

/* Runs a worker; returns its first error, or 0. */
static int work(struct worker *worker)
{
	struct journal *journal = worker->target->journal;
	int error = atmost_object_join(worker->target->object, &worker->member);

	atomic_fetch_add(&journal->ready, 1);
	while (atomic_load(&journal->ready) < WORKERS)
		sched_yield();
	for (unsigned i = 0; !error && i < OPERATIONS; i++) {
		int done = worker_apply_random(worker, UNTAGGED);

		error = done < 0 ? done : 0;
	}
	if (!error)
		atmost_object_part(worker->member);
	return error;
}

static void *work_in_thread(void *argument)
{
	return (void *)(intptr_t)work(argument);
}

static void run_threads(struct worker *worker)
{
	pthread_t thread[WORKERS];
	void *error;

	for (unsigned i = 0; i < WORKERS; i++)
		assert_int_equal(0, pthread_create(&thread[i], NULL,
						   work_in_thread, &worker[i]));
	for (unsigned i = 0; i < WORKERS; i++) {
		pthread_join(thread[i], &error);
		assert_int_equal(0, (intptr_t)error);
	}
}

/*
 * Each process opens the object on its own, and so maps it at a different
 * address than the parent.
 */
static void work_in_process(struct worker *worker)
{
	struct target own = *worker->target;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	worker->target = &own;
	if (!target_open(&own, "object") || work(worker) < 0)
		_exit(1);
	_exit(0);
}

static void run_processes(struct worker *worker)
{
	pid_t pid[WORKERS];
	int status;

	for (unsigned i = 0; i < WORKERS; i++) {
		pid[i] = fork();
		assert_true(pid[i] >= 0);
		if (pid[i] == 0)
			work_in_process(&worker[i]);
	}
	for (unsigned i = 0; i < WORKERS; i++) {
		assert_int_equal(pid[i], waitpid(pid[i], &status, 0));
		assert_int_equal(0, status);
	}
}

/* Runs one round with a new object; returns the number of operations. */
static size_t run_round(struct target *target, const char *name,
			void (*run)(struct worker *), uint64_t *random,
			size_t *overlaps)
{
	struct worker worker[WORKERS];
	size_t count;

	journal_clear(target->journal);
	if (!target_open(target, name))
		fail_msg("%s", atmost_detail());
	for (unsigned i = 0; i < WORKERS; i++)
		worker[i] = (struct worker){ .target = target,
					     .writer = i,
					     .random = prng_next(random) };
	run(worker);
	atmost_object_close(target->object);
	if (name)
		assert_int_equal(0, atmost_unlink(name));
	count = journal_count(target->journal);
	assert_int_equal(WORKERS * OPERATIONS, count);
	assert_int_equal(LINEARIZABLE,
			 journal_check(target->journal, &models[target->which],
				       CAPACITY));
	*overlaps += journal_overlaps(target->journal);
	return count;
}

static void run_rounds(const char *name, void (*run)(struct worker *))
{
	struct target target = { .journal = journal_open(),
				 .members = WORKERS };
	uint64_t random = seed;

	for (target.which = 0; target.which < MODELS; target.which++)
		for (target.k = 1; target.k <= 4; target.k *= 2) {
			double end = clock_seconds() +
				     clock_stress_seconds(0.15);
			size_t count = 0, overlaps = 0;

			watchdog_start("an operation does not end\n");
			do
				count += run_round(&target, name, run, &random,
						   &overlaps);
			while (clock_seconds() < end);
			print_message("%-8s k=%u  %6zu operations, %6zu "
				      "overlap others\n",
				      models[target.which].name, target.k,
				      count, overlaps);
			/* Without overlaps the test would test nothing. */
			assert_true(overlaps > 0);
		}
	watchdog_stop();
	journal_close(target.journal);
}

static void operations_of_threads_are_linearizable(void **state)
{
	(void)state;
	run_rounds(NULL, run_threads);
}

static void operations_of_processes_are_linearizable(void **state)
{
	(void)state;
	folder_create(NULL);
	run_rounds("object", run_processes);
	folder_delete();
}

static void an_object_of_an_impossible_capacity_is_refused(void **state)
{
	(void)state;
	for (unsigned which = QUEUE; which <= MAP; which++) {
		const struct atmost_object_type none = target_type(which, 0);
		const struct atmost_object_type huge = target_type(which,
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
		cmocka_unit_test(operations_of_threads_are_linearizable),
		cmocka_unit_test(
			an_object_of_an_impossible_capacity_is_refused),
	};
	const struct CMUnitTest processes[] = {
		cmocka_unit_test(operations_of_processes_are_linearizable),
	};

	(void)argv;
	seed = prng_seed();
	return argc == 1 ? cmocka_run_group_tests(threads, NULL, NULL)
			 : cmocka_run_group_tests(processes, NULL, NULL);
}
