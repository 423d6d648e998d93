/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Executes a random program through memory/mem.h, on simulated stacks.  Stack
 * bytes are part of a state, so a stack frame must not hold values that are not
 * part of the explorer's state: `run` keeps the program counter and the locals,
 * and every other function computes its variables from these two anew for each
 * instruction.
 */
#include "subject.h"

struct frame {
	uint64_t pc, local[LOCALS], result;
};

static const struct instruction *line_of(const struct frame *f, enum body body)
{
	return &program.code[body].line[f->pc];
}

static uint64_t value(const struct frame *f, const struct process *self,
		      const struct operand *o)
{
	switch ((enum operand_kind)o->kind) {
	case A_LOCAL:
		return f->local[o->value];
	case AN_ID:
		return self->id + 1;
	case A_SESSION:
		return self->session;
	case AN_OPERATION:
		return self->operation;
	case AN_ARGUMENT:
		return self->argument;
	default:
		return o->value;
	}
}

static struct word *word_at(void *shared, const struct process *self,
			    const struct address *a)
{
	struct word *words = shared;

	if (a->place == PLACE_FIXED)
		return words + a->word;
	return words + PLAIN_WORDS +
	       (self->id + a->place - PLACE_MINE) % program.n;
}

static bool holds(uint64_t test, uint64_t v, uint64_t bound)
{
	switch ((enum test)test) {
	case TEST_EQUAL:
		return v == bound;
	case TEST_DIFFERENT:
		return v != bound;
	case TEST_BELOW:
		return v < bound;
	default:
		return v >= bound;
	}
}

static uint64_t take(void *shared, struct process *self)
{
	struct word *words = shared;
	uint64_t inside = mem_peek(&words[0]);

	(void)self;
	if (inside >= mem_peek(&words[BY_LIMIT]))
		return 0;
	mem_poke(&words[0], inside + 1);
	return 1;
}

static uint64_t release(void *shared, struct process *self)
{
	struct word *words = shared;
	uint64_t inside = mem_peek(&words[0]);

	(void)self;
	if (inside)
		mem_poke(&words[0], inside - 1);
	return inside;
}

static uint64_t claim(void *shared, struct process *self)
{
	struct word *words = shared;

	if (mem_peek(&words[0]))
		return 0;
	mem_poke(&words[0], self->id + 1);
	return 1;
}

static uint64_t exchange(void *shared, struct process *self)
{
	struct word *words = shared;
	uint64_t first = mem_peek(&words[0]);

	(void)self;
	mem_poke(&words[0], mem_peek(&words[1]));
	mem_poke(&words[1], first);
	return first;
}

static uint64_t large(uint64_t number, void *shared, struct process *self)
{
	switch ((enum large)number) {
	case LARGE_TAKE:
		return mem_atomic(take, shared, self);
	case LARGE_RELEASE:
		return mem_atomic(release, shared, self);
	case LARGE_CLAIM:
		return mem_atomic(claim, shared, self);
	default:
		return mem_atomic(exchange, shared, self);
	}
}

static uint64_t wait_one(struct word *w, uint64_t test, uint64_t bound)
{
	uint64_t v;

	await(v, w, holds(test, v, bound));
	return v;
}

static uint64_t wait_safe(struct word *w, uint64_t test, uint64_t bound)
{
	uint64_t v;

	await_safe(v, w, holds(test, v, bound));
	return v;
}

/* This is a function of its own, so that the value does not stay in a register
 * until the next look. */
static bool look_holds(struct wait_set pass, struct word *w, uint64_t test,
		       uint64_t bound)
{
	return holds(test, look(pass, w), bound);
}

/* Waits until the test holds for the first word with operand a, or for the
 * second word with operand b. */
static uint64_t wait_any(const struct frame *f, const struct instruction *i,
			 void *shared, struct process *self)
{
	await_any(pass)
	{
		if (look_holds(pass, word_at(shared, self, &i->at), i->test,
			       value(f, self, &i->a)))
			return 1;
		if (look_holds(pass, word_at(shared, self, &i->second), i->test,
			       value(f, self, &i->b)))
			return 2;
	}
}

/* Make one access to shared words.  The caller stores the result in a local. */
static uint64_t access_of(const struct frame *f, const struct instruction *i,
			  void *shared, struct process *self)
{
	struct word *w = word_at(shared, self, &i->at);
	uint64_t a = value(f, self, &i->a);

	switch ((enum op)i->op) {
	case OP_READ:
		return mem_read(w);
	case OP_ADD:
		return mem_add(w, a);
	case OP_SWAP:
		return mem_swap(w, a);
	case OP_CAS:
		return mem_cas(w, a, value(f, self, &i->b));
	case OP_TAS:
		return mem_tas(w);
	case OP_SAFE_READ:
		return safe_read(w);
	case OP_LARGE:
		return large(i->at.word, shared, self);
	case OP_AWAIT:
		return wait_one(w, i->test, a);
	case OP_AWAIT_SAFE:
		return wait_safe(w, i->test, a);
	default:
		return wait_any(f, i, shared, self);
	}
}

/* Execute an instruction without a result.  Returns the next program
 * counter. */
static uint64_t effect_of(struct frame *f, const struct instruction *i,
			  void *shared, struct process *self,
			  struct wait_set *wait)
{
	struct word *w = word_at(shared, self, &i->at);
	uint64_t a = value(f, self, &i->a);

	switch ((enum op)i->op) {
	case OP_WRITE:
		mem_write(w, a);
		break;
	case OP_SAFE_WRITE:
		safe_write(w, a % DOMAIN);
		break;
	case OP_WAKE:
		mem_wake(w);
		break;
	case OP_NAME:
		wait_for_change(wait, w, a);
		break;
	case OP_SLEPT:
		f->local[i->local] = wait_slept(wait);
		break;
	case OP_DOORWAY_ENDS:
		doorway_ends(self);
		break;
	case OP_SET:
		f->local[i->local] = a;
		break;
	case OP_OWN_READ:
		f->local[i->local] = mem_own_read(self, i->at.word);
		break;
	case OP_OWN_WRITE:
		mem_own_write(self, i->at.word, a);
		break;
	case OP_SLOT:
		self->slot = (int)a;
		break;
	case OP_JUMP:
		if (holds(i->test, f->local[i->local], a))
			return i->target;
		break;
	default:
		f->result = a;
		return MOST_CODE;
	}
	return f->pc + 1;
}

static bool has_result(const struct instruction *i)
{
	switch ((enum op)i->op) {
	case OP_READ:
	case OP_ADD:
	case OP_SWAP:
	case OP_CAS:
	case OP_TAS:
	case OP_SAFE_READ:
	case OP_LARGE:
	case OP_AWAIT:
	case OP_AWAIT_SAFE:
	case OP_AWAIT_ANY:
		return true;
	default:
		return false;
	}
}

static void execute(struct frame *f, const struct instruction *i, void *shared,
		    struct process *self, struct wait_set *wait)
{
	if (has_result(i)) {
		f->local[i->local] = access_of(f, i, shared, self);
		f->pc++;
	} else {
		f->pc = effect_of(f, i, shared, self, wait);
	}
}

static uint64_t run(enum body body, void *shared, struct process *self,
		    struct wait_set *wait)
{
	struct frame f = { 0 };

	while (f.pc < program.code[body].length)
		execute(&f, line_of(&f, body), shared, self, wait);
	return f.result;
}

int subject_enter(void *shared, struct process *self)
{
	return (int)run(BODY_ENTER, shared, self, NULL);
}

bool subject_doorway(void *shared, struct process *self)
{
	return run(BODY_DOORWAY, shared, self, NULL) != 0;
}

bool subject_poll(void *shared, struct process *self, struct wait_set *wait)
{
	return run(BODY_POLL, shared, self, wait) != 0;
}

void subject_settle(void *shared, struct process *self)
{
	run(BODY_SETTLE, shared, self, NULL);
}

void subject_leave(void *shared, struct process *self)
{
	run(BODY_LEAVE, shared, self, NULL);
}

void subject_abort(void *shared, struct process *self)
{
	run(BODY_ABORT, shared, self, NULL);
}

void subject_recover(void *shared, struct process *self)
{
	run(BODY_RECOVER, shared, self, NULL);
}

/* A resizer has no struct process; its instructions use only the new k. */
void subject_resize(void *shared, const struct shape *shape, unsigned k)
{
	struct process self = { 0 };

	self.id = shape->n - 1;
	self.shape = shape;
	self.argument = k;
	run(BODY_RESIZE, shared, &self, NULL);
}

uint64_t subject_apply(void *shared, struct process *self)
{
	return run(BODY_APPLY, shared, self, NULL);
}

/* The result 0 says that the operation never takes effect; a result r > 0 says
 * that it took effect and returned r - 1. */
bool subject_finish(void *shared, struct process *self)
{
	uint64_t result = run(BODY_FINISH, shared, self, NULL);

	if (result)
		self->argument = result - 1;
	return result != 0;
}
