/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is an abortable mutex over a registry of requests, with all functions of
 * an algorithm's table.  The .c file of an algorithm must include the header of
 * its registry (registry_tree.h or seat_tree.h) before this header.
 */
#ifndef ATMOST_REGISTRY_MUTEX_H
#define ATMOST_REGISTRY_MUTEX_H

/* The words are TOK, OWN and GO[n]; the words of the registry follow. */
struct tree_mutex {
	OWN_LINE struct word TOK; /* the next token */
	OWN_LINE struct word OWN; /* a version, and the owner + 1 or 0 */
	struct line GO[];         /* a token, and whether the request with this
				     token has the lock */
};

/* The token of this passage follows the own words of the registry. */
enum { OWN_TOKEN = REGISTRY_OWN_WORDS, OWN_WORDS };

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static void *registry(struct tree_mutex *m, const struct shape *shape)
{
	return &m->GO[shape->n];
}

static size_t words(const struct shape *shape)
{
	return WORDS(struct tree_mutex) + shape->n * WORDS(struct line) +
	       registry_words(shape);
}

static void init(void *shared, const struct shape *shape)
{
	struct tree_mutex *m = shared;

	mem_poke(&m->TOK, mem_first(TOKEN) + 1);
	mem_name(&m->TOK, "TOK");
	mem_poke(&m->OWN, mem_first(OWNER) << NAME_BITS);
	mem_name(&m->OWN, "OWN");
	for (unsigned p = 0; p < shape->n; p++) {
		mem_poke(&m->GO[p].word, 0);
		mem_place(&m->GO[p].word, p);
		mem_name(&m->GO[p].word, "GO", p);
	}
	registry_init(registry(m, shape), shape);
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct tree_mutex *m = shared;

	return (mem_peek(&m->OWN) & NAME) == 0 &&
	       registry_quiet(registry(m, shape), shape);
}

static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct tree_mutex *m = shared;

	for (unsigned p = 0; p < shape->n; p++)
		if (all[p].phase == PHASE_INSIDE &&
		    (mem_peek(&m->OWN) & NAME) != p + 1)
			return false;
	return registry_invariant(registry(m, shape), shape, all);
}

static bool try_promote(struct tree_mutex *m, const struct shape *shape)
{
	uint64_t o, name;
	bool ok;

P1:	o = mem_read(&m->OWN);
	if (name_in(o, shape))
		return true;
	name = registry_oldest(registry(m, shape), shape); /* P2 */
	/* P3 writes even if the root names no process: the new version makes P3
	 * fail in every process that read OWN before our P3.  That P3 must
	 * fail, because its process may have read an outdated root. */
P3:	ok = mem_cas(&m->OWN, o, next_version(o, name));
	return ok;
}

/* Two attempts are enough: a process that read the root before we changed the
 * registry may make the first attempt fail, but not the second. */
static void promote(struct tree_mutex *m, const struct shape *shape)
{
	if (!try_promote(m, shape))
		try_promote(m, shape);
}

static void tell_owner(struct tree_mutex *m, const struct shape *shape)
{
	struct word *go;
	uint64_t o, g, again;
	bool told;

K1:	o = mem_read(&m->OWN);
	if (name_in(o, shape) == 0)
		return;
	go = &m->GO[name_in(o, shape) - 1].word;
K2:	g = mem_read(go);
	if (g & 1)
		return;
	/* Without this read, g could belong to a later passage of the process
	 * that o names, because o may be outdated.  K4 would then let the
	 * process in, although it is not the owner in that passage. */
K3:	again = mem_read(&m->OWN);
	if (again != o)
		return;
K4:	told = mem_cas(go, g, g | 1);
	if (told)
		mem_wake(go);
}

static void pass_on(struct tree_mutex *m, const struct shape *shape)
{
	promote(m, shape);
	tell_owner(m, shape);
}

static bool doorway(void *shared, struct process *self)
{
	struct tree_mutex *m = shared;
	uint64_t t;

T1:	t = mem_read(&m->TOK);
	/* If T2 fails, another process has drawn the same token; then the
	 * request with the smaller id is older. */
T2:	(void)mem_cas(&m->TOK, t, t + 1);
	mem_own_write(self, OWN_TOKEN, t);
T3:	mem_write(&m->GO[self->id].word, tagged(t, false));
	registry_add(registry(m, self->shape), self, t); /* T4, T5 */
	doorway_ends(self);
	pass_on(m, self->shape);
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct tree_mutex *m = shared;
	struct word *go = &m->GO[self->id].word;
	uint64_t g;

T6:	g = mem_read(go);
	if (g == tagged(mem_own_read(self, OWN_TOKEN), true))
		return true;
	wait_for_change(wait, go, g);
	return false;
}

/* registry_remove leaves the token in the leaf, because R4b may read it. */
static void withdraw(struct tree_mutex *m, struct process *self)
{
	registry_remove(registry(m, self->shape), self,
			mem_own_read(self, OWN_TOKEN)); /* T7, T8 */
}

/* A plain write is enough: no other process changes OWN while OWN names us. */
static void release(struct tree_mutex *m)
{
	uint64_t o;

T8r:	o = mem_read(&m->OWN);
T8w:	mem_write(&m->OWN, next_version(o, 0));
}

/* If we became the owner while we were giving up, release the mutex.  Returns
 * true if we have released it. */
static bool release_late(struct tree_mutex *m, const struct process *self)
{
	uint64_t o;

T9x:	o = mem_read(&m->OWN);
	if ((o & NAME) != self->id + 1)
		return false;
T9w:	mem_write(&m->OWN, next_version(o, 0));
	return true;
}

static void leave(void *shared, struct process *self)
{
	struct tree_mutex *m = shared;

	withdraw(m, self);
	release(m);
	pass_on(m, self->shape);
}

static void give_up(void *shared, struct process *self)
{
	struct tree_mutex *m = shared;

	withdraw(m, self);
	pass_on(m, self->shape);
	if (release_late(m, self))
		pass_on(m, self->shape);
}

/* Two attempts to promote take three steps each, and telling the owner takes
 * four steps. */
enum { PASS_ON_STEPS = 2 * 3 + 4 };

static unsigned doorway_steps(const struct shape *shape)
{
	return 3 + registry_steps(shape);
}

static unsigned leave_steps(const struct shape *shape)
{
	return registry_steps(shape) + 2 + PASS_ON_STEPS;
}

static unsigned abort_steps(const struct shape *shape)
{
	return registry_steps(shape) + PASS_ON_STEPS + 2 + PASS_ON_STEPS;
}

static unsigned solo_steps(const struct shape *shape)
{
	(void)shape;
	return PASS_ON_STEPS + 1;
}

#endif
