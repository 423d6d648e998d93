/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Most functions of this file run on simulated stacks.  They are compiled like
 * the algorithms, because the stack of a suspended process is part of its
 * state.  A function that announces a step ends with the stack switch, so that
 * it leaves no frame of its own on that stack.
 */
#include "memory/simulated/process.h"

#include "memory/simulated/coroutine.h"
#include "memory/simulated/pass.h"

static struct {
	unsigned running;
	char *scheduler; /* the stack pointer of the scheduler */
	void (*body)(struct simulated_process *);
} now;

uint64_t sim_step(enum step_kind kind, struct word *word, uint64_t a,
		  uint64_t b, const char *where)
{
	struct coroutine *co = &sim.coroutine[now.running];
	struct step *step = &sim.process[now.running]->step;

	step->kind = kind;
	step->word = word;
	step->a = a;
	step->b = b;
	step->where = where;
	step->result = 0;
	co->step = step;
	return coroutine_switch(&co->sp, now.scheduler, 0);
}

uint64_t sim_large(large_step *function, void *shared, struct process *self,
		   const char *where)
{
	return sim_step(STEP_LARGE, shared, (uint64_t)(uintptr_t)function,
			(uint64_t)(uintptr_t)self, where);
}

/* A wake is a step only if it wakes a process. */
void sim_wake(struct word *word, const char *where)
{
	if (!sim.wakes_are_steps)
		return;
	for (unsigned p = 0; p < sim.n && p < 64; p++) {
		if (pass_sleeps_on(p, sim_index(word))) {
			sim_step(STEP_WAKE, word, 0, 0, where);
			return;
		}
	}
}

/* The words that an earlier pass read do not matter in the new pass. */
struct wait_set sim_pass_begins(void)
{
	sim.await_anys++;
	sim_forget_pass(now.running);
	return (struct wait_set){ 0 };
}

/* Whether the last step of the running process has read this value from this
 * word, and the read was not torn. */
static bool has_just_read(const struct word *word, uint64_t value)
{
	const struct step *last = &sim.process[now.running]->step;
	bool reads = last->kind == STEP_READ || (last->kind == STEP_SAFE_READ &&
						 !sim_in_flux(sim_index(word)));

	return reads && last->word == word && last->result == value;
}

/*
 * In a search in which wakes are steps, a process sleeps only on the words that
 * its pass names by this function.  In other searches, a pass is repeated after
 * a change of any word that it read, named or not; scheduler.c records those
 * words.
 *
 * Natively, the process reads the word again here, before it sleeps.  Other
 * processes may step before this read, and the process misses their wake-ups.
 * So the read is a step of its own, unless the last step of the process has
 * read the same value: then that step may as well have happened later.
 */
void sim_wait_for_change(struct word *word, uint64_t value, const char *where)
{
	sim.coroutine[now.running].named = true;
	if (!sim.wakes_are_steps)
		return;
	pass_note_read(now.running, sim_index(word), value);
	if (!has_just_read(word, value))
		sim_step(STEP_NAME, word, value, 0, where);
}

void sim_own_write(struct process *self, unsigned i, uint64_t value)
{
	if (self->own[i] != value)
		pass_note_effect(now.running);
	self->own[i] = value;
}

void sim_doorway_ends(struct process *self)
{
	struct simulated_process *a = sim.process[self->id];

	/* The end of the doorway of a component is not the end of the doorway
	 * of the algorithm that uses it. */
	if (self != &a->self)
		return;
	a->phase = PHASE_WAITING;
	a->region_steps = 0;
}

static void begin(void)
{
	now.body(sim.process[now.running]);
	for (;;)
		sim_step(STEP_END, NULL, 0, 0, "");
}

void process_prepare(unsigned p, void (*body)(struct simulated_process *))
{
	now.body = body;
	sim.coroutine[p].sp = coroutine_prepare((char *)sim.process[p], begin);
}

void process_continue(unsigned p, uint64_t result)
{
	now.running = p;
	coroutine_switch(&now.scheduler, sim.coroutine[p].sp, result);
}

uint64_t sim_first(unsigned counter)
{
	return counter < MOST_COUNTERS ? sim.first[counter] : 0;
}
