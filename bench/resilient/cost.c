/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts a to d: what an operation costs, over k and over n.
 *
 * a, b, c  with one thread, with two, and with eight, which are more threads
 *          than most test machines have cpus.  The time is CPU time of all
 *          threads, because other programs affect elapsed time more.
 * d        instructions and system calls of an operation of a member alone; the
 *          counts are exact.
 */
#include "bench/resilient/parts.h"

#include "bench/common/count.h"
#include "bench/resilient/results.h"

#include <stdio.h>
#include <string.h>

static bool measure(struct run *r, unsigned threads)
{
	static struct cell cell;

	for (enum subject s = 0; s < SUBJECTS; s++) {
		cell = (struct cell){
			.subject = s,
			.threads = threads,
			.blocks = r->blocks  ? r->blocks
				  : r->quick ? 21
					     : 61,
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
	return measure(r, 1);
}

bool part_two(struct run *r)
{
	return measure(r, 2);
}

bool part_eight(struct run *r)
{
	return measure(r, 8);
}

enum { CALLS_OF = 1000, INSTRUCTIONS_OF = 10000 }; /* numbers of operations */

/* An instance and the handle of its only thread. */
struct job {
	struct instance instance;
	struct handle handle;
};

static bool prepare(void *argument)
{
	struct job *job = argument;
	const struct implementation *of = job->instance.implementation;

	job->handle = (struct handle){ .instance = &job->instance };
	return of->open(&job->instance, 1) &&
	       (!of->join || of->join(&job->handle));
}

/* Applies operations that are not counted, because the first operations may
 * make system calls that later operations do not make. */
static bool prepare_and_pass(void *argument)
{
	struct job *job = argument;

	if (!prepare(job))
		return false;
	job->instance.implementation->pass(&job->handle, CALLS_OF);
	return true;
}

static void clear(struct job *job)
{
	if (job->instance.implementation->part)
		job->instance.implementation->part(&job->handle);
	job->instance.implementation->close(&job->instance);
}

static void act(void *argument)
{
	struct job *job = argument;

	job->instance.implementation->pass(&job->handle, CALLS_OF);
}

static double calls_of(const struct instance *i)
{
	struct job job = { .instance = *i };
	long calls = count_system_calls(prepare_and_pass, act, &job);

	return calls < 0 ? -1 : (double)calls / CALLS_OF;
}

static double instructions_of(const struct instance *i)
{
	const char *function = i->implementation->function;
	char arguments[128];
	double count;

	snprintf(arguments, sizeof arguments, "%s %u %u %d", function, i->k,
		 i->n, INSTRUCTIONS_OF);
	count = count_instructions(function, arguments);
	return count < 0 ? -1 : count / INSTRUCTIONS_OF;
}

bool part_counts(struct run *r)
{
	static struct cell cell;

	(void)r;
	printf("%-36s %12s %13s\n", "", "instructions", "system calls");
	for (enum subject s = 0; s < SUBJECTS; s++) {
		cell = (struct cell){ .subject = s, .threads = 1 };
		cell_fill(&cell);
		for (size_t i = 0; i < cell.row_count; i++) {
			const struct instance *instance =
				&cell.slices.instances[cell.rows[i].instance];

			if (i != AGAIN && i != cell.object_again)
				results_counts(
					&cell,
					&(struct counts){
						.row = &cell.rows[i],
						.instructions = instructions_of(
							instance),
						.calls = calls_of(instance),
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
		cell_fill(&cell);
		for (size_t i = 0; i < cell.slices.instance_count; i++) {
			struct job job = {
				.instance = cell.slices.instances[i]
			};

			if (strcmp(job.instance.implementation->function,
				   function) ||
			    job.instance.k != k || job.instance.n != n)
				continue;
			if (!prepare(&job))
				return false;
			job.instance.implementation->pass(&job.handle, count);
			clear(&job);
			return true;
		}
	}
	return false;
}
