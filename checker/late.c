/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All processes that are not delayed run as in the adversary full-house: a
 * holder leaves only when no other process can step.  At such a moment, if
 * enough processes wait on the target, the adversary lets the delayed leavers
 * go; this is a volley.  If all processes are blocked or delayed, one delayed
 * leaver succeeds, and the compare-and-swap of all others will fail.
 *
 * The first volleys are for one waiter, so that one passage costs much: the
 * adversary delays all processes except this waiter and those that it needs as
 * holders.  The later volleys are for many waiters, so that all passages
 * together cost much: of the processes that it does not need as holders, the
 * adversary delays one half, and the other half waits.
 */
#include "checker/late.h"

#include <stdlib.h>

enum {
	VOLLEYS_AT_ONE = 8,  /* the number of volleys for one waiter */
	STEPS_TO_CHOOSE = 64 /* steps per process before a target is chosen */
};

bool late_open(struct late *l, struct forward_run *run)
{
	*l = (struct late){ .run = run, .target = NO_WORD, .best = NO_WORD };
	l->victim = -1;
	l->choose_at = (uint64_t)STEPS_TO_CHOOSE * sim.n;
	l->delayed = calloc(sim.n, sizeof *l->delayed);
	l->waits = calloc(sim.all_words + 1, sizeof *l->waits);
	return l->delayed && l->waits;
}

void late_close(struct late *l)
{
	free(l->delayed);
	free(l->waits);
}

/* The number of processes that wait or can be delayed while all slots are
 * taken. */
static unsigned spare(const struct late *l)
{
	unsigned holders = sim.shape.k ? sim.shape.k : 1;

	return l->run->contention > holders ? l->run->contention - holders : 0;
}

static bool is_for_one(const struct late *l)
{
	return l->volleys < VOLLEYS_AT_ONE;
}

/* The most leavers to delay at the same time. */
static unsigned most_delayed(const struct late *l)
{
	if (spare(l) < 2)
		return 0;
	return is_for_one(l) ? spare(l) - 1 : spare(l) / 2;
}

static void begin_volley(struct late *l)
{
	l->want = is_for_one(l) ? 1 : spare(l) - most_delayed(l);
	l->idle = l->seen = 0;
}

/* Whether p is a leaver that is about to make a compare-and-swap. */
static bool is_about_to_swap(const struct late *l, unsigned p)
{
	const struct step *step = sim.coroutine[p].step;

	return process_set_has(&l->run->ready, p) && step->kind == STEP_CAS &&
	       sim.process[p]->phase == PHASE_LEAVING;
}

static uint32_t next_word(unsigned p)
{
	return (uint32_t)sim_index(sim.coroutine[p].step->word);
}

/* Whether the compare-and-swap that p is about to make would succeed now. */
static bool would_succeed(unsigned p)
{
	const struct step *step = sim.coroutine[p].step;

	return step->word->value == step->a;
}

static void delay(struct late *l, unsigned p)
{
	process_set_remove(&l->run->ready, p);
	l->delayed[l->count++] = p;
	l->idle = l->seen = 0;
}

/* The best target is the word that most waiters watch, among the words at which
 * leavers make a compare-and-swap. */
static void note_swap(struct late *l, unsigned p)
{
	uint32_t word = next_word(p);

	if (l->best == NO_WORD || l->waits[word] > l->waits[l->best])
		l->best = word;
	if (word == l->target && l->victim < 0 && l->count < most_delayed(l))
		delay(l, p);
}

static void note_wait(struct late *l, unsigned p)
{
	const struct coroutine *co = &sim.coroutine[p];

	for (uint32_t i = 0; i < co->watch_count; i++)
		l->waits[co->watched[i].word]++;
}

static void choose_target(struct late *l)
{
	l->choose_at = l->run->steps + (uint64_t)STEPS_TO_CHOOSE * sim.n;
	if (l->best == NO_WORD || !l->waits[l->best])
		return;
	l->target = l->best;
	begin_volley(l);
}

static void step(struct late *l, unsigned p)
{
	struct forward_run *run = l->run;

	forward_run_step(run, p);
	if (waiters_has(&run->waiters, p))
		note_wait(l, p);
	else if (is_about_to_swap(l, p))
		note_swap(l, p);
	if (run->waiters.released_count)
		forward_run_let_released_look(run);
	if (l->target == NO_WORD && run->steps >= l->choose_at)
		choose_target(l);
}

/* The delayed leaver with this index makes its step. */
static void let_go(struct late *l, unsigned index)
{
	unsigned p = l->delayed[index];

	l->count--;
	for (unsigned i = index; i < l->count; i++)
		l->delayed[i] = l->delayed[i + 1];
	process_set_add(&l->run->ready, p);
	forward_run_step(l->run, p);
	if (l->run->waiters.released_count)
		forward_run_let_released_look(l->run);
}

static bool waits_on_target(const struct late *l, unsigned p)
{
	const struct coroutine *co = &sim.coroutine[p];

	if (!waiters_has(&l->run->waiters, p))
		return false;
	for (uint32_t i = 0; i < co->watch_count; i++)
		if (co->watched[i].word == l->target)
			return true;
	return false;
}

static unsigned waiters_on_target(const struct late *l)
{
	unsigned count = 0;

	for (unsigned p = 0; p < sim.n; p++)
		count += waits_on_target(l, p);
	return count;
}

static void fire_volley(struct late *l)
{
	for (unsigned p = 0; is_for_one(l) && p < sim.n; p++)
		if (waits_on_target(l, p))
			l->victim = (int)p;
	while (l->count)
		let_go(l, 0);
	l->volleys++;
	begin_volley(l);
}

static bool all_would_fail(const struct late *l)
{
	for (unsigned i = 0; i < l->count; i++)
		if (would_succeed(l->delayed[i]))
			return false;
	return true;
}

/*
 * Called at a moment at which only holders can step.  Returns whether to let
 * the delayed leavers go now.  A volley for one waiter begins when no more
 * leavers can be delayed.  If for a long time no moment has `want` waiters on
 * the target, a moment with the most waiters of this time is good enough.
 */
static bool is_time(struct late *l)
{
	unsigned patience = 2 * sim.n * (sim.shape.k ? sim.shape.k : 1);
	unsigned watching;

	if (!l->count || !all_would_fail(l))
		return false;
	watching = waiters_on_target(l);
	if (watching > l->seen)
		l->seen = watching;
	if (l->idle++ > patience && l->seen) {
		l->want = l->seen;
		l->seen = l->idle = 0;
	}
	return watching >= l->want &&
	       (!is_for_one(l) || l->count == most_delayed(l));
}

/* Called at a moment at which all processes are blocked or delayed.  The leaver
 * that was delayed last has the most work to do for the waiters. */
static bool let_one_succeed(struct late *l)
{
	for (unsigned i = l->count; i-- > 0;) {
		if (would_succeed(l->delayed[i])) {
			let_go(l, i);
			return true;
		}
	}
	return false;
}

/*
 * Returns how many processes may begin a passage.  While leavers are collected,
 * one process stays in its remainder until all others are blocked or delayed:
 * in some algorithms an arrival does the work of a delayed leaver.
 */
static unsigned may_begin(const struct late *l)
{
	const struct forward_run *run = l->run;
	unsigned most = run->active < run->contention ? run->in_remainder.count
						      : 0;
	unsigned waiting = run->active - run->inside.count - l->count;

	if (!most || l->target == NO_WORD || l->count == most_delayed(l))
		return most;
	return run->ready.count || run->inside.count || !waiting ? most - 1
								 : most;
}

/*
 * Returns a process that can step, or -1 if only holders can step.  While the
 * victim of a volley completes its passage, holders leave at any time, so that
 * leavers make the compare-and-swap of the victim fail.
 */
static int draw(struct late *l)
{
	struct forward_run *run = l->run;
	unsigned begins = may_begin(l), inside, i;

	if (l->victim >= 0 &&
	    process_set_has(&run->in_remainder, (unsigned)l->victim))
		l->victim = -1;
	inside = l->victim >= 0 ? run->inside.count : 0;
	if (run->ready.count + begins + inside == 0)
		return -1;
	i = prng_below(&run->prng, run->ready.count + begins + inside);
	if (i < run->ready.count)
		return (int)run->ready.member[i];
	i -= run->ready.count;
	return (int)(i < begins ? run->in_remainder.member[i]
				: run->inside.member[i - begins]);
}

bool late_step(struct late *l)
{
	struct forward_run *run = l->run;
	int p = draw(l);

	if (p >= 0) {
		step(l, (unsigned)p);
	} else if (is_time(l)) {
		fire_volley(l);
	} else if (run->inside.count) {
		step(l, run->inside.member[prng_below(&run->prng,
						      run->inside.count)]);
	} else if (let_one_succeed(l)) {
		l->idle = 0;
	} else if (l->count) {
		fire_volley(l);
	} else {
		return false;
	}
	return true;
}
