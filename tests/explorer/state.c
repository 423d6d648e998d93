/* SPDX-License-Identifier: BSD-2-Clause */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

size_t state_size(void)
{
	return sizeof(struct state) +
	       (program.code[BODY_APPLY].exists
			? MOST_EXPLANATIONS * sizeof(struct explanation)
			: 0);
}

struct state *state_copy(const struct state *s)
{
	struct state *copy = malloc(state_size());

	if (!copy)
		abort();
	memcpy(copy, s, state_size());
	return copy;
}

struct state *state_first(void)
{
	struct state *s = calloc(1, state_size());

	if (!s)
		abort();
	for (unsigned i = 0; i < program_words(&program); i++)
		s->word[i] = program.first[i];
	for (unsigned p = 0; p < program.n; p++) {
		struct member *m = &s->member[p];

		m->passages = machine_is_resizer(p) ? program.resizes
			      : program.passages[p] ? program.passages[p]
						    : FOR_EVER;
		m->aborts = program.aborts;
	}
	s->deaths = program.deaths;
	s->limit = program.k;
	s->explanations = program.code[BODY_APPLY].exists;
	return s;
}
