/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The test's own record of the holders, kept outside of the library: in memory
 * that all processes of a test share, and that a killed worker leaves as it
 * was.
 *
 * Each worker has a number.  One word has a bit for every worker that is inside
 * and a bit for every worker that is being killed, so that a worker that enters
 * reads both at once and counts the living holders.  The parent sets the second
 * bit before it sends the signal, and clears both bits when it has waited for
 * the process.  (For a moment a worker that is marked and not dead yet is not
 * counted.  A worker that kills itself does nothing in between.)
 *
 * Each slot has an owner: a serial number, which no two processes share.  A
 * worker that enters may find a free slot or the slot of a killed worker.
 *
 * Each worker also stores the session for which it is inside, after it entered
 * and before it sets its bit.  So if another worker saw the bit when it
 * entered, and later reads another session, two sessions were inside.
 */
#ifndef ATMOST_TESTS_CRASH_ORACLE_H
#define ATMOST_TESTS_CRASH_ORACLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { WORKERS_MOST = 32, SLOTS = 64, SERIALS = 1 << 20 };

/* What a worker is doing; printed when no worker makes progress. */
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
	_Atomic uint64_t session; /* of its last entry */
	atomic_uint how;          /* while it enters: an enum manner */
	atomic_ulong passages;    /* and other finished steps */
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
	uint64_t session; /* for which it enters; 0 if the pool has none */
};

struct oracle *oracle_map(void);

/* For a pool that has no holder. */
void oracle_begin(struct oracle *oracle, unsigned limit, bool has_slots);

/* Right after entering, right before leaving. */
void oracle_enter(const struct oracle_worker *worker, int slot);
void oracle_leave(const struct oracle_worker *worker, int slot);

void oracle_note(const struct oracle_worker *worker, enum doing doing);
const char *oracle_doing_name(unsigned doing);

/* Before a worker is killed; and after the parent has waited for it. */
void oracle_mark_killed(struct oracle *oracle, unsigned number);
void oracle_forget(struct oracle *oracle, unsigned number);

/* Stores a violation; the first one is kept. */
__attribute__((format(printf, 2, 3))) void oracle_violation(
	struct oracle *oracle, const char *format, ...);

#endif
