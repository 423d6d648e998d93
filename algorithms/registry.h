/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_ALGORITHMS_REGISTRY_H
#define ATMOST_ALGORITHMS_REGISTRY_H

#include "algorithm.h"

/* The i-th algorithm of registry.def, NULL past the last one. */
const struct algorithm *registry_at(size_t i);

/* By name, NULL if there is none. */
const struct algorithm *registry_find(const char *name);

/* "k-exclusion" and so on; "read-write" and so on for one primitive's bit. */
const char *registry_kind_name(enum kind kind);
const char *registry_primitive_name(unsigned bit);

/* Name of property number i, and the number of a name, or -1. */
const char *registry_property_name(unsigned i);
int registry_property_number(const char *name);

#endif
