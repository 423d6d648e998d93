/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	PROCESSES_MOST = 1 << 16,
	ENVIRONMENT_MOST = 1 << 20,
	LOOKS_LEAST = 2,
	LOOKS_MOST = 300
};

static const struct timespec between_looks = { .tv_nsec = 2000000 };

struct process_seen {
	pid_t pid, parent;
	bool chosen, ended, spared;
};

/* Memory that is never touched costs nothing. */
static struct process_seen all[PROCESSES_MOST];
static unsigned count;
static char environment[ENVIRONMENT_MOST];

/* Reads a file of /proc/PID.  Returns its length, 0 if it cannot be read. */
static size_t read_file(pid_t pid, const char *name, char *text, size_t room)
{
	char path[48];
	size_t length = 0;
	ssize_t got;
	int fd;

	snprintf(path, sizeof path, "/proc/%jd/%s", (intmax_t)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	while (length < room - 1 &&
	       (got = read(fd, text + length, room - 1 - length)) > 0)
		length += (size_t)got;
	close(fd);
	text[length] = '\0';
	return length;
}

static bool has_variable(size_t length, const char *variable)
{
	const char *end = environment + length;

	for (const char *at = environment; at < end; at += strlen(at) + 1)
		if (strcmp(at, variable) == 0)
			return true;
	return false;
}

static bool has_marks(const struct process_tree *tree, pid_t pid)
{
	size_t length;

	if (!tree->mark[0])
		return false;
	length = read_file(pid, "environ", environment, sizeof environment);
	for (unsigned i = 0; i < TREE_MARKS; i++)
		if (tree->mark[i] && !has_variable(length, tree->mark[i]))
			return false;
	return length > 0;
}

static void note(const struct process_tree *tree, pid_t pid)
{
	struct process_seen *seen = &all[count];
	char text[512];
	const char *at;

	if (!read_file(pid, "stat", text, sizeof text))
		return;
	/* ") S 123": state and parent after the name in parentheses. */
	at = strrchr(text, ')');
	if (!at || strlen(at) < 5)
		return;
	seen->pid = pid;
	seen->parent = (pid_t)strtol(at + 4, NULL, 10);
	seen->ended = at[2] == 'Z' || at[2] == 'X';
	seen->spared = pid == tree->spared[0] || pid == tree->spared[1];
	seen->chosen = pid == tree->root ||
		       (!seen->ended && !seen->spared && has_marks(tree, pid));
	count++;
}

/* Lists all processes. */
static void look(const struct process_tree *tree)
{
	_Alignas(struct dirent64) static char entries[1 << 15];
	int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long length;

	count = 0;
	if (fd < 0)
		return;
	while ((length = syscall(SYS_getdents64, fd, entries, sizeof entries)) >
	       0) {
		const struct dirent64 *entry;

		for (long at = 0; at < length; at += entry->d_reclen) {
			entry = (const struct dirent64 *)(entries + at);
			if (entry->d_name[0] >= '1' &&
			    entry->d_name[0] <= '9' && count < PROCESSES_MOST)
				note(tree,
				     (pid_t)strtol(entry->d_name, NULL, 10));
		}
	}
	close(fd);
}

/* Finds the parent by bisection, because /proc lists processes by their
 * number. */
static bool has_chosen_parent(const struct process_seen *one)
{
	unsigned low = 0, high = count;

	while (low < high) {
		const unsigned middle = low + (high - low) / 2;

		if (all[middle].pid < one->parent)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && all[low].pid == one->parent && all[low].chosen;
}

/* Chooses all descendants of the processes that are chosen. */
static void choose_descendants(void)
{
	bool grown;

	do {
		grown = false;
		for (unsigned i = 0; i < count; i++)
			if (!all[i].chosen && has_chosen_parent(&all[i]))
				grown = all[i].chosen = true;
	} while (grown);
}

unsigned process_tree_signal(const struct process_tree *tree, int signal)
{
	unsigned sent = 0;

	look(tree);
	choose_descendants();
	for (unsigned i = 0; i < count; i++)
		if (all[i].chosen && !all[i].ended && !all[i].spared &&
		    kill(all[i].pid, signal) == 0)
			sent++;
	/* Without /proc, signals the root alone. */
	if (!count && tree->root && kill(tree->root, signal) == 0)
		sent++;
	return sent;
}

void process_tree_kill(const struct process_tree *tree)
{
	for (unsigned i = 0; i < LOOKS_MOST; i++) {
		if (i)
			nanosleep(&between_looks, NULL);
		if (!process_tree_signal(tree, SIGKILL) && i + 1 >= LOOKS_LEAST)
			return;
	}
}
