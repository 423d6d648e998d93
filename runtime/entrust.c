/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An exec drops the life lock, and a child never had it.  A member that lasts
 * longer is entrusted to a process: its record names it by pid and start, and
 * who finds the lock without an owner asks for that process, too.
 */
#define _GNU_SOURCE

#include "runtime/entrust.h"

#include "runtime/error.h"
#include "runtime/life.h"
#include "runtime/member.h"
#include "runtime/pid.h"
#include "runtime/self.h"

#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

bool entrust_lives(const struct record *record)
{
	struct record *r = (struct record *)(uintptr_t)record;
	uint64_t there = mem_read(&r->name_space), here;

	if (!(mem_read(&r->state) & STATE_ENTRUSTED))
		return false;
	here = self_name_space();
	/* Of another pid namespace we know no pid. */
	if (!here || there != here)
		return true;
	return !pid_is_gone((pid_t)mem_read(&r->pid), mem_read(&r->start));
}

/*
 * Opened first, asked then: if the process of this pid is the right one now, the
 * descriptor is its.  One that has ended, though nobody has asked for its status
 * yet, is nothing to wait for.
 */
bool entrust_watch(const struct record *record, struct wait_watch *watch)
{
	struct record *r = (struct record *)(uintptr_t)record;
	struct pollfd end = { .events = POLLIN };
	const uint64_t here = self_name_space();

	if (watch->ends == WATCH_MOST || !here ||
	    mem_read(&r->name_space) != here)
		return false;
	end.fd = (int)syscall(SYS_pidfd_open, (pid_t)mem_read(&r->pid), 0);
	if (end.fd < 0)
		return false;
	watch->end[watch->ends++] = end.fd;
	return entrust_lives(r) && poll(&end, 1, 0) == 0;
}

void entrust_unwatch(struct wait_watch *watch)
{
	while (watch->ends > 0)
		close(watch->end[--watch->ends]);
}

void entrust_write_text(struct word words[4], const char text[32])
{
	uint64_t part;

	for (unsigned i = 0; i < 4; i++) {
		memcpy(&part, text + 8 * i, sizeof part);
		mem_write_relaxed(&words[i], part);
	}
}

void entrust_read_text(struct word words[4], char text[32])
{
	uint64_t part;

	for (unsigned i = 0; i < 4; i++) {
		part = mem_read(&words[i]);
		memcpy(text + 8 * i, &part, sizeof part);
	}
	text[31] = '\0';
}

static void write_cut(struct word words[4], const char *text)
{
	char cut[32] = "";

	strncpy(cut, text, sizeof cut - 1);
	entrust_write_text(words, cut);
}

/* Whether the thread that joined still has the life lock. */
static bool is_held(const struct atmost_member *me)
{
	return life_owner(&me->record->life) == me->thread;
}

static bool mark(struct record *r, uint64_t badge, uint64_t heirs)
{
	const uint64_t plain = badge << 1 | STATE_JOINED;
	uint64_t state = mem_read(&r->state);

	return (state & ~STATE_HEIRS) == plain &&
	       mem_cas(&r->state, state, plain | heirs);
}

/*
 *	a child                         who recovers
 *	E1  writes STATE_ENTRUSTED      R1  takes the life lock: its owner died
 *	E2  is the lock held?           R2  is it entrusted?
 *
 * If E2 finds the lock held by the parent, R1 comes later, and R2 sees E1.
 */
int atmost_entrust(struct atmost_member *me, pid_t pid, const char *command)
{
	const bool own = pid == getpid();
	const bool child = me->pid != getpid();
	struct record *r = me->record;
	uint64_t heirs;

	if (child && !own)
		return error_is(ATMOST_EFORKED);
	if (!child && me->mark != member_mark)
		return error_is(ATMOST_ETHREAD);
	if (!is_held(me))
		return error_is(ATMOST_EEVICTED);
	if (!own && pid_is_gone(pid, 0))
		return error_say(ATMOST_ENOTFOUND, "there is no process %jd",
				 (intmax_t)pid);
	mem_write_relaxed(&r->pid, (uint64_t)pid);
	mem_write_relaxed(&r->start, own ? self_start() : pid_start(pid));
	if (command)
		write_cut(r->command, command);
	heirs = own && !child ? STATE_HEIRS : STATE_ENTRUSTED;
	if (!mark(r, me->process.badge, heirs) || !is_held(me))
		return error_is(ATMOST_EEVICTED);
	return 0;
}

int atmost_label(struct atmost_member *me, const char *text)
{
	if (me->pid != getpid())
		return error_is(ATMOST_EFORKED);
	if (me->mark != member_mark)
		return error_is(ATMOST_ETHREAD);
	write_cut(me->record->label, text);
	return 0;
}
