/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/waiters.h"

#include <stdlib.h>

/* An entry stands for one process that waits for one word, and is in the list
 * of that word.  The lists are doubly linked, because a change of one word
 * removes all entries of the process. */
struct waiter_entry {
	uint32_t next, previous; /* 1 + index of an entry; 0: none */
	uint32_t word;
};

bool waiters_open(struct waiters *w, size_t entries_each)
{
	w->entries_each = entries_each;
	w->first = calloc(sim.all_words + 1, sizeof *w->first);
	w->entry = calloc(sim.n * entries_each, sizeof *w->entry);
	w->entry_count = calloc(sim.n, sizeof *w->entry_count);
	w->released = calloc(sim.n, sizeof *w->released);
	w->released_count = 0;
	return w->first && w->entry && w->entry_count && w->released &&
	       sim.n * entries_each < UINT32_MAX;
}

void waiters_close(struct waiters *w)
{
	free(w->first);
	free(w->entry);
	free(w->entry_count);
	free(w->released);
}

void waiters_add(struct waiters *w, unsigned p)
{
	const struct coroutine *co = &sim.coroutine[p];

	for (uint32_t i = 0; i < co->watch_count && i < w->entries_each; i++) {
		uint32_t number = (uint32_t)(p * w->entries_each + i) + 1;
		struct waiter_entry *entry = &w->entry[number - 1];

		entry->word = co->watched[i].word;
		entry->previous = 0;
		entry->next = w->first[entry->word];
		if (entry->next)
			w->entry[entry->next - 1].previous = number;
		w->first[entry->word] = number;
		w->entry_count[p] = i + 1;
	}
}

static void unlink_entry(struct waiters *w, const struct waiter_entry *entry)
{
	if (entry->next)
		w->entry[entry->next - 1].previous = entry->previous;
	if (entry->previous)
		w->entry[entry->previous - 1].next = entry->next;
	else
		w->first[entry->word] = entry->next;
}

void waiters_remove(struct waiters *w, unsigned p)
{
	for (uint32_t i = 0; i < w->entry_count[p]; i++)
		unlink_entry(w, &w->entry[p * w->entries_each + i]);
	w->entry_count[p] = 0;
}

static void release_word(struct waiters *w, uint32_t word)
{
	while (w->first[word]) {
		unsigned p = (unsigned)((w->first[word] - 1) / w->entries_each);

		waiters_remove(w, p);
		w->released[w->released_count++] = p;
	}
}

void waiters_release(struct waiters *w)
{
	w->released_count = 0;
	for (size_t i = 0; i < sim.change_count; i++) {
		uint32_t word = sim.changes[i].word;

		if (sim.words[word].value != sim.changes[i].old)
			release_word(w, word);
	}
	if (sim.invalidated != NO_WORD)
		release_word(w, sim.invalidated);
}
