/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the search for fair cycles on a graph that is written by hand, because
 * no small algorithm has a cycle that is too long for a schedule. */
#include "checker/fair_cycles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

/* One process: STEM steps lead to a cycle of CYCLE steps, in which the process
 * is busy. */
enum { STEM = 3, CYCLE = 4, STATES = STEM + CYCLE };

struct lasso {
	uint64_t first[STATES], flags[STATES];
	struct graph_edge edge[STATES];
	struct graph graph;
};

static uint32_t successor(uint32_t s)
{
	return s + 1 < STATES ? s + 1 : STEM;
}

static void make_lasso(struct lasso *l)
{
	for (uint32_t s = 0; s < STATES; s++) {
		l->first[s] = s;
		l->flags[s] = CLASS_BUSY | FLAG_ENABLED;
		l->edge[s] = (struct graph_edge){ successor(s),
						  { 0, ACT_STEP, (uint8_t)s },
						  1 };
	}
	l->graph = (struct graph){ .first = l->first,
				   .flags = l->flags,
				   .edge = l->edge,
				   .states = STATES,
				   .edges = STATES,
				   .n = 1 };
}

static struct workers *find(uint32_t most)
{
	const struct question q = { .asked = NO_STARVATION | NO_DEADLOCK };
	struct workers *w = workers_open();
	struct lasso l;

	assert_non_null(w);
	make_lasso(&l);
	fair_cycles_find(&l.graph, &q, most, w);
	assert_int_equal(w->violated, NO_STARVATION | NO_DEADLOCK);
	assert_int_equal(w->stop, STOP_NOT);
	return w;
}

static void a_schedule_leads_into_the_cycle_and_around_it(void **state)
{
	struct workers *w = find(STATES);
	uint32_t at = 0;

	(void)state;
	assert_int_equal(w->first, NO_STARVATION);
	assert_int_equal(w->found.length, STATES);
	assert_int_equal(w->loop, CYCLE);
	for (uint32_t i = 0; i < w->found.length; i++) {
		assert_int_equal(w->found.choice[i].variant, at);
		at = successor(at);
	}
	assert_int_equal(at, STEM);
	workers_close(w);
}

/* If a part were missing, the schedule would not lead into the cycle, or the
 * cycle would not close. */
static void a_schedule_without_room_is_left_out_completely(void **state)
{
	(void)state;
	for (uint32_t most = 1; most < STATES; most++) {
		struct workers *w = find(most);

		assert_int_equal(w->first, 0);
		workers_close(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_schedule_leads_into_the_cycle_and_around_it),
		cmocka_unit_test(
			a_schedule_without_room_is_left_out_completely),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
