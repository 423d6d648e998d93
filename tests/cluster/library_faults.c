/* SPDX-License-Identifier: BSD-2-Clause */
/* Deaths, forks, and an etcd that does not answer, as programs see them. */
#include "library.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Reads a token that the child has written; 0: the child failed. */
static uint64_t read_token(int fd)
{
	uint64_t token = 0;

	if (read(fd, &token, sizeof token) != sizeof token)
		return 0;
	return token;
}

/* Starts a process that enters, tells its token, and leaves after a SIGTERM.
 * The process exits with 0 if it then learns that it has lost its slot. */
static pid_t start_holder(const char *pool_name, uint64_t *token)
{
	sigset_t term;
	int ends[2], signal;
	pid_t child;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, NULL);
	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		struct atmost *pool;
		struct atmost_member *me;
		uint64_t own;

		if (atmost_open(&pool, address_of(pool_name), NULL) == 0 &&
		    atmost_join(pool, &me) == 0 &&
		    atmost_enter(me, NULL) >= 0 &&
		    atmost_token(me, &own) == 0 &&
		    write(ends[1], &own, sizeof own) == sizeof own &&
		    sigwait(&term, &signal) == 0 &&
		    atmost_leave(me) == ATMOST_EEVICTED)
			_exit(0);
		_exit(1);
	}
	close(ends[1]);
	*token = read_token(ends[0]);
	close(ends[0]);
	assert_true(*token > 0);
	return child;
}

/* Enters the pool after the holder that had the token. */
static void take_over(struct atmost *pool, uint64_t before)
{
	struct atmost_member *me = join(pool);
	uint64_t after;

	assert_int_equal(atmost_enter(me, NULL), 0);
	assert_int_equal(atmost_token(me, &after), 0);
	assert_true(after > before);
}

/* The second holder is stopped until its lease has ended. */
static void killed_and_stopped_holders_lose_their_slots(void **state)
{
	struct atmost *killed = open_k("killed", 1);
	struct atmost *stopped = open_k("stopped", 1);
	uint64_t token[2];
	pid_t child[2];
	int status;

	(void)state;
	use_lease(SHORT_LEASE);
	child[0] = start_holder("killed", &token[0]);
	child[1] = start_holder("stopped", &token[1]);
	use_lease(60);
	kill(child[0], SIGKILL);
	kill(child[1], SIGSTOP);
	waitpid(child[0], NULL, 0);
	take_over(killed, token[0]);
	take_over(stopped, token[1]);
	kill(child[1], SIGTERM);
	kill(child[1], SIGCONT);
	assert_int_equal(waitpid(child[1], &status, 0), child[1]);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	atmost_close(killed);
	atmost_close(stopped);
	assert_int_equal(keys_of("killed"), 1);
	assert_int_equal(keys_of("stopped"), 1);
}

/* Exits with the number of the first check that fails. */
static void use_in_child(struct atmost *pool, struct atmost_member *me)
{
	struct atmost_member *other;
	struct atmost_shape shape;
	struct timespec until;
	uint64_t token;

	if (atmost_leave(me) != ATMOST_EFORKED)
		_exit(1);
	if (atmost_enter(me, NULL) != ATMOST_EFORKED)
		_exit(2);
	if (atmost_join(pool, &other) != ATMOST_EFORKED)
		_exit(3);
	if (atmost_status(pool, NULL, 0, NULL) != ATMOST_EFORKED ||
	    atmost_inspect(pool, &shape) != ATMOST_EFORKED ||
	    atmost_resize(pool, 2) != ATMOST_EFORKED)
		_exit(4);
	if (atmost_token(me, &token) != ATMOST_EFORKED ||
	    atmost_until(me, &until) != ATMOST_EFORKED ||
	    atmost_lapse_fd(me) != ATMOST_EFORKED)
		_exit(5);
	if (atmost_entrust(me, getpid(), NULL) != ATMOST_EFORKED)
		_exit(6);
	/* Both only free the child's copies. */
	atmost_part(me);
	atmost_close(pool);
	if (atmost_open(&pool, address_of("forked"), NULL) != 0 ||
	    atmost_join(pool, &other) != 0)
		_exit(7);
	if (atmost_enter(other, &(struct atmost_want){ .flags = ATMOST_TRY }) !=
		    1 ||
	    atmost_leave(other) != 0)
		_exit(8);
	atmost_close(pool);
	_exit(0);
}

static void a_child_must_open_the_pool_again(void **state)
{
	struct atmost *pool = open_k("forked", 2);
	struct atmost_member *me = join(pool);
	int slot = atmost_enter(me, NULL), status;
	pid_t child;

	(void)state;
	/* The child expects the other slot to be free. */
	if (slot == 1) {
		struct atmost_member *zero = join(pool);

		assert_int_equal(atmost_enter(zero, NULL), 0);
		assert_int_equal(atmost_leave(me), 0);
		me = zero;
	}
	child = fork();
	if (child == 0)
		use_in_child(pool, me);
	waitpid(child, &status, 0);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	/* The parent still holds its slot. */
	assert_int_equal(atmost_leave(me), 0);
	atmost_close(pool);
	assert_int_equal(keys_of("forked"), 1);
}

/* Waits until the server of the holder has prolonged the lease. */
static void await_keepalive(struct atmost_member *me)
{
	struct timespec first, until;

	assert_int_equal(atmost_until(me, &first), 0);
	do {
		usleep(10000);
		assert_int_equal(atmost_until(me, &until), 0);
	} while (until.tv_sec == first.tv_sec &&
		 until.tv_nsec == first.tv_nsec);
	assert_true(until.tv_sec >= first.tv_sec);
}

/* The last test: etcd is gone for good. */
static void a_holder_without_etcd_is_told_in_time(void **state)
{
	struct pollfd lapse = { .events = POLLIN };
	struct atmost *pool, *again;
	struct atmost_member *me, *other;
	struct timespec soon, until, now;
	const struct atmost_want late = { .deadline = &soon };
	const struct atmost_want try = { .flags = ATMOST_TRY };

	(void)state;
	use_lease(SHORT_LEASE);
	pool = open_k("cut-off", 2);
	me = join(pool);
	other = join(pool);
	lapse.fd = atmost_lapse_fd(me);
	assert_in_range(atmost_enter(me, NULL), 0, 1);
	await_keepalive(me);
	node_stop();
	assert_int_equal(atmost_enter(other, &try), ATMOST_EUNREACHED);
	assert_non_null(strstr(atmost_detail(), "was not reached"));
	soon = clock_deadline(300000000);
	assert_int_equal(atmost_enter(other, &late), ATMOST_EUNREACHED);
	while (poll(&lapse, 1, -1) != 1)
		;
	/* The slot is surely lost when its time is over. */
	do {
		assert_int_equal(atmost_until(me, &until), 0);
		clock_gettime(CLOCK_BOOTTIME, &now);
		usleep(10000);
	} while (now.tv_sec <= until.tv_sec);
	assert_int_equal(poll(&lapse, 1, 0), 1);
	assert_int_equal(atmost_leave(me), ATMOST_EEVICTED);
	assert_int_equal(atmost_open(&again, address_of("cut-off"), NULL),
			 ATMOST_EUNREACHED);
	atmost_close(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(killed_and_stopped_holders_lose_their_slots),
		cmocka_unit_test(a_child_must_open_the_pool_again),
		cmocka_unit_test(a_holder_without_etcd_is_told_in_time),
	};

	watchdog_start("FAILED: a fault of several machines hangs\n");
	return cmocka_run_group_tests(tests, start_node, stop_node);
}
