/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-settler-await: waits for its turn in `settle`, by an await.
 *
 * Not broken: all its promises hold.
 */
#include "algorithm.h"

static void wait_for_turn(struct word *served, uint64_t ticket)
{
	uint64_t v;

S1:	await(v, served, v == ticket);
}

#include "late_settler.h"

const struct algorithm toy_settler_await = {
	.name = "toy-settler-await",
	LATE_SETTLER,
};
