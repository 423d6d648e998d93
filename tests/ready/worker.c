/* SPDX-License-Identifier: BSD-2-Clause */
#include "worker.h"

#include "common/prng.h"

#include <stdio.h>
#include <unistd.h>

int worker_apply(struct worker *worker, enum tagging tagging,
		 const uint64_t *request, uint64_t *result)
{
	struct journal *journal = worker->target->journal;
	struct entry *e = journal_invoke(journal, worker->writer, request[0],
					 request + 1);
	struct atmost_object_want want = { 0 };
	int error;

	if (!e)
		return 0;
	want.tag = tagging == TAGGED ? e->tag : 0;
	error = atmost_object_apply_as(worker->member, &want, request[0],
				       request + 1, result);
	if (error)
		return error;
	journal_respond(journal, e, result);
	return 1;
}

int worker_apply_random(struct worker *worker, enum tagging tagging)
{
	const struct target *target = worker->target;
	uint64_t request[1 + MODEL_WORDS], result[ATMOST_OBJECT_WORDS] = { 0 };
	/* No value occurs twice, and none is 0. */
	uint64_t unique = (uint64_t)(worker->writer + 1) << 32 |
			  target->journal->log[worker->writer].count;
	int done;

	journal_choose(target->which, CAPACITY, &worker->random, unique,
		       worker->seen, request);
	done = worker_apply(worker, tagging, request, result);
	if (done == 1)
		worker->seen = result[1];
	return done;
}

static void fail(const struct worker *worker, const char *what)
{
	printf("  writer %u %s: %s\n", worker->writer, what, atmost_detail());
	fflush(stdout);
	_exit(1);
}

static void join(struct worker *worker)
{
	int error;

	/* A dead member keeps its record until it has been recovered. */
	while ((error = atmost_object_join(worker->target->object,
					   &worker->member)) == ATMOST_EFULL)
		usleep(100);
	if (error)
		fail(worker, "joins");
}

static void apply(struct worker *worker)
{
	int done = worker_apply_random(worker, TAGGED);

	if (done < 0)
		fail(worker, "applies");
	if (done == 0)
		usleep(1000);
}

void worker_run(struct target *target, const char *name, unsigned writer,
		uint64_t random)
{
	struct worker worker = { .target = target,
				 .writer = writer,
				 .random = random };

	/*
	 * Half of the workers map the object at a different address than the
	 * parent.
	 */
	if (prng_below(&worker.random, 2) && !target_open(target, name))
		fail(&worker, "opens");
	while (!atomic_load(&target->journal->stop)) {
		unsigned count = prng_below(&worker.random, 50);

		join(&worker);
		while (count-- > 0 && !atomic_load(&target->journal->stop))
			apply(&worker);
		atmost_object_part(worker.member);
	}
	_exit(0);
}
