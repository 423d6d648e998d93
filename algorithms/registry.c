/* SPDX-License-Identifier: BSD-2-Clause */
#include "algorithms/registry.h"

#include "algorithms/compose.h"

#include <stdio.h>
#include <string.h>

#define ALGORITHM(folder, name) extern const struct algorithm name;
#include "algorithms/registry.def"
#undef ALGORITHM

#define ALGORITHM(folder, name) &name,
static const struct algorithm *const algorithms[] = {
#include "algorithms/registry.def"
};
#undef ALGORITHM

/* Broken twins exist only in the build that tests the checker. */
extern const struct algorithm *const registry_twins[];
extern const size_t registry_twin_count;

/* Returns the i-th table as its file defines it, before composition. */
static const struct algorithm *table_at(size_t i)
{
	size_t count = sizeof algorithms / sizeof *algorithms;

	if (i < count)
		return algorithms[i];
	return i - count < registry_twin_count ? registry_twins[i - count]
					       : NULL;
}

static const struct algorithm *table_find(const char *name, size_t length)
{
	const struct algorithm *a;

	for (size_t i = 0; (a = table_at(i)) != NULL; i++)
		if (strncmp(a->name, name, length) == 0 && !a->name[length])
			return a;
	return NULL;
}

const struct algorithm *registry_at(size_t i)
{
	const struct algorithm *a = table_at(i);

	return a ? registry_find(a->name) : NULL;
}

const struct algorithm *registry_find(const char *name)
{
	const char *rest = strchrnul(name, '/');
	const struct algorithm *base = table_find(name, (size_t)(rest - name));
	const struct algorithm *component;

	if (!base || (*rest && !base->composition.compose))
		return NULL;
	if (!base->composition.compose)
		return base;
	component = registry_find(*rest ? rest + 1
					: base->composition.default_component);
	if (!component || !base->composition.fits(component))
		return NULL;
	return compose_named(base, component, name);
}

const struct algorithm *registry_composed_at(const struct algorithm *base,
					     size_t i)
{
	const struct algorithm *component;
	char name[COMPOSED_NAME];

	if (!base->composition.compose)
		return NULL;
	for (size_t j = 0; (component = registry_at(j)) != NULL; j++) {
		if (!base->composition.fits(component) || i-- > 0)
			continue;
		snprintf(name, sizeof name, "%.*s/%s",
			 (int)strcspn(base->name, "/"), base->name,
			 component->name);
		return registry_find(name);
	}
	return NULL;
}

void registry_explain(const char *name, char *text, size_t size)
{
	const char *rest = strchrnul(name, '/');
	int length = (int)(rest - name);
	const struct algorithm *base = table_find(name, (size_t)length);

	if (!base)
		snprintf(text, size, "unknown algorithm '%.*s'",
			 length < 64 ? length : 64, name);
	else if (!base->composition.compose)
		snprintf(text, size, "%s takes no component", base->name);
	else if (!registry_find(rest + 1))
		registry_explain(rest + 1, text, size);
	else
		snprintf(text, size, "%.64s cannot be the component of %s",
			 rest + 1, base->name);
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
		"read-write", "safe-register",    "fetch-and-add",
		"swap",       "compare-and-swap", "test-and-set",
		"large-step", "transaction",
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
