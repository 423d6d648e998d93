/* SPDX-License-Identifier: BSD-2-Clause */
#include "exercise.h"

#include "common/clock.h"
#include "image.h"
#include "runtime/pool.h"

#include <fcntl.h>
#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

/* The results that atmost.h names for each call on a damaged file. */
static const struct {
	const char *call;
	int results[8];
} documented[] = {
	{ "open",
	  { ATMOST_ESHAPE, ATMOST_EALGORITHM, ATMOST_EFORMAT, ATMOST_ECORRUPT,
	    ATMOST_ENOMEM } },
	{ "open with a shape",
	  { ATMOST_ESHAPE, ATMOST_EALGORITHM, ATMOST_EFORMAT, ATMOST_ECORRUPT,
	    ATMOST_ENOMEM } },
	{ "status", { ATMOST_ENOMEM } },
	{ "object_open",
	  { ATMOST_ESHAPE, ATMOST_EALGORITHM, ATMOST_EFORMAT, ATMOST_ECORRUPT,
	    ATMOST_ENOMEM } },
	{ "object_join", { ATMOST_EFULL, ATMOST_ECORRUPT } },
	{ "object_apply in time",
	  { ATMOST_ETIMEDOUT, ATMOST_EEVICTED, ATMOST_ECORRUPT } },
	{ "object_apply, trying",
	  { ATMOST_EBUSY, ATMOST_EEVICTED, ATMOST_ECORRUPT } },
	{ "object_apply of nothing", { ATMOST_EOPERATION } },
	{ "object_outcome",
	  { ATMOST_ENOTFOUND, ATMOST_EASKED, ATMOST_EBUSY, ATMOST_ECORRUPT } },
	{ "object_read", { ATMOST_EBUSY, ATMOST_ECORRUPT } },
	{ "join", { ATMOST_EFULL, ATMOST_ECORRUPT, ATMOST_ESHAPE } },
	{ "enter, trying", { ATMOST_EBUSY, ATMOST_EEVICTED } },
	{ "enter in time", { ATMOST_ETIMEDOUT, ATMOST_EEVICTED } },
	{ "enter without patience", { ATMOST_ENOTABORTABLE } },
	{ "enter for ever", { ATMOST_EEVICTED } },
	{ "leave", { ATMOST_EEVICTED } },
	{ "entrust", { ATMOST_EEVICTED } },
	{ "resize",
	  { ATMOST_ESHAPE, ATMOST_ENOTRESIZABLE, ATMOST_EBUSY,
	    ATMOST_ECORRUPT } },
	{ "unlink", { 0 } },
};

bool exercise_is_documented(const char *call, int result)
{
	for (size_t i = 0; i < sizeof documented / sizeof *documented; i++)
		if (strcmp(documented[i].call, call) == 0)
			for (unsigned j = 0; j < 8; j++)
				if (documented[i].results[j] == result)
					return true;
	return false;
}

/* The state of one case. */
struct run {
	const struct exercise *plan;
	const struct algorithm *algorithm; /* the one that the file names; may
					      be NULL */
	bool resize_is_locked;
	uint64_t random;
	const char *call;
	int64_t began;
};

static uint64_t next_random(struct run *run)
{
	return run->random = run->random * UINT64_C(6364136223846793005) +
			     UINT64_C(1442695040888963407);
}

static struct itimerval after(int64_t ns)
{
	return (struct itimerval){
		.it_value = { ns / SECOND, ns % SECOND / 1000 },
	};
}

/* Sets the timers that the plan uses; 0 stops a timer. */
static void set_timers(const struct exercise *plan, int64_t real,
		       int64_t processor)
{
	const struct itimerval in_real = after(real),
			       in_processor = after(processor);

	if (plan->real)
		setitimer(ITIMER_REAL, &in_real, NULL);
	if (plan->processor)
		setitimer(ITIMER_PROF, &in_processor, NULL);
}

static void begin(struct run *run, const char *call)
{
	run->call = call;
	set_timers(run->plan, run->plan->real, run->plan->processor);
	if (run->plan->progress)
		run->plan->progress->call = call;
	run->began = clock_nanoseconds();
}

_Noreturn static void wrong(const struct run *run, const char *what, int result)
{
	fprintf(stderr, "atmost_%s: %s: %d (%s; \"%s\")\n", run->call, what,
		result, atmost_strerror(result), atmost_detail());
	abort();
}

static int end(struct run *run, int result)
{
	struct progress *progress = run->plan->progress;
	int64_t took = clock_nanoseconds() - run->began;

	if (result < 0 && !exercise_is_documented(run->call, result))
		wrong(run, "a result that the header does not name", result);
	if (progress && took > progress->longest)
		progress->longest = took;
	return result;
}

/* The functions below make the calls. */

static void status(struct run *run, struct atmost *pool)
{
	struct atmost_seat seats[4];
	struct atmost_totals totals = { 0 };
	int result;

	begin(run, "status");
	result = end(run, atmost_status(pool, seats, 4, &totals));
	if (result >= 0 && (unsigned)result != totals.holders + totals.waiters)
		wrong(run, "seats that are neither holders nor waiters",
		      result);
	for (int i = 0; i < result && i < 4; i++)
		if (!memchr(seats[i].command, 0, sizeof seats[i].command) ||
		    !memchr(seats[i].label, 0, sizeof seats[i].label))
			wrong(run, "a text without its terminating zero", i);
}

static void inspect(struct run *run, struct atmost *pool)
{
	struct atmost_shape shape;
	unsigned names = 1;

	begin(run, "inspect");
	if (end(run, atmost_inspect(pool, &shape)) != 0)
		return;
	if (!registry_find(shape.algorithm))
		wrong(run, "an unknown algorithm", 0);
	for (const char *c = shape.names; c && *c; c++) {
		if ((unsigned char)*c < ' ' || *c == 127)
			wrong(run, "a control byte in a slot name", *c);
		names += *c == ',';
	}
	if (shape.names && names != shape.k_max)
		wrong(run, "more or fewer slot names than slots", (int)names);
}

/* Sets the label of a member, and sometimes entrusts it. */
static void describe(struct run *run, struct atmost_member *me)
{
	if (!me)
		return;
	begin(run, "label");
	end(run, atmost_label(me, "fuzz"));
	if (next_random(run) >> 62)
		return;
	begin(run, "entrust");
	end(run, atmost_entrust(me, getpid(), "another"));
}

static struct atmost_member *join(struct run *run, struct atmost *pool)
{
	struct atmost_member *me = NULL;

	begin(run, "join");
	return end(run, atmost_join(pool, &me)) == 0 ? me : NULL;
}

static bool settles_by_waiting(const struct algorithm *a)
{
	return a->settle && strncmp(a->name, "capture-", 8) == 0;
}

static bool can_give_up(const struct algorithm *a)
{
	return a->abort && !settles_by_waiting(a);
}

bool exercise_may_wait(const char *algorithm)
{
	const struct algorithm *a = registry_find(algorithm);

	return a && !can_give_up(a);
}

static void enter(struct run *run, struct atmost_member *me, bool try)
{
	const struct algorithm *a = run->algorithm;
	const int64_t until = clock_nanoseconds() + run->plan->patience;
	const struct timespec deadline = { until / SECOND, until % SECOND };
	struct atmost_want want = { .session = 1 + next_random(run) % 2 };
	int result;

	if (!me || !a)
		return;
	/*
	 * In the few cases with a long deadline the member waits until the
	 * deadline instead of trying once.
	 */
	try = try && run->plan->patience < SECOND;
	if (settles_by_waiting(a) && !run->plan->for_ever)
		return;
	if (!a->abort && run->plan->for_ever) {
		begin(run, "enter for ever");
	} else {
		begin(run, !a->abort ? "enter without patience"
			   : try     ? "enter, trying"
				     : "enter in time");
		want.flags = try ? ATMOST_TRY : 0;
		want.deadline = try ? NULL : &deadline;
	}
	result = atmost_enter(me, &want);
	/*
	 * The damaged header may say that there is only one session; then
	 * atmost_enter refuses session 2.
	 */
	if (result == ATMOST_ESESSION && want.session == 2)
		return;
	end(run, result);
	if (result >= 0 && run->plan->progress)
		run->plan->progress->entered++;
}

static void leave(struct run *run, struct atmost_member *me)
{
	int result;

	if (!me)
		return;
	begin(run, "leave");
	result = atmost_leave(me);
	/* ATMOST_EOUTSIDE is right if the member could not enter before. */
	if (result != ATMOST_EOUTSIDE)
		end(run, result);
}

static void resize(struct run *run, struct atmost *pool)
{
	unsigned k = 1 + (unsigned)(next_random(run) >> 40) % 4;

	/* If the resize lock is held, atmost_resize waits for a second, so only
	 * one case in 256 calls it then. */
	if (run->resize_is_locked && run->plan->random % 256)
		return;
	begin(run, "resize");
	end(run, atmost_resize(pool, k));
}

static void part(struct run *run, struct atmost_member *me)
{
	begin(run, "part");
	atmost_part(me);
	end(run, 0);
}

/* The functions below make the calls on shared objects. */

static struct atmost_object_member *join_object(struct run *run,
						struct atmost_object *object)
{
	struct atmost_object_member *me = NULL;

	begin(run, "object_join");
	return end(run, atmost_object_join(object, &me)) == 0 ? me : NULL;
}

static void apply(struct run *run, struct atmost_object_member *me, bool try)
{
	const int64_t until = clock_nanoseconds() + run->plan->patience;
	const struct timespec deadline = { until / SECOND, until % SECOND };
	const uint64_t argument[2] = { next_random(run), next_random(run) };
	const struct atmost_object_want want = {
		.deadline = try ? NULL : &deadline,
		.flags = try ? ATMOST_TRY : 0,
		.tag = next_random(run) >> 62,
	};
	uint64_t result[2];

	if (!me)
		return;
	begin(run, try ? "object_apply, trying" : "object_apply in time");
	if (end(run, atmost_object_apply_as(me, &want, 1 + want.tag % 3,
					    argument, result)) == 0 &&
	    run->plan->progress)
		run->plan->progress->entered++;
	begin(run, "object_apply of nothing");
	end(run, atmost_object_apply(me, 4, argument, result));
}

static void inspect_object(struct run *run, struct atmost_object *object)
{
	unsigned char state[21];
	uint64_t result[2];
	bool happened;

	begin(run, "object_read");
	end(run, atmost_object_read(object, state));
	for (uint64_t tag = 0; tag < 4; tag++) {
		begin(run, "object_outcome");
		end(run, atmost_object_outcome(object, tag, &happened, result));
	}
	begin(run, "status");
	end(run, atmost_object_status(object, NULL, 0, NULL));
}

static void use_object(struct run *run, struct atmost_object *object)
{
	struct atmost_object_member *a, *b;

	if (next_random(run) >> 63)
		inspect_object(run, object);
	a = join_object(run, object);
	b = join_object(run, object);
	for (unsigned i = 0; i < 3; i++) {
		apply(run, a, true);
		apply(run, b, next_random(run) >> 62 != 0);
		inspect_object(run, object);
	}
	begin(run, "part");
	atmost_object_part(a);
	atmost_object_part(b);
	end(run, 0);
}

/* Returns a member that may be inside, or NULL. */
static struct atmost_member *use(struct run *run, struct atmost *pool)
{
	struct atmost_member *a, *b;

	status(run, pool);
	inspect(run, pool);
	a = join(run, pool);
	b = join(run, pool);
	describe(run, b);
	enter(run, a, true);
	enter(run, b, next_random(run) >> 62 != 0);
	status(run, pool);
	leave(run, a);
	enter(run, a, next_random(run) >> 62 != 0);
	resize(run, pool);
	leave(run, b);
	status(run, pool);
	part(run, a); /* the member may be inside */
	enter(run, b, true);
	return b;
}

/*
 * The last page of the mapping extends past the end of the file.  If
 * AddressSanitizer is built in, this function makes it report accesses to that
 * part.
 */
static void guard_end(const struct atmost *pool, bool closed)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const char *end = pool->segment.base + pool->segment.size;
	size_t rest = (page - pool->segment.size % page) % page;

	if (closed)
		ASAN_POISON_MEMORY_REGION(end, rest);
	else
		ASAN_UNPOISON_MEMORY_REGION(end, rest);
	(void)end;
	(void)rest;
}

static void write_file(const unsigned char *bytes, size_t size)
{
	int fd = open(image_path(EXERCISE_NAME),
		      O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size) {
		perror(image_path(EXERCISE_NAME));
		exit(2);
	}
	close(fd);
}

static void read_header(struct run *run, const unsigned char *bytes,
			size_t size)
{
	struct header h;
	uint32_t lock;

	if (size < sizeof h)
		return;
	memcpy(&h, bytes, sizeof h);
	h.algorithm[sizeof h.algorithm - 1] = '\0';
	run->algorithm = registry_find(h.algorithm);
	memcpy(&lock, &h.resizing, sizeof lock);
	run->resize_is_locked = lock != 0;
}

void exercise(const struct exercise *plan, const unsigned char *bytes,
	      size_t size)
{
	struct run run = { .plan = plan, .random = plan->random };
	struct atmost *pool;

	write_file(bytes, size);
	read_header(&run, bytes, size);
	begin(&run, "open");
	if (end(&run, atmost_open(&pool, EXERCISE_NAME, NULL)) == 0) {
		if (plan->progress)
			plan->progress->opened++;
		guard_end(pool, true);
		use(&run, pool);
		guard_end(pool, false);
		begin(&run, "close");
		atmost_close(pool);
		end(&run, 0);
	}
	begin(&run, "open with a shape");
	if (plan->shape.kind != ATMOST_OBJECT &&
	    end(&run, atmost_open(&pool, EXERCISE_NAME, &plan->shape)) == 0) {
		status(&run, pool);
		begin(&run, "close");
		atmost_close(pool);
		end(&run, 0);
	}
	if (plan->shape.kind == ATMOST_OBJECT) {
		begin(&run, "object_open");
		if (end(&run, image_open(&pool, EXERCISE_NAME, &plan->shape,
					 plan->random & 1)) == 0) {
			guard_end(pool, true);
			use_object(&run, (void *)pool);
			guard_end(pool, false);
			atmost_close(pool);
		}
	}
	begin(&run, "unlink");
	end(&run, atmost_unlink(EXERCISE_NAME));
	set_timers(plan, 0, 0);
}

void exercise_use(const struct exercise *plan, struct atmost *pool)
{
	struct run run = {
		.plan = plan,
		.random = plan->random,
		.algorithm = registry_find(plan->shape.algorithm),
	};

	if (plan->shape.kind == ATMOST_OBJECT)
		use_object(&run, (void *)pool);
	else
		part(&run, use(&run, pool));
	set_timers(plan, 0, 0);
}
