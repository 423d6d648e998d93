/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Waiting and waking: a look or two, then a futex.  Part of steps.h.
 *
 * Who waits looks again a few times, then sleeps on the word's gate, a number
 * that wakers raise.  The gate, not the value, is what the kernel compares:
 * a value may go away and come back between the look and the going to sleep.
 *
 *	sleeper                          waker
 *	S1  gate |= flag, g = gate       W1  write value   (the algorithm)
 *	S2  value == seen ?              W2  flag in gate ?
 *	S3  futex wait while gate == g   W3  gate = next number without flags
 *	                                 W4  futex wake
 *
 * S1, S2, W1 and W2 are sequentially consistent: S2 sees the new value, or W2
 * sees the flag.  In the second case W3 comes before S3, which then does not
 * sleep, or after it, and W4 wakes.  So no wake-up is lost.  Whoever finds no
 * flag makes no system call; and as W3 clears it, a sleeper that was killed
 * costs all later wakers together one futex wake.
 *
 * The gate's number has 30 bits: only a sleeper that is stopped between S1
 * and S3 for exactly a multiple of 2^30 wakes could be fooled, for one nap.
 */
#ifndef ATMOST_MEMORY_NATIVE_WAIT_H
#define ATMOST_MEMORY_NATIVE_WAIT_H

struct timespec;

/* A gate is a number << 2, and these. */
enum {
	GATE_SLEEPER = 1, /* somebody may sleep on this gate */
	GATE_BELL = 2,    /* somebody may sleep on the bell because of it */
	GATE_FLAGS = GATE_SLEEPER | GATE_BELL
};

#define WAIT_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/*
 * When to sleep, and for how long.  A sleep is a nap because a waker may die
 * between W1 and W4.  Naps in vain grow: whoever waits for hours costs one look
 * each nap_most, and is late after such a death by no more than one nap, or
 * what it had waited already.
 */
struct wait_policy {
	unsigned pauses; /* looks with a pause, but on a crowded cpu, */
	int64_t stare;   /* ns, and more of them until this is over */
	unsigned yields; /* looks after sched_yield that may follow, */
	int64_t look;    /* ns, and more of them until this is over */
	int64_t nap;     /* ns, the first; each in vain doubles the next */
	int64_t nap_most;
	int64_t blind_nap;   /* ns, when nobody could wake us */
	int64_t unwatched;   /* ns, a first nap that watches but one; 0: none */
	_Atomic bool vector; /* futex_waitv may be used */
};

/* For all threads; tests change it before they start any. */
extern struct wait_policy wait_policy;

/*
 * The slow path of await: `seen` does not do.  Returns when w may hold
 * something else; `again` if it did before, for the same await.
 */
__attribute__((cold)) void wait_on(struct word *w, uint64_t seen, bool again);

/* Load, test, and no more, if the first look is good. */
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
#define await_acquire(v, w, condition) \
	AWAIT_WITH(mem_read_acquire, v, w, condition)
#define await_safe(v, w, condition) AWAIT_WITH(safe_read, v, w, condition)

/*
 * What a pass over several words found.  At first passes only look.  When they
 * have looked often enough, one pass sets the flags of the words it names (S1)
 * and looks at each once more (S2); if none changed, we sleep on their gates.
 *
 * futex_waitv takes 128 of them.  For more, or where the kernel has no such
 * call, there is the bell: one more word of the object.  Its gate is read
 * before the words are flagged GATE_BELL, and a waker that finds this flag
 * rings: it raises the bell's gate and wakes who sleeps there.
 */
enum { WAIT_SET_MOST = 128 };

struct wait_set {
	enum { WAIT_LOOK, WAIT_VECTOR, WAIT_BELL } mode;
	bool again;         /* this is not the first pass */
	bool slept;         /* this pass follows a sleep */
	unsigned count;     /* words named in this pass */
	bool changed;       /* one of them did, since the pass read it */
	struct word *bell;  /* mode WAIT_BELL, once a word was named */
	uint32_t bell_gate; /* what its gate was before that */
	struct armed {
		struct word *word;
		uint32_t gate;
	} armed[WAIT_SET_MOST]; /* mode WAIT_VECTOR */
};

/* Mode WAIT_VECTOR or WAIT_BELL: flag a word in which the pass read `seen`. */
void wait_arm(struct wait_set *set, struct word *w, uint64_t seen);

/*
 * Futexes beside the words of a pass that may end its sleep, each with what
 * it held when somebody looked.  Without futex_waitv nobody heeds them.
 *
 * Or descriptors that can be read from when it is to end.  No call waits for
 * futexes and for descriptors: with such a sleep neither words nor futexes are
 * heeded until the nap is over.
 */
enum { WATCH_MOST = 32 };

struct wait_watch {
	long nap;      /* ns; sleep no longer than that; 0: no matter */
	unsigned naps; /* the watcher's own count of such sleeps */
	bool later;    /* the watcher's own: all from the next sleep on */
	unsigned count;
	struct watched_futex {
		uint32_t *futex;
		uint32_t seen;
	} at[WATCH_MOST];
	unsigned ends; /* how many descriptors; their owner closes them */
	int end[WATCH_MOST];
};

/* The pass that just said no has set its flags: what follows is a sleep. */
static inline bool wait_is_armed(const struct wait_set *set)
{
	return set->mode != WAIT_LOOK && set->count > 0 && !set->changed;
}

/*
 * Between two passes that said no.  Rests, or sleeps until a word of the pass
 * may have changed, a watched futex has (watch may be NULL), the deadline is
 * over (absolute, CLOCK_MONOTONIC, or NULL) or a nap.
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

/* W3 and W4: somebody may sleep. */
__attribute__((cold)) void mem_wake_sleepers(struct word *w);

static inline void mem_wake(struct word *w)
{
	if (WAIT_UNLIKELY(atomic_load(&w->gate) & GATE_FLAGS))
		mem_wake_sleepers(w);
}

/*
 * W2 as a read-modify-write of the gate.  It and S1 are ordered by the gate
 * itself: W2 reads the flag that S1 set, or S1 reads from W2, and then W1,
 * however weak, happens before S2.
 */
static inline void mem_wake_weak(struct word *w)
{
	if (WAIT_UNLIKELY(atomic_fetch_or(&w->gate, 0) & GATE_FLAGS))
		mem_wake_sleepers(w);
}

#endif
