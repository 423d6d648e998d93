/* SPDX-License-Identifier: BSD-2-Clause */
#include "memory/simulated/store.h"

/* The store's own words, from sim.store on. */
enum {
	FAULTS,
	LEASES, /* one bit per process */
	COUNT,  /* the transactions made; used only if stamps are exact */
	NET     /* the requests on their way, oldest first */
};

/* A request on its way: a word that names its process, and one word per clause.
 * After the last request there is a 0. */
enum { NET_CLAUSES = TRANSACTION_CLAUSES - 1, NET_WORDS = 1 + NET_CLAUSES };

_Static_assert(NET + STORE_MOST_FAULTS * NET_WORDS == STORE_OWN_WORDS,
	       "sim_open makes room for the store's own words");

static uint64_t own_word(size_t word)
{
	return sim.words[sim.store + word].value;
}

static void set_own_word(size_t word, uint64_t value)
{
	if (own_word(word) != value)
		sim_change(sim.store + word, value);
}

static uint64_t cell_of(size_t word)
{
	return sim.words[word].value;
}

static bool guard_holds(const struct clause *c)
{
	size_t first = sim_index(c->word);
	bool present = false;

	switch ((enum clause_kind)c->kind) {
	case CLAUSE_ABSENT:
		return !cell_of(first);
	case CLAUSE_STAMP:
		return store_cell_stamp(cell_of(first)) == c->value;
	case CLAUSE_NONE:
		for (uint32_t i = 0; i < c->count; i++)
			if (cell_of(first + i))
				return false;
		return true;
	case CLAUSE_ALL:
		for (uint32_t i = 0; i < c->count; i++) {
			uint64_t cell = cell_of(first + i);

			if (cell && store_cell_value(cell) != c->value)
				return false;
			present |= cell != 0;
		}
		return present;
	default:
		return true;
	}
}

/* Whether all guards of the alternative that begins at clause `at` hold. */
static bool alternative_holds(const struct transaction *t, uint64_t at)
{
	for (; at < t->clauses && t->clause[at].kind != CLAUSE_ELSE; at++)
		if (!guard_holds(&t->clause[at]))
			return false;
	return true;
}

static uint64_t next_alternative(const struct transaction *t, uint64_t at)
{
	while (at < t->clauses && t->clause[at].kind != CLAUSE_ELSE)
		at++;
	return at + 1;
}

/*
 * Returns the next stamp.  Only two things matter: the order of the stamps,
 * and whether a word still has the stamp with which it was seen.  So a stamp
 * that is larger than the stamps of all present words is enough, and leads to
 * fewer states than a count of all transactions.  Tokens must grow even if the
 * words of earlier transactions are gone; they need the count.
 */
static uint64_t next_stamp(void)
{
	uint64_t last = 0;

	/* Words that init has made have the stamp 1. */
	if (sim.exact_stamps)
		return own_word(COUNT) + 2;
	for (size_t i = 0; i < sim.word_count; i++)
		if (store_cell_stamp(cell_of(i)) > last)
			last = store_cell_stamp(cell_of(i));
	return last + 1;
}

static void make_writes(unsigned p, const struct transaction *t, uint64_t at)
{
	uint64_t stamp = next_stamp();

	if (sim.exact_stamps)
		set_own_word(COUNT, own_word(COUNT) + 1);
	for (; at < t->clauses && t->clause[at].kind != CLAUSE_ELSE; at++) {
		const struct clause *c = &t->clause[at];

		if (c->kind == CLAUSE_PUT)
			sim_change(sim_index(c->word),
				   store_cell(stamp, (int)p, c->value));
		else if (c->kind == CLAUSE_SET)
			sim_change(sim_index(c->word),
				   store_cell(stamp, -1, c->value));
		else if (c->kind == CLAUSE_DROP)
			sim_change(sim_index(c->word), 0);
	}
}

static bool alternative_puts(const struct transaction *t, uint64_t at)
{
	for (; at < t->clauses && t->clause[at].kind != CLAUSE_ELSE; at++)
		if (t->clause[at].kind == CLAUSE_PUT)
			return true;
	return false;
}

int store_make(unsigned p, const struct transaction *t)
{
	int number = 0;

	for (uint64_t at = 0; at < t->clauses; number++) {
		if (alternative_holds(t, at)) {
			if (alternative_puts(t, at) && !store_has_lease(p))
				return MEM_LAPSED;
			make_writes(p, t, at);
			return number;
		}
		at = next_alternative(t, at);
	}
	return MEM_NONE;
}

bool store_has_lease(unsigned p)
{
	return own_word(LEASES) >> p & 1;
}

void store_grant(unsigned p)
{
	set_own_word(LEASES, own_word(LEASES) | UINT64_C(1) << p);
}

static size_t net_at(unsigned request)
{
	return NET + (size_t)request * NET_WORDS;
}

static unsigned requests(void)
{
	unsigned count = 0;

	while (count < STORE_MOST_FAULTS && own_word(net_at(count)))
		count++;
	return count;
}

/* Remove a request and close the gap, so that equivalent states are equal. */
static void remove_request(unsigned request)
{
	for (size_t i = net_at(request); i < net_at(STORE_MOST_FAULTS); i++)
		set_own_word(i, i + NET_WORDS < net_at(STORE_MOST_FAULTS)
					? own_word(i + NET_WORDS)
					: 0);
}

/* A clause in one word: kind, count, index of the word, value. */
static uint64_t pack(const struct clause *c)
{
	uint64_t word = c->word ? sim_index(c->word) : 0;

	return c->value << 32 | word << 16 | (uint64_t)c->count << 4 | c->kind;
}

static struct clause unpack(uint64_t packed)
{
	return (struct clause){ .kind = packed & 0xf,
				.count = packed >> 4 & 0xfff,
				.word = &sim.words[packed >> 16 & 0xffff],
				.value = packed >> 32 };
}

static struct transaction request_of(unsigned request)
{
	struct transaction t = mem_begin();

	for (size_t i = 0; i < NET_CLAUSES; i++) {
		struct clause c = unpack(own_word(net_at(request) + 1 + i));

		if (c.kind == CLAUSE_END)
			break;
		t.clause[t.clauses++] = c;
	}
	return t;
}

static bool is_of(unsigned request, unsigned p)
{
	return own_word(net_at(request)) == p + 1;
}

void store_delay(unsigned p, const struct transaction *t)
{
	size_t at = net_at(requests());

	/* A request names its lease, and no lease comes back: this request will
	 * do nothing, even if p gets another lease. */
	if (transaction_needs_lease(t) && !store_has_lease(p))
		return;
	set_own_word(at, p + 1);
	for (uint64_t i = 0; i < t->clauses && i < NET_CLAUSES; i++)
		set_own_word(at + 1 + i, pack(&t->clause[i]));
}

unsigned store_delayed(unsigned p)
{
	unsigned count = 0;

	for (unsigned r = requests(); r-- > 0;)
		count += is_of(r, p);
	return count;
}

void store_deliver(unsigned p, unsigned number)
{
	for (unsigned r = 0; r < requests(); r++) {
		if (is_of(r, p) && number-- == 0) {
			struct transaction t = request_of(r);

			remove_request(r);
			store_make(p, &t);
			return;
		}
	}
}

void store_end_lease(unsigned p)
{
	set_own_word(LEASES, own_word(LEASES) & ~(UINT64_C(1) << p));
	for (size_t i = 0; i < sim.word_count; i++)
		if (cell_of(i) && store_cell_owner(cell_of(i)) == (int)p)
			sim_change(i, 0);
	for (unsigned r = requests(); r-- > 0;) {
		struct transaction t = request_of(r);

		if (is_of(r, p) && transaction_needs_lease(&t))
			remove_request(r);
	}
}

bool store_is_seen(size_t word)
{
	size_t members = sim.word_count - 2 * sim.n;

	return word < members || word >= members + sim.n;
}

void store_look(unsigned p)
{
	uint64_t *seen = sim.process[p]->own + sim.view;

	for (size_t i = 0; i < sim.word_count; i++)
		seen[i] = store_is_seen(i) ? cell_of(i) : 0;
}

uint64_t store_faults(void)
{
	return sim.algorithm->over_store ? own_word(FAULTS) : 0;
}

/* Before a run begins: not a change that is taken back. */
void store_set_faults(uint64_t faults)
{
	sim.words[sim.store + FAULTS].value = faults;
}

void store_use_fault(void)
{
	set_own_word(FAULTS, own_word(FAULTS) - 1);
}
