/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why a pending signal proves where the signal was sent.  The kernel keeps the
 * processes of a group in a list, newest first, and signals them in this order.
 * The sentinel is newer in the group than the wrapper.  So when the wrapper can
 * take a signal to the group, the sentinel has the signal pending already.
 * Programs that signal many processes one by one, and kill(-1), have no such
 * order; for them the wrapper looks a second time, a little later.
 *
 * The wrapper cannot remove a signal that is pending in the sentinel, and could
 * not see a second signal of the same number.  Therefore the wrapper replaces
 * the sentinel as soon as the sentinel has a signal pending that the wrapper
 * does not have pending:
 *
 *	1  it starts a new sentinel
 *	2  it reads the pending signals of the old one; those that the wrapper
 *	   still has pending are `due`
 *	3  it kills the old one
 *
 * If a signal was sent to the group before step 1, it is in `due`; if it was
 * sent to the group after step 1, it is pending in the new sentinel.  A signal
 * to the wrapper alone is in neither place.  (If a signal to the group arrives
 * during the clone call, the kernel makes it pending in the child.)  If the
 * same signal arrives again before the wrapper has finished with the first one,
 * the second one counts as sent to the same processes as the first.
 *
 * A signal to the sentinel alone would make the wrapper take a later signal of
 * that number for a signal to the group, and the command would miss that later
 * signal.  Two measures prevent this:
 *
 *   - The sentinel does not have the name or the command line of the wrapper,
 *     so `pkill atmost` and `pkill -f 'atmost run'` do not find it.  That is
 *     why it does not share the wrapper's memory, where the command line is.
 *   - A second after a signal has arrived, the sentinel removes all its pending
 *     signals, if it still exists.
 *
 * The sentinel closes its copies of the wrapper's descriptors.  So it holds no
 * file locks, which would make the wrapper look alive, and no pipes.  It ends
 * with the wrapper, even if the wrapper is killed.  Its end sends no signal, so
 * only a wait with __WALL finds it.
 */
#include "cli/sentinel.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char name[] = "signal-sentinel";

static const struct timespec second_look = { .tv_nsec = 2000000 };
static const struct timespec keeping_time = { .tv_sec = 1 };

/* --- the sentinel */

/* Finds the memory that other processes see as the command line of this one.
 * argv does not show where this memory is, because --substitute replaces
 * elements of argv. */
static bool find_command_line(uintptr_t *begin, uintptr_t *end)
{
	enum { NAME = 2, COMMAND_LINE = 48 }; /* fields, numbered from 1 */
	char text[1024] = "";
	const char *at;
	FILE *stat = fopen("/proc/self/stat", "re");

	if (!stat)
		return false;
	at = fgets(text, sizeof text, stat);
	fclose(stat);
	if (at)
		at = strrchr(text, ')');
	for (int field = NAME + 1; at && field <= COMMAND_LINE; field++)
		at = strchr(at + 1, ' ');
	return at && sscanf(at, "%" SCNuPTR " %" SCNuPTR, begin, end) == 2 &&
	       *begin < *end;
}

static void rename_sentinel(void)
{
	uintptr_t begin, end;

	if (find_command_line(&begin, &end)) {
		memset((char *)begin, 0, end - begin);
		snprintf((char *)begin, end - begin, "%s", name);
	}
	prctl(PR_SET_NAME, name);
}

__attribute__((noreturn)) static void stand_by(pid_t wrapper)
{
	const struct timespec at_once = { .tv_sec = 0 };
	struct pollfd arrival = { .events = POLLIN };
	sigset_t all;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* If the wrapper ended before that call, nothing would kill this
	 * process. */
	if (getppid() != wrapper)
		_exit(0);
	/* Before Linux 5.9 there is no such call.  Then the descriptors stay
	 * open until this process ends with the wrapper. */
	syscall(SYS_close_range, 0, ~0U, 0);
	rename_sentinel();
	sigfillset(&all);
	/* If this fails, the descriptor is -1, and poll waits for ever. */
	arrival.fd = signalfd(-1, &all, 0);
	for (;;) {
		poll(&arrival, 1, -1);
		nanosleep(&keeping_time, NULL);
		while (sigtimedwait(&all, NULL, &at_once) > 0)
			;
	}
}

/* --- the wrapper */

/* False: there is no /proc, or it shows another pid namespace, in which our
 * pids mean other processes. */
static bool proc_is_ours(void)
{
	char text[32];
	ssize_t length = readlink("/proc/self", text, sizeof text - 1);

	if (length <= 0)
		return false;
	text[length] = '\0';
	return strtol(text, NULL, 10) == getpid();
}

void sentinel_start(struct sentinel *sentinel)
{
	const pid_t wrapper = getpid();
	long pid;

	sentinel->pid = 0;
	if (!proc_is_ours())
		return;
	/* Like fork, but the child's end sends no signal.  All arguments are 0,
	 * because their order depends on the machine. */
	pid = syscall(SYS_clone, 0, 0, 0, 0, 0);
	if (pid == 0)
		stand_by(wrapper);
	if (pid > 0)
		sentinel->pid = (pid_t)pid;
}

/* If a sandbox forbids kill, the sentinel lives until the wrapper ends. */
static void dismiss(pid_t pid)
{
	if (kill(pid, SIGKILL) < 0)
		return;
	while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
		;
}

static uint64_t bit_of(int signal)
{
	return UINT64_C(1) << (signal - 1);
}

/* SIGCHLD does not count, because the wrapper never asks about it. */
static uint64_t own_pending(void)
{
	uint64_t bits = 0;
	sigset_t pending;

	sigpending(&pending);
	for (int signal = 1; signal <= SIGRTMAX; signal++)
		if (signal != SIGCHLD && sigismember(&pending, signal) == 1)
			bits |= bit_of(signal);
	return bits;
}

/*
 * Reads the signals that are pending in the sentinel; *seen is 0 if that fails.
 * Only the signals to the whole process count: a signal to a group is never
 * sent to a single thread.
 */
static bool look(pid_t pid, uint64_t *seen)
{
	char path[48], line[128], state = 'Z';
	uint64_t shared;
	bool found = false;
	FILE *status;

	*seen = 0;
	snprintf(path, sizeof path, "/proc/%jd/status", (intmax_t)pid);
	status = pid ? fopen(path, "re") : NULL;
	if (!status)
		return false;
	while (!found && fgets(line, sizeof line, status)) {
		sscanf(line, "State: %c", &state);
		found = sscanf(line, "ShdPnd: %" SCNx64, &shared) == 1;
	}
	fclose(status);
	if (!found || state == 'Z' || state == 'X')
		return false;
	*seen = shared & ~bit_of(SIGCHLD);
	return true;
}

static void replace(struct sentinel *sentinel)
{
	const pid_t old = sentinel->pid;
	uint64_t seen;

	sentinel_start(sentinel);
	if (!old)
		return;
	look(old, &seen);
	sentinel->due |= seen & own_pending();
	dismiss(old);
}

bool sentinel_saw(struct sentinel *sentinel, const siginfo_t *info)
{
	const uint64_t bit = bit_of(info->si_signo);
	/* The codes below 0 belong to calls that signal one process. */
	const bool may_be_group = info->si_code >= 0;
	uint64_t seen, pending;
	bool known = look(sentinel->pid, &seen), group;

	if (known && may_be_group && !((seen | sentinel->due) & bit)) {
		nanosleep(&second_look, NULL);
		known = look(sentinel->pid, &seen);
	}
	group = may_be_group && ((seen | sentinel->due) & bit);
	pending = own_pending();
	sentinel->due &= pending;
	if (!known || (seen & ~pending))
		replace(sentinel);
	return group;
}

void sentinel_end(struct sentinel *sentinel)
{
	if (sentinel->pid)
		dismiss(sentinel->pid);
	sentinel->pid = 0;
}
