/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who is inside, kept outside of the library: in memory that all processes of a
 * test share, and that a killed one leaves as it was.
 *
 * Each process sits on a chair.  One word has a bit for every chair that is
 * inside, and one for every chair that is being killed, so that whoever enters
 * sees both at the same moment: it counts the living.  A chair's kill is noted
 * before the signal is sent, and both bits are taken away when the process has
 * been waited for.  (A process that is noted but not dead yet is not counted;
 * that is a moment.  One that kills itself does nothing in between.)
 *
 * Besides, each slot has an owner: a serial number, which no two processes
 * share.  Who enters may find there nobody, or one that was killed.
 *
 * And each chair says for which session it is inside.  It says so once it has
 * entered, before its bit: whose bit somebody saw when it entered itself says
 * something else later only if two sessions are inside.
 */
#ifndef ATMOST_TESTS_CRASH_ORACLE_H
#define ATMOST_TESTS_CRASH_ORACLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { CHAIRS = 32, SLOTS = 64, SERIALS = 1 << 20 };

/* What a process is about to do, for whoever asks why nothing moves. */
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

struct chair {
	_Alignas(64) atomic_uint serial;
	atomic_uint doing;
	_Atomic uint64_t session; /* for which it entered last */
	atomic_uint how;          /* entering: see enum manner */
	atomic_ulong passages;    /* and what else was finished */
	atomic_ulong reached;     /* stops passed: see stops.h */
};

/* How one enters. */
enum manner { FOR_EVER, DEADLINE, TRY, MANNERS };

struct oracle {
	_Atomic uint64_t there; /* bit: inside; bit + 32: being killed */
	_Atomic uint32_t owner[SLOTS];
	atomic_uint limit;     /* at most so many inside */
	atomic_bool has_slots; /* the algorithm hands them out */
	atomic_bool stop;      /* everybody: come to an end */
	atomic_bool go;        /* of a scene: see stops.h */
	atomic_ulong entered, given_up, full, inherited;
	atomic_bool violated;
	char violation[256];
	struct chair chair[CHAIRS];
	_Atomic uint8_t killed[SERIALS];
};

/* A process, as the oracle knows it. */
struct actor {
	struct oracle *oracle;
	unsigned chair;
	uint32_t serial;
	uint64_t session; /* which it asks for; without groups 0 */
};

struct oracle *oracle_map(void);

/* For an object that nobody has entered. */
void oracle_begin(struct oracle *oracle, unsigned limit, bool has_slots);

/* Right after entering, right before leaving. */
void oracle_enter(const struct actor *actor, int slot);
void oracle_leave(const struct actor *actor, int slot);

void oracle_does(const struct actor *actor, enum doing doing);
const char *oracle_doing_name(unsigned doing);

/* Before a chair is killed; after it has been waited for. */
void oracle_doom(struct oracle *oracle, unsigned chair);
void oracle_bury(struct oracle *oracle, unsigned chair);

/* The first one is remembered. */
__attribute__((format(printf, 2, 3))) void oracle_object(struct oracle *oracle,
							 const char *format,
							 ...);

#endif
