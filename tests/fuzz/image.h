/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Segments as they are in use: objects of every kind and of many algorithms,
 * each never used, with members inside and waiting, and with all of them
 * killed there.
 */
#ifndef ATMOST_TESTS_FUZZ_IMAGE_H
#define ATMOST_TESTS_FUZZ_IMAGE_H

#include "atmost/resilient.h"
#include "runtime/layout.h"

/* More members than join: who finds an object full, and one dead in it, may
 * wait for some 20 ms, which not every case can afford. */
enum { IMAGE_MEMBERS = 8, IMAGE_MOST = 256 };

struct image {
	struct atmost_shape shape;
	const struct algorithm *algorithm;
	const char *state; /* in words */
	unsigned char *bytes;
	size_t size;
	size_t words, own; /* where these begin */
};

/* What images of ATMOST_OBJECT are objects of: its words, and its type, whose
 * operations are 1 to 3. */
extern const struct object_type image_object;
struct atmost_object_type image_type(void);

/* By atmost_open, or atmost_object_open. */
int image_open(struct atmost **object, const char *name,
	       const struct atmost_shape *shape, bool guarded);

/* A directory of our own for objects, which ATMOST_DIR names from now on. */
void image_begin(void);
void image_end(void);

/* The path of the object of this name. */
const char *image_path(const char *name);

/* Makes all images; how many there are. */
unsigned image_make(void);
const struct image *image_at(unsigned i); /* from 0 on, and around */

#endif
