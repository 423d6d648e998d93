/* SPDX-License-Identifier: BSD-2-Clause */
#include "etcd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	MILLISECOND = 1000000,
	/* An algorithm keeps the address of the words from look to look, so
	 * room for many words is reserved.  Memory that is never touched costs
	 * nothing. */
	ROWS_MOST = 1 << 16,
	/* In a pool without a limit: spare rows and slots for processes that
	 * arrive later. */
	SPARE_SLOTS = 8,
	/* The second event of a claim comes within this time after the
	 * first. */
	HALF_CLAIM_MS = 5,
	/* A passage that lasts longer than this is not short. */
	HOLD_MS = 100,
	/* How often to ask an etcd that is out of space. */
	FULL_PAUSE_MS = 2000
};

static size_t words_size(void)
{
	return store_at(STORE_RANGES, KEY_SLOTS_MOST, ROWS_MOST) *
	       sizeof(struct word);
}

static void *reserve(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

static void free_all(struct etcd *etcd)
{
	wire_free(&etcd->exchange);
	lease_free(&etcd->two_leases[0]);
	lease_free(&etcd->two_leases[1]);
	watch_free(&etcd->watch);
	replica_free(&etcd->replica);
	if (etcd->wire)
		wire_close(etcd->wire);
	if (etcd->words)
		munmap(etcd->words, words_size());
	if (etcd->leases)
		munmap(etcd->leases, ROWS_MOST * sizeof *etcd->leases);
	free(etcd->member);
	free(etcd);
}

struct etcd *etcd_open(const struct etcd_settings *settings)
{
	struct etcd *etcd;

	if (!key_root_fits(settings->root))
		return NULL;
	etcd = calloc(1, sizeof *etcd);
	if (!etcd)
		return NULL;
	etcd->settings = *settings;
	etcd->until = INT64_MAX;
	etcd->lease = &etcd->two_leases[0];
	etcd->next = &etcd->two_leases[1];
	etcd->replica.groups = settings->groups;
	strcpy(etcd->replica.root, settings->root);
	etcd->process.shape = &etcd->shape;
	etcd->process.own = settings->own;
	etcd->member = strdup(settings->member);
	etcd->wire = wire_open(&settings->address);
	etcd->words = reserve(words_size());
	etcd->leases = reserve(ROWS_MOST * sizeof *etcd->leases);
	if (!etcd->member || !etcd->wire || !etcd->words || !etcd->leases) {
		free_all(etcd);
		return NULL;
	}
	etcd_show(etcd);
	return etcd;
}

void etcd_close(struct etcd *etcd, int64_t until)
{
	watch_stop(&etcd->watch);
	lease_revoke(etcd->wire, etcd->lease, until);
	lease_revoke(etcd->wire, etcd->next, until);
	free_all(etcd);
}

void etcd_ask_ahead(struct etcd *etcd)
{
	if (!etcd->next->id && !lease_pending(etcd->next))
		lease_ask(etcd->wire, etcd->next, etcd->settings.seconds);
}

void etcd_expect(struct etcd *etcd, unsigned k)
{
	etcd->settings.k = k;
	etcd_show(etcd);
}

void etcd_limit(struct etcd *etcd, int64_t until)
{
	etcd->until = until;
}

uint64_t etcd_k(const struct etcd *etcd)
{
	uint64_t pool;

	return replica_pool(&etcd->replica, &pool) ? store_pool_k(pool)
						   : etcd->settings.k;
}

void etcd_show(struct etcd *etcd)
{
	const struct replica *replica = &etcd->replica;
	const uint64_t k = etcd_k(etcd);
	unsigned slots = replica_slots(replica);
	unsigned rows = replica_rows(replica, etcd->lease->id);

	/* Without a limit there are as many slots as processes. */
	if (k == 0)
		slots = rows += slots + SPARE_SLOTS;
	if (slots < k)
		slots = k < KEY_SLOTS_MOST ? (unsigned)k : KEY_SLOTS_MOST;
	if (slots > KEY_SLOTS_MOST)
		slots = rows = KEY_SLOTS_MOST;
	if (rows > ROWS_MOST)
		rows = ROWS_MOST;
	etcd->shape.n = rows;
	etcd->shape.k = k < slots ? (unsigned)k : slots;
	etcd->shape.k_max = slots;
	replica_fill(replica, etcd->lease->id, etcd->words, slots, rows,
		     etcd->leases);
	etcd->replica.changed = false;
}

/* When the next keepalive is due; INT64_MAX: there is none to send. */
static int64_t keep_due(const struct lease *lease)
{
	return lease->id && !lease->keep.wire ? lease_keep_at(lease)
					      : INT64_MAX;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void note_trouble(struct etcd *etcd, const struct exchange *exchange)
{
	etcd->trouble.kind = exchange->result;
	etcd->trouble.code = exchange->code;
	memcpy(etcd->trouble.message, exchange->message,
	       sizeof etcd->trouble.message);
}

/* Takes the answers about a lease. */
static void take_lease(struct etcd *etcd, struct lease *lease)
{
	const int64_t before = lease->id;
	const struct exchange *refused = lease_take(etcd->wire, lease);

	if (refused)
		note_trouble(etcd, refused);
	/* The next survey returns that the lease is gone. */
	if (before && !lease->id)
		etcd->replica.changed = true;
}

/* Begins the watch of a holder's slot if the watch is due.  Returns the time at
 * which it is due; INT64_MAX: never. */
static int64_t watch_hold(struct etcd *etcd, int64_t now)
{
	if (!etcd->hold_at)
		return INT64_MAX;
	if (now < etcd->hold_at)
		return etcd->hold_at;
	etcd->hold_at = 0;
	watch_slot(etcd->wire, &etcd->watch, &etcd->replica,
		   (unsigned)etcd->process.slot, etcd->hold_from);
	return INT64_MAX;
}

bool etcd_pump(struct etcd *etcd, int64_t until, struct curl_waitfd *fds,
	       unsigned count)
{
	for (;;) {
		const int64_t now = wire_now();
		int64_t due;
		bool happened;

		if (now >= keep_due(etcd->lease))
			lease_keep(etcd->wire, etcd->lease);
		if (now >= keep_due(etcd->next))
			lease_keep(etcd->wire, etcd->next);
		due = earlier(keep_due(etcd->lease), keep_due(etcd->next));
		due = earlier(due, watch_hold(etcd, now));
		happened = wire_pump(etcd->wire, earlier(until, due), fds,
				     count);
		take_lease(etcd, etcd->lease);
		take_lease(etcd, etcd->next);
		if (watch_ended(&etcd->watch)) {
			etcd->fresh = false;
			etcd->replica.changed = true;
		}
		if (happened)
			return true;
		if (wire_now() >= until)
			return false;
	}
}

static bool any_ready(const struct curl_waitfd *fds, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (fds[i].revents)
			return true;
	return false;
}

bool etcd_pump_step(struct etcd *etcd, int64_t until)
{
	struct etcd_attention *caller = &etcd->attention;
	bool happened;

	if (!caller->attend)
		return etcd_pump(etcd, until, NULL, 0);
	happened = etcd_pump(etcd, earlier(until, caller->at), caller->fds,
			     caller->count);
	if ((any_ready(caller->fds, caller->count) ||
	     wire_now() >= caller->at) &&
	    caller->attend(caller->context)) {
		etcd->until = 0;
		return false;
	}
	return happened || wire_now() < until;
}

/*
 * A claim removes a waiter and puts a slot, and its two events come on two
 * watchers.  A survey between the two events could take a taken slot for free,
 * so it would ask etcd instead.
 */
static void wait_for_other_half(struct etcd *etcd)
{
	const int64_t until = wire_now() + HALF_CLAIM_MS * MILLISECOND;
	const struct replica *replica = &etcd->replica;

	while (etcd->watch.running && !etcd->watch.guards &&
	       replica->waiter_event > replica->slot_event &&
	       etcd_pump(etcd, until, NULL, 0))
		;
}

bool etcd_wait(struct etcd *etcd, int64_t until, struct curl_waitfd *fds,
	       unsigned count)
{
	/* Without a watch, only a survey can tell whether the pool has
	 * changed. */
	while (!etcd->replica.changed && etcd->lease->id &&
	       (etcd->watch.running || etcd->hold_at)) {
		if (wire_now() >= etcd->lease->valid_until)
			break;
		if (!etcd_pump(etcd, earlier(until, etcd->lease->valid_until),
			       fds, count) &&
		    wire_now() >= until)
			return false;
		if (any_ready(fds, count))
			return true;
	}
	if (etcd->replica.changed)
		wait_for_other_half(etcd);
	return true;
}

void etcd_hold(struct etcd *etcd, unsigned slot, uint64_t token)
{
	watch_stop(&etcd->watch);
	etcd->process.slot = (int)slot;
	etcd->hold_from = (int64_t)token + 1;
	etcd->hold_at = wire_now() + (int64_t)HOLD_MS * MILLISECOND;
	etcd->fresh = etcd->looking = false;
	etcd->look_after = 0;
}

void etcd_leave_ahead(struct etcd *etcd)
{
	watch_stop(&etcd->watch);
	etcd->hold_at = 0;
	lease_abandon(etcd->wire, etcd->lease);
	etcd_pump(etcd, 0, NULL, 0);
}

/* etcd is out of space, and may have space again later. */
static void pause_until(struct etcd *etcd, int64_t until)
{
	while (etcd_pump_step(etcd, until))
		;
}

enum wire_result etcd_ask(struct etcd *etcd, int64_t until, int *made,
			  struct seen_keys *seen)
{
	struct exchange *exchange = &etcd->exchange;
	enum wire_result result = WIRE_PENDING;

	exchange->path = "/v3/kv/txn";
	wire_send(etcd->wire, exchange);
	while (exchange->result == WIRE_PENDING &&
	       (etcd_pump_step(etcd, until) ||
		exchange->result != WIRE_PENDING)) {
		if (exchange->result == WIRE_DONE &&
		    !answer_transaction(exchange->answer.bytes,
					exchange->answer.length, &etcd->form,
					made, seen))
			wire_again(etcd->wire, exchange,
				   "the answer to a transaction is bad");
		else if (exchange->result == WIRE_REFUSED &&
			 exchange->code == GRPC_RESOURCE_EXHAUSTED) {
			note_trouble(etcd, exchange);
			pause_until(etcd,
				    earlier(until,
					    wire_now() +
						    (int64_t)FULL_PAUSE_MS *
							    MILLISECOND));
			wire_send(etcd->wire, exchange);
		}
	}
	result = exchange->result;
	wire_cancel(exchange);
	if (result == WIRE_DONE)
		etcd->trouble.kind = WIRE_PENDING;
	else if (result != WIRE_PENDING)
		note_trouble(etcd, exchange);
	return result;
}

bool etcd_status(struct etcd *etcd, struct seen_keys *seen)
{
	int made;

	text_clear(&etcd->exchange.body);
	request_of_status(&etcd->exchange.body, etcd->replica.root,
			  &etcd->form);
	return etcd_ask(etcd, etcd->until, &made, seen) == WIRE_DONE;
}
