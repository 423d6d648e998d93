/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Opens pools by name.
 */
#include "runtime/open.h"

#include "runtime/create.h"
#include "runtime/death.h"
#include "runtime/error.h"
#include "runtime/header.h"
#include "runtime/machine.h"
#include "runtime/names.h"
#include "runtime/remote.h"
#include "runtime/removal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int damaged(const char *name)
{
	char why[384];

	snprintf(why, sizeof why, "%s", atmost_detail());
	return error_say(ATMOST_ECORRUPT,
			 "%s.pool is damaged: %s; remove the pool when no "
			 "process uses it",
			 name, why);
}

/* Makes the private part of the pool that the header describes. */
static int make_private(struct atmost **pool, const struct header *h,
			const char *names, const char *name)
{
	const struct atmost_shape shape = header_shape(h, names);
	const bool is_object = h->kind == ATMOST_OBJECT;
	struct named_object_type type;
	struct atmost *made;
	int error;

	if (is_object && !object_type_read(&type, h))
		return error_say(ATMOST_ECORRUPT,
				 "%s.pool is damaged: its object type is "
				 "impossible; remove the pool when no process "
				 "uses it",
				 name);
	error = create_private(&made, &shape, is_object ? &type : NULL);
	if (error)
		return error == ATMOST_ESHAPE ? damaged(name) : error;
	/* A header contains the shape with its defaults filled in, so
	 * create_private must not have changed k or k_max. */
	if (made->shape.k != h->k || made->shape.k_max != h->k_max) {
		free(made);
		return error_say(ATMOST_ECORRUPT,
				 "%s.pool is damaged: k is %u and k_max is %u; "
				 "remove the pool when no process uses it",
				 name, h->k, h->k_max);
	}
	*pool = made;
	return 0;
}

/* Makes this process's pool for a segment that another process made.  Closes
 * the segment if that fails. */
static int adopt(struct atmost **pool, struct segment *segment,
		 const char *name)
{
	struct header h;
	struct atmost *made = NULL;
	char *names;
	int error = header_read(&h, &names, segment, name);

	if (!error)
		error = make_private(&made, &h, names, name);
	free(names);
	if (!error && (made->segment.size != h.size ||
		       made->segment.size != segment->size)) {
		error = error_say(ATMOST_ECORRUPT,
				  "%s.pool has %zu bytes, but a pool of its "
				  "shape has %zu: remove the pool when no "
				  "process uses it",
				  name, segment->size, made->segment.size);
		free(made);
	}
	if (error) {
		segment_close(segment);
		return error;
	}
	made->segment = *segment;
	made->named = true;
	made->header = (struct header *)(void *)made->segment.base;
	*pool = made;
	return 0;
}

static bool is_of_boot(const struct atmost *made, const uint64_t boot[2])
{
	const uint64_t *there = made->header->boot;

	return !(boot[0] | boot[1]) || !(there[0] | there[1]) ||
	       (boot[0] == there[0] && boot[1] == there[1]);
}

/* Replaces the old pool's file by an empty pool.  The caller has begun the
 * removal of the old pool. */
static int replace(struct atmost *old, const uint64_t boot[2])
{
	struct atmost made = *old;
	struct draft draft;
	bool published;
	int error = create_draft(&draft, &made, boot);

	if (error)
		return error;
	error = draft_replace(&draft, old->segment.name, &published);
	if (!error && published)
		segment_close(&draft.segment);
	return error;
}

/*
 * Called if the boot id in the file is not the boot id of this process.
 * Replaces the file by an empty pool, unless a member may be alive: the two ids
 * also differ if a container has a boot id of its own.  Sets *again to true if
 * the name now belongs to another file or to none; the caller must then open
 * the name again.
 */
static int renew(struct atmost *old, const uint64_t boot[2], bool *again)
{
	int error;

	*again = false;
	if (!death_is_certain_of_all(old))
		return 0;
	if (!pool_is_known(old))
		return error_say(
			ATMOST_ESHAPE,
			"%s is a shared object from before the last boot; only "
			"a program that has its object type can create it "
			"again",
			old->segment.name);
	error = removal_begin(old);
	*again = error == ATMOST_ENOTFOUND;
	if (error)
		return *again ? 0 : error;
	if (!death_is_certain_of_all(old)) {
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
	return error_say(ATMOST_ESHAPE, "%s: %s is %u, but %u was asked for",
			 name, field, there, wanted);
}

/* Returns 0, or ATMOST_ESHAPE if the pool has another shape. */
static int compare_shape(const struct atmost *made, const char *name,
			 const struct atmost_shape *wanted)
{
	const struct shape *there = &made->shape;
	uint64_t k_now = mem_read(&made->header->k_now);
	int error = 0;

	if (wanted->kind != made->kind)
		return error_say(ATMOST_ESHAPE,
				 "%s: kind is %s, but %s was asked for", name,
				 atmost_kind_name(made->kind),
				 atmost_kind_name(wanted->kind));
	if (wanted->algorithm &&
	    registry_find(wanted->algorithm) != made->algorithm)
		return error_say(ATMOST_ESHAPE,
				 "%s: algorithm is %s, but %s was asked for",
				 name, made->algorithm->name,
				 wanted->algorithm);
	if (wanted->names)
		error = names_compare(made->names, wanted, name);
	if (!error && wanted->k != there->k)
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

/* Compares the shape and the object type.  On success the pool has the function
 * of `type`. */
static int recognise(struct atmost *made, const char *name,
		     const struct atmost_shape *wanted,
		     const struct named_object_type *type)
{
	int error = wanted ? compare_shape(made, name, wanted) : 0;

	if (!error && type)
		error = object_type_compare(&made->type, type, name);
	if (error || !type)
		return error;
	made->type = *type;
	object_type_bind(&made->type);
	return 0;
}

/* Decides whether the caller can use the pool that it has opened.  Sets *again
 * to true if the name now belongs to another file or to none; the caller must
 * then open the name again. */
static int settle(struct atmost *made, const char *name,
		  const struct atmost_shape *wanted,
		  const struct named_object_type *type, bool *again)
{
	uint64_t boot[2];
	int error = machine_boot(boot);

	*again = false;
	if (!error && mem_read(&made->header->removed) == REMOVED) {
		error = removal_resume(made);
		*again = !error;
		return error;
	}
	if (!error)
		error = recognise(made, name, wanted, type);
	if (!error && !is_of_boot(made, boot))
		error = renew(made, boot, again);
	return error;
}

static int open_existing(struct atmost **pool, const char *name,
			 const struct atmost_shape *wanted,
			 const struct named_object_type *type, bool *again)
{
	struct segment segment;
	struct atmost *made;
	int error = segment_open(&segment, name, sizeof(struct header));

	*again = false;
	if (!error)
		error = adopt(&made, &segment, name);
	if (error)
		return error;
	error = settle(made, name, wanted, type, again);
	if (!error && !*again) {
		*pool = made;
		return 0;
	}
	segment_close(&made->segment);
	free(made);
	return error;
}

static int make_new(struct atmost **pool, const char *name,
		    const struct atmost_shape *wanted,
		    const struct named_object_type *type, bool *again)
{
	struct atmost *made;
	struct draft draft;
	uint64_t boot[2];
	bool published = false;
	int error = create_private(&made, wanted, type);

	if (error)
		return error;
	error = machine_boot(boot);
	if (!error)
		error = create_draft(&draft, made, boot);
	if (!error)
		error = draft_publish(&draft, name, &published);
	*again = !error && !published; /* another process was faster */
	if (error || !published) {
		free(made);
		return error;
	}
	made->segment = draft.segment;
	made->named = true;
	*pool = made;
	return 0;
}

static int open_or_make(struct atmost **pool, const char *name,
			const struct atmost_shape *wanted,
			const struct named_object_type *type)
{
	struct atmost *made = NULL;
	unsigned tries = 0;
	bool again;
	int error = segment_check_name(name);

	if (error)
		return error;
	do {
		error = open_existing(&made, name, wanted, type, &again);
		if (error == ATMOST_ENOTFOUND && wanted)
			error = make_new(&made, name, wanted, type, &again);
	} while (again && ++tries < 1000);
	if (again)
		return error_say(ATMOST_ESYSTEM,
				 "%s was removed and made again 1000 times "
				 "while it was being opened",
				 name);
	return error ? error : create_register(pool, made);
}

int open_pool(struct atmost **pool, const char *name,
	      const struct atmost_shape *wanted,
	      const struct named_object_type *type)
{
	int cancel = quiet_refuse_cancel();
	int error;

	if (!remote_is_address(name))
		error = open_or_make(pool, name, wanted, type);
	else if (type || (wanted && wanted->kind == ATMOST_OBJECT))
		error = error_say(ATMOST_EUNSUPPORTED,
				  "%s: shared objects are of one machine",
				  name);
	else
		error = remote_open(pool, name, wanted);
	quiet_allow_cancel(cancel);
	return error;
}

int atmost_open(struct atmost **pool, const char *name,
		const struct atmost_shape *wanted)
{
	return open_pool(pool, name, wanted, NULL);
}
