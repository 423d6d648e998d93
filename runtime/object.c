/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Making, opening and closing objects.
 */
#define _GNU_SOURCE

#include "runtime/object.h"

#include "runtime/choose.h"
#include "runtime/error.h"
#include "runtime/life.h"
#include "runtime/member.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t checksum(const struct header *h)
{
	const unsigned char *byte = (const unsigned char *)h;
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < offsetof(struct header, unused); i++) {
		/* What only objects have adds nothing of the others. */
		if (i == offsetof(struct header, checksum)) {
			if (h->kind != ATMOST_OBJECT)
				break;
			i = offsetof(struct header, state);
		}
		sum = (sum ^ byte[i]) * UINT64_C(0x100000001b3);
	}
	return sum;
}

/* How large the whole is; false: too large. */
static bool size_of(struct atmost *made)
{
	size_t before = layout_records(made->shape.n);

	return layout_compute(&made->layout, made->algorithm, &made->shape) &&
	       !__builtin_add_overflow(before, made->layout.size,
				       &made->segment.size) &&
	       made->segment.size <= PTRDIFF_MAX;
}

/* Once it is mapped: where its parts are. */
static void find_parts(struct atmost *made)
{
	char *base = made->segment.base;

	made->header = (struct header *)(void *)base;
	made->records = (struct record *)(void *)(base + sizeof(struct header));
	made->memory = base + layout_records(made->shape.n);
}

static void fill_header(const struct atmost *made, const uint64_t boot[2])
{
	struct header *h = made->header;

	memcpy(h->magic, SEGMENT_MAGIC, sizeof h->magic);
	h->format = SEGMENT_FORMAT;
	h->kind = made->kind;
	h->k = made->shape.k;
	h->k_max = made->shape.k_max;
	h->members = made->shape.n;
	h->sessions = made->shape.sessions;
	strncpy(h->algorithm, made->algorithm->name, sizeof h->algorithm - 1);
	life_abi(h->abi, sizeof h->abi);
	memcpy(h->boot, boot, sizeof h->boot);
	h->size = made->segment.size;
	if (made->kind == ATMOST_OBJECT)
		form_write(&made->form, h);
	h->checksum = checksum(h);
	mem_poke(&h->k_now, made->shape.k);
	life_prepare(&h->resizing);
}

/* Zeroed memory becomes an object that nobody has joined. */
static void prepare(struct atmost *made, const uint64_t boot[2])
{
	find_parts(made);
	fill_header(made, boot);
	for (unsigned id = 0; id < made->shape.n; id++)
		life_prepare(&made->records[id].life);
	layout_prepare(made->memory, &made->layout, made->algorithm,
		       &made->shape);
}

/* All of an object is written when it is made: more than the machine has
 * would not be refused, but kill somebody. */
static int check_size(struct atmost *made)
{
	const size_t most = (size_t)sysconf(_SC_PHYS_PAGES) *
			    (size_t)sysconf(_SC_PAGESIZE);

	if (!size_of(made))
		return error_say(ATMOST_ENOMEM,
				 "%s: an object of this shape is too large",
				 made->algorithm->name);
	if (made->segment.size > most)
		return error_say(ATMOST_ENOMEM,
				 "%s: an object of this shape takes %zu bytes, "
				 "the machine has %zu", made->algorithm->name,
				 made->segment.size, most);
	return 0;
}

/* Which algorithm, and what it is an object of. */
static int choose(struct atmost *made, const struct atmost_shape *wanted,
		  const struct form *form)
{
	if (wanted && wanted->kind == ATMOST_OBJECT && !form)
		return error_say(ATMOST_ESHAPE, "kind is object: these are made "
				 "by atmost_object_create and "
				 "atmost_object_open");
	if (form) {
		made->form = *form;
		form_bind(&made->form);
	}
	return choose_algorithm(&made->algorithm, &made->shape, wanted);
}

/* An object of the shape that was asked for, as yet without memory. */
static int conceive(struct atmost **object, const struct atmost_shape *wanted,
		    const struct form *form)
{
	struct atmost *made = calloc(1, sizeof *made);
	int error;

	if (!made)
		return error_is(ATMOST_ENOMEM);
	error = choose(made, wanted, form);
	made->shape.object = form ? &made->form.type : NULL;
	if (!error)
		error = check_size(made);
	if (!error &&
	    strlen(made->algorithm->name) >= sizeof made->header->algorithm)
		error = error_say(ATMOST_EALGORITHM, "%s: the name is too long",
				  made->algorithm->name);
	if (error) {
		free(made);
		return error;
	}
	made->kind = wanted->kind;
	made->pid = getpid();
	*object = made;
	return 0;
}

static int finish(struct atmost **object, struct atmost *made)
{
	made->form.type.initial = NULL; /* its user's, and used */
	if (!mem_know(made->segment.base, made->segment.size)) {
		segment_close(&made->segment);
		free(made);
		return error_is(ATMOST_ENOMEM);
	}
	*object = made;
	return 0;
}

int object_create(struct atmost **object, const struct atmost_shape *wanted,
		  const struct form *form)
{
	static const uint64_t no_matter[2];
	struct atmost *made;
	int error = conceive(&made, wanted, form);

	if (error)
		return error;
	error = segment_anonymous(&made->segment, made->segment.size);
	if (error) {
		error = error_say(error, "%s: there are no %zu bytes for an "
				  "object of this shape",
				  made->algorithm->name, made->segment.size);
		free(made);
		return error;
	}
	prepare(made, no_matter);
	return finish(object, made);
}

int atmost_create(struct atmost **object, const struct atmost_shape *wanted)
{
	return object_create(object, wanted, NULL);
}

/* The fixed part of a header, as somebody else left it. */
static int check_header(const struct header *h, const char *name)
{
	char abi[sizeof h->abi];

	if (memcmp(h->magic, SEGMENT_MAGIC, sizeof h->magic) != 0)
		return error_say(ATMOST_ECORRUPT, "%s.pool is not an object of "
				 "this library", name);
	if (h->format != SEGMENT_FORMAT)
		return error_say(ATMOST_EFORMAT, "%s.pool has format %u, this "
				 "library knows %d: remove it when nobody uses "
				 "it", name, h->format, SEGMENT_FORMAT);
	if (checksum(h) != h->checksum)
		return error_say(ATMOST_ECORRUPT, "%s.pool is damaged: its "
				 "header does not add up; remove it when nobody "
				 "uses it", name);
	life_abi(abi, sizeof abi);
	if (memcmp(abi, h->abi, sizeof abi) != 0)
		return error_say(ATMOST_EFORMAT,
				 "%s.pool was made with locks of \"%.*s\", ours "
				 "are \"%s\"", name, (int)sizeof h->abi, h->abi,
				 abi);
	if (!memchr(h->algorithm, '\0', sizeof h->algorithm))
		return error_say(ATMOST_ECORRUPT,
				 "%s.pool: its algorithm has no name", name);
	return 0;
}

static struct atmost_shape shape_of(const struct header *h)
{
	return (struct atmost_shape){
		.kind = (enum atmost_kind)h->kind,
		.k = h->k,
		.k_max = h->k_max,
		.members = h->members,
		.sessions = h->sessions,
		.algorithm = h->algorithm,
	};
}

/* Takes over a segment that somebody made; on failure it is closed. */
static int adopt(struct atmost **object, struct segment *segment,
		 const char *name)
{
	struct header h;
	struct atmost_shape shape;
	struct atmost *made = NULL;
	struct form form;
	int error;

	memcpy(&h, segment->base, sizeof h);
	error = check_header(&h, name);
	shape = shape_of(&h);
	if (!error && h.kind == ATMOST_OBJECT && !form_read(&form, &h))
		error = error_say(ATMOST_ECORRUPT,
				  "%s.pool: no object has such a type", name);
	if (!error) {
		error = conceive(&made, &shape,
				 h.kind == ATMOST_OBJECT ? &form : NULL);
		if (error == ATMOST_ESHAPE)
			error = ATMOST_ECORRUPT;
	}
	if (!error && (made->segment.size != h.size ||
		       made->segment.size != segment->size)) {
		error = error_say(ATMOST_ECORRUPT,
				  "%s.pool has %zu bytes, an object of its "
				  "shape %zu: remove it when nobody uses it",
				  name, segment->size, made->segment.size);
		free(made);
	}
	if (error) {
		segment_close(segment);
		return error;
	}
	made->segment = *segment;
	made->named = true;
	find_parts(made);
	*object = made;
	return 0;
}

/* Everybody in it died with the machine: it starts anew. */
static int renew(struct atmost *old, const char *name,
		 const uint64_t boot[2], bool *renewed)
{
	struct draft draft;
	struct atmost made = *old;
	int error = segment_draft(&draft, old->segment.size);

	if (error)
		return error;
	made.segment.base = draft.segment.base;
	prepare(&made, boot);
	error = segment_replace(&draft, name, &old->segment, renewed);
	if (!error && *renewed)
		segment_close(&draft.segment);
	return error;
}

/* Who does not know cannot say that everybody is dead. */
static bool is_of_boot(const struct atmost *made, const uint64_t boot[2])
{
	const uint64_t *there = made->header->boot;

	return !(boot[0] | boot[1]) || !(there[0] | there[1]) ||
	       (boot[0] == there[0] && boot[1] == there[1]);
}

static int differs(const char *name, const char *field, unsigned there,
		   unsigned wanted)
{
	if (wanted == 0 || there == wanted)
		return 0;
	return error_say(ATMOST_ESHAPE,
			 "%s: %s is %u there, %u was asked for", name, field,
			 there, wanted);
}

/* Whether what is there is what was wanted. */
static int compare_shape(const struct atmost *made, const char *name,
			 const struct atmost_shape *wanted)
{
	const struct shape *there = &made->shape;
	uint64_t k_now = mem_read(&made->header->k_now);
	int error = 0;

	if (wanted->kind != made->kind)
		return error_say(ATMOST_ESHAPE,
				 "%s: kind is %s there, %s was asked for", name,
				 choose_kind_name(made->kind),
				 choose_kind_name(wanted->kind));
	if (wanted->algorithm &&
	    registry_find(wanted->algorithm) != made->algorithm)
		return error_say(ATMOST_ESHAPE,
				 "%s: algorithm is %s there, %s was asked for",
				 name, made->algorithm->name,
				 wanted->algorithm);
	if (wanted->k != there->k)
		error = differs(name, "k", (unsigned)k_now, wanted->k);
	if (!error)
		error = differs(name, "k_max", there->k_max, wanted->k_max);
	if (!error)
		error = differs(name, "members", there->n, wanted->members);
	if (!error)
		error = differs(name, "sessions", there->sessions,
				wanted->sessions);
	return error;
}

/* The same of all; and then its function is known. */
static int recognise(struct atmost *made, const char *name,
		     const struct atmost_shape *wanted,
		     const struct form *form)
{
	int error = wanted ? compare_shape(made, name, wanted) : 0;

	if (!error && form)
		error = form_compare(&made->form, form, name);
	if (error || !form)
		return error;
	made->form = *form;
	form_bind(&made->form);
	return 0;
}

/* *again: it has changed under our hands, try once more. */
static int open_existing(struct atmost **object, const char *name,
			 const struct atmost_shape *wanted,
			 const struct form *form, bool *again)
{
	struct segment segment;
	struct atmost *made;
	uint64_t boot[2];
	int error = segment_boot(boot);

	*again = false;
	if (!error)
		error = segment_open(&segment, name, sizeof(struct header));
	if (!error)
		error = adopt(&made, &segment, name);
	if (error)
		return error;
	error = recognise(made, name, wanted, form);
	if (!error && is_of_boot(made, boot)) {
		*object = made;
		return 0;
	}
	if (!error && !object_is_known(made))
		error = error_say(ATMOST_ESHAPE, "%s is an object from before "
				  "the machine was started, and only who has "
				  "its type can make it anew", name);
	if (!error) {
		error = renew(made, name, boot, again);
		*again = !error;
	}
	segment_close(&made->segment);
	free(made);
	return error;
}

static int make_new(struct atmost **object, const char *name,
		    const struct atmost_shape *wanted,
		    const struct form *form, bool *again)
{
	struct atmost *made;
	struct draft draft;
	uint64_t boot[2];
	bool published;
	int error = conceive(&made, wanted, form);

	if (error)
		return error;
	error = segment_boot(boot);
	if (!error)
		error = segment_draft(&draft, made->segment.size);
	if (error)
		goto free_made;
	made->segment.base = draft.segment.base;
	prepare(made, boot);
	error = segment_publish(&draft, name, &published);
	*again = !error && !published; /* somebody else was faster */
	if (error || !published)
		goto free_made;
	made->segment = draft.segment;
	made->named = true;
	*object = made;
	return 0;
free_made:
	free(made);
	return error;
}

int object_open(struct atmost **object, const char *name,
		const struct atmost_shape *wanted, const struct form *form)
{
	struct atmost *made = NULL;
	unsigned tries = 0;
	bool again;
	int error = segment_check_name(name);

	if (error)
		return error;
	do {
		error = open_existing(&made, name, wanted, form, &again);
		if (error == ATMOST_ENOTFOUND && wanted)
			error = make_new(&made, name, wanted, form, &again);
	} while (again && ++tries < 1000);
	if (again)
		return error_say(ATMOST_ESYSTEM,
				 "%s is being removed and made all the time",
				 name);
	return error ? error : finish(object, made);
}

int atmost_open(struct atmost **object, const char *name,
		const struct atmost_shape *wanted)
{
	return object_open(object, name, wanted, NULL);
}

int atmost_unlink(const char *name)
{
	return segment_unlink(name);
}

void object_forget_own(const struct atmost *object, unsigned id)
{
	const struct algorithm *a = object->algorithm;
	const struct shape *shape = &object->shape;
	unsigned kept = a->own_persistent ? a->own_persistent(shape) : 0;
	unsigned count = a->own_words ? a->own_words(shape) : 0;

	if (count > kept)
		memset(object_own(object, id) + kept, 0,
		       (count - kept) * sizeof(uint64_t));
}

int object_arrive(struct atmost *object)
{
	pid_t pid = getpid();

	if (object->pid == pid)
		return 0;
	if (!object->named)
		return error_say(ATMOST_EFORKED, "the object was created by "
				 "process %jd; only one opened by name passes "
				 "to a child", (intmax_t)object->pid);
	object->pid = pid;
	return 0;
}

void atmost_close(struct atmost *object)
{
	if (!object)
		return;
	/* A lock that another thread still has must stay where it is. */
	if (members_close(object)) {
		mem_forget(object->segment.base);
		segment_close(&object->segment);
	}
	free(object);
}
