/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Making and opening pools.
 */
#include "runtime/open.h"

#include "runtime/choose.h"
#include "runtime/death.h"
#include "runtime/error.h"
#include "runtime/header.h"
#include "runtime/process.h"
#include "runtime/removal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How large the whole is; false: too large. */
static bool size_of(struct atmost *made)
{
	bool fits = layout_compute(&made->layout, made->algorithm,
				   &made->shape);

	made->segment.size = made->layout.size;
	return fits;
}

/* Zeroed memory becomes a pool without members. */
static void prepare(struct atmost *made, const uint64_t boot[2])
{
	object_find_parts(made);
	header_fill(made, boot);
	layout_prepare(made->segment.base, &made->layout, made->algorithm,
		       &made->shape);
}

/* A pool that is used by all its members takes all its memory: more than the
 * machine has would not be refused, but kill a process. */
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
				 "the machine has %zu",
				 made->algorithm->name, made->segment.size,
				 most);
	return 0;
}

/* Which algorithm, and what it is an object of. */
static int choose(struct atmost *made, const struct atmost_shape *wanted,
		  const struct form *form)
{
	if (wanted && wanted->kind == ATMOST_OBJECT && !form)
		return error_say(ATMOST_ESHAPE,
				 "kind is object: these are made "
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
	made->generation = process_generation();
	made->segment.look = made->segment.hold = -1;
	pthread_mutex_init(&made->lock, NULL);
	*object = made;
	return 0;
}

static int finish(struct atmost **object, struct atmost *made)
{
	made->form.type.initial = NULL; /* its user's, and used */
	if (!mem_know(made->segment.base, made->segment.size,
		      layout_bell(made->segment.base)) ||
	    !object_enlist(made)) {
		mem_forget(made->segment.base);
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
		error = error_say(error,
				  "%s: there are no %zu bytes for an "
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
	error = header_check(&h, name);
	shape = header_shape(&h);
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
	object_find_parts(made);
	*object = made;
	return 0;
}

/* What is touched before anybody joins is there. */
static int make_room(struct atmost *made)
{
	struct extent bytes;
	int error = 0;

	for (unsigned piece = 0; !error; piece++) {
		if (!layout_extent(&made->layout, made->algorithm, &made->shape,
				   0, 0, piece, &bytes))
			break;
		error = segment_reserve(&made->segment, bytes.from,
					bytes.count);
	}
	return error;
}

/* A draft with a pool in it that has no members. */
static int draft_pool(struct draft *draft, struct atmost *made,
		      const uint64_t boot[2])
{
	int error = segment_draft(draft, made->segment.size);

	if (error)
		return error;
	made->segment = draft->segment;
	error = make_room(made);
	if (error)
		segment_discard(draft);
	else
		prepare(made, boot);
	return error;
}

static bool is_of_boot(const struct atmost *made, const uint64_t boot[2])
{
	const uint64_t *there = made->header->boot;

	return !(boot[0] | boot[1]) || !(there[0] | there[1]) ||
	       (boot[0] == there[0] && boot[1] == there[1]);
}

/* The removal of the old one has begun. */
static int replace(struct atmost *old, const uint64_t boot[2])
{
	struct atmost made = *old;
	struct draft draft;
	bool published;
	int error = draft_pool(&draft, &made, boot);

	if (error)
		return error;
	error = segment_replace(&draft, old->segment.name, &published);
	if (!error && published)
		segment_close(&draft.segment);
	return error;
}

/*
 * The file says that it is from another boot of the machine: it starts anew,
 * unless a member is alive, for a container may have a boot id of its own.
 * *again: it has changed.
 */
static int renew(struct atmost *old, const uint64_t boot[2], bool *again)
{
	int error;

	*again = false;
	if (!death_is_everybodys(old))
		return 0;
	if (!object_is_known(old))
		return error_say(ATMOST_ESHAPE,
				 "%s is a shared object from "
				 "before the machine was started, and only a "
				 "program that has its type can make it anew",
				 old->segment.name);
	error = removal_begin(old);
	*again = error == ATMOST_ENOTFOUND;
	if (error)
		return *again ? 0 : error;
	if (!death_is_everybodys(old)) {
		removal_cancel(old);
		return 0;
	}
	error = replace(old, boot);
	if (error)
		removal_cancel(old);
	*again = !error;
	return error;
}

static int differs(const char *name, const char *field, unsigned there,
		   unsigned wanted)
{
	if (wanted == 0 || there == wanted)
		return 0;
	return error_say(ATMOST_ESHAPE, "%s: %s is %u there, %u was asked for",
			 name, field, there, wanted);
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
		     const struct atmost_shape *wanted, const struct form *form)
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
static int settle(struct atmost *made, const char *name,
		  const struct atmost_shape *wanted, const struct form *form,
		  bool *again)
{
	uint64_t boot[2];
	int error = segment_boot(boot);

	*again = false;
	if (!error && mem_read(&made->header->removed) == REMOVED) {
		error = removal_resume(made);
		*again = !error;
		return error;
	}
	if (!error)
		error = recognise(made, name, wanted, form);
	if (!error && !is_of_boot(made, boot))
		error = renew(made, boot, again);
	return error;
}

static int open_existing(struct atmost **object, const char *name,
			 const struct atmost_shape *wanted,
			 const struct form *form, bool *again)
{
	struct segment segment;
	struct atmost *made;
	int error = segment_open(&segment, name, sizeof(struct header));

	*again = false;
	if (!error)
		error = adopt(&made, &segment, name);
	if (error)
		return error;
	error = settle(made, name, wanted, form, again);
	if (!error && !*again) {
		*object = made;
		return 0;
	}
	segment_close(&made->segment);
	free(made);
	return error;
}

static int make_new(struct atmost **object, const char *name,
		    const struct atmost_shape *wanted, const struct form *form,
		    bool *again)
{
	struct atmost *made;
	struct draft draft;
	uint64_t boot[2];
	bool published = false;
	int error = conceive(&made, wanted, form);

	if (error)
		return error;
	error = segment_boot(boot);
	if (!error)
		error = draft_pool(&draft, made, boot);
	if (!error)
		error = segment_publish(&draft, name, &published);
	*again = !error && !published; /* another process was faster */
	if (error || !published) {
		free(made);
		return error;
	}
	made->segment = draft.segment;
	made->named = true;
	*object = made;
	return 0;
}

static int open_or_make(struct atmost **object, const char *name,
			const struct atmost_shape *wanted,
			const struct form *form)
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

int object_open(struct atmost **object, const char *name,
		const struct atmost_shape *wanted, const struct form *form)
{
	int cancel = quiet_refuse_cancel();
	int error = open_or_make(object, name, wanted, form);

	quiet_allow_cancel(cancel);
	return error;
}

int atmost_open(struct atmost **object, const char *name,
		const struct atmost_shape *wanted)
{
	return object_open(object, name, wanted, NULL);
}
