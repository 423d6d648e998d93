/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the workers of a search and the process that waits for them share: a
 * piece of memory with counters, one mailbox for work, and the violations.
 *
 * Workers are forked processes.  The stack bytes that make up a state contain
 * addresses; forked workers see the same ones, threads would not.
 */
#ifndef ATMOST_CHECKER_CONTROL_H
#define ATMOST_CHECKER_CONTROL_H

#include "checker/seen.h"
#include "checker/world.h"

enum {
	MAX_WORKERS = 8,
	MAX_DEPTH = 1 << 25, /* of a schedule that can be handed over */
};

enum stop {
	STOP_NOT,
	STOP_TIME,
	STOP_MEMORY,
	STOP_DEPTH,
	STOP_VIOLATED,
	STOP_CYCLE,
	STOP_FAILED
};

struct schedule {
	uint32_t length;
	struct choice choice[MAX_DEPTH];
};

/* Counted by one worker, read by all; a cache line of its own. */
struct tally {
	_Alignas(64) uint64_t states;
	uint64_t transitions, depth, remote;
	long remote_wait; /* word + 1 */
};

enum mail { MAIL_NONE, MAIL_WRITTEN, MAIL_THERE, MAIL_READ };

struct control {
	uint32_t workers, idle, stop, mail, letters;
	uint32_t growing, arrived, growths;
	struct seen seen; /* as of the last growth */
	struct tally tally[MAX_WORKERS];
	uint64_t heap_bytes;
	uint32_t violated; /* properties */
	uint32_t lock;     /* of what follows */
	struct schedule post;
	struct schedule found; /* how the first violation came about */
	uint32_t first;        /* its properties */
	uint32_t loop;         /* length of the cycle at its end */
	char message[256];     /* why it failed */
};

struct control *control_open(void);
void control_close(struct control *c);

uint64_t control_states(const struct control *c);
uint64_t control_transitions(const struct control *c);
uint64_t control_depth(const struct control *c);

static inline uint32_t control_get(const uint32_t *field)
{
	return __atomic_load_n(field, __ATOMIC_ACQUIRE);
}

static inline void control_set(uint32_t *field, uint32_t value)
{
	__atomic_store_n(field, value, __ATOMIC_RELEASE);
}

/* Remember a violation of properties not violated before. */
void control_violated(struct control *c, unsigned properties,
		      const struct choice *path, size_t length);

/* Wait until all workers are here, let one enlarge the set of states. */
void control_grow(struct control *c, struct seen *mine);

/* A worker without work: true, and a schedule to go on from, or false: the
 * search is over. */
bool control_ask(struct control *c, struct seen *mine, struct choice *path,
		 size_t *length);

/* Somebody wants work and the mailbox is free: true, and it is ours to fill,
 * by control_give (length 0: nothing to give after all). */
static inline bool control_wanted(struct control *c)
{
	uint32_t none = MAIL_NONE;

	return __builtin_expect(control_get(&c->idle) != 0, 0) &&
	       __atomic_compare_exchange_n(&c->mail, &none, MAIL_WRITTEN, false,
					   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

void control_give(struct control *c, const struct choice *path, size_t length);

#endif
