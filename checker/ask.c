/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/ask.h"

#include "checker/history.h"

#include <stdio.h>
#include <string.h>

enum { DEFAULT_N = 3, DEFAULT_SESSIONS = 2 };

/* Properties that speak of who finished a doorway before whom. */
enum { ORDER = FCFS | K_FCFS | FIFE | BOUNDED_BYPASS | BOUNDED_DOORWAY };

#define REFUSE(...) (snprintf(error, LAB_ERROR, __VA_ARGS__), false)

const struct algorithm *ask_algorithm(const char *name, char *error)
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
		return REFUSE("%s takes %s of at least %u, not %u", name, what,
			      least, value);
	if (most && value > most)
		return REFUSE("%s takes %s of at most %u, not %u", name, what,
			      most, value);
	return true;
}

bool ask_shape(const struct algorithm *a, int n, int k, int sessions,
	       struct shape *shape, char *error)
{
	bool group = a->kind == KIND_GROUP_EXCLUSION;

	if (n == 0 || n < -1 || k < -1 || sessions < -1)
		return REFUSE("n must be 1 or more, k and m not negative");
	shape->n = n > 0 ? (unsigned)n : DEFAULT_N;
	shape->k = k >= 0 ? (unsigned)k : group ? 0 : 1;
	shape->k_max = 0;
	shape->sessions = 0;
	shape->component = a->composition.component;
	if (group && shape->k && !(a->promises & AT_MOST_K))
		return REFUSE("%s limits only the sessions inside, not their "
			      "members: leave out -k",
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
		return REFUSE("-m: %s has no sessions", a->name);
	} else if (k == 0 && a->kind != KIND_OBJECT) {
		return REFUSE("k must be 1 or more for %s", a->name);
	}
	if (n < 0 && a->limits.most_n && shape->n > a->limits.most_n)
		shape->n = a->limits.most_n;
	return within("n", shape->n, a->limits.least_n, a->limits.most_n,
		      a->name, error) &&
	       (group || within("k", shape->k, a->limits.least_k,
				a->limits.most_k, a->name, error));
}

/* Who resizes is the last process, and its passages are the changes. */
static bool ask_resize(const struct lab_question *from, struct question *to,
		       char *error)
{
	const struct algorithm *a = to->algorithm;

	if (from->resize_count == 0)
		return true;
	if (!a->resize)
		return REFUSE("--resize: %s cannot change its k", a->name);
	if (to->shape.k == 0)
		return REFUSE("--resize: %s has no limit to begin with: give "
			      "-k",
			      a->name);
	if (to->shape.n < 2)
		return REFUSE("--resize takes a process of its own: n must be "
			      "2 or more");
	if (from->resize_count < 0 || from->resize_count > MAX_RESIZES)
		return REFUSE("--resize takes at most %d numbers", MAX_RESIZES);
	to->shape.k_max = to->shape.k;
	for (int i = 0; i < from->resize_count; i++) {
		int k = from->resize[i];

		if (k < 1)
			return REFUSE("--resize: k must be 1 or more for %s",
				      a->name);
		if (!within("k", (unsigned)k, a->limits.least_k,
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

static bool ask_passages(const struct lab_question *from, struct question *to,
			 char *error)
{
	const struct algorithm *a = to->algorithm;
	unsigned n = question_passers(to);

	if (from->passage_count > 1 && (unsigned)from->passage_count != n)
		return REFUSE("--passages lists %d numbers for %u processes",
			      from->passage_count, n);
	for (unsigned p = 0; p < n; p++) {
		int each = from->passage_count == 0   ? 1
			   : from->passage_count == 1 ? from->passages[0]
						      : from->passages[p];

		if (each < 0 || each >= UNBOUNDED)
			return REFUSE("--passages takes numbers from 0 to %d",
				      UNBOUNDED - 1);
		if (each == 0 && !a->finite_state)
			return REFUSE("--passages 0 (unbounded) needs finitely "
				      "many states; %s has counters that grow",
				      a->name);
		to->passages[p] = (unsigned)each;
	}
	return true;
}

static bool ask_faults(const struct lab_question *from, struct question *to,
		       char *error)
{
	const struct algorithm *a = to->algorithm;

	if (from->crashes < -1 || from->deaths < -1 || from->aborts < -1)
		return REFUSE("--crashes, --deaths, --aborts: not negative");
	to->crashes = from->crashes >= 0 ? (unsigned)from->crashes
		      : a->tolerates_crashes && to->shape.k
			      ? question_least_k(to) - 1
			      : 0;
	if (from->crashes < 0 && to->crashes >= to->shape.n)
		to->crashes = to->shape.n - 1;
	to->deaths = from->deaths > 0 ? (unsigned)from->deaths : 0;
	to->aborts = from->aborts > 0 ? (unsigned)from->aborts : 0;
	if (to->aborts && !a->abort)
		return REFUSE("--aborts: %s cannot give up", a->name);
	if (to->deaths && !a->recover)
		return REFUSE("--deaths: %s cannot recover a dead process; "
			      "--crashes asks what unnoticed ones do",
			      a->name);
	if (to->aborts >= UNBOUNDED || to->deaths >= UNBOUNDED)
		return REFUSE("--aborts and --deaths: at most %d",
			      UNBOUNDED - 1);
	if (to->crashes >= to->shape.n && to->crashes)
		return REFUSE("--crashes %u of %u processes leaves nobody",
			      to->crashes, to->shape.n);
	return true;
}

/* A property that needs what the algorithm does not have cannot be asked. */
static bool ask_properties(const struct lab_question *from, struct question *to,
			   char *error)
{
	const struct algorithm *a = to->algorithm;
	unsigned asked = from->properties;

	to->asked = asked ? asked : a->promises;
	if ((asked & QUIESCENCE) && !a->quiet)
		return REFUSE("quiescence: %s does not say what quiet is",
			      a->name);
	if ((asked & INVARIANT) && !a->invariant)
		return REFUSE("invariant: %s states none", a->name);
	if ((asked & LINEARIZABLE) && !a->object.specification)
		return REFUSE("linearizable: %s is no object", a->name);
	if ((asked & (SESSION_EXCLUSION | CONCURRENT_ENTERING |
		      STRONG_CONCURRENT_ENTERING)) &&
	    a->kind != KIND_GROUP_EXCLUSION)
		return REFUSE("%s has no sessions", a->name);
	if ((asked & ORDER) && !a->doorway && !a->bounds.doorway_steps &&
	    !(a->promises & ORDER))
		return REFUSE("%s has no doorway: there is no order of arrival",
			      a->name);
	if (a->object.specification && to->shape.n > HISTORY_OPERATORS)
		return REFUSE("an object takes at most %d processes",
			      HISTORY_OPERATORS);
	if ((asked & BOUNDED_APPLY) && a->kind != KIND_OBJECT)
		return REFUSE("bounded-apply: %s is no object", a->name);
	if ((asked & BOUNDED_BYPASS) && !a->bounds.most_bypasses)
		return REFUSE("bounded-bypass: %s states no bound", a->name);
	if ((asked & BOUNDED_ABORT) && !a->abort)
		return REFUSE("bounded-abort: %s cannot give up", a->name);
	if ((asked & FCFS) && (to->shape.k > 1 || to->shape.k_max > 1) &&
	    a->kind != KIND_GROUP_EXCLUSION)
		return REFUSE(
			"fcfs is for k = 1; k-fcfs is its form for k = %u",
			to->shape.k_max > to->shape.k ? to->shape.k_max
						      : to->shape.k);
	return true;
}

/* Whose steps are counted.  Each count is part of a state: fewer counts, fewer
 * states, and all processes one by one are all processes. */
static bool ask_steps(const struct lab_question *from, struct question *to,
		      char *error)
{
	const unsigned all = (1u << to->shape.n) - 1;

	to->steps_of = from->steps_of ? from->steps_of : all;
	if (to->steps_of & ~all)
		return REFUSE("--steps-of: the processes are 0 to %u",
			      to->shape.n - 1);
	if (from->steps_of && !(to->asked & (BOUNDED_DOORWAY | BOUNDED_LEAVE |
					     BOUNDED_ABORT | BOUNDED_APPLY)))
		return REFUSE("--steps-of: of the properties that are asked "
			      "for, none counts steps");
	return true;
}

bool ask(const struct lab_question *from, struct question *to, char *error)
{
	memset(to, 0, sizeof *to);
	to->tracked = -1;
	to->make_every_move = from->make_every_move;
	to->algorithm = ask_algorithm(from->algorithm, error);
	if (!to->algorithm || !ask_shape(to->algorithm, from->n, from->k,
					 from->sessions, &to->shape, error))
		return false;
	/* A choice names its session in eight bits. */
	if (to->shape.sessions > UINT8_MAX)
		return REFUSE("a check takes at most %d sessions, not %u",
			      UINT8_MAX, to->shape.sessions);
	if (to->shape.n > MAX_EXHAUSTIVE_N)
		return REFUSE("a check takes at most %d processes, not %u",
			      MAX_EXHAUSTIVE_N, to->shape.n);
	return ask_resize(from, to, error) && ask_passages(from, to, error) &&
	       ask_faults(from, to, error) && ask_properties(from, to, error) &&
	       ask_steps(from, to, error);
}
