/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads one instruction: its operands, the word that it accesses and its
 * test. */
#ifndef ATMOST_TESTS_EXPLORER_INSTRUCTION_H
#define ATMOST_TESTS_EXPLORER_INSTRUCTION_H

#include "state.h"

static inline const struct instruction *line(const struct member *m)
{
	return &program.code[m->body].line[m->pc];
}

static inline uint64_t value(const struct state *s, unsigned p,
			     struct operand o)
{
	const struct member *m = &s->member[p];

	switch ((enum operand_kind)o.kind) {
	case A_LOCAL:
		return m->local[o.value];
	case AN_ID:
		return p + 1;
	case A_SESSION:
		return m->body == BODY_RESIZE ? 0 : m->session;
	case AN_OPERATION:
		return m->operation;
	case AN_ARGUMENT:
		return m->argument;
	default:
		return o.value;
	}
}

static inline unsigned word_of(unsigned p, struct address a)
{
	return a.place == PLACE_FIXED
		       ? a.word
		       : PLAIN_WORDS + (p + a.place - PLACE_MINE) % program.n;
}

static inline bool holds(unsigned test, uint64_t v, uint64_t bound)
{
	return test == TEST_EQUAL       ? v == bound
	       : test == TEST_DIFFERENT ? v != bound
	       : test == TEST_BELOW     ? v < bound
					: v >= bound;
}

#endif
