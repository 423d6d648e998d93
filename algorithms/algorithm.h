/* SPDX-License-Identifier: BSD-2-Clause */
/* A table, struct algorithm, describes each algorithm; registry.def lists the
 * tables.  The command, the tests, the benches and the generator of the table
 * in README.md find algorithms in the registry. */
#ifndef ATMOST_ALGORITHMS_ALGORITHM_H
#define ATMOST_ALGORITHMS_ALGORITHM_H

#include "construction.h"
#include "mem.h"

/* The properties that an algorithm can promise and the checker can check, each
 * with its flag and its name. */
#define PROPERTIES(X)                                            \
	X(AT_MOST_K, "at-most-k")                                \
	X(SESSION_EXCLUSION, "session-exclusion")                \
	X(UNIQUE_SLOTS, "unique-slots")                          \
	X(NO_DEADLOCK, "no-deadlock")                            \
	X(NO_STARVATION, "no-starvation")                        \
	X(NO_LOST_WAKE, "no-lost-wake")                          \
	X(PROMPT_WAKE, "prompt-wake")                            \
	X(BOUNDED_DOORWAY, "bounded-doorway")                    \
	X(BOUNDED_LEAVE, "bounded-leave")                        \
	X(BOUNDED_ABORT, "bounded-abort")                        \
	X(BOUNDED_APPLY, "bounded-apply")                        \
	X(FCFS, "fcfs")                                          \
	X(K_FCFS, "k-fcfs")                                      \
	X(FIFE, "fife")                                          \
	X(BOUNDED_BYPASS, "bounded-bypass")                      \
	X(CONCURRENT_ENTERING, "concurrent-entering")            \
	X(STRONG_CONCURRENT_ENTERING, "strong-concurrent-entering") \
	X(LINEARIZABLE, "linearizable")                          \
	X(FENCED, "fenced")                                      \
	X(QUIESCENCE, "quiescence")                              \
	X(INVARIANT, "invariant")                                \
	X(CONCURRENT_OCCUPANCY, "concurrent-occupancy")          \
	X(EXIT_TERMINATION, "exit-termination")                  \
	X(NO_WAIT_BELOW_K, "no-wait-below-k")

#define PROPERTY_NUMBER(flag, name) flag##_NUMBER,
#define PROPERTY_FLAG(flag, name) flag = 1 << flag##_NUMBER,
enum property_number { PROPERTIES(PROPERTY_NUMBER) PROPERTY_COUNT };
enum property { PROPERTIES(PROPERTY_FLAG) NO_PROPERTY = 0 };
#undef PROPERTY_NUMBER
#undef PROPERTY_FLAG

/* The problem that an algorithm solves; algorithms/ has a folder for each
 * problem. */
enum kind {
	KIND_MUTUAL_EXCLUSION,
	KIND_ABORTABLE,
	KIND_K_EXCLUSION,
	KIND_K_ASSIGNMENT,
	KIND_GROUP_EXCLUSION,
	KIND_OBJECT,
	KIND_COUNT
};

enum primitive {
	USES_READ_WRITE = 1 << 0,
	USES_SAFE = 1 << 1,
	USES_ADD = 1 << 2,
	USES_SWAP = 1 << 3,
	USES_CAS = 1 << 4,
	USES_TAS = 1 << 5,
	USES_LARGE_STEP = 1 << 6,
	USES_TRANSACTION = 1 << 7,
	PRIMITIVE_COUNT = 8
};

struct algorithm;

/*
 * An object type as its user describes it: the numbers of words of its state
 * and of an operation's arguments and results, and the function that applies an
 * operation.  construction.h says what the function is allowed to do.
 */
struct object_type {
	unsigned state, arguments, results;
	void (*f)(void *context, uint64_t *state, uint64_t operation,
		  const uint64_t *argument, uint64_t *result);
	void *context;
	const uint64_t *initial; /* words of the initial state; NULL: zeros */
};

/* If the shape has an object type, a process passes this with an operation. */
struct object_request {
	const uint64_t *argument;
	uint64_t *result;
	uint64_t *scratch; /* private words; object.scratch() of the algorithm
			      says how many; no call relies on values from an
			      earlier call */
	bool damaged;      /* set by finish: the shared words are damaged */
};

/* The shape of an instance.  Every process has a private copy; an algorithm
 * never reads these values from shared words. */
struct shape {
	unsigned n;        /* processes, with ids 0..n-1 */
	unsigned k;        /* the most processes inside at a time; 0: no limit
			      (group exclusion only) */
	unsigned k_max;    /* the largest value to which k can grow; less than
			      k: k cannot grow */
	unsigned sessions; /* sessions are numbered 1..sessions; 0: any number
			      can be a session */
	const struct algorithm *component; /* from the algorithm's table */
	const struct object_type *object;  /* NULL: an object algorithm uses its
					      own small object */
};

/* Returns the number of slots, open and closed. */
static inline unsigned shape_slots(const struct shape *shape)
{
	return shape->k_max > shape->k ? shape->k_max : shape->k;
}

/* A process as its algorithm sees it. */
struct process {
	unsigned id;
	const struct shape *shape;
	uint64_t session;   /* the session of this passage; groups only */
	int slot;           /* set when doorway or poll returns true */
	bool evicted;       /* a recoverer took this process for dead and freed
			       everything that the process held.  leave sets
			       this; poll sets it and returns true.  From then
			       on doorway does nothing and returns false. */
	/*
	 * The next four fields are private and keep their values from passage
	 * to passage.  hint is the slot to try first.  badge is a number that
	 * no earlier member with this id had.  seat and keep hold values that
	 * the algorithm wants to keep; they are zero at first.
	 */
	unsigned hint;
	uint64_t badge;
	struct word *seat;
	uint64_t keep;
	uint64_t operation; /* objects only: operation and argument */
	uint64_t argument;
	struct object_request *request; /* only if the shape has an object
					   type */
	uint64_t token;     /* over a store: the stamp of the slot, set when
			       doorway or poll returns true.  It is larger than
			       the token of every earlier holder of the slot */
	uint64_t *own;      /* use mem_own_read and mem_own_write */
};

/* The part of a passage in which a process is; for invariants. */
enum phase {
	PHASE_REMAINDER,
	PHASE_DOORWAY,
	PHASE_WAITING,
	PHASE_INSIDE,
	PHASE_LEAVING,
	PHASE_ABORTING,
	PHASE_DEAD,
	PHASE_RECOVERING,
	PHASE_RESIZING
};

struct whereabouts {
	enum phase phase;
	int slot;
	uint64_t session;
};

/* A bound on the remote references of a passage, as a function and as a
 * text. */
struct rmr_bound {
	/* NULL if there is no bound. */
	uint64_t (*most)(const struct shape *, unsigned contention);
	const char *text;
};

/*
 * A counter of an algorithm: a ticket, a round or a version that grows for
 * ever.  Its first value is mem_first(i), where i is the number of the counter.
 * The rules say which differences between its values matter.  With these rules
 * the checker treats states that differ only in their counters as one state, so
 * that it reaches finitely many states (`--passages 0`).  The checker also
 * tests the rules: it compares what follows from two states that it treats as
 * one.
 */
struct counter {
	/* If no value of the counter lies between two values that differ by
	 * `gap` or more, their difference does not matter. */
	uint64_t gap;
	/* Not 0: the remainder of a value modulo `period` matters; and words
	 * and locals may hold quotients of values by `period`, plus 1. */
	uint64_t period;
	/* The numbers of bits by which words and locals may hold a value
	 * shifted to the left, with other data in the lower bits; 0: none. */
	uint8_t shift[2];
	/* Processes use mem_first(i) again and again, so the difference between
	 * a value and mem_first(i) matters, too. */
	bool recurs;
};

/*
 * The table of an algorithm.  A plain lock sets the fields from name to limits,
 * and words, init, enter, leave and bounds.  Every field that a table leaves
 * out is zero: the algorithm has no such function, limit or bound.
 */
struct algorithm {
	/* The name, the problem, the promises and the limits. */
	const char *name;
	const char *source;
	enum kind kind;
	unsigned promises;      /* PROPERTIES */
	unsigned primitives;    /* USES_... */
	bool simulated_only;
	bool over_store;        /* the steps are transactions (mem.h, "A
				   store"): the algorithm runs over a store, and
				   not in native memory.  Its words are those of
				   transaction.h */
	bool finite_state;      /* unlimited passages reach only finitely many
				   states: `--passages 0` is allowed */
	/*
	 * Optional, if finite_state is false because counters grow: writes the
	 * rules of the counter with this number, which is below 64.  Returns
	 * false if there is no such counter.  With these rules `--passages 0`
	 * is allowed, too, unless the algorithm naps or is an object.
	 */
	bool (*counter)(const struct shape *, unsigned number,
			struct counter *);
	bool tolerates_crashes; /* no process starves if k-1 processes stop for
				   ever */
	bool retries;           /* the algorithm has a loop of steps that is not
				   an await, or its poll may write and return
				   false */
	bool naps;              /* a poll that follows a sleep does more than
				   other polls */
	struct {
		/* 0: no limit. */
		unsigned least_n, most_n, least_k, most_k;
		/* 0: no limit.  If least_sessions is 0, shape->sessions may be
		 * 0, too. */
		unsigned least_sessions, most_sessions;
	} limits;

	/* The number of shared words and of own words of each process.  The
	 * first own_persistent own words keep their values from passage to
	 * passage. */
	size_t (*words)(const struct shape *);
	unsigned (*own_words)(const struct shape *);
	unsigned (*own_persistent)(const struct shape *);
	/*
	 * Optional: tells which words members from..to-1 may touch in addition
	 * to the words that members with lower ids touch.  These words form
	 * pieces, numbered 0, 1, ..., and a call describes one piece; it
	 * returns false if there is no piece with this number.  If from == to,
	 * the pieces are the words that are in use before any member joins.  Id
	 * n stands for the resizer.  Without this function a member may touch
	 * any word at any time.
	 */
	bool (*extent)(const struct shape *, unsigned from, unsigned to,
		       unsigned piece, struct extent *);
	void (*init)(void *shared, const struct shape *);
	/* Returns whether the words are as they must be while all processes are
	 * in their remainders.  shape->k is the k of the last resize. */
	bool (*quiet)(void *shared, const struct shape *);
	bool (*invariant)(void *shared, const struct shape *,
			  const struct whereabouts *all);

	/* A lock whose waiters cannot give up has the function enter, which
	 * returns the slot, or 0 if the lock has no slots. */
	int (*enter)(void *shared, struct process *self);
	void (*leave)(void *shared, struct process *self);

	/*
	 * If waiters can give up or dead processes can be recovered, the lock
	 * has doorway, poll, abort and recover instead of enter.  doorway never
	 * waits; it returns true if the process has entered.  A call of poll is
	 * one pass over the words that the process waits for; it is bounded and
	 * returns true if the process has entered.  If poll returns false,
	 * `wait` lists the words to sleep on; if `wait` is empty, poll must be
	 * called again at once.  abort withdraws a process that has finished
	 * its doorway and has not entered.  recover undoes everything that the
	 * dead victim left behind.  Only one recoverer runs at a time, and
	 * after an interruption recover runs again from the start.
	 */
	bool (*doorway)(void *shared, struct process *self);
	bool (*poll)(void *shared, struct process *self, struct wait_set *wait);
	void (*abort)(void *shared, struct process *self);
	void (*recover)(void *shared, struct process *victim);
	/* Optional: does the rest of the entry after doorway or poll has
	 * returned true.  settle may wait, and a process cannot give up during
	 * settle. */
	void (*settle)(void *shared, struct process *self);
	/*
	 * Optional: does the same as leave, but returns 0, or EVICTED if the
	 * process was evicted, so that the caller can end with the tail call
	 * `return depart(...)`.  When depart returns, the own words that do not
	 * persist are zero.
	 */
	int (*depart)(void *shared, struct process *self);
	/*
	 * Optional: makes k the largest number of processes inside; k is at
	 * most k_max.  A slot in use closes only when its holder leaves.  Only
	 * one caller resizes at a time; if it dies, the next resizer repeats
	 * the whole work.
	 */
	void (*resize)(void *shared, const struct shape *, unsigned k);
	/*
	 * An algorithm over a store has this function instead of resize.  It
	 * makes k the largest number of processes inside.  If k is 0, it pauses
	 * the pool instead: no process enters until the next call.  Any number
	 * of processes may call it at the same time; self needs no lease.
	 */
	void (*set_limit)(void *shared, struct process *self, unsigned k);
	/*
	 * Optional: holder and rank serve observers.  They make no steps and
	 * trust nothing that they read.  holder returns the id of the process
	 * that holds the slot or is about to get it, or -1 if there is no such
	 * process.  rank returns 0 if the process does not wait; a waiter with
	 * a smaller rank comes before a waiter with a larger rank.
	 */
	int (*holder)(void *shared, const struct shape *, unsigned slot);
	uint64_t (*rank)(void *shared, const struct shape *, unsigned id);

	struct {
		/*
		 * apply applies self->operation, with self->argument, to the
		 * object and returns the result.  specification is the same
		 * operation as a sequential function.  An object for fewer than
		 * n processes at a time has the functions of a lock as well; a
		 * process calls apply only while it is inside.
		 */
		uint64_t (*apply)(void *shared, struct process *self);
		uint64_t (*specification)(uint64_t *state, uint64_t operation,
					  uint64_t argument);
		unsigned operations;
		/*
		 * An algorithm with recover has finish; the recoverer calls it
		 * before recover.  finish returns true if the operation of the
		 * dead victim has taken effect; its result is then in
		 * victim->argument.  It returns false if the operation has not
		 * taken effect and never will.  finish completes an operation
		 * that other processes can already see.  After an interruption
		 * finish runs again and returns the same result.
		 */
		bool (*finish)(void *shared, struct process *victim);
		/*
		 * scratch and read are for objects whose type is in the shape.
		 * For these objects apply and finish use the process's request,
		 * and apply returns 0, or nonzero if the words are damaged.
		 * read tries once to copy the state; any process can call it.
		 * It returns false if the words are damaged, and sets *again if
		 * an operation disturbed the copy.
		 */
		unsigned (*scratch)(const struct shape *);
		bool (*read)(void *shared, const struct shape *,
			     uint64_t *state, bool *again);
		/* Optional: another algorithm can use this to build an object
		 * of its own. */
		const struct construction *construction;
	} object;

	struct {
		/* The largest number of own steps of a process in each part of
		 * a passage.  solo_steps is for fife: within this number of own
		 * steps, an overtaken waiter that runs alone has entered. */
		unsigned (*doorway_steps)(const struct shape *);
		unsigned (*leave_steps)(const struct shape *);
		unsigned (*abort_steps)(const struct shape *);
		unsigned (*apply_steps)(const struct shape *);
		unsigned (*finish_steps)(const struct shape *);
		unsigned (*solo_steps)(const struct shape *);
		/* The largest number of times that conflicting processes enter
		 * while a process waits. */
		unsigned (*most_bypasses)(const struct shape *);
		/* rmr_cc is the bound for every cache: in a cache that is not
		 * smart, a failed compare-and-swap invalidates all copies, and
		 * the processes that spin on the word read it again.
		 * rmr_cc_smart is the bound for smart caches, in which a failed
		 * compare-and-swap invalidates no copy.  If rmr_cc_smart has no
		 * text, the bound for smart caches is rmr_cc.  rmr_cc_keeps is
		 * the bound for caches in which the writer of a word keeps a
		 * valid copy of it.  If rmr_cc_keeps has no text, the bound for
		 * these caches is rmr_cc as well. */
		struct rmr_bound rmr_cc, rmr_cc_smart, rmr_cc_keeps, rmr_dsm;
		/* The bound on the amortised cost in every cache: on the remote
		 * references of all passages divided by the number of
		 * passages. */
		struct rmr_bound rmr_cc_amortised;
	} bounds;

	/*
	 * Set by an algorithm that is built over another algorithm, its
	 * component.  fits says which algorithms can be the component.  compose
	 * gets a copy of the table in which the component is set; it sets every
	 * other field that depends on the component.
	 */
	struct {
		const struct algorithm *component;
		const char *default_component;
		bool (*fits)(const struct algorithm *component);
		void (*compose)(struct algorithm *whole);
		/* The index at which the component's words start, after the
		 * owner's words. */
		size_t (*at)(const struct shape *);
		/* Optional, if there are several copies of the component: the
		 * owner's and the component's words repeat with this
		 * period. */
		size_t (*every)(const struct shape *);
		/* Bounds on remote references to the owner's words alone. */
		struct rmr_bound outside_cc, outside_cc_smart,
			outside_cc_keeps, outside_dsm;
	} composition;
};

/* Returns whether the algorithm runs in native memory. */
static inline bool algorithm_is_native(const struct algorithm *a)
{
	return !a->simulated_only && !a->over_store;
}

enum { EVICTED = -17 }; /* the library's ATMOST_EEVICTED */

/* The number of words in a struct that consists only of struct word. */
#define WORDS(type) (sizeof(type) / sizeof(struct word))

#endif
