/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is left when everybody has gone: nothing.
 */
#include "cast.h"
#include "runtime/life.h"
#include "runtime/object.h"

static void check_status(struct cast *cast)
{
	struct atmost_totals totals;
	int count = atmost_status(cast->object, NULL, 0, &totals);

	if (count != 0 || totals.holders || totals.waiters || totals.lost ||
	    totals.members)
		cast_fail(cast,
			  "afterwards status shows %d: members %u, "
			  "holders %u, waiters %u, lost %u",
			  count, totals.members, totals.holders, totals.waiters,
			  totals.lost);
}

static void check_own_words(struct cast *cast, unsigned id)
{
	struct atmost *object = cast->object;
	const struct algorithm *a = object->algorithm;
	const uint64_t *own = object_own(object, id);
	unsigned kept = a->own_persistent ? a->own_persistent(&object->shape)
					  : 0;
	unsigned count = a->own_words ? a->own_words(&object->shape) : 0;

	for (unsigned i = kept; i < count; i++)
		if (own[i] != 0)
			cast_fail(cast,
				  "afterwards own word %u of member %u "
				  "is %#jx",
				  i, id, (uintmax_t)own[i]);
}

static void check_segment(struct cast *cast)
{
	struct atmost *object = cast->object;

	for (unsigned id = 0; id < object->shape.n; id++) {
		struct record *r = object_record(object, id);

		if (mem_peek(&r->state) & STATE_JOINED)
			cast_fail(cast, "afterwards record %u is not vacant",
				  id);
		check_own_words(cast, id);
	}
	if (!object->algorithm->quiet(object_words(object), &object->shape))
		cast_fail(cast, "afterwards the algorithm is not quiet");
}

/* What those inside have noted of themselves agrees with it. */
static void check_oracle(struct cast *cast)
{
	struct oracle *oracle = cast->oracle;

	if (atomic_load(&oracle->there))
		cast_fail(cast, "afterwards the oracle has %#jx inside",
			  (uintmax_t)atomic_load(&oracle->there));
	for (unsigned slot = 0; slot < SLOTS; slot++) {
		uint32_t owner = atomic_load(&oracle->owner[slot]);

		if (owner && !atomic_load(&oracle->killed[owner % SERIALS]))
			cast_fail(cast,
				  "afterwards slot %u is of serial %u, "
				  "who was not killed",
				  slot, owner);
	}
}

/* Nobody of another session gets in beside who is inside. */
static void check_sessions(struct cast *cast, struct atmost_member *other)
{
	const struct atmost_want now = {
		.session = cast_session(cast, 1),
		.flags = ATMOST_TRY,
	};

	if (now.session && atmost_enter(other, &now) != ATMOST_EBUSY)
		cast_fail(cast, "afterwards two sessions can be inside");
}

/*
 * k of the n are inside at the same time, and one more would have to wait.
 * After a resize it may be slots from k to k_max that are open.
 */
static void check_room(struct cast *cast, struct atmost_member **member,
		       unsigned n)
{
	const struct atmost_want now = {
		.session = cast_session(cast, 0),
		.flags = ATMOST_TRY,
	};
	const unsigned k = cast_room(cast), k_max = cast->shape.k_max;
	const int slots = (int)(k_max > k ? k_max : k);
	uint64_t taken = 0;

	for (unsigned i = 0; i < k && i < n; i++) {
		int slot = atmost_enter(member[i], &now);

		if (slot < 0)
			cast_fail(cast,
				  "afterwards only %u of %u can be "
				  "inside: %s",
				  i, k, atmost_detail());
		if (cast->algorithm->promises & UNIQUE_SLOTS &&
		    (slot >= slots || taken >> slot & 1))
			cast_fail(cast, "afterwards slot %d is given out",
				  slot);
		taken |= UINT64_C(1) << slot;
		if (i == 0 && n > 1)
			check_sessions(cast, member[n - 1]);
	}
	if (k < n && atmost_enter(member[k], &now) != ATMOST_EBUSY)
		cast_fail(cast, "afterwards more than %u can be inside", k);
	for (unsigned i = 0; i < k && i < n; i++)
		if (atmost_leave(member[i]) < 0)
			cast_fail(cast, "afterwards: %s", atmost_detail());
}

void aftermath_check(struct cast *cast)
{
	const unsigned n = cast->shape.members;
	struct atmost_member *member[CHAIRS], *more;

	check_oracle(cast);
	check_status(cast);
	check_segment(cast);
	for (unsigned i = 0; i < n; i++)
		if (atmost_join(cast->object, &member[i]) < 0)
			cast_fail(cast, "afterwards only %u of %u can join: %s",
				  i, n, atmost_detail());
	if (atmost_join(cast->object, &more) != ATMOST_EFULL)
		cast_fail(cast, "afterwards more than %u can join", n);
	check_room(cast, member, n);
	for (unsigned i = 0; i < n; i++)
		atmost_part(member[i]);
	check_status(cast);
	check_segment(cast);
}

void aftermath_resize(struct cast *cast)
{
	const unsigned k = cast->shape.k;
	struct atmost_totals totals;

	if (atmost_status(cast->object, NULL, 0, &totals) < 0)
		cast_fail(cast, "%s", atmost_detail());
	cast->shape.k = totals.k;
	aftermath_check(cast);
	cast->shape.k = k;
	if (atmost_resize(cast->object, k) < 0)
		cast_fail(cast, "%s", atmost_detail());
}
