/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Figures: small concurrent programs with an outcome.  The files figures.def
 * and known.def consist of these lines:
 *
 *   FIGURE(name, "claim")                begins a figure
 *   PROCESS                              begins a process
 *   READ(register, word, order)          steps of the process
 *   WRITE(word, value, order)
 *   ADD(register, word, value, order)    the register gets the old value
 *   SWAP(register, word, value, order)   likewise
 *   FENCE(order)
 *   FORBIDDEN                            begins the outcome
 *   IS(register, value)                  all these must hold
 *   END
 *
 * All words are 0 at first.  No two processes use a register of the same name.
 * An order is relaxed, acquire, release, acq_rel or seq_cst.
 */
#ifndef ATMOST_TESTS_LITMUS_FIGURE_H
#define ATMOST_TESTS_LITMUS_FIGURE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { MOST_WORDS = 4, MOST_STEPS = 12, MOST_REGISTERS = 8, MOST_TERMS = 6 };

enum step_kind {
	STEP_NONE,
	STEP_PROCESS,
	STEP_READ,
	STEP_WRITE,
	STEP_ADD,
	STEP_SWAP,
	STEP_FENCE
};

/* A line of a figure, as in the .def file. */
struct figure_line {
	enum step_kind kind;
	const char *word, *result;
	unsigned value;
	memory_order order;
};

struct figure_term {
	const char *result;
	unsigned value;
};

struct figure {
	const char *name, *claim;
	struct figure_line line[MOST_STEPS + 5]; /* STEP_NONE ends them */
	struct figure_term term[MOST_TERMS + 1]; /* NULL ends them */
};

/* The last element of each array has no name. */
extern const struct figure figures[], known_figures[];

/* A figure in which numbers have replaced the names. */
struct step {
	enum step_kind kind;
	unsigned process, word, result, value;
	memory_order order;
};

struct program {
	unsigned processes, words, steps, registers, terms;
	struct step step[MOST_STEPS]; /* process by process */
	struct {
		unsigned result, value;
	} term[MOST_TERMS];
};

/* Returns false if the figure is not well-formed: it is too large, reads into
 * one register in two steps, or its outcome names an unknown register. */
bool program_of(const struct figure *figure, struct program *program);

static inline bool step_reads(const struct step *s)
{
	return s->kind == STEP_READ || s->kind == STEP_ADD ||
	       s->kind == STEP_SWAP;
}

static inline bool step_writes(const struct step *s)
{
	return s->kind == STEP_WRITE || s->kind == STEP_ADD ||
	       s->kind == STEP_SWAP;
}

#endif
