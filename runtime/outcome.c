/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/outcome.h"

#include "runtime/error.h"
#include "runtime/record.h"

#include <stdlib.h>
#include <string.h>

/* Only memory that somebody spoils on purpose needs so many rounds. */
enum { PHASE = 3, ROUNDS = 1000 };

/* An outcome as it was read. */
struct found {
	uint64_t turn, tag, happened, sum;
	uint64_t result[ATMOST_OBJECT_WORDS];
};

static struct last *last_of(const struct atmost *object, unsigned id)
{
	return (struct last *)(void *)((char *)object_record(object, id) +
				       object->layout.last);
}

static struct outcomes *outcomes_of(const struct atmost *object)
{
	return (struct outcomes *)(void *)(object->segment.base +
					   object->layout.outcomes);
}

void outcome_begin(struct atmost_member *me, uint64_t tag)
{
	struct last *last = last_of(me->object, me->process.id);

	if (tag == 0 && me->tag == 0)
		return;
	me->tag = tag;
	mem_write(&last->tag, 0);
	mem_write(&last->done, 0);
	mem_write(&last->tag, tag);
}

void outcome_done(struct atmost_member *me, const uint64_t *result)
{
	struct last *last = last_of(me->object, me->process.id);

	if (me->tag == 0)
		return;
	for (unsigned r = 0; r < me->object->form.type.results; r++)
		mem_write(&last->result[r], result[r]);
	mem_write(&last->done, 1);
}

void outcome_forget(struct atmost *object, unsigned id)
{
	mem_write(&last_of(object, id)->tag, 0);
}

/* FNV-1a, by words; the turn's phase is the one thing that changes later. */
static uint64_t sum_of(const struct found *f)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);
	const uint64_t prime = UINT64_C(0x100000001b3);

	sum = (sum ^ (f->turn & ~(uint64_t)PHASE)) * prime;
	sum = (sum ^ f->tag) * prime;
	sum = (sum ^ f->happened) * prime;
	for (unsigned r = 0; r < ATMOST_OBJECT_WORDS; r++)
		sum = (sum ^ f->result[r]) * prime;
	return sum;
}

/* False: there is none, or it is being written. */
static bool read_outcome(struct outcome_kept *o, struct found *f)
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

static struct outcome_kept *find(struct atmost *object, uint64_t tag,
				 struct found *f)
{
	struct outcomes *all = outcomes_of(object);

	for (unsigned i = 0; i < OUTCOMES; i++)
		if (read_outcome(&all->at[i], f) && f->tag == tag)
			return &all->at[i];
	return NULL;
}

/* Takes the place of an older one.  NULL: a younger one has it. */
static struct outcome_kept *take_place(struct atmost *object, uint64_t *turn)
{
	struct outcomes *all = outcomes_of(object);
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

static void leave_outcome(struct atmost *object, const struct found *what)
{
	struct found f;
	struct outcome_kept *o;

	if (find(object, what->tag, &f))
		return;
	f = *what;
	o = take_place(object, &f.turn);
	if (!o)
		return;
	mem_write(&o->tag, f.tag);
	mem_write(&o->happened, f.happened);
	for (unsigned r = 0; r < ATMOST_OBJECT_WORDS; r++)
		mem_write(&o->result[r], f.result[r]);
	mem_write(&o->sum, sum_of(&f));
	mem_cas(&o->turn, f.turn | OUTCOME_WRITING, f.turn | OUTCOME_READY);
}

bool outcome_settle(struct atmost *object, struct process *victim)
{
	const struct algorithm *a = object->algorithm;
	struct last *last = last_of(object, victim->id);
	struct found f = { .tag = mem_read(&last->tag) };
	struct object_request request = { .result = f.result };

	request.scratch = calloc(a->object.scratch(&object->shape),
				 sizeof *request.scratch);
	if (!request.scratch)
		return false;
	victim->request = &request;
	f.happened = a->object.finish(object_words(object), victim);
	victim->request = NULL;
	free(request.scratch);
	if (f.tag && mem_read(&last->done) == 1) {
		f.happened = 1;
		for (unsigned r = 0; r < object->form.type.results; r++)
			f.result[r] = mem_read(&last->result[r]);
	} else if (request.damaged) {
		f.tag = 0;
	}
	if (!f.happened)
		memset(f.result, 0, sizeof f.result);
	if (f.tag)
		leave_outcome(object, &f);
	outcome_forget(object, victim->id);
	return true;
}

/* Whether a member has it that lives, or that is yet to be recovered. */
static bool is_somebodys(struct atmost *object, uint64_t tag)
{
	for (unsigned id = 0; id < object_used(object); id++)
		if (record_is_joined(object_record(object, id)) &&
		    mem_read(&last_of(object, id)->tag) == tag)
			return true;
	return false;
}

static int take_kept(struct atmost *object, uint64_t tag, bool *happened,
		     uint64_t *result)
{
	struct outcome_kept *o;
	struct found f;
	bool ok = false;

	/* It fails if another asks meanwhile, or a younger one comes: that is
	 * seen when we look again. */
	for (unsigned round = 0; !ok && round < ROUNDS; round++) {
		o = find(object, tag, &f);
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
		       object->form.type.results * sizeof *result);
	return 0;
}

/* Who recovers leaves the outcome first and takes the tag away then: who finds
 * neither, in this order, finds the outcome at a second look. */
int outcome_take(struct atmost *object, uint64_t tag, bool *happened,
		 uint64_t *result)
{
	int error = take_kept(object, tag, happened, result);

	if (error != ATMOST_ENOTFOUND)
		return error;
	if (is_somebodys(object, tag))
		return ATMOST_EBUSY;
	return take_kept(object, tag, happened, result);
}
