/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every group exclusion, over every mutex, between processes that see it at
 * different addresses.
 */
#include "arena.h"
#include "house.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void live(struct arena *arena, struct house *house, unsigned id,
		 double end)
{
	uint64_t random = crowd_seed() + id;
	struct process self;

	arena_move(arena, id);
	self = arena_process(arena, id);
	for (unsigned i = 0; i < 20 || crowd_now() < end; i++) {
		self.session = crowd_random(&random) % arena->shape.sessions +
			       1;
		arena_enter(arena, &self);
		house_stay(house, self.session, &random);
		arena_leave(arena, &self);
	}
	_exit(0);
}

static void between_processes(const struct algorithm *a, unsigned n)
{
	struct house *house = mmap(NULL, sizeof *house, PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	double end = crowd_now() + crowd_seconds(0.2);
	struct arena arena;
	pid_t child[MOST];

	assert_true(house != MAP_FAILED);
	arena_build_group(&arena, a->name, n, sessions_of(a));
	for (unsigned id = 0; id < n; id++) {
		child[id] = fork();
		assert_true(child[id] >= 0);
		if (child[id] == 0)
			live(&arena, house, id, end);
	}
	for (unsigned id = 0; id < n; id++)
		arena_reap(child[id], false);
	house_report(a->name, "processes", house);
	if (a->quiet)
		assert_true(a->quiet(arena_words(&arena), &arena.shape));
	arena_tear_down(&arena);
	munmap(house, sizeof *house);
}

static void every_group_exclusion_admits_one_session_of_processes(void **state)
{
	const struct algorithm *a;

	(void)state;
	crowd_watch(300, "a process is stuck\n");
	for (size_t i = 0; (a = crowd_algorithm(i)) != NULL; i++)
		if (is_native_group(a))
			between_processes(a, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CROWD_TEST(
			every_group_exclusion_admits_one_session_of_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
