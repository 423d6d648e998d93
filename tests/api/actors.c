/* SPDX-License-Identifier: BSD-2-Clause */
#include "actors.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 20 }; /* seconds, for what should be at once */

/* In the actor. */

static struct atmost *object;
static struct atmost_member *me;

static int enter_within(long nanoseconds)
{
	struct timespec deadline;
	const struct atmost_want want = { .deadline = &deadline, .session = 1 };

	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_nsec += nanoseconds;
	if (deadline.tv_nsec >= 1000000000) {
		deadline.tv_nsec -= 1000000000;
		deadline.tv_sec++;
	}
	return atmost_enter(me, &want);
}

static int enter_for(uint64_t session, unsigned flags)
{
	const struct atmost_want want = { .session = session, .flags = flags };

	return atmost_enter(me, &want);
}

static int leave_a_child(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			pause();
	return pid;
}

static int trust_a_child(void)
{
	pid_t pid = leave_a_child();
	int error = atmost_entrust(me, pid, "heir");

	return error ? error : pid;
}

static int child_that_takes_over(void)
{
	int told[2], error = -1;
	pid_t pid;

	if (pipe(told) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		error = atmost_entrust(me, getpid(), "heir");
		(void)!write(told[1], &error, sizeof error);
		for (;;)
			pause();
	}
	(void)!read(told[0], &error, sizeof error);
	close(told[0]);
	close(told[1]);
	return error ? error : pid;
}

static int become(void)
{
	int error = atmost_entrust(me, getpid(), "heir");

	if (!error)
		execlp("cat", "cat", (char *)NULL);
	return error;
}

static int perform(enum deed deed)
{
	/* It parted, and a damaged pool may not have let it join again. */
	if (!me && deed != JOIN && deed != END)
		return ATMOST_ENOTFOUND;
	switch (deed) {
	case JOIN:
		return atmost_join(object, &me);
	case ENTER:
		return atmost_enter(me, NULL);
	case TRY:
		return atmost_enter(me, &try);
	case ENTER_2:
		return enter_for(2, 0);
	case ENTER_3:
		return enter_for(3, 0);
	case TRY_2:
		return enter_for(2, ATMOST_TRY);
	case HURRY:
		return enter_within(300000000);
	case GLANCE:
		return enter_within(2000000);
	case LEAVE:
		return atmost_leave(me);
	case PART:
		atmost_part(me);
		me = NULL;
		return 0;
	case FORK:
		return leave_a_child();
	case TRUST:
		return trust_a_child();
	case CHILD:
		return child_that_takes_over();
	case BECOME:
		return become();
	case EXEC:
		execlp("cat", "cat", (char *)NULL);
		return -1;
	case END:
		break;
	}
	_exit(0);
}

static void act(const char *name, int from, int to)
{
	char deed;
	int result;

	child_begins();
	dup2(from, STDIN_FILENO); /* for who becomes another program */
	result = atmost_open(&object, name, NULL);
	if (result == 0)
		result = perform(JOIN);
	while (write(to, &result, sizeof result) == sizeof result &&
	       read(from, &deed, 1) == 1)
		result = perform((enum deed)deed);
	_exit(1);
}

/* A pid namespace, if need be in a user namespace in which we are the same. */
static bool go_elsewhere(void)
{
	uid_t uid = geteuid();
	FILE *map;

	if (unshare(CLONE_NEWPID) == 0)
		return true;
	if (unshare(CLONE_NEWPID | CLONE_NEWUSER) < 0)
		return false;
	map = fopen("/proc/self/uid_map", "w");
	if (!map)
		return false;
	fprintf(map, "%u %u 1\n", uid, uid);
	return fclose(map) == 0;
}

/* In the test. */

static struct actor start(const char *name, bool elsewhere)
{
	int to[2], from[2];
	struct actor actor;

	assert_int_equal(0, pipe(to) | pipe(from));
	fflush(NULL);
	actor.pid = fork();
	if (actor.pid == 0) {
		pid_t inner;
		int status, refused = -1;

		close(to[1]);
		close(from[0]);
		if (elsewhere && !go_elsewhere()) {
			(void)!write(from[1], &refused, sizeof refused);
			_exit(0);
		}
		inner = elsewhere ? fork() : 0;
		if (inner == 0)
			act(name, to[0], from[1]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		waitpid(inner, &status, 0);
		_exit(0);
	}
	close(to[0]);
	close(from[1]);
	actor.to = to[1];
	actor.from = from[0];
	return actor;
}

struct actor actor_start(const char *name)
{
	struct actor actor = start(name, false);

	assert_int_equal(0, actor_answer(&actor));
	return actor;
}

struct actor actor_start_elsewhere(const char *name)
{
	struct actor actor = start(name, true);

	if (actor_answer(&actor) < 0) {
		expect_end(actor.pid);
		actor.pid = 0;
	}
	return actor;
}

void actor_ask(struct actor *actor, enum deed deed)
{
	const char c = (char)deed;

	assert_int_equal(1, write(actor->to, &c, 1));
}

int actor_answer(struct actor *actor)
{
	struct pollfd poll_one = { .fd = actor->from, .events = POLLIN };
	int result;

	if (poll(&poll_one, 1, PATIENCE * 1000) != 1)
		fail_msg("process %d does not answer", (int)actor->pid);
	assert_int_equal(sizeof result,
			 read(actor->from, &result, sizeof result));
	return result;
}

int actor_do(struct actor *actor, enum deed deed)
{
	actor_ask(actor, deed);
	return actor_answer(actor);
}

void expect_end(pid_t pid)
{
	int status;

	assert_int_equal(pid, waitpid(pid, &status, 0));
}

void actor_kill(struct actor *actor)
{
	assert_int_equal(0, kill(actor->pid, SIGKILL));
	expect_end(actor->pid);
	close(actor->to);
	close(actor->from);
}

struct atmost_totals totals_of(struct atmost *whose)
{
	struct atmost_totals totals;

	assert_true(atmost_status(whose, NULL, 0, &totals) >= 0);
	return totals;
}

static void await(struct atmost *whose, unsigned count, bool inside)
{
	unsigned found = 0;

	for (unsigned i = 0; i < PATIENCE * 1000; i++) {
		struct atmost_totals totals = totals_of(whose);

		found = inside ? totals.holders : totals.waiters;
		if (found == count)
			return;
		usleep(1000);
	}
	fail_msg("%u %s, not %u", found, inside ? "holders" : "waiters", count);
}

void await_waiters(struct atmost *whose, unsigned waiters)
{
	await(whose, waiters, false);
}

void await_holders(struct atmost *whose, unsigned holders)
{
	await(whose, holders, true);
}
