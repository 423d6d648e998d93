/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests every algorithm with processes that map its words at different
 * addresses.
 */
#include "arena.h"
#include "workers.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

/* Notes that the slot is held, or is free again.  Returns false if this was
 * already noted. */
static bool note(const struct arena *arena, int slot, bool held)
{
	return arena->algorithm->kind != KIND_K_ASSIGNMENT ||
	       atomic_exchange(&arena->shared->taken[slot], held) != held;
}

static void stay_inside(const struct arena *arena, int slot)
{
	struct shared *s = arena->shared;
	unsigned now = atomic_fetch_add(&s->inside, 1) + 1;
	unsigned most = atomic_load(&s->most);

	while (now > most &&
	       !atomic_compare_exchange_weak(&s->most, &most, now))
		continue;
	if (!note(arena, slot, true))
		atomic_fetch_add(&s->clashes, 1);
	if (arena->shape.k == 1)
		s->alone++;
	/* Yields now and then, so that other processes run while this process
	 * is inside, even on one cpu. */
	if (atomic_fetch_add(&s->passages, 1) % 8 == 0)
		sched_yield();
	note(arena, slot, false);
	atomic_fetch_sub(&s->inside, 1);
}

static void make_passages(struct arena *arena, unsigned id, double end)
{
	struct process self;

	arena_move(arena, id);
	self = arena_process(arena, id);
	for (unsigned i = 0; i < 20 || clock_seconds() < end; i++) {
		arena_enter(arena, &self);
		stay_inside(arena, self.slot);
		arena_leave(arena, &self);
	}
	_exit(0);
}

static void run_processes(const struct algorithm *a, unsigned n, unsigned k)
{
	struct arena arena;
	pid_t children[64];
	double end = clock_seconds() + clock_stress_seconds(0.3);

	watchdog_restart();
	arena_build(&arena, a->name, n, k);
	for (unsigned id = 0; id < n; id++) {
		children[id] = fork();
		assert_true(children[id] >= 0);
		if (children[id] == 0)
			make_passages(&arena, id, end);
	}
	for (unsigned id = 0; id < n; id++)
		arena_reap(children[id], false);
	print_message("%-25s processes %2u  k %u  most inside %u  %7u "
		      "passages\n",
		      a->name, n, k, arena.shared->most,
		      arena.shared->passages);
	assert_int_equal(0, arena.shared->inside);
	assert_true(arena.shared->most <= k);
	assert_int_equal(0, arena.shared->clashes);
	if (k == 1)
		assert_true(arena.shared->alone == arena.shared->passages);
	if (a->quiet)
		assert_true(a->quiet(arena_words(&arena), &arena.shape));
	arena_tear_down(&arena);
}

static void every_algorithm_lets_at_most_k_processes_in(void **state)
{
	const struct algorithm *a;

	(void)state;
	watchdog_start("a process is stuck\n");
	for (size_t i = 0; (a = workers_algorithm(i)) != NULL; i++)
		if (workers_k(a, 1)) {
			run_processes(a, 2, 1);
			run_processes(a, 6, workers_k(a, 3));
		}
}

static void no_wake_up_between_processes_is_lost(void **state)
{
	const struct algorithm *a;

	(void)state;
	wait_policy.nap = wait_policy.nap_most = INT64_C(3600000000000);
	wait_policy.pauses = wait_policy.yields = 0;
	watchdog_start("a wake-up was lost\n");
	for (size_t i = 0; (a = registry_at(i)) != NULL; i++)
		if (workers_k(a, 1))
			run_processes(a, 4, workers_k(a, 2));
	wait_policy.vector = false;
	run_processes(registry_find("k-bakery"), 4, 2);
	run_processes(registry_find("dijkstra"), 4, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STRESS_TEST(every_algorithm_lets_at_most_k_processes_in),
		STRESS_TEST(no_wake_up_between_processes_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
