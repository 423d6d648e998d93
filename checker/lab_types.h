/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The questions and answers of the laboratory (libatmost-lab) as plain data,
 * for the command and for the modules of the checker.
 */
#ifndef ATMOST_CHECKER_LAB_TYPES_H
#define ATMOST_CHECKER_LAB_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAB_API __attribute__((visibility("default")))

/* LAB_ERROR is the size of every `error` buffer. */
enum { LAB_MAX_N = 12, LAB_MAX_RESIZES = 8, LAB_ERROR = 512 };

enum lab_verdict { LAB_HOLDS, LAB_VIOLATED, LAB_BOUNDED, LAB_FAILED };

/* A number of -1, and 0 in `properties`, ask for the default. */
struct lab_question {
	const char *algorithm;
	int n, k, sessions;
	int passages[LAB_MAX_N]; /* for each process; 0: unbounded */
	int passage_count;       /* 0: the default; 1: one entry for all */
	int crashes, deaths, aborts;
	int faults;     /* most faults of the store; -1: none */
	bool no_clocks; /* a lease may end while its process is inside */
	int resize[LAB_MAX_RESIZES]; /* the values to which the last process
					sets k */
	int resize_count;    /* not 0: the last process makes no passages */
	unsigned properties; /* bit i: property number i */
	/* bit p: the bounded-* properties count the steps of process p; 0: of
	 * all processes */
	unsigned steps_of;
	bool random;
	uint64_t seed;
	int depth;
	double seconds;       /* 0: no limit */
	uint64_t memory;      /* bytes; 0: half of the machine's memory */
	int workers;          /* 0: two */
	bool make_every_move; /* do not use the cache of moves; for tests */
	/* record the graph even if there are no cycles; for tests */
	bool keep_graph;
	/* fail if two different states have the same fingerprint; for tests */
	bool find_collisions;
	/* use the rules of the algorithm's counters although passages are
	 * bounded; for tests */
	bool canonical;
};

struct lab_progress {
	const char *stage;
	uint64_t states, transitions, depth, memory, memory_limit;
	double seconds, seconds_limit;
};

struct lab_step {
	unsigned step, process;
	bool is_loop; /* the schedule repeats from this step on */
	char label[24];
	char action[48]; /* "read", "write", ... */
	char word[48];   /* empty: no access */
	uint64_t old, new;
	bool changed;
	/* whether the access is remote, with a cache that is not smart, with a
	 * smart cache, and in the DSM model; valid if has_cost */
	bool has_cost, remote_cc, remote_smart, remote_dsm;
	char event[48]; /* "enters", "leaves", ... ; may be empty */
};

struct lab_answer {
	/* the question, with its defaults filled in */
	const char *algorithm;
	unsigned n, k, sessions, passages[LAB_MAX_N], crashes, deaths, aborts,
		faults;
	bool no_clocks;
	unsigned passers; /* processes that make passages: n, or n-1 if the
			     last one resizes */
	unsigned resize[LAB_MAX_RESIZES], resizes;
	unsigned asked;    /* properties */
	unsigned steps_of; /* as in struct lab_question */

	enum lab_verdict verdict;
	/* NULL, "time", "memory", "depth", "transitions", "random" */
	const char *bound;
	unsigned violated;  /* properties */
	unsigned undecided; /* properties neither violated nor proved */
	unsigned first;     /* the property that the schedule violates */
	uint64_t states, transitions, depth;
	double seconds, bytes_per_state, error_probability;
	char *schedule; /* NULL: none */
	struct lab_step *step;
	size_t steps;
	char why[256];     /* describes the last state */
	char message[256]; /* LAB_FAILED: what went wrong */
};

struct lab_algorithm {
	const char *name, *source, *kind;
	unsigned promises, primitives;
	bool simulated_only, native, over_store, abortable, recoverable,
		tolerates_crashes, finite_state, is_twin;
	bool unbounded; /* --passages 0 is possible */
	const char *rmr_cc, *rmr_dsm;
	const char *rmr_cc_smart;     /* NULL: the same as rmr_cc */
	const char *rmr_cc_keeps;     /* NULL: the same as rmr_cc */
	const char *rmr_cc_amortised; /* NULL: no claim */
	bool bound_cc, bound_dsm; /* the bound has a value, not only a text */
	const char *component;    /* NULL: not a composition */
};

enum lab_model { LAB_CC, LAB_DSM };

struct lab_measure {
	const char *algorithm;
	int n, k, sessions, contention; /* contention 0 means n */
	enum lab_model model;
	bool smart_cache;
	bool writer_keeps; /* a write leaves the writer a valid copy */
	/* NULL: search all schedules if n is small, else run all adversaries */
	const char *adversary;
	uint64_t seed;
	double seconds;
	uint64_t steps; /* if not 0: limit per adversary, instead of seconds */
	bool aborts;    /* waiters give up now and then */
	uint64_t memory;
};

struct lab_row {
	const char *algorithm, *method, *bound_text;
	unsigned n, k, contention;
	bool smart_cache, writer_keeps, has_worst, has_mean, has_bound,
		has_outside;
	bool aborts;    /* waiters gave up, so no bound applies */
	bool too_large; /* not measured: n is too large for this algorithm */
	uint64_t worst, bound, passages, states;
	/* the worst cost that a search of all schedules found, even if the
	 * search did not end in time */
	uint64_t searched;
	uint64_t worst_outside; /* the worst cost outside the component */
	uint64_t bound_outside; /* valid if has_bound_outside */
	bool has_bound_outside;
	bool has_together; /* true for --adversary danek-5.1 */
	unsigned together; /* most processes of one session inside together */
	const char *bound_outside_text;
	double mean;
	/* The amortised cost is the number of remote references of all passages
	 * divided by the number of passages, in the run of the adversary for
	 * which this quotient is largest.  If this adversary runs alone with
	 * the same seed and steps, it causes the same cost again. */
	double amortised;
	const char *amortised_by;
	uint64_t amortised_seed, bound_amortised;
	bool has_amortised, has_bound_amortised;
	const char *amortised_text; /* NULL: the algorithm claims no bound */
	char waits_on[48]; /* DSM, if unbounded: the remote word waited on */
	char note[256];
};

#endif
