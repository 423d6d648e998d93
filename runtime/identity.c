/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/identity.h"

#include "runtime/proc.h"
#include "runtime/process.h"

#include <errno.h>
#include <linux/ioctl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/* The kernel headers of Debian 12 do not have these constants. */
enum { PIDFS = 0x50494446 };
#define GET_PID_NAMESPACE _IO(0xff, 6)

static int open_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

/* Returns 0 if the kernel has one inode for all pidfds. */
static uint64_t inode_of(int pidfd)
{
	struct statfs system;
	struct stat status;

	if (fstatfs(pidfd, &system) < 0 || system.f_type != PIDFS ||
	    fstat(pidfd, &status) < 0)
		return 0;
	return status.st_ino;
}

static bool has_ended(int pidfd)
{
	struct pollfd end = { .fd = pidfd, .events = POLLIN };

	return poll(&end, 1, 0) == 1;
}

static uint64_t inode_at(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? status.st_ino : 0;
}

/* Returns the pid namespace of the process, or 0 if it is not known.  Kernels
 * before Linux 6.11 do not tell it. */
static uint64_t space_of(int pidfd)
{
	const int fd = pidfd < 0 ? -1 : ioctl(pidfd, GET_PID_NAMESPACE, 0);
	struct stat status;
	uint64_t space = 0;

	if (fd >= 0) {
		if (fstat(fd, &status) == 0)
			space = status.st_ino;
		close(fd);
	}
	return space;
}

static uint64_t own_space(void)
{
	const int pidfd = open_pidfd(getpid());
	const uint64_t space = space_of(pidfd);

	if (pidfd >= 0)
		close(pidfd);
	return space ? space : inode_at("/proc/self/ns/pid");
}

/*
 * The process may be in a pid namespace below ours.  Even then `space` is our
 * own namespace, because that is where the process has this pid.  A new process
 * takes 10 to 30 us to look up each of its files in /proc, so this function
 * reads them only if the pidfd does not tell enough.
 */
static void look_at(struct identity *identity, pid_t pid)
{
	struct proc_stat stat;
	int pidfd = open_pidfd(pid);
	int error = pidfd < 0 ? errno : 0;

	*identity = (struct identity){
		.pid = (uint64_t)pid,
		.space = pid == getpid() ? space_of(pidfd) : 0,
		.inode = pidfd >= 0 ? inode_of(pidfd) : 0,
	};
	if (!identity->space)
		identity->space = own_space();
	if (!identity->inode && proc_stat_of(pid, &stat)) {
		identity->start = stat.start;
		identity->time_space = inode_at("/proc/self/ns/time");
	}
	if (pidfd >= 0)
		close(pidfd);
	errno = error;
}

/* The identity of this process does not change, so it is looked up once.  The
 * kernel wipes this memory in a child, so that the child looks up its own
 * identity. */
struct known {
	enum { NOTHING, CLAIMED, READY } state;
	struct identity self;
};

_Static_assert(sizeof(struct known) <= PROCESS_ROOM,
	       "the identity fits into the room");

void identity_of_self(struct identity *self)
{
	struct known *known = process_room();
	int nothing = NOTHING;

	if (known &&
	    __atomic_load_n((int *)&known->state, __ATOMIC_SEQ_CST) == READY) {
		*self = known->self;
		return;
	}
	look_at(self, getpid());
	if (!known ||
	    !__atomic_compare_exchange_n((int *)&known->state, &nothing,
					 CLAIMED, false, __ATOMIC_SEQ_CST,
					 __ATOMIC_SEQ_CST))
		return;
	known->self = *self;
	__atomic_store_n((int *)&known->state, READY, __ATOMIC_SEQ_CST);
}

bool identity_is_self(const struct identity *identity)
{
	struct identity self;

	identity_of_self(&self);
	return identity->pid == self.pid && identity->space == self.space &&
	       identity->inode == self.inode && identity->start == self.start;
}

uint64_t identity_own_space(void)
{
	struct identity self;

	identity_of_self(&self);
	return self.space;
}

bool identity_of(pid_t pid, struct identity *identity)
{
	if (pid <= 0 || (kill(pid, 0) < 0 && errno == ESRCH))
		return false;
	look_at(identity, pid);
	return true;
}

bool identity_is_certain(const struct identity *identity)
{
	return identity->space && (identity->inode || identity->start);
}

bool identity_is_exiting(pid_t pid)
{
	struct proc_stat stat;

	return proc_stat_of(pid, &stat) && stat.exiting;
}

/* If the first thread ends before the others, it stays as a zombie. */
bool identity_thread_has_ended(pid_t pid, pid_t thread, bool quick)
{
	struct proc_stat stat;

	if (syscall(SYS_tgkill, pid, thread, 0) < 0 && errno == ESRCH)
		return true;
	return !quick && pid == thread &&
	       proc_stat_of_thread(pid, thread, &stat) && stat.zombie;
}

/* Compares the process that now has the pid with the process of the
 * identity. */
static enum {
	SAME,
	ANOTHER,
	CANNOT_TELL
} compare(const struct identity *one, uint64_t inode)
{
	struct identity self;
	struct proc_stat stat;

	if (one->inode && inode)
		return one->inode == inode ? SAME : ANOTHER;
	if (!one->start || !proc_stat_of((pid_t)one->pid, &stat))
		return CANNOT_TELL;
	identity_of_self(&self);
	if (self.time_space != one->time_space)
		return CANNOT_TELL;
	return stat.start == one->start ? SAME : ANOTHER;
}

/* To be used if the kernel, or a sandbox, refuses pidfds. */
static enum identity_answer ask_without_pidfd(const struct identity *identity)
{
	struct proc_stat stat;

	/* EPERM: a process of another user has the pid. */
	if (kill((pid_t)identity->pid, 0) < 0 && errno == ESRCH)
		return IDENTITY_ENDED;
	/* If the process that now has the pid has ended, so has the process
	 * that we ask about: it is the same process, or had the pid earlier. */
	if (proc_stat_of((pid_t)identity->pid, &stat) && stat.ended)
		return IDENTITY_ENDED;
	switch (compare(identity, 0)) {
	case SAME:
		return IDENTITY_ALIVE;
	case ANOTHER:
		return IDENTITY_ENDED;
	case CANNOT_TELL:
		break;
	}
	return IDENTITY_UNKNOWN;
}

enum identity_answer identity_ask(const struct identity *identity, int *pidfd)
{
	enum identity_answer answer = IDENTITY_UNKNOWN;
	int fd, error;

	if (pidfd)
		*pidfd = -1;
	if (identity->pid == 0 || identity->pid > INT32_MAX)
		return IDENTITY_ENDED;
	fd = open_pidfd((pid_t)identity->pid);
	error = fd < 0 ? errno : 0;
	/*
	 * EINVAL and ENOENT: the number is the id of a thread, not of a
	 * process.
	 */
	if (error == ESRCH || error == EINVAL || error == ENOENT)
		return IDENTITY_ENDED;
	if (error)
		return ask_without_pidfd(identity);
	if (has_ended(fd))
		answer = IDENTITY_ENDED;
	else
		switch (compare(identity, inode_of(fd))) {
		case SAME:
			answer = IDENTITY_ALIVE;
			break;
		case ANOTHER:
			answer = IDENTITY_ENDED;
			break;
		case CANNOT_TELL:
			break;
		}
	if (pidfd && answer == IDENTITY_ALIVE)
		*pidfd = fd;
	else
		close(fd);
	return answer;
}
