/* SPDX-License-Identifier: BSD-2-Clause */
/* The properties, written from docs/properties.md. */
#ifndef ATMOST_TESTS_EXPLORER_MONITORS_H
#define ATMOST_TESTS_EXPLORER_MONITORS_H

#include "machine.h"

/*
 * p has moved from `before` to `after`.  Update what the monitors remember in
 * `after`, and return the properties that the transition violates.  *judged
 * becomes the set of processes that p overtook and that must now be able to
 * enter alone (fife).
 */
unsigned monitors_observe(const struct state *before, struct state *after,
			  unsigned p, const struct events *e, unsigned *judged);

/* Returns the properties that the state violates.  Bit p of `enabled` says
 * whether p can take a step, and bit p of `nappers` whether p would proceed
 * after the end of a nap. */
unsigned monitors_refused(const struct state *s, unsigned enabled,
			  unsigned nappers);

/* Returns whether concurrent-occupancy says that p enters in the end, even if
 * the processes inside stay there. */
bool monitors_must_enter(const struct state *s, unsigned p);

/* Returns whether fewer than k other processes are outside their remainders. */
bool monitors_is_below_k(const struct state *s, unsigned p);

/* The properties that the current search checks. */
unsigned monitors_asked(void);

#endif
