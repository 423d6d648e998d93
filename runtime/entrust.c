/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Members that live as long as another process does.
 *
 * A member's file lock ends with its process, and an exec drops it.  A member
 * that lasts longer is entrusted to a process, which its record names: from then
 * on that process alone counts.
 */
#include "runtime/error.h"
#include "runtime/member.h"
#include "runtime/record.h"

#include <errno.h>
#include <unistd.h>

/* True: the state of the member is now `to`, unless it is dead or evicted. */
static bool change(struct record *r, uint64_t badge, uint64_t *state,
		   uint64_t to)
{
	return *state & STATE_JOINED && !(*state & STATE_RECOVERING) &&
	       record_badge(*state) == badge &&
	       mem_cas(&r->state, *state, to) && (*state = to, true);
}

/*
 *	a process that entrusts         a recoverer
 *	E1  entrusted to nobody         R1  reads the state
 *	E2  writes which process        R2  reads which process; it has ended
 *	E3  entrusted to it             R3  says STATE_RECOVERING, if the state
 *	                                    is still the one of R1
 *
 * E1 and E3 change the state, by its count also if it was entrusted before: R3
 * fails if R2 came after E1.  E1 or E3 fails after R3.
 */
static bool entrust(struct record *r, uint64_t badge,
		    const struct identity *identity, const char *command,
		    uint64_t flags)
{
	const uint64_t ours = STATE_ENTRUSTED | STATE_TO_ITSELF | STATE_BOTH |
			      STATE_CHANGES;
	uint64_t state = mem_read(&r->state);

	if (!change(r, badge, &state,
		    (state & ~ours) |
			    ((state + STATE_ONE_CHANGE) & STATE_CHANGES)))
		return false;
	record_write_identity(&r->entrusted, identity);
	mem_write(&r->seen, 0);
	if (command)
		record_write_text(r->command, command);
	return change(r, badge, &state, state | flags);
}

static int find_process(pid_t pid, struct identity *identity)
{
	if (!identity_of(pid, identity))
		return error_say(ATMOST_ENOTFOUND, "there is no process %jd",
				 (intmax_t)pid);
	if (!identity_is_certain(identity) &&
	    (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
		return error_system("looking at a process");
	if (!identity_is_certain(identity))
		return error_say(ATMOST_ESYSTEM,
				 "process %jd could not be told from a later "
				 "one of the same number: there is no /proc "
				 "here, and no pidfd that tells its namespace "
				 "(Linux 6.11); mount /proc",
				 (intmax_t)pid);
	return 0;
}

int atmost_entrust_as(struct atmost_member *me, pid_t pid, const char *command,
		      unsigned flags)
{
	const struct enrolled *book = member_book(me);
	const bool own = pid == getpid();
	const bool child = !book || book->pid != getpid();
	struct identity identity;
	uint64_t state = STATE_ENTRUSTED;
	int error;

	if (!book || (child && !own))
		return error_is(ATMOST_EFORKED);
	if (!child && book->mark != member_mark)
		return error_is(ATMOST_ETHREAD);
	if (flags & ~(unsigned)ATMOST_ENTRUST_BOTH)
		return error_say(ATMOST_EWANT, "flags is %#x: unknown", flags);
	error = find_process(pid, &identity);
	if (error)
		return error;
	if (own && !child)
		state |= STATE_TO_ITSELF;
	if (flags & ATMOST_ENTRUST_BOTH)
		state |= STATE_BOTH;
	return entrust(book->record, book->badge, &identity, command, state)
		       ? 0
		       : error_is(ATMOST_EEVICTED);
}

int atmost_entrust(struct atmost_member *me, pid_t pid, const char *command)
{
	return atmost_entrust_as(me, pid, command, 0);
}

int atmost_label(struct atmost_member *me, const char *text)
{
	if (!me->book || me->book->pid != getpid())
		return error_is(ATMOST_EFORKED);
	if (me->book->mark != member_mark)
		return error_is(ATMOST_ETHREAD);
	record_write_text(me->record->label, text ? text : "");
	return 0;
}
