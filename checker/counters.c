/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/counters.h"

#include <string.h>

/* The canonical fingerprint contains neither a history nor which processes must
 * nap. */
bool counters_suffice(const struct algorithm *a)
{
	return a->counter && !a->naps && !a->object.specification;
}

/*
 * No address is as large as 2^47 on x86-64.  A value that is shifted by 16 bits
 * still fits into a word.
 */
static uint64_t base_of(unsigned number)
{
	return (UINT64_C(1) << 47) + (((uint64_t)number + 1) << 40);
}

static void add_form(struct counters *c, unsigned number, uint64_t first,
		     unsigned shift, bool quotient)
{
	c->form[c->forms++] = (struct counter_form){ first, (uint8_t)number,
						     (uint8_t)shift, quotient };
}

static void add_counter(struct counters *c, unsigned number)
{
	const struct counter *rule = &c->rule[number];
	uint64_t first = base_of(number);

	if (rule->period)
		add_form(c, number, first, 0, true);
	if (rule->period)
		first *= rule->period;
	add_form(c, number, first, 0, false);
	for (unsigned i = 0; i < 2; i++)
		if (rule->shift[i])
			add_form(c, number, first, rule->shift[i], false);
	sim.first[number] = first;
	c->count = number + 1;
}

void counters_open(struct counters *c, const struct algorithm *a,
		   const struct shape *shape)
{
	memset(c, 0, sizeof *c);
	for (unsigned i = 0; i < MOST_COUNTERS; i++)
		if (a->counter(shape, i, &c->rule[i]))
			add_counter(c, i);
}

uint64_t counters_replace(const struct counters *c, uint64_t value,
			  const struct counted *found, uint64_t count)
{
	const struct counter_form *form = found->form;
	uint64_t low = value & ((UINT64_C(1) << form->shift) - 1);

	if (form->quotient)
		count /= c->rule[form->number].period;
	else
		count -= c->rule[form->number].period;
	return (form->first + count) << form->shift | low;
}

uint64_t counters_plain(const struct counters *c, uint64_t value)
{
	struct counted found;

	if (!counters_find(c, value, &found))
		return value;
	value -= found.form->first << found.form->shift;
	return value;
}
