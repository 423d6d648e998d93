/* SPDX-License-Identifier: BSD-2-Clause */
#include "transaction_request.h"

#include "request.h"
#include "values.h"

/* Returns whether the clause is about a whole range, and not about one key. */
static bool is_whole(const struct clause *clause)
{
	return clause->kind == CLAUSE_NONE || clause->kind == CLAUSE_ALL;
}

/* Finds the key of a word.  The word of a process without a lease has no key,
 * but a range always has one. */
static bool find_key(const struct word_names *names,
		     const struct clause *clause, struct key *key)
{
	const size_t at = (size_t)(clause->word - names->words);
	unsigned range = STORE_RANGES;
	size_t row;

	if (clause->word < names->words ||
	    at >= store_at(STORE_RANGES, names->slots, names->rows))
		return false;
	do
		row = at - store_at((enum store_range)-- range, names->slots,
				    names->rows);
	while (at <
	       store_at((enum store_range)range, names->slots, names->rows));
	*key = (struct key){ .range = (enum store_range)range };
	if (range == STORE_SLOT)
		key->slot = (unsigned)row;
	else if (range != STORE_POOL)
		key->lease = names->leases[row];
	if (range == STORE_SLOT)
		return row < KEY_SLOTS_MOST;
	return range == STORE_POOL || key->lease || is_whole(clause);
}

static void add_guard(struct text *text, const struct clause *clause,
		      const struct key *key, const struct word_names *names)
{
	const bool range = is_whole(clause);
	char name[KEY_ROOM], value[VALUE_ROOM];
	struct key_range keys = { name, range && key->range != STORE_POOL };

	if (range)
		key_print_range(name, names->root, key->range);
	else
		key_print(name, names->root, key);
	if (clause->kind == CLAUSE_ALL) {
		value_print(value, key->range, names->groups, clause->value);
		request_if_value(text, keys, value);
	} else if (clause->kind == CLAUSE_STAMP) {
		request_if_modified(text, keys, (int64_t)clause->value);
	} else {
		request_if_created(text, keys, 0);
	}
}

static void add_write(struct text *text, const struct clause *clause,
		      const struct key *key, const struct word_names *names)
{
	char name[KEY_ROOM], value[VALUE_ROOM];

	key_print(name, names->root, key);
	value_print(value, key->range, names->groups, clause->value);
	if (clause->kind == CLAUSE_DROP)
		request_delete(text, (struct key_range){ name, false });
	else
		request_put(text, name,
			    key->range == STORE_MEMBER ? names->member : value,
			    clause->kind == CLAUSE_PUT ? names->lease : 0);
}

static bool is_guard(const struct clause *clause)
{
	return clause->kind >= CLAUSE_ABSENT && clause->kind <= CLAUSE_ALL;
}

/* An alternative ends at CLAUSE_ELSE or CLAUSE_END. */
static const struct clause *end_of(const struct clause *clause)
{
	while (clause->kind > CLAUSE_ELSE)
		clause++;
	return clause;
}

static bool has_guard(const struct clause *clause, const struct clause *guard)
{
	for (; clause->kind > CLAUSE_ELSE; clause++)
		if (clause->kind == guard->kind &&
		    clause->count == guard->count &&
		    clause->word == guard->word &&
		    clause->value == guard->value)
			return true;
	return false;
}

/* What a clause is in the request.  If a transaction has several alternatives,
 * a guard of all of them is written once, before them. */
enum role { COMMON_GUARD, OWN_GUARD, WRITE };

static enum role role_of(const struct transaction *t,
			 const struct clause *clause)
{
	const struct clause *from = t->clause, *end = end_of(from);

	if (!is_guard(clause))
		return WRITE;
	if (end->kind == CLAUSE_END)
		return OWN_GUARD;
	for (;; from = end + 1, end = end_of(from)) {
		if (!has_guard(from, clause))
			return OWN_GUARD;
		if (end->kind == CLAUSE_END)
			return COMMON_GUARD;
	}
}

static int count_of(const struct transaction *t, const struct clause *clause,
		    enum role role)
{
	int count = 0;

	for (; clause->kind > CLAUSE_ELSE; clause++)
		count += role_of(t, clause) == role;
	return count;
}

/* Adds the clauses of this role from the alternative that begins at the clause.
 * Returns how many there are, or -1 if a word has no key. */
static int add_clauses(struct text *text, const struct transaction *t,
		       const struct clause *clause, enum role role,
		       const struct word_names *names)
{
	struct key key;
	int count = 0;

	for (; clause->kind > CLAUSE_ELSE; clause++) {
		if (role_of(t, clause) != role)
			continue;
		if (!find_key(names, clause, &key))
			return -1;
		if (count++)
			text_add(text, ",", 1);
		if (role == WRITE)
			add_write(text, clause, &key, names);
		else
			add_guard(text, clause, &key, names);
	}
	return count;
}

/* Adds the alternatives; each is in the failure branch of the alternative
 * before it.  The last alternative needs no transaction around its writes if it
 * has no guards of its own. */
static bool add_alternatives(struct text *text, const struct transaction *t,
			     const struct word_names *names,
			     struct transaction_form *form)
{
	const struct clause *clause = t->clause, *end = end_of(clause);
	unsigned depth = 0;

	for (;; clause = end + 1, end = end_of(clause)) {
		int writes;

		if (form->alternatives ==
		    sizeof form->writes / sizeof form->writes[0])
			return false;
		form->bare_last = form->alternatives &&
				  end->kind == CLAUSE_END &&
				  count_of(t, clause, OWN_GUARD) == 0;
		if (!form->bare_last) {
			request_nested(text);
			depth++;
			if (add_clauses(text, t, clause, OWN_GUARD, names) < 0)
				return false;
			request_success(text);
		}
		writes = add_clauses(text, t, clause, WRITE, names);
		if (writes < 0)
			return false;
		form->writes[form->alternatives++] = (unsigned)writes;
		if (end->kind == CLAUSE_END)
			break;
		request_failure(text);
	}
	while (depth--)
		request_nested_ends(text);
	return true;
}

static bool add_transaction(struct text *text, const struct transaction *t,
			    const struct word_names *names,
			    struct transaction_form *form)
{
	form->common = count_of(t, t->clause, COMMON_GUARD) > 0;
	if (!form->common)
		return add_alternatives(text, t, names, form);
	request_nested(text);
	if (add_clauses(text, t, t->clause, COMMON_GUARD, names) < 0)
		return false;
	request_success(text);
	if (!add_alternatives(text, t, names, form))
		return false;
	request_nested_ends(text);
	return true;
}

/* Notes the form of the next range, and adds the comma before it. */
static void begin_range(struct text *text, struct transaction_form *form,
			struct range_form range)
{
	if (form->ranges)
		text_add(text, ",", 1);
	form->range[form->ranges++] = range;
}

/* Adds all keys of a range. */
static void add_range(struct text *text, const char *root,
		      enum store_range range, struct transaction_form *form)
{
	char name[KEY_ROOM];

	begin_range(text, form, (struct range_form){ 0 });
	key_print_range(name, root, range);
	request_range(text, (struct key_range){ name, range != STORE_POOL });
}

/* Adds ranges over the waiters.  A key in two ranges comes twice, each time
 * with the same value, because etcd reads all ranges at one instant. */
static void add_waiters(struct text *text, const char *root,
			const struct queue_part *part,
			struct transaction_form *form)
{
	const struct key own = { .range = STORE_WAITER, .lease = part->lease };
	char name[KEY_ROOM];
	const struct key_range all = { name, true };

	if (part->head == 0) {
		add_range(text, root, STORE_WAITER, form);
		return;
	}
	key_print_range(name, root, STORE_WAITER);
	begin_range(text, form, (struct range_form){ .most = part->head });
	request_first(text, all, part->head);
	if (part->nearest) {
		begin_range(text, form,
			    (struct range_form){ part->nearest, true });
		request_last_before(text, all, part->nearest, part->before);
	}
	if (part->lease) {
		begin_range(text, form, (struct range_form){ 0 });
		key_print(name, root, &own);
		request_range(text, (struct key_range){ name, false });
	}
}

static void add_ranges(struct text *text, const char *root,
		       const struct queue_part *part,
		       struct transaction_form *form)
{
	char pool[KEY_ROOM], slots[KEY_ROOM];

	/* R/pool and R/s/ are neighbours, and one range costs less than two. */
	key_print_range(pool, root, STORE_POOL);
	key_print_range(slots, root, STORE_SLOT);
	begin_range(text, form, (struct range_form){ 0 });
	request_range_from(text, pool, slots);
	add_waiters(text, root, part, form);
}

bool request_of_transaction(struct text *text, const struct transaction *t,
			    const struct word_names *names,
			    const struct queue_part *part,
			    struct transaction_form *form)
{
	*form = (struct transaction_form){ 0 };
	request_begin(text);
	request_success(text);
	if (!add_transaction(text, t, names, form))
		return false;
	text_add(text, ",", 1);
	add_ranges(text, names->root, part, form);
	request_end(text);
	return !text->failed;
}

void request_of_look(struct text *text, const char *root,
		     const struct queue_part *part,
		     struct transaction_form *form)
{
	*form = (struct transaction_form){ 0 };
	request_begin(text);
	request_success(text);
	add_ranges(text, root, part, form);
	request_end(text);
}

void request_of_status(struct text *text, const char *root,
		       struct transaction_form *form)
{
	static const struct queue_part all;

	*form = (struct transaction_form){ 0 };
	request_begin(text);
	request_success(text);
	add_ranges(text, root, &all, form);
	add_range(text, root, STORE_MEMBER, form);
	request_end(text);
}
