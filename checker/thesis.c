/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/thesis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THE_ONE = 0, HIS = 1, THEIRS = 2 };

static bool can_move(const struct crowd *c, unsigned p)
{
	return c->ready.place[p] ||
	       (c->resting.place[p] && c->active < c->contention);
}

static bool is_inside(const struct crowd *c, unsigned p)
{
	return c->inside.place[p] != 0;
}

/* More steps alone than any passage takes. */
static uint64_t patience(void)
{
	return 1000 + 100 * (uint64_t)sim.n * sim.n;
}

/* Until p is inside, or cannot; so many steps it took. */
static uint64_t enter_alone(struct crowd *c, unsigned p)
{
	uint64_t steps = 0;

	while (!is_inside(c, p) && can_move(c, p) && steps < patience()) {
		crowd_step(c, p);
		steps++;
	}
	return steps;
}

static void leave_alone(struct crowd *c, unsigned p)
{
	do
		crowd_step(c, p);
	while (!c->resting.place[p] && can_move(c, p));
}

/* One step each for those in [from, n) who can and are not inside; false:
 * nobody could. */
static bool round_of(struct crowd *c, unsigned from)
{
	bool moved = false;

	for (unsigned p = from; p < sim.n; p++) {
		if (is_inside(c, p) || !can_move(c, p))
			continue;
		crowd_step(c, p);
		moved = true;
	}
	return moved;
}

/* The one asks for one session, all others for another. */
static bool begin(struct crowd *c, struct crowd_result *result,
		  uint64_t **session)
{
	bool ok = crowd_begin(c);

	c->contention = sim.n;
	c->result = result;
	*session = calloc(sim.n, sizeof **session);
	c->session = *session;
	for (unsigned p = 0; *session && p < sim.n; p++)
		(*session)[p] = p == THE_ONE ? HIS : THEIRS;
	return ok && *session;
}

static void run_exit(struct crowd *c, struct exit_cost *cost)
{
	struct actor *p = sim.actor[THE_ONE];
	uint64_t rounds = 0;

	enter_alone(c, THE_ONE);
	while (round_of(c, THE_ONE + 1) && rounds++ < patience())
		;
	cost->entered_early = c->inside.count > 1;
	p->remote = p->outside = 0;
	c->result->worst = c->result->outside = 0;
	leave_alone(c, THE_ONE);
	/* What it cost was noted when it came to its end. */
	cost->remote = c->result->worst;
	cost->outside = c->result->outside;
	for (unsigned q = THE_ONE + 1; q < sim.n; q++) {
		uint64_t steps = enter_alone(c, q);

		cost->stuck |= !is_inside(c, q);
		if (steps > cost->alone)
			cost->alone = steps;
	}
}

bool thesis_exit(struct exit_cost *cost)
{
	struct crowd c = { 0 };
	struct crowd_result result = { 0 };
	uint64_t *session;
	bool ok = begin(&c, &result, &session);

	memset(cost, 0, sizeof *cost);
	if (ok)
		run_exit(&c, cost);
	memcpy(cost->waits_on, result.waits_on, sizeof cost->waits_on);
	free(session);
	crowd_end(&c);
	return ok;
}

static void until_blocked(struct crowd *c, unsigned p)
{
	while (!is_inside(c, p) && can_move(c, p))
		crowd_step(c, p);
}

static void run_patience(struct crowd *c, unsigned times,
			 struct patience_cost *cost)
{
	enum { FIRST = THE_ONE + 1, SECOND };
	const struct actor *looks = sim.actor[SECOND];

	enter_alone(c, THE_ONE);
	until_blocked(c, FIRST);
	until_blocked(c, SECOND);
	leave_alone(c, THE_ONE);
	for (unsigned i = 0; i < times && !is_inside(c, SECOND); i++) {
		until_blocked(c, THE_ONE);
		until_blocked(c, SECOND);
		if (!crowd_may_give_up(c, THE_ONE))
			break;
		crowd_give_up(c, THE_ONE);
		leave_alone(c, THE_ONE);
	}
	cost->entered = is_inside(c, SECOND);
	cost->remote = looks->remote;
	cost->outside = looks->outside;
}

bool thesis_patience(unsigned times, struct patience_cost *cost)
{
	struct crowd c = { 0 };
	struct crowd_result result = { 0 };
	uint64_t *session;
	bool ok = begin(&c, &result, &session);

	memset(cost, 0, sizeof *cost);
	if (ok)
		run_patience(&c, times, cost);
	free(session);
	crowd_end(&c);
	return ok;
}

/* Until others can see that it is there: it has changed a word that is not the
 * component's. */
static void show_up(struct crowd *c, unsigned p)
{
	bool shown = false;

	while (!shown && can_move(c, p)) {
		crowd_step(c, p);
		for (size_t i = 0; i < sim.change_count; i++)
			shown |= sim_is_outside(sim.changes[i].word);
	}
}

static bool in_doorway(const struct crowd *c, unsigned p)
{
	return can_move(c, p) &&
	       (c->resting.place[p] || sim.actor[p]->phase == PHASE_DOORWAY);
}

static void finish_doorways(struct crowd *c, unsigned from, unsigned to)
{
	bool moved = true;

	while (moved) {
		moved = false;
		for (unsigned p = from; p < to; p++) {
			if (!in_doorway(c, p))
				continue;
			crowd_step(c, p);
			moved = true;
		}
	}
}

/* Everybody who can gets in; then all who are inside leave for good. */
static unsigned next_batch(struct crowd *c, bool *is_theirs)
{
	unsigned count;

	while (c->ready.count && round_of(c, 0))
		;
	count = c->inside.count;
	*is_theirs = count && c->inside.member[0] != THE_ONE;
	while (c->inside.count)
		leave_alone(c, c->inside.member[0]);
	return count;
}

static void run_batches(struct crowd *c, struct batches *b)
{
	unsigned left = sim.n;
	size_t used = 0;

	show_up(c, THE_ONE);
	finish_doorways(c, THE_ONE + 1, sim.n);
	finish_doorways(c, THE_ONE, THE_ONE + 1);
	c->contention = 0; /* who has left does not come back */
	while (left > 0) {
		bool theirs;
		unsigned count = next_batch(c, &theirs);

		b->stuck = count == 0;
		if (b->stuck)
			return;
		left -= count;
		if (!theirs)
			continue;
		b->count++;
		if (count > b->largest)
			b->largest = count;
		if (used < sizeof b->list)
			used += (size_t)snprintf(b->list + used,
						 sizeof b->list - used,
						 used ? " %u" : "%u", count);
	}
}

bool thesis_batches(struct batches *batches)
{
	struct crowd c = { 0 };
	struct crowd_result result = { 0 };
	uint64_t *session;
	bool ok = begin(&c, &result, &session);

	memset(batches, 0, sizeof *batches);
	if (ok)
		run_batches(&c, batches);
	free(session);
	crowd_end(&c);
	return ok;
}
