/* SPDX-License-Identifier: BSD-2-Clause */
#include "workers.h"

#include "common/clock.h"
#include "common/watchdog.h"

#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Functions of the worker. */

static struct atmost *pool;
static struct atmost_member *me;

static int enter_within(int64_t nanoseconds)
{
	const struct timespec deadline = clock_deadline(nanoseconds);
	const struct atmost_want want = { .deadline = &deadline, .session = 1 };

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
	int error = atmost_entrust(me, pid, "trustee");

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
		error = atmost_entrust(me, getpid(), "trustee");
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
	int error = atmost_entrust(me, getpid(), "trustee");

	if (!error)
		execlp("cat", "cat", (char *)NULL);
	return error;
}

static volatile int interrupt;
static int requests; /* the descriptor from which the worker reads */

static void set_interrupt(int signal)
{
	(void)signal;
	interrupt = 1;
}

static int enter_interruptible(void)
{
	const struct sigaction action = { .sa_handler = set_interrupt };
	const struct atmost_want want = { .session = 1,
					  .interrupt = &interrupt };

	sigaction(SIGUSR1, &action, NULL);
	return atmost_enter(me, &want);
}

static void *interrupt_on_request(void *unused)
{
	char request;

	(void)unused;
	interrupt = read(requests, &request, 1) == 1;
	return NULL;
}

static int enter_until_interrupted(void)
{
	pthread_t thread;
	int result;

	if (pthread_create(&thread, NULL, interrupt_on_request, NULL) != 0)
		return -1;
	result = enter_interruptible();
	pthread_join(thread, NULL);
	return result;
}

static int forget_robust_list(void)
{
	return (int)syscall(SYS_set_robust_list, NULL,
			    sizeof(struct robust_list_head));
}

static int carry_out(enum request request)
{
	/* The worker has no member if it has parted, or if a damaged pool has
	 * refused its next join. */
	if (!me && request != JOIN && request != UNANNOUNCED && request != END)
		return ATMOST_ENOTFOUND;
	switch (request) {
	case JOIN:
		return atmost_join(pool, &me);
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
	case WAIT_5_S:
		return enter_within(5000000000);
	case WAIT_300_MS:
		return enter_within(300000000);
	case WAIT_2_MS:
		return enter_within(2000000);
	case INTERRUPTIBLE:
		return enter_interruptible();
	case INTERRUPTED:
		return enter_until_interrupted();
	case UNANNOUNCED:
		return forget_robust_list();
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

static void run_worker(const char *name, int from, int to)
{
	char request;
	int result;

	child_begins();
	requests = from;
	dup2(from, STDIN_FILENO); /* for the program that the worker executes */
	result = atmost_open(&pool, name, NULL);
	if (result == 0)
		result = carry_out(JOIN);
	while (write(to, &result, sizeof result) == sizeof result &&
	       read(from, &request, 1) == 1)
		result = carry_out((enum request)request);
	_exit(1);
}

/* Makes a pid namespace; if this is not permitted, makes it together with a
 * user namespace that has the same user. */
static bool make_namespace(void)
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

/* Functions of the test. */

static struct worker start(const char *name, bool in_namespace)
{
	int to[2], from[2];
	struct worker worker;

	assert_int_equal(0, pipe(to) | pipe(from));
	fflush(NULL);
	worker.pid = fork();
	if (worker.pid == 0) {
		pid_t inner;
		int status, refused = -1;

		close(to[1]);
		close(from[0]);
		if (in_namespace && !make_namespace()) {
			(void)!write(from[1], &refused, sizeof refused);
			_exit(0);
		}
		inner = in_namespace ? fork() : 0;
		if (inner == 0)
			run_worker(name, to[0], from[1]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		waitpid(inner, &status, 0);
		_exit(0);
	}
	close(to[0]);
	close(from[1]);
	worker.to = to[1];
	worker.from = from[0];
	return worker;
}

struct worker worker_start(const char *name)
{
	struct worker worker = start(name, false);

	assert_int_equal(0, worker_answer(&worker));
	return worker;
}

struct worker worker_start_in_namespace(const char *name)
{
	struct worker worker = start(name, true);

	if (worker_answer(&worker) < 0) {
		expect_end(worker.pid);
		worker.pid = 0;
	}
	return worker;
}

void worker_ask(struct worker *worker, enum request request)
{
	const char c = (char)request;

	assert_int_equal(1, write(worker->to, &c, 1));
}

int worker_answer(struct worker *worker)
{
	struct pollfd poll_one = { .fd = worker->from, .events = POLLIN };
	int result;

	if (poll(&poll_one, 1, WATCHDOG_SECONDS * 1000) != 1)
		fail_msg("process %d does not answer", (int)worker->pid);
	assert_int_equal(sizeof result,
			 read(worker->from, &result, sizeof result));
	return result;
}

int worker_do(struct worker *worker, enum request request)
{
	worker_ask(worker, request);
	return worker_answer(worker);
}

void await_sleep(const struct worker *worker)
{
	while (!process_sleeps(worker->pid))
		usleep(1000);
}

void await_program(const struct worker *worker)
{
	char path[64], name[32];

	snprintf(path, sizeof path, "/proc/%d/comm", (int)worker->pid);
	do {
		FILE *file = fopen(path, "r");

		assert_non_null(file);
		assert_non_null(fgets(name, sizeof name, file));
		fclose(file);
		usleep(1000);
	} while (strcmp(name, "cat\n") != 0);
}

void expect_end(pid_t pid)
{
	int status;

	assert_int_equal(pid, waitpid(pid, &status, 0));
}

void worker_kill(struct worker *worker)
{
	assert_int_equal(0, kill(worker->pid, SIGKILL));
	expect_end(worker->pid);
	close(worker->to);
	close(worker->from);
}

struct atmost_totals totals_of(struct atmost *of)
{
	struct atmost_totals totals;

	assert_true(atmost_status(of, NULL, 0, &totals) >= 0);
	return totals;
}

static void await(struct atmost *of, unsigned count, bool inside)
{
	const double end = clock_seconds() + WATCHDOG_SECONDS;
	unsigned found;

	do {
		struct atmost_totals totals = totals_of(of);

		found = inside ? totals.holders : totals.waiters;
		if (found == count)
			return;
		usleep(1000);
	} while (clock_seconds() < end);
	fail_msg("%u %s, not %u", found, inside ? "holders" : "waiters", count);
}

void await_waiters(struct atmost *of, unsigned waiters)
{
	await(of, waiters, false);
}

void await_holders(struct atmost *of, unsigned holders)
{
	await(of, holders, true);
}
