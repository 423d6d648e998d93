/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * refuse CALL ERROR COMMAND...: runs the command in a sandbox that refuses a
 * system call with ENOSYS, EPERM or EACCES.  In this way sandboxes and
 * container runtimes refuse calls that they do not know.  CALL is the name of a
 * call, or ofd-locks, which means fcntl, but only with F_OFD_GETLK, F_OFD_SETLK
 * and F_OFD_SETLKW.
 *
 * If the system allows no sandbox, the program says that the test is skipped,
 * and exits with 77, as Meson expects.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NO_SANDBOX = 77 };

struct name {
	const char *name;
	unsigned value;
};

static const struct name calls[] = {
	{ "clone", SYS_clone },
	{ "futex_waitv", SYS_futex_waitv },
	{ "pidfd_open", SYS_pidfd_open },
	{ "set_robust_list", SYS_set_robust_list },
	{ "get_robust_list", SYS_get_robust_list },
	{ "process_mrelease", SYS_process_mrelease },
	{ "ofd-locks", SYS_fcntl },
	{ NULL, 0 },
};

static const struct name errors[] = {
	{ "ENOSYS", ENOSYS },
	{ "EPERM", EPERM },
	{ "EACCES", EACCES },
	{ NULL, 0 },
};

/* Returns the value of this name, or -1 if the name is unknown. */
static long find(const struct name *names, const char *name)
{
	for (; names->name; names++)
		if (strcmp(names->name, name) == 0)
			return names->value;
	return -1;
}

/*
 * The last instruction allows the call; the instruction before it refuses the
 * call.  All programs of the tests have one architecture, so the filter need
 * not check the architecture.
 */
static int refuse(unsigned call, unsigned error)
{
	enum { LOCKS = 3 };
	const unsigned least = call == SYS_fcntl ? F_OFD_GETLK : 0;
	const unsigned most = call == SYS_fcntl ? F_OFD_GETLK + LOCKS - 1
						: UINT32_MAX;
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args[1])),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, least, 0, 2),
		BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, most, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {
		.len = sizeof filter / sizeof *filter,
		.filter = filter,
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
	long call = argc > 3 ? find(calls, argv[1]) : -1;
	long error = argc > 3 ? find(errors, argv[2]) : -1;

	if (call < 0 || error < 0) {
		fprintf(stderr, "usage: refuse CALL ERROR COMMAND...\n");
		return 2;
	}
	if (refuse((unsigned)call, (unsigned)error) < 0) {
		puts("skipped: this system allows no seccomp sandbox");
		return NO_SANDBOX;
	}
	execvp(argv[3], argv + 3);
	perror(argv[3]);
	return 127;
}
