/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which members are inside.  A caller asks about one place after another.  If
 * the algorithm tells the holder of a slot, the places are the slots; otherwise
 * they are the members.
 */
#ifndef ATMOST_RUNTIME_HOLDERS_H
#define ATMOST_RUNTIME_HOLDERS_H

#include "runtime/pool.h"

/* True: the places are slots.  A group pool has as many slots as members, and
 * asking about each slot is expensive: there the members' records show which
 * members are inside. */
bool holders_are_by_slot(const struct atmost *pool);

unsigned holders_places(const struct atmost *pool);

/* The id of the member inside at a place; -1: none. */
int holders_at(const struct atmost *pool, unsigned place);

/* The id of the member that holds the slot; -1: none. */
int holders_of_slot(const struct atmost *pool, unsigned slot);

#endif
