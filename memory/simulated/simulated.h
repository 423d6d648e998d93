/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The simulated memory as its scheduler sees it: words, processes that are
 * coroutines, and one step at a time that can be taken back.
 *
 * A state is the words, and of each process the bytes from its stack pointer
 * to the end of its own words.  A step changes few words and one process, so
 * saving just those is enough to undo it.
 */
#ifndef ATMOST_MEMORY_SIMULATED_SIMULATED_H
#define ATMOST_MEMORY_SIMULATED_SIMULATED_H

#include "algorithms/algorithm.h"

/* What a coroutine is about to do. */
struct step {
	uint64_t kind; /* enum step_kind; a whole word, for padding would be
			  bytes of the state that nobody sets */
	struct word *word;
	uint64_t a, b;
	const char *where;
	uint64_t result; /* 0 until the step is made */
};

/* A word a pass has read, and what it read there. */
struct watched {
	uint32_t word;
	uint64_t value;
};

/*
 * One process.  Its stack ends where this begins and its own words follow it:
 * the bytes from `sp` to the end of the own words are its local state.
 */
struct actor {
	struct step step; /* what it is about to do, unless in remainder */
	struct process self;
	uint8_t phase;         /* enum phase */
	uint8_t passages_left; /* UNBOUNDED: for ever */
	uint8_t aborts_left;
	uint8_t overrun;       /* phase in which it made a step too many */
	uint16_t polls;        /* POLL_..., or 0: not where polls are made */
	uint16_t region_steps; /* own steps in this doorway, leave or abort */
	uint16_t remote;  /* remote references in this passage, if metered */
	uint16_t outside; /* of these, outside of the component; not counted
				   in a search */
	uint16_t outcome; /* enum outcome: of an object's operation, until
				   the history knows */
	uint16_t zero[1]; /* whole words: padding would be nobody's */
	uint64_t own[];
};

enum { UNBOUNDED = 255, MAX_EXHAUSTIVE_N = 12 };

/* self.argument is what it returned; or it will never take effect. */
enum outcome { OUTCOME_NONE, OUTCOME_RETURNED, OUTCOME_NEVER };

/* As region_steps: from here on nobody counts. */
enum { NOT_COUNTED = UINT16_MAX };

/* Between two passes of its poll a process has the first of these only. */
enum {
	POLL_WAITS = 1,  /* past its doorway's code */
	POLL_PASSES = 2, /* a pass was begun; */
	POLL_SLEPT = 4,  /* it follows a real sleep */
	POLL_WROTE = 8   /* and has changed a word */
};

/* Beside each actor, copied with it but no part of the state. */
struct errand {
	char *sp;
	struct step *step;    /* of its actor; NULL: in the remainder */
	char *low;            /* stack bytes from here on may be dirty */
	uint32_t watch_count; /* what its last pass or failed look read */
	struct watched *watched;
	bool named; /* in this pass, a word to sleep on */
};

/* A word changed by the step being made. */
struct change {
	uint32_t word;
	uint64_t old;
};

enum cost_model { COST_NONE, COST_CC, COST_DSM };

struct sim {
	const struct algorithm *algorithm;
	struct shape shape;
	struct word *words;     /* algorithm's, then those of the simulation */
	size_t word_count;      /* the algorithm's */
	size_t component_at;    /* the component's come from here on; 0: none */
	size_t component_every; /* and again every so many; 0: just once */
	size_t all_words;       /* with flux bits and tracked copies */
	size_t sleeping; /* index of the word of who sleeps: one bit each,
				   only where wakes are steps */
	size_t flux;     /* index of the first word of flux bits */
	size_t copies;   /* index of the first word of tracked copies */
	void *shared;
	unsigned n;
	unsigned own_words, own_persistent;
	struct actor **actor;
	struct errand *errand;
	size_t stack_size;
	size_t watch_room; /* words that a pass can note */

	bool wakes_are_steps;
	enum cost_model cost;
	bool smart_cache;
	int tracked; /* whose copies and cost are part of the state */

	struct step *record;    /* if set: the last access made goes here */
	uint32_t touched;       /* the word of the last access, UINT32_MAX if it
				   depends on more than that word */
	struct change *changes; /* of the step being made */
	size_t change_count, change_room;
	const char *vain; /* if set: what some poll did, and then said no */
	bool started;     /* past init: pokes are part of a step */
};

extern struct sim sim;

/* Build the memory for an instance; false: not enough memory. */
bool sim_open(const struct algorithm *a, const struct shape *shape,
	      int tracked);
void sim_close(void);

/* Every word and process as at first. */
void sim_reset(void);

/* Start the coroutine of p, on an empty stack, up to its first step. */
void sim_start(unsigned p, void (*body)(struct actor *));

/* Make the step p announced; torn: which value an overlapped read returns. */
void sim_perform(unsigned p, unsigned torn);

/* Let p compute until it announces its next step. */
void sim_resume(unsigned p);

/* p is in its remainder: no stack, own words zero but the persistent ones. */
void sim_retire(unsigned p);

/* How many values such a step on word may return: 1 unless overlapped; and
 * what it returns if the torn-th of them is chosen. */
unsigned sim_torn_values(enum step_kind kind, size_t word);
uint64_t sim_torn_value(size_t word, unsigned torn);

/* Whether some word that p's last pass read has changed since, or there was no
 * pass yet. */
bool sim_watched_changed(unsigned p);

/* Take back the changes of words since `mark` (a former change_count). */
void sim_undo(size_t mark);
void sim_change(size_t word, uint64_t value);

/* Zero the stack bytes below sp that may be dirty, so that equal states stay
 * equal whatever ran before. */
void sim_clean(unsigned p);

/* "Want[1][2]" into text; where a word lives, or -1: remote to all. */
void sim_word_name(size_t word, char *text, size_t size);
int sim_word_home(size_t word);

/* "L15a" for "algorithms/k_exclusion/k_bakery.c:31". */
const char *sim_label(const char *where);

static inline size_t sim_index(const struct word *word)
{
	return (size_t)(word - sim.words);
}

/* Not a word of the component. */
static inline bool sim_is_outside(size_t word)
{
	if (sim.component_every)
		word %= sim.component_every;
	return word < sim.component_at;
}

/* Nothing that p read in a pass matters any more. */
static inline void sim_forget_pass(unsigned p)
{
	sim.errand[p].watch_count = 0;
	sim.errand[p].named = false;
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
	return (char *)(sim.actor[p]->own + sim.own_words);
}

#endif
