/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/workers.h"

#include <sched.h>
#include <sys/mman.h>
#include <time.h>

struct workers *workers_open(void)
{
	struct workers *w = mmap(NULL, sizeof *w, PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1,
				 0);

	return w == MAP_FAILED ? NULL : w;
}

void workers_close(struct workers *w)
{
	munmap(w, sizeof *w);
}

uint64_t workers_states(const struct workers *w)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < MAX_WORKERS; i++)
		sum += __atomic_load_n(&w->counts[i].states, __ATOMIC_RELAXED);
	return sum;
}

uint64_t workers_transitions(const struct workers *w)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < MAX_WORKERS; i++)
		sum += __atomic_load_n(&w->counts[i].transitions,
				       __ATOMIC_RELAXED);
	return sum;
}

uint64_t workers_depth(const struct workers *w)
{
	uint64_t most = 0;

	for (unsigned i = 0; i < MAX_WORKERS; i++) {
		uint64_t depth = __atomic_load_n(&w->counts[i].depth,
						 __ATOMIC_RELAXED);

		most = depth > most ? depth : most;
	}
	return most;
}

static void take_lock(struct workers *w)
{
	while (__atomic_exchange_n(&w->lock, 1, __ATOMIC_ACQUIRE))
		sched_yield();
}

void workers_note_violation(struct workers *w, unsigned properties,
			    const struct choice *path, size_t length)
{
	take_lock(w);
	if (!w->first && length <= MAX_DEPTH) {
		memcpy(w->found.choice, path, length * sizeof *path);
		w->found.length = (uint32_t)length;
		w->first = properties;
	}
	workers_set(&w->violated, w->violated | properties);
	workers_set(&w->lock, 0);
}

static void pause_briefly(void)
{
	nanosleep(&(struct timespec){ 0, 20000 }, NULL);
}

void workers_grow_seen(struct workers *w, struct seen *mine)
{
	uint32_t workers = workers_get(&w->count);
	uint32_t growths = workers_get(&w->growths);

	if (__atomic_add_fetch(&w->arrived, 1, __ATOMIC_ACQ_REL) == workers) {
		w->seen = *mine;
		if (!seen_grow(&w->seen))
			workers_set(&w->stop, STOP_MEMORY);
		workers_set(&w->arrived, 0);
		workers_set(&w->growing, 0);
		workers_set(&w->growths, growths + 1);
	}
	while (workers_get(&w->growths) == growths &&
	       workers_get(&w->stop) == STOP_NOT)
		pause_briefly();
	if (workers_get(&w->growths) != growths)
		*mine = w->seen;
}

void workers_give_work(struct workers *w, const struct choice *path,
		       size_t length)
{
	if (length == 0 || length > MAX_DEPTH) {
		workers_set(&w->handover, HANDOVER_EMPTY);
		return;
	}
	memcpy(w->handed_over.choice, path, length * sizeof *path);
	w->handed_over.length = (uint32_t)length;
	workers_set(&w->handovers, w->handovers + 1);
	workers_set(&w->handover, HANDOVER_FULL);
}

static bool take_handover(struct workers *w, struct choice *path,
			  size_t *length)
{
	uint32_t full = HANDOVER_FULL;

	if (!__atomic_compare_exchange_n(&w->handover, &full, HANDOVER_READING,
					 false, __ATOMIC_ACQ_REL,
					 __ATOMIC_RELAXED))
		return false;
	*length = w->handed_over.length;
	memcpy(path, w->handed_over.choice, *length * sizeof *path);
	__atomic_sub_fetch(&w->idle, 1, __ATOMIC_ACQ_REL);
	workers_set(&w->handover, HANDOVER_EMPTY);
	return true;
}

/*
 * Whether all workers are idle and no work is being handed over.  Between two
 * reads, a worker may take work, or one worker may write work and another take
 * it.  Then `handovers` has changed, or the worker that took the work is not
 * idle any more.  So the function reads both counts twice.
 */
static bool all_done(const struct workers *w)
{
	uint32_t workers = workers_get(&w->count);
	uint32_t handovers = workers_get(&w->handovers);

	return workers_get(&w->idle) == workers &&
	       workers_get(&w->handover) == HANDOVER_EMPTY &&
	       workers_get(&w->idle) == workers &&
	       workers_get(&w->handovers) == handovers;
}

bool workers_take_work(struct workers *w, struct seen *mine,
		       struct choice *path, size_t *length)
{
	__atomic_add_fetch(&w->idle, 1, __ATOMIC_ACQ_REL);
	for (;;) {
		if (workers_get(&w->stop) != STOP_NOT)
			return false;
		if (take_handover(w, path, length))
			return true;
		if (all_done(w))
			return false;
		if (workers_get(&w->growing))
			workers_grow_seen(w, mine);
		pause_briefly();
	}
}
