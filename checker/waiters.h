/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Keeps one list of waiters per word.  When a step changes a word, the list of
 * the word tells which processes wait for it.  Checking each of a thousand
 * waiters after every step would take longer than the steps themselves.
 */
#ifndef ATMOST_CHECKER_WAITERS_H
#define ATMOST_CHECKER_WAITERS_H

#include "memory/simulated/simulated.h"

struct waiters {
	uint32_t *first; /* first[w]: 1 + first entry of word w; 0: none */
	struct waiter_entry *entry; /* entries_each entries per process */
	size_t entries_each;
	uint32_t *entry_count; /* entry_count[p]; 0: p does not wait */
	unsigned *released;    /* released by the last waiters_release */
	unsigned released_count;
};

/* `entries_each` is the number of words for which one process can wait at the
 * same time.  Returns false if there is no memory. */
bool waiters_open(struct waiters *w, size_t entries_each);
void waiters_close(struct waiters *w);

/* Process p waits until waiters_release releases it. */
void waiters_add(struct waiters *w, unsigned p);

/* Process p stops waiting, although no word has changed. */
void waiters_remove(struct waiters *w, unsigned p);

static inline bool waiters_has(const struct waiters *w, unsigned p)
{
	return w->entry_count[p] != 0;
}

/*
 * Release the processes that wait for a word that the last step changed.  In
 * the CC model, also release the processes that wait for a word whose copies
 * the last step invalidated without changing its value: a process that spins on
 * the word reads it again, and pays for this read.
 */
void waiters_release(struct waiters *w);

#endif
