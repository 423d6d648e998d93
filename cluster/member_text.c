/* SPDX-License-Identifier: BSD-2-Clause */
#include "cluster/member_text.h"

#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* Copies a text and cuts it before a character of UTF-8 that does not fit. */
static void copy(char *to, size_t room, const char *from)
{
	size_t length = strlen(from);

	if (length >= room) {
		length = room - 1;
		while (length && ((unsigned char)from[length] & 0xc0) == 0x80)
			length--;
	}
	memcpy(to, from, length);
	to[length] = '\0';
}

/* Reads the boot id, which the kernel makes anew at each start of the machine.
 * So no reader takes a pid from before a restart for a present one. */
static void read_boot(char *boot, size_t room)
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, boot, room - 1);

	boot[got > 0 ? got : 0] = '\0';
	boot[strcspn(boot, "\n")] = '\0';
	if (fd >= 0)
		close(fd);
}

static uint64_t read_pids(void)
{
	struct stat status;

	return stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

bool member_text_is_here(const struct member_text *member)
{
	char boot[sizeof member->boot];

	read_boot(boot, sizeof boot);
	return *boot && strcmp(boot, member->boot) == 0 && member->pids &&
	       member->pids == read_pids();
}

void member_text_self(struct member_text *member, const char *command,
		      const char *label)
{
	struct utsname machine;
	struct timespec now;

	*member = (struct member_text){ .pid = getpid() };
	if (uname(&machine) == 0)
		copy(member->host, sizeof member->host, machine.nodename);
	read_boot(member->boot, sizeof member->boot);
	member->pids = read_pids();
	copy(member->command, sizeof member->command, command);
	copy(member->label, sizeof member->label, label ? label : "");
	copy(member->version, sizeof member->version, ATMOST_VERSION);
	clock_gettime(CLOCK_REALTIME, &now);
	member->since = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Sets a field.  A text that is not UTF-8 keeps its ASCII characters only. */
static void set_field(json_t *object, const char *field, const char *value)
{
	json_t *string = json_string(value);
	char ascii[64];

	if (!string) {
		snprintf(ascii, sizeof ascii, "%s", value);
		for (char *c = ascii; *c; c++)
			if ((unsigned char)*c >= 0x80)
				*c = '?';
		string = json_string(ascii);
	}
	json_object_set_new(object, field, string);
}

void member_text_write(struct text *text, const struct member_text *member)
{
	json_t *object = json_object();
	char since[24], pids[24], *line;

	snprintf(since, sizeof since, "%" PRId64, member->since);
	snprintf(pids, sizeof pids, "%" PRIu64, member->pids);
	set_field(object, "host", member->host);
	set_field(object, "boot", member->boot);
	json_object_set_new(object, "pid", json_integer(member->pid));
	set_field(object, "pids", pids);
	set_field(object, "command", member->command);
	set_field(object, "label", member->label);
	set_field(object, "since", since);
	set_field(object, "version", member->version);
	line = json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII);
	if (line)
		text_add(text, line, strlen(line));
	else
		text->failed = true;
	free(line);
	json_decref(object);
}

static void read_field(char *to, size_t room, const json_t *object,
		       const char *field)
{
	const char *value = json_string_value(json_object_get(object, field));

	copy(to, room, value ? value : "");
}

bool member_text_read(struct member_text *member, const char *text,
		      size_t length)
{
	json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
	const char *since = json_string_value(json_object_get(root, "since"));
	const char *pids = json_string_value(json_object_get(root, "pids"));
	const json_int_t pid = json_integer_value(json_object_get(root, "pid"));
	const bool good = json_is_object(root);

	*member = (struct member_text){ 0 };
	if (good) {
		read_field(member->host, sizeof member->host, root, "host");
		read_field(member->boot, sizeof member->boot, root, "boot");
		read_field(member->command, sizeof member->command, root,
			   "command");
		read_field(member->label, sizeof member->label, root, "label");
		read_field(member->version, sizeof member->version, root,
			   "version");
		if (pid > 0 && pid <= INT32_MAX)
			member->pid = (pid_t)pid;
		if (pids)
			member->pids = strtoull(pids, NULL, 10);
		if (since)
			member->since = strtoll(since, NULL, 10);
		if (member->since < 0)
			member->since = 0;
	}
	json_decref(root);
	return good;
}
