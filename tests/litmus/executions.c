/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds all executions of a figure that C11 allows, by the axioms of Lahav,
 * Vafeiadis, Kang, Hur and Dreyer, "Repairing sequential consistency in
 * C/C++11", PLDI 2017 (RC11).  A release sequence is defined as in C++20: a
 * write, and the read-modify-writes that follow it in a chain, each reading
 * from the one before.
 *
 * An execution says from which write each read reads (rf) and in which order
 * the writes of each word come (mo).  A figure has few executions, so the
 * program tries all of them.  The events of an execution are an initial write
 * of each word, and then the steps of the figure.
 */
#include "executions.h"

#include <stdint.h>
#include <string.h>

enum { MOST_EVENTS = MOST_WORDS + MOST_STEPS };

/* Bit b of to[a]: the relation holds from a to b. */
struct relation {
	uint32_t to[MOST_EVENTS];
};

struct execution {
	const struct program *program;
	unsigned events;
	struct step event[MOST_EVENTS];
	unsigned source[MOST_EVENTS]; /* the write that a read reads from */
	/* For each word its writes, in the order mo. */
	unsigned written[MOST_WORDS][MOST_EVENTS], writes[MOST_WORDS];
	struct relation sb, rf, mo, rb, eco, hb;
};

/* Relations. */

static void set(struct relation *r, unsigned a, unsigned b)
{
	r->to[a] |= UINT32_C(1) << b;
}

static bool holds(const struct relation *r, unsigned a, unsigned b)
{
	return r->to[a] >> b & 1;
}

static struct relation join(struct relation a, const struct relation *b)
{
	for (unsigned i = 0; i < MOST_EVENTS; i++)
		a.to[i] |= b->to[i];
	return a;
}

/* The relation a;b: it holds from x to z if, for some y, a holds from x to y
 * and b holds from y to z. */
static struct relation compose(const struct relation *a,
			       const struct relation *b)
{
	struct relation c = { { 0 } };

	for (unsigned i = 0; i < MOST_EVENTS; i++)
		for (unsigned j = 0; j < MOST_EVENTS; j++)
			if (holds(a, i, j))
				c.to[i] |= b->to[j];
	return c;
}

static struct relation transitive(struct relation r)
{
	for (unsigned j = 0; j < MOST_EVENTS; j++)
		for (unsigned i = 0; i < MOST_EVENTS; i++)
			if (holds(&r, i, j))
				r.to[i] |= r.to[j];
	return r;
}

static struct relation reflexive(struct relation r)
{
	for (unsigned i = 0; i < MOST_EVENTS; i++)
		set(&r, i, i);
	return r;
}

static bool is_irreflexive(const struct relation *r)
{
	for (unsigned i = 0; i < MOST_EVENTS; i++)
		if (holds(r, i, i))
			return false;
	return true;
}

static bool is_acyclic(const struct relation *r)
{
	const struct relation all = transitive(*r);

	return is_irreflexive(&all);
}

/* Events. */

static bool is_initial(const struct execution *x, unsigned e)
{
	return e < x->program->words;
}

static bool is_fence(const struct execution *x, unsigned e)
{
	return x->event[e].kind == STEP_FENCE;
}

static bool is_seq_cst(const struct execution *x, unsigned e)
{
	return !is_initial(x, e) && x->event[e].order == memory_order_seq_cst;
}

static bool releases(const struct execution *x, unsigned e)
{
	const memory_order order = x->event[e].order;

	return (step_writes(&x->event[e]) || is_fence(x, e)) &&
	       (order == memory_order_release ||
		order == memory_order_acq_rel || order == memory_order_seq_cst);
}

static bool acquires(const struct execution *x, unsigned e)
{
	const memory_order order = x->event[e].order;

	return (step_reads(&x->event[e]) || is_fence(x, e)) &&
	       (order == memory_order_acquire ||
		order == memory_order_acq_rel || order == memory_order_seq_cst);
}

static bool share_word(const struct execution *x, unsigned a, unsigned b)
{
	return !is_fence(x, a) && !is_fence(x, b) &&
	       x->event[a].word == x->event[b].word;
}

/* The pairs of r whose events access the same word (if `shared`), or all other
 * pairs of r. */
static struct relation only(const struct execution *x, struct relation r,
			    bool shared)
{
	for (unsigned a = 0; a < x->events; a++)
		for (unsigned b = 0; b < x->events; b++)
			if (share_word(x, a, b) != shared)
				r.to[a] &= ~(UINT32_C(1) << b);
	return r;
}

/* The relation that holds from e to e for each event e with property `has`, and
 * nowhere else. */
static struct relation those(const struct execution *x,
			     bool (*has)(const struct execution *, unsigned))
{
	struct relation r = { { 0 } };

	for (unsigned e = 0; e < x->events; e++)
		if (has(x, e))
			set(&r, e, e);
	return r;
}

/* The axioms. */

static void relate_words(struct execution *x)
{
	for (unsigned w = 0; w < x->program->words; w++)
		for (unsigned i = 0; i < x->writes[w]; i++)
			for (unsigned j = i + 1; j < x->writes[w]; j++)
				set(&x->mo, x->written[w][i], x->written[w][j]);
	for (unsigned e = 0; e < x->events; e++)
		if (step_reads(&x->event[e])) {
			set(&x->rf, x->source[e], e);
			x->rb.to[e] = x->mo.to[x->source[e]] &
				      ~(UINT32_C(1) << e);
		}
	x->eco = join(x->rf, &x->mo);
	x->eco = transitive(join(x->eco, &x->rb));
}

/*
 * The relation "a synchronizes with b".  Event a is a release write, or a
 * release fence before a write.  A read reads from the release sequence of this
 * write.  Event b is this read, or an acquire fence after it.
 */
static struct relation synchronizes(const struct execution *x)
{
	struct relation released = x->sb, acquired = x->sb, through = x->rf;
	struct relation sw;

	for (unsigned e = 0; e < x->events; e++) {
		if (!is_fence(x, e))
			released.to[e] = UINT32_C(1) << e;
		if (!releases(x, e))
			released.to[e] = 0;
		/* Only a read-modify-write continues a release sequence. */
		if (!step_reads(&x->event[e]) || !step_writes(&x->event[e]))
			for (unsigned a = 0; a < x->events; a++)
				through.to[a] &= ~(UINT32_C(1) << e);
		for (unsigned b = 0; b < x->events; b++)
			if (!is_fence(x, b) || !acquires(x, b))
				acquired.to[e] &= ~(UINT32_C(1) << b);
		if (acquires(x, e))
			set(&acquired, e, e);
	}
	through = reflexive(transitive(through));
	sw = compose(&released, &through);
	sw = compose(&sw, &x->rf);
	return compose(&sw, &acquired);
}

static bool is_coherent(struct execution *x)
{
	const struct relation sw = synchronizes(x);
	struct relation loop;

	x->hb = transitive(join(x->sb, &sw));
	loop = reflexive(x->eco);
	loop = compose(&x->hb, &loop);
	return is_irreflexive(&loop);
}

/* Whether, in the order mo, no write is between a read-modify-write and the
 * write from which it reads. */
static bool is_atomic(const struct execution *x)
{
	const struct relation between = compose(&x->rb, &x->mo);

	for (unsigned e = 0; e < MOST_EVENTS; e++)
		if (step_reads(&x->event[e]) && step_writes(&x->event[e]) &&
		    (holds(&between, e, e) || !holds(&x->mo, x->source[e], e)))
			return false;
	return true;
}

static bool is_seq_cst_fence(const struct execution *x, unsigned e)
{
	return is_fence(x, e) && is_seq_cst(x, e);
}

/* Whether the relation psc of the paper has no cycle. */
static bool has_seq_cst_order(const struct execution *x)
{
	const struct relation fences = those(x, is_seq_cst_fence);
	const struct relation maybe_hb = reflexive(x->hb);
	const struct relation apart = only(x, x->sb, false);
	const struct relation here = only(x, x->hb, true);
	struct relation scb = compose(&apart, &x->hb), left, right, psc, around;

	scb = compose(&scb, &apart);
	scb = join(scb, &x->sb);
	scb = join(scb, &here);
	scb = join(scb, &x->mo);
	scb = join(scb, &x->rb);
	left = compose(&fences, &maybe_hb);
	right = compose(&maybe_hb, &fences);
	psc = those(x, is_seq_cst);
	left = join(left, &psc);
	right = join(right, &psc);
	psc = compose(&left, &scb);
	psc = compose(&psc, &right);
	around = compose(&x->hb, &x->eco);
	around = compose(&around, &x->hb);
	around = join(around, &x->hb);
	around = compose(&fences, &around);
	around = compose(&around, &fences);
	psc = join(psc, &around);
	return is_acyclic(&psc);
}

static bool is_consistent(struct execution *x)
{
	const struct relation none = { { 0 } };
	struct relation causes;

	x->mo = x->rf = x->rb = none;
	relate_words(x);
	causes = join(x->sb, &x->rf);
	return is_acyclic(&causes) && is_coherent(x) && is_atomic(x) &&
	       has_seq_cst_order(x);
}

/* The value that event e, a write, writes.  The execution is consistent, so no
 * value depends on itself. */
static unsigned written_by(const struct execution *x, unsigned e)
{
	const struct step *s = &x->event[e];

	return s->kind == STEP_ADD ? written_by(x, x->source[e]) + s->value
				   : s->value;
}

static bool has_outcome(const struct execution *x)
{
	unsigned value[MOST_REGISTERS] = { 0 };

	for (unsigned e = 0; e < x->events; e++)
		if (step_reads(&x->event[e]))
			value[x->event[e].result] = written_by(x, x->source[e]);
	for (unsigned t = 0; t < x->program->terms; t++)
		if (value[x->program->term[t].result] !=
		    x->program->term[t].value)
			return false;
	return true;
}

/* Tries all executions. */

/* Chooses what the events from e on read. */
static bool choose_sources(struct execution *x, unsigned e)
{
	if (e == x->events)
		return is_consistent(x) && has_outcome(x);
	if (!step_reads(&x->event[e]))
		return choose_sources(x, e + 1);
	for (unsigned w = 0; w < x->events; w++) {
		if (w == e || !step_writes(&x->event[w]) ||
		    !share_word(x, w, e))
			continue;
		x->source[e] = w;
		if (choose_sources(x, e + 1))
			return true;
	}
	return false;
}

static bool choose_place(struct execution *x, unsigned e);

/* Puts the writes from event e on into the order mo. */
static bool choose_order(struct execution *x, unsigned e)
{
	if (e == x->events)
		return choose_sources(x, 0);
	return step_writes(&x->event[e]) ? choose_place(x, e)
					 : choose_order(x, e + 1);
}

/* Tries every place of event e in mo after the initial write. */
static bool choose_place(struct execution *x, unsigned e)
{
	unsigned *const list = x->written[x->event[e].word];
	unsigned *const count = &x->writes[x->event[e].word];
	bool found = false;

	list[(*count)++] = e;
	for (unsigned at = *count - 1; !found && at > 0; at--) {
		found = choose_order(x, e + 1);
		/* Move e forward by one place; in the end e is first. */
		list[at] = list[at - 1];
		list[at - 1] = e;
	}
	memmove(list, list + 1, (*count - 1) * sizeof *list);
	(*count)--;
	return found;
}

bool executions_allow_outcome(const struct program *program)
{
	struct execution x = { .program = program };

	for (unsigned w = 0; w < program->words; w++) {
		x.event[w] = (struct step){ .kind = STEP_WRITE, .word = w };
		x.written[w][x.writes[w]++] = w;
	}
	x.events = program->words + program->steps;
	memcpy(x.event + program->words, program->step,
	       program->steps * sizeof *program->step);
	for (unsigned a = 0; a < x.events; a++)
		for (unsigned b = a + 1; b < x.events; b++)
			if (b >= program->words &&
			    (is_initial(&x, a) ||
			     x.event[a].process == x.event[b].process))
				set(&x.sb, a, b);
	return choose_order(&x, program->words);
}
