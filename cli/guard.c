/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The guard is a child of the wrapper.  It is in a session of its own, so that
 * no signal to the wrapper's process group and no key of the wrapper's terminal
 * reaches the guard.  The guard blocks all signals.  Only SIGKILL ends it, and
 * the wrapper then starts another guard.  If wrapper and guard are killed
 * together, the kernel kills the command (PR_SET_PDEATHSIG), but not the
 * command's children.
 *
 * The guard's clock is CLOCK_BOOTTIME, which goes on while the machine is
 * suspended, so the guard kills the command when the machine resumes too late.
 *
 * The guard closes its copies of the wrapper's descriptors: connections, pipes
 * and the writing end of its own pipe, which would never close otherwise.  The
 * kernel sends no signal when the guard ends, so that a wrapper that waits for
 * all its children does not wait for its guard.
 */
#include "cli/guard.h"

#include "cli/process_name.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char name[] = "slot-guard";

/* The wrapper sends this through the pipe, in one write. */
struct order {
	int64_t kill_at;
	pid_t group, root;
	bool tree;
};

void guard_kill(const struct guard_target *target)
{
	if (target->group > 1)
		kill(-target->group, SIGKILL);
	if (target->tree) {
		cgroup_kill(&target->cgroup);
		process_tree_kill(&target->descendants);
	}
	/* While the first signal was sent to the group, a process of the group
	 * may have been starting another one. */
	if (target->group > 1)
		kill(-target->group, SIGKILL);
}

/* --- the guard */

/* Returns false if the pipe is closed. */
static bool take_orders(int orders, struct guard_target *target,
			int64_t *kill_at)
{
	struct order order;
	ssize_t length;

	while ((length = read(orders, &order, sizeof order)) == sizeof order) {
		*kill_at = order.kill_at;
		target->group = order.group;
		target->tree = order.tree;
		target->descendants.root = order.root;
	}
	return length != 0;
}

static void set_timer(int timer, int64_t at)
{
	const struct itimerspec when = {
		.it_value = { .tv_sec = (time_t)(at / 1000000000),
			      .tv_nsec = (long)(at % 1000000000) }
	};

	timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
}

static bool has_come(int64_t moment)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec >= moment;
}

/*
 * When the timer ends the poll, the guard reads the orders before it looks at
 * the clock, so that an order that came in time counts.  If there is no timer,
 * the guard polls ten times a second; poll stands still while the machine is
 * suspended.
 */
__attribute__((noreturn)) static void watch(int orders,
					    struct guard_target *target,
					    int64_t kill_at,
					    volatile int *fired)
{
	struct pollfd ends[2] = { { orders, POLLIN, 0 }, { -1, POLLIN, 0 } };

	ends[1].fd = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
	for (;;) {
		if (ends[1].fd >= 0)
			set_timer(ends[1].fd, kill_at);
		poll(ends, 2, ends[1].fd < 0 ? 100 : -1);
		if (!take_orders(orders, target, &kill_at) ||
		    has_come(kill_at)) {
			*fired = 1;
			guard_kill(target);
			cgroup_remove(&target->cgroup);
			_exit(0);
		}
	}
}

__attribute__((noreturn)) static void stand_guard(
	const int ends[2], const struct guard_target *target, int64_t kill_at,
	pid_t wrapper, volatile int *fired)
{
	struct guard_target mine = *target;
	/* The lowest number that is not a standard stream. */
	const int orders = 3;

	setsid();
	mine.descendants.spared[0] = wrapper;
	mine.descendants.spared[1] = getpid();
	dup2(ends[0], orders);
	if (ends[1] != orders)
		close(ends[1]);
	syscall(SYS_close_range, 0, 2, 0);
	/* Linux before 5.9 does not have this call. */
	if (syscall(SYS_close_range, orders + 1, ~0U, 0) < 0)
		for (int fd = orders + 1; fd < 1024; fd++)
			close(fd);
	process_name_set(name);
	watch(orders, &mine, kill_at, fired);
}

/* --- the wrapper */

/* The memory lasts as long as the wrapper. */
static bool share_memory(struct guard *guard)
{
	void *memory;

	if (guard->fired)
		return true;
	memory = mmap(NULL, sizeof *guard->fired, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return false;
	guard->fired = memory;
	return true;
}

int guard_start(struct guard *guard, const struct guard_target *target,
		int64_t kill_at)
{
	const pid_t wrapper = getpid();
	int ends[2], error;
	long pid;

	if (!share_memory(guard) || pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return errno;
	/* Like fork, but the child's end sends no signal.  All arguments are 0,
	 * because their order depends on the machine. */
	pid = syscall(SYS_clone, 0, 0, 0, 0, 0);
	if (pid == 0)
		stand_guard(ends, target, kill_at, wrapper, guard->fired);
	error = errno;
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return error;
	}
	guard->pid = (pid_t)pid;
	guard->orders = ends[1];
	guard->process = (int)syscall(SYS_pidfd_open, guard->pid, 0);
	return 0;
}

/* The pipe is full only if the guard is stopped.  When such a guard goes on, it
 * kills the command too early rather than too late. */
void guard_tell(const struct guard *guard, const struct guard_target *target,
		int64_t kill_at)
{
	const struct order order = { .kill_at = kill_at,
				     .group = target->group,
				     .root = target->descendants.root,
				     .tree = target->tree };
	ssize_t unused;

	if (!guard->pid)
		return;
	unused = write(guard->orders, &order, sizeof order);
	(void)unused;
}

bool guard_has_fired(const struct guard *guard)
{
	return guard->fired && *guard->fired;
}

static void forget(struct guard *guard)
{
	close(guard->orders);
	if (guard->process >= 0)
		close(guard->process);
	guard->pid = 0;
	guard->orders = guard->process = -1;
}

bool guard_has_ended(struct guard *guard)
{
	if (!guard->pid ||
	    waitpid(guard->pid, NULL, WNOHANG | __WALL) != guard->pid)
		return false;
	forget(guard);
	return true;
}

void guard_dismiss(struct guard *guard)
{
	if (!guard->pid)
		return;
	kill(guard->pid, SIGKILL);
	while (waitpid(guard->pid, NULL, __WALL) < 0 && errno == EINTR)
		;
	forget(guard);
}
