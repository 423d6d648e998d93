/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The layout of a pool's memory, byte by byte.  A pool that was created is
 * anonymous memory; a pool that was opened by name is a file.  Both have the
 * same layout:
 *
 *	0     struct header
 *	512   the bell, one cache line: see memory/native/wait.h
 *	576   the slot names, if the pool has any: the text, and zeros up to the
 *	      next cache line
 *	...   the algorithm's words
 *	...   member 0, 1, ... members-1, each on cache lines of its own:
 *	      struct record, the member's own words, and in a shared object
 *	      struct last
 *	...   in a shared object: struct outcomes
 *
 * In a new pool everything is zero except the header and a few words of the
 * algorithm.  The zeros of a file are holes; a joining member reserves the
 * pages that it needs.  Every id below the high-water mark has belonged to a
 * member at some time.  Processes read the records and words of these ids only,
 * because reading a hole of a file on a tmpfs allocates memory for the hole.
 *
 * Numbers are in the machine's byte order.  There are no pointers, except in
 * the life locks: these are mutexes of the C library, and `abi` in the header
 * describes them.  A process that opens a pool trusts nothing in this memory.
 * It copies and checks the fixed part, which is the first part of the header
 * and the slot names, once.  It checks the range of every other word each time
 * that it reads the word.
 *
 * Processes lock bytes of the file (runtime/file_lock.h) at offsets that are
 * unrelated to the contents of the file: LOCK_MEMBER + id, and so on.
 */
#ifndef ATMOST_RUNTIME_LAYOUT_H
#define ATMOST_RUNTIME_LAYOUT_H

#include "algorithms/registry.h"

enum { SEGMENT_FORMAT = 4 };

#define SEGMENT_MAGIC "atmost\r\n" /* copying in text mode changes it */

enum {
	LOCK_MEMBER = 0,         /* + id: held by the member's process */
	LOCK_RECOVERY = 1 << 16, /* + id: held by the recoverer */
	LOCK_RESIZE = 2 << 16,
	LOCK_REMOVE, /* held by a process that removes or replaces the file */
	LOCK_DRAFT   /* held by the file's maker until the file has a name */
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
	uint32_t k;         /*  16  the k with which the pool was created */
	uint32_t k_max;     /*  20  default filled in */
	uint32_t members;   /*  24  default filled in */
	uint32_t sessions;  /*  28  default filled in */
	char algorithm[96]; /*  32  the algorithm's name, padded with zeros */
	char abi[32];       /* 128  describes the life locks: see life_abi */
	uint64_t boot[2];   /* 160  the boot id: a reboot ends all life locks */
	uint64_t size;      /* 176  of the whole pool, in bytes */
	uint64_t checksum;  /* 184  of the fixed part without `unused` and the
				  checksum itself: see layout_sum */

	/* The object type; zero unless the pool is a shared object. */
	uint32_t state;      /* 192  size of the state in bytes */
	uint32_t arguments;  /* 196  argument words of an operation */
	uint32_t results;    /* 200  result words of an operation */
	uint32_t operations; /* 204  operations are numbered 1 to this */
	char type[32];       /* 208  the type's name, padded with zeros */

	uint32_t names;  /* 240  length of the slot names; 0: none */
	char unused[12]; /* 244  zero */

	/* The part that changes. */
	struct word k_now;     /* 256  the present k: a resize changes it */
	struct word recovered; /* 272  how many dead members were recovered */
	struct word
		last_sleeper;   /* 288  id + 1 of the last waiter that slept */
	struct word high_water; /* 304  ids below this have been used */
	struct word removed;    /* 320  REMOVED: no process can join any more */
	struct word resizing;   /* 336  1: a resize has begun and not ended */
	struct word looked;     /* 352  when a waiter last looked for deaths
				      among all members; in units of 2^20 ns */
	char unused_end[144];   /* 368  zero */
};

/* A value that damage is unlikely to produce. */
#define REMOVED UINT64_C(0x6465766f6d65722e)

_Static_assert(sizeof(struct header) == 512, "part of the format");
_Static_assert(offsetof(struct header, checksum) == 184, "part of the format");
_Static_assert(offsetof(struct header, type) == 208, "part of the format");
_Static_assert(offsetof(struct header, names) == 240, "part of the format");
_Static_assert(offsetof(struct header, k_now) == 256, "part of the format");
_Static_assert(offsetof(struct header, looked) == 352, "part of the format");

/* The phase of a member: the two lowest bits of its turn. */
enum { TURN_OUTSIDE, TURN_WAITING, TURN_INSIDE, TURN_PHASE = 3 };

/* struct identity of runtime/identity.h, one word per field. */
struct identity_words {
	struct word pid;        /*   0  0: none */
	struct word space;      /*  16 */
	struct word start;      /*  32 */
	struct word time_space; /*  48 */
	struct word inode;      /*  64 */
};

struct record {
	struct life life; /*   0  held by the member's thread */
	struct word turn; /*  64  number of the passage * 4 + phase; waiters
				  behind the member in the queue may sleep on
				  its gate */
	struct word
		since; /*  80  a time and 24 bits of the turn: see record.c */
	struct word session;     /*  96  of this passage; group pools only */
	struct word slot;        /* 112  if the algorithm has no `holder` */
	struct word state;       /* 128  badge * 2, and flags: see below */
	struct word thread;      /* 144  id of the thread that joined */
	struct word seen;        /* 160  where the entrusted process was found:
					 see runtime/record.c */
	struct word unused_word; /* 176 */
	struct identity_words process;   /* 192  the process that joined */
	struct identity_words entrusted; /* 272  valid with STATE_ENTRUSTED */
	char unused[32];                 /* 352  zero */
	struct word command[4]; /* 384  the program's name, 8 bytes per word */
	struct word label[4];   /* 448  the label, 8 bytes per word */
};

/*
 * STATE_JOINED      a member has this record
 * STATE_ENTRUSTED   the member lives as long as the entrusted process does
 * STATE_TO_ITSELF   the entrusted process is the process that joined: its end
 *                   is not counted as a death
 * STATE_BOTH        the member lives as long as either process does
 * STATE_UNWATCHED   the kernel keeps no robust list for the thread: only the
 *                   file lock tells of its end
 * STATE_RECOVERING  the member is certainly dead: only its recoverer changes
 *                   the record until the record is vacant
 * STATE_CHANGES     counts how often the member was entrusted, so that the
 *                   state changes whenever the entrusted process changes
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
 * The last operation of a member of a shared object, if the operation has a
 * tag.  The tag is 0 while the member writes the other words.
 */
struct last {
	struct word tag;       /*   0  0: no tagged operation */
	struct word done;      /*  16  1: the operation has taken effect */
	struct word result[8]; /*  32  valid if done is 1 */
	struct word unused[2]; /* 160 */
};

/* The outcome of a dead member's operation: see runtime/outcome.h. */
struct outcome_kept {
	struct word turn;      /*   0  4 * sequence number + phase; sequence
				  numbers start at 1 */
	struct word tag;       /*  16 */
	struct word happened;  /*  32  0 or 1 */
	struct word result[8]; /*  48 */
	struct word sum;       /* 176  checksum of the above except the phase */
};

enum { OUTCOMES = 64 };
enum { OUTCOME_NONE, OUTCOME_WRITING, OUTCOME_READY, OUTCOME_ASKED };

struct outcomes {
	struct word count;     /*   0  how many outcomes were ever left here */
	struct word unused[3]; /*  16 */
	struct outcome_kept at[OUTCOMES]; /* 64 */
};

_Static_assert(sizeof(struct last) == 192, "part of the format");
_Static_assert(sizeof(struct outcome_kept) == 192, "part of the format");

/* Checksums of the format: FNV-1a, over bytes or over words. */
#define LAYOUT_SUM_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t layout_sum(uint64_t sum, uint64_t value)
{
	return (sum ^ value) * UINT64_C(0x100000001b3);
}

/* Where each part begins, in bytes from the header; the number of words; the
 * size of a member's part; and the size of the whole. */
struct layout {
	size_t words;
	size_t word_count;
	size_t members;
	size_t member_each;
	size_t own;      /* offset from a member's record */
	size_t last;     /* offset from a member's record; objects only */
	size_t outcomes; /* objects only */
	size_t size;
};

/* `names` is the length of the slot names.  False: the pool would be too large
 * for this machine. */
bool layout_compute(struct layout *layout, const struct algorithm *algorithm,
		    const struct shape *shape, size_t names);

/* Initialises the words of the algorithm in zeroed memory. */
void layout_prepare(char *base, const struct layout *layout,
		    const struct algorithm *algorithm,
		    const struct shape *shape);

/* Sets *bytes to one piece of the bytes that members from..to-1 touch, as
 * `extent` of struct algorithm does.  False: there is no piece with this
 * number. */
bool layout_extent(const struct layout *layout,
		   const struct algorithm *algorithm, const struct shape *shape,
		   unsigned from, unsigned to, unsigned piece,
		   struct extent *bytes);

/* The offset of the slot names, which follow the bell. */
enum { LAYOUT_NAMES = sizeof(struct header) + 64 };

static inline struct word *layout_bell(char *base)
{
	return (struct word *)(void *)(base + sizeof(struct header));
}

#endif
