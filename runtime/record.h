/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads and writes a member's record, in which the member tells other processes
 * about itself.  layout.h describes the words.
 */
#ifndef ATMOST_RUNTIME_RECORD_H
#define ATMOST_RUNTIME_RECORD_H

#include "runtime/identity.h"
#include "runtime/layout.h"

/* The functions below are about the state. */

static inline bool record_is_joined(const struct record *r)
{
	return mem_read(&r->state) & STATE_JOINED;
}

/* Returns the badge: the number of the member to which the state belongs.  No
 * earlier member with this record had this number. */
static inline uint64_t record_badge(uint64_t state)
{
	return (state & ~STATE_FLAGS) >> 1;
}

/* Returns true if the state belongs to the member with this badge, the member
 * has joined, and no recoverer has declared it dead. */
static inline bool record_is_member(uint64_t state, uint64_t badge)
{
	return state & STATE_JOINED && !(state & STATE_RECOVERING) &&
	       record_badge(state) == badge;
}

/* Fills the record for a new member of this thread.  The caller holds the
 * member's file lock.  `watched` says whether the kernel will mark the life
 * lock when the thread ends. */
void record_join(struct record *r, bool watched);

/* Makes the record vacant. */
void record_vacate(struct record *r);

/*
 * Entrusts the member to a process; `flags` are STATE_ENTRUSTED and perhaps
 * other flags of the state.  If `command` is NULL, the record keeps its
 * command.  Returns false if the member has been declared dead or evicted.
 */
bool record_entrust(struct record *r, uint64_t badge,
		    const struct identity *identity, const char *command,
		    uint64_t flags);

/* The functions below are about the phase. */

static inline unsigned record_phase(const struct record *r)
{
	return mem_read(&r->turn) & TURN_PHASE;
}

/*
 * Each passage has turns of its own, which no other passage has:
 *
 *	a member                        an observer
 *	M1  turn = waiting, a new one   O1  turn = t, inside
 *	M2  writes session and slot     O2  reads session and slot
 *	M3  turn = inside               O3  turn == t ?
 *
 * release at M3 and M2; the observer's reads acquire.  If O1 reads the turn of
 * M3, O2 reads what M2 wrote before, or something later.  If O2 reads what M2
 * of a later passage wrote, O3 reads the turn that M1 of this passage wrote, or
 * a later turn, and the observer tries again.  tests/litmus: inside,
 * next_passage.
 *
 * relaxed reads of the turn: only the member writes its turn, so it reads what
 * it wrote last.  An earlier owner of the record (a member, or its recoverer)
 * wrote the turn before it wrote the state that the member read when it joined.
 * tests/litmus: own_word.
 */

/* Shows that the member begins its next passage, in this phase. */
static inline void record_show_next(struct record *r, uint64_t phase)
{
	mem_write_release(&r->turn, (mem_read_relaxed(&r->turn) | TURN_PHASE) +
					    1 + phase);
}

static inline void record_show(struct record *r, uint64_t phase)
{
	mem_write_release(&r->turn,
			  (mem_read_relaxed(&r->turn) & ~(uint64_t)TURN_PHASE) |
				  phase);
}

/* What an observer sees of a passage: values that belong together. */
struct passage {
	unsigned phase;
	int slot;
	uint64_t session;
};

/*
 * O1 to O3.  Returns false if the member kept moving: then the member was
 * outside at some time during the call.
 */
static inline bool record_read_passage(const struct record *r,
				       struct passage *passage)
{
	enum { TRIES = 64 };

	for (unsigned i = 0; i < TRIES; i++) {
		const uint64_t turn = mem_read(&r->turn);

		passage->phase = turn & TURN_PHASE;
		passage->slot = (int)(mem_read(&r->slot) & INT32_MAX);
		passage->session = mem_read(&r->session);
		if (mem_read(&r->turn) == turn)
			return true;
	}
	return false;
}

/* Like record_show; also stamps the phase with the present time. */
void record_show_now(struct record *r, uint64_t phase);

/*
 * Wakes the waiters behind this member that watch its turn: the member has
 * stopped waiting.  The caller has changed the turn before, by a release write.
 */
static inline void record_wake(struct record *r)
{
	mem_wake_weak(&r->turn);
}

/* Stamps the present phase with the present time, unless it has a stamp. */
void record_stamp(struct record *r);

/* Returns the time of the last stamp, in units of 2^20 ns. */
uint64_t record_since(const struct record *r);

/* Write and read a text of at most 31 bytes and a zero, in four words. */
void record_write_text(struct word words[4], const char *text);
void record_read_text(const struct word words[4], char text[32]);

struct identity record_read_identity(const struct identity_words *words);

/*
 * record_seen_pid returns the pid that the entrusted process has in the pid
 * namespace `space`, if a process of that namespace has found it there before;
 * else 0.  record_write_seen stores this pid.
 */
uint64_t record_seen_pid(const struct record *r, uint64_t space);
void record_write_seen(struct record *r, uint64_t space, uint64_t pid);

#endif
