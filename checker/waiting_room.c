/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/waiting_room.h"

#include <stdlib.h>

/* One process waiting for one word; both neighbours, for it leaves with all
 * its tickets though only one word has changed. */
struct ticket {
	uint32_t next, previous; /* 1 + number; 0: none */
	uint32_t word;
};

bool waiting_room_open(struct waiting_room *r, size_t room)
{
	r->room = room;
	r->first = calloc(sim.all_words + 1, sizeof *r->first);
	r->ticket = calloc(sim.n * room, sizeof *r->ticket);
	r->tickets = calloc(sim.n, sizeof *r->tickets);
	r->released = calloc(sim.n, sizeof *r->released);
	r->released_count = 0;
	return r->first && r->ticket && r->tickets && r->released &&
	       sim.n * room < UINT32_MAX;
}

void waiting_room_close(struct waiting_room *r)
{
	free(r->first);
	free(r->ticket);
	free(r->tickets);
	free(r->released);
}

void waiting_room_enter(struct waiting_room *r, unsigned p)
{
	const struct errand *e = &sim.errand[p];

	for (uint32_t i = 0; i < e->watch_count && i < r->room; i++) {
		uint32_t number = (uint32_t)(p * r->room + i) + 1;
		struct ticket *t = &r->ticket[number - 1];

		t->word = e->watched[i].word;
		t->previous = 0;
		t->next = r->first[t->word];
		if (t->next)
			r->ticket[t->next - 1].previous = number;
		r->first[t->word] = number;
		r->tickets[p] = i + 1;
	}
}

static void hand_back(struct waiting_room *r, const struct ticket *t)
{
	if (t->next)
		r->ticket[t->next - 1].previous = t->previous;
	if (t->previous)
		r->ticket[t->previous - 1].next = t->next;
	else
		r->first[t->word] = t->next;
}

void waiting_room_leave(struct waiting_room *r, unsigned p)
{
	for (uint32_t i = 0; i < r->tickets[p]; i++)
		hand_back(r, &r->ticket[p * r->room + i]);
	r->tickets[p] = 0;
}

static void let_go(struct waiting_room *r, unsigned p)
{
	waiting_room_leave(r, p);
	r->released[r->released_count++] = p;
}

void waiting_room_release(struct waiting_room *r)
{
	r->released_count = 0;
	for (size_t i = 0; i < sim.change_count; i++) {
		uint32_t word = sim.changes[i].word;

		/* A write of the same value changes nothing. */
		if (sim.words[word].value == sim.changes[i].old)
			continue;
		while (r->first[word])
			let_go(r, (unsigned)((r->first[word] - 1) / r->room));
	}
}
