/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How roster gets another k while members come and go.  A free slot is closed
 * at once; one in use gets the closing mark, and is closed by who leaves it.
 * Only who resizes, one at a time, makes an open slot marked or closed, or the
 * other way round: so what it has counted stays true.
 *
 * In the end all slots are settled.  A reservation may have become void just
 * before it was marked, or while the mark was taken away: then whose it was may
 * have missed it.
 */
#ifndef ATMOST_ROSTER_RESIZE_H
#define ATMOST_ROSTER_RESIZE_H

#include "roster_settle.h"

static inline bool is_open(uint64_t x)
{
	return kind_of(x) != CLOSED && !(x & MARK);
}

static inline unsigned count_open(struct roster *m, const struct shape *shape)
{
	unsigned open = 0;

	for (unsigned i = 0; i < slots(shape); i++) {
		uint64_t x;

Z1:		x = mem_read(slot_at(m, i));
		open += is_open(x);
	}
	return open;
}

/* Slot i, if it is open; true: it was. */
static inline bool shut(struct roster *m, unsigned i)
{
	uint64_t x;
	bool ok;

	do {
Z2:		x = mem_read(slot_at(m, i));
		if (!is_open(x))
			return false;
Z3:		ok = mem_cas(slot_at(m, i), x, x == FREE ? CLOSED : x | MARK);
	} while (!ok);
	return true;
}

/* It fails if who left it has closed it. */
static inline bool unmark(struct roster *m, unsigned i)
{
	uint64_t x;
	bool ok;

Z4:	x = mem_read(slot_at(m, i));
	if (!(x & MARK))
		return false;
Z5:	ok = mem_cas(slot_at(m, i), x, x & ~MARK);
	return ok;
}

static inline bool reopen(struct roster *m, unsigned i)
{
	bool ok;

Z6:	ok = mem_cas(slot_at(m, i), CLOSED, FREE);
	return ok;
}

static inline void roster_resize(void *shared, const struct shape *shape,
				 unsigned k)
{
	/* Not one of the members, whoever it is. */
	struct process nobody = { .id = shape->n, .shape = shape };
	struct roster *m = shared;
	unsigned open;

Z0:	mem_write(&m->LIMIT, k);
	open = count_open(m, shape);
	for (unsigned i = slots(shape); i-- > 0 && open > k;)
		open -= shut(m, i);
	/* First those in use: with a closed one k + 1 could be inside. */
	for (unsigned i = 0; i < slots(shape) && open < k; i++)
		open += unmark(m, i);
	for (unsigned i = 0; i < slots(shape) && open < k; i++)
		open += reopen(m, i);
	settle_all(m, &nobody);
}

#endif
