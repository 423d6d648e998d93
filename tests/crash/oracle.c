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

void oracle_object(struct oracle *oracle, const char *format, ...)
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

static void count(const struct actor *actor, uint64_t before)
{
	struct oracle *oracle = actor->oracle;
	uint32_t inside = (uint32_t)before, killed = (uint32_t)(before >> 32);
	uint32_t bit = UINT32_C(1) << actor->chair;
	unsigned living = (unsigned)__builtin_popcount(inside & ~killed & ~bit);

	if (inside & bit)
		oracle_object(oracle, "chair %u is inside already",
			      actor->chair);
	if (living + 1 > atomic_load(&oracle->limit))
		oracle_object(oracle,
			      "chair %u enters, and %u living ones are "
			      "inside: %#x, at most %u may be",
			      actor->chair, living, inside & ~killed,
			      atomic_load(&oracle->limit));
}

static void compare_sessions(const struct actor *actor, uint64_t before)
{
	struct oracle *oracle = actor->oracle;
	uint32_t living = (uint32_t)before & ~(uint32_t)(before >> 32);

	for (unsigned c = 0; c < CHAIRS; c++) {
		uint64_t session = atomic_load(&oracle->chair[c].session);

		if (c != actor->chair && living >> c & 1 &&
		    session != actor->session)
			oracle_object(oracle,
				      "chair %u enters for session "
				      "%#jx, and chair %u is inside for %#jx",
				      actor->chair, (uintmax_t)actor->session,
				      c, (uintmax_t)session);
	}
}

static void own(const struct actor *actor, unsigned slot)
{
	struct oracle *oracle = actor->oracle;
	uint32_t before = atomic_exchange(&oracle->owner[slot], actor->serial);

	if (before == 0)
		return;
	if (atomic_load(&oracle->killed[before % SERIALS]))
		atomic_fetch_add(&oracle->inherited, 1);
	else
		oracle_object(oracle,
			      "chair %u, serial %u, enters slot %u, "
			      "which is of serial %u, and that one lives",
			      actor->chair, actor->serial, slot, before);
}

void oracle_enter(const struct actor *actor, int slot)
{
	struct oracle *oracle = actor->oracle;
	uint64_t before;

	atomic_store(&oracle->chair[actor->chair].session, actor->session);
	before = atomic_fetch_or(&oracle->there, UINT64_C(1) << actor->chair);
	count(actor, before);
	compare_sessions(actor, before);
	if (slot < 0 || slot >= SLOTS)
		oracle_object(oracle, "slot %d", slot);
	else if (atomic_load(&oracle->has_slots))
		own(actor, (unsigned)slot);
	atomic_fetch_add(&oracle->entered, 1);
}

void oracle_leave(const struct actor *actor, int slot)
{
	struct oracle *oracle = actor->oracle;
	uint32_t before;

	if (atomic_load(&oracle->has_slots)) {
		before = atomic_exchange(&oracle->owner[slot], 0);
		if (before != actor->serial)
			oracle_object(oracle,
				      "chair %u, serial %u, leaves "
				      "slot %d, which is of serial %u",
				      actor->chair, actor->serial, slot,
				      before);
	}
	atomic_fetch_and(&oracle->there, ~(UINT64_C(1) << actor->chair));
}

void oracle_does(const struct actor *actor, enum doing doing)
{
	struct chair *chair = &actor->oracle->chair[actor->chair];

	atomic_store(&chair->doing, doing);
	atomic_fetch_add(&chair->passages, 1);
}

const char *oracle_doing_name(unsigned doing)
{
	static const char *const names[] = {
		"starts", "joins",   "enters", "is inside", "leaves",
		"parts",  "resizes", "looks",  "is ready",  "has done",
	};

	return doing <= DONE ? names[doing] : "?";
}

void oracle_doom(struct oracle *oracle, unsigned chair)
{
	uint32_t serial = atomic_load(&oracle->chair[chair].serial);

	atomic_store(&oracle->killed[serial % SERIALS], 1);
	atomic_fetch_or(&oracle->there, UINT64_C(1) << (chair + 32));
}

void oracle_bury(struct oracle *oracle, unsigned chair)
{
	atomic_fetch_and(&oracle->there,
			 ~(UINT64_C(1) << chair | UINT64_C(1) << (chair + 32)));
}
