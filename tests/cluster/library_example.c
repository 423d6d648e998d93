/* SPDX-License-Identifier: BSD-2-Clause */
/* library_example PROGRAM: runs examples/several_machines on an etcd. */
#include "library.h"

#include <sys/wait.h>
#include <unistd.h>

static const char *program;

static int run_example(const char *pool)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		execl(program, program, address_of(pool), NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_holder_works_while_its_slot_is_its_own(void **state)
{
	struct atmost *other;

	(void)state;
	assert_int_equal(run_example("example"), 0);
	assert_int_equal(keys_of("example"), 1);
	/* The pool has another k. */
	other = open_k("another", 3);
	assert_int_equal(run_example("another"), 1);
	atmost_close(other);
}

int main(int count, char **arguments)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_holder_works_while_its_slot_is_its_own),
	};

	if (count != 2)
		return 2;
	program = arguments[1];
	watchdog_start("FAILED: the example for several machines hangs\n");
	return cmocka_run_group_tests(tests, start_node, stop_node);
}
