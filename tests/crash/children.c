/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests children that are made by _Fork, or by the system call clone without
 * CLONE_VM.  For these children the C library runs no fork handlers.
 */
#include "facts.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The results of a child of the holder, in memory that all processes share. */
struct report {
	int enter_inside, try_inside, leave_inside, enter_outside;
	int holds_after; /* result of try_to_enter in the parent, afterwards */
	pid_t child;
};

static struct report *report;
static bool by_clone;

static pid_t make_child(void)
{
	return by_clone ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)
			: _Fork();
}

static const struct atmost_want now = { .flags = ATMOST_TRY };

static struct atmost_member *join(struct atmost *pool)
{
	struct atmost_member *member;

	if (atmost_join(pool, &member) < 0)
		_exit(3);
	return member;
}

/* Runs a holder whose child uses the holder's members. */
static void hold_and_ask_a_child(const void *unused)
{
	struct atmost *pool = pool_open("pool", 0);
	struct atmost_member *inside = join(pool), *outside = join(pool);
	pid_t child;

	(void)unused;
	if (atmost_enter(inside, NULL) < 0)
		_exit(3);
	child = make_child();
	if (child == 0) {
		report->enter_outside = atmost_enter(outside, &now);
		report->try_inside = atmost_enter(inside, &now);
		report->leave_inside = atmost_leave(inside);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	report->holds_after = try_to_enter(pool);
	say(atmost_leave(inside));
}

static void check_members(const char *name)
{
	struct atmost *pool = pool_open("pool", 1);
	struct worker holder;
	int left = -999;

	*report = (struct report){ 0 };
	holder = worker_start(hold_and_ask_a_child, NULL);
	worker_says(&holder, &left);
	fact(report->enter_outside == ATMOST_EFORKED,
	     "%s: a child that enters "
	     "with its parent's member gets ATMOST_EFORKED (%s)",
	     name, atmost_strerror(report->enter_outside));
	fact(report->try_inside == ATMOST_EFORKED,
	     "%s: so does a child that "
	     "enters with the member inside (%s)",
	     name, atmost_strerror(report->try_inside));
	fact(report->leave_inside == ATMOST_EFORKED,
	     "%s: so does a child that "
	     "leaves (%s)",
	     name, atmost_strerror(report->leave_inside));
	fact(report->holds_after == ATMOST_EBUSY,
	     "%s: the parent is still "
	     "inside afterwards (%s)",
	     name, atmost_strerror(report->holds_after));
	fact(left == 0, "%s: the parent leaves (%s)", name,
	     atmost_strerror(left));
	worker_kill(&holder);
	fact(try_to_enter(pool) == 0, "%s: the slot is free at the end", name);
	atmost_close(pool);
	atmost_unlink("pool");
}

/* Runs a holder that has a child; the child survives the holder. */
static void hold_beside_a_child(const void *unused)
{
	struct atmost_member *inside = join(pool_open("pool", 0));
	pid_t child;

	(void)unused;
	if (atmost_enter(inside, NULL) < 0)
		_exit(3);
	child = make_child();
	if (child == 0) {
		alarm(WATCHDOG_SECONDS);
		for (;;)
			pause();
	}
	report->child = child;
	say(0);
	hear();
}

/*
 * The child has inherited the descriptor whose lock shows that the parent
 * lives.  So the slot becomes free only when the child has ended, which is late
 * but safe.
 */
static void check_survivor(const char *name)
{
	struct atmost *pool = pool_open("pool", 1);
	struct worker holder = worker_start(hold_beside_a_child, NULL);
	struct worker waiter;
	int ready = -1;

	worker_says(&holder, &ready);
	waiter = waiter_behind(pool, "pool");
	worker_kill(&holder);
	fact(waiter_stays_out(&waiter),
	     "%s: a child that survives its killed "
	     "parent keeps the slot",
	     name);
	kill(report->child, SIGKILL);
	fact(waiter_gets_in(&waiter),
	     "%s: the slot comes back with the end "
	     "of the child",
	     name);
	worker_kill(&waiter);
	fact(try_to_enter(pool) == 0, "%s: a newcomer gets in at the end",
	     name);
	atmost_close(pool);
	atmost_unlink("pool");
}

int main(void)
{
	facts_begin();
	report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (report == MAP_FAILED)
		return 2;
	for (int i = 0; i < 2; i++) {
		by_clone = i;
		check_members(i ? "clone" : "_Fork");
		check_survivor(i ? "clone" : "_Fork");
	}
	return facts_end();
}
