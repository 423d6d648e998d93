/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests threads that end during a passage: a waiter that is cancelled or that
 * exits in a signal handler, and a holder that ends by the system call exit.
 * The process lives on, and the pool still works.
 */
#include "facts.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct atmost *pool;

/* Runs a holder.  If `entrusted` is set, the holder entrusts its member to its
 * child.  The holder says the pid of the child, or 0. */
static void hold(const void *entrusted)
{
	struct atmost_member *member;
	pid_t child = 0;

	pool = pool_open("pool", 0);
	if (atmost_join(pool, &member) < 0 || atmost_enter(member, NULL) < 0)
		_exit(3);
	if (entrusted) {
		child = fork();
		if (child == 0) {
			alarm(WATCHDOG_SECONDS);
			for (;;)
				pause();
		}
		if (atmost_entrust(member, child, "trustee") < 0)
			_exit(3);
	}
	say(child);
	if (!entrusted)
		hear();
}

/* How a waiting thread ends. */
enum ending { CANCELLED, EXITS_IN_HANDLER };

static void *enter(void *unused)
{
	struct atmost_member *member;

	if (atmost_join(pool, &member) < 0)
		return unused;
	atmost_enter(member, NULL);
	/* A cancellation that was requested during the call takes effect here
	 * at the latest. */
	for (unsigned i = 0; i < 100; i++)
		usleep(10000);
	atmost_part(member);
	return unused;
}

static void end_thread(int signal)
{
	(void)signal;
	pthread_exit(NULL);
}

static void check_waiter(enum ending ending, bool entrusted, const char *name)
{
	struct worker holder, waiter;
	struct atmost_totals totals;
	pthread_t thread;
	int child = 0;

	pool = pool_open("pool", 1);
	holder = worker_start(hold, entrusted ? "yes" : NULL);
	if (!worker_says(&holder, &child))
		fact(false, "%s: the holder is inside", name);
	if (entrusted)
		worker_kill(&holder);
	pthread_create(&thread, NULL, enter, NULL);
	if (!pool_has_waiters(pool, 1))
		fact(false, "%s: the thread waits", name);
	/* This waiter joins before the thread gives its record back, so the
	 * waiter cannot reuse that record. */
	waiter = waiter_start("pool");
	if (!pool_has_waiters(pool, 2))
		fact(false, "%s: another waiter waits behind it", name);
	usleep(200000); /* most likely the thread takes long naps by now */
	if (ending == CANCELLED)
		pthread_cancel(thread);
	else
		pthread_kill(thread, SIGUSR1);
	usleep(100000);
	if (entrusted)
		kill(child, SIGKILL);
	else
		worker_kill(&holder);
	fact(waiter_gets_in(&waiter),
	     "%s: the waiter behind it gets in after "
	     "the holder",
	     name);
	fact(thread_ends(thread), "%s: the thread has ended", name);
	worker_kill(&waiter);
	totals = pool_totals(pool);
	fact(totals.waiters == 0 && totals.holders == 0 && totals.members == 0,
	     "%s: status shows nothing of it (%u waiters, %u holders, %u "
	     "members)",
	     name, totals.waiters, totals.holders, totals.members);
	fact(try_to_enter(pool) == 0, "%s: a newcomer gets in", name);
	atmost_close(pool);
	atmost_unlink("pool");
}

/*
 * In these scenarios the holder ends by the system call exit, without the C
 * library.
 */

struct scenario {
	const char *name;
	bool first_thread; /* the holder is the first thread of its process */
	bool of_threads;   /* the pool was made by atmost_create */
	bool beside;       /* a waiter in another process waits */
};

static atomic_bool may_vanish;

static void *hold_and_vanish(void *unused)
{
	struct atmost_member *member;
	int slot = atmost_join(pool, &member);

	if (slot == 0)
		slot = atmost_enter(member, NULL);
	say(slot);
	while (!atomic_load(&may_vanish))
		usleep(1000);
	syscall(SYS_exit, 0);
	return unused;
}

/* If no try succeeds, the watchdog ends the test. */
static int await_entry(void)
{
	int slot;

	while ((slot = try_to_enter(pool)) == ATMOST_EBUSY)
		usleep(1000);
	return slot;
}

/* The other thread of the process carries out the requests of the test. */
static void *obey(void *unused)
{
	hear();
	atomic_store(&may_vanish, true);
	hear();
	say(await_entry());
	hear();
	return unused;
}

static void run_two_threads(const void *argument)
{
	const struct atmost_shape shape = { .kind = ATMOST_ASSIGNMENT, .k = 1 };
	const struct scenario *scenario = argument;
	pthread_t second;

	if (!scenario->of_threads)
		pool = pool_open("pool", 0);
	else if (atmost_create(&pool, &shape) < 0)
		_exit(3);
	pthread_create(&second, NULL,
		       scenario->first_thread ? obey : hold_and_vanish, NULL);
	if (scenario->first_thread)
		hold_and_vanish(NULL);
	else
		obey(NULL);
}

static void check_vanishing(const struct scenario *scenario)
{
	struct worker holder, waiter;
	int slot = -1;

	pool = pool_open("pool", 1);
	holder = worker_start(run_two_threads, scenario);
	if (!worker_says(&holder, &slot) || slot != 0)
		fact(false, "%s: the holder is inside", scenario->name);
	if (scenario->beside) {
		waiter = waiter_behind(pool, "pool");
		worker_tell(&holder, 0);
		fact(waiter_gets_in(&waiter),
		     "%s: a waiter of another process "
		     "gets in",
		     scenario->name);
		worker_kill(&waiter);
	} else {
		worker_tell(&holder, 0);
	}
	worker_tell(&holder, 0);
	fact(worker_says(&holder, &slot) && slot == 0,
	     "%s: another thread of the process gets in", scenario->name);
	worker_kill(&holder);
	fact(try_to_enter(pool) == 0, "%s: a newcomer gets in at the end",
	     scenario->name);
	atmost_close(pool);
	atmost_unlink("pool");
}

int main(void)
{
	static const struct scenario scenarios[] = {
		{ "the second thread makes the system call exit", false, false,
		  true },
		{ "the second thread makes the system call exit, and no "
		  "process waits",
		  false, false, false },
		{ "the first thread makes the system call exit", true, false,
		  true },
		{ "the first thread makes the system call exit, and no "
		  "process waits",
		  true, false, false },
		{ "a pool of threads, one makes the system call exit", false,
		  true, false },
	};

	facts_begin();
	signal(SIGUSR1, end_thread);
	check_waiter(CANCELLED, true,
		     "a waiter is cancelled beside an entrusted holder");
	check_waiter(CANCELLED, false, "a waiter is cancelled beside a holder");
	check_waiter(EXITS_IN_HANDLER, true,
		     "a waiter ends itself in a signal "
		     "handler beside an entrusted holder");
	check_waiter(EXITS_IN_HANDLER, false,
		     "a waiter ends itself in a signal "
		     "handler beside a holder");
	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
		check_vanishing(&scenarios[i]);
	return facts_end();
}
