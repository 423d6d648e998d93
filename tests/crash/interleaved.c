/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests what one process does if another process acts between two of its steps.
 * The library is linked over the memory of tests/crash/stops, which calls
 * stops_reach before every step; here that function plays the other process.
 */
#include "common/folder.h"
#include "runtime/error.h"
#include "runtime/member.h"
#include "runtime/record.h"
#include "runtime/recovery.h"
#include "runtime/removal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

void stops_reach(void);
int __real_fcntl64(int fd, int command, void *argument);
int __wrap_fcntl64(int fd, int command, void *argument);

static void (*at_step)(void);      /* called before every step */
static void (*at_file_lock)(void); /* called once, before a file lock */

/* Runs `other` in the role of the other process.  Meanwhile at_step is NULL, so
 * that the steps of `other` do not call it. */
static void let_act(void (*other)(void))
{
	void (*const step)(void) = at_step;

	at_step = NULL;
	other();
	at_step = step;
}

void stops_reach(void)
{
	if (at_step)
		let_act(at_step);
}

int __wrap_fcntl64(int fd, int command, void *argument)
{
	void (*const other)(void) = at_file_lock;

	at_file_lock = NULL;
	if (other)
		let_act(other);
	return __real_fcntl64(fd, command, argument);
}

static struct atmost *open_pool(const char *name, const char *algorithm)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_EXCLUSION,
		.algorithm = algorithm,
		.k = 1,
		.members = 4,
	};
	struct atmost *pool;

	assert_int_equal(0, atmost_open(&pool, name, &shape));
	return pool;
}

static struct atmost_member *join(struct atmost *pool)
{
	struct atmost_member *me;

	assert_int_equal(0, atmost_join(pool, &me));
	return me;
}

/* Recovery. */

static void a_recoverer_that_comes_late_spares_the_next_member(void **state)
{
	struct atmost *pool = open_pool("late", "k-bakery");
	struct atmost_member *me = join(pool);
	const unsigned id = me->process.id;
	const uint64_t found = mem_read(&me->record->state);

	(void)state;
	/* Another recoverer has recovered the member, and the next member has
	 * its id. */
	assert_int_equal(0, recovery_of_dead(pool, id, found));
	atmost_part(me);
	me = join(pool);
	assert_int_equal(id, me->process.id);
	assert_int_equal(0, atmost_enter(me, NULL));
	assert_int_equal(ATMOST_EBUSY, recovery_of_dead(pool, id, found));
	assert_int_equal(TURN_INSIDE, record_phase(me->record));
	assert_int_equal(0, atmost_leave(me));
	atmost_part(me);
	atmost_close(pool);
}

static struct {
	struct atmost *pool;
	unsigned id;
} victim;

/* A recoverer of another process recovers the victim. */
static void recover_victim(void)
{
	struct record *r = pool_record(victim.pool, victim.id);
	struct process dead = {
		.id = victim.id,
		.shape = &victim.pool->shape,
		.own = pool_own(victim.pool, victim.id),
	};

	victim.pool->algorithm->recover(pool_words(victim.pool), &dead);
	record_vacate(r);
}

/* A member looks whether it was declared dead, and then takes the lock that
 * keeps recoverers away.  A recoverer comes in between. */
static void a_member_that_was_recovered_before_it_took_the_lock_is_evicted(
	void **state)
{
	struct atmost *pool = open_pool("exclude", "k-bakery");
	struct atmost_member *me = join(pool);

	(void)state;
	assert_int_equal(0, atmost_enter(me, NULL));
	assert_int_equal(0, atmost_entrust(me, getpid(), NULL));
	victim.pool = pool;
	victim.id = me->process.id;
	at_file_lock = recover_victim;
	assert_int_equal(ATMOST_EEVICTED, atmost_leave(me));
	assert_null(at_file_lock);
	atmost_part(me);
	atmost_close(pool);
}

/* Entrusting.  The recoverer reads the state before step `look` and declares
 * the member dead before step `declare`. */
static struct {
	struct record *record;
	unsigned step, look, declare;
	uint64_t seen;
	bool declared;
} race;

static void read_or_declare(void)
{
	const unsigned step = ++race.step;

	if (step == race.look)
		race.seen = mem_read(&race.record->state);
	if (step == race.declare)
		race.declared = mem_cas(&race.record->state, race.seen,
					race.seen | STATE_RECOVERING);
}

/* Returns the number of steps that entrusting takes. */
static unsigned entrust_in_a_race(struct atmost_member *me, unsigned look,
				  unsigned declare)
{
	const struct identity identity = { .pid = 1, .space = 1, .start = 1 };
	const uint64_t before = mem_read(&me->record->state);
	bool entrusted;
	unsigned steps;

	race.record = me->record;
	race.look = look;
	race.declare = declare;
	race.step = 0;
	race.declared = false;
	at_step = read_or_declare;
	entrusted = record_entrust(me->record, me->process.badge, &identity,
				   NULL, STATE_ENTRUSTED);
	at_step = NULL;
	steps = race.step;
	while (race.step < declare)
		read_or_declare();
	if (entrusted == race.declared)
		fail_msg("the recoverer looks before step %u and declares "
			 "before step %u: entrusted %d, declared %d",
			 look, declare, entrusted, race.declared);
	mem_write(&me->record->state, before);
	return steps;
}

static void a_member_is_entrusted_or_declared_dead_and_never_both(void **state)
{
	struct atmost *pool = open_pool("entrust", "roster");
	struct atmost_member *me = join(pool);
	unsigned steps;

	(void)state;
	/* A member that is entrusted twice has the same flags twice. */
	assert_int_equal(0, atmost_entrust(me, getppid(), NULL));
	steps = entrust_in_a_race(me, 0, 0);
	assert_true(steps > 4);
	for (unsigned look = 1; look <= steps; look++)
		for (unsigned declare = look; declare <= steps + 1; declare++)
			entrust_in_a_race(me, look, declare);
	atmost_part(me);
	atmost_close(pool);
}

/* Removal. */

static void a_pool_that_took_over_the_name_is_not_removed(void **state)
{
	struct atmost *old = open_pool("name", "roster"), *new;
	char aside[4096];

	(void)state;
	/* The old file keeps its inode, because it still has a name. */
	snprintf(aside, sizeof aside, "%s", folder_path("aside"));
	assert_int_equal(0, rename(folder_path("name.pool"), aside));
	new = open_pool("name", "roster");
	assert_int_equal(ATMOST_ENOTFOUND, removal_begin(old));
	assert_int_equal(0, mem_read(&old->header->removed));
	assert_int_equal(0, removal_resume(old));
	assert_int_equal(0, access(folder_path("name.pool"), F_OK));
	atmost_part(join(new));
	/* The new pool, which has the name now, can be removed. */
	assert_int_equal(0, removal_begin(new));
	removal_cancel(new);
	atmost_close(old);
	atmost_close(new);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_recoverer_that_comes_late_spares_the_next_member),
		cmocka_unit_test(
			a_member_that_was_recovered_before_it_took_the_lock_is_evicted),
		cmocka_unit_test(
			a_member_is_entrusted_or_declared_dead_and_never_both),
		cmocka_unit_test(a_pool_that_took_over_the_name_is_not_removed),
	};
	int failed;

	folder_create(NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	folder_delete();
	return failed;
}
