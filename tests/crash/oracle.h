/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The oracle is the test's own record of the holders, kept outside of the
 * library, in memory that all processes of a test share.  The death of a worker
 * does not change this memory.
 *
 * Each worker has a number.  One word has two bits for every worker: "inside"
 * and "being killed".  A worker that enters reads all bits at once and counts
 * the living holders.  The parent sets the second bit before it sends the
 * signal, and clears both bits when it has waited for the process.  (So a
 * worker that is marked but not dead yet is not counted.  A worker that kills
 * itself marks itself first and does nothing between the mark and the kill.)
 *
 * Each slot has an owner, stored as a serial number; no two processes have the
 * same serial number.  A worker that enters must get a free slot or the slot
 * of a killed worker.
 *
 * Each worker stores its session after it has entered and before it sets its
 * bit.  So two sessions were inside together if a worker that has entered sees
 * the bit of another worker and then finds that the session of that worker is
 * not its own session.
 */
#ifndef ATMOST_TESTS_CRASH_ORACLE_H
#define ATMOST_TESTS_CRASH_ORACLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { WORKERS_MOST = 32, SLOTS = 64, SERIALS = 1 << 20 };

/* What a worker is doing; the test prints it when no worker makes progress. */
enum doing {
	STARTING,
	JOINING,
	ENTERING,
	INSIDE,
	LEAVING,
	PARTING,
	RESIZING,
	LOOKING,
	READY,
	DONE
};

struct worker_state {
	_Alignas(64) atomic_uint serial;
	atomic_uint doing;
	_Atomic uint64_t session; /* the session of its last entry */
	atomic_uint how;          /* while it enters: an enum manner */
	atomic_ulong passages;    /* passages and other finished actions */
	atomic_ulong reached;     /* stops passed: see stops.h */
};

/* How a worker enters. */
enum manner { FOR_EVER, DEADLINE, TRY, MANNERS };

struct oracle {
	_Atomic uint64_t there; /* bit: inside; bit + 32: being killed */
	_Atomic uint32_t owner[SLOTS];
	atomic_uint limit;     /* the most holders allowed */
	atomic_bool has_slots; /* the algorithm hands out slots */
	atomic_bool stop;      /* tells the workers to end */
	atomic_bool go;        /* the scenario has begun: see stops.h */
	atomic_ulong entered, given_up, full, inherited;
	atomic_bool violated;
	char violation[256];
	struct worker_state worker[WORKERS_MOST];
	_Atomic uint8_t killed[SERIALS];
};

/* A worker, as the oracle knows it. */
struct oracle_worker {
	struct oracle *oracle;
	unsigned number;
	uint32_t serial;
	uint64_t session; /* the session for which it enters; 0 if the pool has
			     no sessions */
};

struct oracle *oracle_map(void);

/* Resets the oracle for a pool that has no holder. */
void oracle_begin(struct oracle *oracle, unsigned limit, bool has_slots);

/*
 * A worker calls oracle_enter right after entering, and oracle_leave right
 * before leaving.
 */
void oracle_enter(const struct oracle_worker *worker, int slot);
void oracle_leave(const struct oracle_worker *worker, int slot);

void oracle_note(const struct oracle_worker *worker, enum doing doing);
const char *oracle_doing_name(unsigned doing);

/*
 * oracle_mark_killed is called before a worker is killed, and oracle_forget
 * after the parent has waited for the worker.
 */
void oracle_mark_killed(struct oracle *oracle, unsigned number);
void oracle_forget(struct oracle *oracle, unsigned number);

/* Reports a violation; the oracle keeps the text of the first one. */
__attribute__((format(printf, 2, 3))) void oracle_violation(
	struct oracle *oracle, const char *format, ...);

#endif
