/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/comparison/print.h"

#include "bench/comparison/description.h"

#include <stdio.h>

struct label label_of_value(double value)
{
	struct label l;

	snprintf(l.text, sizeof l.text, "%.*f",
		 value < 10    ? 2
		 : value < 100 ? 1
			       : 0,
		 value);
	return l;
}

void print_table(const struct outcome *o)
{
	const struct contenders *c = &o->contenders;
	const struct interval *null = &o->rows[AGAIN].ratio;

	comparison.print_head(o);
	for (size_t i = 0; i < c->count; i++)
		comparison.print_row(o, i);
	if (comparison.print_foot)
		comparison.print_foot(o);
	if (c->refused)
		printf("%zu contenders cannot run in this cell; the last: %s\n",
		       c->refused, c->reason);
	if (c->left_out)
		printf("%zu algorithms left out; each is like one above\n",
		       c->left_out);
	if (o->is_void)
		printf("VOID: %s against itself is %.2f to %.2f, not within "
		       "0.9 to 1.1: the ratios of this cell mean nothing\n",
		       c->item[BASE].name, null->low, null->high);
	fflush(stdout);
}
