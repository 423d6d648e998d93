/* SPDX-License-Identifier: BSD-2-Clause */
/* Pools of several machines as a whole: shapes, status, k, removal, and the
 * calls that such pools do not support. */
#include "library.h"
#include "server.h"

#include "atmost/resilient.h"

#include <errno.h>
#include <sys/utsname.h>
#include <unistd.h>

static int open_error(const char *pool, const struct atmost_shape *shape)
{
	struct atmost *opened;
	int error = atmost_open(&opened, address_of(pool), shape);

	if (!error)
		atmost_close(opened);
	return error;
}

static bool detail_has(const char *text)
{
	return strstr(atmost_detail(), text) != NULL;
}

static void a_pool_has_the_shape_that_is_asked_for(void **state)
{
	struct atmost_shape shape = { .kind = ATMOST_ASSIGNMENT, .k = 3 };
	struct atmost_shape is;
	struct atmost *pool;

	(void)state;
	assert_int_equal(open_error("shape", NULL), ATMOST_ENOTFOUND);
	assert_true(detail_has("shape"));
	pool = open_k("shape", 3);
	assert_int_equal(atmost_inspect(pool, &is), 0);
	assert_int_equal(is.kind, ATMOST_ASSIGNMENT);
	assert_int_equal(is.k, 3);
	assert_int_equal(is.k_max, 10000);
	assert_string_equal(is.algorithm, "ledger");
	assert_int_equal(open_error("shape", NULL), 0);
	assert_int_equal(open_error("shape", &shape), 0);
	shape.k = 4;
	assert_int_equal(open_error("shape", &shape), ATMOST_ESHAPE);
	assert_true(detail_has("k is 3, but 4 was asked for"));
	shape = (struct atmost_shape){ .kind = ATMOST_GROUP };
	assert_int_equal(open_error("shape", &shape), ATMOST_ESHAPE);
	shape.kind = ATMOST_MUTEX;
	assert_int_equal(open_error("shape", &shape), ATMOST_ESHAPE);
	shape = (struct atmost_shape){ .kind = ATMOST_EXCLUSION };
	assert_int_equal(open_error("shape-of-0", &shape), ATMOST_ESHAPE);
	shape.k = 10001;
	assert_int_equal(open_error("shape-of-10001", &shape), ATMOST_ESHAPE);
	atmost_close(pool);
}

static void only_its_own_algorithms_serve_a_pool(void **state)
{
	struct atmost_shape shape = { .kind = ATMOST_ASSIGNMENT,
				      .k = 1,
				      .algorithm = "roster" };

	(void)state;
	assert_int_equal(open_error("algorithm", &shape), ATMOST_EALGORITHM);
	assert_true(detail_has("ledger"));
	shape.algorithm = "ledger";
	assert_int_equal(open_error("algorithm", &shape), 0);
	shape = (struct atmost_shape){ .kind = ATMOST_GROUP,
				       .algorithm = "ledger" };
	assert_int_equal(open_error("rooms", &shape), ATMOST_EALGORITHM);
	shape.algorithm = "ledger-room";
	assert_int_equal(open_error("rooms", &shape), 0);
}

static void a_bad_address_is_refused(void **state)
{
	const struct atmost_shape shape = { .kind = ATMOST_MUTEX };
	struct atmost *pool;

	(void)state;
	assert_int_equal(atmost_open(&pool, "etcd://", &shape), ATMOST_ENAME);
	assert_int_equal(atmost_open(&pool, "redis://h/p", &shape),
			 ATMOST_ENAME);
	assert_true(detail_has("etcd://"));
	assert_int_equal(atmost_open(&pool, "etcd://h/.p", &shape),
			 ATMOST_ENAME);
	setenv("ATMOST_AT_LEASE", "4", 1);
	assert_int_equal(open_error("lease", &shape), ATMOST_ESHAPE);
	assert_true(detail_has("ATMOST_AT_LEASE"));
	use_lease(60);
}

/* The endpoint answers every request like a web server without pages. */
static void what_is_not_etcd_is_refused(void **state)
{
	static const struct reply reply = {
		.text = "HTTP/1.1 404 Not Found\r\nContent-Length: 19\r\n\r\n"
			"404 page not found\n"
	};
	struct server *server = server_start(&reply, 1, NULL);
	struct atmost *pool;
	char address[128];

	(void)state;
	snprintf(address, sizeof address, "etcd://%s/test/p",
		 server_address(server));
	assert_int_equal(atmost_open(&pool, address, NULL), ATMOST_EREFUSED);
	assert_true(detail_has("is not etcd"));
	assert_int_equal(atmost_unlink(address), ATMOST_EREFUSED);
	server_stop(server);
}

/* shape.members does not limit the members. */
static void more_members_join_than_members_says(void **state)
{
	const struct atmost_shape shape = { .kind = ATMOST_ASSIGNMENT,
					    .k = 3,
					    .members = 1 };
	struct atmost_totals totals;
	struct atmost *pool;

	(void)state;
	assert_int_equal(atmost_open(&pool, address_of("members"), &shape), 0);
	for (int i = 0; i < 3; i++)
		assert_in_range(atmost_enter(join(pool), NULL), 0, 2);
	assert_int_equal(atmost_status(pool, NULL, 0, &totals), 3);
	assert_int_equal(totals.members, 3);
	assert_int_equal(totals.holders, 3);
	atmost_close(pool);
	assert_int_equal(keys_of("members"), 1);
}

static void status_tells_who_is_where(void **state)
{
	struct atmost *pool = open_groups("status");
	struct atmost_member *me = join(pool);
	struct atmost_seat seats[2];
	struct atmost_totals totals;
	struct timespec now;
	struct utsname machine;
	int slot;

	(void)state;
	uname(&machine);
	assert_int_equal(atmost_label(me, "fold 7"), 0);
	slot = atmost_enter(me, &(struct atmost_want){ .session = 0xabc });
	assert_int_equal(atmost_status(pool, seats, 2, &totals), 1);
	assert_int_equal(totals.k, 0);
	assert_int_equal(totals.holders, 1);
	assert_int_equal(totals.waiters, 0);
	assert_int_equal(seats[0].slot, slot);
	assert_int_equal(seats[0].position, 0);
	assert_int_equal(seats[0].session, 0xabc);
	assert_int_equal(seats[0].pid, getpid());
	assert_int_equal(seats[0].life, ATMOST_LIFE_CERTAIN);
	assert_string_equal(seats[0].host, machine.nodename);
	assert_string_equal(seats[0].label, "fold 7");
	assert_memory_equal(seats[0].command, program_invocation_short_name,
			    15);
	clock_gettime(CLOCK_MONOTONIC, &now);
	assert_true(seats[0].since.tv_sec <= now.tv_sec);
	assert_true(seats[0].since.tv_sec + WATCHDOG_SECONDS > now.tv_sec);
	/* The caller gives no room for these outputs. */
	memset(seats, 0x55, sizeof seats);
	assert_int_equal(atmost_status(pool, seats, 0, NULL), 1);
	assert_int_equal(seats[0].slot, 0x55555555);
	atmost_close(pool);
}

static void k_can_change(void **state)
{
	struct atmost *pool = open_k("resize", 1);
	struct atmost_member *one = join(pool), *two = join(pool);
	const struct atmost_want now = { .flags = ATMOST_TRY };
	struct atmost_shape is;

	(void)state;
	assert_int_equal(atmost_enter(one, NULL), 0);
	assert_int_equal(atmost_enter(two, &now), ATMOST_EBUSY);
	assert_int_equal(atmost_resize(pool, 2), 0);
	assert_int_equal(atmost_inspect(pool, &is), 0);
	assert_int_equal(is.k, 2);
	assert_int_equal(atmost_enter(two, &now), 1);
	assert_int_equal(atmost_resize(pool, 0), ATMOST_ESHAPE);
	assert_int_equal(atmost_resize(pool, 10001), ATMOST_ESHAPE);
	atmost_close(pool);
	assert_int_equal(atmost_open(&pool, address_of("mutex"),
				     &(struct atmost_shape){
					     .kind = ATMOST_MUTEX }),
			 0);
	assert_int_equal(atmost_resize(pool, 2), ATMOST_ENOTRESIZABLE);
	atmost_close(pool);
}

static void slots_have_names(void **state)
{
	struct atmost_shape shape = { .kind = ATMOST_ASSIGNMENT,
				      .names = "left,right" };
	struct atmost_shape is;
	struct atmost *pool, *again;
	struct atmost_member *me;

	(void)state;
	assert_int_equal(atmost_open(&pool, address_of("names"), &shape), 0);
	assert_int_equal(atmost_inspect(pool, &is), 0);
	assert_string_equal(is.names, "left,right");
	assert_int_equal(is.k, 2);
	assert_int_equal(is.k_max, 2);
	shape.names = "right,left";
	assert_int_equal(atmost_open(&again, address_of("names"), &shape), 0);
	assert_int_equal(atmost_inspect(again, &is), 0);
	assert_string_equal(is.names, "left,right");
	atmost_close(again);
	shape.names = "left,middle";
	assert_int_equal(open_error("names", &shape), ATMOST_ESHAPE);
	shape.names = "left,left";
	assert_int_equal(open_error("names-2", &shape), ATMOST_ESHAPE);
	assert_int_equal(atmost_resize(pool, 3), ATMOST_ESHAPE);
	me = join(pool);
	assert_in_range(atmost_enter(me, NULL), 0, 1);
	assert_int_equal(atmost_leave(me), 0);
	/* Another process gives the unused pool other names. */
	assert_int_equal(atmost_unlink_unused(address_of("names")), 0);
	shape.names = "up,down";
	assert_int_equal(atmost_open(&again, address_of("names"), &shape), 0);
	assert_int_equal(atmost_enter(me, NULL), ATMOST_ESHAPE);
	assert_true(detail_has("other slot names"));
	me = join(again);
	assert_in_range(atmost_enter(me, NULL), 0, 1);
	atmost_close(pool);
	atmost_close(again);
	/* R/pool and R/names. */
	assert_int_equal(keys_of("names"), 2);
}

static void a_removed_pool_loses_its_members(void **state)
{
	struct atmost *pool = open_k("removed", 1);
	struct atmost_member *me = join(pool);
	struct atmost_totals totals;

	(void)state;
	assert_int_equal(atmost_enter(me, NULL), 0);
	assert_int_equal(atmost_unlink_unused(address_of("removed")),
			 ATMOST_EBUSY);
	assert_int_equal(atmost_unlink(address_of("removed")), 0);
	assert_int_equal(keys_of("removed"), 0);
	assert_int_equal(atmost_leave(me), ATMOST_EEVICTED);
	assert_int_equal(atmost_enter(me, NULL), ATMOST_ENOTFOUND);
	assert_true(detail_has("removed"));
	assert_int_equal(atmost_status(pool, NULL, 0, &totals),
			 ATMOST_ENOTFOUND);
	assert_int_equal(atmost_unlink(address_of("removed")),
			 ATMOST_ENOTFOUND);
	atmost_close(pool);
	pool = open_k("removed", 1);
	atmost_close(pool);
	assert_int_equal(atmost_unlink_unused(address_of("removed")), 0);
	assert_int_equal(keys_of("removed"), 0);
}

static void some_calls_are_of_one_machine(void **state)
{
	struct atmost *pool = open_k("unsupported", 1);
	struct atmost_member *me = join(pool);
	struct atmost_shape shape = { .kind = ATMOST_OBJECT };

	(void)state;
	assert_int_equal(atmost_enter(me, NULL), 0);
	assert_int_equal(atmost_entrust(me, getpid(), NULL),
			 ATMOST_EUNSUPPORTED);
	assert_int_equal(atmost_evict(pool, 0), ATMOST_EUNSUPPORTED);
	assert_int_equal(open_error("object", &shape), ATMOST_EUNSUPPORTED);
	atmost_close(pool);
}

static void shared_objects_are_of_one_machine(void **state)
{
	const struct atmost_object_type type = atmost_counter_type();
	const struct atmost_object_shape shape = { .type = &type, .k = 1 };
	struct atmost_object *object;

	(void)state;
	assert_int_equal(atmost_object_open(&object, address_of("object"),
					    &shape),
			 ATMOST_EUNSUPPORTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pool_has_the_shape_that_is_asked_for),
		cmocka_unit_test(only_its_own_algorithms_serve_a_pool),
		cmocka_unit_test(a_bad_address_is_refused),
		cmocka_unit_test(what_is_not_etcd_is_refused),
		cmocka_unit_test(more_members_join_than_members_says),
		cmocka_unit_test(status_tells_who_is_where),
		cmocka_unit_test(k_can_change),
		cmocka_unit_test(slots_have_names),
		cmocka_unit_test(a_removed_pool_loses_its_members),
		cmocka_unit_test(some_calls_are_of_one_machine),
		cmocka_unit_test(shared_objects_are_of_one_machine),
	};

	watchdog_start("FAILED: a call for several machines hangs\n");
	return cmocka_run_group_tests(tests, start_node, stop_node);
}
