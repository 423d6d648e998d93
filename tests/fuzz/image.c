/* SPDX-License-Identifier: BSD-2-Clause */
#include "image.h"

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

static char directory[64];
static struct image images[IMAGE_MOST];
static unsigned count;

/* The first of each kind has the default algorithm. */
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
	{ .kind = ATMOST_MUTEX, .algorithm = "tree-mutex" },
	{ .kind = ATMOST_MUTEX, .algorithm = "bakery-mutex" },
	{ .kind = ATMOST_MUTEX, .algorithm = "dijkstra" },
	{ .kind = ATMOST_MUTEX, .algorithm = "bakery" },
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
	{ .kind = ATMOST_EXCLUSION, .k = 2, .algorithm = "choi-plain" },
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
	/* In memory if that can be: a file is written for every case. */
	strcpy(directory, access("/dev/shm", W_OK) == 0
				  ? "/dev/shm/atmost-fuzz-XXXXXX"
				  : "/tmp/atmost-fuzz-XXXXXX");
	must(mkdtemp(directory) != NULL, "a directory");
	setenv("ATMOST_DIR", directory, 1);
}

void image_end(void)
{
	for (unsigned i = 0; i < count; i++)
		free(images[i].bytes);
	count = 0;
	rmdir(directory);
}

const char *image_path(const char *name)
{
	static char path[128];

	snprintf(path, sizeof path, "%s/%s.pool", directory, name);
	return path;
}

/* Keeps what the object's file holds now. */
static void keep(const struct atmost_shape *shape, const char *state)
{
	struct image *image = &images[count];
	int fd = open(image_path(NAME), O_RDONLY | O_CLOEXEC);
	struct stat status;
	struct atmost_shape known = *shape;
	struct layout layout;
	struct shape inner;

	must(count++ < IMAGE_MOST, "too many images");
	must(fd >= 0 && fstat(fd, &status) == 0, "the object's file");
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
	must(layout_compute(&layout, image->algorithm, &inner), "its shape");
	image->words = layout.words;
	image->own = layout.members;
}

/* Objects. */

struct visitor;
static _Thread_local struct visitor *stays;
static void stay(struct visitor *v);

/* Answers everything, and reads and writes every byte of the state. */
static void stir(void *state, size_t size, uint64_t operation,
		 const uint64_t *argument, uint64_t *result)
{
	unsigned char *byte = state;

	if (stays)
		stay(stays);
	result[0] = result[1] = argument[1];
	for (size_t i = 0; i < size; i++) {
		result[0] = result[0] * 31 + byte[i];
		byte[i] = (unsigned char)(byte[i] + operation + argument[0]);
	}
}

struct atmost_object_type image_type(void)
{
	return (struct atmost_object_type){
		.name = "stir",
		.size = 21,
		.apply = stir,
		.operations = 3,
		.arguments = image_object.arguments,
		.results = image_object.results,
	};
}

int image_open(struct atmost **object, const char *name,
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
		return atmost_open(object, name, shape);
	error = atmost_object_open(&made, name, &wanted);
	if (!error)
		*object = (struct atmost *)(void *)made;
	return error;
}

/* Those who use it, each on a thread of one process. */

enum { VISITORS = 4 };

struct visitor {
	struct atmost *object;
	uint64_t session;
	enum { JOINS, ENTERS, WAITS } deed;
	sem_t there;
};

static void stay(struct visitor *v)
{
	sem_post(&v->there);
	for (;;)
		pause();
}

static void *visit_object(struct visitor *v)
{
	struct atmost_object_member *me;

	must(atmost_object_join((void *)v->object, &me) == 0, "joining");
	if (v->deed != ENTERS)
		sem_post(&v->there);
	else
		stays = v;
	if (v->deed != JOINS)
		atmost_object_apply_as(me,
				       &(struct atmost_object_want){
					       .tag = v->session },
				       1, NULL, NULL);
	for (;;)
		pause();
	return NULL;
}

static void *visit(void *argument)
{
	struct visitor *v = argument;
	const struct atmost_want want = { .session = v->session };
	struct atmost_member *me;

	if (v->object->kind == ATMOST_OBJECT)
		return visit_object(v);

	must(atmost_join(v->object, &me) == 0, "joining");
	if (v->deed == WAITS)
		sem_post(&v->there);
	if (v->deed != JOINS)
		atmost_enter(me, &want);
	sem_post(&v->there);
	for (;;)
		pause();
	return NULL;
}

static void pass_through(struct atmost *object, unsigned passages)
{
	const struct atmost_want want = { .session = 1 };
	struct atmost_member *me;

	must(atmost_join(object, &me) == 0, "joining");
	while (passages-- > 0) {
		must(atmost_enter(me, &want) >= 0, "entering");
		must(atmost_leave(me) == 0, "leaving");
	}
	atmost_part(me);
}

static void apply_some(struct atmost *object, unsigned operations)
{
	struct atmost_object_member *me;

	must(atmost_object_join((void *)object, &me) == 0, "joining");
	while (operations-- > 0)
		must(atmost_object_apply(me, 1, NULL, NULL) == 0, "applying");
	atmost_object_part(me);
}

static void wait_for_waiters(struct atmost *object, unsigned waiters)
{
	struct atmost_totals totals = { 0 };

	for (unsigned i = 0; i < 200 && totals.waiters < waiters; i++) {
		usleep(1000);
		atmost_status(object, NULL, 0, &totals);
	}
	usleep(1000); /* till it sleeps, mostly */
}

/* In a child: it is full of members in all states, and stays so. */
_Noreturn static void use(const struct atmost_shape *shape, int told)
{
	static struct visitor visitor[VISITORS];
	unsigned inside = shape->kind == ATMOST_GROUP || shape->k > 1 ? 2 : 1;
	struct atmost *object;
	pthread_t thread;

	alarm(20);
	must(image_open(&object, NAME, shape, false) == 0, "opening");
	if (shape->kind == ATMOST_OBJECT)
		apply_some(object, 3);
	else
		pass_through(object, 3);
	for (unsigned i = 0; i < VISITORS; i++) {
		struct visitor *v = &visitor[i];

		v->object = object;
		v->session = i < inside ? 1 : 2;
		v->deed = i < inside ? ENTERS : i < 3 ? WAITS : JOINS;
		sem_init(&v->there, 0, 0);
		pthread_create(&thread, NULL, visit, v);
		sem_wait(&v->there);
	}
	/* With k = 3 the third gets in. */
	wait_for_waiters(object, shape->k > 2 ? 0 : 3 - inside);
	must(write(told, "", 1) == 1, "telling");
	for (;;)
		pause();
}

static void take_pictures(const struct atmost_shape *shape)
{
	struct atmost *object;
	int pipes[2];
	char told;
	pid_t child;

	must(image_open(&object, NAME, shape, false) == 0, "making an object");
	atmost_close(object);
	keep(shape, "never used");
	must(pipe(pipes) == 0, "a pipe");
	child = fork();
	if (child == 0)
		use(shape, pipes[1]);
	close(pipes[1]);
	must(child > 0 && read(pipes[0], &told, 1) == 1, "using an object");
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
		take_pictures(&shape);
	}
	return count;
}

const struct image *image_at(unsigned i)
{
	return &images[i % count];
}
