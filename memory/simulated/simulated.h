/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The simulated memory consists of the words and the processes of one instance.
 * Processes are coroutines; the scheduler (scheduler.h) makes one step at a
 * time, and steps can be taken back.
 *
 * A state consists of the words and, for each process, the bytes from its stack
 * pointer to the end of its own words.  A step changes few words and one
 * process, so it is enough to save these in order to take the step back.
 */
#ifndef ATMOST_MEMORY_SIMULATED_SIMULATED_H
#define ATMOST_MEMORY_SIMULATED_SIMULATED_H

#include "algorithms/algorithm.h"

/* The step that a process makes next. */
struct step {
	uint64_t kind; /* enum step_kind; a whole word, because padding bytes
			  would be undefined, and the state includes them */
	struct word *word;
	uint64_t a, b;
	const char *where;
	uint64_t result; /* 0 until the step is made */
};

/* A word that a pass has read, and the value that the pass found there. */
struct watched {
	uint32_t word;
	uint64_t value;
};

/*
 * One process.  Its stack ends where this struct begins, and its own words
 * follow the struct.  The bytes from `sp` to the end of the own words are its
 * local state.
 */
struct simulated_process {
	struct step step; /* the next step; zero in the remainder */
	struct process self;
	uint8_t phase;         /* enum phase */
	uint8_t passages_left; /* UNBOUNDED: no limit */
	uint8_t aborts_left;
	uint8_t overrun;       /* the phase in which it made a step too many */
	uint16_t polls;        /* flags POLL_...; 0: it does not poll */
	uint16_t region_steps; /* steps in this phase, if they are bounded */
	uint16_t remote;  /* remote references in this passage, if metered */
	uint16_t outside; /* remote references outside the component; counted
			     only in measurements */
	uint16_t outcome; /* enum outcome: the outcome of an operation on an
			     object, until the history has recorded it */
	uint16_t zero[1]; /* completes the word: no undefined padding */
	uint64_t own[];
};

/* The most faults of a store in a run; each may leave a request on its way.
 * STORE_OWN_WORDS is the number of words that the store needs for itself. */
enum {
	STORE_MOST_FAULTS = 4,
	STORE_OWN_WORDS = 3 + STORE_MOST_FAULTS * TRANSACTION_CLAUSES
};

enum { UNBOUNDED = 255, MAX_EXHAUSTIVE_N = 12 };

/* OUTCOME_RETURNED means that the operation returned self.argument;
 * OUTCOME_NEVER means that it will never take effect. */
enum outcome { OUTCOME_NONE, OUTCOME_RETURNED, OUTCOME_NEVER };

/* The value of region_steps while the steps of a process are not counted. */
enum { NOT_COUNTED = UINT16_MAX };

/* Between two passes of its poll, a process has only the flag POLL_WAITS. */
enum {
	POLL_WAITS = 1,  /* past the code of its doorway */
	POLL_PASSES = 2, /* is making a pass */
	POLL_SLEPT = 4,  /* the pass follows a nap */
	POLL_WROTE = 8   /* the pass has changed a word */
};

/* Data about a process that is saved and restored with the process but is not
 * part of the hashed bytes. */
struct coroutine {
	char *sp;
	struct step *step;    /* the announced step; NULL: in the remainder */
	char *low;            /* stack bytes from here to sp may be dirty */
	uint32_t watch_count; /* words that its last pass or failed look read */
	struct watched *watched;
	bool named; /* this pass has named a word to sleep on */
};

/* A word that the current step changed, and its old value. */
struct change {
	uint32_t word;
	uint64_t old;
};

/* In a check, the numbers of an algorithm's counters are below this. */
enum { MOST_COUNTERS = 64 };

enum cost_model { COST_NONE, COST_CC, COST_DSM };

#define NO_WORD UINT32_MAX

struct sim {
	const struct algorithm *algorithm;
	struct shape shape;
	struct word *words;  /* the algorithm's words, then the simulation's */
	size_t word_count;   /* number of the algorithm's words */
	size_t component_at; /* first word of the component; 0: none */
	/* the layout repeats after this number of words; 0: it does not */
	size_t component_every;
	size_t all_words; /* number of all words */
	size_t sleeping;  /* index of the word with one bit per sleeping
			    process; used only where wakes are steps */
	size_t flux;      /* index of the first word of flux bits, one per
			     word, set while the word is being written */
	size_t copies;    /* index of the first word of copy bits, one per
			     word, set while the tracked process has a copy */
	size_t store;     /* index of the first word of the store's own words
			     (store.h); used only over a store */
	size_t view;      /* index of the first own word of what a process has
			     seen of the store, one per word */
	void *shared;
	unsigned n;
	unsigned own_words, own_persistent;
	struct simulated_process **process;
	struct coroutine *coroutine;
	size_t stack_size;
	size_t watch_room; /* words that a pass can note */

	bool wakes_are_steps;
	bool exact_stamps; /* a stamp of a store counts transactions */
	enum cost_model cost;
	bool smart_cache;
	bool writer_keeps; /* a writer has a valid copy after its write */
	int tracked;       /* the process whose copies and cost are part of the
			state; -1: none */

	/* the word of which the current step has invalidated the copies, or
	 * NO_WORD; set only in measurements */
	uint32_t invalidated;
	struct step *record;    /* if set: receives the last access */
	uint32_t touched;       /* the word of the last access; UINT32_MAX if
				   the access depends on more than one word */
	struct change *changes; /* the changes that the current step has made */
	size_t change_count, change_room;
	uint64_t await_anys; /* how many await_anys have begun; not part of a
				state */
	/* if set: the reason why a poll may fail again and again for ever */
	const char *failed_poll;
	/* The first values of the counters (mem_first).  They are 0 unless the
	 * checker sets them before sim_open. */
	uint64_t first[MOST_COUNTERS];
	bool started; /* init is over: pokes are part of a step */
};

extern struct sim sim;

/*
 * Build the memory for an instance.  Returns false if there is not enough
 * memory, or if `init` declares a domain of safe values that is too large.
 */
bool sim_open(const struct algorithm *a, const struct shape *shape,
	      int tracked);
void sim_close(void);

/* Put every word and process into the initial state. */
void sim_reset(void);

/* A torn read is a read of a safe register that overlaps a write.
 * sim_torn_values returns the number of values that a step of this kind on this
 * word may return; it is 1 unless the step is a torn read.  sim_torn_value
 * returns the value with the number `torn` among these values. */
unsigned sim_torn_values(enum step_kind kind, size_t word);
uint64_t sim_torn_value(size_t word, unsigned torn);

/* Take back the changes of words since `mark` (an earlier change_count). */
void sim_undo(size_t mark);

/* Write the name of a word, such as "Want[1][2]", into text. */
void sim_word_name(size_t word, char *text, size_t size);

/* Returns the process to which a word is local, or -1 if there is none. */
int sim_word_home(size_t word);

/* Whether address is in the guard page below the stack of a process; if so,
 * sets *process to that process. */
bool sim_overflowed(const void *address, unsigned *process);

static inline size_t sim_index(const struct word *word)
{
	return (size_t)(word - sim.words);
}

/* Change a word as part of the current step. */
static inline void sim_change(size_t word, uint64_t value)
{
	sim.changes[sim.change_count++] = (struct change){
		(uint32_t)word, sim.words[word].value
	};
	sim.words[word].value = value;
}

/* Whether a word does not belong to the component. */
static inline bool sim_is_outside(size_t word)
{
	if (sim.component_every)
		word %= sim.component_every;
	return word < sim.component_at;
}

/* Forget what p read in its last pass. */
static inline void sim_forget_pass(unsigned p)
{
	sim.coroutine[p].watch_count = 0;
	sim.coroutine[p].named = false;
}

static inline bool sim_asleep(unsigned p)
{
	return sim.words[sim.sleeping].value >> p & 1;
}

static inline bool sim_in_flux(size_t word)
{
	return sim.words[sim.flux + word / 64].value >> word % 64 & 1;
}

static inline char *sim_state_end(unsigned p)
{
	return (char *)(sim.process[p]->own + sim.own_words);
}

#endif
