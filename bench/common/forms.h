/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A form, --quick or --report, is a choice of cells, the most blocks of each,
 * and the time for all: the bench fills these in.
 */
#ifndef ATMOST_BENCH_FORMS_H
#define ATMOST_BENCH_FORMS_H

#include "bench/common/options.h"

/*
 * Until when, and with slices of which length, the next cell runs, if `left`
 * cells are to be made, it included, before `end`.
 */
void form_plan(struct plan *plan, const struct cell *cell, size_t contenders,
	       size_t left, int64_t end);

#endif
