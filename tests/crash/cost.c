/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a passage costs who is alone, after others were killed: what it did
 * before.  Times are only printed; that no system call is made is the kernel's
 * word, which kills for any but two: to end, and to ask for the time, which is
 * one where the machine's clock cannot be read otherwise.  (The strict mode of
 * seccomp would not do: it forbids to read the clock.)
 */
#include "cast.h"

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
 * Each killed sleeper may have left one flag behind, which costs one system
 * call: everybody's first passage takes these away.
 */
static struct atmost_member *settle(struct cast *cast)
{
	struct atmost_member *member[CHAIRS];

	for (unsigned i = 0; i < cast->shape.members; i++)
		if (atmost_join(cast->object, &member[i]) < 0)
			_exit(3);
	for (unsigned i = 0; i < cast->shape.members; i++)
		pass(member[i], 1);
	for (unsigned i = 1; i < cast->shape.members; i++)
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

void price_check(struct cast *cast)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		struct atmost_member *me = settle(cast);

		if (!forbid_system_calls())
			_exit(4);
		pass(me, PASSAGES);
		syscall(SYS_exit, 0);
	}
	waitpid(pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 4)
		printf("  seccomp is refused here: system calls not counted\n");
	else if (WIFSIGNALED(status))
		cast_fail(cast, "a passage of one that is alone makes a system "
				"call");
	else if (WEXITSTATUS(status) != 0)
		cast_fail(cast, "alone, one cannot pass");
}

double price_measure(struct cast *cast)
{
	struct atmost_member *me;
	double best = 1e9;

	if (atmost_join(cast->object, &me) < 0)
		cast_fail(cast, "%s", atmost_detail());
	for (unsigned i = 0; i < BATCHES; i++) {
		double start = cast_now(), took;

		pass(me, PASSAGES);
		took = (cast_now() - start) / PASSAGES * 1e9;
		best = took < best ? took : best;
	}
	atmost_part(me);
	return best;
}
