/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/question.h"

#include "checker/catalogue.h"
#include "checker/counters.h"
#include "checker/history.h"
#include "memory/simulated/store.h"

#include <stdio.h>
#include <string.h>

enum { DEFAULT_N = 3, DEFAULT_SESSIONS = 2 };

/* Properties that refer to doorways; most are about the order of arrival. */
enum { ORDER = FCFS | K_FCFS | FIFE | BOUNDED_BYPASS | BOUNDED_DOORWAY };

const struct algorithm *question_algorithm(const char *name, char *error)
{
	const struct algorithm *a = registry_find(name);
	char near[LAB_ERROR / 2], why[LAB_ERROR / 4];

	if (a)
		return a;
	registry_explain(name, why, sizeof why);
	lab_nearest_algorithm(name, near, sizeof near);
	snprintf(error, LAB_ERROR, "%s; %s", why, near);
	return NULL;
}

static bool within(const char *what, unsigned value, unsigned least,
		   unsigned most, const char *name, char *error)
{
	if (least && value < least)
		return question_refuse("%s is %u; %s takes at least %u", what,
				       value, name, least);
	if (most && value > most)
		return question_refuse("%s is %u; %s takes at most %u", what,
				       value, name, most);
	return true;
}

bool question_shape(const struct algorithm *a, int n, int k, int sessions,
		    struct shape *shape, char *error)
{
	bool group = a->kind == KIND_GROUP_EXCLUSION;

	if (n == 0 || n < -1 || k < -1 || sessions < -1)
		return question_refuse(
			"n must be 1 or more; k and m must not be negative");
	shape->n = n > 0 ? (unsigned)n : DEFAULT_N;
	shape->k = k >= 0 ? (unsigned)k : group ? 0 : 1;
	shape->k_max = 0;
	shape->sessions = 0;
	shape->component = a->composition.component;
	if (group && shape->k && !(a->promises & AT_MOST_K))
		return question_refuse(
			"%s limits the number of sessions inside, not "
			"of processes: leave out -k",
			a->name);
	if (group) {
		shape->sessions = sessions > 0 ? (unsigned)sessions
					       : DEFAULT_SESSIONS;
		if (!within("m", shape->sessions,
			    a->limits.least_sessions ? a->limits.least_sessions
						     : 1,
			    a->limits.most_sessions, a->name, error))
			return false;
	} else if (sessions > 0) {
		return question_refuse("-m: %s has no sessions", a->name);
	} else if (k == 0 && a->kind != KIND_OBJECT) {
		return question_refuse("k must be 1 or more for %s", a->name);
	}
	if (n < 0 && a->limits.most_n && shape->n > a->limits.most_n)
		shape->n = a->limits.most_n;
	return within("n", shape->n, a->limits.least_n, a->limits.most_n,
		      a->name, error) &&
	       (group || within("k", shape->k, a->limits.least_k,
				a->limits.most_k, a->name, error));
}

/* The last process resizes; each of its passages is a change of k. */
static bool complete_resize(const struct lab_question *from,
			    struct question *to, char *error)
{
	const struct algorithm *a = to->algorithm;

	if (from->resize_count == 0)
		return true;
	if (!a->resize && !a->set_limit)
		return question_refuse("--resize: %s cannot change its k",
				       a->name);
	if (to->shape.k == 0)
		return question_refuse(
			"--resize: %s has no limit to change; give one with -k",
			a->name);
	if (to->shape.n < 2)
		return question_refuse(
			"--resize needs one process for itself: n must "
			"be 2 or more");
	if (from->resize_count < 0 || from->resize_count > LAB_MAX_RESIZES)
		return question_refuse("--resize takes at most %d numbers",
				       LAB_MAX_RESIZES);
	to->shape.k_max = to->shape.k;
	for (int i = 0; i < from->resize_count; i++) {
		int k = from->resize[i];

		/* Over a store 0 pauses the pool. */
		if (k < 1 && !a->set_limit)
			return question_refuse(
				"--resize: k must be 1 or more for %s",
				a->name);
		if (k && !within("k", (unsigned)k, a->limits.least_k,
				 a->limits.most_k, a->name, error))
			return false;
		to->resize[i] = (unsigned)k;
		if (to->resize[i] > to->shape.k_max)
			to->shape.k_max = to->resize[i];
	}
	to->resizes = (unsigned)from->resize_count;
	to->passages[to->shape.n - 1] = to->resizes;
	return true;
}

static bool complete_passages(const struct lab_question *from,
			      struct question *to, char *error)
{
	const struct algorithm *a = to->algorithm;
	unsigned n = question_passers(to);

	if (from->passage_count > 1 && (unsigned)from->passage_count != n)
		return question_refuse(
			"--passages lists %d numbers for %u processes",
			from->passage_count, n);
	for (unsigned p = 0; p < n; p++) {
		int each = from->passage_count == 0   ? 1
			   : from->passage_count == 1 ? from->passages[0]
						      : from->passages[p];

		if (each < 0 || each >= UNBOUNDED)
			return question_refuse(
				"--passages takes numbers from 0 to %d",
				UNBOUNDED - 1);
		if (each == 0 && !a->finite_state && !counters_suffice(a))
			return question_refuse(
				"--passages 0 (unbounded): %s has words that "
				"grow for ever, and its table has no rules "
				"(.counter) that make its states finite; give "
				"a number of passages, such as --passages 2",
				a->name);
		to->canonical |= each == 0 && !a->finite_state;
		to->passages[p] = (unsigned)each;
	}
	return true;
}

/* The faults of a store. */
static bool complete_store(const struct lab_question *from, struct question *to,
			   char *error)
{
	const struct algorithm *a = to->algorithm;

	to->faults = from->faults > 0 ? (unsigned)from->faults : 0;
	to->no_clocks = from->no_clocks;
	if ((to->faults || to->no_clocks) && !a->over_store)
		return question_refuse(
			"--faults and --no-clocks: %s does not run over a store",
			a->name);
	if (to->faults > STORE_MOST_FAULTS)
		return question_refuse("--faults must be at most %d",
				       STORE_MOST_FAULTS);
	if (to->no_clocks && !to->faults)
		return question_refuse(
			"--no-clocks lets leases end; it needs --faults");
	return true;
}

static bool complete_faults(const struct lab_question *from,
			    struct question *to, char *error)
{
	const struct algorithm *a = to->algorithm;

	if (from->crashes < -1 || from->deaths < -1 || from->aborts < -1)
		return question_refuse(
			"--crashes, --deaths and --aborts must not be "
			"negative");
	to->crashes = from->crashes >= 0 ? (unsigned)from->crashes
		      : a->tolerates_crashes && question_least_k(to)
			      ? question_least_k(to) - 1
			      : 0;
	if (from->crashes < 0 && to->crashes >= to->shape.n)
		to->crashes = to->shape.n - 1;
	to->deaths = from->deaths > 0 ? (unsigned)from->deaths : 0;
	to->aborts = from->aborts > 0 ? (unsigned)from->aborts : 0;
	if (to->aborts && !a->abort)
		return question_refuse("--aborts: waiters of %s cannot give up",
				       a->name);
	if (to->deaths && !a->recover)
		return question_refuse(
			"--deaths: %s cannot recover dead processes; use "
			"--crashes for processes that stop unnoticed",
			a->name);
	if (to->aborts >= UNBOUNDED || to->deaths >= UNBOUNDED)
		return question_refuse(
			"--aborts and --deaths must be at most %d",
			UNBOUNDED - 1);
	if (to->crashes >= to->shape.n && to->crashes)
		return question_refuse(
			"--crashes %u: at most %u of the %u processes can "
			"crash",
			to->crashes, to->shape.n - 1, to->shape.n);
	return true;
}

static bool complete_group_properties(const struct algorithm *a, unsigned asked,
				      char *error)
{
	bool group = a->kind == KIND_GROUP_EXCLUSION;

	if ((asked & (SESSION_EXCLUSION | CONCURRENT_ENTERING |
		      STRONG_CONCURRENT_ENTERING | CONCURRENT_OCCUPANCY)) &&
	    !group)
		return question_refuse("%s has no sessions", a->name);
	if ((asked & NO_WAIT_BELOW_K) && group)
		return question_refuse(
			"no-wait-below-k: a process of %s may wait for another "
			"session; use concurrent-entering",
			a->name);
	return true;
}

/*
 * The promises that apply to the question.  A process that a fault of the store
 * has hit may make more steps and lose its place in the order, and a process
 * that arrives during a resize asks again.  A waiter of a paused pool waits for
 * ever.  If a lease ends while its process is inside, only tokens distinguish
 * the holders of a slot.
 */
static unsigned default_properties(const struct question *q)
{
	enum {
		WITH_FAULTS = AT_MOST_K | UNIQUE_SLOTS | SESSION_EXCLUSION |
			      NO_DEADLOCK | NO_STARVATION | FENCED |
			      QUIESCENCE | INVARIANT,
		WITH_CLOCKS = AT_MOST_K | UNIQUE_SLOTS | SESSION_EXCLUSION
	};
	unsigned asked = q->algorithm->promises;

	if (!q->algorithm->over_store)
		return asked;
	if (q->faults)
		asked &= WITH_FAULTS;
	if (q->resizes)
		asked &= ~(unsigned)BOUNDED_DOORWAY;
	if (q->shape.k && question_least_k(q) == 0)
		asked &= ~(unsigned)(NO_DEADLOCK | NO_STARVATION);
	return asked &
	       ~(q->no_clocks ? (unsigned)WITH_CLOCKS : (unsigned)FENCED);
}

/* Refuse a property that does not apply to the algorithm. */
static bool complete_properties(const struct lab_question *from,
				struct question *to, char *error)
{
	const struct algorithm *a = to->algorithm;
	unsigned asked = from->properties;

	to->asked = asked ? asked : default_properties(to);
	if (a->over_store && (asked & WAKE_PROPERTIES))
		return question_refuse(
			"%s: no-lost-wake and prompt-wake are about sleeps on "
			"words; a waiter of %s watches its store",
			a->name, a->name);
	if ((asked & FENCED) && !a->over_store)
		return question_refuse("fenced: %s does not run over a store",
				       a->name);
	if ((to->asked & FENCED) && shape_slots(&to->shape) > MAX_EXHAUSTIVE_N)
		return question_refuse("fenced takes at most %d slots",
				       MAX_EXHAUSTIVE_N);
	if ((asked & QUIESCENCE) && !a->quiet)
		return question_refuse(
			"quiescence: %s does not define its quiet state",
			a->name);
	if ((asked & INVARIANT) && !a->invariant)
		return question_refuse("invariant: %s has none", a->name);
	if ((asked & LINEARIZABLE) && !a->object.specification)
		return question_refuse("linearizable: %s is not an object type",
				       a->name);
	if (!complete_group_properties(a, asked, error))
		return false;
	if ((asked & EXIT_TERMINATION) && !a->leave)
		return question_refuse(
			"exit-termination: %s has no leave; bounded-apply says "
			"that its operations end",
			a->name);
	if ((asked & ORDER) && !a->doorway && !a->bounds.doorway_steps &&
	    !(a->promises & ORDER))
		return question_refuse(
			"%s has no doorway, so its processes have no "
			"order of arrival",
			a->name);
	if (a->object.specification && to->shape.n > HISTORY_OPERATORS)
		return question_refuse(
			"an object type takes at most %d processes",
			HISTORY_OPERATORS);
	if ((asked & BOUNDED_APPLY) && a->kind != KIND_OBJECT)
		return question_refuse(
			"bounded-apply: %s is not an object type", a->name);
	if ((asked & BOUNDED_BYPASS) && !a->bounds.most_bypasses)
		return question_refuse("bounded-bypass: %s states no bound",
				       a->name);
	if ((asked & BOUNDED_ABORT) && !a->abort)
		return question_refuse(
			"bounded-abort: waiters of %s cannot give up", a->name);
	if ((asked & FCFS) && (to->shape.k > 1 || to->shape.k_max > 1) &&
	    a->kind != KIND_GROUP_EXCLUSION)
		return question_refuse(
			"fcfs needs k = 1; for k = %u use k-fcfs",
			shape_slots(&to->shape));
	return true;
}

/*
 * Set the processes whose steps are counted.  Each count is part of the state.
 * So several checks that each count the steps of one process have fewer states
 * than one check that counts the steps of all processes.  Together these checks
 * give the same answer.
 */
static bool complete_steps(const struct lab_question *from, struct question *to,
			   char *error)
{
	const unsigned all = (1u << to->shape.n) - 1;

	to->steps_of = from->steps_of ? from->steps_of : all;
	if (to->steps_of & ~all)
		return question_refuse(
			"--steps-of: processes are numbered 0 to %u",
			to->shape.n - 1);
	if (from->steps_of && !(to->asked & (BOUNDED_DOORWAY | BOUNDED_LEAVE |
					     BOUNDED_ABORT | BOUNDED_APPLY)))
		return question_refuse(
			"--steps-of: none of the properties to check "
			"counts steps");
	return true;
}

bool question_complete(const struct lab_question *from, struct question *to,
		       char *error)
{
	memset(to, 0, sizeof *to);
	to->tracked = -1;
	to->make_every_move = from->make_every_move;
	to->find_collisions = from->find_collisions;
	to->algorithm = question_algorithm(from->algorithm, error);
	if (!to->algorithm ||
	    !question_shape(to->algorithm, from->n, from->k, from->sessions,
			    &to->shape, error))
		return false;
	/* struct choice has eight bits for the session. */
	if (to->shape.sessions > UINT8_MAX)
		return question_refuse(
			"a check takes at most %d sessions, not %u", UINT8_MAX,
			to->shape.sessions);
	if (to->shape.n > MAX_EXHAUSTIVE_N)
		return question_refuse(
			"a check takes at most %d processes, not %u",
			MAX_EXHAUSTIVE_N, to->shape.n);
	to->canonical = from->canonical && counters_suffice(to->algorithm);
	return complete_resize(from, to, error) &&
	       complete_passages(from, to, error) &&
	       complete_faults(from, to, error) &&
	       complete_store(from, to, error) &&
	       complete_properties(from, to, error) &&
	       complete_steps(from, to, error);
}
