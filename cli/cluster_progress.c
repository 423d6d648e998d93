/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/cluster_progress.h"

#include "cli/pool_view.h"
#include "cli/safe_text.h"
#include "cli/terminal_line.h"
#include "cluster/member_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	FIRST = 100,       /* ms of waiting before the first message */
	ON_TERMINAL = 250, /* ms between messages on a terminal */
	IN_FILE = 500      /* ms between messages in a file */
};

struct cluster_progress {
	const char *pool;
	int64_t next; /* 0: the wait has not begun */
	bool changed; /* since etcd was asked */
	char last[1024];
	/* What etcd said last; `taken` are keys of slots and of members. */
	struct seen_keys taken;
	unsigned position, waiters;
};

struct cluster_progress *cluster_progress_new(const char *pool)
{
	struct cluster_progress *p = calloc(1, sizeof *p);

	if (p)
		p->pool = pool;
	return p;
}

void cluster_progress_free(struct cluster_progress *p)
{
	if (!p)
		return;
	seen_keys_free(&p->taken);
	free(p);
}

static int64_t after(int milliseconds)
{
	return wire_now() + (int64_t)milliseconds * 1000000;
}

int64_t cluster_progress_at(const struct cluster_progress *p, int64_t until)
{
	return p && p->next && p->next < until &&
			       (p->changed || isatty(STDERR_FILENO))
		       ? p->next
		       : until;
}

/* Asks etcd, and counts the waiters.  False: etcd did not answer. */
static bool ask(struct cluster_progress *p, struct etcd *etcd)
{
	const int64_t own = etcd->lease->id;
	int64_t ticket = 0;
	struct key key;

	seen_keys_free(&p->taken);
	p->position = p->waiters = 0;
	if (!etcd_status(etcd, &p->taken))
		return false;
	for (size_t i = 0; i < p->taken.count; i++)
		if (key_parse(&key, etcd->replica.root, p->taken.keys[i].key,
			      p->taken.keys[i].key_length) &&
		    key.range == STORE_WAITER && key.lease == own)
			ticket = p->taken.keys[i].modified;
	for (size_t i = 0; i < p->taken.count; i++) {
		const struct seen_key *seen = &p->taken.keys[i];

		if (!key_parse(&key, etcd->replica.root, seen->key,
			       seen->key_length) ||
		    key.range != STORE_WAITER)
			continue;
		p->waiters++;
		p->position += ticket && seen->modified <= ticket;
	}
	return true;
}

/* Finds the member that has this lease. */
static bool find_member(const struct cluster_progress *p, const char *root,
			int64_t lease, struct member_text *member)
{
	struct key key;

	for (size_t i = 0; i < p->taken.count; i++) {
		const struct seen_key *seen = &p->taken.keys[i];

		if (seen->lease == lease &&
		    key_parse(&key, root, seen->key, seen->key_length) &&
		    key.range == STORE_MEMBER)
			return member_text_read(member, seen->value,
						seen->value_length);
	}
	return false;
}

/* The clocks of two machines differ, so the age is not exact. */
static void describe_age(FILE *to, int64_t since)
{
	struct timespec wall, begun;
	int64_t age;

	clock_gettime(CLOCK_REALTIME, &wall);
	clock_gettime(CLOCK_MONOTONIC, &begun);
	age = wall.tv_sec - since / 1000000000;
	begun.tv_sec -= (time_t)age;
	if (since)
		fprintf(to, " %s", pool_view_age(begun).text);
}

static void describe_holder(FILE *to, const struct member_text *member,
			    bool ages)
{
	safe_text_print(to, member->command);
	if (member->label[0]) {
		fputs(" of ", to);
		safe_text_print(to, member->label);
	}
	fprintf(to, " (%jd on ", (intmax_t)member->pid);
	safe_text_print(to, member->host);
	fputc(')', to);
	if (ages)
		describe_age(to, member->since);
}

static void describe(FILE *to, const struct cluster_progress *p,
		     const struct etcd *etcd, bool ages)
{
	const char *between = "; inside: ", *root = etcd->replica.root;
	struct member_text member;
	struct key key;

	fprintf(to, "atmost: waiting for %s, position %u of %u", p->pool,
		p->position, p->waiters);
	for (size_t i = 0; i < p->taken.count; i++) {
		const struct seen_key *seen = &p->taken.keys[i];

		if (!key_parse(&key, root, seen->key, seen->key_length) ||
		    key.range != STORE_SLOT)
			continue;
		fputs(between, to);
		if (find_member(p, root, seen->lease, &member))
			describe_holder(to, &member, ages);
		else
			fputs("unknown", to);
		between = ", ";
	}
	fprintf(to, "; etcd %s, lease %jd s", wire_endpoint(etcd->wire),
		(intmax_t)etcd->lease->seconds);
}

void cluster_progress_show(struct cluster_progress *p, struct etcd *etcd,
			   bool changed)
{
	const bool terminal = isatty(STDERR_FILENO);
	char line[sizeof p->last] = "";
	FILE *to;

	if (!p)
		return;
	if (!p->next)
		p->next = after(FIRST);
	p->changed |= changed;
	if (wire_now() < p->next)
		return;
	p->next = after(terminal ? ON_TERMINAL : IN_FILE);
	if (p->changed && !ask(p, etcd))
		return;
	p->changed = false;
	to = fmemopen(line, sizeof line - 1, "w");
	if (!to)
		return;
	describe(to, p, etcd, terminal);
	fclose(to);
	/* Position 0: this process has just entered. */
	if (!p->position || strcmp(line, p->last) == 0)
		return;
	if (terminal)
		terminal_line_rewrite(line);
	else
		fprintf(stderr, "%s\n", line);
	memcpy(p->last, line, sizeof p->last);
}

void cluster_progress_erase(const struct cluster_progress *p)
{
	if (p)
		terminal_line_erase();
}
