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
	bool blocked;     /* the process cannot step; discard the state */
	unsigned refused; /* bounds that the transition exceeds */
	bool invoked, returned, never; /* objects: the operation of p */
	uint64_t operation, result;
	bool wrote;   /* a shared word was written */
	bool unnamed; /* a pass failed and named no word to sleep on */
};

/* True in the search for lost wakes, in which wakes are steps. */
extern bool machine_wakes;

/* Becomes true if a process computes for ever without a step. */
extern bool machine_endless;

/* Returns the number of variants of `act` that p can do in s.  For DO_STEP, the
 * steps of a blocked process are included.  The function does not decide
 * whether a nap can end: that depends on the other processes, and explore.c
 * decides it. */
unsigned machine_choices(const struct state *s, unsigned p, enum act act);

/* Make one transition of p in s. */
void machine_move(struct state *s, unsigned p, enum act act, unsigned variant,
		  struct events *e);

/* Returns whether p, which is between two passes, would proceed if it ran alone
 * and made a pass now, whatever torn reads return.  slept: the pass follows
 * a nap. */
bool machine_pass_helps(const struct state *s, unsigned p, bool slept);

/* Returns whether p is between two passes of its poll and would proceed in a
 * pass after a nap. */
bool machine_nap_helps(const struct state *s, unsigned p);

/* Where wakes are steps: returns whether p, which sleeps, would proceed if it
 * looked now, whatever torn reads return. */
bool machine_would_wake(const struct state *s, unsigned p);

/* Returns whether p makes a wake-up as its next step. */
bool machine_is_waking(const struct state *s, unsigned p);

/* Returns whether p, if it runs alone, enters within `steps` steps. */
bool machine_enters_alone(const struct state *s, unsigned p, unsigned steps);

/* Returns whether p is between two passes. */
bool machine_is_between_passes(const struct state *s, unsigned p);

/* Returns whether p is in the middle of a pass that has only read words. */
bool machine_is_only_reading(const struct state *s, unsigned p);

/* Returns the value of k after this number of resizes have begun. */
unsigned machine_k(unsigned resizes_begun);
bool machine_is_resizer(unsigned p);

#endif
