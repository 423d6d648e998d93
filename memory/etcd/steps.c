/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of memory/mem.h, section "A store", over etcd. */
#include "try.h"

static struct etcd *etcd_of(const struct process *self)
{
	return (struct etcd *)(uintptr_t)self;
}

/* Returns the time until which a step may wait. */
static int64_t limit_of(const struct etcd *etcd, bool needs_lease)
{
	return needs_lease && etcd->lease->valid_until < etcd->until
		       ? etcd->lease->valid_until
		       : etcd->until;
}

/*
 * The keys of the passage are lost, or must be taken for lost: etcd may still
 * have them, and removes them with the lease.  Sends the revoke, and does not
 * wait for its answer.
 */
static int lapse(struct etcd *etcd)
{
	lease_abandon(etcd->wire, etcd->lease);
	etcd->fresh = false;
	return MEM_LAPSED;
}

/* The step cannot go on: see passage.h. */
static void stop(struct etcd *etcd)
{
	jmp_buf *escape = etcd->escape;

	if (!escape)
		return;
	lapse(etcd);
	etcd->escape = NULL;
	longjmp(*escape, 1);
}

/* Chooses the waiters that the next request asks for; with the guards of a far
 * waiter if it is a look. */
static void choose_part(struct etcd *etcd, bool look)
{
	const uint64_t k = etcd_k(etcd);
	const int64_t ticket = queue_ticket(&etcd->replica, etcd->lease->id);

	etcd->part = (struct queue_part){ .lease = etcd->lease->id };
	if (etcd->settings.watch_all)
		return;
	etcd->part.head = queue_head(k);
	if (look && ticket && etcd->part.head) {
		etcd->part.before = ticket;
		etcd->part.nearest = QUEUE_DISTANCE + (unsigned)k;
	}
}

/* Replaces the view by etcd's answer. */
static bool take_look(struct etcd *etcd, struct seen_keys *seen)
{
	const bool good = replica_look(&etcd->replica, seen);

	/* A watch of guards belongs to an earlier look.  And if an event has
	 * overtaken this answer, the next survey must ask again. */
	if (etcd->watch.guards || etcd->replica.behind)
		watch_stop(&etcd->watch);
	etcd->fresh = good && !etcd->replica.behind;
	seen_keys_free(seen);
	etcd_show(etcd);
	return good;
}

int mem_commit(struct process *self, const struct transaction *t)
{
	struct etcd *etcd = etcd_of(self);
	const bool needs_lease = transaction_needs_lease(t);
	const struct word_names names = {
		.root = etcd->replica.root,
		.groups = etcd->settings.groups,
		.words = etcd->words,
		.slots = etcd->shape.k_max,
		.rows = etcd->shape.n,
		.leases = etcd->leases,
		.member = etcd->member,
		.lease = etcd->lease->id,
	};
	struct transaction patient;
	struct seen_keys seen;
	int made = MEM_NONE, ticket = -1;

	if (etcd->settings.impatient) {
		patient = *t;
		ticket = try_without_ticket(etcd, &patient);
		t = &patient;
	}
	if (needs_lease && !lease_is_valid(etcd->lease))
		return lapse(etcd);
	choose_part(etcd, false);
	text_clear(&etcd->exchange.body);
	if (!request_of_transaction(&etcd->exchange.body, t, &names,
				    &etcd->part, &etcd->form) ||
	    etcd_ask(etcd, limit_of(etcd, needs_lease), &made, &seen) !=
		    WIRE_DONE) {
		if (needs_lease)
			return lapse(etcd);
		stop(etcd);
		return MEM_NONE;
	}
	/* The answer says what was true when etcd made it.  If the lease may
	 * have ended since, the answer says nothing about the present. */
	if (!take_look(etcd, &seen) ||
	    (needs_lease && !lease_is_valid(etcd->lease)))
		return lapse(etcd);
	if (ticket >= 0 && made == ticket) {
		if (try_finds_slot(etcd))
			return MEM_NONE;
		etcd->busy = true;
		stop(etcd);
	}
	/* If the pool is gone, etcd never makes a transaction that needs a
	 * lease. */
	if (needs_lease && made == MEM_NONE && etcd->words[0].stamp == 0)
		stop(etcd);
	if (etcd->settings.ahead && needs_lease && made >= 0)
		etcd_ask_ahead(etcd);
	return made;
}

/* Asks etcd for the words. */
static bool look(struct etcd *etcd)
{
	struct seen_keys seen;
	int made;

	watch_stop(&etcd->watch);
	choose_part(etcd, true);
	text_clear(&etcd->exchange.body);
	request_of_look(&etcd->exchange.body, etcd->replica.root, &etcd->part,
			&etcd->form);
	return etcd_ask(etcd, limit_of(etcd, etcd->lease->id != 0), &made,
			&seen) == WIRE_DONE &&
	       take_look(etcd, &seen);
}

static bool is_far(const struct etcd *etcd)
{
	return queue_is_far(&etcd->replica, etcd->lease->id, etcd->part.head);
}

/*
 * Returns whether the view is enough for a survey.  A far waiter must see its
 * guards, and more tickets before its own than the pool has slots: the pool may
 * have got more slots since the request was made.
 */
static bool sees_enough(const struct etcd *etcd)
{
	const unsigned head = queue_head(etcd_k(etcd));

	return !is_far(etcd) ||
	       (head && etcd->part.head >= head && etcd->part.nearest);
}

static void begin_watch(struct etcd *etcd)
{
	const int64_t revision = etcd->replica.revision + 1;

	if (is_far(etcd))
		watch_guards(etcd->wire, &etcd->watch, &etcd->replica,
			     etcd->lease->id, (unsigned)etcd_k(etcd), revision);
	else
		watch_pool(etcd->wire, &etcd->watch, &etcd->replica, revision);
}

int mem_survey(struct process *self)
{
	struct etcd *etcd = etcd_of(self);

	if (etcd->watch.running)
		while (etcd_pump(etcd, 0, NULL, 0))
			;
	/* A claim that follows from half a view could overtake a waiter and
	 * succeed. */
	if ((etcd->watch.guards && etcd->replica.changed) ||
	    replica_may_mislead(&etcd->replica, etcd->lease->id))
		etcd->fresh = false;
	while (!etcd->fresh || !sees_enough(etcd))
		if (!look(etcd)) {
			if (!etcd->lease->id)
				stop(etcd);
			return lapse(etcd);
		}
	if (!etcd->watch.running)
		begin_watch(etcd);
	etcd_show(etcd);
	return lease_is_valid(etcd->lease) ? 0 : MEM_LAPSED;
}

/* Returns whether most of a lease that was granted ahead is left, so that the
 * next passage can use it. */
static bool is_young(const struct lease *lease)
{
	return lease->id && wire_now() < lease_keep_at(lease);
}

void mem_lease(struct process *self)
{
	struct etcd *etcd = etcd_of(self);
	struct lease *lease = etcd->next;

	lease_abandon(etcd->wire, etcd->lease);
	etcd->next = etcd->lease;
	etcd->lease = lease;
	etcd->fresh = false;
	etcd->trouble.kind = WIRE_PENDING;
	etcd->busy = false;
	etcd->hold_at = 0;
	/* Takes the answers that came since the last step. */
	etcd_pump(etcd, 0, NULL, 0);
	if (wire_now() >= etcd->until)
		stop(etcd);
	if (!lease_pending(lease) && !is_young(lease))
		lease_ask(etcd->wire, lease, etcd->settings.seconds);
	while (lease_pending(lease) && etcd_pump_step(etcd, etcd->until))
		;
	wire_cancel(&lease->grant);
	/* Row 0 is this process. */
	etcd->leases[0] = lease->id;
	if (!lease->id)
		stop(etcd);
}

void mem_revoke(struct process *self)
{
	struct etcd *etcd = etcd_of(self);

	watch_stop(&etcd->watch);
	etcd->hold_at = 0;
	if (!lease_revoke(etcd->wire, etcd->lease, limit_of(etcd, true)))
		etcd->lease->id = 0; /* it ends by itself */
	etcd->fresh = false;
}

bool mem_seen_mine(const struct process *self, const struct word *word)
{
	const struct etcd *etcd = etcd_of(self);

	return word->stamp && etcd->lease->id && word->lease == etcd->lease->id;
}
