/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tree-mutex: an abortable mutex, first come first served, whose cost is
 * logarithmic.
 *
 * Idea      A registry, a tree of minima over the requests, names the oldest
 *           one at its root.  Whoever changes the registry makes the one named
 *           there the owner if there is none, and tells the owner so.
 * Source    ours, in the style of Jayanti, "Adaptive and efficient abortable
 *           mutual exclusion", PODC 2003; labels ours
 * Shape     k = 1, 1 <= n <= 65534
 * Promises  at-most-k; fcfs; no-starvation; bounded-doorway; bounded-leave;
 *           bounded-abort; no-lost-wake; quiescence; with aborts
 * Costs     3n+1 words; DSM 24 ceil(log2 n)+36 RMRs, CC 24 ceil(log2 n)+38
 * Invariant While p is registered the root is not empty, and its token is not
 *           larger than p's; the root never names one who is not there.
 */
#include "algorithm.h"

/*
 * TOK, OWN, then LEAF[n], GO[n] and NODE[n-1].  A version says how often a word
 * was written, so that a late compare-and-swap fails.
 */
struct line {
	OWN_LINE struct word word;
};

enum { FIELD_BITS = 16, FIELD = 0xffff };

/* The token of this passage. */
enum { OWN_TOKEN, OWN_WORDS };

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static size_t words(const struct shape *shape)
{
	return (3 * shape->n + 1) * WORDS(struct line);
}

static struct word *line(void *shared, unsigned i)
{
	struct line *l = shared;

	return &l[i].word;
}

static struct word *TOK(void *shared)
{
	return line(shared, 0);
}

static struct word *OWN(void *shared)
{
	return line(shared, 1);
}

static struct word *LEAF(void *shared, unsigned p)
{
	return line(shared, 2 + p);
}

static struct word *GO(void *shared, const struct shape *shape, unsigned p)
{
	return line(shared, 2 + shape->n + p);
}

static struct word *NODE(void *shared, const struct shape *shape, unsigned i)
{
	return line(shared, 2 + 2 * shape->n + i);
}

/* A token, and whether it is live (LEAF) or granted (GO). */
static uint64_t token(uint64_t t, bool flag)
{
	return t << 1 | flag;
}

/* A version, and a process + 1 or 0: of NODE and OWN. */
static uint64_t next_version(uint64_t old, uint64_t name)
{
	return ((old >> FIELD_BITS) + 1) << FIELD_BITS | name;
}

static void init(void *shared, const struct shape *shape)
{
	mem_poke(TOK(shared), 1);
	mem_name(TOK(shared), "TOK");
	mem_poke(OWN(shared), 0);
	mem_name(OWN(shared), "OWN");
	for (unsigned p = 0; p < shape->n; p++) {
		mem_poke(LEAF(shared, p), 0);
		mem_name(LEAF(shared, p), "LEAF", p);
		mem_poke(GO(shared, shape, p), 0);
		mem_place(GO(shared, shape, p), p);
		mem_name(GO(shared, shape, p), "GO", p);
	}
	for (unsigned i = 0; i + 1 < shape->n; i++) {
		mem_poke(NODE(shared, shape, i), 0);
		mem_name(NODE(shared, shape, i), "NODE", i);
	}
}

static bool quiet(void *shared, const struct shape *shape)
{
	for (unsigned p = 0; p < shape->n; p++)
		if (mem_peek(LEAF(shared, p)) & 1)
			return false;
	return (mem_peek(OWN(shared)) & FIELD) == 0 &&
	       (shape->n < 2 ||
		(mem_peek(NODE(shared, shape, 0)) & FIELD) == 0);
}

/*
 * A node and the leaves below it, lo..hi-1: the left child has the first half,
 * rounded up.  Nodes are numbered from the root on, the left ones first.
 */
struct range {
	unsigned node, lo, hi;
};

static unsigned middle(struct range r)
{
	return r.lo + (r.hi - r.lo + 1) / 2;
}

static struct range left(struct range r)
{
	return (struct range){ r.node + 1, r.lo, middle(r) };
}

static struct range right(struct range r)
{
	return (struct range){ r.node + middle(r) - r.lo, middle(r), r.hi };
}

static bool is_leaf(struct range r)
{
	return r.hi - r.lo == 1;
}

/* So many steps down from the root, towards leaf p. */
static struct range on_path(const struct shape *shape, unsigned p,
			    unsigned depth)
{
	struct range r = { 0, 0, shape->n };

	for (; depth > 0; depth--)
		r = p < middle(r) ? left(r) : right(r);
	return r;
}

static unsigned depth_of(const struct shape *shape, unsigned p)
{
	unsigned depth = 0;

	while (!is_leaf(on_path(shape, p, depth)))
		depth++;
	return depth;
}

static unsigned levels(const struct shape *shape)
{
	return depth_of(shape, 0); /* its side is never the shorter one */
}

/* A request: process + 1, or 0, and its token. */
struct candidate {
	uint64_t name, token;
};

static struct candidate candidate(void *shared, const struct shape *shape,
				  struct range r)
{
	struct candidate c = { 0, 0 };
	uint64_t v, t;

	if (is_leaf(r)) {
R4a:		t = mem_read(LEAF(shared, r.lo));
		if (t & 1)
			c = (struct candidate){ r.lo + 1, t >> 1 };
		return c;
	}
R4:	v = mem_read(NODE(shared, shape, r.node));
	if ((v & FIELD) == 0)
		return c;
	/* Also if it is about to go: it keeps its token till it is gone. */
R4b:	t = mem_read(LEAF(shared, (unsigned)(v & FIELD) - 1));
	return (struct candidate){ v & FIELD, t >> 1 };
}

static uint64_t older(struct candidate a, struct candidate b)
{
	if (!a.name || !b.name)
		return a.name | b.name;
	if (a.token != b.token)
		return a.token < b.token ? a.name : b.name;
	return a.name < b.name ? a.name : b.name;
}

static bool refresh(void *shared, const struct shape *shape, struct range r)
{
	struct candidate a, b;
	uint64_t o;

R1:	o = mem_read(NODE(shared, shape, r.node));
	a = candidate(shared, shape, left(r));
	b = candidate(shared, shape, right(r));
	/* Also if nothing changes: the version stops those with older reads. */
R6:	return mem_cas(NODE(shared, shape, r.node), o,
		       next_version(o, older(a, b)));
}

/* Twice: if both fail, somebody has read what we wrote. */
static void propagate(void *shared, const struct process *self)
{
	const struct shape *shape = self->shape;

	for (unsigned d = depth_of(shape, self->id); d-- > 0;) {
		struct range r = on_path(shape, self->id, d);

		if (!refresh(shared, shape, r))
			refresh(shared, shape, r);
	}
}

/* Who is oldest; with one process the root is its leaf. */
static uint64_t root(void *shared, const struct shape *shape)
{
	uint64_t v;

	if (shape->n == 1) {
P2a:		v = mem_read(LEAF(shared, 0));
		return v & 1;
	}
P2:	v = mem_read(NODE(shared, shape, 0));
	return v & FIELD;
}

static void promote(void *shared, const struct shape *shape)
{
	uint64_t o, name;

	for (unsigned tries = 0; tries < 2; tries++) {
P1:		o = mem_read(OWN(shared));
		if (o & FIELD)
			return;
		name = root(shared, shape);
		/* Also nobody: the version stops those with older roots. */
P3:		if (mem_cas(OWN(shared), o, next_version(o, name)))
			return;
	}
}

static void tell_owner(void *shared, const struct shape *shape)
{
	struct word *go;
	uint64_t o, g, again;
	bool told;

K1:	o = mem_read(OWN(shared));
	if ((o & FIELD) == 0)
		return;
	go = GO(shared, shape, (unsigned)(o & FIELD) - 1);
K2:	g = mem_read(go);
	if (g & 1)
		return;
K3:	again = mem_read(OWN(shared));
	if (again != o)
		return;
K4:	told = mem_cas(go, g, g | 1);
	if (told)
		mem_wake(go);
}

static bool doorway(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;
	uint64_t t;

T1:	t = mem_read(TOK(shared));
	/* If it fails another one has our token; then the id decides. */
T2:	(void)mem_cas(TOK(shared), t, t + 1);
	mem_own_write(self, OWN_TOKEN, t);
T3:	mem_write(GO(shared, shape, self->id), token(t, false));
T4:	mem_write(LEAF(shared, self->id), token(t, true));
	propagate(shared, self); /* T5 */
	promote(shared, shape);
	tell_owner(shared, shape);
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct word *go = GO(shared, self->shape, self->id);
	uint64_t g;

T6:	g = mem_read(go);
	if (g == token(mem_own_read(self, OWN_TOKEN), true))
		return true;
	wait_for_change(wait, go, g);
	return false;
}

/* The token stays readable: see R4b. */
static void withdraw(void *shared, struct process *self)
{
T7:	mem_write(LEAF(shared, self->id),
		  token(mem_own_read(self, OWN_TOKEN), false));
	propagate(shared, self); /* T8 */
}

static void pass_on(void *shared, struct process *self)
{
	promote(shared, self->shape);
	tell_owner(shared, self->shape);
}

static void leave(void *shared, struct process *self)
{
	uint64_t o;

	withdraw(shared, self);
T8r:	o = mem_read(OWN(shared));
T8w:	mem_write(OWN(shared), next_version(o, 0));
	pass_on(shared, self);
}

static void give_up(void *shared, struct process *self)
{
	uint64_t o;

	withdraw(shared, self);
	pass_on(shared, self);
	/* It may have become ours meanwhile: then hand it on. */
T9x:	o = mem_read(OWN(shared));
	if ((o & FIELD) != self->id + 1)
		return;
T9w:	mem_write(OWN(shared), next_version(o, 0));
	pass_on(shared, self);
}

static unsigned doorway_steps(const struct shape *shape)
{
	return 12 * levels(shape) + 14;
}

static unsigned leave_steps(const struct shape *shape)
{
	return 12 * levels(shape) + 13;
}

static unsigned abort_steps(const struct shape *shape)
{
	return 12 * levels(shape) + 23;
}

static unsigned solo_steps(const struct shape *shape)
{
	(void)shape;
	return 1;
}

static uint64_t rmr_dsm(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 24 * (uint64_t)levels(shape) + 36;
}

static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	return rmr_dsm(shape, contention) + 2;
}

const struct algorithm tree_mutex = {
	.name = "tree-mutex",
	.source = "ours, after Jayanti 2003",
	.kind = KIND_ABORTABLE,
	.promises = AT_MOST_K | FCFS | NO_DEADLOCK | NO_STARVATION |
		    BOUNDED_DOORWAY | BOUNDED_LEAVE | BOUNDED_ABORT |
		    NO_LOST_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_CAS,
	.least_n = 1, .most_n = 65534, .least_k = 1, .most_k = 1,
	.words = words, .own_words = own_words, .init = init, .quiet = quiet,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
	.doorway_steps = doorway_steps, .leave_steps = leave_steps,
	.abort_steps = abort_steps, .solo_steps = solo_steps,
	.rmr_cc = { rmr_cc, "24 ceil(log2 n)+38" },
	.rmr_dsm = { rmr_dsm, "24 ceil(log2 n)+36" },
};
