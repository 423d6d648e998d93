/* SPDX-License-Identifier: BSD-2-Clause */
#include "algorithms/registry.h"

#include <string.h>

#define ALGORITHM(folder, name) extern const struct algorithm name;
#include "algorithms/registry.def"
#undef ALGORITHM

#define ALGORITHM(folder, name) &name,
static const struct algorithm *const algorithms[] = {
#include "algorithms/registry.def"
};
#undef ALGORITHM

/* Broken twins: none but in the build that tests the checker. */
extern const struct algorithm *const registry_twins[];
extern const size_t registry_twin_count;

const struct algorithm *registry_at(size_t i)
{
	size_t count = sizeof algorithms / sizeof *algorithms;

	if (i < count)
		return algorithms[i];
	return i - count < registry_twin_count ? registry_twins[i - count]
					       : NULL;
}

const struct algorithm *registry_find(const char *name)
{
	const struct algorithm *a;

	for (size_t i = 0; (a = registry_at(i)) != NULL; i++)
		if (strcmp(a->name, name) == 0)
			return a;
	return NULL;
}

const char *registry_kind_name(enum kind kind)
{
	static const char *const names[KIND_COUNT] = {
		"mutual-exclusion", "abortable",       "k-exclusion",
		"k-assignment",     "group-exclusion", "object",
	};

	return names[kind];
}

const char *registry_primitive_name(unsigned bit)
{
	static const char *const names[PRIMITIVE_COUNT] = {
		"read-write",       "safe-register", "fetch-and-add", "swap",
		"compare-and-swap", "test-and-set",  "large-step",
	};

	return bit < PRIMITIVE_COUNT ? names[bit] : NULL;
}

const char *registry_property_name(unsigned i)
{
#define NAME(flag, name) name,
	static const char *const names[PROPERTY_COUNT] = { PROPERTIES(NAME) };
#undef NAME

	return i < PROPERTY_COUNT ? names[i] : NULL;
}

int registry_property_number(const char *name)
{
	for (int i = 0; i < PROPERTY_COUNT; i++)
		if (strcmp(registry_property_name((unsigned)i), name) == 0)
			return i;
	return -1;
}
