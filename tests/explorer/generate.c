/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generates random programs.  Purely random code hardly ever keeps a process
 * out.  Therefore most programs begin as a small lock, which the generator then
 * changes at random.
 */
#include "program.h"

#include "tests/common/prng.h"

#include <string.h>

static uint64_t random_state;

static unsigned below(unsigned limit)
{
	return prng_below(&random_state, limit);
}

static bool chance(unsigned percent)
{
	return below(100) < percent;
}

static struct operand constant(unsigned v)
{
	return (struct operand){ A_CONSTANT, (uint8_t)v };
}

static struct operand local(unsigned i)
{
	return (struct operand){ A_LOCAL, (uint8_t)i };
}

static const struct operand own_id = { AN_ID, 0 };

static struct address fixed(unsigned word)
{
	return (struct address){ PLACE_FIXED, (uint8_t)word };
}

static void emit(struct code *c, struct instruction i)
{
	c->exists = 1;
	if (c->length < MOST_CODE)
		c->line[c->length++] = i;
}

#define EMIT(c, ...) emit(c, (struct instruction){ __VA_ARGS__ })

static struct operand random_operand(enum body body)
{
	switch (below(8)) {
	case 0:
	case 1:
	case 2:
		return local(below(LOCALS));
	case 3:
		return own_id;
	case 4:
		if (program.kind == KIND_GROUP_EXCLUSION)
			return (struct operand){ A_SESSION, 0 };
		if (body == BODY_APPLY)
			return (struct operand){ AN_OPERATION, 0 };
		return constant(1);
	case 5:
		if (body == BODY_RESIZE || body == BODY_APPLY)
			return (struct operand){ AN_ARGUMENT, 0 };
		return constant(0);
	default:
		return constant(below(3));
	}
}

static struct address random_word(enum op op)
{
	if (op == OP_SAFE_WRITE)
		return (struct address){ PLACE_MINE, 0 };
	if (op == OP_SAFE_READ || op == OP_AWAIT_SAFE)
		return (struct address){ (uint8_t)(PLACE_MINE + below(3)), 0 };
	if (op == OP_OWN_READ || op == OP_OWN_WRITE)
		return fixed(below(OWN_WORDS));
	if (op == OP_LARGE)
		return fixed(below(LARGE_COUNT));
	return fixed(below(PLAIN_WORDS));
}

static bool may_wait(enum body body)
{
	return body == BODY_ENTER || body == BODY_SETTLE || chance(8);
}

static bool is_allowed(enum op op, enum body body)
{
	switch (op) {
	case OP_AWAIT_SAFE:
		return program.safe && body != BODY_POLL && may_wait(body);
	case OP_SAFE_READ:
	case OP_SAFE_WRITE:
		return program.safe;
	case OP_AWAIT:
	case OP_AWAIT_ANY:
		return body != BODY_POLL && may_wait(body);
	case OP_DOORWAY_ENDS:
		return body == BODY_ENTER;
	case OP_OWN_READ:
	case OP_OWN_WRITE:
		return body != BODY_RESIZE;
	case OP_SLOT:
		return body == BODY_DOORWAY || body == BODY_POLL;
	case OP_NAME:
		return body == BODY_POLL;
	case OP_SLEPT:
	case OP_JUMP:
	case OP_RETURN:
		return false;
	default:
		return true;
	}
}

static struct instruction random_instruction(enum body body)
{
	struct instruction i = { 0 };

	do
		i.op = (uint8_t)below(OP_COUNT);
	while (!is_allowed((enum op)i.op, body));
	i.local = (uint8_t)below(LOCALS);
	i.test = (uint8_t)below(4);
	i.at = random_word((enum op)i.op);
	i.second = random_word((enum op)i.op);
	i.a = random_operand(body);
	i.b = random_operand(body);
	if (i.op == OP_LARGE)
		i.a = i.b = constant(0);
	return i;
}

static void emit_random(struct code *c, enum body body, unsigned most)
{
	for (unsigned count = below(most + 1); count > 0; count--)
		emit(c, random_instruction(body));
}

/* Locks.  Word 0 is the lock itself; in a ticket lock, word 0 is the next
 * ticket, and word 1 is the ticket that is served. */

static void spin_lock(struct code *c)
{
	unsigned again = c->length;

	if (chance(50))
		EMIT(c, .op = OP_DOORWAY_ENDS);
	if (chance(70))
		EMIT(c, .op = OP_AWAIT, .test = TEST_EQUAL, .a = constant(0));
	switch (below(4)) {
	case 0:
		EMIT(c, .op = OP_TAS);
		break;
	case 1:
		EMIT(c, .op = OP_SWAP, .a = own_id);
		break;
	case 2:
		EMIT(c, .op = OP_LARGE, .at = fixed(LARGE_TAKE));
		EMIT(c, .op = OP_JUMP, .test = TEST_EQUAL, .a = constant(0),
		     .target = (uint8_t)again);
		return;
	default:
		EMIT(c, .op = OP_CAS, .a = constant(0), .b = own_id);
		EMIT(c, .op = OP_JUMP, .test = TEST_EQUAL, .a = constant(0),
		     .target = (uint8_t)again);
		return;
	}
	EMIT(c, .op = OP_JUMP, .test = TEST_DIFFERENT, .a = constant(0),
	     .target = (uint8_t)again);
}

static void ticket_lock(struct code *c)
{
	EMIT(c, .op = OP_ADD, .a = constant(1));
	if (chance(80))
		EMIT(c, .op = OP_DOORWAY_ENDS);
	if (chance(80))
		EMIT(c, .op = OP_AWAIT, .local = 1, .at = fixed(1),
		     .test = TEST_EQUAL, .a = local(0));
	else
		EMIT(c, .op = OP_AWAIT_ANY, .local = 1, .at = fixed(1),
		     .second = fixed(2), .test = TEST_EQUAL, .a = local(0),
		     .b = constant(1));
}

static void flag_lock(struct code *c)
{
	EMIT(c, .op = OP_SAFE_WRITE, .at = { PLACE_MINE, 0 }, .a = constant(1));
	if (chance(80))
		EMIT(c, .op = OP_DOORWAY_ENDS);
	EMIT(c, .op = OP_AWAIT_SAFE, .at = { PLACE_NEXT, 0 },
	     .test = TEST_EQUAL, .a = constant(0));
	if (program.n > 2 && chance(50))
		EMIT(c, .op = OP_AWAIT_SAFE, .at = { PLACE_AFTER_NEXT, 0 },
		     .test = TEST_EQUAL, .a = constant(0));
}

/* Emits the end of a failed pass, and then the end of a successful pass. */
static void end_pass(struct code *c, struct address word, unsigned seen)
{
	if (chance(85))
		EMIT(c, .op = OP_NAME, .at = word, .a = local(seen));
	EMIT(c, .op = OP_RETURN, .a = constant(0));
	if (chance(30))
		EMIT(c, .op = OP_SLOT, .a = constant(below(3)));
	EMIT(c, .op = OP_RETURN, .a = constant(1));
}

/* Sets the target of the jump to the line after the return of a failed pass. */
static void aim(struct code *c, unsigned jump)
{
	unsigned to = jump + 1;

	while (to < c->length && c->line[to].op != OP_RETURN)
		to++;
	c->line[jump].target = (uint8_t)(to + 1);
}

static void poll_lock(struct code *doorway, struct code *poll)
{
	unsigned jump;

	doorway->exists = 1;
	if (chance(30))
		EMIT(doorway, .op = OP_WRITE, .at = fixed(1), .a = own_id);
	if (chance(25))
		emit_random(poll, BODY_POLL, 2);
	EMIT(poll, .op = OP_READ, .local = 1);
	switch (below(3)) {
	case 0:
		EMIT(poll, .op = OP_CAS, .a = constant(0), .b = own_id);
		break;
	case 1:
		EMIT(poll, .op = OP_LARGE, .at = fixed(LARGE_TAKE));
		break;
	default:
		EMIT(poll, .op = OP_LARGE, .at = fixed(LARGE_CLAIM));
		break;
	}
	jump = poll->length;
	EMIT(poll, .op = OP_JUMP, .test = TEST_DIFFERENT, .a = constant(0));
	end_pass(poll, fixed(0), 1);
	aim(poll, jump);
}

static void poll_ticket(struct code *doorway, struct code *poll)
{
	unsigned jump;

	EMIT(doorway, .op = OP_ADD, .a = constant(1));
	EMIT(doorway, .op = OP_OWN_WRITE, .at = fixed(0), .a = local(0));
	EMIT(poll, .op = OP_OWN_READ, .at = fixed(0));
	if (chance(30))
		emit_random(poll, BODY_POLL, 2);
	EMIT(poll, .op = OP_READ, .local = 1, .at = fixed(1));
	jump = poll->length;
	EMIT(poll, .op = OP_JUMP, .local = 1, .test = TEST_EQUAL,
	     .a = local(0));
	end_pass(poll, fixed(1), 1);
	aim(poll, jump);
}

static void poll_flag(struct code *doorway, struct code *poll)
{
	const struct address next = { PLACE_NEXT, 0 };
	unsigned jump;

	EMIT(doorway, .op = OP_SAFE_WRITE, .at = { PLACE_MINE, 0 },
	     .a = constant(1));
	if (chance(30))
		emit_random(poll, BODY_POLL, 2);
	EMIT(poll, .op = OP_SAFE_READ, .local = 1, .at = next);
	jump = poll->length;
	EMIT(poll, .op = OP_JUMP, .local = 1, .test = TEST_EQUAL,
	     .a = constant(0));
	end_pass(poll, next, 1);
	aim(poll, jump);
}

static void poll_random(struct code *doorway, struct code *poll)
{
	unsigned jump;

	doorway->exists = 1;
	emit_random(doorway, BODY_DOORWAY, 3);
	if (chance(10))
		EMIT(doorway, .op = OP_RETURN,
		     .a = random_operand(BODY_DOORWAY));
	emit_random(poll, BODY_POLL, 3);
	EMIT(poll, .op = OP_READ, .local = 1, .at = fixed(below(PLAIN_WORDS)));
	jump = poll->length;
	EMIT(poll, .op = OP_JUMP, .local = (uint8_t)below(LOCALS),
	     .test = (uint8_t)below(4), .a = random_operand(BODY_POLL));
	end_pass(poll, poll->line[jump - 1].at, 1);
	poll->line[jump].target = (uint8_t)(poll->length - 1);
}

static void release(struct code *c, bool ticket)
{
	unsigned word = ticket ? 1 : 0;

	c->exists = 1;
	emit_random(c, BODY_LEAVE, chance(30) ? 2 : 0);
	if (program.safe)
		EMIT(c, .op = OP_SAFE_WRITE, .at = { PLACE_MINE, 0 },
		     .a = constant(0));
	if (ticket)
		EMIT(c, .op = OP_ADD, .at = fixed(1), .a = constant(1));
	else if (chance(40))
		EMIT(c, .op = OP_LARGE, .at = fixed(LARGE_RELEASE));
	else
		EMIT(c, .op = OP_WRITE, .a = constant(0));
	if (chance(90))
		EMIT(c, .op = OP_WAKE, .at = fixed(word));
	if (program.safe)
		EMIT(c, .op = OP_WAKE, .at = { PLACE_MINE, 0 });
}

static void undo(struct code *c, enum body body)
{
	c->exists = 1;
	if (chance(60)) {
		EMIT(c, .op = OP_CAS, .a = own_id, .b = constant(0));
		EMIT(c, .op = OP_WAKE);
	}
	emit_random(c, body, 2);
}

/* Random changes of the code. */

static void delete_line(struct code *c, unsigned at)
{
	memmove(c->line + at, c->line + at + 1,
		(c->length - at - 1u) * sizeof *c->line);
	c->length--;
	for (unsigned i = 0; i < c->length; i++)
		if (c->line[i].op == OP_JUMP && c->line[i].target > at)
			c->line[i].target--;
}

static void insert_line(struct code *c, unsigned at, struct instruction new)
{
	if (c->length == MOST_CODE)
		return;
	memmove(c->line + at + 1, c->line + at,
		((unsigned)c->length - at) * sizeof *c->line);
	c->line[at] = new;
	c->length++;
	for (unsigned i = 0; i < c->length; i++)
		if (i != at && c->line[i].op == OP_JUMP &&
		    c->line[i].target > at)
			c->line[i].target++;
}

static void change(struct code *c, enum body body)
{
	unsigned at = c->length ? below(c->length) : 0;

	if (c->length && chance(25))
		delete_line(c, at);
	else if (c->length && chance(25))
		c->line[at].a = random_operand(body);
	else if (c->length && chance(15))
		c->line[at].test = (uint8_t)below(4);
	else
		insert_line(c, at, random_instruction(body));
}

/* Insert a few instructions at the beginning of the poll, which only a pass
 * after a nap executes.  They may even let the process enter. */
static void add_nap(struct code *c)
{
	unsigned lines = 2 + below(2), end = lines;
	bool enters = chance(40);

	if (c->length + lines + 1 > MOST_CODE)
		return;
	if (enters) {
		insert_line(c, 0,
			    (struct instruction){ .op = OP_RETURN,
						  .a = local(1) });
		end++;
	}
	for (unsigned i = 1; i < lines; i++)
		insert_line(c, 0, random_instruction(BODY_POLL));
	insert_line(c, 0,
		    (struct instruction){ .op = OP_JUMP,
					  .test = TEST_EQUAL,
					  .a = constant(0),
					  .target = (uint8_t)(end + 1) });
	insert_line(c, 0, (struct instruction){ .op = OP_SLEPT });
	c->line[1].target = (uint8_t)(end + 1);
	program.naps = 1;
}

/* Whether the code has a jump back, or is a poll that may repeat for ever. */
static bool may_repeat(const struct code *c, enum body body)
{
	for (unsigned i = 0; i < c->length; i++) {
		const struct instruction *l = &c->line[i];

		if (l->op == OP_JUMP && l->target <= i)
			return true;
		if (body != BODY_POLL)
			continue;
		if (l->op == OP_JUMP && l->target >= c->length)
			return true; /* this pass names no word */
		if (l->op != OP_READ && l->op != OP_JUMP && l->op != OP_SET &&
		    l->op != OP_OWN_READ && l->op != OP_NAME &&
		    l->op != OP_SLEPT && l->op != OP_RETURN)
			return true;
		if (l->op == OP_RETURN &&
		    (l->a.kind != A_CONSTANT ||
		     (l->a.value == 0 && (i == 0 || l[-1].op != OP_NAME))))
			return true;
	}
	return body == BODY_POLL && c->length > 0 &&
	       c->line[c->length - 1].op != OP_RETURN;
}

/* A poll may set the slot only in a successful pass. */
static void remove_early_slots(struct code *c)
{
	for (unsigned i = 0; i < c->length; i++) {
		const struct instruction *next = &c->line[i] + 1;

		if (c->line[i].op == OP_SLOT &&
		    (i + 1 == c->length || next->op != OP_RETURN ||
		     next->a.kind != A_CONSTANT || next->a.value == 0))
			c->line[i].op = OP_SET;
	}
}

/* Bodies. */

static void generate_lock(struct program *p)
{
	struct code *code = p->code;
	bool ticket = chance(35);

	if (p->code[BODY_APPLY].exists && chance(50))
		return; /* an object without a lock */
	if (p->deaths || p->aborts || chance(50)) {
		if (chance(25))
			poll_random(&code[BODY_DOORWAY], &code[BODY_POLL]);
		else if (p->safe && chance(60))
			poll_flag(&code[BODY_DOORWAY], &code[BODY_POLL]);
		else if (ticket)
			poll_ticket(&code[BODY_DOORWAY], &code[BODY_POLL]);
		else
			poll_lock(&code[BODY_DOORWAY], &code[BODY_POLL]);
		if (chance(15)) {
			code[BODY_SETTLE].exists = 1;
			emit_random(&code[BODY_SETTLE], BODY_SETTLE, 3);
		}
	} else if (p->safe && chance(70)) {
		flag_lock(&code[BODY_ENTER]);
	} else if (chance(15)) {
		code[BODY_ENTER].exists = 1;
		emit_random(&code[BODY_ENTER], BODY_ENTER, 4);
	} else if (ticket) {
		ticket_lock(&code[BODY_ENTER]);
	} else {
		spin_lock(&code[BODY_ENTER]);
	}
	if (code[BODY_ENTER].exists)
		EMIT(&code[BODY_ENTER], .op = OP_RETURN,
		     .a = chance(60) ? constant(below(2))
				     : random_operand(BODY_ENTER));
	release(&code[BODY_LEAVE], ticket);
}

static void generate_apply(struct program *p)
{
	struct code *c = &p->code[BODY_APPLY];
	const struct operand argument = { AN_ARGUMENT, 0 };

	p->first[1] = 0;
	if (chance(50)) {
		EMIT(c, .op = OP_SET, .local = 1, .a = { AN_OPERATION, 0 });
		EMIT(c, .op = OP_JUMP, .local = 1, .test = TEST_EQUAL,
		     .a = constant(1), .target = 4);
		EMIT(c, .op = OP_ADD, .at = fixed(1), .a = argument);
		EMIT(c, .op = OP_RETURN, .a = local(0));
	} else if (chance(50)) {
		EMIT(c, .op = OP_SET, .local = 1, .a = { AN_OPERATION, 0 });
		EMIT(c, .op = OP_JUMP, .local = 1, .test = TEST_EQUAL,
		     .a = constant(1), .target = 5);
		EMIT(c, .op = OP_READ, .at = fixed(1));
		EMIT(c, .op = OP_WRITE, .at = fixed(1), .a = argument);
		EMIT(c, .op = OP_RETURN, .a = local(0));
	}
	EMIT(c, .op = OP_READ, .at = fixed(1));
	EMIT(c, .op = OP_RETURN, .a = local(0));
}

static void generate_others(struct program *p)
{
	struct code *code = p->code;

	if (p->aborts)
		undo(&code[BODY_ABORT], BODY_ABORT);
	if (p->deaths)
		undo(&code[BODY_RECOVER], BODY_RECOVER);
	if (p->deaths && code[BODY_APPLY].exists) {
		code[BODY_FINISH].exists = 1;
		emit_random(&code[BODY_FINISH], BODY_FINISH, 2);
		EMIT(&code[BODY_FINISH], .op = OP_RETURN,
		     .a = random_operand(BODY_FINISH));
	}
	if (p->resizes) {
		struct code *c = &code[BODY_RESIZE];

		c->exists = 1;
		emit_random(c, BODY_RESIZE, 2);
		EMIT(c, .op = OP_WRITE, .at = fixed(BY_LIMIT),
		     .a = { AN_ARGUMENT, 0 });
		EMIT(c, .op = OP_WAKE);
	}
}

static void generate_shape(struct program *p)
{
	p->n = chance(25) ? 3 : 2;
	p->k = chance(70) ? 1 : 2;
	p->kind = chance(15)   ? KIND_OBJECT
		  : chance(20) ? KIND_GROUP_EXCLUSION
			       : KIND_K_EXCLUSION;
	p->safe = chance(20);
	p->persistent = (uint8_t)below(OWN_WORDS);
	p->deaths = chance(20) ? 1 : 0;
	p->aborts = chance(25) ? 1 : 0;
	if (p->kind == KIND_GROUP_EXCLUSION) {
		p->sessions = 1 + below(2);
		p->k = chance(50) ? 0 : p->k;
	}
	if (p->k && chance(20)) {
		p->k = 1 + below(3);
		p->resizes = 1 + below(2);
		for (unsigned i = 0; i < p->resizes; i++)
			p->resize[i] = 1 + below(3);
	}
	for (unsigned i = 0; i < p->n; i++)
		p->passages[i] = chance(10) ? 0 : chance(30) ? 2 : 1;
	p->crashes = chance(30) ? below(p->n) : 0;
	p->code[BODY_APPLY].exists = p->kind == KIND_OBJECT;
	p->first[BY_LIMIT] = p->k;
}

static void generate_question(struct program *p)
{
	const struct code *code = p->code;
	/* The programs have no steps of a store, which fenced is about. */
	unsigned possible = ((1u << PROPERTY_COUNT) - 1) & ~(unsigned)FENCED;

	if (p->kind != KIND_GROUP_EXCLUSION)
		possible &= ~(unsigned)(SESSION_EXCLUSION |
					CONCURRENT_ENTERING |
					STRONG_CONCURRENT_ENTERING |
					CONCURRENT_OCCUPANCY);
	else
		possible &= ~(unsigned)NO_WAIT_BELOW_K;
	if (!code[BODY_LEAVE].exists)
		possible &= ~(unsigned)EXIT_TERMINATION;
	if (!code[BODY_APPLY].exists)
		possible &= ~(unsigned)(LINEARIZABLE | BOUNDED_APPLY);
	if (!code[BODY_ABORT].exists)
		possible &= ~(unsigned)BOUNDED_ABORT;
	if (p->kind != KIND_GROUP_EXCLUSION)
		for (unsigned i = 0; i <= p->resizes; i++)
			if ((i ? p->resize[i - 1] : p->k) != 1)
				possible &= ~(unsigned)FCFS;
	/* Each monitor adds states, so most programs ask for a random subset of
	 * the properties. */
	p->asked = chance(40) ? possible
			      : (unsigned)prng_next(&random_state) & possible;
	if (chance(30))
		p->asked &= ~(unsigned)(NO_LOST_WAKE | PROMPT_WAKE);
	if (!p->asked)
		p->asked = NO_DEADLOCK;
	p->bounds = chance(50);
	p->doorway_steps = (uint8_t)(1 + below(4));
	p->leave_steps = (uint8_t)(1 + below(4));
	p->abort_steps = (uint8_t)(1 + below(3));
	p->apply_steps = (uint8_t)(1 + below(4));
	p->finish_steps = (uint8_t)(1 + below(3));
	p->solo_steps = (uint8_t)(1 + below(4));
	p->most_bypasses = (uint8_t)below(3);
	p->steps_of = chance(80) ? (1u << p->n) - 1
				 : 1 + below((1u << p->n) - 1);
	p->quiet_word = (uint8_t)below(PLAIN_WORDS);
	p->quiet_value = (uint8_t)(chance(70) ? p->first[p->quiet_word]
					      : below(3));
	p->invariant_word = (uint8_t)below(PLAIN_WORDS);
	p->invariant_value = (uint8_t)below(4);
	p->invariant_phase = (uint8_t)below(PHASE_RESIZING + 1);
}

void program_generate(struct program *p, uint64_t seed)
{
	memset(p, 0, sizeof *p);
	p->seed = seed;
	random_state = seed;
	generate_shape(p);
	if (p->code[BODY_APPLY].exists)
		generate_apply(p);
	generate_lock(p);
	if (!p->code[BODY_LEAVE].exists)
		p->aborts = 0;
	generate_others(p);
	for (unsigned count = below(3); count > 0; count--) {
		enum body body = (enum body)below(BODY_COUNT);

		if (p->code[body].exists)
			change(&p->code[body], body);
	}
	/* Every operation makes at least one step.  Otherwise no state would
	 * show the process inside. */
	if (p->code[BODY_APPLY].exists)
		insert_line(&p->code[BODY_APPLY], 0,
			    (struct instruction){ .op = OP_READ,
						  .at = fixed(1) });
	if (p->code[BODY_APPLY].exists && chance(15))
		insert_line(&p->code[BODY_APPLY], 1,
			    (struct instruction){ .op = OP_AWAIT,
						  .test = (uint8_t)below(4),
						  .at = fixed(below(3)),
						  .a = constant(below(2)) });
	if (p->code[BODY_POLL].exists && chance(20))
		add_nap(&p->code[BODY_POLL]);
	remove_early_slots(&p->code[BODY_POLL]);
	p->retries = p->naps || chance(30);
	for (unsigned b = 0; b < BODY_COUNT; b++)
		p->retries |= may_repeat(&p->code[b], (enum body)b);
	generate_question(p);
}
