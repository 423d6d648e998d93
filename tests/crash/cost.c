/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks that, after workers were killed, a passage of a member that is alone
 * still makes no system call.  A seccomp filter kills a process that makes any
 * system call except exit and clock_gettime.  (On some machines the clock can
 * only be read by a system call, and the strict mode of seccomp would forbid
 * this call.)  The test prints times and does not assert them.
 */
#include "workers.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PASSAGES = 1000, BATCHES = 7 };

static void pass(struct atmost_member *me, unsigned count)
{
	while (count-- > 0) {
		if (atmost_enter(me, NULL) < 0 || atmost_leave(me) < 0)
			_exit(3);
	}
}

/*
 * Each killed sleeper may have left a flag behind, and a flag costs the next
 * waker one system call.  One passage of every member clears all flags.
 */
static struct atmost_member *clear_flags(struct workers *workers)
{
	struct atmost_member *member[WORKERS_MOST];

	for (unsigned i = 0; i < workers->shape.members; i++)
		if (atmost_join(workers->pool, &member[i]) < 0)
			_exit(3);
	for (unsigned i = 0; i < workers->shape.members; i++)
		pass(member[i], 1);
	for (unsigned i = 1; i < workers->shape.members; i++)
		atmost_part(member[i]);
	pass(member[0], 1);
	return member[0];
}

static bool forbid_system_calls(void)
{
	struct sock_filter rule[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof rule / sizeof *rule, rule };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

void cost_check(struct workers *workers)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		struct atmost_member *me = clear_flags(workers);

		if (!forbid_system_calls())
			_exit(4);
		pass(me, PASSAGES);
		syscall(SYS_exit, 0);
	}
	waitpid(pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 4)
		printf("skipped: this system refuses seccomp, system calls "
		       "are not counted\n");
	else if (WIFSIGNALED(status))
		workers_fail(workers,
			     "a passage of a member that is alone makes "
			     "a system call");
	else if (WEXITSTATUS(status) != 0)
		workers_fail(workers,
			     "a member that is alone cannot enter and leave");
}

double cost_measure(struct workers *workers)
{
	struct atmost_member *me;
	double best = 1e9;

	if (atmost_join(workers->pool, &me) < 0)
		workers_fail(workers, "%s", atmost_detail());
	for (unsigned i = 0; i < BATCHES; i++) {
		double start = clock_seconds(), took;

		pass(me, PASSAGES);
		took = (clock_seconds() - start) / PASSAGES * 1e9;
		best = took < best ? took : best;
	}
	atmost_part(me);
	return best;
}
