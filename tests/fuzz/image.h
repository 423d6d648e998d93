/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes images of segments, for pools of every kind and of many algorithms.
 * Each pool has three images: one before any use, one with holders and waiters,
 * and one after all members were killed.
 */
#ifndef ATMOST_TESTS_FUZZ_IMAGE_H
#define ATMOST_TESTS_FUZZ_IMAGE_H

#include "atmost/resilient.h"
#include "runtime/layout.h"

/* The pools have room for more members than ever join them.  Joining a full
 * pool that has a dead member may take about 20 ms, which would slow down every
 * case. */
enum { IMAGE_MEMBERS = 8, IMAGE_MOST = 256 };

struct image {
	struct atmost_shape shape;
	const struct algorithm *algorithm;
	const char *state; /* for messages */
	unsigned char *bytes;
	size_t size;
	size_t words, own; /* offsets */
};

/* The shared object of the images of ATMOST_OBJECT: its words and its object
 * type, which has the operations 1 to 3. */
extern const struct object_type image_object;
struct atmost_object_type image_type(void);

/* Opens a pool or, if the kind is ATMOST_OBJECT, a shared object. */
int image_open(struct atmost **pool, const char *name,
	       const struct atmost_shape *shape, bool guarded);

/* image_begin makes a folder for the pools and sets ATMOST_DIR to it; image_end
 * removes the folder. */
void image_begin(void);
void image_end(void);

/* Returns the path of the pool of this name. */
const char *image_path(const char *name);

/* Makes all images; returns their number. */
unsigned image_make(void);
const struct image *image_at(unsigned i); /* i modulo the number of images */

#endif
