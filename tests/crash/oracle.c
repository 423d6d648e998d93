/* SPDX-License-Identifier: BSD-2-Clause */
#include "oracle.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct oracle *oracle_map(void)
{
	void *at = mmap(NULL, sizeof(struct oracle), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		abort();
	return at;
}

void oracle_begin(struct oracle *oracle, unsigned limit, bool has_slots)
{
	atomic_store(&oracle->there, 0);
	for (unsigned slot = 0; slot < SLOTS; slot++)
		atomic_store(&oracle->owner[slot], 0);
	atomic_store(&oracle->limit, limit);
	atomic_store(&oracle->has_slots, has_slots);
	atomic_store(&oracle->stop, false);
	atomic_store(&oracle->go, false);
}

void oracle_violation(struct oracle *oracle, const char *format, ...)
{
	char text[sizeof oracle->violation];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	if (oracle->violation[0] == '\0')
		memcpy(oracle->violation, text, sizeof text);
	atomic_store(&oracle->violated, true);
}

static void count(const struct oracle_worker *worker, uint64_t before)
{
	struct oracle *oracle = worker->oracle;
	uint32_t inside = (uint32_t)before, killed = (uint32_t)(before >> 32);
	uint32_t bit = UINT32_C(1) << worker->number;
	unsigned living = (unsigned)__builtin_popcount(inside & ~killed & ~bit);

	if (inside & bit)
		oracle_violation(oracle, "worker %u is inside already",
				 worker->number);
	if (living + 1 > atomic_load(&oracle->limit))
		oracle_violation(oracle,
				 "worker %u enters, and %u living workers are "
				 "inside: %#x; the limit is %u",
				 worker->number, living, inside & ~killed,
				 atomic_load(&oracle->limit));
}

static void compare_sessions(const struct oracle_worker *worker,
			     uint64_t before)
{
	struct oracle *oracle = worker->oracle;
	uint32_t living = (uint32_t)before & ~(uint32_t)(before >> 32);

	for (unsigned c = 0; c < WORKERS_MOST; c++) {
		uint64_t session = atomic_load(&oracle->worker[c].session);

		if (c != worker->number && living >> c & 1 &&
		    session != worker->session)
			oracle_violation(
				oracle,
				"worker %u enters for session "
				"%#jx, and worker %u is inside for %#jx",
				worker->number, (uintmax_t)worker->session, c,
				(uintmax_t)session);
	}
}

static void own(const struct oracle_worker *worker, unsigned slot)
{
	struct oracle *oracle = worker->oracle;
	uint32_t before = atomic_exchange(&oracle->owner[slot], worker->serial);

	if (before == 0)
		return;
	if (atomic_load(&oracle->killed[before % SERIALS]))
		atomic_fetch_add(&oracle->inherited, 1);
	else
		oracle_violation(oracle,
				 "worker %u, serial %u, enters slot %u, "
				 "which serial %u holds, and that worker lives",
				 worker->number, worker->serial, slot, before);
}

void oracle_enter(const struct oracle_worker *worker, int slot)
{
	struct oracle *oracle = worker->oracle;
	uint64_t before;

	atomic_store(&oracle->worker[worker->number].session, worker->session);
	before = atomic_fetch_or(&oracle->there, UINT64_C(1) << worker->number);
	count(worker, before);
	compare_sessions(worker, before);
	if (slot < 0 || slot >= SLOTS)
		oracle_violation(oracle, "slot %d is out of range", slot);
	else if (atomic_load(&oracle->has_slots))
		own(worker, (unsigned)slot);
	atomic_fetch_add(&oracle->entered, 1);
}

void oracle_leave(const struct oracle_worker *worker, int slot)
{
	struct oracle *oracle = worker->oracle;
	uint32_t before;

	if (atomic_load(&oracle->has_slots)) {
		before = atomic_exchange(&oracle->owner[slot], 0);
		if (before != worker->serial)
			oracle_violation(oracle,
					 "worker %u, serial %u, leaves "
					 "slot %d, which serial %u holds",
					 worker->number, worker->serial, slot,
					 before);
	}
	atomic_fetch_and(&oracle->there, ~(UINT64_C(1) << worker->number));
}

void oracle_note(const struct oracle_worker *worker, enum doing doing)
{
	struct worker_state *state = &worker->oracle->worker[worker->number];

	atomic_store(&state->doing, doing);
	atomic_fetch_add(&state->passages, 1);
}

const char *oracle_doing_name(unsigned doing)
{
	static const char *const names[] = {
		"starts", "joins",   "enters", "is inside", "leaves",
		"parts",  "resizes", "looks",  "is ready",  "has done",
	};

	return doing <= DONE ? names[doing] : "?";
}

void oracle_mark_killed(struct oracle *oracle, unsigned number)
{
	uint32_t serial = atomic_load(&oracle->worker[number].serial);

	atomic_store(&oracle->killed[serial % SERIALS], 1);
	atomic_fetch_or(&oracle->there, UINT64_C(1) << (number + 32));
}

void oracle_forget(struct oracle *oracle, unsigned number)
{
	atomic_fetch_and(&oracle->there, ~(UINT64_C(1) << number |
					   UINT64_C(1) << (number + 32)));
}
