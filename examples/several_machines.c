/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * several_machines ADDRESS: works in one of two slots that several machines
 * share, for example etcd://n1,n2,n3/lab/gpu.
 *
 * The holder works in short pieces.  Before each piece it asks whether its slot
 * may soon be lost, because its machine cannot reach etcd; then it stops.  It
 * names its token to everything that it changes, and a resource refuses a token
 * that is smaller than one it has seen.
 */
#include <atmost/atmost.h>

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>

/* A resource that belongs to a slot, such as a disk that both machines can
 * write.  It would keep the token on the disk. */
struct resource {
	uint64_t largest;
	unsigned written;
};

static int write_piece(struct resource *resource, uint64_t token)
{
	if (token < resource->largest)
		return -1;
	resource->largest = token;
	resource->written++;
	return 0;
}

static int may_lapse(struct atmost_member *me)
{
	struct pollfd lapse = { .fd = atmost_lapse_fd(me), .events = POLLIN };

	return poll(&lapse, 1, 0) > 0;
}

static int work(struct atmost_member *me, struct resource *resource)
{
	enum { PIECES = 5 };
	uint64_t token;

	if (atmost_token(me, &token) < 0)
		return -1;
	for (int i = 0; i < PIECES; i++) {
		if (may_lapse(me)) {
			puts("the slot may be lost: stopped");
			return -1;
		}
		if (write_piece(resource, token) < 0) {
			puts("the resource has seen a later holder");
			return -1;
		}
	}
	printf("wrote %u pieces with token %" PRIu64 "\n", resource->written,
	       token);
	return 0;
}

int main(int count, char **arguments)
{
	const struct atmost_shape shape = { .kind = ATMOST_ASSIGNMENT, .k = 2 };
	struct resource resource = { 0, 0 };
	struct atmost_member *me;
	struct atmost *pool;
	int result;

	if (count != 2 || atmost_open(&pool, arguments[1], &shape) < 0 ||
	    atmost_join(pool, &me) < 0 || atmost_enter(me, NULL) < 0) {
		fprintf(stderr, "several_machines: %s\n", atmost_detail());
		return 1;
	}
	result = work(me, &resource);
	/* ATMOST_EEVICTED: the slot was lost before the work was done. */
	if (atmost_leave(me) < 0)
		result = -1;
	atmost_close(pool);
	return result < 0 ? 1 : 0;
}
