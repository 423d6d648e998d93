/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/record.h"

#include "runtime/machine.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void record_write_text(struct word words[4], const char *text)
{
	char cut[32] = "";
	uint64_t part;

	strncpy(cut, text, sizeof cut - 1);
	for (unsigned i = 0; i < 4; i++) {
		memcpy(&part, cut + 8 * i, sizeof part);
		mem_write(&words[i], part);
	}
}

void record_read_text(const struct word words[4], char text[32])
{
	uint64_t part;

	for (unsigned i = 0; i < 4; i++) {
		part = mem_read(&words[i]);
		memcpy(text + 8 * i, &part, sizeof part);
	}
	text[31] = '\0';
}

static void write_identity(struct identity_words *words,
			   const struct identity *identity)
{
	mem_write(&words->pid, identity->pid);
	mem_write(&words->space, identity->space);
	mem_write(&words->start, identity->start);
	mem_write(&words->time_space, identity->time_space);
	mem_write(&words->inode, identity->inode);
}

struct identity record_read_identity(const struct identity_words *words)
{
	return (struct identity){
		.pid = mem_read(&words->pid),
		.space = mem_read(&words->space),
		.start = mem_read(&words->start),
		.time_space = mem_read(&words->time_space),
		.inode = mem_read(&words->inode),
	};
}

/* The state. */

void record_join(struct record *r, bool watched)
{
	struct identity self;

	identity_of_self(&self);
	write_identity(&r->process, &self);
	record_write_text(r->command, program_invocation_short_name);
	record_write_text(r->label, "");
	mem_write(&r->thread, (uint64_t)syscall(SYS_gettid));
	mem_write(&r->seen, 0);
	mem_write(&r->session, 0);
	mem_write(&r->turn, mem_read(&r->turn) & ~(uint64_t)TURN_PHASE);
	mem_write(&r->state,
		  (((mem_read(&r->state) & ~STATE_FLAGS) | STATE_JOINED) + 2) |
			  (watched ? 0 : STATE_UNWATCHED));
}

void record_vacate(struct record *r)
{
	mem_write(&r->state,
		  mem_read(&r->state) & ~(STATE_JOINED | STATE_FLAGS));
}

/* Changes the record's state from *state to `to`, and sets *state to `to`.
 * Returns false if the record no longer has *state, or if *state is not the
 * state of the member with this badge. */
static bool change(struct record *r, uint64_t badge, uint64_t *state,
		   uint64_t to)
{
	if (!record_is_member(*state, badge) || !mem_cas(&r->state, *state, to))
		return false;
	*state = to;
	return true;
}

/*
 *	a process that entrusts         a recoverer
 *	E1  clears STATE_ENTRUSTED      R1  reads the state
 *	E2  writes the identity         R2  reads the identity, and finds that
 *	                                    this process has ended
 *	E3  sets STATE_ENTRUSTED        R3  sets STATE_RECOVERING, if the state
 *	                                    is still the one of R1
 *
 * There are three cases, by the state that R1 reads.
 *
 * R1 reads the state that E1 replaces: E1 and R3 are compare-and-swaps from the
 * same value of one word, and at most one of them succeeds, in whichever order
 * other accesses are seen.  So a recoverer never acts on an identity that E2
 * has overwritten: if E1 succeeds, R3 fails, and if R3 succeeds, E1 fails and
 * E2 does not happen.  tests/litmus: entrust.
 *
 * R1 reads the state of E1: the member is not entrusted, R2 does not read what
 * E2 writes, and at most one of E3 and R3 succeeds, for the same reason.
 *
 * R1 reads the state of E3, or a later one: E3 releases and R1 acquires, so R2
 * reads what E2 wrote.  tests/litmus: entrusted.
 *
 * E1 also changes STATE_CHANGES, so that E3 does not bring back the state of R1
 * if the member was entrusted before.
 */
bool record_entrust(struct record *r, uint64_t badge,
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
	write_identity(&r->entrusted, identity);
	mem_write(&r->seen, 0);
	if (command)
		record_write_text(r->command, command);
	return change(r, badge, &state, state | flags);
}

/* A stamp contains a time, in units of 2^20 ns, and below it the lowest 24 bits
 * of the turn to which the stamp belongs. */

enum { STAMP_BITS = 24 };
static const uint64_t STAMP_TURN = (UINT64_C(1) << STAMP_BITS) - 1;

static void stamp_now(struct record *r, uint64_t turn)
{
	mem_write(&r->since,
		  machine_clock() << STAMP_BITS | (turn & STAMP_TURN));
}

void record_show_now(struct record *r, uint64_t phase)
{
	record_show(r, phase);
	stamp_now(r, mem_read(&r->turn));
}

void record_stamp(struct record *r)
{
	const uint64_t turn = mem_read(&r->turn);

	if ((mem_read(&r->since) & STAMP_TURN) != (turn & STAMP_TURN))
		stamp_now(r, turn);
}

uint64_t record_since(const struct record *r)
{
	return mem_read(&r->since) >> STAMP_BITS;
}

/*
 * The word `seen` contains the pid namespace of the process that found the
 * entrusted process, and the pid that the entrusted process has in that
 * namespace.  The word also contains ten bits of the member's badge, so that
 * a reader does not mistake it for the word of a later member.
 */
enum { SEEN_PID_AT = 32, SEEN_BADGE_AT = 54 };

static uint64_t seen_word(const struct record *r, uint64_t space, uint64_t pid)
{
	const uint64_t badge = record_badge(mem_read(&r->state));

	return space | pid << SEEN_PID_AT | badge << SEEN_BADGE_AT;
}

uint64_t record_seen_pid(const struct record *r, uint64_t space)
{
	const uint64_t seen = mem_read(&r->seen);
	const uint64_t pid = seen << (64 - SEEN_BADGE_AT) >>
			     (64 - SEEN_BADGE_AT + SEEN_PID_AT);

	return space && pid && seen == seen_word(r, space, pid) ? pid : 0;
}

void record_write_seen(struct record *r, uint64_t space, uint64_t pid)
{
	mem_write(&r->seen, seen_word(r, space, pid));
}
