/* SPDX-License-Identifier: BSD-2-Clause */
#include "hold.h"

static const int64_t second = 1000000000;

/* Returns whether the replica has the slot, with the token of this passage. */
static bool sees_slot(struct etcd *etcd)
{
	const struct word *slot;

	etcd_show(etcd);
	if ((unsigned)etcd->process.slot >= etcd->shape.k_max)
		return false;
	slot = etcd->words +
	       store_at(STORE_SLOT, etcd->shape.k_max, etcd->shape.n) +
	       etcd->process.slot;
	return mem_seen_mine(&etcd->process, slot) &&
	       slot->stamp == etcd->process.token;
}

static void begin_look(struct etcd *etcd)
{
	if (wire_now() < etcd->look_after)
		return;
	/* A holder needs no waiters; 0 would ask for all of them. */
	etcd->part = (struct queue_part){ .head = 1 };
	text_clear(&etcd->exchange.body);
	request_of_look(&etcd->exchange.body, etcd->replica.root, &etcd->part,
			&etcd->form);
	etcd->exchange.path = "/v3/kv/txn";
	wire_send(etcd->wire, &etcd->exchange);
	etcd->looking = true;
}

/* Takes the answer to the look.  If etcd refused the look, or its answer is
 * bad, the holder looks again a little later. */
static bool end_look(struct etcd *etcd)
{
	const struct exchange *look = &etcd->exchange;
	struct seen_keys seen;
	bool has = true;
	int made;

	etcd->looking = false;
	if (look->result != WIRE_DONE ||
	    !answer_transaction(look->answer.bytes, look->answer.length,
				&etcd->form, &made, &seen)) {
		etcd->look_after = wire_now() + second;
		return true;
	}
	if (replica_look(&etcd->replica, &seen)) {
		has = sees_slot(etcd);
		if (has)
			watch_slot(etcd->wire, &etcd->watch, &etcd->replica,
				   (unsigned)etcd->process.slot,
				   seen.revision + 1);
	}
	seen_keys_free(&seen);
	return has;
}

bool etcd_has_slot(struct etcd *etcd)
{
	if (!etcd->lease->id)
		return false;
	if (etcd->looking)
		return etcd->exchange.wire || end_look(etcd);
	/* Events count even if the watch has ended after them. */
	if (etcd->replica.changed && !sees_slot(etcd))
		return false;
	if (!etcd->watch.running && !etcd->hold_at)
		begin_look(etcd);
	return true;
}
