/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory contract in native memory: steps are C11 atomics; waiting and
 * waking are in wait.h.
 *
 * A word works in memory that several processes map at different addresses: it
 * holds no pointer, and its futex is not a private one.  Arrays of words start
 * at a multiple of 64 bytes, and zeroed memory consists of words that are 0.
 */
#ifndef ATMOST_MEMORY_NATIVE_STEPS_H
#define ATMOST_MEMORY_NATIVE_STEPS_H

#include <stdatomic.h>

struct word {
	union {
		_Atomic uint64_t value;
		_Atomic uint8_t byte[8]; /* safe registers */
	};
	_Atomic uint32_t gate; /* an eventcount for sleepers: see wait.h */
	uint32_t unused;
};

_Static_assert(sizeof(struct word) == 16,
	       "the size is part of the format of a pool");

#define OWN_LINE _Alignas(64)

/* Steps. */

static inline uint64_t mem_read(const struct word *w)
{
	return atomic_load(&w->value);
}

static inline uint64_t mem_read_relaxed(const struct word *w)
{
	return atomic_load_explicit(&w->value, memory_order_relaxed);
}

static inline void mem_write(struct word *w, uint64_t v)
{
	atomic_store(&w->value, v);
}

static inline void mem_write_release(struct word *w, uint64_t v)
{
	atomic_store_explicit(&w->value, v, memory_order_release);
}

static inline uint64_t mem_add(struct word *w, uint64_t d)
{
	return atomic_fetch_add(&w->value, d);
}

static inline uint64_t mem_swap(struct word *w, uint64_t v)
{
	return atomic_exchange(&w->value, v);
}

static inline bool mem_cas(struct word *w, uint64_t expected, uint64_t v)
{
	return atomic_compare_exchange_strong(&w->value, &expected, v);
}

static inline bool mem_tas(struct word *w)
{
	return atomic_exchange(&w->value, 1) != 0;
}

/*
 * Reads of safe registers really tear: a register is read and written byte by
 * byte, so a read that overlaps a write may return a mixture of old and new
 * bytes.  The accesses to each byte are sequentially consistent, and so are
 * whole reads and writes that do not overlap.  Fences around relaxed accesses
 * would do the same, but ThreadSanitizer does not see fences.  A read takes the
 * bytes in the opposite order to a write, so that the two meet in the middle of
 * the register more often.
 */
static inline uint64_t safe_read(const struct word *w)
{
	uint64_t v = 0;

	for (int i = 7; i >= 0; i--)
		v = v << 8 | atomic_load(&w->byte[i]);
	return v;
}

static inline void safe_write(struct word *w, uint64_t v)
{
	for (int i = 0; i < 8; i++, v >>= 8)
		atomic_store(&w->byte[i], (uint8_t)v);
}

/* Hardware has no large step; the runtime refuses algorithms that need one. */
static inline uint64_t mem_atomic(uint64_t (*function)(void *,
						       struct process *),
				  void *shared, struct process *self)
{
	(void)function;
	(void)shared;
	(void)self;
	__builtin_trap();
}

/* Native memory has no store; the runtime refuses algorithms that run over
 * one. */
static inline int mem_no_store(const struct process *self, const void *data)
{
	(void)self;
	(void)data;
	__builtin_trap();
}

#define mem_commit(self, t) mem_no_store(self, t)
#define mem_survey(self) mem_no_store(self, NULL)
#define mem_lease(self) ((void)mem_no_store(self, NULL))
#define mem_revoke(self) ((void)mem_no_store(self, NULL))
#define mem_seen(self, w) ((uint64_t)mem_no_store(self, w))
#define mem_seen_value(self, w) ((uint64_t)mem_no_store(self, w))
#define mem_seen_mine(self, w) ((bool)mem_no_store(self, w))
#define mem_unsee(self) ((void)mem_no_store(self, NULL))
#define mem_found(w, value) ((void)(value), (void)mem_no_store(NULL, w))
#define mem_peek_stamp(w) ((uint64_t)mem_no_store(NULL, w))
#define mem_peek_value(w) ((uint64_t)mem_no_store(NULL, w))
#define mem_peek_owner(w) mem_no_store(NULL, w)

/* Waiting, and own words. */

#include "wait.h"

#define mem_own_read(self, i) ((self)->own[i])
#define mem_own_write(self, i, v) ((void)((self)->own[i] = (v)))

/* Only the checker uses these; here they do nothing. */

static inline void mem_dead(uint64_t *values, unsigned count)
{
	(void)values;
	(void)count;
}

static inline void doorway_ends(struct process *self)
{
	(void)self;
}

static inline void mem_place(struct word *w, unsigned p)
{
	(void)w;
	(void)p;
}

static inline void mem_safe_domain(struct word *w, const uint64_t *values,
				   size_t count)
{
	(void)w;
	(void)values;
	(void)count;
}

static inline void mem_name(struct word *w, const char *name, ...)
{
	(void)w;
	(void)name;
}

static inline uint64_t mem_first(unsigned counter)
{
	(void)counter;
	return 0;
}

/*
 * The memory of a new pool is zero, and most of it is a hole in a file.
 * mem_poke does not write zeros, so that an unused page takes no memory.
 */
static inline void mem_poke(struct word *w, uint64_t v)
{
	if (v)
		atomic_store(&w->value, v);
}

/*
 * acquire: an observer reads several words in a row while members write them.
 * If the observer reads a value, it also sees everything that the writer of the
 * value had written and had read before.  tests/litmus: published, reused.
 */
static inline uint64_t mem_peek(const struct word *w)
{
	return atomic_load_explicit(&w->value, memory_order_acquire);
}

/*
 * The words in this memory share one bell (see wait.h).  The caller calls
 * mem_know before the first step on these words and mem_forget after the last
 * step.  A sleeper that needs a bell and does not find one takes short naps
 * instead.  mem_know returns false if it cannot allocate memory.
 */
bool mem_know(void *base, size_t size, struct word *bell);
void mem_forget(void *base);

#endif
