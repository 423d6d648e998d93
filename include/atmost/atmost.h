/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * atmost: at most k inside at once.
 *
 * A pool lets at most k of its members be inside at the same time.  The caller
 * may choose the algorithm by name.  The threads of one process share a pool
 * that one of them creates; several processes share a pool that they open by
 * name.  A thread joins the pool and so becomes a member; then it can enter and
 * leave the pool any number of times:
 *
 *	struct atmost_shape shape = { .kind = ATMOST_EXCLUSION, .k = 3 };
 *	struct atmost *pool;
 *	struct atmost_member *me;
 *
 *	atmost_create(&pool, &shape);
 *	atmost_join(pool, &me);          (each thread has its own member)
 *	atmost_enter(me, NULL);
 *	...                              (at most three threads are here)
 *	atmost_leave(me);
 *	atmost_part(me);
 *	atmost_close(pool);
 *
 * Functions that return int return zero or more on success, and a negative
 * ATMOST_E... of errors.h on failure.  They write through their output
 * parameters only on success.  errno has no meaning after a call.
 *
 * Death.  A member is dead if its thread has ended or its process was killed.
 * The library decides this on the kernel's evidence, never by a timeout: a
 * stopped member is alive, and keeps its place in the queue.  With a
 * recoverable algorithm the library frees everything that a dead member held;
 * the default algorithms of all kinds are recoverable.  A waiter notices most
 * deaths at once.  If the kernel does not announce the death of a holder, for
 * example after an OOM kill, the first waiter of the queue notices it within a
 * second.  If that waiter is stopped, the second one notices deaths within two
 * seconds.  If there is no waiter, the next call of atmost_join or
 * atmost_status notices the death, or the next atmost_enter that has to wait.
 * If the algorithm is not recoverable, the slot is lost, and atmost_status
 * counts it as lost.
 *
 * A process in the same pid namespace counts as dead when the kernel has closed
 * all its files.  A process in another pid namespace counts as dead when the
 * kernel has closed the pool's file; at this moment, descriptors of the process
 * with lower numbers may still be open.
 *
 * Descriptors.  A process that has joined a pool by name has two descriptors of
 * the pool's file, both close-on-exec.  If the program closes them, for example
 * by closefrom, waiters in the same pid namespace still take the process for
 * alive until it ends, but waiters in other pid namespaces take it for dead.
 * The next join opens the descriptors again.
 *
 * Fork.  A child of fork, _Fork or clone without CLONE_VM cannot use the
 * members of its parent: every call with such a member fails with
 * ATMOST_EFORKED, except atmost_entrust and atmost_part.  A child of fork does
 * not keep its parent's members alive.  A child of _Fork or clone that outlives
 * its parent keeps the parent's slots until the child ends or executes another
 * program.  After fork, the child can use a pool that was opened by name, but
 * must join it again; it cannot use a pool that atmost_create made.  When a
 * process executes another program, its memberships end, except those of
 * members that are entrusted to the process (atmost_entrust).  A child of vfork
 * may call only atmost_entrust.
 *
 * Threads.  No call is a cancellation point: a thread that is cancelled during
 * a call ends after the call.  When a thread ends, the library frees what its
 * members hold, even if a signal handler interrupted a wait and called
 * pthread_exit.  The behaviour is undefined if a thread leaves a call in any
 * other way (longjmp).  Signal handlers must not call the library.
 *
 * Several machines.  A pool whose name is an address is kept in etcd, and all
 * machines that reach that etcd share it:
 *
 *	atmost_open(&pool, "etcd://n1,n2,n3/lab/gpu", &shape)
 *
 * The address has the scheme etcd or etcds (TLS), one or more hosts with
 * optional ports (2379), an optional prefix of keys ("atmost") and the pool's
 * name.  libatmost-etcd must be installed; libatmost.a cannot use it.  All calls
 * work as for other pools, except as follows:
 *
 * - A member has a lease of 15 seconds, which a thread of libatmost-etcd keeps
 *   alive; ATMOST_AT_LEASE in the environment sets other seconds, 5 to 3600.
 *   The library learns of a death when the lease of the dead member ends.
 * - A holder may lose its lease: its machine was cut off from etcd or
 *   suspended for longer than the lease lasts, or the pool was removed.  Then
 *   another member may enter, and atmost_leave returns ATMOST_EEVICTED.
 *   atmost_until and atmost_lapse_fd tell the holder in time; a resource that
 *   checks tokens (atmost_token) is safe even if the holder goes on.
 * - A waiter that loses its lease waits again, at the end of the queue;
 *   atmost_enter does not return ATMOST_EEVICTED.
 * - atmost_enter without a deadline waits for etcd if it does not answer, and
 *   atmost_leave waits for its answer while the lease lasts.  Calls that take a
 *   pool or an address wait up to five seconds, with the signals of the calling
 *   thread blocked.
 * - A child of fork must open the pool again: calls with the parent's pool or
 *   members return ATMOST_EFORKED.
 * - shape.members is ignored, and any k up to 10000 is possible.  The
 *   algorithms are ledger and, for groups, ledger-room; other algorithms are
 *   refused (ATMOST_EALGORITHM).  Shared objects, atmost_entrust and
 *   atmost_evict are not supported (ATMOST_EUNSUPPORTED).
 * - The slot names of an unused pool can change (atmost resize --names).  Then
 *   atmost_enter returns ATMOST_ESHAPE, and the caller must open the pool again.
 * - A process that ends without atmost_part keeps its slots until its leases
 *   end.
 *
 * Stack.  atmost_enter, atmost_leave and atmost_part need at most 12 KB of the
 * calling thread's stack; all other calls need at most 16 KB.
 */
#ifndef ATMOST_ATMOST_H
#define ATMOST_ATMOST_H

#include "errors.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ATMOST_API __attribute__((visibility("default")))

struct atmost;        /* a pool */
struct atmost_member; /* a member of a pool */

enum atmost_kind {
	ATMOST_MUTEX,      /* one member inside */
	ATMOST_EXCLUSION,  /* at most k members inside */
	ATMOST_ASSIGNMENT, /* at most k members inside, each with a slot of its
			      own */
	ATMOST_GROUP,      /* at most k members inside, each with a slot of its
			      own, and all with the same session */
	ATMOST_OBJECT      /* a shared object; only the functions of resilient.h
			      can create it */
};

/* The shape of a pool.  A field that is zero stands for its default. */
struct atmost_shape {
	enum atmost_kind kind;
	unsigned k;        /* how many members may be inside; a mutex has 1; in
			      a group pool 0 means no limit; in a pool with slot
			      names 0 means as many as there are names; in all
			      other pools k must not be 0 */
	unsigned k_max;    /* the largest k that atmost_resize can set; default:
			      k; for a group pool without a limit: members; for
			      a pool with slot names: the number of names.  If
			      neither k nor k_max is given, a group pool cannot
			      get a limit later */
	unsigned members;  /* how many members may have joined at the same time;
			      default 64.  The algorithm limits this number:
			      roster and hall to 4096, room to 256 */
	unsigned sessions; /* a group pool has sessions 1..sessions; default: as
			      many as the algorithm supports */
	const char *algorithm; /* name of the algorithm; default: the default
				  algorithm of the kind */
	/*
	 * The names of slots 0, 1, ... k_max-1, separated by commas; NULL: the
	 * slots have no names.  Only ATMOST_ASSIGNMENT pools can have slot
	 * names.  A name has 1 to 64 bytes, no comma and no control byte
	 * (below 0x20, or 0x7f), and differs from all other names of the pool;
	 * the whole text has at most 65535 bytes.  If k_max is not 0, it must
	 * be the number of names.
	 */
	const char *names;
};

/* Flags of struct atmost_want. */
enum {
	ATMOST_TRY = 1 /* do not wait: enter now or fail */
};

/* How to enter.  If all fields are zero, the member waits for ever.  A group
 * pool refuses a want whose fields are all zero, because there is no session
 * 0. */
struct atmost_want {
	const struct timespec *deadline; /* CLOCK_MONOTONIC; NULL: none */
	uint64_t session;                /* group pools only; not 0 */
	unsigned flags;                  /* ATMOST_TRY */
	/*
	 * If not NULL: the wait ends when *interrupt is not zero.  If a signal
	 * handler of the waiter's thread sets *interrupt, the signal also ends
	 * the sleep.  If another thread of the process sets it without a
	 * signal, the waiter notices the change within a second.  If another
	 * process sets it, a waiter whose process has only one thread may take
	 * a minute to notice it.
	 */
	const volatile int *interrupt;
};

/* What the library knows about the life of a member. */
enum atmost_life {
	ATMOST_LIFE_CERTAIN, /* the member is alive, or the library will notice
				 its death */
	ATMOST_LIFE_UNKNOWN, /* the member is entrusted to a process of another
				 pid namespace, and the calling process cannot
				 see that process.  A caller that knows that the
				 entrusted process has ended may free the slot
				 by atmost_evict */
	ATMOST_LIFE_UNLOCKED /* the member is alive, but its program has closed
				 the library's descriptor (closefrom) */
};

/* A holder or a waiter, as atmost_status saw it. */
struct atmost_seat {
	int slot;          /* -1: the member waits */
	unsigned position; /* in the queue, from 1; 0: inside */
	pid_t pid;         /* 0: not known here (another pid namespace) */
	uint64_t session;  /* group pools only, else 0 */
	/*
	 * When the member began to wait, or entered: CLOCK_MONOTONIC, to about
	 * a millisecond.  A member that enters at once with a NULL want reads
	 * no clock; for such a member, `since` is the time at which
	 * atmost_status or a waiter first saw it inside.
	 */
	struct timespec since;
	char command[32]; /* the program's name, cut to fit */
	char label[32];   /* the text of atmost_label, cut to fit */
	enum atmost_life life;
	char host[64]; /* the machine of the member, cut to fit; empty: this
			  one.  The pid is of that machine. */
};

struct atmost_totals {
	unsigned k;       /* the present k; 0: no limit */
	unsigned members; /* how many members have joined */
	unsigned holders;
	unsigned waiters;
	uint64_t recovered; /* how many dead members the library has recovered
			       since the pool was created.  A member whose
			       entrusted process has ended does not count while
			       the member's own process lives */
	unsigned lost;      /* how many members died inside or while they were
			       entering; the algorithm cannot recover them */
	unsigned found;     /* how many dead members this call has recovered */
};

/*
 * Create a pool for the threads of this process.
 *
 *   ATMOST_ESHAPE      no pool, or no pool with this algorithm, can have the
 *                      shape
 *   ATMOST_EALGORITHM  there is no such algorithm, it is for another kind, it
 *                      runs in the checker only, or the kind has no default
 *   ATMOST_ENOMEM
 *
 * atmost_detail names the wrong field or, for an unknown algorithm, the known
 * algorithm with the most similar name.
 */
ATMOST_API int atmost_create(struct atmost **pool,
			     const struct atmost_shape *shape);

/*
 * Open the pool with this name, which all processes of the user share; create
 * it if it does not exist.  With a NULL shape the pool must exist.  A shared
 * object that was opened with a NULL shape can only be inspected, by
 * atmost_inspect and atmost_status; atmost_status then recovers no members.  If
 * the pool exists, the kind and every nonzero field of shape must match it; k
 * must be the k with which the pool was created, or its present k.  Names match
 * if they are the pool's slot names in any order; the order in the pool stays
 * as it is.
 *
 * A name that contains :// is an address: see Several machines, above.  Any
 * other name has 1 to 64 of the characters A-Z a-z 0-9 . _ - and does not start
 * with a dot.  The pool is the file NAME.pool in the directory $ATMOST_DIR,
 * which must be an absolute path.  If ATMOST_DIR is not set, the directory is
 * /run/atmost/UID if /run/atmost exists, and otherwise /dev/shm/atmost-UID.
 * The directory does not depend on the login session, so all processes of a
 * user share the pool.  The directory must belong to the user, must not be
 * writable by other users, and must be on a local file system (not FUSE).
 * Symbolic links are not followed, and the file has mode 0600.  The pool
 * outlives the processes that use it; after a reboot it is empty.
 *
 *   ATMOST_ENAME        the name is not valid
 *   ATMOST_ENOTFOUND    shape is NULL, and there is no such pool
 *   ATMOST_ESHAPE       the pool has another shape, and atmost_detail names the
 *                       field that differs; or a shared object from before a
 *                       reboot was opened with a NULL shape; or as for
 *                       atmost_create
 *   ATMOST_EALGORITHM   as for atmost_create
 *   ATMOST_EFORMAT      another version of the library, or a program with
 *                       another C library, made the file
 *   ATMOST_ECORRUPT     the file is not a pool, or is damaged
 *   ATMOST_EPERMISSION  the directory or the file belongs to another user; or
 *                       other users may write to the directory; or the file's
 *                       mode gives permissions to other users; or /run/atmost
 *                       does not belong to root, or lets other users write but
 *                       does not have the sticky bit
 *   ATMOST_EUNSUPPORTED an address, but libatmost-etcd is not installed, or
 *                       such a pool cannot have the shape
 *   ATMOST_EUNREACHED   etcd did not answer within five seconds
 *   ATMOST_EREFUSED     etcd refused the request, or is no etcd
 *   ATMOST_ENOMEM, ATMOST_ESYSTEM
 */
ATMOST_API int atmost_open(struct atmost **pool, const char *name,
			   const struct atmost_shape *shape);

/*
 * End all memberships that this process has in the pool, and close the pool.
 * During the call, no thread of this process may be inside the pool, wait for
 * it, or use it in any other call.  If other threads had members in the pool,
 * its memory is kept until these threads end or join a pool again.  A pool that
 * was opened by name continues to exist.  NULL is ignored.
 */
ATMOST_API void atmost_close(struct atmost *pool);

/*
 * Remove the pool.  Its present members can go on using it, but no thread can
 * join it any more, and the next process that opens the name gets another pool.
 * Fails with ATMOST_ENAME, ATMOST_ENOTFOUND, ATMOST_EPERMISSION, ATMOST_EBUSY
 * (another process has been removing the pool for a second) or ATMOST_ESYSTEM;
 * a pool of several machines also with ATMOST_EUNREACHED, ATMOST_EREFUSED or
 * ATMOST_EUNSUPPORTED.  The members of a pool of several machines lose their
 * leases.
 */
ATMOST_API int atmost_unlink(const char *name);

/* Remove the pool, but fail with ATMOST_EBUSY if a living process has joined
 * it. */
ATMOST_API int atmost_unlink_unused(const char *name);

/*
 * Make the calling thread a member of the pool.  The member belongs to this
 * thread: no other thread may pass it to atmost_enter, atmost_leave or
 * atmost_part.  A thread may have up to 2000 members.  When the thread ends,
 * its members part.
 *
 *   ATMOST_EFULL      as many members have joined as shape.members allows, or
 *                     the thread has 2000 members
 *   ATMOST_ESHAPE     the pool is a shared object
 *   ATMOST_ENOTFOUND  the pool has been removed: open it again
 *   ATMOST_EFORKED    the parent of this process created the pool
 *   ATMOST_ENOMEM, ATMOST_ESYSTEM
 *                     for example, the disk has no room for the member's part
 *                     of the file, or the system refuses file locks
 */
ATMOST_API int atmost_join(struct atmost *pool, struct atmost_member **member);

/*
 * End the membership; if the member is inside, it leaves first.  The call does
 * nothing if the member belongs to another thread.  In a forked child it only
 * frees the child's copy of the member.  NULL is ignored.
 */
ATMOST_API void atmost_part(struct atmost_member *member);

/*
 * Enter the pool, waiting as long as want->deadline allows, or not at all with
 * ATMOST_TRY.  With a NULL want the member waits for ever; in a group pool it
 * asks for session 1.
 *
 * Returns the slot, a number that no other member inside holds: in [0, k), or
 * in [0, k_max) if the pool was resized.  Returns 0 if the pool assigns no
 * slots; in group pools, only the algorithms hall, room and room-capture
 * assign slots.  On failure the member is not inside and holds no slot:
 *   ATMOST_EBUSY          ATMOST_TRY, and the member would have to wait
 *   ATMOST_ETIMEDOUT      the deadline passed before the member could enter
 *   ATMOST_EINSIDE        the member is inside already
 *   ATMOST_ENOTABORTABLE  want has a deadline, an interrupt or ATMOST_TRY, but
 *                         with this algorithm a waiter cannot give up
 *   ATMOST_ESESSION       the group pool has no session want->session
 *   ATMOST_EINTERRUPTED   *want->interrupt became nonzero before the member
 *                         could enter
 *   ATMOST_EWANT          want has unknown flags, or a deadline whose tv_nsec
 *                         is not between 0 and 999999999
 *   ATMOST_ETHREAD        the member belongs to another thread
 *   ATMOST_EFORKED        the member belongs to the parent of this process
 *   ATMOST_EEVICTED       the member was declared dead; the caller must end the
 *                         membership with atmost_part
 *   ATMOST_EUNREACHED     a pool of several machines: etcd was not reached
 *                         before the deadline; or, with ATMOST_TRY or a
 *                         deadline in the past, within two seconds for each
 *                         host.  Without a deadline the member waits for etcd
 *   ATMOST_EREFUSED       a pool of several machines: etcd refused the request,
 *                         for example because it is out of space
 *   ATMOST_EPERMISSION    a pool of several machines: etcd does not know the
 *                         user, or the user may not write the pool's keys
 *   ATMOST_ENOTFOUND      a pool of several machines: the pool was removed
 *   ATMOST_ESHAPE         a pool of several machines: its slot names changed
 *
 * The call may sleep, and it continues after a signal handler has run.  Signal
 * handlers must not call it.
 */
ATMOST_API int atmost_enter(struct atmost_member *member,
			    const struct atmost_want *want);

/*
 * Leave the pool, so that a waiter can enter.  Returns 0, or
 *   ATMOST_EOUTSIDE  the member is not inside
 *   ATMOST_EEVICTED  the member was declared dead while it was inside, and its
 *                    slot was freed; other members may have been inside beside
 *                    it (atmost_detail does not describe this failure).  A
 *                    member of a pool of several machines can enter again
 *   ATMOST_ETHREAD, ATMOST_EFORKED  as for atmost_enter
 */
ATMOST_API int atmost_leave(struct atmost_member *member);

/*
 * Store the fencing token of the member, which must be inside: a number that is
 * larger than the token of every earlier holder of its slot.  A resource that
 * keeps the largest token it has seen for each slot, and refuses smaller ones,
 * refuses holders that have lost their slot.  On one machine the token is 0,
 * because a holder cannot lose its slot.
 *
 *   ATMOST_EOUTSIDE, ATMOST_ETHREAD, ATMOST_EFORKED  as for atmost_leave
 */
ATMOST_API int atmost_token(struct atmost_member *member, uint64_t *token);

/*
 * Store the time (CLOCK_BOOTTIME) until which the member, which must be inside,
 * surely keeps its slot.  The time moves on while etcd is reached.  It is 0 if
 * the slot is known to be lost, and about 292 years on one machine.  Fails as
 * atmost_token does.
 */
ATMOST_API int atmost_until(struct atmost_member *member,
			    struct timespec *until);

/*
 * Return a descriptor that is readable while the member is inside and less than
 * a third of its lease is left, or its slot is lost.  The kernel's clock makes
 * it readable, whatever the library's threads do.  The caller polls it, and
 * neither reads nor closes it; it is valid until the member parts.  On one
 * machine the call fails with ATMOST_EUNSUPPORTED; poll(2) passes over such a
 * negative descriptor.
 *
 *   ATMOST_ETHREAD, ATMOST_EFORKED  as for atmost_leave
 */
ATMOST_API int atmost_lapse_fd(struct atmost_member *member);

/*
 * Entrust the member to process `pid`.  From then on the member lives as long
 * as that process; the end of the member's own thread or process no longer
 * matters.  When the process `pid` has ended, even if it is still a zombie,
 * the library frees what the member holds, and a later atmost_leave may return
 * ATMOST_EEVICTED.  With this function a process can take a slot for a program
 * that it starts, or that it executes in its own place.  atmost_status then
 * shows the pid of the entrusted process, and `command` as the name of the
 * program; with a NULL command the name does not change.  The member stays
 * entrusted until it parts; if it is entrusted several times, the last call
 * counts.  An entrusted member does not part when its thread ends.
 *
 * A child of the member's process may entrust the member to itself; the only
 * other call that the child may make with this member is atmost_part.  A child
 * of vfork may call no other function of the library.
 *
 * Waiters notice the end of an entrusted process at once, or within about 10
 * ms.  They look for a process of another pid namespace in /proc, which shows a
 * process only in its own pid namespace and in the namespaces above it.  A
 * waiter that cannot see the process never takes it for dead: see
 * ATMOST_LIFE_UNKNOWN.
 *
 *   ATMOST_ENOTFOUND  there is no such process
 *   ATMOST_ESYSTEM    the library could not distinguish the process from a
 *                     later process with the same pid: there is neither /proc
 *                     nor a suitable pidfd
 *   ATMOST_EEVICTED   the member is dead.  If the caller is a child, its parent
 *                     died before this call, and the child must not use the
 *                     slot
 *   ATMOST_EFORKED    the caller is a child, and pid is not its own pid
 *   ATMOST_ETHREAD    the member belongs to another thread
 *   ATMOST_EUNSUPPORTED  the pool is of several machines
 */
ATMOST_API int atmost_entrust(struct atmost_member *member, pid_t pid,
			      const char *command);

/* Flags of atmost_entrust_as. */
enum {
	ATMOST_ENTRUST_BOTH = 1 /* the member lives until both the entrusted
				   process and the member's own process have
				   ended */
};

/* Like atmost_entrust, but with flags.  ATMOST_EWANT: unknown flags. */
ATMOST_API int atmost_entrust_as(struct atmost_member *member, pid_t pid,
				 const char *command, unsigned flags);

/*
 * Free the slot of a holder whose life is ATMOST_LIFE_UNKNOWN.  The caller must
 * know that the holder's process has ended: a living process would remain
 * inside beside the next holder.
 *
 *   ATMOST_EBUSY          the holder is alive, or another process is
 *                         recovering it
 *   ATMOST_ENOTFOUND      no member holds the slot
 *   ATMOST_ENOTABORTABLE  the algorithm cannot recover a slot
 *   ATMOST_ESHAPE         the pool is a shared object that was opened without
 *                         its type
 *   ATMOST_EFORKED        as for atmost_join
 *   ATMOST_EUNSUPPORTED   the pool is of several machines
 */
ATMOST_API int atmost_evict(struct atmost *pool, unsigned slot);

/*
 * Set the member's label, a text of up to 31 bytes that atmost_status shows
 * beside the command until the member parts.  NULL clears the label.  In a pool
 * of several machines the label shows from the member's next passage on.  Fails
 * with ATMOST_EFORKED or ATMOST_ETHREAD, as atmost_enter does.
 */
ATMOST_API int atmost_label(struct atmost_member *member, const char *text);

/*
 * Set k to a number from 1 to the k_max of the shape.  In a group pool whose
 * k_max is at least its number of members, k can also be 0, which means no
 * limit.  A larger k takes effect at once.  A smaller k closes slots.  A slot
 * in use is closed only when its holder leaves; the call does not wait for
 * this, and until then k other members may be inside beside the holder.  In a
 * group pool no further member enters until fewer than k members are inside.
 * In a pool with slot names, k_max is the number of names.  In a pool of
 * several machines, k_max is 10000.
 *
 *   ATMOST_ESHAPE         k is outside these limits
 *   ATMOST_ENOTRESIZABLE  the algorithm cannot change its k
 *   ATMOST_EBUSY          another process has been resizing the pool for a
 *                         second
 *   ATMOST_ECORRUPT       the shared memory is damaged
 *   ATMOST_EFORKED        as for atmost_join
 *   ATMOST_EUNREACHED, ATMOST_EREFUSED, ATMOST_EPERMISSION
 *                         as for atmost_open
 */
ATMOST_API int atmost_resize(struct atmost *pool, unsigned k);

/*
 * Store the shape of the pool, with the defaults filled in and the present k.
 * The name of the algorithm and the slot names are valid until the pool is
 * closed.  Slot i has the i-th of the slot names, counting from 0.
 *
 *   ATMOST_EFORKED  as for atmost_join
 *   ATMOST_EUNREACHED, ATMOST_EREFUSED, ATMOST_EPERMISSION, ATMOST_ENOTFOUND
 *                   a pool of several machines: as for atmost_open
 */
ATMOST_API int atmost_inspect(struct atmost *pool, struct atmost_shape *shape);

/*
 * Describe the holders and the waiters.  The call fills up to `capacity`
 * entries of `seats`, first with the holders, sorted by slot, and then with the
 * waiters, in the order of the queue.  It also fills `totals`.  Either pointer
 * may be NULL.  If the algorithm can recover dead members, the call recovers
 * them first.  Members may enter and leave during the call: each entry was true
 * at some moment of the call, but perhaps not all entries at the same moment.
 * In a pool of several machines all entries were true at the same moment, and
 * `since` is the time at which the member began to wait by its own machine's
 * clock, translated to this machine's clock.
 *
 * Returns the number of holders and waiters together, which may be more than
 * `capacity`, or
 *   ATMOST_EFORKED  as for atmost_join
 *   ATMOST_EUNREACHED, ATMOST_EREFUSED, ATMOST_EPERMISSION, ATMOST_ENOTFOUND
 *                   a pool of several machines: as for atmost_open
 *   ATMOST_ENOMEM
 */
ATMOST_API int atmost_status(struct atmost *pool, struct atmost_seat *seats,
			     unsigned capacity, struct atmost_totals *totals);

/*
 * Store the path of the directory of this user's pools.  The directory need not
 * exist.
 *
 *   ATMOST_ESYSTEM      the path does not fit in size bytes, or $ATMOST_DIR is
 *                       not an absolute path
 *   ATMOST_EPERMISSION  /run/atmost does not belong to root, or lets other
 *                       users write but does not have the sticky bit
 *   ATMOST_ENOMEM
 */
ATMOST_API int atmost_directory(char *path, size_t size);

/* The name of a kind: "mutex", "exclusion", "assignment", "group", "object"; or
 * "unknown".  Never NULL; the string is static. */
ATMOST_API const char *atmost_kind_name(enum atmost_kind kind);

/* The meaning of an error code, in a few words.  Never NULL; the string is
 * static. */
ATMOST_API const char *atmost_strerror(int error);

/*
 * A sentence about the last failure of this thread, with more detail than the
 * error code.  The string is valid until the thread's next call that fails; it
 * is empty if no call has failed.
 */
ATMOST_API const char *atmost_detail(void);

/* The version of the library that is loaded, such as "1.2.3". */
ATMOST_API const char *atmost_version(void);

#ifdef __cplusplus
}
#endif

#endif
