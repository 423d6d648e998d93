/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/common/forms.h"

#include "bench/common/clock.h"

/*
 * With many contenders slices get shorter, as far as the cell allows, before
 * the fewest blocks take longer than there is time.  A tenth of a slice is for
 * what stands between slices.
 */
void form_plan(struct plan *plan, const struct cell *cell, size_t contenders,
	       size_t left, int64_t end)
{
	const int64_t now = clock_now();
	const double usual = cell->section->slice;
	double time = (double)(end - now) / SECOND / (double)left, slice;

	plan->until = now + (end - now) / (int64_t)left;
	slice = time / (1.1 * (double)contenders * BLOCKS_LEAST);
	slice = slice < usual ? slice : usual;
	plan->slice = slice > cell->least_slice ? slice : cell->least_slice;
}
