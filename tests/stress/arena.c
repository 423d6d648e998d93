/* SPDX-License-Identifier: BSD-2-Clause */
#include "arena.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PAGE = 4096 };

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

struct word *arena_bell(const struct arena *arena)
{
	return layout_bell(memory_of(arena));
}

struct word *arena_words(const struct arena *arena)
{
	return (struct word *)(void *)(memory_of(arena) + arena->layout.words);
}

static void build(struct arena *arena, const char *name, struct shape shape)
{
	arena->algorithm = registry_find(name);
	arena->shape = shape;
	arena->shape.component = arena->algorithm->composition.component;
	assert_true(layout_compute(&arena->layout, arena->algorithm,
				   &arena->shape, 0));
	arena->size = PAGE + arena->layout.size;
	arena->file = memfd_create("arena", MFD_CLOEXEC);
	assert_true(arena->file >= 0);
	assert_int_equal(0, ftruncate(arena->file, (off_t)arena->size));
	arena->shared = map(arena);
	layout_prepare(memory_of(arena), &arena->layout, arena->algorithm,
		       &arena->shape);
	assert_true(mem_know(arena->shared, arena->size, arena_bell(arena)));
}

void arena_build(struct arena *arena, const char *name, unsigned n, unsigned k)
{
	build(arena, name, (struct shape){ .n = n, .k = k });
}

void arena_build_group(struct arena *arena, const char *name, unsigned n,
		       unsigned sessions)
{
	build(arena, name, (struct shape){ .n = n, .sessions = sessions });
}

void arena_tear_down(struct arena *arena)
{
	mem_forget(arena->shared);
	munmap(arena->shared, arena->size);
	close(arena->file);
}

void arena_move(struct arena *arena, unsigned id)
{
	struct shared *inherited = arena->shared;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	mmap(NULL, (id + 1) * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	     0);
	arena->shared = map(arena);
	mem_forget(inherited);
	munmap(inherited, arena->size);
	if (arena->shared == inherited ||
	    !mem_know(arena->shared, arena->size, arena_bell(arena)))
		abort();
}

struct process arena_process(const struct arena *arena, unsigned id)
{
	const struct layout *layout = &arena->layout;
	void *own = memory_of(arena) + layout->members +
		    id * layout->member_each + layout->own;

	return (struct process){
		.id = id,
		.shape = &arena->shape,
		.own = own,
	};
}

void arena_enter(const struct arena *arena, struct process *self)
{
	const struct algorithm *a = arena->algorithm;
	struct wait_set wait;

	if (a->enter) {
		self->slot = a->enter(arena_words(arena), self);
		return;
	}
	if (!a->doorway(arena_words(arena), self)) {
		wait_begin(&wait);
		while (!a->poll(arena_words(arena), self, &wait))
			wait_again(&wait, NULL);
	}
	if (a->settle)
		a->settle(arena_words(arena), self);
}

/*
 * Zeroes the own words that do not persist; this must happen after each
 * passage.
 */
static void forget(const struct arena *arena, struct process *self)
{
	const struct algorithm *a = arena->algorithm;
	unsigned count = a->own_words ? a->own_words(&arena->shape) : 0;
	unsigned kept = a->own_persistent ? a->own_persistent(&arena->shape)
					  : 0;

	for (unsigned i = kept; i < count; i++)
		self->own[i] = 0;
}

void arena_leave(const struct arena *arena, struct process *self)
{
	arena->algorithm->leave(arena_words(arena), self);
	forget(arena, self);
}

void arena_reap(pid_t pid, bool killed)
{
	int status;

	assert_int_equal(pid, waitpid(pid, &status, 0));
	assert_true(killed ? WIFSIGNALED(status) : status == 0);
}
