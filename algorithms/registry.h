/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_ALGORITHMS_REGISTRY_H
#define ATMOST_ALGORITHMS_REGISTRY_H

#include "algorithm.h"

/* The i-th algorithm of registry.def, NULL past the last one. */
const struct algorithm *registry_at(size_t i);

/*
 * By name, NULL if there is none.  "renaming/choi" is renaming over choi;
 * without a slash the default component is meant.
 */
const struct algorithm *registry_find(const char *name);

/* The i-th composition of `base`, NULL past the last one. */
const struct algorithm *registry_composed_at(const struct algorithm *base,
					     size_t i);

/* Why there is no algorithm of this name: a clause for a message. */
void registry_explain(const char *name, char *text, size_t size);

/* "k-exclusion" and so on; "read-write" and so on for one primitive's bit. */
const char *registry_kind_name(enum kind kind);
const char *registry_primitive_name(unsigned bit);

/* Name of property number i, and the number of a name, or -1. */
const char *registry_property_name(unsigned i);
int registry_property_number(const char *name);

#endif
