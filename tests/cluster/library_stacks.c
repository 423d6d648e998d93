/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The calls need no more stack for a pool of several machines than the header
 * says, and programs that the process executes get no connection to etcd.
 */
#include "library.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>

enum {
	STACK = 512 * 1024,
	PATTERN = 0xa5,
	MOST = 16 * 1024, /* the limit in the header */
	DESCRIPTORS = 256
};

/* libcurl has a pair of sockets that belongs to no connection. */
static unsigned count_connections(bool without_close_on_exec)
{
	unsigned count = 0;

	for (int fd = 0; fd < DESCRIPTORS; fd++) {
		struct sockaddr_storage name;
		socklen_t length = sizeof name;

		if (getsockname(fd, (struct sockaddr *)&name, &length) < 0 ||
		    name.ss_family != AF_INET)
			continue;
		count += !without_close_on_exec ||
			 !(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	}
	return count;
}

/* Runs in the measured thread.  Returns where its stack began. */
static void *use_all(void *unused)
{
	const struct atmost_shape shape = { .kind = ATMOST_ASSIGNMENT, .k = 1 };
	struct timespec soon = clock_deadline(INT64_C(300000000000));
	const struct atmost_want late = { .deadline = &soon };
	const char *address = address_of("stack");
	struct atmost_shape is;
	struct atmost_member *me;
	struct atmost *pool;

	(void)unused;
	if (atmost_open(&pool, address, &shape) < 0 ||
	    atmost_join(pool, &me) < 0 || atmost_enter(me, NULL) < 0 ||
	    atmost_status(pool, NULL, 0, NULL) < 0 || atmost_leave(me) < 0 ||
	    atmost_enter(me, &late) < 0 || atmost_resize(pool, 2) < 0 ||
	    atmost_inspect(pool, &is) < 0)
		abort();
	if (count_connections(false) == 0 || count_connections(true) != 0)
		abort();
	atmost_part(me);
	atmost_close(pool);
	if (atmost_unlink(address) < 0)
		abort();
	return __builtin_frame_address(0);
}

static void calls_need_little_stack(void **state)
{
	unsigned char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attributes;
	pthread_t thread;
	void *top;
	size_t lowest = 0;

	(void)state;
	assert_true(stack != MAP_FAILED);
	memset(stack, PATTERN, STACK);
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stack, STACK);
	assert_int_equal(pthread_create(&thread, &attributes, use_all, NULL),
			 0);
	assert_int_equal(pthread_join(thread, &top), 0);
	while (stack[lowest] == PATTERN)
		lowest++;
	print_message("the calls needed %zu bytes of stack\n",
		      (size_t)((uintptr_t)top - (uintptr_t)(stack + lowest)));
	assert_true((uintptr_t)top - (uintptr_t)(stack + lowest) <= MOST);
	pthread_attr_destroy(&attributes);
	munmap(stack, STACK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_need_little_stack),
	};

	watchdog_start("FAILED: a call for several machines hangs\n");
	return cmocka_run_group_tests(tests, start_node, stop_node);
}
