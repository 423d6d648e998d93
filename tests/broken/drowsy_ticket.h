/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A process draws a ticket, and k tickets are served at a time.  A waiter reads
 * once which tickets are served.  It reads this again only after a leaver has
 * said that it left.  Process 0 does not say that it left.
 *
 * Before a file includes this header, it defines the following function.  The
 * function says whether a process reads again in this pass although no leaver
 * has said that it left:
 *
 *	static bool second_look(const struct wait_set *wait)
 */
struct drowsy_ticket {
	struct word next, served, news;
};

enum { OWN_TICKET, OWN_LOOKED, OWN_NEWS, OWN_WORDS };

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct drowsy_ticket);
}

static void init(void *shared, const struct shape *shape)
{
	struct drowsy_ticket *d = shared;

	(void)shape;
	mem_name(&d->next, "next");
	mem_name(&d->served, "served");
	mem_name(&d->news, "news");
}

static bool doorway(void *shared, struct process *self)
{
	struct drowsy_ticket *d = shared;
	uint64_t ticket;

Y1:	ticket = mem_add(&d->next, 1);
	mem_own_write(self, OWN_TICKET, ticket);
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct drowsy_ticket *d = shared;
	uint64_t news, served;

Y2:	news = mem_read(&d->news);
	if (!mem_own_read(self, OWN_LOOKED) ||
	    news != mem_own_read(self, OWN_NEWS) || second_look(wait)) {
		mem_own_write(self, OWN_LOOKED, 1);
		mem_own_write(self, OWN_NEWS, news);
Y3:		served = mem_read(&d->served);
		if (mem_own_read(self, OWN_TICKET) <
		    served + self->shape->k)
			return true;
	}
	wait_for_change(wait, &d->news, news);
	return false;
}

static void leave(void *shared, struct process *self)
{
	struct drowsy_ticket *d = shared;

Y4:	mem_add(&d->served, 1);
	if (self->id != 0) {
Y5:		mem_add(&d->news, 1);
		mem_wake(&d->news);
	}
}

static unsigned two_steps(const struct shape *shape)
{
	(void)shape;
	return 2;
}
