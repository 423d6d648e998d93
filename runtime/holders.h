/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds out which members are inside.  A caller asks about one place after
 * another.  The places are either the slots or the members of the pool: see
 * holders_are_by_slot.
 */
#ifndef ATMOST_RUNTIME_HOLDERS_H
#define ATMOST_RUNTIME_HOLDERS_H

#include "runtime/pool.h"

/* Returns true if the places are the slots, because the algorithm tells the
 * holder of a slot.  In a group pool the places are always the members, whose
 * records show which of them are inside: a group pool can have as many slots as
 * members, and asking about each slot would be expensive. */
bool holders_are_by_slot(const struct atmost *pool);

unsigned holders_places(const struct atmost *pool);

/* Returns the id of the member that is inside at this place, or -1 if there is
 * none. */
int holders_at(const struct atmost *pool, unsigned place);

/* Returns the id of the member that holds the slot, or -1 if there is none. */
int holders_of_slot(const struct atmost *pool, unsigned slot);

#endif
