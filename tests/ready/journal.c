/* SPDX-License-Identifier: BSD-2-Clause */
#include "book.h"

#include "atmost/resilient.h"
#include "linear/chance.h"

#include <string.h>
#include <sys/mman.h>

struct book *book_open(void)
{
	struct book *book = mmap(NULL, sizeof *book, PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (book == MAP_FAILED)
		abort();
	return book;
}

void book_close(struct book *book)
{
	munmap(book, sizeof *book);
}

void book_clear(struct book *book)
{
	atomic_store(&book->clock, 0);
	atomic_store(&book->stop, false);
	atomic_store(&book->ready, 0);
	for (unsigned i = 0; i < WRITERS; i++) {
		struct page *page = &book->page[i];

		memset(page->entry, 0, page->count * sizeof *page->entry);
		atomic_store(&page->count, 0);
	}
}

static uint64_t stamp(struct book *book)
{
	return atomic_fetch_add(&book->clock, 1) + 1;
}

struct entry *book_ask(struct book *book, unsigned writer, uint64_t operation,
		       const uint64_t *argument)
{
	struct page *page = &book->page[writer];
	size_t count = atomic_load(&page->count);
	struct entry *entry = &page->entry[count];

	if (count == ENTRIES)
		return NULL;
	entry->operation = operation;
	memcpy(entry->argument, argument, sizeof entry->argument);
	entry->tag = (uint64_t)(writer + 1) << 32 | (count + 1);
	atomic_store(&entry->invoked, stamp(book));
	/* Killed before this it has not asked, and after it perhaps. */
	atomic_store(&page->count, count + 1);
	return entry;
}

void book_answer(struct book *book, struct entry *entry, const uint64_t *result)
{
	memcpy(entry->result, result, sizeof entry->result);
	atomic_store(&entry->ended, stamp(book));
}

struct entry *book_unfinished(struct book *book, unsigned writer)
{
	struct page *page = &book->page[writer];
	size_t count = atomic_load(&page->count);
	struct entry *last = count ? &page->entry[count - 1] : NULL;

	if (!last || atomic_load(&last->ended) || last->never)
		return NULL;
	return last;
}

size_t book_count(const struct book *book)
{
	size_t count = 0;

	for (unsigned i = 0; i < WRITERS; i++)
		count += book->page[i].count;
	return count;
}

size_t book_overlaps(const struct book *book)
{
	size_t count = 0;

	for (unsigned i = 0; i < WRITERS; i++)
		for (size_t j = 0; j < book->page[i].count; j++) {
			const struct entry *e = &book->page[i].entry[j];

			count += e->ended != e->invoked + 1;
		}
	return count;
}

static size_t copy(const struct book *book, struct linear_operation *history)
{
	size_t count = 0;

	for (unsigned i = 0; i < WRITERS; i++)
		for (size_t j = 0; j < book->page[i].count; j++) {
			const struct entry *e = &book->page[i].entry[j];
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

enum linear_verdict book_check(const struct book *book,
			       const struct model *model, unsigned capacity)
{
	struct linear_operation *history = malloc((book_count(book) + 1) *
						  sizeof *history);
	struct linear_report report;
	size_t count;

	if (!history)
		abort();
	count = copy(book, history);
	report = linear_check(model, capacity, history, count);
	if (report.verdict == NOT_LINEARIZABLE)
		linear_print(model, history, count, report.culprit);
	free(history);
	return report.verdict;
}

void book_wish(unsigned which, unsigned capacity, uint64_t *random,
	       uint64_t unique, uint64_t seen, uint64_t *wish)
{
	/* One of four only looks, so that the rest meets. */
	static const uint64_t choice[MODELS][8] = {
		[COUNTER] = { 1, 1, 1, 1, 1, 1, 2, 2 },
		[REGISTER] = { 1, 1, 2, 2, 3, 4, 4, 4 },
		[QUEUE] = { 1, 1, 1, 2, 2, 2, 3, 4 },
		[STACK] = { 1, 1, 1, 2, 2, 2, 3, 4 },
		[MAP] = { 1, 2, 2, 3, 3, 4, 4, 5 },
	};
	uint64_t draw = chance(random);

	wish[0] = choice[which][draw % 8];
	wish[1] = unique;
	wish[2] = unique;
	if (which == COUNTER ||
	    (which == REGISTER && wish[0] == ATMOST_REGISTER_ADD))
		wish[1] = 1 + (draw >> 8) % 100;
	else if (which == REGISTER && wish[0] == ATMOST_REGISTER_COMPARE_SWAP)
		wish[1] = seen;
	else if (which == MAP)
		wish[1] = (draw >> 8) % (capacity + 2);
}
