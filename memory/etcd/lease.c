/* SPDX-License-Identifier: BSD-2-Clause */
#include "lease.h"

#include "answer.h"
#include "request.h"

enum { SECOND = 1000000000 };

void lease_ask(struct wire *wire, struct lease *lease, unsigned seconds)
{
	wire_cancel(&lease->keep);
	lease->keep.taken = true;
	lease->keep_after = 0;
	lease->id = 0;
	lease->grant.path = "/v3/lease/grant";
	text_clear(&lease->grant.body);
	request_grant(&lease->grant.body, seconds);
	wire_send(wire, &lease->grant);
}

bool lease_pending(const struct lease *lease)
{
	return lease->grant.wire != NULL;
}

void lease_keep(struct wire *wire, struct lease *lease)
{
	lease->keep.path = "/v3/lease/keepalive";
	text_clear(&lease->keep.body);
	request_lease(&lease->keep.body, lease->id);
	wire_send(wire, &lease->keep);
}

int64_t lease_keep_at(const struct lease *lease)
{
	const int64_t at = lease->valid_until - lease->seconds * SECOND / 3 * 2;

	return at > lease->keep_after ? at : lease->keep_after;
}

bool lease_is_valid(const struct lease *lease)
{
	return lease->id && wire_now() < lease->valid_until;
}

/* Returns true once when the exchange has finished. */
static bool has_answer(struct exchange *exchange)
{
	if (exchange->wire || exchange->result == WIRE_PENDING ||
	    exchange->taken)
		return false;
	return exchange->taken = true;
}

/* A bad answer says nothing: the request is sent again. */
static void take_grant(struct wire *wire, struct lease *lease)
{
	struct exchange *grant = &lease->grant;

	if (!answer_grant(grant->answer.bytes, grant->answer.length, &lease->id,
			  &lease->seconds)) {
		lease->id = 0;
		wire_again(wire, grant, "the answer to a grant is bad");
		return;
	}
	lease->valid_until = grant->sent_at + lease->seconds * SECOND;
}

static void take_keep(struct wire *wire, struct lease *lease)
{
	struct exchange *keep = &lease->keep;
	int64_t seconds, until;

	if (!answer_keepalive(keep->answer.bytes, keep->answer.length,
			      lease->id, &seconds)) {
		wire_again(wire, keep, "the answer to a keepalive is bad");
		return;
	}
	until = keep->sent_at + seconds * SECOND;
	if (seconds == 0)
		lease->id = 0;
	else if (until > lease->valid_until)
		lease->valid_until = until;
}

const struct exchange *lease_take(struct wire *wire, struct lease *lease)
{
	const struct exchange *refused = NULL;

	if (has_answer(&lease->grant)) {
		if (lease->grant.result == WIRE_DONE)
			take_grant(wire, lease);
		else
			refused = &lease->grant;
	}
	if (has_answer(&lease->keep)) {
		if (lease->keep.result == WIRE_DONE) {
			take_keep(wire, lease);
		} else {
			refused = &lease->keep;
			lease->keep_after = wire_now() +
					    lease->seconds * SECOND / 8;
		}
	}
	return refused;
}

/* Sends a revoke, and cancels the other requests for the lease. */
static void send_revoke(struct wire *wire, struct lease *lease)
{
	wire_cancel(&lease->grant);
	wire_cancel(&lease->keep);
	lease->grant.taken = lease->keep.taken = true;
	if (!lease->id)
		return;
	lease->revoke.path = "/v3/lease/revoke";
	text_clear(&lease->revoke.body);
	request_lease(&lease->revoke.body, lease->id);
	wire_send(wire, &lease->revoke);
}

void lease_abandon(struct wire *wire, struct lease *lease)
{
	send_revoke(wire, lease);
	lease->id = 0;
}

bool lease_revoke(struct wire *wire, struct lease *lease, int64_t until)
{
	struct exchange *revoke = &lease->revoke;
	bool ended = false;

	send_revoke(wire, lease);
	/* Neither this call nor lease_abandon has sent a revoke. */
	if (!revoke->wire)
		return true;
	while (wire_pump(wire, until, NULL, 0) ||
	       revoke->result != WIRE_PENDING) {
		if (revoke->result == WIRE_PENDING)
			continue;
		ended = revoke->result == WIRE_DONE
				? answer_revoke(revoke->answer.bytes,
						revoke->answer.length)
				: revoke->result == WIRE_REFUSED &&
					  revoke->code == GRPC_NOT_FOUND;
		if (ended || revoke->result != WIRE_DONE)
			break;
		wire_again(wire, revoke, "the answer to a revoke is bad");
	}
	wire_cancel(revoke);
	if (ended)
		lease->id = 0;
	return ended;
}

void lease_free(struct lease *lease)
{
	wire_free(&lease->grant);
	wire_free(&lease->keep);
	wire_free(&lease->revoke);
	lease->id = 0;
}
