/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures how much stack the calls of the library need.  A call runs in a
 * thread whose stack was filled with a pattern; the lowest byte that has
 * changed shows how deep the call went.  At the first call of a function the
 * dynamic linker binds the function; the stack that this takes counts as well.
 */
#include "common/clock.h"
#include "workers.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	STACK = 512 * 1024,
	PATTERN = 0xa5,
	MARGIN = 1024,        /* for the code that fills the stack */
	ENTERING = 12 * 1024, /* the limit in the header for enter and leave */
	OTHERS = 16 * 1024,   /* the limit in the header for all other calls */
	SMALL = 16 * 1024     /* the smallest stack that Linux gives a thread */
};

struct target {
	const char *name; /* name of the pool */
	struct atmost *pool;
	struct atmost_member *me;
	const struct atmost_want *want;
	int result;
};

/* A measured call, between two calls that are not measured. */
struct scenario {
	void (*before)(struct target *);
	void (*call)(struct target *);
	void (*after)(struct target *);
};

struct measure {
	const struct scenario *scenario;
	struct target *target;
	unsigned char *stack;
	size_t used;
	pthread_t thread;
};

__attribute__((noinline)) static void fill(unsigned char *from,
					   const unsigned char *to)
{
	for (volatile unsigned char *at = from; at < to; at++)
		*at = PATTERN;
}

__attribute__((noinline)) static unsigned char *first_touched(unsigned char *at)
{
	while (*(volatile unsigned char *)at == PATTERN)
		at++;
	return at;
}

static void *run_measured(void *argument)
{
	struct measure *m = argument;
	unsigned char *here = __builtin_frame_address(0);

	if (m->scenario->before)
		m->scenario->before(m->target);
	fill(m->stack, here - MARGIN);
	m->scenario->call(m->target);
	m->used = (size_t)(here - first_touched(m->stack));
	if (m->scenario->after)
		m->scenario->after(m->target);
	return NULL;
}

static struct measure measure_start(const struct scenario *scenario,
				    struct target *target)
{
	struct measure m = { .scenario = scenario, .target = target };

	m.stack = aligned_alloc(4096, STACK);
	assert_non_null(m.stack);
	return m;
}

static void measure_run(struct measure *m)
{
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	assert_int_equal(0,
			 pthread_attr_setstack(&attributes, m->stack, STACK));
	assert_int_equal(0, pthread_create(&m->thread, &attributes,
					   run_measured, m));
	pthread_attr_destroy(&attributes);
}

/* Fails the test if the call needed more than `most`. */
static void measure_end(struct measure *m, const char *what, size_t most)
{
	pthread_join(m->thread, NULL);
	free(m->stack);
	print_message("%6zu bytes of stack: %s, %s\n", m->used, what,
		      m->target->name);
	if (m->used > most)
		fail_msg("%s needs %zu bytes of stack, more than %zu", what,
			 m->used, most);
}

/* Entering. */

static void join_it(struct target *v)
{
	v->result = atmost_join(v->pool, &v->me);
}

static void enter_it(struct target *v)
{
	v->result = atmost_enter(v->me, v->want);
}

static void leave_it(struct target *v)
{
	v->result = atmost_leave(v->me);
}

/* Enters and waits until there is a waiter, which the leaver must wake. */
static void enter_before_a_waiter(struct target *v)
{
	struct atmost_totals totals = { .waiters = 0 };

	join_it(v);
	enter_it(v);
	while (totals.waiters == 0)
		atmost_status(v->pool, NULL, 0, &totals);
}

static void part_it(struct target *v)
{
	atmost_part(v->me);
}

static const struct scenario entering = { join_it, enter_it, part_it };
static const struct scenario leaving = { enter_before_a_waiter, leave_it,
					 part_it };

static const char *const algorithms[] = { "roster", "room", "k-bakery",
					  "hall" };
enum { ALGORITHMS = 4, MEMBERS = 40 };

/* Returns the request of a worker that cannot be inside together with the
 * target.  The session of the target is 1. */
static enum request rival(const char *algorithm)
{
	return is_hall(algorithm) ? ENTER_2 : ENTER;
}

/* What the holder does while the measured thread waits behind it. */
enum end { LEAVES, IS_KILLED, WAS_ENTRUSTED, STAYS };

static const char *const ends[] = {
	"enter beside a process that leaves",
	"enter beside a process that is killed",
	"enter beside an entrusted process",
	"enter until a deadline",
};

/* Ends the passage of the holder in this way; STAYS does nothing. */
static void end_holder(struct worker *holder, enum end end, int trustee)
{
	if (end == LEAVES)
		assert_int_equal(0, worker_do(holder, LEAVE));
	if (end == WAS_ENTRUSTED)
		kill(trustee, SIGKILL);
	else if (end == IS_KILLED)
		worker_kill(holder);
}

/* Within about a second a waiter reaches its long naps and has made every kind
 * of check.  On a slow machine the test may not measure all of them. */
static void wait_beside(const char *algorithm, enum end end)
{
	struct timespec soon;
	const struct atmost_want limited = { .session = 1, .deadline = &soon };
	struct target target = {
		.name = algorithm,
		.pool = open_pool(algorithm, algorithm, 1, MEMBERS),
		.want = end == STAYS ? &limited : NULL,
	};
	struct measure m = measure_start(&entering, &target);
	struct worker holder = worker_start(algorithm);
	int trustee = 0;

	assert_int_equal(0, worker_do(&holder, rival(algorithm)));
	if (end == WAS_ENTRUSTED) {
		trustee = worker_do(&holder, CHILD);
		assert_true(trustee > 0);
		worker_kill(&holder);
	}
	soon = clock_deadline(1000000000);
	measure_run(&m);
	/* With a deadline the waiter may have given up already. */
	if (end != STAYS) {
		await_waiters(target.pool, 1);
		usleep(700000);
	}
	end_holder(&holder, end, trustee);
	measure_end(&m, ends[end], ENTERING);
	/* The slot of a member of hall is its id. */
	assert_int_equal(end == STAYS ? ATMOST_ETIMEDOUT : is_hall(algorithm),
			 target.result);
	if (end == LEAVES || end == STAYS)
		worker_kill(&holder);
	atmost_close(target.pool);
}

static void wait_beside_all(enum end end)
{
	for (unsigned i = 0; i < ALGORITHMS; i++)
		wait_beside(algorithms[i], end);
}

static void entering_at_once_needs_12_kb_of_stack(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ALGORITHMS; i++) {
		struct target target = {
			.name = algorithms[i],
			.pool = open_pool(algorithms[i], algorithms[i], 1,
					  MEMBERS),
		};
		struct measure m = measure_start(&entering, &target);

		measure_run(&m);
		measure_end(&m, "enter at once", ENTERING);
		assert_int_equal(0, target.result);
		atmost_close(target.pool);
	}
}

static void waiting_for_a_leaver_needs_12_kb_of_stack(void **state)
{
	(void)state;
	wait_beside_all(LEAVES);
}

static void waiting_for_a_killed_holder_needs_12_kb_of_stack(void **state)
{
	(void)state;
	wait_beside_all(IS_KILLED);
}

static void waiting_for_an_entrusted_process_needs_12_kb_of_stack(void **state)
{
	(void)state;
	wait_beside_all(WAS_ENTRUSTED);
}

static void giving_up_needs_12_kb_of_stack(void **state)
{
	(void)state;
	wait_beside_all(STAYS);
}

static void waking_a_waiter_needs_12_kb_of_stack(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ALGORITHMS; i++) {
		const char *name = algorithms[i];
		struct target target = {
			.name = name,
			.pool = open_pool(name, name, 1, MEMBERS),
		};
		struct measure m = measure_start(&leaving, &target);
		struct worker waiter = worker_start(name);

		measure_run(&m);
		await_holders(target.pool, 1);
		worker_ask(&waiter, rival(name));
		measure_end(&m, "leave", ENTERING);
		assert_int_equal(0, target.result);
		assert_int_equal(0, worker_answer(&waiter));
		worker_kill(&waiter);
		atmost_close(target.pool);
	}
}

/* A thread with a small stack, which has a guard page below it and contains the
 * thread-local storage. */

static void *wait_and_leave(void *argument)
{
	struct target *v = argument;

	join_it(v);
	enter_it(v);
	if (v->result >= 0)
		leave_it(v);
	part_it(v);
	return NULL;
}

static int wait_in_a_small_thread(const void *name)
{
	struct target target = { .name = name, .result = 1 };
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	if (pthread_attr_setstacksize(&attributes, SMALL) != 0 ||
	    atmost_open(&target.pool, name, NULL) < 0 ||
	    pthread_create(&thread, &attributes, wait_and_leave, &target) != 0)
		return 2;
	pthread_join(thread, NULL);
	return target.result != 0;
}

static void a_thread_with_a_small_stack_can_wait(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ALGORITHMS; i++) {
		const char *name = algorithms[i];
		struct atmost *pool = open_pool(name, name, 1, MEMBERS);
		struct worker holder = worker_start(name);
		pid_t child;
		int status;

		assert_int_equal(0, worker_do(&holder, rival(name)));
		child = fork();
		if (child == 0) {
			child_begins();
			_exit(wait_in_a_small_thread(name));
		}
		usleep(300000);
		assert_int_equal(0, worker_do(&holder, LEAVE));
		assert_int_equal(child, waitpid(child, &status, 0));
		/* A child killed by SIGSEGV (11) had too small a stack. */
		assert_int_equal(0, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
		assert_int_equal(0, WEXITSTATUS(status));
		worker_kill(&holder);
		atmost_close(pool);
	}
}

/* The other calls. */

static void open_it(struct target *v)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_ASSIGNMENT,
		.k = 2,
		.k_max = 4,
		.members = MEMBERS,
	};

	v->result = atmost_open(&v->pool, v->name, &shape);
}

static void close_it(struct target *v)
{
	atmost_close(v->pool);
}

static void look_at_it(struct target *v)
{
	static struct atmost_seat seats[MEMBERS];
	struct atmost_totals totals;

	v->result = atmost_status(v->pool, seats, MEMBERS, &totals);
}

static void resize_it(struct target *v)
{
	v->result = atmost_resize(v->pool, 3);
}

static void entrust_it(struct target *v)
{
	v->result = atmost_entrust(v->me, getpid(), "name");
}

static void entrust_to_no_process(struct target *v)
{
	v->result = atmost_entrust(v->me, 0x3ffffffe, "name");
}

static void open_and_join(struct target *v)
{
	open_it(v);
	join_it(v);
}

static void unlink_it(struct target *v)
{
	v->result = atmost_unlink(v->name);
}

static void all_other_calls_need_16_kb_of_stack(void **state)
{
	static const struct {
		const char *name;
		struct scenario scenario;
	} calls[] = {
		{ "open, which creates it", { NULL, open_it, close_it } },
		{ "open", { NULL, open_it, close_it } },
		{ "join", { open_it, join_it, close_it } },
		{ "part", { open_and_join, part_it, close_it } },
		{ "status", { open_and_join, look_at_it, close_it } },
		{ "resize", { open_and_join, resize_it, close_it } },
		{ "entrust", { open_and_join, entrust_it, close_it } },
		{ "entrust, refused",
		  { open_and_join, entrust_to_no_process, close_it } },
		{ "close", { open_and_join, close_it, NULL } },
		{ "unlink", { NULL, unlink_it, NULL } },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
		struct target target = { .name = "others" };
		struct measure m = measure_start(&calls[i].scenario, &target);

		measure_run(&m);
		measure_end(&m, calls[i].name, OTHERS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(entering_at_once_needs_12_kb_of_stack),
		TEST_IN_FOLDER(waiting_for_a_leaver_needs_12_kb_of_stack),
		TEST_IN_FOLDER(
			waiting_for_a_killed_holder_needs_12_kb_of_stack),
		TEST_IN_FOLDER(
			waiting_for_an_entrusted_process_needs_12_kb_of_stack),
		TEST_IN_FOLDER(giving_up_needs_12_kb_of_stack),
		TEST_IN_FOLDER(waking_a_waiter_needs_12_kb_of_stack),
		TEST_IN_FOLDER(a_thread_with_a_small_stack_can_wait),
		TEST_IN_FOLDER(all_other_calls_need_16_kb_of_stack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
