/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/resilient/subject.h"

#include <string.h>

enum { ACCOUNTS = BOOK_WORDS - 1 };

struct transfer transfer_next(uint64_t *turn)
{
	uint64_t at = (*turn)++;

	return (struct transfer){ (unsigned)(at % ACCOUNTS),
				  (unsigned)((at + 1) % ACCOUNTS) };
}

void book_transfer(uint64_t *book, unsigned from, unsigned to)
{
	book[0]++;
	book[1 + from]--;
	book[1 + to]++;
}

/* Must work with any arguments: see atmost_object_function. */
static void apply_to_book(void *state, size_t size, uint64_t operation,
			  const uint64_t *argument, uint64_t *result)
{
	uint64_t *book = state;

	(void)size;
	(void)operation;
	*result = book[0];
	book_transfer(book, (unsigned)(argument[0] % ACCOUNTS),
		      (unsigned)(argument[1] % ACCOUNTS));
}

const char *subject_name(enum subject subject)
{
	return subject == COUNTER ? "counter" : "book of 64 words";
}

size_t subject_words(enum subject subject)
{
	return subject == COUNTER ? 1 : BOOK_WORDS;
}

struct atmost_object_type subject_type(enum subject subject)
{
	if (subject == COUNTER)
		return atmost_counter_type();
	return (struct atmost_object_type){
		.name = "bench-book",
		.size = BOOK_WORDS * sizeof(uint64_t),
		.apply = apply_to_book,
		.operations = BOOK_TRANSFER,
		.arguments = 2,
		.results = 1,
	};
}

/* A transfer does not change the sum of the balances, which is 0. */
bool subject_is_right(enum subject subject, const uint64_t *state,
		      uint64_t operations)
{
	uint64_t sum = 0;

	if (subject == BOOK)
		for (size_t i = 1; i < BOOK_WORDS; i++)
			sum += state[i];
	return state[0] == operations && sum == 0;
}
