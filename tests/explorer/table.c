/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of the algorithm `random-program`, and the registry that contains
 * it, so that the checker can be asked about it. */
#include "specification.h"
#include "subject.h"

#include "algorithms/registry.h"

#include <string.h>

struct program program;
struct algorithm table = { .name = "random-program" };

extern const struct algorithm *const registry_twins[];
extern const size_t registry_twin_count;
const struct algorithm *const registry_twins[] = { &table };
const size_t registry_twin_count = 1;

unsigned program_words(const struct program *p)
{
	return PLAIN_WORDS + (p->safe ? p->n : 0);
}

static size_t words(const struct shape *shape)
{
	(void)shape;
	return program_words(&program);
}

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static unsigned own_persistent(const struct shape *shape)
{
	(void)shape;
	return program.persistent;
}

static void init(void *shared, const struct shape *shape)
{
	static const uint64_t domain[DOMAIN] = { 0, 1 };
	struct word *word = shared;

	(void)shape;
	for (unsigned i = 0; i < program_words(&program); i++) {
		mem_poke(&word[i], program.first[i]);
		mem_name(&word[i], "w", i);
		if (i >= PLAIN_WORDS)
			mem_safe_domain(&word[i], domain, DOMAIN);
	}
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct word *word = shared;

	(void)shape;
	return mem_peek(&word[program.quiet_word]) == program.quiet_value;
}

static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct word *word = shared;

	(void)shape;
	return mem_peek(&word[program.invariant_word]) !=
		       program.invariant_value ||
	       all[0].phase != (enum phase)program.invariant_phase;
}

#define BOUND(name)                                     \
	static unsigned name(const struct shape *shape) \
	{                                               \
		(void)shape;                            \
		return program.name;                    \
	}
BOUND(doorway_steps)
BOUND(leave_steps)
BOUND(abort_steps)
BOUND(apply_steps)
BOUND(finish_steps)
BOUND(solo_steps)
BOUND(most_bypasses)

static void fill_functions(const struct code *code)
{
	table.words = words;
	table.own_words = own_words;
	table.own_persistent = own_persistent;
	table.init = init;
	table.quiet = quiet;
	table.invariant = invariant;
	table.enter = code[BODY_ENTER].exists ? subject_enter : NULL;
	table.doorway = code[BODY_DOORWAY].exists ? subject_doorway : NULL;
	table.poll = code[BODY_POLL].exists ? subject_poll : NULL;
	table.settle = code[BODY_SETTLE].exists ? subject_settle : NULL;
	table.leave = code[BODY_LEAVE].exists ? subject_leave : NULL;
	table.abort = code[BODY_ABORT].exists ? subject_abort : NULL;
	table.recover = code[BODY_RECOVER].exists ? subject_recover : NULL;
	table.resize = code[BODY_RESIZE].exists ? subject_resize : NULL;
	if (code[BODY_APPLY].exists) {
		table.object.apply = subject_apply;
		table.object.specification = specification;
		table.object.operations = OPERATIONS;
	}
	if (code[BODY_FINISH].exists)
		table.object.finish = subject_finish;
}

void table_fill(void)
{
	memset(&table, 0, sizeof table);
	table.name = "random-program";
	table.source = "generated";
	table.kind = (enum kind)program.kind;
	/* A group exclusion can have a limit k only if it promises
	 * at-most-k. */
	table.promises = program.asked | AT_MOST_K;
	table.primitives = (1u << PRIMITIVE_COUNT) - 1;
	if (!program.safe)
		table.primitives &= ~(unsigned)USES_SAFE;
	table.simulated_only = true;
	table.finite_state = true;
	table.retries = program.retries;
	table.naps = program.naps;
	fill_functions(program.code);
	table.bounds.most_bypasses = most_bypasses;
	if (!program.bounds)
		return;
	table.bounds.doorway_steps = doorway_steps;
	table.bounds.leave_steps = leave_steps;
	table.bounds.abort_steps = abort_steps;
	table.bounds.apply_steps = apply_steps;
	table.bounds.finish_steps = finish_steps;
	table.bounds.solo_steps = solo_steps;
}
