/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * release [TRIALS]: the kernel releases the memory, the locks and the files of
 * a killed holder at different times.
 *
 * An out-of-memory killer (process_mrelease, or the kernel's own reaper) may
 * free the memory of a killed process, with the list of its robust locks,
 * before the kernel has read the list.  And the kernel closes the files of a
 * killed process only after it has freed the memory, which takes time.
 */
#include "facts.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_process_mrelease
#define SYS_process_mrelease 448
#endif

enum { MEGABYTE = 1 << 20, SMALL = 16, LARGE = 300 };

/*
 * Binds the caller to one processor, which the test and the holder share.  If
 * `first` is true, the caller runs before the other process.
 */
static void share_a_processor(bool first)
{
	const struct sched_param priority = {
		.sched_priority = sched_get_priority_min(SCHED_FIFO),
	};
	cpu_set_t allowed, one;
	size_t cpu = 0;

	sched_getaffinity(0, sizeof allowed, &allowed);
	while (cpu < CPU_SETSIZE && !CPU_ISSET(cpu, &allowed))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof one, &one);
	if (first)
		sched_setscheduler(0, SCHED_FIFO, &priority);
}

static void use_all_processors(void)
{
	const struct sched_param priority = { .sched_priority = 0 };
	cpu_set_t all;

	memset(&all, 0xff, sizeof all);
	sched_setaffinity(0, sizeof all, &all);
	sched_setscheduler(0, SCHED_OTHER, &priority);
}

static void touch_memory(size_t megabytes)
{
	char *memory = mmap(NULL, megabytes * MEGABYTE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		_exit(3);
	for (size_t i = 0; i < megabytes * MEGABYTE; i += 4096)
		memory[i] = 1;
}

static void enter_and_stay(struct atmost *pool)
{
	struct atmost_member *member;

	if (atmost_join(pool, &member) < 0)
		_exit(3);
	say(atmost_enter(member, NULL));
	for (;;)
		pause();
}

static void hold_with_memory(const void *unused)
{
	(void)unused;
	share_a_processor(false);
	touch_memory(SMALL);
	enter_and_stay(pool_open("pool", 0));
}

/* Kills the holder and releases its memory before the holder runs again. */
static bool kill_and_release(const struct worker *holder)
{
	int process = (int)syscall(SYS_pidfd_open, holder->pid, 0);
	bool released;

	share_a_processor(true);
	kill(holder->pid, SIGKILL);
	released = process >= 0 &&
		   syscall(SYS_process_mrelease, process, 0) == 0;
	use_all_processors();
	if (process >= 0)
		close(process);
	return released;
}

/* Kills one holder.  Returns false if the waiter, or a newcomer after the
 * waiter, did not get in. */
static bool survives_release(unsigned *released)
{
	struct atmost *pool = pool_open("pool", 1);
	struct worker holder = worker_start(hold_with_memory, NULL);
	struct worker waiter;
	bool in, again;
	int slot;

	if (!worker_says(&holder, &slot) || slot != 0)
		fact(false, "the holder is inside");
	waiter = waiter_behind(pool, "pool");
	*released += kill_and_release(&holder);
	worker_kill(&holder);
	in = waiter_gets_in(&waiter);
	worker_kill(&waiter);
	again = try_to_enter(pool) == 0;
	atmost_close(pool);
	atmost_unlink("pool");
	return in && again;
}

/* The first lost slot ends the loop, because each loss costs a long wait. */
static void check_released_memory(unsigned trials)
{
	unsigned released = 0, made = 0;
	bool back = true;

	while (made < trials && back) {
		back = survives_release(&released);
		made++;
	}
	if (released == 0)
		skipped("process_mrelease released the memory of no holder");
	else
		fact(back,
		     "%u of %u killed holders lost their memory to "
		     "process_mrelease, and every slot came back",
		     released, made);
}

/* The functions below test the files of dead processes. */

static void hold_with_file(const void *unused)
{
	int fd;

	(void)unused;
	touch_memory(LARGE);
	fd = open(folder_path("device"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
		_exit(3);
	enter_and_stay(pool_open("pool", 0));
}

static void wait_and_lock(const void *unused)
{
	struct atmost *pool = pool_open("pool", 0);
	struct atmost_member *member;
	int fd = open(folder_path("device"), O_RDWR | O_CLOEXEC);
	int locked;

	(void)unused;
	if (atmost_join(pool, &member) < 0 || atmost_enter(member, NULL) < 0)
		_exit(3);
	locked = flock(fd, LOCK_EX | LOCK_NB);
	say(locked);
	hear();
}

static void check_open_files(unsigned trials)
{
	struct atmost *pool = pool_open("pool", 1);
	unsigned in = 0, unlocked = 0;

	for (unsigned i = 0; i < trials; i++) {
		struct worker holder = worker_start(hold_with_file, NULL);
		struct worker next;
		int slot, locked;

		if (!worker_says(&holder, &slot) || slot != 0)
			fact(false, "the holder is inside");
		next = worker_start(wait_and_lock, NULL);
		pool_has_waiters(pool, 1);
		kill(holder.pid, SIGKILL);
		if (worker_says(&next, &locked)) {
			in++;
			unlocked += locked == 0;
		}
		worker_kill(&holder);
		worker_kill(&next);
		pool_has_holders(pool, 0);
	}
	atmost_close(pool);
	fact(in == trials,
	     "a waiter gets the slot of each killed holder of "
	     "%d MB (%u of %u)",
	     LARGE, in, trials);
	fact(unlocked == trials,
	     "the next holder finds the files of the "
	     "killed one closed: its flock is free (%u of %u)",
	     unlocked, trials);
}

int main(int argc, char **argv)
{
	unsigned trials = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 5;

	facts_begin();
	check_released_memory(4 * trials);
	check_open_files(trials);
	return facts_end();
}
