/* SPDX-License-Identifier: BSD-2-Clause */
#include "explanations.h"

#include "specification.h"

#include <string.h>

bool explanations_overflow;

static int compare(const struct explanation *a, const struct explanation *b)
{
	return memcmp(a, b, sizeof *a);
}

/* The set is kept in order, so that equal sets have equal bytes. */
static bool add(struct state *s, struct explanation x)
{
	struct explanation *set = s->explanation;
	uint64_t at = 0;

	while (at < s->explanations && compare(&set[at], &x) < 0)
		at++;
	if (at < s->explanations && compare(&set[at], &x) == 0)
		return false;
	if (s->explanations == MOST_EXPLANATIONS) {
		explanations_overflow = true;
		return false;
	}
	memmove(set + at + 1, set + at, (s->explanations - at) * sizeof x);
	set[at] = x;
	s->explanations++;
	return true;
}

/* Add one explanation in which one more operation has taken effect.  Returns
 * false if the set already has every such explanation. */
static bool add_one_more(struct state *s)
{
	for (uint64_t i = 0; i < s->explanations; i++) {
		for (unsigned p = 0; p < program.n; p++) {
			struct explanation x = s->explanation[i];

			if (x.progress[p] != OPERATION_INVOKED)
				continue;
			x.progress[p] = OPERATION_EFFECTIVE;
			x.result[p] = specification(&x.object, s->operation[p],
						    s->argument[p]);
			if (add(s, x))
				return true;
		}
	}
	return false;
}

static void replace_all(struct state *s, const struct explanation *with,
			uint64_t count)
{
	memset(s->explanation, 0, MOST_EXPLANATIONS * sizeof *s->explanation);
	s->explanations = 0;
	for (uint64_t i = 0; i < count; i++)
		add(s, with[i]);
}

static void invoke(struct state *s, unsigned p)
{
	struct explanation old[MOST_EXPLANATIONS];
	uint64_t count = s->explanations;

	memcpy(old, s->explanation, count * sizeof *old);
	for (uint64_t i = 0; i < count; i++)
		old[i].progress[p] = OPERATION_INVOKED;
	replace_all(s, old, count);
	while (add_one_more(s))
		;
}

/* The operation of p is over: only explanations with this progress and result
 * remain. */
static void end(struct state *s, unsigned p, enum progress progress,
		uint64_t result)
{
	struct explanation kept[MOST_EXPLANATIONS];
	uint64_t count = 0;

	for (uint64_t i = 0; i < s->explanations; i++) {
		struct explanation x = s->explanation[i];

		if (x.progress[p] == OPERATION_NONE)
			return; /* the operation has already returned */
		if (x.progress[p] != progress || x.result[p] != result)
			continue;
		x.progress[p] = OPERATION_NONE;
		x.result[p] = 0;
		kept[count++] = x;
	}
	replace_all(s, kept, count);
	s->operation[p] = s->argument[p] = 0;
}

bool explanations_follow(struct state *s, unsigned p, const struct events *e)
{
	if (e->invoked) {
		s->operation[p] = e->operation;
		s->argument[p] = p + 1;
		invoke(s, p);
	}
	if (e->returned)
		end(s, p, OPERATION_EFFECTIVE, e->result);
	else if (e->never)
		end(s, p, OPERATION_INVOKED, 0);
	return s->explanations > 0;
}
