/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A busy section is a loop that makes a fixed number of turns and touches no
 * memory.  A loop that reads the clock until the time is over would be wrong: a
 * worker that is preempted inside would do less work, so a contender with more
 * preemptions inside would seem faster.  The speed of the loop is measured once
 * per run, so all contenders do the same work.
 */
#include "bench/common/section.h"

#include "bench/common/clock.h"

#include <errno.h>
#include <string.h>

const struct section sections[SECTION_COUNT] = {
	{ "2us", 2000, false, 0.1 },
	{ "20us", 20000, false, 0.1 },
	{ "1ms-sleep", 1000000, true, 1.0 },
};

const struct section *section_find(const char *name)
{
	for (size_t i = 0; i < SECTION_COUNT; i++)
		if (strcmp(sections[i].name, name) == 0)
			return &sections[i];
	return NULL;
}

__attribute__((noinline)) void section_work(uint64_t turns)
{
	for (; turns > 0; turns--)
		__asm__ volatile("" ::: "memory");
}

void section_sleep(int64_t time)
{
	struct timespec left = clock_timespec(time);

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR)
		continue;
}

/*
 * Takes the fastest of many short tries, which together take about a quarter of
 * a second.  The fastest try was not interrupted, and no other logical cpu used
 * its core at the same time.
 */
double section_speed(void)
{
	enum { TRIES = 4000, TURNS = 200000 };
	int64_t least = INT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		int64_t start = clock_now(), took;

		section_work(TURNS);
		took = clock_now() - start;
		if (took < least)
			least = took;
	}
	return TURNS / (double)least;
}
