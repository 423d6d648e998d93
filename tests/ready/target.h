/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An object of a ready-made type, and those who use it and write down what they
 * do.
 */
#ifndef ATMOST_TESTS_READY_PARTY_H
#define ATMOST_TESTS_READY_PARTY_H

#include "atmost/resilient.h"
#include "book.h"

/* Small, so that full and empty come often, and orders that were possible do
 * not stay so for long. */
enum { CAPACITY = 5 };

struct party {
	struct book *book;
	unsigned which, k, members;
	struct atmost_object *object;
};

struct atmost_object_type party_type(unsigned which, unsigned capacity);

/*
 * Under this name, or for threads if it is NULL.  Its function takes its time
 * now and then; a process has one party at a time.  False: atmost_detail.
 */
bool party_open(struct party *party, const char *name);

/* One of the guests. */
struct guest {
	const struct party *party;
	struct atmost_object_member *member;
	unsigned writer;
	uint64_t random, seen;
};

enum manner { PLAINLY, TAGGED };

/* One random operation.  1: done; 0: not, the book is full; or an error. */
int guest_acts(struct guest *guest, enum manner manner);

/* This operation, with its results. */
int guest_does(struct guest *guest, enum manner manner, const uint64_t *wish,
	       uint64_t *result);

#endif
