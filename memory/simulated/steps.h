/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory contract (memory/mem.h) in simulated memory: a process announces
 * every step, and the scheduler decides when to make the step.
 */
#ifndef ATMOST_MEMORY_SIMULATED_STEPS_H
#define ATMOST_MEMORY_SIMULATED_STEPS_H

struct word {
	uint64_t value;
};

/* Algorithms only pass this struct on; the scheduler knows which words a pass
 * has read. */
struct wait_set {
	uint64_t slept; /* a whole word: no undefined padding */
};

#define OWN_LINE

enum step_kind {
	STEP_READ,
	STEP_WRITE,
	STEP_ADD,
	STEP_SWAP,
	STEP_CAS,
	STEP_TAS,
	STEP_SAFE_READ,
	STEP_SAFE_BEGIN,
	STEP_SAFE_END,
	STEP_LARGE,
	STEP_AWAIT, /* a read; the process goes on only if a condition holds */
	STEP_AWAIT_SAFE,
	STEP_AGAIN, /* the condition of an await did not hold */
	STEP_LOOK,
	STEP_SLEEP, /* a pass failed, or no pass was made yet */
	STEP_WAKE,
	STEP_LEASE, /* the steps of a store */
	STEP_REVOKE,
	STEP_SURVEY,
	STEP_REMOTE, /* send a transaction */
	STEP_ANSWER, /* receive its answer */
	STEP_INSIDE, /* in the critical section; the next step leaves */
	STEP_END     /* the passage is over */
};

typedef uint64_t large_step(void *shared, struct process *self);

/* Announce a step and return its result once the scheduler has made it. */
uint64_t sim_step(enum step_kind kind, struct word *word, uint64_t a,
		  uint64_t b, const char *where);
uint64_t sim_large(large_step *function, void *shared, struct process *self,
		   const char *where);
void sim_wake(struct word *word, const char *where);
struct wait_set sim_pass_begins(void);
void sim_own_write(struct process *self, unsigned i, uint64_t value);
void sim_wait_for_change(struct word *word, uint64_t value);
void sim_doorway_ends(struct process *self);
void sim_poke(struct word *word, uint64_t value);
void sim_place(struct word *word, unsigned process);
void sim_safe_domain(struct word *word, const uint64_t *values, unsigned count);
void sim_name(struct word *word, const char *name, const unsigned *index,
	      unsigned count);

int sim_commit(struct transaction *t, const char *where);
uint64_t sim_seen(const uint64_t *own, const struct word *word);
bool sim_is_mine(const uint64_t *own, const struct word *word, unsigned p);
void sim_unsee(uint64_t *own);
void sim_found(struct word *word, uint64_t value);

#define SIM_TEXT_OF(line) #line
#define SIM_TEXT(line) SIM_TEXT_OF(line)
#define HERE __FILE__ ":" SIM_TEXT(__LINE__)

#define mem_read(w) sim_step(STEP_READ, w, 0, 0, HERE)
#define mem_write(w, v) ((void)sim_step(STEP_WRITE, w, v, 0, HERE))
#define mem_add(w, d) sim_step(STEP_ADD, w, d, 0, HERE)
#define mem_swap(w, v) sim_step(STEP_SWAP, w, v, 0, HERE)
#define mem_cas(w, expected, v) ((bool)sim_step(STEP_CAS, w, expected, v, HERE))
#define mem_tas(w) ((bool)sim_step(STEP_TAS, w, 0, 0, HERE))

/* Simulated steps are sequentially consistent, whatever their names say. */
#define mem_read_relaxed(w) mem_read(w)
#define mem_write_release(w, v) mem_write(w, v)

#define safe_read(w) sim_step(STEP_SAFE_READ, w, 0, 0, HERE)
#define safe_write(w, v) sim_safe_write(w, v, HERE)

static inline void sim_safe_write(struct word *word, uint64_t value,
				  const char *where)
{
	sim_step(STEP_SAFE_BEGIN, word, value, 0, where);
	sim_step(STEP_SAFE_END, word, value, 0, where);
}

#define mem_atomic(function, shared, self) \
	sim_large(function, shared, self, HERE)

#define SIM_AWAIT(kind, v, w, condition)                          \
	while ((v) = sim_step(kind, w, 0, 0, HERE), !(condition)) \
	(void)sim_step(STEP_AGAIN, w, 0, 0, HERE)

#define await(v, w, condition) SIM_AWAIT(STEP_AWAIT, v, w, condition)
#define await_safe(v, w, condition) SIM_AWAIT(STEP_AWAIT_SAFE, v, w, condition)

#define await_any(pass)                                 \
	for (struct wait_set pass = sim_pass_begins();; \
	     sim_step(STEP_SLEEP, NULL, 0, 0, HERE))
#define look(pass, w) ((void)(pass), sim_step(STEP_LOOK, w, 0, 0, HERE))
#define wait_slept(wait) ((wait)->slept != 0)
#define wait_for_change(wait, w, v) ((void)(wait), sim_wait_for_change(w, v))

#define mem_wake(w) sim_wake(w, HERE)
#define mem_wake_weak(w) sim_wake(w, HERE)
#define doorway_ends(self) sim_doorway_ends(self)

#define mem_own_read(self, i) ((self)->own[i])
#define mem_own_write(self, i, v) sim_own_write(self, i, v)

static inline void mem_dead(uint64_t *values, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		values[i] = 0;
}

#define mem_poke(w, v) sim_poke(w, v)
#define mem_peek(w) ((w)->value)
#define mem_place(w, p) sim_place(w, p)
#define mem_safe_domain(w, values, count) sim_safe_domain(w, values, count)

/* A store.  store.h says how a word holds stamp, owner and value. */
#define mem_commit(self, t) ((void)(self), sim_commit(t, HERE))
#define mem_lease(self) \
	((void)(self), (void)sim_step(STEP_LEASE, NULL, 0, 0, HERE))
#define mem_revoke(self) \
	((void)(self), (void)sim_step(STEP_REVOKE, NULL, 0, 0, HERE))
#define mem_survey(self) \
	((void)(self), (int)sim_step(STEP_SURVEY, NULL, 0, 0, HERE))
#define mem_seen(self, w) (sim_seen((self)->own, w) >> 32)
#define mem_seen_value(self, w) (sim_seen((self)->own, w) & 0xffffff)
#define mem_seen_mine(self, w) sim_is_mine((self)->own, w, (self)->id)
#define mem_unsee(self) sim_unsee((self)->own)
#define mem_found(w, value) sim_found(w, value)
#define mem_peek_stamp(w) ((w)->value >> 32)
#define mem_peek_value(w) ((w)->value & 0xffffff)
#define mem_peek_owner(w) ((int)((w)->value >> 24 & 0xff) - 1)

/* The 0 at the end keeps the list of indices from being empty. */
#define mem_name(w, ...) SIM_NAME(w, __VA_ARGS__, 0)
#define SIM_NAME(w, name, ...)                                          \
	sim_name(w, name, (const unsigned[]){ __VA_ARGS__ },            \
		 (unsigned)(sizeof((const unsigned[]){ __VA_ARGS__ }) / \
			    sizeof(unsigned)) -                         \
			 1)

#endif
