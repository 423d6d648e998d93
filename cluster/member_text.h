/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The value of a member's key R/m/L: one line of JSON that tells other members
 * and `atmost status` who the member is.
 *
 *   {"host":"n7","boot":"1b0f...","pid":4711,"pids":"4026531836",
 *    "command":"train","label":"","since":"1731933290123456789",
 *    "version":"0.2.0"}
 *
 * A reader passes over fields that it does not know, and takes absent ones for
 * empty: members of other versions may have written the line.
 */
#ifndef ATMOST_CLUSTER_MEMBER_TEXT_H
#define ATMOST_CLUSTER_MEMBER_TEXT_H

#include "memory/etcd/text.h"

#include <stdint.h>
#include <sys/types.h>

/* The texts are cut to fit. */
struct member_text {
	char host[64];
	char boot[40]; /* the boot id of the host's kernel */
	pid_t pid;
	uint64_t pids; /* the inode of its pid namespace; 0: not known */
	char command[32], label[32];
	int64_t since;    /* when the member arrived, by its CLOCK_REALTIME, in
			  nanoseconds since 1970; 0: not known */
	char version[16]; /* of atmost */
};

/* Describes this process, which arrives now. */
void member_text_self(struct member_text *, const char *command,
		      const char *label);

/* Whether /proc of this process shows the member: its machine has not been
 * restarted, and its pid is of the same namespace. */
bool member_text_is_here(const struct member_text *);

/* Adds the line, for etcd_settings.member. */
void member_text_write(struct text *, const struct member_text *);

/* Returns false if the text is no JSON object; then all fields are empty. */
bool member_text_read(struct member_text *, const char *text, size_t length);

#endif
