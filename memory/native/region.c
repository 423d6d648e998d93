/* SPDX-License-Identifier: BSD-2-Clause */
#include "memory/native/region.h"

#include <stdlib.h>

/*
 * A region of memory and the bell of its words (see wait.h).  Entries are added
 * and reused but never freed, so that a thread can search the list while other
 * threads change it.
 */
struct region {
	_Atomic uintptr_t base; /* 0: the entry is not in use; CLAIMED: a thread
				   is setting the entry */
	_Atomic size_t size;
	struct word *_Atomic bell;
	struct region *next;
};

enum { CLAIMED = 1 };

static struct region *_Atomic regions;

static bool claim(struct region *r)
{
	uintptr_t nothing = 0;

	return atomic_compare_exchange_strong(&r->base, &nothing, CLAIMED);
}

bool mem_know(void *base, size_t size, struct word *bell)
{
	struct region *r = atomic_load(&regions);

	while (r && !claim(r))
		r = r->next;
	if (!r) {
		r = calloc(1, sizeof *r);
		if (!r)
			return false;
		atomic_store(&r->base, CLAIMED);
		r->next = atomic_load(&regions);
		while (!atomic_compare_exchange_weak(&regions, &r->next, r))
			;
	}
	atomic_store(&r->size, size);
	atomic_store(&r->bell, bell);
	atomic_store(&r->base, (uintptr_t)base);
	return true;
}

void mem_forget(void *base)
{
	for (struct region *r = atomic_load(&regions); r; r = r->next)
		if (atomic_load(&r->base) == (uintptr_t)base)
			atomic_store(&r->base, 0);
}

struct word *region_bell(const struct word *w)
{
	for (struct region *r = atomic_load(&regions); r; r = r->next) {
		uintptr_t base = atomic_load(&r->base);
		size_t size = atomic_load(&r->size);
		struct word *bell = atomic_load(&r->bell);

		if (base > CLAIMED && (uintptr_t)w - base < size)
			return bell;
	}
	return NULL;
}
