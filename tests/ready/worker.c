/* SPDX-License-Identifier: BSD-2-Clause */
#include "worker.h"

#include "linear/chance.h"

#include <unistd.h>

static void complain(const struct guest *guest, const char *what)
{
	printf("  writer %u %s: %s\n", guest->writer, what, atmost_detail());
	fflush(stdout);
	_exit(1);
}

static void join(struct guest *guest)
{
	int error;

	/* One that is dead and being recovered still has its place. */
	while ((error = atmost_object_join(guest->party->object,
					   &guest->member)) == ATMOST_EFULL)
		usleep(100);
	if (error)
		complain(guest, "joins");
}

static void act(struct guest *guest)
{
	int done = guest_acts(guest, TAGGED);

	if (done < 0)
		complain(guest, "applies");
	if (done == 0)
		usleep(1000);
}

void worker_live(struct party *party, const char *name, unsigned writer,
		 uint64_t random)
{
	struct guest guest = { .party = party,
			       .writer = writer,
			       .random = random };

	/* Half of them open the object anew, elsewhere in memory. */
	if (chance_below(&guest.random, 2) && !party_open(party, name))
		complain(&guest, "opens");
	while (!atomic_load(&party->book->stop)) {
		unsigned count = chance_below(&guest.random, 50);

		join(&guest);
		while (count-- > 0 && !atomic_load(&party->book->stop))
			act(&guest);
		atmost_object_part(guest.member);
	}
	_exit(0);
}
