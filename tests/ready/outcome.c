/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An outcome is asked for while somebody else recovers the dead, and does not
 * come to an end: nobody may be told that there is none.
 */
#define _GNU_SOURCE

#include "atmost/resilient.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { TAG = 77 };

/* Who is in the function of the type, and stays there until it may go on. */
static struct {
	atomic_int victim, heir;
	atomic_bool victim_in, heir_in, go;
} *shared;

static atmost_object_function *count;

static void stay(void *state, size_t size, uint64_t operation,
		 const uint64_t *argument, uint64_t *result)
{
	if (getpid() == atomic_load(&shared->victim)) {
		atomic_store(&shared->victim_in, true);
		pause();
	}
	if (getpid() == atomic_load(&shared->heir)) {
		atomic_store(&shared->heir_in, true);
		while (!atomic_load(&shared->go))
			usleep(100);
	}
	count(state, size, operation, argument, result);
}

/* Its operation is announced when it gets into the function. */
static void add_and_die(struct atmost_object *object)
{
	const struct atmost_object_want want = { .tag = TAG };
	const uint64_t five = 5;
	struct atmost_object_member *me;

	atomic_store(&shared->victim, getpid());
	if (atmost_object_join(object, &me) == 0)
		atmost_object_apply_as(me, &want, ATMOST_COUNTER_ADD, &five,
				       NULL);
	_exit(1);
}

/* Who joins looks for the dead. */
static void join_after(struct atmost_object *object)
{
	struct atmost_object_member *me;

	atomic_store(&shared->heir, getpid());
	_exit(atmost_object_join(object, &me) == 0 ? 0 : 1);
}

static pid_t start(void (*deed)(struct atmost_object *),
		   struct atmost_object *object, atomic_bool *until)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		deed(object);
	}
	while (!atomic_load(until))
		usleep(100);
	return pid;
}

static struct atmost_object *make(void)
{
	struct atmost_object_type type = atmost_counter_type();
	const struct atmost_object_shape shape = { .type = &type, .k = 2 };
	struct atmost_object *object = NULL;

	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(MAP_FAILED, shared);
	count = type.apply;
	type.apply = stay;
	assert_int_equal(0, atmost_object_open(&object, "outcome", &shape));
	return object;
}

static void who_asks_during_a_long_recovery_is_told_to_ask_again(void **state)
{
	char folder[] = "/tmp/atmost-outcome-XXXXXX";
	struct atmost_object *object;
	uint64_t before = 99;
	bool happened = false;
	pid_t victim, heir;
	int status;

	(void)state;
	assert_non_null(mkdtemp(folder));
	setenv("ATMOST_DIR", folder, 1);
	object = make();
	alarm(60);
	victim = start(add_and_die, object, &shared->victim_in);
	assert_int_equal(ATMOST_EBUSY, /* it lives */
			 atmost_object_outcome(object, TAG, &happened, NULL));
	kill(victim, SIGKILL);
	assert_int_equal(victim, waitpid(victim, &status, 0));
	heir = start(join_after, object, &shared->heir_in);
	assert_int_equal(ATMOST_EBUSY,
			 atmost_object_outcome(object, TAG, &happened, NULL));
	atomic_store(&shared->go, true);
	assert_int_equal(heir, waitpid(heir, &status, 0));
	assert_int_equal(0, status);
	assert_int_equal(0, atmost_object_outcome(object, TAG, &happened,
						  &before));
	assert_true(happened);
	assert_int_equal(0, before);
	atmost_object_close(object);
	assert_int_equal(0, atmost_unlink("outcome"));
	assert_int_equal(0, rmdir(folder));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			who_asks_during_a_long_recovery_is_told_to_ask_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
