/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Recognises the values of counters that grow for ever (struct counter).  The
 * first value of each counter is a large number, far from the first values of
 * the other counters, from small numbers and from addresses.  So the checker
 * recognises a value of a counter wherever it is: in a word, in an own word, in
 * a local variable or in a register that a process has saved on its stack.  If
 * the checker fails to recognise a value, it may take two equivalent states for
 * different ones, but never two different states for equivalent ones.
 */
#ifndef ATMOST_CHECKER_COUNTERS_H
#define ATMOST_CHECKER_COUNTERS_H

#include "memory/simulated/simulated.h"

/* A form in which words and locals hold values of a counter. */
struct counter_form {
	uint64_t first; /* the first value, in this form and without low bits */
	uint8_t number; /* of the counter */
	uint8_t shift;
	bool quotient; /* a quotient by the period, plus 1 */
};

struct counters {
	unsigned count; /* numbers below this may be counters; 0: none */
	struct counter rule[MOST_COUNTERS];
	struct counter_form form[3 * MOST_COUNTERS];
	unsigned forms;
};

/* A value of a counter: its form, and how far the counter has counted. */
struct counted {
	const struct counter_form *form;
	uint64_t count;
};

/* Returns whether unbounded passages reach finitely many states if states that
 * differ only in their counters count as one. */
bool counters_suffice(const struct algorithm *a);

/*
 * Read the rules of the algorithm and set the first values of its counters in
 * simulated memory.  The caller calls sim_open afterwards.
 */
void counters_open(struct counters *c, const struct algorithm *a,
		   const struct shape *shape);

/* Returns whether the value belongs to a counter, and describes it. */
static inline bool counters_find(const struct counters *c, uint64_t value,
				 struct counted *found)
{
	enum { MOST_COUNT = 1 << 24 };

	for (unsigned i = 0; i < c->forms; i++) {
		const struct counter_form *form = &c->form[i];
		uint64_t count = (value >> form->shift) - form->first;

		if (count >= MOST_COUNT)
			continue;
		found->form = form;
		/* If q is the quotient of a value, the count of q, and even
		 * that of q + 1, is at most the count of the value.  So the
		 * largest count of a process is never that of a quotient. */
		if (form->quotient)
			found->count = count * c->rule[form->number].period;
		else
			found->count = count + c->rule[form->number].period;
		return true;
	}
	return false;
}

/*
 * Returns the value with another count.  If the form is a quotient, the two
 * counts have the same remainder modulo the period.
 */
uint64_t counters_replace(const struct counters *c, uint64_t value,
			  const struct counted *found, uint64_t count);

/* Returns the value as it would be if all first values were 0. */
uint64_t counters_plain(const struct counters *c, uint64_t value);

#endif
