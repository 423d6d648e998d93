/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libatmost-lab: the model checker and the meter, as the command uses them.
 *
 * Questions are plain data; a check runs in child processes and is advanced in
 * slices, so that whoever asked can show how far it is.
 */
#ifndef ATMOST_CHECKER_LAB_H
#define ATMOST_CHECKER_LAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAB_API __attribute__((visibility("default")))

enum { LAB_MAX_N = 12, LAB_MAX_RESIZES = 8, LAB_ERROR = 512 };

enum lab_verdict { LAB_HOLDS, LAB_VIOLATED, LAB_BOUNDED, LAB_FAILED };

/* -1 in a number, 0 in `properties`: the default. */
struct lab_question {
	const char *algorithm;
	int n, k, sessions;
	int passages[LAB_MAX_N]; /* 0: unbounded */
	int passage_count;       /* 0: the default; 1: the same for all */
	int crashes, deaths, aborts;
	int resize[LAB_MAX_RESIZES]; /* what the last process sets k to; */
	int resize_count;            /* not 0: then it makes no passages */
	unsigned properties;         /* bits by lab_property_number */
	unsigned steps_of; /* bits: bounded-* is asked of these processes
				    alone; 0: of all */
	bool random;
	uint64_t seed;
	int depth;
	double seconds;       /* 0: no limit */
	uint64_t memory;      /* bytes; 0: half of this machine's */
	int workers;          /* 0: two */
	bool make_every_move; /* look none up: to test the looking up */
	bool keep_graph;      /* also without cycles: to test their absence */
};

struct lab_progress {
	const char *stage;
	uint64_t states, transitions, depth, memory, memory_limit;
	double seconds, seconds_limit;
};

struct lab_step {
	unsigned step, process;
	bool is_loop; /* from here on the schedule repeats */
	char label[24];
	char action[48]; /* "read", "write", ... */
	char word[48];   /* empty: no access */
	uint64_t old, new;
	bool changed;
	char event[48]; /* "enters", "leaves", ... ; may be empty */
};

struct lab_answer {
	/* the question, defaults filled in */
	const char *algorithm;
	unsigned n, k, sessions, passages[LAB_MAX_N], crashes, deaths, aborts;
	unsigned passers; /* so many make passages: n, or n-1 if one resizes */
	unsigned resize[LAB_MAX_RESIZES], resizes;
	unsigned asked;
	unsigned steps_of; /* bits; 0: all */

	enum lab_verdict verdict;
	const char *bound;  /* NULL, "time", "memory", "depth", "random" */
	unsigned violated;  /* properties */
	unsigned undecided; /* properties neither violated nor holding */
	unsigned first;     /* the property the schedule violates */
	uint64_t states, transitions, depth;
	double seconds, bytes_per_state, error_probability;
	char *schedule; /* NULL: none */
	struct lab_step *step;
	size_t steps;
	char why[256];     /* what is wrong in the last state */
	char message[256]; /* LAB_FAILED: what went wrong */
};

struct lab_check;

/* NULL: a question that cannot be asked, and `error` says why. */
LAB_API struct lab_check *lab_check_start(const struct lab_question *q,
					  char *error);

/* Go on for about so long.  False: it is finished. */
LAB_API bool lab_check_advance(struct lab_check *c, double seconds,
			       struct lab_progress *progress);
LAB_API const struct lab_answer *lab_check_answer(struct lab_check *c);
LAB_API void lab_check_end(struct lab_check *c);

/* Replay a schedule; NULL: it does not fit, and `error` says where. */
LAB_API struct lab_check *lab_replay(const char *schedule, char *error);

/* How many properties there are, their names, and the number of a name. */
LAB_API unsigned lab_property_count(void);
LAB_API const char *lab_property_name(unsigned number);
LAB_API int lab_property_number(const char *name);

/* The i-th algorithm, for listing; false: there are no more. */
struct lab_algorithm {
	const char *name, *source, *kind;
	unsigned promises, primitives;
	bool simulated_only, abortable, recoverable, tolerates_crashes,
		finite_state, is_twin;
	const char *rmr_cc, *rmr_dsm;
	const char *rmr_cc_smart; /* NULL: as rmr_cc */
	bool bound_cc, bound_dsm; /* there is a number to compare with */
	const char *component;    /* that it is made over, or NULL */
};
LAB_API bool lab_algorithm_at(size_t i, struct lab_algorithm *a);

/* By name, composed ones too; false: there is none. */
LAB_API bool lab_algorithm_named(const char *name, struct lab_algorithm *a);

/* The i-th algorithm that `name` can be made over; NULL: no more, or none. */
LAB_API const char *lab_component_at(const char *name, size_t i);
LAB_API const char *lab_primitive_name(unsigned bit);

/* The registered names nearest to a mistyped one, as a list for a message. */
LAB_API void lab_nearest_algorithm(const char *name, char *list, size_t size);
LAB_API void lab_nearest_property(const char *name, char *list, size_t size);

/* Measuring remote references. */
enum lab_model { LAB_CC, LAB_DSM };

struct lab_measure {
	const char *algorithm;
	int n, k, sessions, contention; /* contention 0: all n */
	enum lab_model model;
	bool smart_cache;
	const char *adversary; /* NULL: exhaustive if small, else all of them */
	uint64_t seed;
	double seconds;
	uint64_t steps; /* not 0: of each adversary, instead of seconds */
	bool aborts;    /* who waits gives up now and then */
	uint64_t memory;
};

struct lab_row {
	const char *algorithm, *method, *bound_text;
	unsigned n, k, contention;
	bool smart_cache, has_worst, has_mean, has_bound, has_outside;
	bool aborts;    /* some gave up: then no bound is claimed */
	bool too_large; /* not measured: n is too large for this one */
	uint64_t worst, bound, passages, states;
	uint64_t worst_outside; /* of the component, by adversaries */
	uint64_t bound_outside; /* of that, if has_bound_outside */
	bool has_bound_outside;
	bool has_together; /* --adversary danek-5.1: */
	unsigned together; /* so many of one session inside together */
	const char *bound_outside_text;
	double mean;
	char waits_on[48]; /* unbounded in DSM: the word */
	char note[256];
};

/* False: the question cannot be asked or was not answered; see error. */
LAB_API bool lab_measure(const struct lab_measure *m, struct lab_row *row,
			 char *error, bool *usage);

#endif
