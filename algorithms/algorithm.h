/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an algorithm is: one table per name, listed in registry.def.  README's
 * table, the tests, the benches and the command walk the registry.
 */
#ifndef ATMOST_ALGORITHMS_ALGORITHM_H
#define ATMOST_ALGORITHMS_ALGORITHM_H

#include "construction.h"
#include "mem.h"

/* What can be promised, and asked of the checker: flag and name. */
#define PROPERTIES(X)                                            \
	X(AT_MOST_K, "at-most-k")                                \
	X(SESSION_EXCLUSION, "session-exclusion")                \
	X(UNIQUE_SLOTS, "unique-slots")                          \
	X(NO_DEADLOCK, "no-deadlock")                            \
	X(NO_STARVATION, "no-starvation")                        \
	X(NO_LOST_WAKE, "no-lost-wake")                          \
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
	X(QUIESCENCE, "quiescence")                              \
	X(INVARIANT, "invariant")

#define PROPERTY_NUMBER(flag, name) flag##_NUMBER,
#define PROPERTY_FLAG(flag, name) flag = 1 << flag##_NUMBER,
enum property_number { PROPERTIES(PROPERTY_NUMBER) PROPERTY_COUNT };
enum property { PROPERTIES(PROPERTY_FLAG) NO_PROPERTY = 0 };
#undef PROPERTY_NUMBER
#undef PROPERTY_FLAG

/* The problem solved; each is a folder of algorithms/. */
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
	PRIMITIVE_COUNT = 7
};

struct algorithm;

/*
 * An object as its user describes it: how many words its state has, and an
 * operation's arguments and results; and the function that applies one, of which
 * wait_free_words.h says what it may do.
 */
struct object_type {
	unsigned state, arguments, results;
	void (*f)(void *context, uint64_t *state, uint64_t operation,
		  const uint64_t *argument, uint64_t *result);
	void *context;
	const uint64_t *initial; /* words of the first state; NULL: zeros */
};

/* What goes with an operation on such an object. */
struct object_request {
	const uint64_t *argument;
	uint64_t *result;
	uint64_t *scratch; /* private, scratch() words; no value is kept */
	bool damaged;      /* set by finish: the words do not say */
};

/* The instance: private to each participant, never read from shared words. */
struct shape {
	unsigned n;        /* participants, ids 0..n-1 */
	unsigned k;        /* at most so many inside; 0: no limit (groups) */
	unsigned k_max;    /* room to grow to; less than k: none */
	unsigned sessions; /* 1..sessions may be asked for; 0: any */
	const struct algorithm *component; /* that of the algorithm's table */
	const struct object_type *object;  /* NULL: the algorithm's own small
					      one, or it is none */
};

/* One participant, as its algorithm sees it. */
struct process {
	unsigned id;
	const struct shape *shape;
	uint64_t session;   /* what this passage asks for; groups only */
	int slot;           /* set by doorway and poll when they enter */
	bool evicted;       /* set by poll (which then says yes) and leave: what
			       was ours is not, somebody took us for dead; from
			       then on doorway says no and does nothing */
	/* Private, and kept from passage to passage: the slot to try first, a
	 * badge that no earlier member with this id had; and the algorithm's
	 * own, zero at first. */
	unsigned hint;
	uint64_t badge;
	struct word *seat;
	uint64_t keep;
	uint64_t operation; /* objects only: what to apply, and to what */
	uint64_t argument;
	struct object_request *request; /* if the shape has an object */
	uint64_t *own;      /* through mem_own_read and mem_own_write */
};

/* Where everybody is, for invariants. */
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

/* Remote references a passage may cost at most, and how the bound reads. */
struct rmr_bound {
	uint64_t (*most)(const struct shape *, unsigned contention); /* or NULL */
	const char *text;
};

struct algorithm {
	const char *name;
	const char *source;
	enum kind kind;
	unsigned promises;   /* PROPERTIES */
	unsigned primitives; /* USES_... */
	bool simulated_only;
	bool finite_state;      /* unbounded passages have finitely many states */
	bool tolerates_crashes; /* starves nobody if k-1 stop for ever */
	bool retries;           /* has loops of steps that are not an await, or
				   a poll that writes and then says no */
	bool naps;              /* its poll does more after a sleep */
	unsigned least_n, most_n, least_k, most_k; /* 0: any */
	unsigned least_sessions, most_sessions;    /* 0: any, also unknown */

	size_t (*words)(const struct shape *);
	unsigned (*own_words)(const struct shape *);
	unsigned (*own_persistent)(const struct shape *); /* the first so many */
	/*
	 * The words that members from..to-1 may touch beside those of lower
	 * ids, in pieces 0, 1, ...; false: there is no such piece.  No members
	 * (from == to): what is touched without any.  Member n resizes.
	 * Optional: all words at any time.
	 */
	bool (*extent)(const struct shape *, unsigned from, unsigned to,
		       unsigned piece, struct extent *);
	void (*init)(void *shared, const struct shape *);
	bool (*quiet)(void *shared, const struct shape *);
	bool (*invariant)(void *shared, const struct shape *,
			  const struct whereabouts *all);

	/* Algorithms that can only wait.  enter returns the slot, or 0. */
	int (*enter)(void *shared, struct process *self);
	void (*leave)(void *shared, struct process *self);

	/* The same as leave, for who calls it last of all and hands on what it
	 * says: 0, or EVICTED; own words that do not persist are zero then.
	 * Optional. */
	int (*depart)(void *shared, struct process *self);

	/*
	 * Abortable and recoverable ones have these instead of enter.  doorway
	 * never waits; true: it entered at once.  poll is one bounded pass:
	 * true, or false and in `wait` what to sleep on; if that is nothing, it
	 * has more to do and is called again at once.  abort withdraws, after
	 * the doorway and before a poll has said yes.  recover undoes what the
	 * dead victim left, alone, and from the start again if it was
	 * interrupted.
	 */
	bool (*doorway)(void *shared, struct process *self);
	bool (*poll)(void *shared, struct process *self, struct wait_set *wait);
	void (*abort)(void *shared, struct process *self);
	/* What is left to do when poll, or doorway, has said yes: it may wait,
	 * and cannot be given up.  Optional. */
	void (*settle)(void *shared, struct process *self);
	void (*recover)(void *shared, struct process *victim);

	/*
	 * From here on at most k, which is at most k_max: slots in use close as
	 * their holders leave.  One resizes at a time; if it dies on the way,
	 * the next does the whole.
	 */
	void (*resize)(void *shared, const struct shape *, unsigned k);

	/*
	 * For who looks on while others move; no steps, and nothing read is
	 * trusted.  Who holds a slot, or is being given it: its id, or -1.  The
	 * rank of who waits, smaller ones first: 0 if id does not wait.
	 */
	int (*holder)(void *shared, const struct shape *, unsigned slot);
	uint64_t (*rank)(void *shared, const struct shape *, unsigned id);

	/*
	 * Objects: apply self->operation to self->argument; and what it means.
	 * An object for fewer than n at a time has what lets them in as well, and
	 * leave: apply is then done inside.
	 *
	 * With recover: what became of the operation that the dead victim was
	 * at.  True: it has taken effect, and victim->argument is what it
	 * returned; false: it has not and never will.  Finishes what others can
	 * see, before recover; the same is said again if that is interrupted.
	 */
	uint64_t (*apply)(void *shared, struct process *self);
	bool (*finish)(void *shared, struct process *victim);
	uint64_t (*specification)(uint64_t *state, uint64_t operation,
				  uint64_t argument);
	unsigned operations;

	/* How the object is made, for those that make another one of it.
	 * Optional. */
	const struct construction *construction;

	/*
	 * Of the shape's object: apply and finish use victim->request, apply
	 * returns 0 or, if the words are damaged, something else.  One try to
	 * copy the state, by anybody: false if they are damaged, *again if
	 * somebody's operation disturbed it.
	 */
	unsigned (*scratch)(const struct shape *);
	bool (*read)(void *shared, const struct shape *, uint64_t *state,
		     bool *again);

	/* Most own steps in each part; solo: of a process that runs alone. */
	unsigned (*doorway_steps)(const struct shape *);
	unsigned (*leave_steps)(const struct shape *);
	unsigned (*abort_steps)(const struct shape *);
	unsigned (*apply_steps)(const struct shape *);
	unsigned (*finish_steps)(const struct shape *);
	unsigned (*solo_steps)(const struct shape *);
	/* Most entries of conflicting ones past one that waits. */
	unsigned (*most_bypasses)(const struct shape *);
	struct rmr_bound rmr_cc, rmr_dsm;
	/* Where a failed compare-and-swap invalidates nothing; no text: the same. */
	struct rmr_bound rmr_cc_smart;

	/*
	 * Over another algorithm, the component: who may be it, and who is if
	 * nobody is named.  compose sets, in a copy of the table whose component
	 * is known, what depends on it.  The component's words follow the
	 * owner's, from component_at on.
	 */
	const struct algorithm *component;
	const char *default_component;
	bool (*fits)(const struct algorithm *component);
	void (*compose)(struct algorithm *whole);
	size_t (*component_at)(const struct shape *);
	/* Of several components, each after words of the owner: every so many
	 * words the same again.  Optional. */
	size_t (*component_every)(const struct shape *);
	/* Of the references to the owner's words alone. */
	struct rmr_bound outside_cc, outside_cc_smart, outside_dsm;
};

enum { EVICTED = -17 }; /* as the library's users know it */

/* Number of struct word in a struct that is made of them. */
#define WORDS(type) (sizeof(type) / sizeof(struct word))

#endif
