/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes a breadth-first search over the states of an algorithm with counters
 * that grow for ever.  States with the same canonical fingerprint
 * (canonical.h) count as one: the search goes on only from the first of them,
 * the representative.  The search also tests that this loses nothing: it makes
 * all transitions of every other state that it finds, and compares them with
 * those of the representative.
 *
 * The search is breadth-first because counts then stay small, so there are few
 * different local states.
 */
#ifndef ATMOST_CHECKER_CANONICAL_SEARCH_H
#define ATMOST_CHECKER_CANONICAL_SEARCH_H

#include "checker/search.h"

/* Run the only worker of the search.  s->graph records the representatives and
 * their transitions.  If two states with the same canonical fingerprint do not
 * behave alike, the search stops with STOP_FAILED. */
void canonical_search_run(struct search *s);

#endif
