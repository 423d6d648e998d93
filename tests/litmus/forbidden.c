/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that C11 forbids the outcome of every figure, and that every release,
 * acquire and fence in a figure is needed: if it becomes relaxed, C11 allows
 * the outcome.  C11 also allows the outcome if one of its conditions is left
 * out; so no outcome is impossible for another reason.  Before that, the test
 * shows that executions.c gives the known verdicts for figures from the
 * literature.
 */
#include "executions.h"

#include <stdio.h>
#include <string.h>

static unsigned failed;

static void state_fact(bool holds, const char *name, const char *fact)
{
	printf("%s: %s: %s\n", holds ? "ok" : "FAILED", name, fact);
	failed += !holds;
}

static bool ends_with(const char *text, const char *end)
{
	const size_t length = strlen(text), of_end = strlen(end);

	return length >= of_end && strcmp(text + length - of_end, end) == 0;
}

static void test_known(const struct figure *figure)
{
	const bool allowed = ends_with(figure->name, "_allowed");
	struct program program;

	state_fact((allowed || ends_with(figure->name, "_forbidden")) &&
			   program_of(figure, &program) &&
			   executions_allow_outcome(&program) == allowed,
		   figure->name, "the verdict is the known one");
}

static bool is_weak(const struct step *s)
{
	return s->kind == STEP_FENCE || (s->order != memory_order_relaxed &&
					 s->order != memory_order_seq_cst);
}

static bool needs_its_orders(const struct program *program)
{
	for (unsigned i = 0; i < program->steps; i++) {
		struct program weaker = *program;

		weaker.step[i].order = memory_order_relaxed;
		if (is_weak(&program->step[i]) &&
		    !executions_allow_outcome(&weaker))
			return false;
	}
	return true;
}

static bool needs_its_conditions(const struct program *program)
{
	for (unsigned i = 0; i < program->terms; i++) {
		struct program fewer = *program;

		fewer.term[i] = fewer.term[--fewer.terms];
		if (!executions_allow_outcome(&fewer))
			return false;
	}
	return true;
}

static void test_figure(const struct figure *figure)
{
	struct program program;

	if (!program_of(figure, &program)) {
		state_fact(false, figure->name, "the figure is well-formed");
		return;
	}
	state_fact(!executions_allow_outcome(&program), figure->name,
		   "C11 forbids the outcome");
	state_fact(needs_its_orders(&program), figure->name,
		   "every release, acquire and fence is needed");
	state_fact(needs_its_conditions(&program), figure->name,
		   "every condition is needed");
}

int main(void)
{
	for (const struct figure *f = known_figures; f->name; f++)
		test_known(f);
	for (const struct figure *f = figures; f->name; f++)
		test_figure(f);
	return failed > 0;
}
