/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/outcome.h"

#include "runtime/error.h"
#include "runtime/record.h"

#include <stdlib.h>
#include <string.h>

/* A loop needs ROUNDS rounds only if a process damages the memory on
 * purpose. */
enum { PHASE = 3, ROUNDS = 1000 };

/* A private copy of an outcome. */
struct found {
	uint64_t turn, tag, happened, sum;
	uint64_t result[ATMOST_OBJECT_WORDS];
};

static struct last *last_of(const struct atmost *pool, unsigned id)
{
	return (struct last *)(void *)((char *)pool_record(pool, id) +
				       pool->layout.last);
}

static struct outcomes *outcomes_of(const struct atmost *pool)
{
	return (struct outcomes *)(void *)(pool->segment.base +
					   pool->layout.outcomes);
}

void outcome_begin(struct atmost *pool, unsigned id, uint64_t tag)
{
	struct last *last = last_of(pool, id);

	mem_write(&last->tag, 0);
	mem_write(&last->done, 0);
	mem_write(&last->tag, tag);
}

void outcome_done(struct atmost *pool, unsigned id, const uint64_t *result)
{
	struct last *last = last_of(pool, id);

	for (unsigned r = 0; r < pool->type.in_words.results; r++)
		mem_write(&last->result[r], result[r]);
	mem_write(&last->done, 1);
}

void outcome_forget(struct atmost *pool, unsigned id)
{
	mem_write(&last_of(pool, id)->tag, 0);
}

/* The checksum does not include the phase of the turn, because the phase
 * changes later. */
static uint64_t sum_of(const struct found *f)
{
	uint64_t sum = LAYOUT_SUM_START;

	sum = layout_sum(sum, f->turn & ~(uint64_t)PHASE);
	sum = layout_sum(sum, f->tag);
	sum = layout_sum(sum, f->happened);
	for (unsigned r = 0; r < ATMOST_OBJECT_WORDS; r++)
		sum = layout_sum(sum, f->result[r]);
	return sum;
}

/*
 * Returns false if the entry has no outcome, or if a process is writing the
 * outcome.
 */
static bool read_outcome(const struct outcome_kept *o, struct found *f)
{
	f->turn = mem_read(&o->turn);
	if ((f->turn & PHASE) < OUTCOME_READY)
		return false;
	f->tag = mem_read(&o->tag);
	f->happened = mem_read(&o->happened);
	for (unsigned r = 0; r < ATMOST_OBJECT_WORDS; r++)
		f->result[r] = mem_read(&o->result[r]);
	f->sum = mem_read(&o->sum);
	return f->sum == sum_of(f);
}

static struct outcome_kept *find(struct atmost *pool, uint64_t tag,
				 struct found *f)
{
	struct outcomes *all = outcomes_of(pool);

	for (unsigned i = 0; i < OUTCOMES; i++)
		if (read_outcome(&all->at[i], f) && f->tag == tag)
			return &all->at[i];
	return NULL;
}

/* Takes the entry of an older outcome.  Returns NULL if the entry already has a
 * younger outcome. */
static struct outcome_kept *take_place(struct atmost *pool, uint64_t *turn)
{
	struct outcomes *all = outcomes_of(pool);
	uint64_t number = mem_add(&all->count, 1), old;
	struct outcome_kept *o = &all->at[number % OUTCOMES];

	*turn = (number + 1) * (PHASE + 1);
	for (unsigned round = 0; round < ROUNDS; round++) {
		old = mem_read(&o->turn);
		if (old >= *turn)
			return NULL;
		if (mem_cas(&o->turn, old, *turn | OUTCOME_WRITING))
			return o;
	}
	return NULL;
}

static void leave_outcome(struct atmost *pool, const struct found *what)
{
	struct found f;
	struct outcome_kept *o;

	if (find(pool, what->tag, &f))
		return;
	f = *what;
	o = take_place(pool, &f.turn);
	if (!o)
		return;
	mem_write(&o->tag, f.tag);
	mem_write(&o->happened, f.happened);
	for (unsigned r = 0; r < ATMOST_OBJECT_WORDS; r++)
		mem_write(&o->result[r], f.result[r]);
	mem_write(&o->sum, sum_of(&f));
	mem_cas(&o->turn, f.turn | OUTCOME_WRITING, f.turn | OUTCOME_READY);
}

bool outcome_settle(struct atmost *pool, struct process *victim)
{
	const struct algorithm *a = pool->algorithm;
	struct last *last = last_of(pool, victim->id);
	struct found f = { .tag = mem_read(&last->tag) };
	struct object_request request = { .result = f.result };

	request.scratch = calloc(a->object.scratch(&pool->shape),
				 sizeof *request.scratch);
	if (!request.scratch)
		return false;
	victim->request = &request;
	f.happened = a->object.finish(pool_words(pool), victim);
	victim->request = NULL;
	free(request.scratch);
	if (f.tag && mem_read(&last->done) == 1) {
		f.happened = 1;
		for (unsigned r = 0; r < pool->type.in_words.results; r++)
			f.result[r] = mem_read(&last->result[r]);
	} else if (request.damaged) {
		f.tag = 0;
	}
	if (!f.happened)
		memset(f.result, 0, sizeof f.result);
	if (f.tag)
		leave_outcome(pool, &f);
	outcome_forget(pool, victim->id);
	return true;
}

/* Returns true if the operation with this tag belongs to a member that is alive
 * or not yet recovered. */
static bool is_in_use(struct atmost *pool, uint64_t tag)
{
	for (unsigned id = 0; id < pool_used(pool); id++)
		if (record_is_joined(pool_record(pool, id)) &&
		    mem_read(&last_of(pool, id)->tag) == tag)
			return true;
	return false;
}

static int take_kept(struct atmost *pool, uint64_t tag, bool *happened,
		     uint64_t *result)
{
	struct outcome_kept *o;
	struct found f;
	bool ok = false;

	/* The compare-and-swap fails if another process asks for the outcome at
	 * the same time, or if a younger outcome takes the entry.  In both
	 * cases the next round notices what happened. */
	for (unsigned round = 0; !ok && round < ROUNDS; round++) {
		o = find(pool, tag, &f);
		if (!o)
			return ATMOST_ENOTFOUND;
		if ((f.turn & PHASE) == OUTCOME_ASKED)
			return ATMOST_EASKED;
		ok = mem_cas(&o->turn, f.turn,
			     f.turn ^ OUTCOME_READY ^ OUTCOME_ASKED);
	}
	if (!ok)
		return ATMOST_ECORRUPT;
	if (happened)
		*happened = f.happened == 1;
	if (result && f.happened == 1)
		memcpy(result, f.result,
		       pool->type.in_words.results * sizeof *result);
	return 0;
}

/* A recoverer leaves the outcome and then clears the tag.  A process that finds
 * no outcome, and afterwards no tag, looks for the outcome a second time,
 * because a recoverer may have left it in between. */
int outcome_take(struct atmost *pool, uint64_t tag, bool *happened,
		 uint64_t *result)
{
	int error = take_kept(pool, tag, happened, result);

	if (error != ATMOST_ENOTFOUND)
		return error;
	if (is_in_use(pool, tag))
		return ATMOST_EBUSY;
	return take_kept(pool, tag, happened, result);
}
