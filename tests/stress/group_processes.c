/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests every group exclusion algorithm, over every mutex, with processes that
 * map its words at different addresses.
 */
#include "arena.h"
#include "session_counts.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void make_passages(struct arena *arena, struct session_counts *counts,
			  unsigned id, double end)
{
	uint64_t random = prng_seed() + id;
	struct process self;

	arena_move(arena, id);
	self = arena_process(arena, id);
	for (unsigned i = 0; i < 20 || clock_seconds() < end; i++) {
		self.session = prng_next(&random) % arena->shape.sessions + 1;
		arena_enter(arena, &self);
		session_counts_stay(counts, self.session, &random);
		arena_leave(arena, &self);
	}
	_exit(0);
}

static void between_processes(const struct algorithm *a, unsigned n)
{
	struct session_counts *counts = mmap(NULL, sizeof *counts,
					     PROT_READ | PROT_WRITE,
					     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	double end = clock_seconds() + clock_stress_seconds(0.2);
	struct arena arena;
	pid_t child[MOST];

	watchdog_restart();
	assert_true(counts != MAP_FAILED);
	arena_build_group(&arena, a->name, n, sessions_of(a));
	for (unsigned id = 0; id < n; id++) {
		child[id] = fork();
		assert_true(child[id] >= 0);
		if (child[id] == 0)
			make_passages(&arena, counts, id, end);
	}
	for (unsigned id = 0; id < n; id++)
		arena_reap(child[id], false);
	session_counts_report(a->name, "processes", counts);
	if (a->quiet)
		assert_true(a->quiet(arena_words(&arena), &arena.shape));
	arena_tear_down(&arena);
	munmap(counts, sizeof *counts);
}

static void
every_group_exclusion_admits_one_session_at_a_time_between_processes(
	void **state)
{
	const struct algorithm *a;

	(void)state;
	watchdog_start("a process is stuck\n");
	for (size_t i = 0; (a = workers_algorithm(i)) != NULL; i++)
		if (is_native_group(a))
			between_processes(a, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STRESS_TEST(
			every_group_exclusion_admits_one_session_at_a_time_between_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
