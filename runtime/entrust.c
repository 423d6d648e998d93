/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lets members live as long as another process does.
 *
 * The kernel releases a member's file lock when the process that joined ends or
 * executes another program.  A member that must last longer is entrusted to a
 * process, and its record names that process.  From then on the member lives as
 * long as the entrusted process does; with ATMOST_ENTRUST_BOTH, as long as
 * either of the two processes does.
 */
#include "runtime/error.h"
#include "runtime/member.h"
#include "runtime/record.h"

#include <errno.h>
#include <unistd.h>

/* `own`: the process is the caller. */
static int find_process(pid_t pid, bool own, struct identity *identity)
{
	errno = 0;
	if (own)
		identity_of_self(identity);
	else if (!identity_of(pid, identity))
		return error_say(ATMOST_ENOTFOUND, "there is no process %jd",
				 (intmax_t)pid);
	if (identity_is_certain(identity))
		return 0;
	if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
		return error_system("looking at a process");
	return error_say(ATMOST_ESYSTEM,
			 "process %jd cannot be distinguished from a later "
			 "process with the same pid: there is no /proc here, "
			 "and no pidfd that tells its namespace (Linux 6.11); "
			 "mount /proc",
			 (intmax_t)pid);
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
		return error_say(ATMOST_EWANT,
				 "flags is %#x, which has unknown flags",
				 flags);
	error = find_process(pid, own && !child, &identity);
	if (error)
		return error;
	if (own && !child)
		state |= STATE_TO_ITSELF;
	if (flags & ATMOST_ENTRUST_BOTH)
		state |= STATE_BOTH;
	return record_entrust(book->record, book->badge, &identity, command,
			      state)
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
