/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Executes the instructions of a program, step by step, as memory/mem.h and
 * docs/properties.md define steps and transitions.
 */
#ifndef ATMOST_TESTS_EXPLORER_MACHINE_H
#define ATMOST_TESTS_EXPLORER_MACHINE_H

#include "state.h"

enum act { DO_START, DO_STEP, DO_ABORT, DO_DIE, DO_NAP };

/* Events of one transition that the monitors must know. */
struct events {
	bool blocked;     /* the process cannot step; the state is useless */
	unsigned refused; /* bounds that the transition exceeds */
	bool invoked, returned, never; /* objects: the operation of p */
	uint64_t operation, result;
	bool wrote;   /* a shared word was written */
	bool unnamed; /* a pass failed and named no word to sleep on */
};

/* Whether wakes are steps: the search for lost wakes. */
extern bool machine_wakes;

/* Becomes true if a process computes for ever without a step. */
extern bool machine_endless;

/* Returns the number of ways in which p can do this in s; for DO_STEP this
 * includes steps of a blocked process.  Whether a nap can end depends on the
 * other processes: explore.c decides this. */
unsigned machine_choices(const struct state *s, unsigned p, enum act act);

/* Make one transition of p in s. */
void machine_move(struct state *s, unsigned p, enum act act, unsigned variant,
		  struct events *e);

/* Returns whether a pass that p makes now, alone, gets it further, whatever
 * overlapped reads return.  p is between two passes.  slept: the pass follows a
 * nap. */
bool machine_pass_helps(const struct state *s, unsigned p, bool slept);

/* Returns whether p is blocked between two passes of its poll, and a pass after
 * a nap would get it further. */
bool machine_nap_helps(const struct state *s, unsigned p);

/* Returns whether p, alone, enters within so many steps. */
bool machine_enters_alone(const struct state *s, unsigned p, unsigned steps);

/* Returns whether p is between two passes. */
bool machine_is_between_passes(const struct state *s, unsigned p);

/* Returns the k of the resize with this number; number 0 is the first k. */
unsigned machine_k(unsigned resizes_begun);
bool machine_is_resizer(unsigned p);

#endif
