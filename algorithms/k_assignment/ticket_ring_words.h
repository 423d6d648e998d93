/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Describes the words of ticket-ring: the meaning of their bits, and where each
 * word is.  The numbers in this table are bit positions; bit 0 is the least
 * significant.
 *
 *	slot    kind 0-1, id 2-13, stamp 14-62, closing mark 63.  FREE is 0.
 *	        FAST: the stamp is the badge of the holder;
 *	        RES: the stamp is the ticket of the waiter that gets the slot
 *	W       kind 0-1, slot 4-13 (GRANT), ticket 14-62
 *	cell    id + 1 0-12 (0: nobody), ticket 14-62
 *	HEAD    the oldest ticket that may wait; its low 49 bits are the ticket
 *	TAIL    the next ticket, in the same way
 *	LOST    how many times a process has marked the ring 32-63, and up to
 *	        which of these marks no lost waiter is left 0-31
 *	CLEAN   see ticket_ring_queue.h
 *
 * A reservation RES(q,t) in slot i is taken if W[q] is GRANT(i,t), and pending
 * if W[q] is WAIT(t) or STRAY(t).  Otherwise it is void.  A void reservation
 * stays void, because no ticket is used twice.
 *
 * A process does not trust the values that it reads: before it uses an id or a
 * slot, it compares the id with n, and the slot with the number of slots.
 */
#ifndef ATMOST_TICKET_RING_WORDS_H
#define ATMOST_TICKET_RING_WORDS_H

#include "algorithm.h"

enum { MOST_N = 4096, MOST_K = 1024 };

enum { KIND = 3 };
enum { FREE = 0, FAST = 1, RES = 2, CLOSED = 3 };
enum { IDLE = 0, WAIT = 1, GRANT = 2, STRAY = 3 };

enum { ID_AT = 2, SLOT_AT = 4, STAMP_AT = 14, STAMP_BITS = 49, NAME = 0x1fff };

static const uint64_t MARK = UINT64_C(1) << 63;
static const uint64_t TICKET = (UINT64_C(1) << STAMP_BITS) - 1;
static const uint64_t STAMP = ((UINT64_C(1) << STAMP_BITS) - 1) << STAMP_AT;

/* The words slot[slots] follow, then cell[cells], then W[n]. */
struct ring {
	OWN_LINE struct word HEAD;
	struct word TAIL;
	OWN_LINE struct word LOST;
	struct word CLEAN;
	struct word LIMIT; /* how many slots are neither closed nor marked */
};

struct line {
	OWN_LINE struct word word;
};

/* Returns the number of cells.  It is a power of two, so that the cells of
 * consecutive tickets follow each other even when the tickets wrap around. */
static inline unsigned cells_of(const struct shape *shape)
{
	unsigned cells = 4;

	while (cells < 4 * shape->n)
		cells *= 2;
	return cells;
}

static inline struct word *slot_at(struct ring *m, unsigned i)
{
	struct line *first = (struct line *)(m + 1);

	return &first[i].word;
}

static inline struct word *cell_at(struct ring *m, const struct shape *shape,
				   uint64_t ticket)
{
	struct word *first = (struct word *)slot_at(m, shape_slots(shape));

	return &first[ticket & (cells_of(shape) - 1)];
}

static inline struct word *W_at(struct ring *m, const struct shape *shape,
				unsigned p)
{
	struct line *first = (struct line *)(cell_at(m, shape, 0) +
					     cells_of(shape));

	return &first[p].word;
}

static inline size_t words_of(const struct shape *shape)
{
	return WORDS(struct ring) +
	       (shape_slots(shape) + shape->n) * WORDS(struct line) +
	       cells_of(shape);
}

static inline unsigned kind_of(uint64_t word)
{
	return (unsigned)(word & KIND);
}

/* Returns the id in a slot's word. */
static inline unsigned id_of(uint64_t x)
{
	return (unsigned)(x >> ID_AT) & (MOST_N - 1);
}

/* Returns the slot in a W word that is GRANT. */
static inline unsigned slot_of(uint64_t w)
{
	return (unsigned)(w >> SLOT_AT) & (MOST_K - 1);
}

/* Returns the ticket in a W word, or in the word of a slot or of a cell. */
static inline uint64_t ticket_of(uint64_t word)
{
	return (word & STAMP) >> STAMP_AT;
}

static inline uint64_t slot_word(unsigned kind, unsigned id, uint64_t stamp)
{
	return (stamp << STAMP_AT & STAMP) | (uint64_t)id << ID_AT | kind;
}

static inline uint64_t wait_word(unsigned kind, uint64_t ticket)
{
	return (ticket << STAMP_AT & STAMP) | kind;
}

static inline bool is_waiting(uint64_t w)
{
	return kind_of(w) == WAIT || kind_of(w) == STRAY;
}

/* Returns the W word of a process after slot i has been granted to it.  w is
 * its W word before the grant, which is WAIT or STRAY. */
static inline uint64_t granted(uint64_t w, unsigned i)
{
	return (w & STAMP) | (uint64_t)i << SLOT_AT | GRANT;
}

/* is_taken returns whether x, the reservation in slot i, is taken; is_pending
 * returns whether it is pending.  w is the W word of the process that x
 * names. */
static inline bool is_taken(uint64_t x, unsigned i, uint64_t w)
{
	return w == granted(x, i);
}

static inline bool is_pending(uint64_t x, uint64_t w)
{
	return is_waiting(w) && ticket_of(w) == ticket_of(x);
}

/* Returns how far ticket a is after ticket b; the result is negative if a is
 * older.  The result is right if the distance is less than 2^48. */
static inline int64_t after(uint64_t a, uint64_t b)
{
	uint64_t distance = (a - b) << (64 - STAMP_BITS);

	return (int64_t)distance / (INT64_C(1) << (64 - STAMP_BITS));
}

static inline uint64_t cell_word(uint64_t ticket, unsigned id)
{
	return (ticket << STAMP_AT & STAMP) | (id + 1);
}

static inline uint64_t nobodys_cell(uint64_t ticket)
{
	return ticket << STAMP_AT & STAMP;
}

/* Returns the id in a cell, or n or more if there is none. */
static inline unsigned named(uint64_t cell)
{
	return (unsigned)(cell & NAME) - 1;
}

/* LOST. */

static const uint64_t ONE_MARK = UINT64_C(1) << 32;

static inline bool may_be_lost(uint64_t lost)
{
	return lost >> 32 != (lost & (ONE_MARK - 1));
}

static inline uint64_t all_found(uint64_t lost)
{
	return (lost >> 32) << 32 | lost >> 32;
}

#endif
