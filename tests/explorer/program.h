/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A random program: a small algorithm as tables of instructions, and a question
 * about it.  subject.c executes the tables through memory/mem.h, for the
 * checker; machine.c executes them by itself, for the explorer.
 */
#ifndef ATMOST_TESTS_EXPLORER_PROGRAM_H
#define ATMOST_TESTS_EXPLORER_PROGRAM_H

#include "algorithm.h"

enum {
	MOST_N = 3,
	PLAIN_WORDS = 3, /* the safe registers follow */
	MOST_WORDS = PLAIN_WORDS + MOST_N,
	LOCALS = 2,
	OWN_WORDS = 2,
	MOST_CODE = 14,
	MOST_RESIZES = 2,
	DOMAIN = 2,  /* safe registers hold values below this one */
	BY_LIMIT = 2 /* for LARGE_TAKE: the word that holds k */
};

enum op {
	OP_READ,
	OP_WRITE,
	OP_ADD,
	OP_SWAP,
	OP_CAS,
	OP_TAS,
	OP_SAFE_READ,
	OP_SAFE_WRITE,
	OP_LARGE,
	OP_AWAIT,
	OP_AWAIT_SAFE,
	OP_AWAIT_ANY,
	OP_WAKE,
	OP_NAME,  /* wait_for_change */
	OP_SLEPT, /* wait_slept */
	OP_DOORWAY_ENDS,
	OP_SET,
	OP_OWN_READ,
	OP_OWN_WRITE,
	OP_SLOT,
	OP_JUMP, /* jump if the test holds for the local */
	OP_RETURN,
	OP_COUNT
};

enum operand_kind {
	A_CONSTANT,
	A_LOCAL,
	AN_ID, /* the id of the process, plus 1 */
	A_SESSION,
	AN_OPERATION,
	AN_ARGUMENT,
	OPERAND_COUNT
};

struct operand {
	uint8_t kind, value;
};

enum test { TEST_EQUAL, TEST_DIFFERENT, TEST_BELOW, TEST_NOT_BELOW };

/* Which word an instruction accesses: a fixed word, or the safe register of the
 * process itself, of the next process, or of the process after the next. */
enum place { PLACE_FIXED, PLACE_MINE, PLACE_NEXT, PLACE_AFTER_NEXT };

struct address {
	uint8_t place, word;
};

/* The large steps. */
enum large {
	LARGE_TAKE,    /* if word 0 is below the limit: add 1, return 1 */
	LARGE_RELEASE, /* if word 0 is not 0: subtract 1 */
	LARGE_CLAIM,   /* if word 0 is 0: write the id plus 1, return 1 */
	LARGE_SWAP,    /* exchange words 0 and 1 */
	LARGE_COUNT
};

struct instruction {
	uint8_t op, local, test, target;
	struct address at, second;
	struct operand a, b;
};

enum body {
	BODY_ENTER,
	BODY_DOORWAY,
	BODY_POLL,
	BODY_SETTLE,
	BODY_LEAVE,
	BODY_ABORT,
	BODY_RECOVER,
	BODY_RESIZE,
	BODY_APPLY,
	BODY_FINISH,
	BODY_COUNT
};

struct code {
	uint8_t exists, length;
	struct instruction line[MOST_CODE];
};

struct program {
	uint64_t seed;
	uint64_t first[MOST_WORDS]; /* the initial values of the words */
	struct code code[BODY_COUNT];
	uint8_t kind; /* enum kind */
	uint8_t safe; /* 1: the program has safe registers */
	uint8_t retries, naps, persistent;
	uint8_t quiet_word, quiet_value;
	uint8_t invariant_word, invariant_value, invariant_phase;
	uint8_t bounds; /* the program states step bounds */
	uint8_t doorway_steps, leave_steps, abort_steps, apply_steps;
	uint8_t finish_steps, solo_steps, most_bypasses;

	unsigned n, k, sessions, crashes, deaths, aborts, steps_of;
	unsigned resize[MOST_RESIZES], resizes;
	unsigned passages[MOST_N]; /* 0: unbounded */
	unsigned asked;
};

/* The program that the algorithm `random-program` executes. */
extern struct program program;

void program_generate(struct program *p, uint64_t seed);
void program_print(const struct program *p);
unsigned program_words(const struct program *p);

/* Fill in the table of the algorithm `random-program` from `program`. */
void table_fill(void);

extern struct algorithm table;

#endif
