/* SPDX-License-Identifier: BSD-2-Clause */
#include "image.h"

#include "common/folder.h"
#include "common/watchdog.h"
#include "runtime/names.h"
#include "runtime/pool.h"
#include "runtime/shape.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAME "image"

static struct image images[IMAGE_MOST];
static unsigned count;

/* The first shape of each kind has the default algorithm. */
static const struct atmost_shape shapes[] = {
	{ .kind = ATMOST_MUTEX },
	{ .kind = ATMOST_EXCLUSION, .k = 2 },
	{ .kind = ATMOST_ASSIGNMENT, .k = 2 },
	{ .kind = ATMOST_GROUP, .sessions = 3 },
	{ .kind = ATMOST_MUTEX, .algorithm = "roster" },
	{ .kind = ATMOST_EXCLUSION, .k = 2, .k_max = 4, .algorithm = "roster" },
	{ .kind = ATMOST_ASSIGNMENT,
	  .k = 2,
	  .k_max = 3,
	  .algorithm = "roster" },
	{ .kind = ATMOST_ASSIGNMENT,
	  .k = 2,
	  .names = "one,two,three",
	  .algorithm = "roster" },
	{ .kind = ATMOST_MUTEX, .algorithm = "ticket-ring" },
	{ .kind = ATMOST_ASSIGNMENT,
	  .k = 2,
	  .k_max = 4,
	  .algorithm = "ticket-ring" },
	{ .kind = ATMOST_ASSIGNMENT,
	  .k = 2,
	  .names = "a,b",
	  .algorithm = "renaming/k-bakery" },
	{ .kind = ATMOST_MUTEX, .algorithm = "tree-mutex" },
	{ .kind = ATMOST_MUTEX, .algorithm = "adaptive-mutex" },
	{ .kind = ATMOST_MUTEX, .algorithm = "bakery-mutex" },
	{ .kind = ATMOST_MUTEX, .algorithm = "dijkstra" },
	{ .kind = ATMOST_MUTEX, .algorithm = "bakery" },
	{ .kind = ATMOST_MUTEX, .algorithm = "mcs" },
	{ .kind = ATMOST_MUTEX, .algorithm = "clh" },
	{ .kind = ATMOST_MUTEX, .algorithm = "anderson-array" },
	{ .kind = ATMOST_MUTEX, .algorithm = "graunke-thakkar" },
	{ .kind = ATMOST_MUTEX, .algorithm = "yang-anderson" },
	{ .kind = ATMOST_MUTEX, .algorithm = "peterson-tree" },
	{ .kind = ATMOST_EXCLUSION, .k = 2, .algorithm = "k-bakery" },
	{ .kind = ATMOST_EXCLUSION, .k = 2, .algorithm = "k-bakery-fife" },
	{ .kind = ATMOST_EXCLUSION, .k = 2, .algorithm = "k-bakery-safe" },
	{ .kind = ATMOST_ASSIGNMENT, .k = 3, .algorithm = "renaming/k-bakery" },
	{ .kind = ATMOST_ASSIGNMENT, .k = 2, .algorithm = "renaming/choi" },
	{ .kind = ATMOST_EXCLUSION, .k = 2, .algorithm = "k-ticket" },
	{ .kind = ATMOST_EXCLUSION, .k = 2, .algorithm = "am-tree" },
	{ .kind = ATMOST_EXCLUSION, .k = 2, .algorithm = "am-nested" },
	{ .kind = ATMOST_EXCLUSION, .k = 2, .algorithm = "am-dsm-induction" },
	{ .kind = ATMOST_EXCLUSION, .k = 2, .algorithm = "am-dsm-nested" },
	{ .kind = ATMOST_EXCLUSION, .k = 2, .algorithm = "am-dsm-fast-path" },
	{ .kind = ATMOST_EXCLUSION, .k = 2, .algorithm = "decker" },
	{ .kind = ATMOST_EXCLUSION, .k = 2, .algorithm = "choi-plain" },
	{ .kind = ATMOST_GROUP, .algorithm = "hall" },
	{ .kind = ATMOST_GROUP, .algorithm = "room" },
	{ .kind = ATMOST_GROUP, .k = 2, .k_max = 4, .algorithm = "room" },
	{ .kind = ATMOST_GROUP, .algorithm = "room/wait-free-object" },
	{ .kind = ATMOST_GROUP, .algorithm = "danek-fife/tree-mutex" },
	{ .kind = ATMOST_GROUP, .algorithm = "danek-fcfs" },
	{ .kind = ATMOST_GROUP, .algorithm = "jayanti-gme/tree-mutex" },
	{ .kind = ATMOST_GROUP, .algorithm = "two-session" },
	{ .kind = ATMOST_GROUP, .algorithm = "two-session/tree-mutex" },
	{ .kind = ATMOST_GROUP, .sessions = 4, .algorithm = "session-tree" },
	{ .kind = ATMOST_GROUP,
	  .sessions = 3,
	  .algorithm = "session-tree/tree-mutex" },
	{ .kind = ATMOST_GROUP, .algorithm = "capture-cas" },
	{ .kind = ATMOST_GROUP, .algorithm = "capture-rw/tree-mutex" },
	{ .kind = ATMOST_GROUP, .algorithm = "capture-bounded" },
	{ .kind = ATMOST_GROUP, .algorithm = "room" },
	{ .kind = ATMOST_GROUP, .k = 2, .k_max = 3, .algorithm = "room" },
	{ .kind = ATMOST_GROUP, .k = 2, .algorithm = "room-capture" },
	{ .kind = ATMOST_OBJECT, .k = 2, .algorithm = "roster" },
	{ .kind = ATMOST_OBJECT, .k = 3, .algorithm = "roster" },
};

const struct object_type image_object = {
	.state = 3,
	.arguments = 2,
	.results = 2,
};

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "fuzz: %s: %s\n", what, atmost_detail());
	exit(2);
}

void image_begin(void)
{
	folder_create(NULL);
}

void image_end(void)
{
	for (unsigned i = 0; i < count; i++)
		free(images[i].bytes);
	count = 0;
	folder_delete();
}

const char *image_path(const char *name)
{
	char file[64];

	snprintf(file, sizeof file, "%s.pool", name);
	return folder_path(file);
}

/* Stores the present content of the pool's file as an image. */
static void keep(const struct atmost_shape *shape, const char *state)
{
	struct image *image = &images[count];
	int fd = open(image_path(NAME), O_RDONLY | O_CLOEXEC);
	struct stat status;
	struct atmost_shape known = *shape;
	struct layout layout;
	struct shape inner;

	must(count++ < IMAGE_MOST, "too many images");
	must(fd >= 0 && fstat(fd, &status) == 0, "the pool's file");
	image->shape = *shape;
	image->state = state;
	image->size = (size_t)status.st_size;
	image->bytes = malloc(image->size);
	must(image->bytes && read(fd, image->bytes, image->size) ==
				     (ssize_t)image->size,
	     "reading it");
	close(fd);
	if (shape->kind == ATMOST_OBJECT)
		known.algorithm = NULL;
	must(shape_resolve(&image->algorithm, &inner, &known) == 0,
	     "its algorithm");
	inner.object = shape->kind == ATMOST_OBJECT ? &image_object : NULL;
	must(layout_compute(&layout, image->algorithm, &inner,
			    names_length(shape->names)),
	     "its shape");
	image->words = layout.words;
	image->own = layout.members;
}

/* The functions below belong to the shared object of the images. */

struct thread;
static _Thread_local struct thread *staying;
static void stay_inside(struct thread *v);

/* Accepts every operation; reads and writes every byte of the state. */
static void mix(void *state, size_t size, uint64_t operation,
		const uint64_t *argument, uint64_t *result)
{
	unsigned char *byte = state;

	if (staying)
		stay_inside(staying);
	result[0] = result[1] = argument[1];
	for (size_t i = 0; i < size; i++) {
		result[0] = result[0] * 31 + byte[i];
		byte[i] = (unsigned char)(byte[i] + operation + argument[0]);
	}
}

struct atmost_object_type image_type(void)
{
	return (struct atmost_object_type){
		.name = "mix",
		.size = 21,
		.apply = mix,
		.operations = 3,
		.arguments = image_object.arguments,
		.results = image_object.results,
	};
}

int image_open(struct atmost **pool, const char *name,
	       const struct atmost_shape *shape, bool guarded)
{
	const struct atmost_object_type type = image_type();
	const struct atmost_object_shape wanted = {
		.type = &type,
		.k = shape->k,
		.members = shape->members,
		.algorithm = shape->algorithm,
		.flags = guarded ? ATMOST_OBJECT_GUARDED : 0,
	};
	struct atmost_object *made;
	int error;

	if (shape->kind != ATMOST_OBJECT)
		return atmost_open(pool, name, shape);
	error = atmost_object_open(&made, name, &wanted);
	if (!error)
		*pool = (struct atmost *)(void *)made;
	return error;
}

/*
 * The functions below run the members of the images, each on a thread of one
 * process.
 */

enum { THREADS = 4 };

struct thread {
	struct atmost *pool;
	uint64_t session;
	enum { JOINS, ENTERS, WAITS } action;
	sem_t ready;
};

static void stay_inside(struct thread *v)
{
	sem_post(&v->ready);
	for (;;)
		pause();
}

static void *use_object(struct thread *v)
{
	struct atmost_object_member *me;

	must(atmost_object_join((void *)v->pool, &me) == 0, "joining");
	if (v->action != ENTERS)
		sem_post(&v->ready);
	else
		staying = v;
	if (v->action != JOINS)
		atmost_object_apply_as(me,
				       &(struct atmost_object_want){
					       .tag = v->session },
				       1, NULL, NULL);
	for (;;)
		pause();
	return NULL;
}

static void *use_pool(void *argument)
{
	struct thread *v = argument;
	const struct atmost_want want = { .session = v->session };
	struct atmost_member *me;

	if (v->pool->kind == ATMOST_OBJECT)
		return use_object(v);

	must(atmost_join(v->pool, &me) == 0, "joining");
	if (v->action == WAITS)
		sem_post(&v->ready);
	if (v->action != JOINS)
		atmost_enter(me, &want);
	sem_post(&v->ready);
	for (;;)
		pause();
	return NULL;
}

static void pass_through(struct atmost *pool, unsigned passages)
{
	const struct atmost_want want = { .session = 1 };
	struct atmost_member *me;

	must(atmost_join(pool, &me) == 0, "joining");
	while (passages-- > 0) {
		must(atmost_enter(me, &want) >= 0, "entering");
		must(atmost_leave(me) == 0, "leaving");
	}
	atmost_part(me);
}

static void apply_some(struct atmost *pool, unsigned operations)
{
	struct atmost_object_member *me;

	must(atmost_object_join((void *)pool, &me) == 0, "joining");
	while (operations-- > 0)
		must(atmost_object_apply(me, 1, NULL, NULL) == 0, "applying");
	atmost_object_part(me);
}

static void wait_for_waiters(struct atmost *pool, unsigned waiters)
{
	struct atmost_totals totals = { 0 };

	while (totals.waiters < waiters) {
		usleep(1000);
		atmost_status(pool, NULL, 0, &totals);
	}
	usleep(1000); /* most likely the waiters sleep by now */
}

/* Runs in a child: makes members in all states.  The members stay in these
 * states. */
_Noreturn static void use(const struct atmost_shape *shape, int done)
{
	static struct thread threads[THREADS];
	unsigned inside = shape->kind == ATMOST_GROUP || shape->k > 1 ? 2 : 1;
	struct atmost *pool;
	pthread_t thread;

	alarm(WATCHDOG_SECONDS);
	must(image_open(&pool, NAME, shape, false) == 0, "opening");
	if (shape->kind == ATMOST_OBJECT)
		apply_some(pool, 3);
	else
		pass_through(pool, 3);
	for (unsigned i = 0; i < THREADS; i++) {
		struct thread *v = &threads[i];

		v->pool = pool;
		v->session = i < inside ? 1 : 2;
		v->action = i < inside ? ENTERS : i < 3 ? WAITS : JOINS;
		sem_init(&v->ready, 0, 0);
		pthread_create(&thread, NULL, use_pool, v);
		sem_wait(&v->ready);
	}
	/* With k = 3 the third member gets in, so no member waits. */
	wait_for_waiters(pool, shape->k > 2 ? 0 : 3 - inside);
	must(write(done, "", 1) == 1, "telling");
	for (;;)
		pause();
}

static void make_images(const struct atmost_shape *shape)
{
	struct atmost *pool;
	int pipes[2];
	char done;
	pid_t child;

	must(image_open(&pool, NAME, shape, false) == 0, "making a pool");
	atmost_close(pool);
	keep(shape, "never used");
	must(pipe(pipes) == 0, "a pipe");
	child = fork();
	if (child == 0)
		use(shape, pipes[1]);
	close(pipes[1]);
	must(child > 0 && read(pipes[0], &done, 1) == 1, "using a pool");
	close(pipes[0]);
	keep(shape, "in use");
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	keep(shape, "in use by the dead");
	must(atmost_unlink(NAME) == 0, "removing it");
}

unsigned image_make(void)
{
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		struct atmost_shape shape = shapes[i];

		shape.members = IMAGE_MEMBERS;
		make_images(&shape);
	}
	return count;
}

const struct image *image_at(unsigned i)
{
	return &images[i % count];
}
