/* SPDX-License-Identifier: BSD-2-Clause */
#include "machine.h"

#include "instruction.h"
#include "step.h"
#include "watch.h"

#include <string.h>

bool machine_wakes, machine_endless;

bool machine_is_resizer(unsigned p)
{
	return program.resizes && p == program.n - 1;
}

unsigned machine_k(unsigned resizes_begun)
{
	return resizes_begun ? program.resize[resizes_begun - 1] : program.k;
}

/* Phases and bodies. */

static void begin_phase(struct member *m, enum phase phase)
{
	m->phase = phase;
	m->steps = 0;
}

static void begin_body(struct member *m, enum body body)
{
	m->at = AT_STEP;
	m->body = body;
	m->pc = m->part = 0;
	memset(m->local, 0, sizeof m->local);
}

/* The passage is over, or the process has died. */
static void retire(struct member *m, enum phase phase)
{
	struct member old = *m;

	memset(m, 0, sizeof *m);
	m->phase = phase;
	m->at = phase == PHASE_DEAD ? AT_DEAD : AT_REMAINDER;
	m->passages = old.passages;
	m->aborts = old.aborts;
	for (unsigned i = 0; i < program.persistent; i++)
		m->own[i] = old.own[i];
}

static void begin_leave(struct member *m)
{
	begin_phase(m, PHASE_LEAVING);
	begin_body(m, BODY_LEAVE);
}

static void go_inside(struct member *m)
{
	begin_phase(m, PHASE_INSIDE);
	begin_body(m, BODY_APPLY);
	if (!program.code[BODY_APPLY].exists)
		m->at = AT_INSIDE;
}

static void admitted(struct member *m)
{
	m->wrote = m->slept = 0;
	watch_forget(m);
	if (program.code[BODY_SETTLE].exists)
		begin_body(m, BODY_SETTLE);
	else
		go_inside(m);
}

static void pass_failed(struct member *m, struct events *e)
{
	e->unnamed = !m->named;
	if (!m->named)
		watch_forget(m);
	m->named = 0;
	m->wrote = 0;
	begin_body(m, BODY_POLL);
	m->at = AT_POLL;
}

/* The current body has returned r. */
static void body_ends(struct state *s, unsigned p, uint64_t r, struct events *e)
{
	struct member *m = &s->member[p];

	switch ((enum body)m->body) {
	case BODY_ENTER:
		m->slot = (uint64_t)(int)r;
		admitted(m);
		break;
	case BODY_DOORWAY:
		if (m->phase != PHASE_WAITING)
			begin_phase(m, PHASE_WAITING);
		if (r)
			admitted(m);
		else
			pass_failed(m, e);
		break;
	case BODY_POLL:
		if (r)
			admitted(m);
		else
			pass_failed(m, e);
		break;
	case BODY_SETTLE:
		go_inside(m);
		break;
	case BODY_APPLY:
		e->returned = true;
		e->result = r;
		m->operation = m->argument = 0;
		if (program.code[BODY_LEAVE].exists)
			begin_leave(m);
		else
			retire(m, PHASE_REMAINDER);
		break;
	case BODY_FINISH:
		e->returned = r > 0;
		e->never = r == 0;
		e->result = r - 1;
		begin_body(m, BODY_RECOVER);
		m->steps = NOT_COUNTED;
		break;
	default:
		retire(m, PHASE_REMAINDER);
		break;
	}
}

/*
 * Where wakes are steps: whether the process makes a step of its own to compare
 * the word that it names.  If its last step has read the named value from this
 * word, that step has compared the word.
 */
static bool names_late(const struct state *s, unsigned p)
{
	const struct member *m = &s->member[p];
	const struct instruction *i = line(m);

	return machine_wakes && !(m->fresh == word_of(p, i->at) + 1 &&
				  m->fresh_value == value(s, p, i->a));
}

static bool is_step(const struct state *s, unsigned p)
{
	const struct instruction *i = line(&s->member[p]);

	if (i->op == OP_NAME)
		return names_late(s, p);
	if (i->op == OP_WAKE) {
		for (unsigned q = 0; machine_wakes && q < program.n; q++)
			if (watch_sleeps_on(s, q, word_of(p, i->at)))
				return true;
		return false;
	}
	return i->op < OP_WAKE;
}

/* Execute an instruction that is not a step. */
static void compute(struct state *s, unsigned p, struct events *e)
{
	struct member *m = &s->member[p];
	const struct instruction *i = line(m);
	uint64_t a = value(s, p, i->a);

	m->pc++;
	switch ((enum op)i->op) {
	case OP_NAME:
		m->named = 1;
		if (machine_wakes)
			watch_note_read(m, word_of(p, i->at), a);
		break;
	case OP_SLEPT:
		m->local[i->local] = m->slept;
		break;
	case OP_DOORWAY_ENDS:
		begin_phase(m, PHASE_WAITING);
		break;
	case OP_SET:
		m->local[i->local] = a;
		break;
	case OP_OWN_READ:
		m->local[i->local] = m->own[i->at.word];
		break;
	case OP_OWN_WRITE:
		if (m->own[i->at.word] != a && m->body == BODY_POLL &&
		    !machine_wakes)
			m->always = 1;
		m->own[i->at.word] = a;
		break;
	case OP_SLOT:
		m->slot = (uint64_t)(int)a;
		break;
	case OP_JUMP:
		if (holds(i->test, m->local[i->local], a))
			m->pc = i->target;
		break;
	case OP_RETURN:
		body_ends(s, p, a, e);
		break;
	default: /* a wake that wakes no process */
		break;
	}
}

/* Execute instructions of p up to its next step. */
static void advance(struct state *s, unsigned p, struct events *e)
{
	enum { MOST_LINES = 1000 };
	struct member *m = &s->member[p];

	for (unsigned lines = 0; m->at == AT_STEP; lines++) {
		if (lines == MOST_LINES) {
			machine_endless = true;
			retire(m, PHASE_REMAINDER);
			return;
		}
		if (m->pc >= program.code[m->body].length)
			body_ends(s, p, 0, e);
		else if (is_step(s, p))
			return;
		else
			compute(s, p, e);
	}
}

/* Steps. */

static uint64_t make_large(struct state *s, unsigned p, enum large large,
			   struct events *e)
{
	uint64_t first = s->word[0];

	switch (large) {
	case LARGE_TAKE:
		if (first >= s->word[BY_LIMIT])
			return 0;
		s->word[0]++;
		e->wrote = true;
		return 1;
	case LARGE_RELEASE:
		if (first) {
			s->word[0]--;
			e->wrote = true;
		}
		return first;
	case LARGE_CLAIM:
		if (first)
			return 0;
		s->word[0] = p + 1;
		e->wrote = true;
		return 1;
	default:
		s->word[0] = s->word[1];
		s->word[1] = first;
		e->wrote = true;
		return first;
	}
}

unsigned step_torn_values(const struct state *s, unsigned p)
{
	const struct member *m = &s->member[p];
	const struct instruction *i = line(m);

	return m->at == AT_STEP &&
			       (i->op == OP_SAFE_READ ||
				i->op == OP_AWAIT_SAFE) &&
			       s->flux[word_of(p, i->at)]
		       ? DOMAIN
		       : 1;
}

static unsigned bound_of(enum phase phase)
{
	const struct {
		enum phase phase;
		enum property property;
		unsigned bound;
	} bounds[] = {
		{ PHASE_DOORWAY, BOUNDED_DOORWAY, program.doorway_steps },
		{ PHASE_LEAVING, BOUNDED_LEAVE, program.leave_steps },
		{ PHASE_ABORTING, BOUNDED_ABORT, program.abort_steps },
		{ PHASE_INSIDE, BOUNDED_APPLY, program.apply_steps },
		{ PHASE_RECOVERING, BOUNDED_APPLY, program.finish_steps },
	};

	for (unsigned i = 0; i < sizeof bounds / sizeof *bounds; i++)
		if (bounds[i].phase == phase && program.bounds &&
		    !machine_wakes && (program.asked & bounds[i].property))
			return bounds[i].bound;
	return 0;
}

static unsigned property_of(enum phase phase)
{
	return phase == PHASE_DOORWAY    ? BOUNDED_DOORWAY
	       : phase == PHASE_LEAVING  ? BOUNDED_LEAVE
	       : phase == PHASE_ABORTING ? BOUNDED_ABORT
					 : BOUNDED_APPLY;
}

static void count_step(struct member *m, unsigned p, struct events *e)
{
	unsigned bound = bound_of((enum phase)m->phase);

	if (!bound || !(program.steps_of >> p & 1) || m->steps == NOT_COUNTED)
		return;
	if (++m->steps > bound)
		e->refused |= property_of((enum phase)m->phase);
}

/* After a step in a pass of the poll: remember the word that the step read, or
 * that another pass may differ in any case. */
static void note_in_poll(struct member *m, unsigned word, uint64_t old,
			 bool certain, bool changed)
{
	if (machine_wakes || m->body != BODY_POLL)
		return;
	if (changed || !certain)
		m->always = 1;
	else
		watch_note_read(m, word, old);
}

/* Make the look of an await_any. */
static void make_look(struct state *s, unsigned p)
{
	struct member *m = &s->member[p];
	const struct instruction *i = line(m);
	unsigned word = word_of(p, m->part ? i->second : i->at);

	if (m->part == 0)
		watch_forget(m);
	watch_note_read(m, word, s->word[word]);
	if (holds(i->test, s->word[word], value(s, p, m->part ? i->b : i->a))) {
		m->local[i->local] = m->part + 1;
		m->part = 0;
		m->pc++;
	} else {
		m->part++;
	}
}

static void wake_sleepers(struct state *s, unsigned word)
{
	for (unsigned q = 0; q < program.n; q++)
		if (watch_sleeps_on(s, q, word))
			s->member[q].asleep = 0;
}

static bool changes_word(enum op op)
{
	return op == OP_WRITE || op == OP_ADD || op == OP_SWAP || op == OP_TAS;
}

/* Make a step on one word, or a large step.  Returns false if an await
 * fails. */
static bool make_access(struct state *s, unsigned p, unsigned torn,
			struct events *e)
{
	struct member *m = &s->member[p];
	const struct instruction *i = line(m);
	unsigned w = word_of(p, i->at);
	uint64_t a = value(s, p, i->a), old = s->word[w], result = old;
	bool is_torn = step_torn_values(s, p) > 1;
	bool has_result = true, changed = changes_word((enum op)i->op);

	switch ((enum op)i->op) {
	case OP_WRITE:
		s->word[w] = a;
		has_result = false;
		break;
	case OP_SWAP:
		s->word[w] = a;
		break;
	case OP_ADD:
		s->word[w] += a;
		break;
	case OP_CAS:
		changed = old == a;
		result = changed;
		if (changed)
			s->word[w] = value(s, p, i->b);
		break;
	case OP_TAS:
		result = old != 0;
		s->word[w] = 1;
		break;
	case OP_LARGE:
		w = 0;
		result = make_large(s, p, (enum large)i->at.word, e);
		break;
	case OP_SAFE_READ:
	case OP_AWAIT_SAFE:
		result = is_torn ? torn : old;
		break;
	default:
		break;
	}
	if ((i->op == OP_AWAIT || i->op == OP_AWAIT_SAFE) &&
	    !holds(i->test, result, a))
		return false;
	e->wrote |= changed;
	note_in_poll(m, w, old, i->op != OP_LARGE && !is_torn, changed);
	if (changed && m->body == BODY_POLL && !machine_wakes)
		m->wrote = 1;
	if (has_result)
		m->local[i->local] = result;
	if (i->op == OP_READ || (i->op == OP_SAFE_READ && !is_torn)) {
		m->fresh = w + 1;
		m->fresh_value = result;
	}
	m->pc++;
	return true;
}

static void make_safe_write(struct state *s, unsigned p, struct events *e)
{
	struct member *m = &s->member[p];
	const struct instruction *i = line(m);
	unsigned w = word_of(p, i->at);

	e->wrote = true;
	if (m->body == BODY_POLL && !machine_wakes)
		m->always = m->wrote = 1;
	if (m->part == 0) {
		s->flux[w] = 1;
		m->part = 1;
		return;
	}
	s->word[w] = value(s, p, i->a) % DOMAIN;
	s->flux[w] = 0;
	m->part = 0;
	m->pc++;
}

/* Make the next step of p, and the computation after it.  Returns false if p is
 * blocked. */
bool step_make(struct state *s, unsigned p, unsigned torn, struct events *e)
{
	struct member *m = &s->member[p];
	const struct instruction *i = line(m);

	count_step(m, p, e);
	m->fresh = m->fresh_value = 0;
	switch ((enum op)i->op) {
	case OP_NAME:
		m->named = 1;
		watch_note_read(m, word_of(p, i->at), value(s, p, i->a));
		m->pc++;
		break;
	case OP_AWAIT_ANY:
		make_look(s, p);
		break;
	case OP_SAFE_WRITE:
		make_safe_write(s, p, e);
		break;
	case OP_WAKE:
		wake_sleepers(s, word_of(p, i->at));
		m->pc++;
		break;
	default:
		if (!make_access(s, p, torn, e))
			return false;
		break;
	}
	if (m->part == 0)
		advance(s, p, e);
	return true;
}

bool machine_is_between_passes(const struct state *s, unsigned p)
{
	const struct member *m = &s->member[p];

	return m->at == AT_POLL ||
	       (m->at == AT_STEP && line(m)->op == OP_AWAIT_ANY &&
		m->part == 2);
}

/* Begin a pass, without its first access. */
void step_begin_pass(struct state *s, unsigned p, bool slept, struct events *e)
{
	struct member *m = &s->member[p];

	watch_forget(m);
	if (m->at == AT_POLL) {
		m->slept = slept;
		begin_body(m, BODY_POLL);
		advance(s, p, e);
	} else {
		m->part = 0;
	}
}

/* Make the first access that follows, as part of the same transition, unless
 * that access is an await or a torn read. */
static void first_access(struct state *s, unsigned p, struct events *e)
{
	const struct member *m = &s->member[p];

	if (m->at != AT_STEP || machine_is_between_passes(s, p) ||
	    line(m)->op == OP_AWAIT || line(m)->op == OP_AWAIT_SAFE ||
	    step_torn_values(s, p) > 1)
		return;
	step_make(s, p, 0, e);
}

/* Whether p is in the middle of a pass, so that the values that it has read
 * matter. */
static bool is_passing(const struct member *m)
{
	return m->at == AT_STEP &&
	       (m->body == BODY_POLL ||
		(line(m)->op == OP_AWAIT_ANY && m->part > 0));
}

bool machine_is_only_reading(const struct state *s, unsigned p)
{
	const struct member *m = &s->member[p];

	return is_passing(m) && !machine_is_between_passes(s, p) && !m->always;
}

static void start(struct state *s, unsigned p, unsigned variant,
		  struct events *e)
{
	struct member *m = &s->member[p];
	bool dead = m->phase == PHASE_DEAD;

	if (machine_is_resizer(p)) {
		if (!dead)
			m->passages--;
		begin_phase(m, PHASE_RESIZING);
		begin_body(m, BODY_RESIZE);
		m->argument = machine_k(program.resizes -
					(unsigned)m->passages);
	} else if (dead) {
		begin_phase(m, PHASE_RECOVERING);
		begin_body(m, program.code[BODY_FINISH].exists ? BODY_FINISH
							       : BODY_RECOVER);
	} else {
		if (m->passages != FOR_EVER)
			m->passages--;
		m->session = variant + 1;
		m->operation = variant;
		m->argument = p + 1;
		e->invoked = program.code[BODY_APPLY].exists;
		e->operation = variant;
		if (!program.code[BODY_LEAVE].exists) {
			go_inside(m);
		} else {
			begin_phase(m, PHASE_DOORWAY);
			begin_body(m, program.code[BODY_ENTER].exists
					      ? BODY_ENTER
					      : BODY_DOORWAY);
		}
	}
	advance(s, p, e);
	first_access(s, p, e);
}

static void give_up(struct state *s, unsigned p, struct events *e)
{
	struct member *m = &s->member[p];

	m->aborts--;
	m->asleep = 0;
	watch_forget(m);
	e->never = program.code[BODY_APPLY].exists;
	if (e->never)
		m->operation = m->argument = 0;
	begin_phase(m, PHASE_ABORTING);
	begin_body(m, BODY_ABORT);
	advance(s, p, e);
	first_access(s, p, e);
}

static void step(struct state *s, unsigned p, unsigned torn, struct events *e)
{
	struct member *m = &s->member[p];

	if (m->at == AT_INSIDE) {
		begin_leave(m);
		advance(s, p, e);
		first_access(s, p, e);
	} else if (machine_is_between_passes(s, p)) {
		/* A process that was woken still knows on which words it
		 * slept. */
		step_begin_pass(s, p,
				machine_wakes && program.naps && m->watches, e);
		first_access(s, p, e);
	} else if (!step_make(s, p, torn, e)) {
		unsigned word = word_of(p, line(m)->at);

		if (!machine_wakes) {
			e->blocked = true;
			return;
		}
		watch_forget(m);
		watch_note_read(m, word, s->word[word]);
		watch_fall_asleep(s, p);
	}
}

unsigned machine_choices(const struct state *s, unsigned p, enum act act)
{
	const struct member *m = &s->member[p];

	switch (act) {
	case DO_START:
		if (m->at == AT_DEAD)
			return 1;
		if (m->at != AT_REMAINDER || !m->passages)
			return 0;
		return machine_is_resizer(p)                  ? 1
		       : program.kind == KIND_GROUP_EXCLUSION ? program.sessions
		       : program.kind == KIND_OBJECT          ? 2
							      : 1;
	case DO_STEP:
		if (m->at == AT_REMAINDER || m->at == AT_DEAD || m->asleep)
			return 0;
		if (machine_is_between_passes(s, p))
			return machine_wakes || watch_may_differ(s, p);
		return step_torn_values(s, p);
	case DO_ABORT:
		return m->at == AT_POLL && m->aborts &&
		       program.code[BODY_ABORT].exists;
	case DO_DIE:
		return s->deaths && m->at != AT_REMAINDER && m->at != AT_DEAD;
	default:
		return 0;
	}
}

void machine_move(struct state *s, unsigned p, enum act act, unsigned variant,
		  struct events *e)
{
	struct member *m = &s->member[p];

	memset(e, 0, sizeof *e);
	m->fresh = m->fresh_value = 0;
	switch (act) {
	case DO_START:
		start(s, p, variant, e);
		break;
	case DO_STEP:
		step(s, p, variant, e);
		break;
	case DO_ABORT:
		give_up(s, p, e);
		break;
	case DO_DIE:
		retire(m, PHASE_DEAD);
		s->deaths--;
		break;
	case DO_NAP:
		step_begin_pass(s, p, true, e);
		first_access(s, p, e);
		break;
	}
	m->fresh = m->fresh_value = 0;
	if (machine_is_between_passes(s, p)) {
		/* The pass that has failed followed a nap; the next pass may
		 * read other words. */
		if (m->slept && !machine_wakes)
			watch_forget(m);
		m->slept = 0;
		if (machine_wakes && !m->asleep)
			watch_fall_asleep(s, p);
	} else if (!m->asleep && !is_passing(m)) {
		watch_forget(m);
	}
}
