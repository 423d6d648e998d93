/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/process_view.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct path {
	char text[64];
};

static struct path path_of(pid_t pid, const char *file)
{
	struct path path;

	snprintf(path.text, sizeof path.text, "/proc/%jd/%s", (intmax_t)pid,
		 file);
	return path;
}

/* Returns the whole file, followed by a zero byte, or NULL if the file cannot
 * be read. */
static char *read_file(const char *path, size_t *size)
{
	size_t room = 4096, used = 0;
	char *text = malloc(room + 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : 1;

	while (text && got > 0) {
		if (used == room) {
			char *more = realloc(text, 2 * room + 1);

			if (!more)
				break;
			text = more;
			room *= 2;
		}
		got = read(fd, text + used, room - used);
		used += got > 0 ? (size_t)got : 0;
	}
	if (fd >= 0)
		close(fd);
	if (got != 0) {
		free(text);
		return NULL;
	}
	if (text)
		text[used] = '\0';
	*size = used;
	return text;
}

/* Returns a list of pointers to the arguments in the text, each of which ends
 * with a zero byte. */
static char **split(char *text, size_t size)
{
	size_t count = 0;
	char **arguments;

	for (size_t i = 0; i < size; i++)
		count += text[i] == '\0';
	/* A process can overwrite its arguments, so the last one may not end
	 * with a zero byte. */
	arguments = calloc(count + 2, sizeof *arguments);
	if (!arguments)
		return NULL;
	for (char *at = text, **next = arguments; at < text + size;
	     at += strlen(at) + 1)
		*next++ = at;
	return arguments;
}

/* Compares only the first bytes of the name, because a seat has no room for
 * more. */
static bool is_called(const char *path, const char *command)
{
	return strncmp(basename(path), command,
		       sizeof((struct atmost_seat *)0)->command - 1) == 0;
}

/* The seat of an `atmost run` that waits shows the name of the command that it
 * will run.  In that case, skips to the arguments after the first --, which are
 * those of the command. */
static void skip_to_command(char **arguments, const char *command)
{
	char **at = arguments;

	if (!*at || is_called(*at, command))
		return;
	while (*at && strcmp(*at, "--") != 0)
		at++;
	if (!*at || !at[1] || !is_called(at[1], command))
		return;
	for (at++; *at; at++)
		*arguments++ = *at;
	*arguments = NULL;
}

static void read_arguments(struct process_view *view,
			   const struct atmost_seat *seat)
{
	size_t size = 0;

	view->memory = read_file(path_of(seat->pid, "cmdline").text, &size);
	if (!view->memory || size == 0)
		return;
	view->arguments = split(view->memory, size);
	if (view->arguments)
		skip_to_command(view->arguments, seat->command);
}

static char *read_directory(pid_t pid)
{
	char path[PATH_MAX];
	ssize_t length = readlink(path_of(pid, "cwd").text, path,
				  sizeof path - 1);

	if (length < 0)
		return NULL;
	path[length] = '\0';
	return strdup(path);
}

/* Reads /etc/passwd alone: the program is linked statically, and the services
 * of nsswitch.conf are shared libraries. */
static char *name_of(uid_t uid)
{
	FILE *file = fopen("/etc/passwd", "re");
	struct passwd *entry = NULL;
	char *name = NULL;

	while (file && (entry = fgetpwent(file)) && entry->pw_uid != uid)
		;
	if (entry)
		name = strdup(entry->pw_name);
	else if (asprintf(&name, "%ju", (uintmax_t)uid) < 0)
		name = NULL;
	if (file)
		fclose(file);
	return name;
}

void process_view_read(struct process_view *view,
		       const struct atmost_seat *seat, bool here)
{
	struct stat status;

	*view = (struct process_view){ .memory = NULL };
	if (!seat->pid || !here)
		return;
	read_arguments(view, seat);
	view->directory = read_directory(seat->pid);
	if (stat(path_of(seat->pid, "").text, &status) == 0)
		view->user = name_of(status.st_uid);
}

void process_view_free(struct process_view *view)
{
	free(view->memory);
	free(view->arguments);
	free(view->directory);
	free(view->user);
}
