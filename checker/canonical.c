/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The counts of a counter that occur anywhere in a state are its live counts.
 * In ascending order, each live count gets a new count.  The smallest live
 * count becomes its remainder modulo the period.  A difference between
 * neighbours stays as it is if it is smaller than the counter's gap, and
 * otherwise shrinks.  If the first value of the counter recurs, this value is a
 * live count, too.
 */
#include "checker/canonical.h"

#include <stdlib.h>

/* The checker treats a state with more live counts than this as different from
 * all other states. */
enum { MOST_LIVE = 128 };

struct live {
	unsigned count;
	uint64_t old[MOST_LIVE], new[MOST_LIVE]; /* `old` is ascending */
};

/* A value of a counter in a local state, and a key that stands for its
 * place. */
struct place {
	uint64_t key, value;
	struct counted found;
};

/* What the fingerprint needs to know of a local state. */
struct part {
	const struct local_state *of; /* NULL: a free entry of the table */
	uint64_t rest;                /* hash of everything but the places */
	size_t first;                 /* its first place */
	uint32_t places;
};

struct canonical {
	bool too_many; /* a counter has more than MOST_LIVE live counts */
	bool no_memory;
	struct live live[MOST_COUNTERS];
	struct part *part; /* hash table */
	size_t parts, slots;
	struct place *place; /* of all parts, one after the other */
	size_t places, place_room;
	hash_lane *lane; /* room for the bytes of a local state */
};

enum { FIRST_SLOTS = 1 << 10 };

struct canonical *canonical_open(void)
{
	struct canonical *c = calloc(1, sizeof *c);

	if (!c)
		return NULL;
	c->slots = FIRST_SLOTS;
	c->part = calloc(c->slots, sizeof *c->part);
	c->place_room = FIRST_SLOTS;
	c->place = malloc(c->place_room * sizeof *c->place);
	c->lane = malloc(sim.stack_size + sizeof(struct simulated_process) +
			 sim.own_words * sizeof(uint64_t));
	if (c->part && c->place && c->lane)
		return c;
	canonical_close(c);
	return NULL;
}

void canonical_close(struct canonical *c)
{
	if (!c)
		return;
	free(c->part);
	free(c->place);
	free(c->lane);
	free(c);
}

bool canonical_full(const struct canonical *c)
{
	return c->no_memory;
}

size_t canonical_bytes(const struct canonical *c)
{
	return c->slots * sizeof *c->part + c->place_room * sizeof *c->place;
}

/* Returns false if there is no room. */
static bool add_live(struct live *l, uint64_t count)
{
	unsigned at = l->count;

	while (at > 0 && l->old[at - 1] > count)
		at--;
	if (at > 0 && l->old[at - 1] == count)
		return true;
	if (l->count == MOST_LIVE)
		return false;
	memmove(&l->old[at + 1], &l->old[at], (l->count - at) * sizeof *l->old);
	l->old[at] = count;
	l->count++;
	return true;
}

static struct part *find_part(const struct canonical *c,
			      const struct local_state *s)
{
	size_t at = (uintptr_t)s / 16 * 0x9e3779b97f4a7c15u & (c->slots - 1);

	while (c->part[at].of && c->part[at].of != s)
		at = (at + 1) & (c->slots - 1);
	return &c->part[at];
}

static void grow_parts(struct canonical *c)
{
	struct part *old = c->part;
	size_t slots = c->slots;

	c->part = calloc(2 * slots, sizeof *c->part);
	if (!c->part) {
		c->part = old;
		c->no_memory = true;
		return;
	}
	c->slots = 2 * slots;
	for (size_t i = 0; i < slots; i++)
		if (old[i].of)
			*find_part(c, old[i].of) = old[i];
	free(old);
}

/* If the value belongs to a counter, add its place to the last part.  Returns
 * the value if it belongs to no counter, and otherwise 0. */
static uint64_t take_place(struct canonical *c, const struct counters *counters,
			   struct part *part, uint64_t key, uint64_t value)
{
	struct counted found;

	if (!counters_find(counters, value, &found))
		return value;
	if (c->places == c->place_room) {
		struct place *more = realloc(c->place,
					     2 * c->place_room * sizeof *more);

		if (!more) {
			c->no_memory = true;
			return value;
		}
		c->place = more;
		c->place_room *= 2;
	}
	c->place[c->places++] = (struct place){ key, value, found };
	part->places++;
	return 0;
}

/*
 * The words that the last pass of a process has read are part of the state only
 * where wakes are steps.
 */
static void describe_part(struct canonical *c, const struct world *w,
			  struct part *part, unsigned p)
{
	const struct local_state *s = part->of;
	const hash_lane *lane = (const hash_lane *)(const void *)
		local_state_bytes(s);
	const struct watched *watched = local_state_watched(s);

	part->first = c->places;
	part->places = 0;
	for (uint32_t i = 0; i < s->bytes / 8; i++)
		c->lane[i] = take_place(c, &w->counters, part,
					hash_key((uint64_t)(i + 1) << 32 | p),
					lane[i]);
	part->rest = hash_copy((char *)c->lane, (char *)c->lane, s->bytes, p);
	for (uint32_t i = 0; sim.wakes_are_steps && i < s->watch_count; i++) {
		uint64_t key = hash_key(((uint64_t)watched[i].word << 8) + p);

		part->rest += hash_word(key + 1,
					take_place(c, &w->counters, part, key,
						   watched[i].value));
	}
}

/* Returns what the fingerprint needs to know of the local state of p. */
static const struct part *part_of(struct canonical *c, const struct world *w,
				  unsigned p)
{
	struct part *part = find_part(c, w->current[p]);

	if (part->of)
		return part;
	if (2 * c->parts > c->slots) {
		grow_parts(c);
		part = find_part(c, w->current[p]);
	}
	c->parts++;
	part->of = w->current[p];
	describe_part(c, w, part, p);
	return part;
}

static void collect(struct canonical *c, const struct counted *found)
{
	if (!add_live(&c->live[found->form->number], found->count))
		c->too_many = true;
}

static void collect_all(struct canonical *c, const struct world *w)
{
	for (size_t i = 0; i < sim.word_count; i++) {
		struct counted found;

		if (counters_find(&w->counters, sim.words[i].value, &found))
			collect(c, &found);
	}
	for (unsigned p = 0; p < w->n; p++) {
		const struct part *part = part_of(c, w, p);

		for (uint32_t i = 0; i < part->places; i++)
			collect(c, &c->place[part->first + i].found);
	}
}

/* Returns the smallest difference that behaves like `difference`. */
static uint64_t shrink(const struct counter *rule, uint64_t difference)
{
	uint64_t period = rule->period ? rule->period : 1;

	if (difference < rule->gap)
		return difference;
	return rule->gap + (difference - rule->gap) % period;
}

static void renumber(struct live *l, const struct counter *rule)
{
	uint64_t period = rule->period ? rule->period : 1;

	for (unsigned i = 0; i < l->count; i++)
		l->new[i] = i ? l->new[i - 1] +
					    shrink(rule,
						   l->old[i] - l->old[i - 1])
			      : rule->period + l->old[0] % period;
}

static uint64_t renumbered(const struct live *l, uint64_t count)
{
	unsigned low = 0, high = l->count;

	while (high - low > 1) {
		unsigned middle = (low + high) / 2;

		if (l->old[middle] <= count)
			low = middle;
		else
			high = middle;
	}
	return l->old[low] == count ? l->new[low] : count;
}

static uint64_t renumber_value(const struct canonical *c,
			       const struct counters *counters, uint64_t value,
			       const struct counted *found)
{
	return counters_replace(counters, value, found,
				renumbered(&c->live[found->form->number],
					   found->count));
}

static uint64_t hash_local_state(struct canonical *c, const struct world *w,
				 unsigned p)
{
	const struct part *part = part_of(c, w, p);
	uint64_t h = part->rest;

	for (uint32_t i = 0; i < part->places; i++) {
		const struct place *place = &c->place[part->first + i];

		h += hash_word(place->key,
			       renumber_value(c, &w->counters, place->value,
					      &place->found));
	}
	return h;
}

static uint64_t hash_words(const struct canonical *c, const struct world *w)
{
	uint64_t h = 0;

	for (size_t i = 0; i < sim.all_words; i++) {
		uint64_t value = sim.words[i].value;
		struct counted found;

		if (i < sim.word_count &&
		    counters_find(&w->counters, value, &found))
			value = renumber_value(c, &w->counters, value, &found);
		h += hash_word(w->word_key[i], value);
	}
	return h;
}

uint64_t canonical_hash(struct canonical *c, const struct world *w)
{
	uint64_t h = w->monitor_hash;

	c->too_many = false;
	for (unsigned i = 0; i < w->counters.count; i++) {
		c->live[i].old[0] = 0;
		c->live[i].count = w->counters.rule[i].recurs;
	}
	collect_all(c, w);
	if (c->too_many)
		return w->hash;
	for (unsigned i = 0; i < w->counters.count; i++)
		renumber(&c->live[i], &w->counters.rule[i]);
	h += hash_words(c, w);
	for (unsigned p = 0; p < w->n; p++)
		h += hash_local_state(c, w, p);
	return h;
}
