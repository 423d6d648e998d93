/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A living holder closes every descriptor that it did not open itself, as
 * daemons do.  It keeps its slot, and the library does not touch the files that
 * the holder opens afterwards.
 */
#include "common/clock.h"
#include "facts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

enum request { LEAVE, ENTER, JOIN_AGAIN, PART_AND_CLOSE, OWN_FILES };
enum { FILES = 8 };

static struct atmost *pool;
static struct atmost_member *member;
static int own[FILES];
static struct stat kept[FILES];

static void close_everything(void)
{
	if (syscall(SYS_close_range, 3, ~0U, 0) < 0)
		for (int fd = 3; fd < 1024; fd++)
			close(fd);
}

/* Opens files, which get the numbers that the library's descriptors had. */
static void open_own_files(void)
{
	char name[32];

	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof name, "own-%d", i);
		own[i] = open(folder_path(name), O_RDWR | O_CREAT, 0600);
		if (own[i] < 0 || fstat(own[i], &kept[i]) < 0)
			_exit(3);
	}
}

/* Returns how many of the process's own files are still open, have the same
 * inode, are empty and have no lock. */
static int count_own_files(void)
{
	int count = 0;

	for (int i = 0; i < FILES; i++) {
		struct flock lock = { .l_type = F_WRLCK };
		struct stat status;
		char path[64];
		int other;

		if (fstat(own[i], &status) < 0 ||
		    status.st_ino != kept[i].st_ino || status.st_size != 0)
			continue;
		snprintf(path, sizeof path, "/proc/self/fd/%d", own[i]);
		other = open(path, O_RDWR | O_CLOEXEC);
		if (other >= 0 && fcntl(other, F_OFD_GETLK, &lock) == 0)
			count += lock.l_type == F_UNLCK;
		if (other >= 0)
			close(other);
	}
	return count;
}

static int obey(int request)
{
	switch (request) {
	case LEAVE:
		return atmost_leave(member);
	case ENTER:
		return atmost_enter(member, NULL);
	case JOIN_AGAIN:
		atmost_part(member);
		member = NULL;
		return atmost_join(pool, &member);
	case PART_AND_CLOSE:
		atmost_part(member);
		atmost_close(pool);
		return 0;
	default:
		return count_own_files();
	}
}

static void hold_without_descriptors(const void *unused)
{
	int slot;

	(void)unused;
	pool = pool_open("pool", 0);
	slot = atmost_join(pool, &member);
	if (slot == 0)
		slot = atmost_enter(member, NULL);
	close_everything();
	open_own_files();
	say(slot);
	for (;;)
		say(obey(hear()));
}

static int enter_within(struct atmost *pool_here, long milliseconds)
{
	const struct timespec deadline = clock_deadline(milliseconds * 1000000);
	const struct atmost_want want = { .deadline = &deadline };
	struct atmost_member *me;
	int slot = atmost_join(pool_here, &me);

	if (slot < 0)
		return slot;
	slot = atmost_enter(me, &want);
	atmost_part(me);
	return slot;
}

static struct worker start_holder(void)
{
	struct worker holder = worker_start(hold_without_descriptors, NULL);
	int slot;

	if (!worker_says(&holder, &slot) || slot < 0)
		fact(false, "the holder is inside");
	return holder;
}

static void check_passages(struct atmost *mine)
{
	struct worker holder = start_holder(), waiter;
	struct atmost_seat seat;
	int joined;

	fact(try_to_enter(mine) == ATMOST_EBUSY,
	     "a holder that closed the library's descriptors is inside");
	fact(enter_within(mine, 300) == ATMOST_ETIMEDOUT,
	     "a waiter beside it waits until its deadline");
	fact(pool_totals(mine).holders == 1, "status shows one holder");
	fact(atmost_status(mine, &seat, 1, NULL) == 1 &&
		     seat.life == ATMOST_LIFE_UNLOCKED,
	     "and says that it has closed the library's descriptor");
	fact(atmost_evict(mine, 0) == ATMOST_EBUSY,
	     "it cannot be evicted, because it is alive");
	waiter = waiter_behind(mine, "pool");
	fact(waiter_stays_out(&waiter), "a waiter stays in the queue");
	fact(worker_do(&holder, LEAVE) == 0, "the holder leaves");
	fact(waiter_gets_in(&waiter), "the waiter gets in then");
	worker_kill(&waiter);
	fact(worker_do(&holder, ENTER) == 0, "the holder enters again");
	fact(worker_do(&holder, LEAVE) == 0, "and leaves again");
	joined = worker_do(&holder, JOIN_AGAIN);
	fact(joined == 0, "the holder parts and joins again (%s)",
	     atmost_strerror(joined));
	fact(joined == 0 && worker_do(&holder, ENTER) == 0,
	     "the new member enters");
	fact(try_to_enter(mine) == ATMOST_EBUSY, "and is inside");
	fact(worker_do(&holder, OWN_FILES) == FILES,
	     "the holder's own files are open and have no lock");
	worker_do(&holder, PART_AND_CLOSE);
	fact(worker_do(&holder, OWN_FILES) == FILES,
	     "they still are after it has closed the pool");
	fact(try_to_enter(mine) == 0, "the slot is free");
	worker_kill(&holder);
}

static void check_deaths(struct atmost *mine)
{
	struct worker holder = start_holder();
	struct worker waiter = waiter_behind(mine, "pool");

	worker_kill(&holder);
	fact(waiter_gets_in(&waiter),
	     "a waiter gets the slot of such a holder when it is killed");
	worker_kill(&waiter);
	holder = start_holder();
	worker_kill(&holder);
	fact(try_to_enter(mine) == 0, "so does a newcomer");
	holder = start_holder();
	worker_do(&holder, JOIN_AGAIN);
	worker_do(&holder, ENTER);
	waiter = waiter_behind(mine, "pool");
	worker_kill(&holder);
	fact(waiter_gets_in(&waiter), "a holder that joined again and was "
				      "killed gives its slot back");
	worker_kill(&waiter);
}

/*
 * From now on this process cannot get a pidfd, and cannot verify that /proc
 * shows its own pid namespace.  Returns false if the kernel has no seccomp
 * filters.
 */
static bool lose_sight(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 2, 0),
#ifdef SYS_readlink
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_readlink, 1, 0),
#endif
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_readlinkat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = { sizeof code / sizeof *code, code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static void try_without_sight(const void *unused)
{
	struct atmost *mine;

	(void)unused;
	if (!lose_sight()) {
		say(0);
	} else {
		mine = pool_open("pool", 0);
		pool_totals(mine); /* looks for every dead member */
		say(try_to_enter(mine));
	}
	hear();
}

static void check_without_sight(struct atmost *mine)
{
	const uint64_t recovered = pool_totals(mine).recovered;
	struct worker holder = start_holder();
	struct worker newcomer = worker_start(try_without_sight, NULL);
	int slot = -999;

	worker_says(&newcomer, &slot);
	if (slot == 0 && pool_totals(mine).recovered == recovered)
		skipped("this kernel has no seccomp filters");
	else
		fact(slot == ATMOST_EBUSY,
		     "a newcomer without pidfds and /proc does not take the "
		     "slot of a living holder without descriptors");
	worker_kill(&newcomer);
	worker_kill(&holder);
}

int main(void)
{
	struct atmost *mine;

	facts_begin();
	mine = pool_open("pool", 1);
	check_passages(mine);
	check_deaths(mine);
	check_without_sight(mine);
	atmost_close(mine);
	return facts_end();
}
