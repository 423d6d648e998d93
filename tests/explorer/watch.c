/* SPDX-License-Identifier: BSD-2-Clause */
#include "watch.h"

#include "machine.h"

#include <assert.h>
#include <string.h>

void watch_forget(struct member *m)
{
	m->named = m->always = m->watches = 0;
	memset(m->watch, 0, sizeof m->watch);
}

static bool less(struct watched a, struct watched b)
{
	return a.word != b.word ? a.word < b.word : a.value < b.value;
}

void watch_note_read(struct member *m, uint64_t word, uint64_t v)
{
	struct watched new = { word, v };
	unsigned at = 0;

	while (at < m->watches && less(m->watch[at], new))
		at++;
	if (at < m->watches && !less(new, m->watch[at]))
		return;
	assert(m->watches < MOST_WATCHED);
	memmove(m->watch + at + 1, m->watch + at,
		(m->watches - at) * sizeof new);
	m->watch[at] = new;
	m->watches++;
}

/* Whether another pass may read other values than the last pass did. */
bool watch_may_differ(const struct state *s, unsigned p)
{
	const struct member *m = &s->member[p];

	for (unsigned i = 0; i < m->watches; i++)
		if (s->word[m->watch[i].word] != m->watch[i].value ||
		    (!machine_wakes && s->flux[m->watch[i].word]))
			return true;
	return m->always || m->watches == 0;
}

bool watch_sleeps_on(const struct state *s, unsigned p, unsigned word)
{
	const struct member *m = &s->member[p];

	for (unsigned i = 0; i < m->watches; i++)
		if (m->asleep && m->watch[i].word == word)
			return true;
	return false;
}

/* The process remembers on which words it sleeps, not their values. */
void watch_fall_asleep(struct state *s, unsigned p)
{
	struct member *m = &s->member[p];
	struct member before = *m;

	if (watch_may_differ(s, p)) {
		watch_forget(m);
		return;
	}
	watch_forget(m);
	for (unsigned i = 0; i < before.watches; i++)
		watch_note_read(m, before.watch[i].word, 0);
	m->asleep = 1;
}
