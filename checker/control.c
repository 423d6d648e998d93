/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/control.h"

#include <sched.h>
#include <sys/mman.h>
#include <time.h>

struct control *control_open(void)
{
	struct control *c = mmap(NULL, sizeof *c, PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1,
				 0);

	return c == MAP_FAILED ? NULL : c;
}

void control_close(struct control *c)
{
	munmap(c, sizeof *c);
}

uint64_t control_states(const struct control *c)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < MAX_WORKERS; i++)
		sum += __atomic_load_n(&c->tally[i].states, __ATOMIC_RELAXED);
	return sum;
}

uint64_t control_transitions(const struct control *c)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < MAX_WORKERS; i++)
		sum += __atomic_load_n(&c->tally[i].transitions,
				       __ATOMIC_RELAXED);
	return sum;
}

uint64_t control_depth(const struct control *c)
{
	uint64_t most = 0;

	for (unsigned i = 0; i < MAX_WORKERS; i++) {
		uint64_t depth = __atomic_load_n(&c->tally[i].depth,
						 __ATOMIC_RELAXED);

		most = depth > most ? depth : most;
	}
	return most;
}

static void take_lock(struct control *c)
{
	while (__atomic_exchange_n(&c->lock, 1, __ATOMIC_ACQUIRE))
		sched_yield();
}

void control_violated(struct control *c, unsigned properties,
		      const struct choice *path, size_t length)
{
	take_lock(c);
	if (!c->first && length <= MAX_DEPTH) {
		memcpy(c->found.choice, path, length * sizeof *path);
		c->found.length = (uint32_t)length;
		c->first = properties;
	}
	control_set(&c->violated, c->violated | properties);
	control_set(&c->lock, 0);
}

static void pause_briefly(void)
{
	nanosleep(&(struct timespec){ 0, 20000 }, NULL);
}

/* The last to arrive grows the set; the others wait for the count to change. */
void control_grow(struct control *c, struct seen *mine)
{
	uint32_t workers = control_get(&c->workers);
	uint32_t growths = control_get(&c->growths);

	if (__atomic_add_fetch(&c->arrived, 1, __ATOMIC_ACQ_REL) == workers) {
		c->seen = *mine;
		if (!seen_grow(&c->seen))
			control_set(&c->stop, STOP_MEMORY);
		control_set(&c->arrived, 0);
		control_set(&c->growing, 0);
		control_set(&c->growths, growths + 1);
	}
	while (control_get(&c->growths) == growths &&
	       control_get(&c->stop) == STOP_NOT)
		pause_briefly();
	if (control_get(&c->growths) != growths)
		*mine = c->seen;
}

void control_give(struct control *c, const struct choice *path, size_t length)
{
	if (length == 0 || length > MAX_DEPTH) {
		control_set(&c->mail, MAIL_NONE);
		return;
	}
	memcpy(c->post.choice, path, length * sizeof *path);
	c->post.length = (uint32_t)length;
	control_set(&c->letters, c->letters + 1);
	control_set(&c->mail, MAIL_THERE);
}

static bool take_mail(struct control *c, struct choice *path, size_t *length)
{
	uint32_t there = MAIL_THERE;

	if (!__atomic_compare_exchange_n(&c->mail, &there, MAIL_READ, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return false;
	*length = c->post.length;
	memcpy(path, c->post.choice, *length * sizeof *path);
	__atomic_sub_fetch(&c->idle, 1, __ATOMIC_ACQ_REL);
	control_set(&c->mail, MAIL_NONE);
	return true;
}

/*
 * Everybody is idle and there is no letter.  Looked at twice: a letter may be
 * taken, or written and taken, between two looks, but not without being
 * counted or without its reader leaving the idle ones.
 */
static bool all_done(const struct control *c)
{
	uint32_t workers = control_get(&c->workers);
	uint32_t letters = control_get(&c->letters);

	return control_get(&c->idle) == workers &&
	       control_get(&c->mail) == MAIL_NONE &&
	       control_get(&c->idle) == workers &&
	       control_get(&c->letters) == letters;
}

bool control_ask(struct control *c, struct seen *mine, struct choice *path,
		 size_t *length)
{
	__atomic_add_fetch(&c->idle, 1, __ATOMIC_ACQ_REL);
	for (;;) {
		if (control_get(&c->stop) != STOP_NOT)
			return false;
		if (take_mail(c, path, length))
			return true;
		if (all_done(c))
			return false;
		if (control_get(&c->growing))
			control_grow(c, mine);
		pause_briefly();
	}
}
