/* SPDX-License-Identifier: BSD-2-Clause */
#include "journal.h"

#include "atmost/resilient.h"
#include "common/prng.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct journal *journal_open(void)
{
	struct journal *journal = mmap(NULL, sizeof *journal,
				       PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (journal == MAP_FAILED)
		abort();
	return journal;
}

void journal_close(struct journal *journal)
{
	munmap(journal, sizeof *journal);
}

void journal_clear(struct journal *journal)
{
	atomic_store(&journal->clock, 0);
	atomic_store(&journal->stop, false);
	atomic_store(&journal->ready, 0);
	for (unsigned i = 0; i < WRITERS; i++) {
		struct log *log = &journal->log[i];

		memset(log->entry, 0, log->count * sizeof *log->entry);
		atomic_store(&log->count, 0);
	}
}

static uint64_t stamp(struct journal *journal)
{
	return atomic_fetch_add(&journal->clock, 1) + 1;
}

struct entry *journal_invoke(struct journal *journal, unsigned writer,
			     uint64_t operation, const uint64_t *argument)
{
	struct log *log = &journal->log[writer];
	size_t count = atomic_load(&log->count);
	struct entry *entry = &log->entry[count];

	if (count == ENTRIES)
		return NULL;
	entry->operation = operation;
	memcpy(entry->argument, argument, sizeof entry->argument);
	entry->tag = (uint64_t)(writer + 1) << 32 | (count + 1);
	atomic_store(&entry->invoked, stamp(journal));
	/* A writer that is killed before this store has not invoked the
	 * operation.  A writer that is killed after this store may have invoked
	 * it. */
	atomic_store(&log->count, count + 1);
	return entry;
}

void journal_respond(struct journal *journal, struct entry *entry,
		     const uint64_t *result)
{
	memcpy(entry->result, result, sizeof entry->result);
	atomic_store(&entry->ended, stamp(journal));
}

struct entry *journal_unfinished(struct journal *journal, unsigned writer)
{
	struct log *log = &journal->log[writer];
	size_t count = atomic_load(&log->count);
	struct entry *last = count ? &log->entry[count - 1] : NULL;

	if (!last || atomic_load(&last->ended) || last->never)
		return NULL;
	return last;
}

size_t journal_count(const struct journal *journal)
{
	size_t count = 0;

	for (unsigned i = 0; i < WRITERS; i++)
		count += journal->log[i].count;
	return count;
}

size_t journal_overlaps(const struct journal *journal)
{
	size_t count = 0;

	for (unsigned i = 0; i < WRITERS; i++)
		for (size_t j = 0; j < journal->log[i].count; j++) {
			const struct entry *e = &journal->log[i].entry[j];

			count += e->ended != e->invoked + 1;
		}
	return count;
}

static size_t copy(const struct journal *journal,
		   struct linear_operation *history)
{
	size_t count = 0;

	for (unsigned i = 0; i < WRITERS; i++)
		for (size_t j = 0; j < journal->log[i].count; j++) {
			const struct entry *e = &journal->log[i].entry[j];
			struct linear_operation *o = &history[count];

			if (e->never)
				continue;
			count++;
			*o = (struct linear_operation){
				.invoked = e->invoked,
				.ended = e->ended ? e->ended : LINEAR_NEVER,
				.returned = e->ended > 0,
				.operation = e->operation,
			};
			memcpy(o->argument, e->argument, sizeof o->argument);
			memcpy(o->result, e->result, sizeof o->result);
		}
	return count;
}

enum linear_verdict journal_check(const struct journal *journal,
				  const struct model *model, unsigned capacity)
{
	struct linear_operation *history = malloc((journal_count(journal) + 1) *
						  sizeof *history);
	struct linear_report report;
	size_t count;

	if (!history)
		abort();
	count = copy(journal, history);
	report = linear_check(model, capacity, history, count);
	if (report.verdict == NOT_LINEARIZABLE)
		linear_print(model, history, count, report.culprit);
	free(history);
	return report.verdict;
}

void journal_choose(unsigned which, unsigned capacity, uint64_t *random,
		    uint64_t unique, uint64_t seen, uint64_t *request)
{
	/* A quarter of the operations only read; the other operations change
	 * the state. */
	static const uint64_t choice[MODELS][8] = {
		[COUNTER] = { 1, 1, 1, 1, 1, 1, 2, 2 },
		[REGISTER] = { 1, 1, 2, 2, 3, 4, 4, 4 },
		[QUEUE] = { 1, 1, 1, 2, 2, 2, 3, 4 },
		[STACK] = { 1, 1, 1, 2, 2, 2, 3, 4 },
		[MAP] = { 1, 2, 2, 3, 3, 4, 4, 5 },
	};
	uint64_t draw = prng_next(random);

	request[0] = choice[which][draw % 8];
	request[1] = unique;
	request[2] = unique;
	if (which == COUNTER ||
	    (which == REGISTER && request[0] == ATMOST_REGISTER_ADD))
		request[1] = 1 + (draw >> 8) % 100;
	else if (which == REGISTER &&
		 request[0] == ATMOST_REGISTER_COMPARE_SWAP)
		request[1] = seen;
	else if (which == MAP)
		request[1] = (draw >> 8) % (capacity + 2);
}
