/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-endless-resize: a change of k never ends.
 *
 * Refused by no-starvation and no-deadlock if k is changed; bounded-leave
 * holds.
 */
#include "algorithm.h"
#include "endless.h"

static void resize(void *shared, const struct shape *shape, unsigned k)
{
	(void)shape;
	(void)k;
	spin(shared);
}

const struct algorithm toy_endless_resize = {
	.name = "toy-endless-resize",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = NO_DEADLOCK | NO_STARVATION | BOUNDED_LEAVE,
	.primitives = USES_READ_WRITE,
	.finite_state = true, .retries = true,
	.words = words, .init = init, .doorway = doorway, .poll = poll,
	.leave = leave, .resize = resize,
};
