/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests record_read_passage of runtime/record.h: an observer never gets the
 * slot of one passage and the session of another.  A thread makes passages in
 * which the slot and the session are the same number; the main thread observes
 * its record.
 */
#include "runtime/record.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { PASSAGES = 3000, NUMBERS = 1024 };

static struct record record;
static atomic_bool over;

/* Prolongs the time inside, so that an observer can read the record during
 * it. */
static void stay(void)
{
	for (volatile unsigned i = 0; i < 200; i++)
		;
}

static void *make_passages(void *unused)
{
	(void)unused;
	for (uint64_t i = 0; !atomic_load(&over); i++) {
		record_show_next(&record, TURN_WAITING);
		mem_write_release(&record.session, i % NUMBERS);
		mem_write_release(&record.slot, i % NUMBERS);
		record_show(&record, TURN_INSIDE);
		stay();
		record_show(&record, TURN_OUTSIDE);
	}
	return NULL;
}

int main(void)
{
	unsigned long passages = 0, moving = 0, mixed = 0;
	uint64_t last = NUMBERS;
	struct passage passage;
	pthread_t member;

	if (pthread_create(&member, NULL, make_passages, NULL) != 0)
		return 2;
	while (passages < PASSAGES) {
		if (!record_read_passage(&record, &passage)) {
			moving++;
		} else if (passage.phase == TURN_INSIDE) {
			passages += passage.session != last;
			last = passage.session;
			mixed += passage.session != (uint64_t)passage.slot;
		}
	}
	atomic_store(&over, true);
	pthread_join(member, NULL);
	printf("%lu passages observed, the member kept moving %lu times; "
	       "slot and session of different passages: %lu\n",
	       passages, moving, mixed);
	return mixed > 0;
}
