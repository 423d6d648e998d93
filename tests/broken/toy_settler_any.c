/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-settler-any: waits for its turn in `settle`, by an await_any on one word.
 *
 * Not broken: all its promises hold.  It has as many states as
 * toy-settler-await.
 */
#include "algorithm.h"

static void wait_for_turn(struct word *served, uint64_t ticket)
{
	await_any(pass) {
S1:		if (look(pass, served) == ticket)
			break;
	}
}

#include "late_settler.h"

const struct algorithm toy_settler_any = {
	.name = "toy-settler-any",
	LATE_SETTLER,
};
