/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an object's memory holds, byte by byte.  Created for threads it is
 * anonymous, opened by name it is a file: the same bytes.
 *
 *	0                 struct header
 *	512               struct record of member 0, 1, ... members-1
 *	512 + 320 members the bell, a line: see memory/native/wait.h
 *	  + 64            the algorithm's words
 *	  + ...           each member's own words, on lines of their own
 *	  + ...           of an object of resilient.h: each member's struct
 *	                  last, then struct outcomes
 *
 * Numbers are in the machine's byte order.  There are no pointers, the life
 * locks excepted: these are the C library's, which the header names.  Nothing
 * read here is trusted.  The fixed part of the header is copied and checked
 * once; what changes is range-checked by whoever reads it.
 */
#ifndef ATMOST_RUNTIME_LAYOUT_H
#define ATMOST_RUNTIME_LAYOUT_H

#include "algorithms/registry.h"

enum { SEGMENT_FORMAT = 2 };

#define SEGMENT_MAGIC "atmost\r\n" /* which a copy as text would spoil */

/* A mutex of the C library, robust and shared: see runtime/life.h. */
struct life {
	_Alignas(64) unsigned char cell[64];
};

struct header {
	/* Fixed when the object is made. */
	char magic[8];         /*   0 */
	uint32_t format;       /*   8  SEGMENT_FORMAT */
	uint32_t kind;         /*  12  enum atmost_kind */
	uint32_t k;            /*  16  of the shape, its defaults filled in */
	uint32_t k_max;        /*  20 */
	uint32_t members;      /*  24 */
	uint32_t sessions;     /*  28 */
	char algorithm[96];    /*  32  its name, zeros behind it */
	char abi[32];          /* 128  whose life locks these are */
	uint64_t boot[2];      /* 160  of the machine: a life lock dies with it */
	uint64_t size;         /* 176  of all, in bytes */
	uint64_t checksum;     /* 184  of what is fixed, FNV-1a */

	/* Of an object of resilient.h, and then part of the sum; else zero. */
	uint32_t state;        /* 192  in bytes */
	uint32_t arguments;    /* 196  words of an operation */
	uint32_t results;      /* 200 */
	uint32_t operations;   /* 204  1 to this */
	char type[32];         /* 208  its name, zeros behind it */
	char unused[16];       /* 240  zero */

	/* What changes. */
	struct word k_now;        /* 256  as resized last */
	struct word recovered;    /* 272  deaths undone */
	struct word last_sleeper; /* 288  its id + 1 */
	struct word unused_word;  /* 304 */
	struct life resizing;     /* 320  held while somebody resizes */
	char unused_end[128];     /* 384  zero */
};

_Static_assert(sizeof(struct header) == 512, "part of the format");
_Static_assert(offsetof(struct header, checksum) == 184, "part of the format");
_Static_assert(offsetof(struct header, type) == 208, "part of the format");
_Static_assert(offsetof(struct header, k_now) == 256, "part of the format");

/* Where a member is in its passage: the two lowest bits of its turn. */
enum { TURN_OUTSIDE, TURN_WAITING, TURN_INSIDE, TURN_PHASE = 3 };

struct record {
	struct life life;        /*   0  held by the member's thread */
	struct word turn;        /*  64  grows with each passage; its phase */
	struct word since;       /*  80  turn in 24 bits, since when above: 2^20 ns */
	struct word session;     /*  96  of this passage; groups only */
	struct word slot;        /* 112  where the algorithm does not tell */
	struct word state;       /* 128  joined ever * 2, and see below */
	struct word pid;         /* 144  0: nobody has ever joined */
	struct word name_space;  /* 160  which the pid is of: its inode */
	struct word start;       /* 176  of the process, in ticks after boot */
	struct word command[4];  /* 192  the program's name, 8 bytes each */
	struct word label[4];    /* 256  of atmost_label, likewise */
};

/*
 * Joined now; entrusted to the process of this pid and start; which is its own,
 * so that its end is no death.
 */
#define STATE_JOINED UINT64_C(1)
#define STATE_ENTRUSTED (UINT64_C(1) << 63)
#define STATE_TO_ITSELF (UINT64_C(1) << 62)
#define STATE_HEIRS (STATE_ENTRUSTED | STATE_TO_ITSELF)

_Static_assert(sizeof(struct record) == 320, "part of the format");
_Static_assert(offsetof(struct record, state) == 128, "part of the format");

/*
 * What a member of an object was at last, if its user has a tag for that.  The
 * tag is 0 while the rest is written.
 */
struct last {
	struct word tag;       /*   0  0: nothing that anybody will ask for */
	struct word done;      /*  16  1: it has taken effect, and returned: */
	struct word result[8]; /*  32 */
	struct word unused[2]; /* 160 */
};

/* What became of it, for who asks: see runtime/outcome.h. */
struct outcome_kept {
	struct word turn;      /*   0  how manieth it is, from 1, * 4 + phase */
	struct word tag;       /*  16 */
	struct word happened;  /*  32  0 or 1 */
	struct word result[8]; /*  48 */
	struct word sum;       /* 176  of these and the turn without its phase */
};

enum { OUTCOMES = 64 };
enum { OUTCOME_NONE, OUTCOME_WRITING, OUTCOME_READY, OUTCOME_ASKED };

struct outcomes {
	struct word count;     /*   0  of those that ever were */
	struct word unused[3]; /*  16 */
	struct outcome_kept at[OUTCOMES]; /* 64 */
};

_Static_assert(sizeof(struct last) == 192, "part of the format");
_Static_assert(sizeof(struct outcome_kept) == 192, "part of the format");

/*
 * The algorithm's part, in bytes from the bell, which is a multiple of 64; and
 * how large it is.
 */
struct layout {
	size_t words;
	size_t word_count;
	size_t own;
	size_t own_each;
	size_t lasts;    /* of objects only */
	size_t outcomes; /* likewise */
	size_t size;
};

/* False: too large for this machine. */
bool layout_compute(struct layout *layout, const struct algorithm *algorithm,
		    const struct shape *shape);

/* Turns zeroed memory into an algorithm's that nobody has entered. */
void layout_prepare(char *memory, const struct layout *layout,
		    const struct algorithm *algorithm,
		    const struct shape *shape);

static inline size_t layout_records(unsigned members)
{
	return sizeof(struct header) + members * sizeof(struct record);
}

#endif
