/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Waiting and waking: a waiter spins for a moment, then sleeps on a futex.
 * steps.h includes this file.
 *
 * Each word has a gate, an eventcount: a number that wakers raise, and two
 * flags that sleepers set.  The kernel compares the gate, not the value,
 * because a value may change and change back between the look and the sleep.
 *
 *	sleeper                          waker
 *	S1  gate |= flag, g = gate       W1  write value   (the algorithm)
 *	S2  value == seen ?              W2  flag in gate ?
 *	S3  futex wait while gate == g   W3  gate = next number without flags
 *	                                 W4  futex wake
 *
 * S1, S2, W1 and W2 are sequentially consistent, so S2 sees the new value or W2
 * sees the flag; this also holds if S1 only reads a flag that another sleeper
 * has set (tests/litmus: wake, flagged).  In the second case either W3 comes
 * before S3, and S3 does not sleep; or W3 comes after S3, and W4 wakes the
 * sleeper.  So no wake-up is lost.  A waker that finds no flag makes no system
 * call.  W3 clears the flags, so a sleeper that was killed costs all later
 * wakers together one futex wake.
 *
 * The gate's number has 30 bits.  A sleeper misses a wake only if wakers raise
 * the gate exactly a multiple of 2^30 times between its S1 and its S3; even
 * then it looks again at the end of its nap.
 */
#ifndef ATMOST_MEMORY_NATIVE_WAIT_H
#define ATMOST_MEMORY_NATIVE_WAIT_H

struct timespec;

/* A gate consists of its number, shifted left by 2, and of these flags. */
enum {
	GATE_SLEEPER = 1, /* a waiter may sleep on this gate */
	GATE_BELL = 2,    /* a waiter that depends on this word may sleep on the
			     bell (see struct wait_set) */
	GATE_FLAGS = GATE_SLEEPER | GATE_BELL
};

#define WAIT_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/*
 * When to sleep, and for how long.  Every sleep is a nap, a sleep of limited
 * length, because a waker may die between W1 and W4.  After a nap that ends
 * without a wake, the next nap is twice as long, up to nap_most or, if the
 * caller of wait_watching allows it, longer.  So a long wait costs at most one
 * look per nap_most.  If a waker dies, the waiter looks again at the end of its
 * nap.  The nap takes at most the longer of two times: the length of the first
 * nap, and about the time that the waiter has already waited.
 */
struct wait_policy {
	unsigned pauses;  /* number of the first looks, each after a pause */
	int64_t spin;     /* ns: how long the waiter goes on in this way */
	unsigned yields;  /* least number of the next looks, after yields */
	int64_t yielding; /* ns: least duration of the looks after yields */
	int64_t nap;      /* ns: the first nap */
	int64_t nap_most;
	int64_t blind_nap;   /* ns: a nap that no waker can end */
	int64_t unwatched;   /* ns: limit of a first nap in which the waiter
			      watches only one holder (see runtime/watch.c);
			      0: there is no such nap */
	_Atomic bool vector; /* waiters use futex_waitv */
};

/* For all threads; tests change it before they start threads. */
extern struct wait_policy wait_policy;

/*
 * The slow path of await: w held `seen`, which does not satisfy the condition.
 * Returns when w may hold another value.  `again`: the same await has called
 * wait_on before.
 */
__attribute__((cold)) void wait_on(struct word *w, uint64_t seen, bool again);

/* If the condition holds at the first look, an await costs only a load and a
 * test. */
#define AWAIT_WITH(read, v, w, condition)                                     \
	do {                                                                  \
		struct word *const await_word = (w);                          \
		bool await_again = false;                                     \
                                                                              \
		while ((v) = read(await_word), WAIT_UNLIKELY(!(condition))) { \
			wait_on(await_word, (v), await_again);                \
			await_again = true;                                   \
		}                                                             \
	} while (0)

#define await(v, w, condition) AWAIT_WITH(mem_read, v, w, condition)
#define await_safe(v, w, condition) AWAIT_WITH(safe_read, v, w, condition)

/*
 * A wait on several words.  The first passes only look.  When the waiter has
 * looked often enough, one pass sets the flags of the words that it names (S1)
 * and reads each of them once more (S2); if no word has changed, the waiter
 * sleeps on their gates.
 *
 * futex_waitv takes at most 128 futexes.  A waiter that names more words, or
 * whose kernel has no such call, sleeps on the gate of the bell, which is one
 * more word per pool.  The waiter reads the bell's gate before it flags the
 * words with GATE_BELL.  A waker that finds this flag raises the bell's gate,
 * too, and wakes the sleepers on the bell.
 */
enum { WAIT_SET_MOST = 128 };

struct wait_set {
	enum { WAIT_LOOK, WAIT_VECTOR, WAIT_BELL } mode;
	bool again;         /* this is not the first pass */
	bool slept;         /* this pass follows a sleep */
	unsigned count;     /* words named in this pass */
	bool changed;       /* a named word changed after the pass read it */
	struct word *bell;  /* mode WAIT_BELL: set when the pass names its first
			       word */
	uint32_t bell_gate; /* the bell's gate before a word was flagged */
	struct armed {
		struct word *word;
		uint32_t gate;
	} armed[WAIT_SET_MOST]; /* mode WAIT_VECTOR */
};

/* Mode WAIT_VECTOR or WAIT_BELL: flags a word in which the pass read `seen`. */
void wait_arm(struct wait_set *set, struct word *w, uint64_t seen);

/*
 * Besides a change of its words, three events can end a sleep:
 *
 * - a futex of `at` no longer has the value `seen`;
 * - a signal handler of this thread has set *interrupt to a value other than 0,
 *   even if it did so just before the sleep;
 * - a descriptor of `end` becomes readable.
 *
 * Without futex_waitv, a sleep ignores the first two events.  ppoll cannot wait
 * for futexes: during a sleep on descriptors the waiter does not notice that a
 * word or a futex changes.
 */
enum { WATCH_MOST = 32 };

struct watched_futex {
	uint32_t *futex;
	uint32_t seen;
};

struct wait_watch {
	int64_t nap; /* ns: the sleep is no longer than this; 0: no limit */
	int64_t nap_most; /* ns: naps grow up to this length; 0: up to
			     wait_policy.nap_most.  Counts only if the sleep
			     watches all futexes. */
	const volatile int *interrupt; /* may be NULL */
	unsigned count;
	struct watched_futex at[WATCH_MOST];
	unsigned ends; /* number of descriptors; the caller closes them */
	int end[WATCH_MOST];
};

/*
 * S1 for one more word: the next sleep also ends when a waker raises the gate
 * of w.  The caller makes S2 itself, afterwards.  False: the sleep already
 * watches WATCH_MOST futexes, or no sleep can watch futexes.
 */
bool wait_watch_gate(struct wait_watch *watch, struct word *w);

/* The length of this thread's next nap in ns, unless a limit of struct
 * wait_watch makes the nap shorter. */
int64_t wait_next_nap(void);

/* True: the last sleep of this thread ended because its nap was over, and not
 * because of an event. */
bool wait_nap_is_over(void);

/* True: the last pass has set its flags and has failed, so a sleep follows. */
static inline bool wait_is_armed(const struct wait_set *set)
{
	return set->mode != WAIT_LOOK && set->count > 0 && !set->changed;
}

/*
 * Called after a pass that failed, before the next one.  Pauses, yields or
 * sleeps.  A sleep ends when a word of the pass or a watched futex may have
 * changed, a watched descriptor is readable, the deadline has passed, or the
 * nap is over.  The deadline is absolute, by CLOCK_MONOTONIC; `deadline` and
 * `watch` may be NULL.
 */
void wait_watching(struct wait_set *set, const struct timespec *deadline,
		   const struct wait_watch *watch);

static inline void wait_again(struct wait_set *set,
			      const struct timespec *deadline)
{
	wait_watching(set, deadline, NULL);
}

bool wait_is_over(const struct timespec *deadline);

static inline struct wait_set *wait_begin(struct wait_set *set)
{
	set->mode = WAIT_LOOK;
	set->again = false;
	set->slept = false;
	set->count = 0;
	set->changed = false;
	set->bell = NULL;
	return set;
}

static inline void wait_for_change(struct wait_set *set, struct word *w,
				   uint64_t seen)
{
	set->count++;
	if (WAIT_UNLIKELY(set->mode != WAIT_LOOK))
		wait_arm(set, w, seen);
}

static inline bool wait_slept(const struct wait_set *set)
{
	return set->slept;
}

static inline uint64_t look(struct wait_set *pass, struct word *w)
{
	uint64_t v = mem_read(w);

	wait_for_change(pass, w, v);
	return v;
}

#define await_any(pass)                                                   \
	for (struct wait_set pass##_set, *const pass =                    \
						 wait_begin(&pass##_set); \
	     ; wait_again(pass, NULL))

/* W3 and W4; called if a flag is set. */
__attribute__((cold)) void mem_wake_sleepers(struct word *w);

static inline void mem_wake(struct word *w)
{
	if (WAIT_UNLIKELY(atomic_load(&w->gate) & GATE_FLAGS))
		mem_wake_sleepers(w);
}

/*
 * W2 as a read-modify-write of the gate.  The gate itself orders W2 and S1:
 * either W2 reads the flag that S1 set, or S1 reads the value that W2 wrote.
 * In the second case W1, however weak its memory order, happens before S2.
 * The same holds if S1 only reads the flag of another sleeper, because all
 * changes of a gate are read-modify-writes.  tests/litmus: wake_weak,
 * flagged_weak.
 */
static inline void mem_wake_weak(struct word *w)
{
	if (WAIT_UNLIKELY(atomic_fetch_or(&w->gate, 0) & GATE_FLAGS))
		mem_wake_sleepers(w);
}

#endif
