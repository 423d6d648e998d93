/* SPDX-License-Identifier: BSD-2-Clause */
#include "algorithms/compose.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 2048, TEXT = 160 };

struct composed {
	struct algorithm whole;
	char name[COMPOSED_NAME];
	char rmr_cc[TEXT], rmr_cc_smart[TEXT], rmr_cc_keeps[TEXT];
	char rmr_dsm[TEXT];
};

/* Pools and questions point at tables, so tables are never freed. */
static struct {
	pthread_mutex_t lock;
	unsigned count;
	struct composed table[MOST];
} known = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Sets the text of the composed algorithm's cost: the owner's text and the
 * component's text, or only the component's text if the owner has none or has
 * the same text. */
static void tell_cost(struct rmr_bound *whole, const struct rmr_bound *part,
		      const char *component, char *text)
{
	if (!whole->text || whole->text == part->text)
		snprintf(text, TEXT, "%s", part->text ? part->text : "-");
	else
		snprintf(text, TEXT, "%s; %s: %s", whole->text, component,
			 part->text ? part->text : "-");
	whole->text = text;
}

static struct composed *find(const char *name)
{
	for (unsigned i = 0; i < known.count; i++)
		if (strcmp(known.table[i].name, name) == 0)
			return &known.table[i];
	return NULL;
}

static struct composed *make(const struct algorithm *base,
			     const struct algorithm *component,
			     const char *name)
{
	struct composed *c = &known.table[known.count];

	if (known.count == MOST || strlen(name) >= COMPOSED_NAME)
		return NULL;
	known.count++;
	strcpy(c->name, name);
	c->whole = *base;
	c->whole.name = c->name;
	c->whole.composition.component = component;
	c->whole.composition.compose(&c->whole);
	/* The owner's text already includes the cost of a construction. */
	if (component->object.construction)
		return c;
	tell_cost(&c->whole.bounds.rmr_cc, &component->bounds.rmr_cc,
		  component->name, c->rmr_cc);
	tell_cost(&c->whole.bounds.rmr_dsm, &component->bounds.rmr_dsm,
		  component->name, c->rmr_dsm);
	if (c->whole.bounds.rmr_cc_smart.text)
		tell_cost(&c->whole.bounds.rmr_cc_smart,
			  component->bounds.rmr_cc_smart.text
				  ? &component->bounds.rmr_cc_smart
				  : &component->bounds.rmr_cc,
			  component->name, c->rmr_cc_smart);
	if (c->whole.bounds.rmr_cc_keeps.text)
		tell_cost(&c->whole.bounds.rmr_cc_keeps,
			  component->bounds.rmr_cc_keeps.text
				  ? &component->bounds.rmr_cc_keeps
				  : &component->bounds.rmr_cc,
			  component->name, c->rmr_cc_keeps);
	return c;
}

const struct algorithm *compose_named(const struct algorithm *base,
				      const struct algorithm *component,
				      const char *name)
{
	struct composed *c;

	pthread_mutex_lock(&known.lock);
	c = find(name);
	if (!c)
		c = make(base, component, name);
	pthread_mutex_unlock(&known.lock);
	return c ? &c->whole : NULL;
}
