/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/replay.h"

#include "checker/expand.h"
#include "checker/monitor.h"
#include "memory/simulated/label.h"
#include "memory/simulated/store.h"

#include <stdio.h>
#include <stdlib.h>

enum { LOCAL_STATE_BYTES = 64 << 20 };

bool replay_open(struct replay *r, const struct question *q)
{
	memset(r, 0, sizeof *r);
	r->loop_at = SIZE_MAX;
	if (!world_open(&r->world, q, LOCAL_STATE_BYTES))
		return false;
	r->canonical = canonical_open();
	if (r->canonical && step_cost_open(&r->cost))
		return true;
	if (r->canonical)
		canonical_close(r->canonical);
	world_close(&r->world);
	return false;
}

void replay_close(struct replay *r)
{
	sim.record = NULL;
	step_cost_close(&r->cost);
	canonical_close(r->canonical);
	world_close(&r->world);
}

/* Two states with the same fingerprint count as one.  A loop closes only if the
 * fingerprint at its end is the one at its beginning; if the algorithm naps,
 * this fingerprint includes the words that processes watch. */
static uint64_t fingerprint(const struct replay *r)
{
	return r->world.question->canonical
		       ? canonical_hash(r->canonical, &r->world)
		       : r->world.hash + world_pass_hash(&r->world);
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
		[STEP_NAME] = "compare",
		[STEP_WAKE] = "wake",
		[STEP_LEASE] = "get a lease",
		[STEP_REVOKE] = "end the lease",
		[STEP_SURVEY] = "look at all words",
		[STEP_REMOTE] = "transaction",
		[STEP_ANSWER] = "answer",
	};

	return names[made->kind];
}

static void describe_access(struct lab_step *s, const struct step *made,
			    const struct transition *t, bool torn,
			    const struct counters *counters)
{
	size_t word = made->kind == STEP_LARGE && t->change_count
			      ? t->change[0].word
			      : sim_index(made->word);

	snprintf(s->label, sizeof s->label, "%s", label_of(made->where));
	snprintf(s->action, sizeof s->action, "%s%s%s", action_of(made),
		 made->kind == STEP_CAS && !made->result ? " (fails)" : "",
		 torn ? " (torn)" : "");
	sim_word_name(word, s->word, sizeof s->word);
	s->old = s->new = made->kind == STEP_CAS || made->kind == STEP_LARGE
				  ? sim.words[word].value
				  : made->result;
	for (unsigned i = 0; i < t->change_count; i++) {
		if (t->change[i].word == word) {
			s->old = t->change[i].old;
			s->new = t->change[i].new;
			s->changed = s->old != s->new;
		}
	}
	s->old = counters_plain(counters, s->old);
	s->new = counters_plain(counters, s->new);
}

/* Whether a trace shows this word: it belongs to the algorithm and not to the
 * store itself, and it is not the word of a member, because those words change
 * with every slot or ticket. */
static bool is_shown(uint32_t word)
{
	return word < sim.word_count && store_is_seen(word);
}

/*
 * Describe a step of a store, or what the store or the network did.  The trace
 * shows only the last of the words that changed, with its stamps: a transaction
 * writes the most important word last.
 */
static void describe_store_step(struct lab_step *s, const struct step *made,
				const struct transition *t)
{
	static const char *const fates[] = { "", ", answer lost", ", delayed" };
	const char *fate = t->choice.act == ACT_STEP &&
					   made->kind == STEP_REMOTE
				   ? fates[t->choice.variant]
				   : "";

	if (made->kind != STEP_END) {
		snprintf(s->label, sizeof s->label, "%s",
			 label_of(made->where));
		snprintf(s->action, sizeof s->action, "%s%s", action_of(made),
			 fate);
	} else if (t->choice.act == ACT_LAPSE) {
		snprintf(s->action, sizeof s->action, "its lease ends");
	} else if (t->choice.act == ACT_DELIVER) {
		snprintf(s->action, sizeof s->action, "late request arrives");
	}
	for (unsigned i = 0; i < t->change_count; i++) {
		if (!is_shown(t->change[i].word))
			continue;
		sim_word_name(t->change[i].word, s->word, sizeof s->word);
		s->old = store_cell_stamp(t->change[i].old);
		s->new = store_cell_stamp(t->change[i].new);
		s->changed = s->old != s->new;
	}
}

static void describe_entry(struct lab_step *s, const struct transition *t)
{
	const char *nap = t->choice.act == ACT_NAP ? "its nap is over; " : "";

	if (sim.algorithm->kind == KIND_GROUP_EXCLUSION)
		snprintf(s->event, sizeof s->event, "%senters session %llu",
			 nap, (unsigned long long)t->after->session);
	else if (sim.algorithm->kind == KIND_K_ASSIGNMENT)
		snprintf(s->event, sizeof s->event, "%senters slot %d", nap,
			 t->after->slot);
	else
		snprintf(s->event, sizeof s->event, "%s%s", nap,
			 sim.algorithm->kind == KIND_OBJECT ? "applies"
							    : "enters");
}

static void describe_resize(struct lab_step *s, const struct transition *t,
			    unsigned k)
{
	bool begins = t->choice.act == ACT_START;
	bool ends = t->after->phase == PHASE_REMAINDER;

	if (begins || ends)
		snprintf(s->event, sizeof s->event, "%s to k=%u",
			 begins && ends                   ? "resizes"
			 : ends                           ? "has resized"
			 : t->before->phase == PHASE_DEAD ? "resizes again"
							  : "begins to resize",
			 k);
}

static void describe_event(const struct question *q, struct lab_step *s,
			   const struct transition *t, bool slept)
{
	enum phase was = (enum phase)t->before->phase;
	enum phase is = (enum phase)t->after->phase;
	const char *event = "";

	if (t->choice.act == ACT_ABORT)
		event = "gives up";
	else if (t->choice.act == ACT_DIE)
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
	else if (t->choice.act == ACT_NAP)
		event = "its nap is over";
	else if (!slept && sim_asleep(t->choice.process))
		event = "falls asleep";
	snprintf(s->event, sizeof s->event, "%s", event);
	if (is == PHASE_INSIDE && was != is)
		describe_entry(s, t);
	if (question_resizer(q, t->choice.process) && t->choice.act != ACT_DIE)
		describe_resize(s, t, question_k(q, t->after->passages_left));
}

static struct lab_step *next_step(struct replay *r)
{
	if (r->steps == r->room) {
		size_t room = r->room ? 2 * r->room : 64;
		struct lab_step *step = realloc(r->step, room * sizeof *step);

		if (!step)
			return NULL;
		r->step = step;
		r->room = room;
	}
	memset(&r->step[r->steps], 0, sizeof *r->step);
	return &r->step[r->steps];
}

/* Update `bound` and `busy` for the current state, if it is in the loop. */
static void note_loop_state(struct replay *r)
{
	struct expansion x;

	if (r->loop_at == SIZE_MAX || !expand_open(&x))
		return;
	expand(&r->world, &x, NULL);
	for (unsigned p = 0; p < r->world.n; p++) {
		uint64_t bit = UINT64_C(1) << p;

		if (world_phase(&r->world, p) == PHASE_REMAINDER ||
		    !(x.enabled & bit))
			r->bound &= ~bit;
		if (!(r->bound & bit) || world_is_inside(&r->world, p))
			r->bound_outside &= ~bit;
		if (!world_is_busy(&r->world, p))
			r->busy &= ~bit;
		if (world_phase(&r->world, p) != PHASE_LEAVING)
			r->leaving &= ~bit;
		if (!monitor_has_free_way(&r->world, p))
			r->free_way &= ~bit;
	}
	expand_close(&x);
}

void replay_loop_begins(struct replay *r)
{
	r->loop_at = r->steps;
	r->loop_hash = fingerprint(r);
	r->bound = r->busy = (UINT64_C(1) << r->world.n) - 1;
	r->bound_outside = r->leaving = r->free_way = r->bound;
	r->moved = 0;
	r->progress = false;
	note_loop_state(r);
}

bool replay_choice(struct replay *r, struct choice c)
{
	struct heap heap = { malloc(1 << 20), 0, 1 << 20 };
	struct lab_step *s = next_step(r);
	struct step made = { .kind = STEP_END };
	bool slept = sim_asleep(c.process);
	bool torn = c.act == ACT_STEP &&
		    world_torn_values(&r->world, c.process) > 1;
	struct transition *t = NULL;

	if (s && heap.base) {
		sim.record = &made;
		t = transition_try(&r->world, c, &heap);
		sim.record = NULL;
	}
	if (!t) {
		free(heap.base);
		return false;
	}
	s->step = (unsigned)r->steps + 1;
	s->process = c.process;
	s->is_loop = r->steps == r->loop_at;
	snprintf(s->label, sizeof s->label, "-");
	if (sim.algorithm->over_store) {
		describe_store_step(s, &made, t);
	} else if (made.kind != STEP_END) {
		describe_access(s, &made, t, torn, &r->world.counters);
		step_cost_note(&r->cost, s, c.process, &made);
	}
	transition_apply(&r->world, t);
	describe_event(r->world.question, s, t, slept);
	r->violated |= t->violated | expand_overtaken(&r->world, t->overtaken);
	r->moved |= UINT64_C(1) << c.process;
	r->progress |= t->after->phase == PHASE_REMAINDER ||
		       (world_is_inside(&r->world, c.process) &&
			t->before->phase != PHASE_INSIDE);
	r->steps++;
	note_loop_state(r);
	free(heap.base);
	return true;
}

/* Whether one of these processes starves in the loop, if the processes that
 * stopped have crashed. */
static bool one_starves(const struct replay *r, uint64_t these,
			uint64_t stopped)
{
	return (these & ~stopped) && (unsigned)__builtin_popcountll(stopped) <=
					     r->world.question->crashes;
}

static void check_loop(struct replay *r)
{
	bool group = sim.algorithm->kind == KIND_GROUP_EXCLUSION;
	uint64_t stopped = r->bound & ~r->moved;

	if (r->loop_at == SIZE_MAX || fingerprint(r) != r->loop_hash)
		return;
	if (one_starves(r, r->busy, stopped))
		r->violated |= NO_STARVATION;
	if (one_starves(r, r->leaving, stopped))
		r->violated |= EXIT_TERMINATION;
	if (group && one_starves(r, r->free_way, r->bound_outside & ~r->moved))
		r->violated |= CONCURRENT_OCCUPANCY;
	if (!group && (r->free_way & r->moved))
		r->violated |= NO_WAIT_BELOW_K;
	if (r->busy && !stopped && !r->progress)
		r->violated |= NO_DEADLOCK;
}

static void describe_state(const struct replay *r, const struct expansion *x,
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
			 fingerprint(r) == r->loop_hash
				 ? "closes: this can go on for ever"
				 : "does not close");
}

void replay_finish(struct replay *r, char *why, size_t size)
{
	struct expansion x;

	if (!expand_open(&x))
		return;
	expand(&r->world, &x, NULL);
	r->violated |= x.refused;
	check_loop(r);
	describe_state(r, &x, why, size);
	expand_close(&x);
}
