/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The same memory in several processes, at a different address in each.
 */
#define _GNU_SOURCE

#include "crowd.h"

#include "runtime/object.h"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PAGE = 4096 };

/* The first page counts who is inside; the object's memory follows. */
struct shared {
	atomic_uint inside;
	atomic_uint most;
	atomic_uint passages;
	uint64_t alone; /* k = 1: incremented inside by all */
};

struct arena {
	const struct algorithm *algorithm;
	struct shape shape;
	struct layout layout;
	size_t size;
	int file;
	struct shared *shared;
};

static struct shared *map(const struct arena *arena)
{
	void *at = mmap(NULL, arena->size, PROT_READ | PROT_WRITE, MAP_SHARED,
			arena->file, 0);

	if (at == MAP_FAILED)
		abort();
	return at;
}

static char *memory_of(const struct arena *arena)
{
	return (char *)arena->shared + PAGE;
}

static void *words_of(const struct arena *arena)
{
	return memory_of(arena) + arena->layout.words;
}

static void build(struct arena *arena, const char *name, unsigned n,
		  unsigned k)
{
	arena->algorithm = registry_find(name);
	arena->shape = (struct shape){ .n = n, .k = k };
	assert_true(object_lay_out(&arena->layout, arena->algorithm,
				   &arena->shape));
	arena->size = PAGE + arena->layout.size;
	arena->file = memfd_create("arena", MFD_CLOEXEC);
	assert_true(arena->file >= 0);
	assert_int_equal(0, ftruncate(arena->file, (off_t)arena->size));
	arena->shared = map(arena);
	object_prepare(memory_of(arena), &arena->layout, arena->algorithm,
		       &arena->shape);
}

static void tear_down(struct arena *arena)
{
	munmap(arena->shared, arena->size);
	close(arena->file);
}

/* A forked child moves its mapping to where nobody else has it. */
static void move(struct arena *arena, unsigned id)
{
	struct shared *inherited = arena->shared;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	mmap(NULL, (id + 1) * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	     0);
	arena->shared = map(arena);
	munmap(inherited, arena->size);
	if (arena->shared == inherited)
		abort();
}

static struct process process_of(const struct arena *arena, unsigned id)
{
	const struct layout *layout = &arena->layout;

	return (struct process){
		.id = id,
		.shape = &arena->shape,
		.own = (uint64_t *)(void *)(memory_of(arena) + layout->own +
					    id * layout->own_each),
		.bell = (struct word *)(void *)memory_of(arena),
	};
}

/* What the runtime does, without it. */
static void enter(const struct arena *arena, struct process *self)
{
	const struct algorithm *a = arena->algorithm;
	struct wait_set wait;

	if (a->enter) {
		a->enter(words_of(arena), self);
	} else if (!a->doorway(words_of(arena), self)) {
		wait_begin(&wait);
		while (!a->poll(words_of(arena), self, &wait))
			wait_again(&wait, NULL);
	}
}

static void stay(const struct arena *arena)
{
	struct shared *s = arena->shared;
	unsigned now = atomic_fetch_add(&s->inside, 1) + 1;
	unsigned most = atomic_load(&s->most);

	while (now > most && !atomic_compare_exchange_weak(&s->most, &most, now))
		continue;
	if (arena->shape.k == 1)
		s->alone++;
	/* Now and then others find us inside, however few cpus there are. */
	if (atomic_fetch_add(&s->passages, 1) % 8 == 0)
		sched_yield();
	atomic_fetch_sub(&s->inside, 1);
}

static void live(struct arena *arena, unsigned id, double end)
{
	struct process self;

	move(arena, id);
	self = process_of(arena, id);
	for (unsigned i = 0; i < 20 || crowd_now() < end; i++) {
		enter(arena, &self);
		stay(arena);
		arena->algorithm->leave(words_of(arena), &self);
	}
	_exit(0);
}

static void reap(pid_t pid, bool killed)
{
	int status;

	assert_int_equal(pid, waitpid(pid, &status, 0));
	assert_true(killed ? WIFSIGNALED(status) : status == 0);
}

static void share(const struct algorithm *a, unsigned n, unsigned k)
{
	struct arena arena;
	pid_t children[64];
	double end = crowd_now() + crowd_seconds(0.3);

	build(&arena, a->name, n, k);
	for (unsigned id = 0; id < n; id++) {
		children[id] = fork();
		assert_true(children[id] >= 0);
		if (children[id] == 0)
			live(&arena, id, end);
	}
	for (unsigned id = 0; id < n; id++)
		reap(children[id], false);
	print_message("%-14s processes %2u  k %u  most inside %u  %7u "
		      "passages\n", a->name, n, k, arena.shared->most,
		      arena.shared->passages);
	assert_int_equal(0, arena.shared->inside);
	assert_true(arena.shared->most <= k);
	if (k == 1)
		assert_true(arena.shared->alone == arena.shared->passages);
	if (a->quiet)
		assert_true(a->quiet(words_of(&arena), &arena.shape));
	tear_down(&arena);
}

static void every_algorithm_excludes_processes(void **state)
{
	const struct algorithm *a;

	(void)state;
	crowd_watch(300, "a process is stuck\n");
	for (size_t i = 0; (a = registry_at(i)) != NULL; i++)
		if (crowd_k(a, 1)) {
			share(a, 2, 1);
			share(a, 6, crowd_k(a, 3));
		}
}

static void no_wake_up_between_processes_is_lost(void **state)
{
	const struct algorithm *a;

	(void)state;
	wait_policy.nap = wait_policy.nap_most = INT64_C(3600000000000);
	wait_policy.pauses = wait_policy.yields = 0;
	crowd_watch(300, "a wake-up was lost\n");
	for (size_t i = 0; (a = registry_at(i)) != NULL; i++)
		if (crowd_k(a, 1))
			share(a, 4, crowd_k(a, 2));
	wait_policy.vector = false;
	share(registry_find("k-bakery"), 4, 2);
	share(registry_find("dijkstra"), 4, 1);
}

/* Killed in its sleep. */

static void sleep_on_words(struct word *word, unsigned count)
{
	uint64_t v;

	if (count == 1)
		await(v, &word[0], v == UINT64_MAX);
	else
		await_any(pass) {
			for (unsigned i = 0; i < count; i++)
				if (look(pass, &word[i]) == UINT64_MAX)
					_exit(1);
		}
	_exit(1);
}

static unsigned numbers(struct word *word, unsigned count)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < count; i++)
		sum += word[i].gate >> 2;
	return sum;
}

/*
 * k-ticket's memory, as a place for words.  Each word's gate, and the bell's,
 * is raised, which is what costs a system call, at most once.
 */
static void kill_sleeper(unsigned count, bool vector)
{
	struct arena arena;
	struct word *bell, *word;
	unsigned raised;
	pid_t pid;

	wait_policy.vector = vector;
	build(&arena, "k-ticket", 2, 1);
	bell = (struct word *)(void *)memory_of(&arena);
	word = words_of(&arena);
	pid = fork();
	if (pid == 0) {
		move(&arena, 0);
		sleep_on_words(words_of(&arena), count);
	}
	while (!(word[count - 1].gate & GATE_FLAGS))
		usleep(1000);
	usleep(20000);
	kill(pid, SIGKILL);
	reap(pid, true);
	for (uint64_t i = 0; i < 1000; i++)
		for (unsigned j = 0; j < count; j++) {
			mem_write(&word[j], i);
			mem_wake(&word[j]);
		}
	raised = numbers(word, count);
	print_message("%u words%s: %u wakes by 1000 writes of each\n", count,
		      vector ? "" : ", by the bell", raised);
	assert_int_equal(count, raised);
	assert_int_equal(!vector, bell->gate >> 2);
	tear_down(&arena);
}

static void a_killed_sleeper_costs_one_wake_in_all(void **state)
{
	(void)state;
	crowd_watch(60, "nobody falls asleep\n");
	kill_sleeper(1, true);
	kill_sleeper(4, true);
	kill_sleeper(4, false);
}

/* Wakes that `count` passages of process 0, which is alone, cost. */
static unsigned wakes(struct arena *arena, unsigned count)
{
	struct process self = process_of(arena, 0);
	unsigned words = (unsigned)arena->layout.word_count;
	unsigned before = numbers(words_of(arena), words);

	while (count-- > 0) {
		enter(arena, &self);
		arena->algorithm->leave(words_of(arena), &self);
	}
	return numbers(words_of(arena), words) - before;
}

static void a_killed_waiter_of_k_bakery_leaves_no_price_behind(void **state)
{
	enum { N = 4 };
	struct arena arena;
	struct process holder, victim;
	struct word *words;
	unsigned burial, later, armed = 0;
	pid_t pid;

	(void)state;
	crowd_watch(60, "nobody falls asleep\n");
	build(&arena, "k-bakery", N, 1);
	words = words_of(&arena);
	holder = process_of(&arena, 0);
	enter(&arena, &holder);
	pid = fork();
	if (pid == 0) {
		move(&arena, 1);
		victim = process_of(&arena, 1);
		enter(&arena, &victim);
		_exit(1);
	}
	while (armed == 0) {
		usleep(20000);
		for (unsigned i = 0; i < arena.layout.word_count; i++)
			armed += words[i].gate & GATE_SLEEPER;
	}
	kill(pid, SIGKILL);
	reap(pid, true);
	victim = process_of(&arena, 1);
	burial = numbers(words, (unsigned)arena.layout.word_count);
	arena.algorithm->recover(words, &victim);
	arena.algorithm->leave(words, &holder);
	burial = numbers(words, (unsigned)arena.layout.word_count) - burial;
	later = wakes(&arena, 1000);
	print_message("%u wakes to bury it and leave, %u in 1000 passages\n",
		      burial, later);
	assert_int_equal(0, later);
	tear_down(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CROWD_TEST(every_algorithm_excludes_processes),
		CROWD_TEST(no_wake_up_between_processes_is_lost),
		CROWD_TEST(a_killed_sleeper_costs_one_wake_in_all),
		CROWD_TEST(a_killed_waiter_of_k_bakery_leaves_no_price_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
