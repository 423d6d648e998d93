/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/record.h"

#include "runtime/self.h"

#include <string.h>

void record_write_text(struct word words[4], const char *text)
{
	char cut[32] = "";
	uint64_t part;

	strncpy(cut, text, sizeof cut - 1);
	for (unsigned i = 0; i < 4; i++) {
		memcpy(&part, cut + 8 * i, sizeof part);
		mem_write_relaxed(&words[i], part);
	}
}

void record_read_text(struct word words[4], char text[32])
{
	uint64_t part;

	for (unsigned i = 0; i < 4; i++) {
		part = mem_read(&words[i]);
		memcpy(text + 8 * i, &part, sizeof part);
	}
	text[31] = '\0';
}

void record_write_identity(struct identity_words *words,
			   const struct identity *identity)
{
	mem_write_relaxed(&words->pid, identity->pid);
	mem_write_relaxed(&words->space, identity->space);
	mem_write_relaxed(&words->start, identity->start);
	mem_write_relaxed(&words->time_space, identity->time_space);
	mem_write_relaxed(&words->inode, identity->inode);
}

struct identity record_read_identity(struct identity_words *words)
{
	return (struct identity){
		.pid = mem_read(&words->pid),
		.space = mem_read(&words->space),
		.start = mem_read(&words->start),
		.time_space = mem_read(&words->time_space),
		.inode = mem_read(&words->inode),
	};
}

/* Time in units of 2^20 ns above 24 bits of the turn it belongs to. */
enum { STAMP_BITS = 24 };
static const uint64_t STAMP_TURN = (UINT64_C(1) << STAMP_BITS) - 1;

void record_stamp_now(struct record *r, uint64_t turn)
{
	mem_write_relaxed(&r->since,
			  self_clock() << STAMP_BITS | (turn & STAMP_TURN));
}

void record_stamp(struct record *r, uint64_t turn)
{
	if ((mem_read(&r->since) & STAMP_TURN) != (turn & STAMP_TURN))
		record_stamp_now(r, turn);
}

uint64_t record_since(struct record *r)
{
	return mem_read(&r->since) >> STAMP_BITS;
}
