/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts a to d: what an operation costs, against k and against n.
 *
 * a  one thread; b  two; c  eight, which on most machines that test are more
 * than there are cpus.  Time is CPU time of all of them, which other programs
 * lengthen less than the time that passes.
 * d  instructions and system calls of an operation, with nobody else there:
 *    these are exact.
 */
#include "bench/resilient/parts.h"

#include "bench/common/calls.h"
#include "bench/resilient/results.h"

#include <stdio.h>
#include <string.h>

static bool measure(struct run *r, char part, unsigned threads,
		    const char *title)
{
	static struct cell cell;

	results_part(part, title);
	for (enum subject s = 0; s < SUBJECTS; s++) {
		cell = (struct cell){
			.subject = s,
			.threads = threads,
			.blocks = r->blocks,
			.slice = threads == 1 ? 0.002
				 : r->quick   ? 0.01
					      : 0.05,
		};
		if (!cell_measure(&cell, &r->random))
			return false;
		results_cell(&cell);
	}
	return true;
}

bool part_alone(struct run *r)
{
	return measure(r, 'a', 1, "alone: nobody else is there");
}

bool part_two(struct run *r)
{
	return measure(r, 'b', 2, "two threads");
}

bool part_crowd(struct run *r)
{
	return measure(r, 'c', 8, "eight threads");
}

enum { LOOKED_AT = 1000, TRACED = 10000 };

/* One stand, and the only one that is at it. */
struct job {
	struct stand stand;
	struct guest guest;
};

static bool prepare(void *of)
{
	struct job *job = of;
	const struct keeper *keeper = job->stand.keeper;

	job->guest = (struct guest){ .stand = &job->stand };
	if (!keeper->open(&job->stand, 1) ||
	    (keeper->join && !keeper->join(&job->guest)))
		return false;
	return true;
}

/* Not counted: the first may look for their way. */
static bool prepare_and_pass(void *of)
{
	struct job *job = of;

	if (!prepare(job))
		return false;
	job->stand.keeper->pass(&job->guest, LOOKED_AT);
	return true;
}

static void clear(struct job *job)
{
	if (job->stand.keeper->part)
		job->stand.keeper->part(&job->guest);
	job->stand.keeper->close(&job->stand);
}

static void act(void *of)
{
	struct job *job = of;

	job->stand.keeper->pass(&job->guest, LOOKED_AT);
}

static double calls_of(const struct stand *stand)
{
	struct job job = { .stand = *stand };
	long calls = calls_count(prepare_and_pass, act, &job);

	return calls < 0 ? -1 : (double)calls / LOOKED_AT;
}

static double instructions_of(const struct stand *s)
{
	const char *function = s->keeper->function;
	char arguments[128];
	double count;

	snprintf(arguments, sizeof arguments, "%s %u %u %d", function, s->k,
		 s->n, TRACED);
	count = calls_instructions(function, arguments);
	return count < 0 ? -1 : count / TRACED;
}

bool part_counts(struct run *r)
{
	static struct cell cell;

	(void)r;
	results_part('d', "counted: one operation, nobody else is there");
	printf("%-36s %12s %13s\n", "", "instructions", "system calls");
	for (enum subject s = 0; s < SUBJECTS; s++) {
		cell = (struct cell){ .subject = s, .threads = 1 };
		cell_line_up(&cell);
		for (size_t i = 0; i < cell.row_count; i++) {
			const struct stand *stand =
				&cell.crew.stands[cell.rows[i].stand];

			if (i != AGAIN && i != cell.object_again)
				results_counts(
					&cell,
					&(struct counts){
						.row = &cell.rows[i],
						.instructions = instructions_of(
							stand),
						.calls = calls_of(stand),
					});
		}
	}
	return true;
}

bool counts_pass(const char *function, unsigned k, unsigned n,
		 unsigned long count)
{
	static struct cell cell;

	for (enum subject s = 0; s < SUBJECTS; s++) {
		cell = (struct cell){ .subject = s, .threads = 1 };
		cell_line_up(&cell);
		for (size_t i = 0; i < cell.crew.stand_count; i++) {
			struct job job = { .stand = cell.crew.stands[i] };

			if (strcmp(job.stand.keeper->function, function) ||
			    job.stand.k != k || job.stand.n != n)
				continue;
			if (!prepare(&job))
				return false;
			job.stand.keeper->pass(&job.guest, count);
			clear(&job);
			return true;
		}
	}
	return false;
}
