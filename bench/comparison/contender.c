/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An algorithm is called through its table, without the library's members, so
 * that threads and processes run the same code.  Its memory is mapped before
 * the workers are forked.
 *
 * Some cells have slices so long that the program measures only a selection of
 * the algorithms.  The workers of these cells sleep inside, so the results show
 * an algorithm's order of entry and how its waiters wait, but not the cost of
 * its steps.  For the selection, two algorithms are alike if they solve the
 * same problem, make the same promises about order, and agree on whether a
 * waiter can give up.  Of all algorithms that are alike, the selection contains
 * only the first in the registry.
 *
 * An algorithm with a component is measured with its default component, and
 * with another component if --only names the composition.  All combinations
 * would double the number of rows, and the row of a composition would hardly
 * differ from the row of its component.
 */
#include "bench/comparison/contender.h"

#include "bench/comparison/description.h"
#include "runtime/shape.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static bool fits_program(const struct algorithm *a)
{
	const bool groups = a->kind == KIND_GROUP_EXCLUSION;

	return algorithm_is_native(a) && a->kind != KIND_OBJECT &&
	       groups == (comparison.sessions > 0);
}

/*
 * Returns the name of the i-th contender of a run without --only, or NULL if
 * there are fewer.
 */
static const char *contender_name(size_t i)
{
	const struct algorithm *a;

	for (size_t at = 0; comparison.rivals[at]; at++)
		if (i-- == 0)
			return comparison.rivals[at]->name;
	for (size_t at = 0; (a = registry_at(at)) != NULL; at++)
		if (fits_program(a) && i-- == 0)
			return a->name;
	return NULL;
}

void contenders_print(void)
{
	const char *name;

	for (size_t i = 0; (name = contender_name(i)) != NULL; i++)
		printf("  %s\n", name);
}

bool contender_exists(const char *name)
{
	const struct algorithm *a = registry_find(name);

	for (size_t i = 0; comparison.rivals[i]; i++)
		if (strcmp(comparison.rivals[i]->name, name) == 0)
			return true;
	return a && fits_program(a);
}

static bool is_wanted(const char *name, const char *const *only)
{
	if (!only)
		return true;
	for (; *only; only++)
		if (strcmp(*only, name) == 0)
			return true;
	return false;
}

static bool are_alike(const struct algorithm *a, const struct algorithm *b)
{
	const unsigned order = FCFS | K_FCFS | FIFE | NO_STARVATION;

	return a->kind == b->kind && !a->abort == !b->abort &&
	       (a->promises & order) == (b->promises & order);
}

static bool is_represented(const struct contenders *l,
			   const struct algorithm *a)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->item[i].algorithm && are_alike(l->item[i].algorithm, a))
			return true;
	return false;
}

static void add_rival(struct contenders *l, const struct rival *rival,
		      const char *name, const struct cell *cell)
{
	const unsigned most = rival->most_sessions;

	if (most && cell->sessions > most) {
		l->refused++;
		snprintf(l->reason, sizeof l->reason,
			 "%s: sessions is %u; it must be at most %u", name,
			 cell->sessions, most);
		return;
	}
	l->item[l->count++] = (struct contender){ .name = name,
						  .rival = rival };
}

static void add_algorithm(struct contenders *l, const struct algorithm *a,
			  const struct cell *cell)
{
	const struct atmost_shape wanted = {
		.kind = cell->sessions ? ATMOST_GROUP : ATMOST_EXCLUSION,
		.k = cell->k,
		.sessions = cell->sessions,
		.members = cell->n,
		.algorithm = a->name,
	};
	struct contender *c = &l->item[l->count];

	if (l->count == CONTENDERS_MOST)
		return;
	*c = (struct contender){ .name = a->name };
	if (shape_resolve(&c->algorithm, &c->shape, &wanted) < 0) {
		l->refused++;
		snprintf(l->reason, sizeof l->reason, "%s", atmost_detail());
	} else if (cell->selection && is_represented(l, a)) {
		l->left_out++;
	} else {
		l->count++;
	}
}

void contenders_choose(struct contenders *l, const struct cell *cell,
		       const char *const *only)
{
	const struct rival *const *rivals = comparison.rivals;
	const struct algorithm *a;

	memset(l, 0, sizeof *l);
	add_rival(l, rivals[0], rivals[0]->name, cell);
	add_rival(l, rivals[0], comparison.again, cell);
	for (size_t i = 1; rivals[i]; i++)
		if (is_wanted(rivals[i]->name, only))
			add_rival(l, rivals[i], rivals[i]->name, cell);
	for (size_t i = 0; (a = registry_at(i)) != NULL; i++)
		if (fits_program(a) && is_wanted(a->name, only))
			add_algorithm(l, a, cell);
	for (; only && *only; only++)
		if (strchr(*only, '/'))
			add_algorithm(l, registry_find(*only), cell);
}

static bool open_one(struct contender *c, const struct cell *cell)
{
	if (c->rival)
		c->size = c->rival->size(cell->n);
	else if (layout_compute(&c->layout, c->algorithm, &c->shape, 0))
		c->size = c->layout.size;
	else
		return false;
	c->shared = mmap(NULL, c->size, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (c->shared == MAP_FAILED) {
		c->shared = NULL;
		return false;
	}
	if (c->rival)
		return c->rival->open(c->shared, cell->n, cell->k,
				      cell->processes);
	layout_prepare(c->shared, &c->layout, c->algorithm, &c->shape);
	return mem_know(c->shared, c->size, layout_bell(c->shared));
}

bool contenders_open(struct contenders *l, const struct cell *cell)
{
	for (size_t i = 0; i < l->count; i++)
		if (!open_one(&l->item[i], cell))
			return false;
	return true;
}

void contenders_close(struct contenders *l)
{
	for (size_t i = 0; i < l->count; i++) {
		struct contender *c = &l->item[i];

		if (c->rival)
			c->rival->close(c->shared);
		else
			mem_forget(c->shared);
		munmap(c->shared, c->size);
	}
}

void contenders_clean_up(void)
{
	for (size_t i = 0; comparison.rivals[i]; i++)
		if (comparison.rivals[i]->abandon)
			comparison.rivals[i]->abandon();
}

static void enter_rival(struct handle *self)
{
	self->contender->rival->enter(self->shared, self->process.id,
				      self->process.session);
}

static void leave_rival(struct handle *self)
{
	self->contender->rival->leave(self->shared, self->process.id,
				      self->process.session);
}

static void enter_waiting(struct handle *self)
{
	self->contender->algorithm->enter(self->shared, &self->process);
}

/* Enters in the same way as the runtime enters without a deadline. */
static void enter_polling(struct handle *self)
{
	const struct algorithm *a = self->contender->algorithm;
	struct wait_set wait;

	if (!a->doorway(self->shared, &self->process)) {
		wait_begin(&wait);
		while (!a->poll(self->shared, &self->process, &wait))
			wait_again(&wait, NULL);
	}
	if (a->settle)
		a->settle(self->shared, &self->process);
}

/*
 * Leaves, and zeroes the own words that are not persistent, as the runtime
 * does.
 */
static void leave_algorithm(struct handle *self)
{
	uint64_t *own = self->process.own;

	self->contender->algorithm->leave(self->shared, &self->process);
	for (unsigned i = self->own_kept; i < self->own_count; i++)
		own[i] = 0;
}

struct handle contender_join(const struct contender *c, unsigned id)
{
	const struct algorithm *a = c->algorithm;
	const struct layout *layout = &c->layout;
	struct handle v = {
		.contender = c,
		.process.id = id,
		.process.session = 1,
	};

	if (c->rival) {
		v.enter = enter_rival;
		v.leave = leave_rival;
		v.shared = c->shared;
		return v;
	}
	v.enter = a->enter ? enter_waiting : enter_polling;
	v.leave = leave_algorithm;
	v.shared = c->shared + layout->words;
	v.process.shape = &c->shape;
	v.process.own = (void *)(c->shared + layout->members +
				 id * layout->member_each + layout->own);
	v.own_kept = a->own_persistent ? a->own_persistent(&c->shape) : 0;
	v.own_count = a->own_words ? a->own_words(&c->shape) : 0;
	return v;
}
