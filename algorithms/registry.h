/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_ALGORITHMS_REGISTRY_H
#define ATMOST_ALGORITHMS_REGISTRY_H

#include "algorithm.h"

/* Returns the i-th algorithm of registry.def, or NULL after the last. */
const struct algorithm *registry_at(size_t i);

/* Finds an algorithm by name; returns NULL if there is no such algorithm.
 * "renaming/choi" is renaming over choi; a name without a slash means the
 * default component. */
const struct algorithm *registry_find(const char *name);

/* Returns the i-th composition of `base`, or NULL after the last. */
const struct algorithm *registry_composed_at(const struct algorithm *base,
					     size_t i);

/* Writes to `text` a clause that says why no algorithm has this name. */
void registry_explain(const char *name, char *text, size_t size);

/* Return the name of a kind, such as "k-exclusion", and the name of the
 * primitive with this bit number, such as "read-write". */
const char *registry_kind_name(enum kind kind);
const char *registry_primitive_name(unsigned bit);

/* registry_property_name returns the name of property number i, or NULL after
 * the last property.  registry_property_number returns the number of the
 * property with this name, or -1 if there is no such property. */
const char *registry_property_name(unsigned i);
int registry_property_number(const char *name);

#endif
