/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Implements atmost_evict: if the library cannot find out whether a holder is
 * dead, the caller declares the holder dead.
 */
#include "runtime/death.h"
#include "runtime/error.h"
#include "runtime/holders.h"
#include "runtime/recovery.h"

static int evict(struct atmost *pool, unsigned slot)
{
	const int id = holders_of_slot(pool, slot);
	struct death_look look;
	uint64_t state;

	if (id < 0)
		return error_say(ATMOST_ENOTFOUND, "no member holds slot %u",
				 slot);
	if (!pool->algorithm->recover)
		return error_say(ATMOST_ENOTABORTABLE,
				 "%s cannot recover a slot",
				 pool->algorithm->name);
	death_look_begin(&look, pool);
	state = mem_read(&pool_record(pool, (unsigned)id)->state);
	switch (death_of(&look, (unsigned)id, NULL)) {
	case DEATH_DEAD:
	case DEATH_UNKNOWN:
		return recovery_of_dead(pool, (unsigned)id, state);
	default:
		return error_say(ATMOST_EBUSY, "the holder of slot %u is alive",
				 slot);
	}
}

int atmost_evict(struct atmost *pool, unsigned slot)
{
	int cancel = quiet_refuse_cancel();
	int error = pool_arrive(pool);

	if (!error && pool->calls)
		error = error_say(
			ATMOST_EUNSUPPORTED,
			"a pool of several machines frees the slot of "
			"a dead holder when its lease ends");
	if (!error && !pool_is_known(pool))
		error = error_say(
			ATMOST_ESHAPE,
			"this is a shared object: only a program that "
			"has its type can recover its members");
	if (!error)
		error = evict(pool, slot);
	quiet_allow_cancel(cancel);
	return error;
}
