/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Steps, the process's side: announce one and be suspended until it is made.
 *
 * All of this runs on simulated stacks and is compiled like the algorithms:
 * what a suspended process has on its stack is its state.  The switch is the
 * last thing each function does, so that none of them has a frame of its own.
 */
#include "memory/simulated/arena.h"
#include "memory/simulated/coroutine.h"

static struct {
	unsigned running;
	char *scheduler;
	void (*body)(struct actor *);
} now;

bool arena_sleeps_on(unsigned p, size_t word)
{
	const struct errand *e = &sim.errand[p];

	if (!sim_asleep(p))
		return false;
	for (uint32_t i = 0; i < e->watch_count; i++)
		if (e->watched[i].word == word)
			return true;
	return false;
}

void arena_watch(unsigned p, size_t word, uint64_t value)
{
	struct errand *e = &sim.errand[p];

	/* Twice is once too often in a state; in a crowd looking for it would
	 * make a pass quadratic, and the first value read still counts. */
	for (uint32_t i = 0; sim.n <= MAX_EXHAUSTIVE_N && i < e->watch_count;
	     i++)
		if (e->watched[i].word == word)
			return;
	/* Rather look once too often than wait for what was not noted. */
	if (arena_watch_full(p))
		arena_restless(p);
	else
		e->watched[e->watch_count++] = (struct watched){ (uint32_t)word,
								 value };
}

/* In a poll that is made again after every nap. */
bool arena_polls(unsigned p)
{
	return !sim.wakes_are_steps && sim.actor[p]->polls;
}

/*
 * A pass that changed something may end otherwise when it is made again: note
 * a word that never has the value it is said to have had, once and first.
 */
void arena_restless(unsigned p)
{
	struct errand *e = &sim.errand[p];
	struct watched first = e->watched[0];

	if (!arena_polls(p) || (e->watch_count && first.word == sim.sleeping))
		return;
	e->watched[0] = (struct watched){ (uint32_t)sim.sleeping, UINT64_MAX };
	if (!e->watch_count)
		e->watch_count = 1;
	else if (!arena_watch_full(p))
		e->watched[e->watch_count++] = first;
}

uint64_t sim_step(enum step_kind kind, struct word *word, uint64_t a,
		  uint64_t b, const char *where)
{
	struct errand *e = &sim.errand[now.running];
	struct step *step = &sim.actor[now.running]->step;

	step->kind = kind;
	step->word = word;
	step->a = a;
	step->b = b;
	step->where = where;
	step->result = 0;
	e->step = step;
	return coroutine_switch(&e->sp, now.scheduler, 0);
}

uint64_t sim_large(large_step *function, void *shared, struct process *self,
		   const char *where)
{
	return sim_step(STEP_LARGE, shared, (uint64_t)(uintptr_t)function,
			(uint64_t)(uintptr_t)self, where);
}

/* A wake is a step only if it has somebody to wake. */
void sim_wake(struct word *word, const char *where)
{
	if (!sim.wakes_are_steps)
		return;
	for (unsigned p = 0; p < sim.n && p < 64; p++) {
		if (arena_sleeps_on(p, sim_index(word))) {
			sim_step(STEP_WAKE, word, 0, 0, where);
			return;
		}
	}
}

/* Nothing read in an earlier pass matters in this one. */
struct wait_set sim_pass_begins(void)
{
	sim_forget_pass(now.running);
	return (struct wait_set){ 0 };
}

/*
 * Where everybody naps, a pass is repeated whatever it read has changed,
 * declared or not: step.c notes that.  Without naps only the declared counts.
 */
void sim_wait_for_change(struct word *word, uint64_t value)
{
	sim.errand[now.running].named = true;
	if (sim.wakes_are_steps)
		arena_watch(now.running, sim_index(word), value);
}

void sim_own_write(struct process *self, unsigned i, uint64_t value)
{
	if (self->own[i] != value)
		arena_restless(now.running);
	self->own[i] = value;
}

void sim_doorway_ends(struct process *self)
{
	struct actor *a = sim.actor[self->id];

	/* A component's doorway is its owner's business. */
	if (self != &a->self)
		return;
	a->phase = PHASE_WAITING;
	a->region_steps = 0;
}

static void begin(void)
{
	now.body(sim.actor[now.running]);
	for (;;)
		sim_step(STEP_END, NULL, 0, 0, "");
}

void sim_start(unsigned p, void (*body)(struct actor *))
{
	struct errand *e = &sim.errand[p];

	now.body = body;
	sim_forget_pass(p);
	e->sp = coroutine_prepare((char *)sim.actor[p], begin);
	sim_resume(p);
}

void arena_switch(unsigned p, uint64_t result)
{
	now.running = p;
	coroutine_switch(&now.scheduler, sim.errand[p].sp, result);
}
