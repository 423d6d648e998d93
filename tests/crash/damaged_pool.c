/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A thread is inside two pools.  One of the pools is damaged, and then the
 * process is killed: the slot of the healthy pool comes back.
 *
 * The thread joins the healthy pool first in some cases and last in others,
 * because the kernel reads the list of a thread's robust locks from the latest
 * lock to the earliest.
 */
#include "facts.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct scenario {
	const char *name;
	bool truncated, healthy_first;
	size_t size; /* the file is truncated to this size */
};

static void enter(const char *name)
{
	struct atmost *pool = pool_open(name, 0);
	struct atmost_member *member;

	if (atmost_join(pool, &member) < 0 || atmost_enter(member, NULL) < 0)
		_exit(3);
}

static void hold_both(const void *argument)
{
	const struct scenario *scenario = argument;

	enter(scenario->healthy_first ? "healthy" : "damaged");
	enter(scenario->healthy_first ? "damaged" : "healthy");
	say(0);
	hear();
}

/*
 * Finds the locks of this owner in a pool's file by the owner's id, which the C
 * library writes into them, and overwrites their list pointers.  Returns the
 * number of locks.
 */
static unsigned damage_locks(char *base, size_t size, pid_t owner)
{
	unsigned found = 0;

	for (size_t at = 0; at + sizeof(pthread_mutex_t) <= size; at += 8) {
		pthread_mutex_t *mutex = (pthread_mutex_t *)(void *)(base + at);

		if ((mutex->__data.__lock & 0x3fffffff) != owner ||
		    mutex->__data.__owner != owner)
			continue;
		mutex->__data.__list.__prev = (void *)(uintptr_t)0x1000;
		mutex->__data.__list.__next = (void *)(uintptr_t)0x1000;
		found++;
	}
	return found;
}

static unsigned damage_file(const char *path, pid_t owner)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	struct stat status;
	unsigned found = 0;
	char *base;

	if (fd < 0 || fstat(fd, &status) < 0)
		return 0;
	base = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE,
		    MAP_SHARED, fd, 0);
	if (base != MAP_FAILED) {
		found = damage_locks(base, (size_t)status.st_size, owner);
		munmap(base, (size_t)status.st_size);
	}
	close(fd);
	return found;
}

static void run_scenario(const struct scenario *scenario)
{
	struct atmost *healthy = pool_open("healthy", 1);
	struct worker holder, waiter;
	int ready;

	atmost_close(pool_open("damaged", 1));
	holder = worker_start(hold_both, scenario);
	if (!worker_says(&holder, &ready))
		fact(false, "%s: the holder is inside both", scenario->name);
	waiter = waiter_behind(healthy, "healthy");
	if (scenario->truncated) {
		if (truncate(folder_path("damaged.pool"),
			     (off_t)scenario->size) < 0)
			fact(false, "%s: the pool is truncated",
			     scenario->name);
	} else if (!damage_file(folder_path("damaged.pool"), holder.pid)) {
		skipped("%s: the pool's file has no lock of the holder",
			scenario->name);
	}
	worker_kill(&holder);
	fact(waiter_gets_in(&waiter),
	     "%s: a waiter gets the slot of the "
	     "healthy pool",
	     scenario->name);
	worker_kill(&waiter);
	fact(try_to_enter(healthy) == 0, "%s: so does a newcomer",
	     scenario->name);
	atmost_close(healthy);
	atmost_unlink("healthy");
	unlink(folder_path("damaged.pool"));
}

int main(void)
{
	static const struct scenario scenarios[] = {
		{ "truncated to nothing, the healthy pool joined first", true,
		  true, 0 },
		{ "truncated to nothing, the healthy pool joined last", true,
		  false, 0 },
		{ "truncated to a page, the healthy pool joined first", true,
		  true, 4096 },
		{ "wrong list pointers, the healthy pool joined first", false,
		  true, 0 },
		{ "wrong list pointers, the healthy pool joined last", false,
		  false, 0 },
	};

	facts_begin();
	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
		run_scenario(&scenarios[i]);
	return facts_end();
}
