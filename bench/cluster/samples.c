/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/cluster/samples.h"

#include <stdio.h>
#include <stdlib.h>

void samples_add(struct samples *samples, double value)
{
	if (samples->count == samples->room) {
		samples->room = samples->room ? 2 * samples->room : 1024;
		samples->value = realloc(samples->value,
					 samples->room *
						 sizeof *samples->value);
		if (!samples->value) {
			fputs("cluster: out of memory\n", stderr);
			exit(1);
		}
	}
	samples->value[samples->count++] = value;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double samples_percentile(struct samples *samples, double part)
{
	if (samples->count == 0)
		return 0;
	qsort(samples->value, samples->count, sizeof *samples->value, compare);
	return samples->value[(size_t)(part * (double)(samples->count - 1))];
}

void samples_free(struct samples *samples)
{
	free(samples->value);
	*samples = (struct samples){ 0 };
}
