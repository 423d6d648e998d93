/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/replay.h"

#include "checker/expand.h"

#include <stdio.h>
#include <stdlib.h>

enum { LOCALS = 64 << 20 };

bool replay_open(struct replay *r, const struct question *q)
{
	memset(r, 0, sizeof *r);
	r->loop_at = SIZE_MAX;
	return world_open(&r->world, q, LOCALS);
}

void replay_close(struct replay *r)
{
	sim.record = NULL;
	world_close(&r->world);
	free(r->path);
}

static const char *action_of(const struct step *made)
{
	static const char *const names[] = {
		[STEP_READ] = "read",
		[STEP_WRITE] = "write",
		[STEP_ADD] = "add",
		[STEP_SWAP] = "swap",
		[STEP_CAS] = "cas",
		[STEP_TAS] = "tas",
		[STEP_SAFE_READ] = "read",
		[STEP_SAFE_BEGIN] = "begin write",
		[STEP_SAFE_END] = "end write",
		[STEP_LARGE] = "large step",
		[STEP_AWAIT] = "await",
		[STEP_AWAIT_SAFE] = "await",
		[STEP_LOOK] = "read",
		[STEP_WAKE] = "wake",
	};

	return names[made->kind];
}

static void tell_access(struct lab_step *s, const struct step *made,
			const struct edge *e, bool torn)
{
	size_t word = made->kind == STEP_LARGE && e->change_count
			      ? e->change[0].word
			      : sim_index(made->word);

	snprintf(s->label, sizeof s->label, "%s", sim_label(made->where));
	snprintf(s->action, sizeof s->action, "%s%s%s", action_of(made),
		 made->kind == STEP_CAS && !made->result ? " (fails)" : "",
		 torn ? " (torn)" : "");
	sim_word_name(word, s->word, sizeof s->word);
	s->old = s->new = made->kind == STEP_CAS || made->kind == STEP_LARGE
				  ? sim.words[word].value
				  : made->result;
	for (unsigned i = 0; i < e->change_count; i++) {
		if (e->change[i].word == word) {
			s->old = e->change[i].old;
			s->new = e->change[i].new;
			s->changed = s->old != s->new;
		}
	}
}

static void tell_entry(struct lab_step *s, const struct edge *e)
{
	const char *nap = e->choice.act == ACT_NAP ? "its nap is over; " : "";

	if (sim.algorithm->kind == KIND_GROUP_EXCLUSION)
		snprintf(s->event, sizeof s->event, "%senters session %llu",
			 nap, (unsigned long long)e->after->session);
	else if (sim.algorithm->kind == KIND_K_ASSIGNMENT)
		snprintf(s->event, sizeof s->event, "%senters slot %d", nap,
			 e->after->slot);
	else
		snprintf(s->event, sizeof s->event, "%s%s", nap,
			 sim.algorithm->kind == KIND_OBJECT ? "applies"
							    : "enters");
}

static void tell_resize(struct lab_step *s, const struct edge *e, unsigned k)
{
	bool begins = e->choice.act == ACT_START;
	bool ends = e->after->phase == PHASE_REMAINDER;

	if (begins || ends)
		snprintf(s->event, sizeof s->event, "%s to k=%u",
			 begins && ends                   ? "resizes"
			 : ends                           ? "has resized"
			 : e->before->phase == PHASE_DEAD ? "resizes again"
							  : "begins to resize",
			 k);
}

static void tell_event(const struct question *q, struct lab_step *s,
		       const struct edge *e, bool slept)
{
	enum phase was = (enum phase)e->before->phase;
	enum phase is = (enum phase)e->after->phase;
	const char *event = "";

	if (e->choice.act == ACT_ABORT)
		event = "gives up";
	else if (e->choice.act == ACT_DIE)
		event = "dies";
	else if (is == PHASE_INSIDE && was != PHASE_INSIDE)
		event = "enters";
	else if (is == PHASE_REMAINDER &&
		 (was == PHASE_DEAD || was == PHASE_RECOVERING))
		event = "is recovered";
	else if (is == PHASE_REMAINDER && was != is)
		event = "is done";
	else if (was == PHASE_INSIDE && is != was)
		event = "leaves";
	else if (was == PHASE_DEAD)
		event = "is being recovered";
	else if (is == PHASE_WAITING && was != is)
		event = "ends its doorway";
	else if (e->choice.act == ACT_NAP)
		event = "its nap is over";
	else if (!slept && sim_asleep(e->choice.process))
		event = "falls asleep";
	snprintf(s->event, sizeof s->event, "%s", event);
	if (is == PHASE_INSIDE && was != is)
		tell_entry(s, e);
	if (question_resizer(q, e->choice.process) && e->choice.act != ACT_DIE)
		tell_resize(s, e, question_k(q, e->after->passages_left));
}

static struct lab_step *next_step(struct replay *r)
{
	if (r->steps == r->room) {
		size_t room = r->room ? 2 * r->room : 64;
		struct lab_step *step = realloc(r->step, room * sizeof *step);
		struct choice *path = realloc(r->path, room * sizeof *path);

		if (step)
			r->step = step;
		if (path)
			r->path = path;
		if (!step || !path)
			return NULL;
		r->room = room;
	}
	memset(&r->step[r->steps], 0, sizeof *r->step);
	return &r->step[r->steps];
}

/* Over the states of the loop: who could always step, who always tries. */
static void look_round(struct replay *r)
{
	struct expansion x;

	if (r->loop_at == SIZE_MAX || !expansion_open(&x))
		return;
	expand(&r->world, &x, NULL, 0);
	for (unsigned p = 0; p < r->world.n; p++) {
		enum phase phase = world_phase(&r->world, p);
		uint64_t bit = UINT64_C(1) << p;

		if (phase == PHASE_REMAINDER || !(x.enabled & bit))
			r->bound &= ~bit;
		if (phase == PHASE_REMAINDER || phase == PHASE_INSIDE ||
		    phase == PHASE_RESIZING)
			r->busy &= ~bit;
	}
	expansion_close(&x);
}

void replay_loop_begins(struct replay *r)
{
	r->loop_at = r->steps;
	r->loop_hash = r->world.hash;
	r->bound = r->busy = (UINT64_C(1) << r->world.n) - 1;
	r->moved = 0;
	r->progress = false;
	look_round(r);
}

bool replay_choice(struct replay *r, struct choice c)
{
	struct heap heap = { malloc(1 << 20), 0, 1 << 20 };
	struct lab_step *s = next_step(r);
	struct step made = { .kind = STEP_END };
	bool slept = sim_asleep(c.process);
	bool torn = c.act == ACT_STEP &&
		    world_torn_values(&r->world, c.process) > 1;
	struct edge *e;

	if (!s || !heap.base)
		return false;
	sim.record = &made;
	e = world_try(&r->world, c, &heap);
	sim.record = NULL;
	if (!e) {
		free(heap.base);
		return false;
	}
	s->step = (unsigned)r->steps + 1;
	s->process = c.process;
	s->is_loop = r->steps == r->loop_at;
	snprintf(s->label, sizeof s->label, "-");
	if (made.kind != STEP_END)
		tell_access(s, &made, e, torn);
	world_apply(&r->world, e);
	tell_event(r->world.question, s, e, slept);
	r->violated |= e->violated;
	r->overtaken = e->overtaken;
	r->moved |= UINT64_C(1) << c.process;
	r->progress |= e->before->phase != e->after->phase &&
		       (e->after->phase == PHASE_INSIDE ||
			e->after->phase == PHASE_RESIZING ||
			e->after->phase == PHASE_REMAINDER);
	r->path[r->steps++] = c;
	look_round(r);
	free(heap.base);
	return true;
}

static void judge_loop(struct replay *r)
{
	const struct question *q = r->world.question;
	uint64_t stopped = r->bound & ~r->moved;
	unsigned dead = (unsigned)__builtin_popcountll(stopped);

	if (r->loop_at == SIZE_MAX || r->world.hash != r->loop_hash)
		return;
	if ((r->busy & ~stopped) && dead <= q->crashes)
		r->violated |= NO_STARVATION;
	if (r->busy && !stopped && !r->progress)
		r->violated |= NO_DEADLOCK;
}

static void say_where(const struct replay *r, const struct expansion *x,
		      char *why, size_t size)
{
	static const char *const names[] = {
		[PHASE_REMAINDER] = "in its remainder",
		[PHASE_DOORWAY] = "in its doorway",
		[PHASE_WAITING] = "waiting",
		[PHASE_INSIDE] = "inside",
		[PHASE_LEAVING] = "leaving",
		[PHASE_ABORTING] = "giving up",
		[PHASE_DEAD] = "dead",
		[PHASE_RECOVERING] = "being recovered",
		[PHASE_RESIZING] = "resizing",
	};
	size_t used = 0;

	why[0] = '\0';
	for (unsigned p = 0; p < r->world.n && used < size; p++) {
		enum phase phase = world_phase(&r->world, p);
		bool stuck = phase != PHASE_REMAINDER &&
			     phase != PHASE_INSIDE && !(x->enabled >> p & 1);

		used += (size_t)snprintf(why + used, size - used, "%s%u %s%s",
					 p ? "; " : "", p, names[phase],
					 sim_asleep(p) ? ", asleep"
					 : stuck       ? ", blocked"
						       : "");
	}
	if (r->loop_at != SIZE_MAX && used < size)
		snprintf(why + used, size - used, "; the loop %s",
			 r->world.hash == r->loop_hash
				 ? "closes: this can go on for ever"
				 : "does not close");
}

void replay_finish(struct replay *r, char *why, size_t size)
{
	struct expansion x;

	if (!expansion_open(&x))
		return;
	expand(&r->world, &x, NULL, r->overtaken);
	r->violated |= x.refused;
	judge_loop(r);
	say_where(r, &x, why, size);
	expansion_close(&x);
}
