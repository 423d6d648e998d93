/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/common/output.h"

#include "bench/common/bench.h"

#include <stdio.h>

struct label output_brief(double value)
{
	struct label l;

	snprintf(l.text, sizeof l.text, "%.*f",
		 value < 10    ? 2
		 : value < 100 ? 1
			       : 0,
		 value);
	return l;
}

void output_table(const struct outcome *o)
{
	const struct line_up *l = &o->line_up;
	const struct interval *null = &o->rows[AGAIN].ratio;

	bench.print_head(o);
	for (size_t i = 0; i < l->count; i++)
		bench.print_row(o, i);
	if (bench.print_foot)
		bench.print_foot(o);
	if (l->refused)
		printf("%zu cannot do this; the last: %s\n", l->refused,
		       l->reason);
	if (l->left_out)
		printf("%zu left out, each like one above\n", l->left_out);
	if (o->is_void)
		printf("VOID: %s against itself is %.2f to %.2f, not within "
		       "0.9 to 1.1: the ratios of this cell mean nothing\n",
		       l->of[BASE].name, null->low, null->high);
	fflush(stdout);
}
