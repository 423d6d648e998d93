/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The slow paths of waiting and waking.  A diagram in wait.h shows the race
 * between a sleeper and a waker, and defines the labels S1 to S3 and W1 to W4.
 */
#include "mem.h"
#include "memory/native/region.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 1000000000 }; /* in nanoseconds */

struct wait_policy wait_policy = {
	.pauses = 20,
	.spin = SECOND / 100000,
	.yields = 20,
	.yielding = SECOND / 20000,
	.nap = SECOND / 50,
	.nap_most = SECOND / 50 * 32, /* five doublings: 0.64 s */
	.blind_nap = SECOND / 1000,
	.unwatched = SECOND / 100,
	.vector = true,
};

/* Time. */

static bool earlier(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec ||
	       (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

bool wait_is_over(const struct timespec *deadline)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return !earlier(&now, deadline);
}

static int64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

/* The time at which a nap that starts now ends: the deadline at the latest. */
static struct timespec nap_end(int64_t nap, const struct timespec *deadline)
{
	struct timespec end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += nap / SECOND;
	end.tv_nsec += nap % SECOND;
	if (end.tv_nsec >= SECOND) {
		end.tv_sec++;
		end.tv_nsec -= SECOND;
	}
	return deadline && earlier(deadline, &end) ? *deadline : end;
}

/*
 * Spinning before sleeping.
 *
 * Spinning pays if the wait ends sooner than a sleeper could wake up.  A thread
 * judges by its last waits: if all of them ended in sleep, it spins only
 * briefly.  From time to time, less and less often, it spins for the full time;
 * otherwise it would never notice that the waits have become shorter.  A single
 * sleep does not stop the spinning, because the holder may have been preempted,
 * or may have taken long to wake up.  If a single sleep stopped it, two threads
 * with short critical sections would put each other to sleep for ever.
 *
 * A waiter counts its looks over the whole wait.  If each change of the word
 * began a new count, 64 threads would keep each other awake for ever.  If each
 * change ended the spinning, eight threads with short critical sections would
 * sleep once for each member that leaves before them, and would take five times
 * as long.
 *
 * First the waiter spins with only a pause between two looks, because a yield
 * delays the next look by half a microsecond or more.  The waiter does not spin
 * if other threads want the cpu, because it would keep the cpu from the thread
 * that it waits for.
 *
 * A yield that gives the cpu to another thread takes long, and `yields` of them
 * are enough.  A yield that finds no other thread returns at once; then the
 * waiter goes on looking until the time `yielding` is over, which disturbs no
 * other thread.
 */

static _Thread_local struct {
	unsigned in_vain; /* consecutive waits that ended in sleep; a long sleep
			     counts twice */
	unsigned until;   /* the value of in_vain at which a wait spins in full
			     again */
	bool slept;       /* the last wait slept */
	bool long_sleep;  /* the last wait slept longer than it could have
			     spun */
	unsigned crowded; /* how many more waits assume that other threads
			     want the cpu, because a yield took long */

	/* The current wait. */
	bool brief;     /* it spins only briefly */
	bool spins;     /* the waiter only pauses between two looks */
	unsigned looks; /* how many looks followed a pause */
	unsigned yields;
	int64_t phase_end; /* when spinning or, after that, yielding ends */
	int64_t nap;
	bool nap_over; /* the last sleep ended with its nap */
} habit;

/* True: this wait spins only briefly. */
static bool is_brief(void)
{
	enum { IN_VAIN = 4, OFTEN = 64, RARELY = 1024 };

	if (!habit.slept) {
		habit.in_vain = 0;
		habit.until = OFTEN;
		return false;
	}
	habit.in_vain += habit.long_sleep ? 2 : 1;
	if (habit.in_vain < IN_VAIN)
		return false;
	if (habit.in_vain < habit.until)
		return true;
	habit.until += habit.until < RARELY ? habit.until : RARELY;
	return false;
}

static void begin_wait(void)
{
	habit.brief = is_brief();
	habit.slept = habit.long_sleep = false;
	habit.spins = habit.crowded == 0 && wait_policy.pauses > 0;
	habit.crowded -= habit.crowded > 0;
	habit.looks = habit.yields = 0;
	habit.phase_end = 0;
	habit.nap = wait_policy.nap;
}

static void pause_cpu(void)
{
#if defined __x86_64__
	__builtin_ia32_pause();
#elif defined __aarch64__
	__asm__ volatile("isb"); /* not yield, which takes no time */
#endif
}

/* True: the next look comes after a pause.  Reading the clock takes as long as
 * a pause or two, so only every 16th call reads it. */
static bool spins(void)
{
	enum { BETWEEN = 16 };
	unsigned more = habit.looks - wait_policy.pauses;
	int64_t now;

	if (!habit.spins || habit.looks < wait_policy.pauses ||
	    more % BETWEEN != 0)
		return habit.spins;
	now = clock_ns();
	if (more == 0)
		habit.phase_end = now + wait_policy.spin;
	habit.spins = now < habit.phase_end;
	return habit.spins;
}

/*
 * A yield that finds no other thread takes less than a microsecond; two
 * readings of the clock take a tenth of that.  If the cpu was crowded lately,
 * yield does not read the clock and sets no phase_end.
 */
static void yield(void)
{
	enum { LONG = 4000 /* ns */, REMEMBERED = 32, LATELY = 16 };
	const bool known = habit.crowded > LATELY;
	int64_t start = known ? 0 : clock_ns();

	if (habit.yields++ == 0 && !known)
		habit.phase_end = start + wait_policy.yielding;
	sched_yield();
	if (!known && clock_ns() - start > LONG)
		habit.crowded = REMEMBERED;
}

/* Pauses or yields before the next look; false: sleep instead. */
static bool rest(void)
{
	enum { BRIEF = 2 };

	if (habit.brief && habit.looks >= BRIEF)
		return false;
	if (habit.brief || spins()) {
		habit.looks++;
		pause_cpu();
		return true;
	}
	if (habit.yields >= wait_policy.yields &&
	    (wait_policy.yields == 0 || clock_ns() >= habit.phase_end))
		return false;
	yield();
	return true;
}

/* Gates. */

static long futex(_Atomic uint32_t *gate, int operation, uint32_t value,
		  const struct timespec *end)
{
	return syscall(SYS_futex, gate, operation, value, end, NULL,
		       FUTEX_BITSET_MATCH_ANY);
}

/* S1.  A flag that is set already is not set again. */
static uint32_t set_flag(struct word *w, uint32_t flag)
{
	uint32_t gate = atomic_load(&w->gate);

	if (!(gate & flag))
		gate = atomic_fetch_or(&w->gate, flag) | flag;
	return gate;
}

/* Called after a sleep, with the result of its system call.  `most`: the length
 * up to which naps grow.  Returns 0 or the errno of the system call. */
static int wake_up(long result, int64_t start, int64_t most)
{
	int error = result < 0 ? errno : 0;

	if (clock_ns() - start > 10 * wait_policy.yielding)
		habit.long_sleep = true;
	habit.nap_over = error == ETIMEDOUT;
	if (habit.nap_over)
		habit.nap = habit.nap < most / 2 ? 2 * habit.nap : most;
	return error;
}

/* S3. */
static void sleep_on(struct word *w, uint32_t gate, const struct timespec *end)
{
	int64_t start = clock_ns();

	wake_up(futex(&w->gate, FUTEX_WAIT_BITSET, gate, end), start,
		wait_policy.nap_most);
}

/* W3 and W4.  Returns the flags that were set. */
static uint32_t raise_gate(struct word *w)
{
	uint32_t gate = atomic_load(&w->gate);

	do {
		/* No flag is set: another waker has raised the gate since the
		 * caller's write, and wakes the sleepers. */
		if (!(gate & GATE_FLAGS))
			return 0;
	} while (!atomic_compare_exchange_weak(&w->gate, &gate,
					       (gate | GATE_FLAGS) + 1));
	if (gate & GATE_SLEEPER)
		futex(&w->gate, FUTEX_WAKE, INT_MAX, NULL);
	return gate & GATE_FLAGS;
}

void mem_wake_sleepers(struct word *w)
{
	struct word *bell;

	if (raise_gate(w) & GATE_BELL && (bell = region_bell(w)) != NULL)
		raise_gate(bell);
}

void wait_on(struct word *w, uint64_t seen, bool again)
{
	struct timespec end;
	uint32_t gate;

	if (!again)
		begin_wait();
	while (rest())
		if (mem_read(w) != seen)
			return;
	habit.slept = true;
	end = nap_end(habit.nap, NULL);
	gate = set_flag(w, GATE_SLEEPER);
	if (mem_read(w) == seen)
		sleep_on(w, gate, &end);
}

/* Several words. */

void wait_arm(struct wait_set *set, struct word *w, uint64_t seen)
{
	if (set->mode == WAIT_BELL) {
		if (!set->bell && (set->bell = region_bell(w)) != NULL)
			set->bell_gate = set_flag(set->bell, GATE_SLEEPER);
		set_flag(w, GATE_BELL);
	} else if (set->count <= WAIT_SET_MOST) {
		set->armed[set->count - 1].word = w;
		set->armed[set->count - 1].gate = set_flag(w, GATE_SLEEPER);
	}
	if (mem_read(w) != seen)
		set->changed = true;
}

static bool uses_vector(void)
{
	return atomic_load_explicit(&wait_policy.vector, memory_order_relaxed);
}

static bool has_room(const struct wait_set *set)
{
	return set->count <= 1 ||
	       (set->count <= WAIT_SET_MOST && uses_vector());
}

bool wait_watch_gate(struct wait_watch *watch, struct word *w)
{
	struct watched_futex *at = &watch->at[watch->count];

	if (watch->count == WATCH_MOST || !uses_vector())
		return false;
	at->seen = set_flag(w, GATE_SLEEPER);
	at->futex = (uint32_t *)(void *)&w->gate;
	watch->count++;
	return true;
}

int64_t wait_next_nap(void)
{
	return habit.nap;
}

bool wait_nap_is_over(void)
{
	return habit.nap_over;
}

static int64_t longest_nap(const struct wait_watch *watch)
{
	return watch && watch->nap_most ? watch->nap_most
					: wait_policy.nap_most;
}

static struct futex_waitv waiter_for(const void *futex, uint32_t seen)
{
	return (struct futex_waitv){
		.uaddr = (uintptr_t)futex,
		.val = seen,
		.flags = FUTEX_32,
	};
}

static bool sleep_on_vector(const struct wait_set *set,
			    const struct wait_watch *watch,
			    const struct timespec *end)
{
	struct futex_waitv vector[WAIT_SET_MOST];
	int64_t start = clock_ns();
	unsigned count = 0;
	int error;

	for (unsigned i = 0; i < set->count; i++)
		vector[count++] = waiter_for(&set->armed[i].word->gate,
					     set->armed[i].gate);
	for (unsigned i = 0; watch && i < watch->count; i++)
		if (count < WAIT_SET_MOST)
			vector[count++] = waiter_for(watch->at[i].futex,
						     watch->at[i].seen);
	if (watch && watch->interrupt && count < WAIT_SET_MOST) {
		vector[count] = waiter_for((const void *)watch->interrupt, 0);
		vector[count++].flags |= FUTEX_PRIVATE_FLAG;
	}
	error = wake_up(syscall(SYS_futex_waitv, vector, count, 0, end,
				CLOCK_MONOTONIC),
			start, longest_nap(watch));
	if (!error || error == ETIMEDOUT || error == EAGAIN || error == EINTR)
		return true;
	/* The kernel is old, or a sandbox refuses the call with some errno.
	 * relaxed: a thread that reads the old value tries the call itself, and
	 * no other memory depends on this word.  tests/litmus: lone_word. */
	atomic_store_explicit(&wait_policy.vector, false, memory_order_relaxed);
	return false;
}

/* True: a waker has raised a gate of the pass since its flag was set. */
static bool was_raised(const struct wait_set *set)
{
	if (set->mode == WAIT_BELL)
		return !set->bell ||
		       atomic_load(&set->bell->gate) != set->bell_gate;
	for (unsigned i = 0; i < set->count && i < WAIT_SET_MOST; i++)
		if (atomic_load(&set->armed[i].word->gate) !=
		    set->armed[i].gate)
			return true;
	return false;
}

/*
 * This sleep does not notice that a word changes.  That is harmless for a word
 * that changes only because a process ends: the waiter set the flags first and
 * opened the descriptors afterwards.  If the word has changed since then,
 * was_raised sees it.  If the word changes later, a process has ended before
 * the change, and the end of that process has made a descriptor readable.
 *
 * This is the bare system call, because the C library's ppoll would be the only
 * cancellation point in a wait.
 */
static void sleep_until_end(const struct wait_set *set,
			    const struct wait_watch *watch,
			    const struct timespec *end)
{
	struct pollfd ends[WATCH_MOST];
	int64_t start = clock_ns(), left;
	struct timespec time;
	long result;

	left = (int64_t)end->tv_sec * SECOND + end->tv_nsec - start;
	if (left <= 0 || was_raised(set))
		return;
	for (unsigned i = 0; i < watch->ends; i++)
		ends[i] = (struct pollfd){ .fd = watch->end[i],
					   .events = POLLIN };
	time.tv_sec = left / SECOND;
	time.tv_nsec = left % SECOND;
	result = syscall(SYS_ppoll, ends, watch->ends, &time, NULL, 0);
	if (result == 0) {
		result = -1;
		errno = ETIMEDOUT;
	}
	wake_up(result, start, wait_policy.nap_most);
}

/* True: every event of `watch` ends the sleep. */
static bool watches_all(const struct wait_set *set,
			const struct wait_watch *watch)
{
	return set->count + watch->count + !!watch->interrupt <= WAIT_SET_MOST;
}

/* `watched`: every event of `watch` ends the sleep. */
static int64_t next_nap(const struct wait_watch *watch, bool watched)
{
	int64_t nap = watched ? longest_nap(watch) : wait_policy.nap_most;

	if (habit.nap < nap)
		nap = habit.nap;
	return watch && watch->nap && watch->nap < nap ? watch->nap : nap;
}

/* False: futex_waitv cannot take these words; use the bell. */
static bool sleep_on_set(struct wait_set *set, const struct timespec *deadline,
			 const struct wait_watch *watch)
{
	const bool watching = set->mode == WAIT_VECTOR && watch &&
			      (watch->count > 0 || watch->interrupt) &&
			      uses_vector();
	const bool all = watching && watches_all(set, watch);
	struct timespec end = nap_end(next_nap(watch, all), deadline);

	habit.nap_over = false;
	if (watch && watch->ends) {
		sleep_until_end(set, watch, &end);
		return true;
	}
	if (set->mode == WAIT_VECTOR && set->count > WAIT_SET_MOST)
		return false;
	if (set->mode == WAIT_VECTOR && set->count > 1)
		return sleep_on_vector(set, watch, &end);
	if (watching && sleep_on_vector(set, watch, &end))
		return true;
	if (set->mode == WAIT_VECTOR && set->count == 1) {
		sleep_on(set->armed[0].word, set->armed[0].gate, &end);
	} else if (set->bell) {
		sleep_on(set->bell, set->bell_gate, &end);
	} else {
		/* Words without a known bell. */
		end = nap_end(wait_policy.blind_nap, deadline);
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
	}
	return true;
}

void wait_watching(struct wait_set *set, const struct timespec *deadline,
		   const struct wait_watch *watch)
{
	bool slept = false;

	if (set->count == 0) {
		set->mode = WAIT_LOOK; /* the pass is repeated at once */
	} else if (set->mode == WAIT_LOOK) {
		if (!set->again)
			begin_wait();
		set->again = true;
		if (!rest()) {
			habit.slept = true;
			set->mode = has_room(set) ? WAIT_VECTOR : WAIT_BELL;
		}
	} else if (set->changed ||
		   (slept = sleep_on_set(set, deadline, watch))) {
		/* The next pass usually succeeds, so it sets no flags. */
		set->mode = WAIT_LOOK;
	} else {
		set->mode = WAIT_BELL;
	}
	set->slept = slept;
	set->count = 0;
	set->changed = false;
	set->bell = NULL;
}
