/* SPDX-License-Identifier: BSD-2-Clause */
/* The quick form and the report's: which cells, and how long. */
#ifndef ATMOST_BENCH_FORMS_H
#define ATMOST_BENCH_FORMS_H

#include "bench/kexclusion/options.h"

/* Fills in cells, blocks and budget. */
void form_quick(struct options *o);
void form_report(struct options *o);

/*
 * Until when, and with slices of which length, the next cell runs, if `left`
 * cells are to be made, it included, before `end`.
 */
void form_plan(struct plan *plan, const struct cell *cell, size_t contenders,
	       size_t left, int64_t end);

#endif
