/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a pool's memory holds, byte by byte.  A pool created for threads is
 * anonymous memory, a pool opened by name is a file: the same bytes.
 *
 *	0     struct header
 *	512   the bell, a line: see memory/native/wait.h
 *	576   the algorithm's words
 *	...   member 0, 1, ... members-1, each on lines of its own:
 *	      struct record, its own words, and in a pool of resilient.h
 *	      struct last
 *	...   in a pool of resilient.h: struct outcomes
 *
 * All of it is zero at first but the header and a few words of the algorithm,
 * and the zeros of a file are holes: members bring the pages that they need.
 * Members below the high-water mark have joined at some time; only their
 * records and words may be looked at, because reading a hole of a file in
 * memory fills it.
 *
 * Numbers are in the machine's byte order.  There are no pointers, the life
 * locks excepted: these are the C library's, which the header names.  Nothing
 * read here is trusted.  The fixed part of the header is copied and checked
 * once; what changes is range-checked where it is read.
 *
 * Processes lock bytes of the file (runtime/file_lock.h) that are not part of
 * its contents: LOCK_MEMBER + id, and so on.
 */
#ifndef ATMOST_RUNTIME_LAYOUT_H
#define ATMOST_RUNTIME_LAYOUT_H

#include "algorithms/registry.h"

enum { SEGMENT_FORMAT = 3 };

#define SEGMENT_MAGIC "atmost\r\n" /* which a copy as text would spoil */

enum {
	LOCK_MEMBER = 0, /* + id: by the process of a member, for life */
	LOCK_RECOVERY = 1 << 16, /* + id: by the one that recovers it */
	LOCK_RESIZE = 2 << 16,
	LOCK_REMOVE, /* by the one that removes or replaces the file */
	LOCK_DRAFT   /* by the one that makes it, before it has a name */
};

/* A mutex of the C library, robust and shared: see runtime/life.h. */
struct life {
	_Alignas(64) unsigned char cell[64];
};

struct header {
	/* Fixed when the pool is made. */
	char magic[8];      /*   0 */
	uint32_t format;    /*   8  SEGMENT_FORMAT */
	uint32_t kind;      /*  12  enum atmost_kind */
	uint32_t k;         /*  16  of the shape, its defaults filled in */
	uint32_t k_max;     /*  20 */
	uint32_t members;   /*  24 */
	uint32_t sessions;  /*  28 */
	char algorithm[96]; /*  32  its name, zeros behind it */
	char abi[32];       /* 128  whose life locks these are */
	uint64_t boot[2];   /* 160  of the machine: a life lock dies with it */
	uint64_t size;      /* 176  of all, in bytes */
	uint64_t checksum;  /* 184  of what is fixed, FNV-1a */

	/* In a pool of resilient.h, and then part of the sum; else zero. */
	uint32_t state;      /* 192  in bytes */
	uint32_t arguments;  /* 196  words of an operation */
	uint32_t results;    /* 200 */
	uint32_t operations; /* 204  1 to this */
	char type[32];       /* 208  its name, zeros behind it */
	char unused[16];     /* 240  zero */

	/* What changes. */
	struct word k_now;        /* 256  as resized last */
	struct word recovered;    /* 272  deaths undone */
	struct word last_sleeper; /* 288  its id + 1 */
	struct word high_water;   /* 304  ids below this have been used */
	struct word removed;  /* 320  REMOVED: this file is no pool any more */
	struct word resizing; /* 336  1: a resize has begun and not ended */
	struct word looked;   /* 352  when a waiter last asked for every
					  member's file lock; 2^20 ns */
	char unused_end[144]; /* 368  zero */
};

/* Nothing that damage is likely to leave: a removed pool is lost. */
#define REMOVED UINT64_C(0x6465766f6d65722e)

_Static_assert(sizeof(struct header) == 512, "part of the format");
_Static_assert(offsetof(struct header, checksum) == 184, "part of the format");
_Static_assert(offsetof(struct header, type) == 208, "part of the format");
_Static_assert(offsetof(struct header, k_now) == 256, "part of the format");
_Static_assert(offsetof(struct header, looked) == 352, "part of the format");

/* Where a member is in its passage: the two lowest bits of its turn. */
enum { TURN_OUTSIDE, TURN_WAITING, TURN_INSIDE, TURN_PHASE = 3 };

/* A process, as struct identity has it: see runtime/identity.h. */
struct identity_words {
	struct word pid;        /*   0  0: none */
	struct word space;      /*  16  its pid namespace: the inode */
	struct word start;      /*  32  in ticks after boot, as seen in: */
	struct word time_space; /*  48  a time namespace, likewise */
	struct word inode;      /*  64  of its pidfd */
};

struct record {
	struct life life;  /*   0  held by the member's thread */
	struct word turn;  /*  64  grows with each passage; its phase */
	struct word since; /*  80  turn in 24 bits, since when above: 2^20 ns */
	struct word session;     /*  96  of this passage; groups only */
	struct word slot;        /* 112  where the algorithm does not tell */
	struct word state;       /* 128  joined ever * 2, and see below */
	struct word thread;      /* 144  the thread that joined: its tid */
	struct word seen;        /* 160  the entrusted process from another pid
					 namespace: see runtime/death.c */
	struct word unused_word; /* 176 */
	struct identity_words process;   /* 192  that joined */
	struct identity_words entrusted; /* 272  if the state says so */
	char unused[32];                 /* 352  zero */
	struct word command[4]; /* 384  the program's name, 8 bytes each */
	struct word label[4];   /* 448  of atmost_label, likewise */
};

/*
 * STATE_JOINED      joined now
 * STATE_ENTRUSTED   lives as long as the entrusted process does
 * STATE_TO_ITSELF   which is the process that joined: its end is no death
 * STATE_BOTH        and as long as the process that joined does
 * STATE_UNWATCHED   the kernel keeps no robust list for its thread: nothing but
 *                   the file lock tells of its end
 * STATE_RECOVERING  certified dead, and being undone: nothing but its recovery
 *                   changes the record until it is vacant
 * STATE_CHANGES     counts how often it was entrusted, so that its state
 *                   differs when what it is entrusted to does
 */
#define STATE_JOINED UINT64_C(1)
#define STATE_ENTRUSTED (UINT64_C(1) << 63)
#define STATE_TO_ITSELF (UINT64_C(1) << 62)
#define STATE_BOTH (UINT64_C(1) << 61)
#define STATE_UNWATCHED (UINT64_C(1) << 60)
#define STATE_RECOVERING (UINT64_C(1) << 59)
#define STATE_ONE_CHANGE (UINT64_C(1) << 51)
#define STATE_CHANGES (UINT64_C(255) << 51)
#define STATE_FLAGS (~(STATE_ONE_CHANGE - 1))

_Static_assert(sizeof(struct record) == 512, "part of the format");
_Static_assert(offsetof(struct record, state) == 128, "part of the format");
_Static_assert(offsetof(struct record, entrusted) == 272, "part of the format");
_Static_assert(offsetof(struct record, command) == 384, "part of the format");

/*
 * The last operation of a member of a shared object, if its user has a tag for
 * it.  The tag is 0 while the rest is written.
 */
struct last {
	struct word tag;       /*   0  0: nothing that anybody will ask for */
	struct word done;      /*  16  1: it has taken effect, and returned: */
	struct word result[8]; /*  32 */
	struct word unused[2]; /* 160 */
};

/* What became of it, for who asks: see runtime/outcome.h. */
struct outcome_kept {
	struct word turn;      /*   0  sequence number, from 1, * 4 + phase */
	struct word tag;       /*  16 */
	struct word happened;  /*  32  0 or 1 */
	struct word result[8]; /*  48 */
	struct word sum; /* 176  of these and the turn without its phase */
};

enum { OUTCOMES = 64 };
enum { OUTCOME_NONE, OUTCOME_WRITING, OUTCOME_READY, OUTCOME_ASKED };

struct outcomes {
	struct word count;                /*   0  of those that ever were */
	struct word unused[3];            /*  16 */
	struct outcome_kept at[OUTCOMES]; /* 64 */
};

_Static_assert(sizeof(struct last) == 192, "part of the format");
_Static_assert(sizeof(struct outcome_kept) == 192, "part of the format");

/* Sums of the format: FNV-1a, over bytes or over words. */
#define LAYOUT_SUM_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t layout_sum(uint64_t sum, uint64_t value)
{
	return (sum ^ value) * UINT64_C(0x100000001b3);
}

/* Where the parts are, in bytes from the header; and how large the whole is. */
struct layout {
	size_t words;
	size_t word_count;
	size_t members;
	size_t member_each;
	size_t own;      /* from a member's record on */
	size_t last;     /* likewise; of resilient.h only */
	size_t outcomes; /* likewise */
	size_t size;
};

/* False: too large for this machine. */
bool layout_compute(struct layout *layout, const struct algorithm *algorithm,
		    const struct shape *shape);

/* Turns zeroed memory into an algorithm's that nobody has entered. */
void layout_prepare(char *base, const struct layout *layout,
		    const struct algorithm *algorithm,
		    const struct shape *shape);

/* The bytes that members from..to-1 bring: as `extent` of struct algorithm. */
bool layout_extent(const struct layout *layout,
		   const struct algorithm *algorithm, const struct shape *shape,
		   unsigned from, unsigned to, unsigned piece,
		   struct extent *bytes);

static inline struct word *layout_bell(char *base)
{
	return (struct word *)(void *)(base + sizeof(struct header));
}

#endif
