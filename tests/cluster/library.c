/* SPDX-License-Identifier: BSD-2-Clause */
/* Passages of members of a pool of several machines, by the library's calls. */
#include "library.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static bool is_readable(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	return poll(&poll_fd, 1, 0) == 1;
}

static void a_holder_has_a_slot_a_token_and_a_time(void **state)
{
	struct atmost *pool = open_k("token", 2);
	struct atmost_member *me = join(pool), *other = join(pool);
	struct timespec until, now;
	uint64_t token, before;
	int slot;

	(void)state;
	assert_int_equal(atmost_token(me, &token), ATMOST_EOUTSIDE);
	assert_int_equal(atmost_until(me, &until), ATMOST_EOUTSIDE);
	slot = atmost_enter(me, NULL);
	assert_in_range(slot, 0, 1);
	assert_int_equal(atmost_enter(me, NULL), ATMOST_EINSIDE);
	assert_int_equal(atmost_token(me, &before), 0);
	assert_true(before > 0);
	assert_int_equal(atmost_until(me, &until), 0);
	clock_gettime(CLOCK_BOOTTIME, &now);
	assert_true(until.tv_sec >= now.tv_sec);
	assert_true(until.tv_sec <= now.tv_sec + 60);
	assert_false(is_readable(atmost_lapse_fd(me)));
	assert_int_equal(atmost_enter(other, NULL), 1 - slot);
	assert_int_equal(atmost_token(other, &token), 0);
	assert_true(token > before);
	assert_int_equal(atmost_leave(me), 0);
	assert_int_equal(atmost_leave(me), ATMOST_EOUTSIDE);
	/* A slot's next token is larger. */
	assert_int_equal(atmost_enter(me, NULL), slot);
	assert_int_equal(atmost_token(me, &before), 0);
	assert_true(before > token);
	atmost_part(me);
	atmost_part(other);
	assert_int_equal(keys_of("token"), 1);
	atmost_close(pool);
}

/* A thread that enters as a member of its own. */
struct worker {
	struct atmost *pool;
	struct atmost_want want;
	bool ends_inside; /* the thread ends without leaving */
	int result, left;
	unsigned order;
	pthread_t thread;
};

static unsigned entered;

static void *work(void *argument)
{
	struct worker *w = argument;
	struct atmost_member *me;

	if (atmost_join(w->pool, &me) < 0)
		abort();
	w->result = atmost_enter(me, &w->want);
	w->order = __atomic_fetch_add(&entered, 1, __ATOMIC_SEQ_CST);
	if (w->result >= 0 && !w->ends_inside)
		w->left = atmost_leave(me);
	return NULL;
}

static void begin(struct worker *w, struct atmost *pool)
{
	w->pool = pool;
	assert_int_equal(pthread_create(&w->thread, NULL, work, w), 0);
}

static void end(struct worker *w)
{
	assert_int_equal(pthread_join(w->thread, NULL), 0);
}

static void waiters_enter_in_order_of_arrival(void **state)
{
	enum { WORKERS = 4 };
	struct atmost *pool = open_k("order", 1);
	struct atmost_member *me = join(pool);
	struct worker workers[WORKERS] = { 0 };

	(void)state;
	assert_int_equal(atmost_enter(me, NULL), 0);
	entered = 0;
	for (unsigned i = 0; i < WORKERS; i++) {
		begin(&workers[i], pool);
		await_seats(pool, 1, i + 1);
	}
	assert_int_equal(atmost_leave(me), 0);
	for (unsigned i = 0; i < WORKERS; i++) {
		end(&workers[i]);
		assert_int_equal(workers[i].result, 0);
		assert_int_equal(workers[i].left, 0);
		assert_int_equal(workers[i].order, i);
	}
	atmost_part(me);
	assert_int_equal(keys_of("order"), 1);
	atmost_close(pool);
}

static void a_member_that_gives_up_can_enter_later(void **state)
{
	static const struct timespec past;
	struct atmost *pool = open_k("deadline", 1);
	struct atmost_member *me = join(pool), *other = join(pool);
	struct timespec soon = clock_deadline(50000000);
	const struct atmost_want now = { .flags = ATMOST_TRY };
	const struct atmost_want over = { .deadline = &past };
	const struct atmost_want late = { .deadline = &soon };

	(void)state;
	assert_int_equal(atmost_enter(me, &now), 0);
	assert_int_equal(atmost_enter(other, &now), ATMOST_EBUSY);
	assert_int_equal(atmost_enter(other, &over), ATMOST_ETIMEDOUT);
	assert_int_equal(atmost_enter(other, &late), ATMOST_ETIMEDOUT);
	assert_int_equal(atmost_leave(me), 0);
	/* The tickets that the member gave up are gone from the queue. */
	assert_int_equal(atmost_enter(other, NULL), 0);
	assert_int_equal(atmost_leave(other), 0);
	soon = clock_deadline(INT64_C(300000000000));
	assert_int_equal(atmost_enter(me, &late), 0);
	atmost_part(me);
	atmost_part(other);
	assert_int_equal(keys_of("deadline"), 1);
	atmost_close(pool);
}

static volatile int stop_waiting;

static void set_stop(int signal)
{
	(void)signal;
	stop_waiting = 1;
}

static void a_wait_is_interrupted(bool by_signal)
{
	struct atmost *pool = open_k("interrupt", 1);
	struct atmost_member *me = join(pool);
	struct worker w = { .want = { .interrupt = &stop_waiting } };

	stop_waiting = 0;
	assert_int_equal(atmost_enter(me, NULL), 0);
	begin(&w, pool);
	await_seats(pool, 1, 1);
	if (by_signal)
		pthread_kill(w.thread, SIGUSR1);
	else
		__atomic_store_n(&stop_waiting, 1, __ATOMIC_SEQ_CST);
	end(&w);
	assert_int_equal(w.result, ATMOST_EINTERRUPTED);
	await_seats(pool, 1, 0);
	atmost_part(me);
	atmost_close(pool);
}

static void a_signal_handler_ends_a_wait(void **state)
{
	const struct sigaction action = { .sa_handler = set_stop };

	(void)state;
	sigaction(SIGUSR1, &action, NULL);
	a_wait_is_interrupted(true);
}

static void another_thread_ends_a_wait(void **state)
{
	(void)state;
	a_wait_is_interrupted(false);
}

static void a_waiter_is_not_cancelled_before_it_enters(void **state)
{
	struct atmost *pool = open_k("cancel", 1);
	struct atmost_member *me = join(pool);
	struct worker w = { .result = -1, .left = -1 };

	(void)state;
	assert_int_equal(atmost_enter(me, NULL), 0);
	begin(&w, pool);
	await_seats(pool, 1, 1);
	pthread_cancel(w.thread);
	assert_int_equal(atmost_leave(me), 0);
	end(&w);
	assert_int_equal(w.result, 0);
	assert_int_equal(w.left, 0);
	atmost_part(me);
	assert_int_equal(keys_of("cancel"), 1);
	atmost_close(pool);
}

static void a_thread_that_ends_leaves_its_slot(void **state)
{
	struct atmost *pool = open_k("end", 1);
	struct atmost_member *me = join(pool);
	struct worker w = { .ends_inside = true };

	(void)state;
	begin(&w, pool);
	end(&w);
	assert_int_equal(w.result, 0);
	assert_int_equal(keys_of("end"), 1);
	assert_int_equal(atmost_enter(me, NULL), 0);
	atmost_close(pool);
	assert_int_equal(keys_of("end"), 1);
}

static void end_thread(int signal)
{
	(void)signal;
	pthread_exit(NULL);
}

static void a_thread_that_ends_in_its_wait_leaves_the_queue(void **state)
{
	const struct sigaction action = { .sa_handler = end_thread };
	struct atmost *pool = open_k("exit", 1);
	struct atmost_member *me = join(pool);
	struct worker w = { 0 };

	(void)state;
	sigaction(SIGUSR2, &action, NULL);
	assert_int_equal(atmost_enter(me, NULL), 0);
	begin(&w, pool);
	await_seats(pool, 1, 1);
	pthread_kill(w.thread, SIGUSR2);
	end(&w);
	await_seats(pool, 1, 0);
	atmost_part(me);
	assert_int_equal(keys_of("exit"), 1);
	atmost_close(pool);
}

static void sessions_enter_together(void **state)
{
	struct atmost *pool = open_groups("sessions");
	struct atmost_member *one = join(pool), *two = join(pool);
	struct atmost_member *other = join(pool);
	const struct atmost_want same = { .session = 7 };
	const struct atmost_want another = { .session = 8,
					     .flags = ATMOST_TRY };

	(void)state;
	assert_in_range(atmost_enter(one, &same), 0, 9999);
	assert_in_range(atmost_enter(two, &same), 0, 9999);
	assert_int_equal(atmost_enter(other, &another), ATMOST_EBUSY);
	assert_int_equal(atmost_leave(one), 0);
	assert_int_equal(atmost_leave(two), 0);
	assert_in_range(atmost_enter(other, &another), 0, 9999);
	assert_int_equal(atmost_enter(two, &(struct atmost_want){ 0 }),
			 ATMOST_ESESSION);
	assert_int_equal(atmost_leave(other), 0);
	/* A NULL want asks for session 1. */
	assert_in_range(atmost_enter(one, NULL), 0, 9999);
	assert_in_range(atmost_enter(two,
				     &(struct atmost_want){ .session = 1 }),
			0, 9999);
	atmost_close(pool);
	assert_int_equal(keys_of("sessions"), 1);
}

static void a_waiter_that_loses_its_lease_enters_all_the_same(void **state)
{
	struct atmost *pool = open_k("requeue", 1), *short_lived;
	struct atmost_member *me = join(pool);
	struct worker first = { 0 }, second = { 0 };

	(void)state;
	/* The waiter learns of its loss when it next keeps its lease alive. */
	use_lease(SHORT_LEASE);
	short_lived = open_k("requeue", 1);
	use_lease(60);
	assert_int_equal(atmost_enter(me, NULL), 0);
	begin(&first, short_lived);
	await_seats(pool, 1, 1);
	end_lease("requeue", "w/");
	await_seats(pool, 1, 1);
	begin(&second, pool);
	await_seats(pool, 1, 2);
	assert_int_equal(atmost_leave(me), 0);
	end(&first);
	end(&second);
	assert_int_equal(first.result, 0);
	assert_int_equal(second.result, 0);
	atmost_part(me);
	atmost_close(short_lived);
	assert_int_equal(keys_of("requeue"), 1);
	atmost_close(pool);
}

static void a_holder_whose_lease_ends_is_told(void **state)
{
	struct atmost *pool = open_k("evicted", 1);
	struct atmost_member *me = join(pool), *other = join(pool);
	struct pollfd lapse = { .fd = atmost_lapse_fd(me), .events = POLLIN };
	struct timespec until;
	uint64_t before, after;

	(void)state;
	assert_int_equal(atmost_enter(me, NULL), 0);
	assert_int_equal(atmost_token(me, &before), 0);
	end_lease("evicted", "s/");
	while (poll(&lapse, 1, -1) != 1)
		;
	assert_int_equal(atmost_until(me, &until), 0);
	assert_int_equal(until.tv_sec, 0);
	assert_int_equal(atmost_enter(other, NULL), 0);
	assert_int_equal(atmost_token(other, &after), 0);
	assert_true(after > before);
	assert_int_equal(atmost_leave(me), ATMOST_EEVICTED);
	assert_false(is_readable(lapse.fd));
	assert_int_equal(atmost_leave(other), 0);
	/* Unlike in a pool of one machine, an evicted member can enter
	 * again. */
	assert_int_equal(atmost_enter(me, NULL), 0);
	assert_int_equal(atmost_leave(me), 0);
	atmost_close(pool);
	assert_int_equal(keys_of("evicted"), 1);
}

/* Otherwise the server would keep the lease alive for ever, if the member never
 * entered again. */
static void a_lease_for_the_next_passage_is_given_back(void **state)
{
	struct atmost_member *me;
	struct atmost *pool;
	const char *leases;

	(void)state;
	use_lease(SHORT_LEASE);
	pool = open_k("ahead", 1);
	use_lease(60);
	me = join(pool);
	assert_int_equal(atmost_enter(me, NULL), 0);
	assert_int_equal(atmost_leave(me), 0);
	do {
		usleep(100000);
		leases = node_post("/v3/lease/leases", "{}");
		assert_non_null(leases);
	} while (strstr(leases, "\"ID\""));
	/* The lease is granted ahead: otherwise this test would show
	 * nothing. */
	assert_int_equal(atmost_enter(me, NULL), 0);
	do {
		usleep(20000);
		leases = node_post("/v3/lease/leases", "{}");
		leases = strstr(leases, "\"ID\"");
	} while (!leases || !strstr(leases + 1, "\"ID\""));
	atmost_close(pool);
}

static void a_thread_closes_a_pool_with_members_of_another(void **state)
{
	struct atmost *pool = open_k("closed", 1);
	struct worker w = { .ends_inside = true };
	struct atmost_member *me = join(pool);

	(void)state;
	begin(&w, pool);
	end(&w);
	assert_int_equal(atmost_enter(me, NULL), 0);
	assert_int_equal(pthread_create(&w.thread, NULL,
					(void *(*)(void *))(
						uintptr_t)atmost_close,
					pool),
			 0);
	end(&w);
	assert_int_equal(keys_of("closed"), 1);
	/* The entry of the closed pool goes with the next join. */
	pool = open_k("closed", 1);
	me = join(pool);
	assert_int_equal(atmost_enter(me, NULL), 0);
	atmost_close(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* This test is the first: etcd has no other leases yet. */
		cmocka_unit_test(a_lease_for_the_next_passage_is_given_back),
		cmocka_unit_test(a_holder_has_a_slot_a_token_and_a_time),
		cmocka_unit_test(waiters_enter_in_order_of_arrival),
		cmocka_unit_test(a_member_that_gives_up_can_enter_later),
		cmocka_unit_test(a_signal_handler_ends_a_wait),
		cmocka_unit_test(another_thread_ends_a_wait),
		cmocka_unit_test(a_waiter_is_not_cancelled_before_it_enters),
		cmocka_unit_test(a_thread_that_ends_leaves_its_slot),
		cmocka_unit_test(
			a_thread_that_ends_in_its_wait_leaves_the_queue),
		cmocka_unit_test(sessions_enter_together),
		cmocka_unit_test(
			a_waiter_that_loses_its_lease_enters_all_the_same),
		cmocka_unit_test(a_holder_whose_lease_ends_is_told),
		cmocka_unit_test(
			a_thread_closes_a_pool_with_members_of_another),
	};

	watchdog_start("FAILED: a passage of several machines hangs\n");
	return cmocka_run_group_tests(tests, start_node, stop_node);
}
