/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * atmost: at most k inside at once.
 *
 * An object lets at most k of its members be inside at the same time.  Which
 * algorithm sees to that can be chosen by name.  The threads of one process
 * share an object they created, those of many one they opened by name.  They
 * join it, and then enter and leave it through the member they were given:
 *
 *	struct atmost_shape shape = { .kind = ATMOST_EXCLUSION, .k = 3 };
 *	struct atmost *pool;
 *	struct atmost_member *me;
 *
 *	atmost_create(&pool, &shape);
 *	atmost_join(pool, &me);          (each thread its own)
 *	atmost_enter(me, NULL);
 *	...                              (at most three are here)
 *	atmost_leave(me);
 *	atmost_part(me);
 *	atmost_close(pool);
 *
 * Functions that return int return zero or more on success, and a negative
 * ATMOST_E... of errors.h on failure.  Outputs are written on success only.
 * errno means nothing after a call.
 *
 * Death.  A member whose thread ended or whose process was killed is dead, by
 * the kernel's word and never by a timeout: one that is stopped is alive, and
 * keeps its place in the queue.  With a recoverable algorithm, as the default
 * ones of all kinds are, all that a dead member held comes back.  A waiter
 * notices most deaths at once, and a death of which the kernel tells nothing (an
 * OOM kill) within a second; without a waiter the next join, status, or enter
 * that has to wait notices it.  With other algorithms the slot is lost, and
 * atmost_status says so.
 *
 * A process of the same pid namespace counts as dead when it has closed all its
 * files.  In another pid namespace it counts as dead when it has closed the
 * pool's file: descriptors with lower numbers may be open for a moment longer.
 *
 * Descriptors.  A pool that was opened by name has two descriptors in each
 * process that has joined it, both close-on-exec.  A program that closes them
 * (closefrom) keeps its slots as long as it lives, for waiters of the same pid
 * namespace; the next join opens them again.
 *
 * Fork.  A member never passes to a child, made by fork, _Fork or clone without
 * CLONE_VM: there every call with it but atmost_entrust and atmost_part fails
 * with ATMOST_EFORKED.  A child of fork keeps nothing of its parent's alive; a
 * child of _Fork or clone that outlives its parent keeps its slots until it ends
 * or executes another program.  A pool that was opened by name can be used in a
 * child of fork, which joins anew; one that was created cannot.  Members do not
 * outlive an exec, unless they are entrusted to the process: atmost_entrust.  In
 * a child of vfork all but atmost_entrust is undefined.
 *
 * Threads.  No call is a cancellation point: a thread that is cancelled in a call
 * ends after it.  A thread that ends, also by pthread_exit in a signal handler
 * that has interrupted a wait, gives back what its members hold.  To jump out of
 * a call in another way (longjmp) is undefined.  No call is for signal handlers.
 *
 * Stack.  atmost_enter, atmost_leave and atmost_part need at most 12 KB of the
 * calling thread's stack, all other calls at most 16 KB.
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

struct atmost;        /* an object */
struct atmost_member; /* one participant of it */

enum atmost_kind {
	ATMOST_MUTEX,      /* one inside */
	ATMOST_EXCLUSION,  /* at most k inside */
	ATMOST_ASSIGNMENT, /* at most k inside, each with a slot of its own */
	ATMOST_GROUP,      /* at most k inside, each with a slot of its own, and
			      all of one session */
	ATMOST_OBJECT      /* one of resilient.h, which alone makes them */
};

/* What an object is.  A field that is zero asks for its default. */
struct atmost_shape {
	enum atmost_kind kind;
	unsigned k;        /* a mutex: 1; a group: 0 is no limit; else needed */
	unsigned k_max;    /* the largest k there is room for; default k, of a
			     group without a limit members */
	unsigned members;  /* joined at the same time, at most; default 64; the
			     most is the algorithm's: roster 4096, room 256 */
	unsigned sessions; /* a group's are 1..sessions; default any */
	const char *algorithm; /* by its name; default the kind's */
};

/* Flags of struct atmost_want. */
enum {
	ATMOST_TRY = 1 /* do not wait: now or not at all */
};

/* How to enter.  All zero: wait for ever, which a group refuses. */
struct atmost_want {
	const struct timespec *deadline; /* CLOCK_MONOTONIC; NULL: none */
	uint64_t session;                /* groups only: which one, not 0 */
	unsigned flags;                  /* ATMOST_TRY */
	/*
	 * Not NULL: the wait ends when *interrupt is not zero.  A signal
	 * handler may set it, and the signal ends the sleep; without a signal
	 * it is noticed within a second.
	 */
	const volatile int *interrupt;
};

/* What is known of the life of a member. */
enum atmost_life {
	ATMOST_LIFE_CERTAIN, /* it is alive, or its death will be noticed */
	ATMOST_LIFE_UNKNOWN, /* it is entrusted to a process that cannot be
				 looked at from this pid namespace: if that has
				 ended, atmost_evict gives its slot back */
	ATMOST_LIFE_UNLOCKED /* it is alive, and its program has closed the
				 library's descriptor (closefrom) */
};

/* One who is inside or waits, as atmost_status saw it. */
struct atmost_seat {
	int slot;          /* -1: waiting */
	unsigned position; /* in the queue, from 1; 0: inside */
	pid_t pid;         /* 0: not known here, another pid namespace */
	uint64_t session;  /* groups only, else 0 */
	/*
	 * CLOCK_MONOTONIC, to about a millisecond: when it came, or entered.
	 * Who enters at once with a NULL want looks at no clock: for that one
	 * it is when somebody (status, a waiter) first saw it there.
	 */
	struct timespec since;
	char command[32]; /* the program's name, cut to fit */
	char label[32];   /* what atmost_label was given, cut to fit */
	enum atmost_life life;
};

struct atmost_totals {
	unsigned k;       /* as resized last; 0: no limit */
	unsigned members; /* how many have joined */
	unsigned holders; /* inside */
	unsigned waiters;
	uint64_t recovered; /* deaths noticed and undone, ever; the end of a
			       process that a member was entrusted to is none
			       while the member's own process lives */
	unsigned lost;      /* dead, inside or on their way, and the algorithm
			       cannot recover them */
	unsigned found;     /* of the recovered, those of this call */
};

/*
 * Make an object for the threads of this process.
 *
 *   ATMOST_ESHAPE      no object, or not this algorithm, can have the shape
 *   ATMOST_EALGORITHM  there is no such algorithm, it is for another kind, it
 *                      runs in the checker only, or the kind has no default
 *   ATMOST_ENOMEM
 *
 * atmost_detail says which field it was, or which name is nearest.
 */
ATMOST_API int atmost_create(struct atmost **object,
			     const struct atmost_shape *shape);

/*
 * Open the object of this name, for processes of this user; make it if there
 * is none.  A NULL shape opens only what exists; an ATMOST_OBJECT only to look at
 * it, by atmost_inspect and atmost_status, which then recovers nobody.  Of an existing object a field
 * of the shape that is not zero must be the same; its k must be the one it was
 * made with or has now.
 *
 * A name has 1 to 64 of A-Z a-z 0-9 . _ - and does not start with a dot.  The
 * object is the file NAME.pool in $ATMOST_DIR, an absolute path; if that is not
 * set, in /run/atmost/UID where the machine has the directory /run/atmost; else
 * in /dev/shm/atmost-UID.  So all processes of a user share it, whether they
 * belong to a login or not.  The directory must be the user's, writable by
 * nobody else, and on a file system of this machine (no FUSE); symbolic links
 * are not followed, and the file has mode 0600.  It outlives its users; a reboot
 * empties it.
 *
 *   ATMOST_ENAME        not such a name
 *   ATMOST_ENOTFOUND    no shape was given, and there is no such object
 *   ATMOST_ESHAPE       another shape than the object's: atmost_detail says
 *                       which field differs; or as for atmost_create; or, of
 *                       kind ATMOST_OBJECT, it is from before a reboot
 *   ATMOST_EALGORITHM   as for atmost_create
 *   ATMOST_EFORMAT      the file is of another version or C library
 *   ATMOST_ECORRUPT     the file is no object, or damaged
 *   ATMOST_EPERMISSION  directory or file belongs to, or is open to, others;
 *                       or /run/atmost is not root's, or not sticky
 *   ATMOST_ENOMEM, ATMOST_ESYSTEM
 */
ATMOST_API int atmost_open(struct atmost **object, const char *name,
			   const struct atmost_shape *shape);

/*
 * Give the object back, and with it the members that this process has of it.
 * None may be inside, waiting, or in any other call.  The memory of a pool whose
 * members belong to other threads stays until these end or join again.  A pool
 * that was opened goes on without us.  NULL is fine.
 */
ATMOST_API void atmost_close(struct atmost *object);

/*
 * Remove the pool.  Its members go on with it, nobody can join it any more, and
 * the next process that opens the name gets another pool.  ATMOST_ENAME,
 * ATMOST_ENOTFOUND, ATMOST_EPERMISSION, ATMOST_EBUSY (another process has been
 * removing it for a second), ATMOST_ESYSTEM.
 */
ATMOST_API int atmost_unlink(const char *name);

/* The same, unless a living process has joined the pool: ATMOST_EBUSY. */
ATMOST_API int atmost_unlink_unused(const char *name);

/*
 * Become a member.  It belongs to the calling thread: no other may enter,
 * leave or part with it.  A thread may have several members, up to 2000.  When
 * the thread ends, its members are parted, and gone.
 *
 *   ATMOST_EFULL     as many have joined as shape.members allows, or as one
 *                    thread can have
 *   ATMOST_ESHAPE    an ATMOST_OBJECT, opened to look at it
 *   ATMOST_ENOTFOUND the pool has been removed: open it again
 *   ATMOST_EFORKED   the object was created by the process that forked this one
 *   ATMOST_ENOMEM, ATMOST_ESYSTEM  also: no room on the disk for the member's
 *                    part of the file; the system refuses file locks
 */
ATMOST_API int atmost_join(struct atmost *object,
			   struct atmost_member **member);

/*
 * Be a member no longer; leaves first if it is inside.  Does nothing if the
 * member belongs to another thread.  In a forked child it only frees the
 * child's copy.  NULL is fine.
 */
ATMOST_API void atmost_part(struct atmost_member *member);

/*
 * Enter, waiting as long as want->deadline allows, or not at all with
 * ATMOST_TRY.  A NULL want waits for ever, in a group for session 1.
 *
 * Returns the slot taken: in [0, k), once it was resized in [0, k_max), held by
 * no other member inside, and 0 where the object hands out no slots (as groups
 * of another algorithm than room).  On failure nothing is held:
 *   ATMOST_EBUSY          ATMOST_TRY, and it would have had to wait
 *   ATMOST_ETIMEDOUT      the deadline passed first
 *   ATMOST_EINSIDE        the member is inside already
 *   ATMOST_ENOTABORTABLE  a deadline or ATMOST_TRY was given to an algorithm
 *                         that cannot retreat
 *   ATMOST_ESESSION       a group has no session want->session
 *   ATMOST_EINTERRUPTED   *want->interrupt was set first
 *   ATMOST_EWANT          want has unknown flags, or a deadline whose tv_nsec
 *                         is not between 0 and 999999999
 *   ATMOST_ETHREAD        the member belongs to another thread
 *   ATMOST_EFORKED        ... to the process that forked this one
 *   ATMOST_EEVICTED       what was ours in the object is not any more: part
 *                         with this member
 *
 * May sleep; restarts after signals.  Not for signal handlers.
 */
ATMOST_API int atmost_enter(struct atmost_member *member,
			    const struct atmost_want *want);

/*
 * Leave, and let in whoever that makes room for.  Returns 0, or
 *   ATMOST_EOUTSIDE  the member is not inside
 *   ATMOST_EEVICTED  it was, but what it held was taken away: whatever it did
 *                    inside it may have done beside others (the one failure
 *                    that atmost_detail is not told of)
 *   ATMOST_ETHREAD, ATMOST_EFORKED  as for atmost_enter
 */
ATMOST_API int atmost_leave(struct atmost_member *member);

/*
 * From now on the member lives as long as process `pid` does, and its thread and
 * process do not count: when that process has ended, also while it is a zombie,
 * what the member holds comes back, and a leave afterwards may say
 * ATMOST_EEVICTED.  So a program can take a slot for another one that it runs, or
 * becomes by exec.  Status shows that process, and `command` (NULL: the name
 * stays) as its name.  Lasts until the member parts; the last call counts.  The
 * end of the member's thread does not part it.
 *
 * A child of the member's process may call this for itself, and nothing else of
 * the library with that member; a child of vfork may call this function only.
 *
 * Waiters notice the end of the process at once, or within some 10 ms.  A process
 * of another pid namespace is looked for in /proc, which shows it to waiters of
 * the same namespace and of those above it.  A waiter that cannot see it never
 * takes it for dead: see ATMOST_LIFE_UNKNOWN.
 *
 *   ATMOST_ENOTFOUND  there is no such process
 *   ATMOST_ESYSTEM    the process could not be told from a later one of the
 *                     same pid: there is neither /proc nor a pidfd that tells
 *   ATMOST_EEVICTED   the member is dead: called by a child whose parent died
 *                     before, it must not go on in its name
 *   ATMOST_EFORKED    called by a child for another process
 *   ATMOST_ETHREAD    the member belongs to another thread
 */
ATMOST_API int atmost_entrust(struct atmost_member *member, pid_t pid,
			      const char *command);

/* Flags of atmost_entrust_as. */
enum {
	ATMOST_ENTRUST_BOTH = 1 /* it lives as long as one of the two does: the
				   process, and the member's own process */
};

/* The same; ATMOST_EWANT: unknown flags. */
ATMOST_API int atmost_entrust_as(struct atmost_member *member, pid_t pid,
				 const char *command, unsigned flags);

/*
 * Give back the slot of a holder whose life is ATMOST_LIFE_UNKNOWN.  The caller
 * must know that its process has ended: a living one would go on beside others.
 *
 *   ATMOST_EBUSY      the holder is alive
 *   ATMOST_ENOTFOUND  no member holds the slot
 *   ATMOST_ENOTABORTABLE  the algorithm cannot recover a slot
 *   ATMOST_EFORKED    as for atmost_join
 */
ATMOST_API int atmost_evict(struct atmost *object, unsigned slot);

/*
 * What status says of the member beside its name: up to 31 bytes of text, until
 * it parts.  NULL clears the label.  ATMOST_EFORKED, ATMOST_ETHREAD.
 */
ATMOST_API int atmost_label(struct atmost_member *member, const char *text);

/*
 * From now on at most k, between 1 and the k_max of the shape; 0, no limit, in a
 * group whose k_max is not less than its members.  Growing takes effect at once.
 * Shrinking closes slots: those in use when their holders leave, for whom the
 * call does not wait, and beside whom k may be inside.  In a group nobody new
 * enters until fewer than k are inside.
 *
 *   ATMOST_ESHAPE          k is 0, or more than the object has room for
 *   ATMOST_ENOTRESIZABLE   the algorithm cannot
 *   ATMOST_EBUSY           somebody else has been resizing for a second
 *   ATMOST_ECORRUPT        the shared memory is damaged
 *   ATMOST_EFORKED         as for atmost_join
 */
ATMOST_API int atmost_resize(struct atmost *object, unsigned k);

/*
 * What the object is: its shape with the defaults filled in, and k as resized
 * last.  The algorithm's name lives as long as the object is open.
 *
 *   ATMOST_EFORKED  as for atmost_join
 */
ATMOST_API int atmost_inspect(struct atmost *object,
			      struct atmost_shape *shape);

/*
 * Who is inside and who waits: fills up to `capacity` of `seats`, holders by
 * slot, then waiters in order, and `totals`; either may be NULL.  Recovers the
 * dead first, where the algorithm can.  Others may move meanwhile: each seat was
 * true at some moment of the call.
 *
 * Returns how many seats there are, which may be more than were filled, or
 *   ATMOST_EFORKED  as for atmost_join
 *   ATMOST_ENOMEM
 */
ATMOST_API int atmost_status(struct atmost *object, struct atmost_seat *seats,
			     unsigned capacity, struct atmost_totals *totals);

/*
 * Where this user's objects are, or would be: its path, with which nothing is
 * done.
 *
 *   ATMOST_ESYSTEM      the path does not fit, or $ATMOST_DIR is not absolute
 *   ATMOST_EPERMISSION  /run/atmost is not root's, or not sticky
 *   ATMOST_ENOMEM
 */
ATMOST_API int atmost_directory(char *path, size_t size);

/* The name of a kind: "mutex", "exclusion", "assignment", "group", "object", or
 * "unknown".  Never NULL; the string is static. */
ATMOST_API const char *atmost_kind_name(enum atmost_kind kind);

/* What a code means, in a few words.  Never NULL; the string is static. */
ATMOST_API const char *atmost_strerror(int error);

/*
 * The last failure of this thread, in words: more than its code can say.  The
 * string is this thread's until its next call that fails; "" if none has.
 */
ATMOST_API const char *atmost_detail(void);

/* The version of the library that is running, as "1.2.3". */
ATMOST_API const char *atmost_version(void);

#ifdef __cplusplus
}
#endif

#endif
