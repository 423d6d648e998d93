/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/seat_line.h"

#include "cli/process_view.h"
#include "cli/safe_text.h"
#include "cli/slot_names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Prints an argument so that a shell would read it as one word. */
static void print_word(FILE *to, const char *word)
{
	if (*word && !strpbrk(word, " \t\n\\\"'`$&|;<>()*?[]{}#~!")) {
		safe_text_print(to, word);
		return;
	}
	fputc('\'', to);
	for (;;) {
		const size_t length = strcspn(word, "'");
		char *part = strndup(word, length);

		safe_text_print(to, part ? part : "");
		free(part);
		word += length;
		if (!*word)
			break;
		fputs("'\\''", to);
		word++;
	}
	fputc('\'', to);
}

/* If text is NULL, it is not known, and the column shows '?'. */
static void print_column(FILE *to, const char *text)
{
	enum { WIDTH = 8 };

	safe_text_print(to, text ? text : "?");
	for (size_t i = strlen(text ? text : "?"); i < WIDTH; i++)
		fputc(' ', to);
	fputs("  ", to);
}

static void print_place(FILE *to, const struct pool_view *view,
			const struct atmost_seat *seat)
{
	char place[16], pid[24] = "unknown";

	if (seat->slot < 0)
		snprintf(place, sizeof place, "wait %u", seat->position);
	else if (view->shape.kind == ATMOST_GROUP)
		snprintf(place, sizeof place, "inside");
	else
		snprintf(place, sizeof place, "slot %d", seat->slot);
	if (seat->pid)
		snprintf(pid, sizeof pid, "%jd", (intmax_t)seat->pid);
	fprintf(to, "  %-10s %8s ", place, pid);
	/* In a pool in etcd, the host stands beside the process id. */
	if (view->far)
		print_column(to, *seat->host ? seat->host : NULL);
	fprintf(to, "%8s  ", pool_view_age(seat->since).text);
}

/* In a pool with slot names, every line has a column for them. */
static void print_name(FILE *to, const struct pool_view *view,
		       const struct atmost_seat *seat)
{
	const char *names = view->shape.names;
	const char *name = "-";
	size_t length = 1;
	char *text;

	if (!names)
		return;
	if (seat->slot >= 0 && (unsigned)seat->slot < slot_names_count(names))
		name = slot_names_at(names, (unsigned)seat->slot, &length);
	text = strndup(name, length);
	print_column(to, text);
	free(text);
}

static void print_label(FILE *to, const struct atmost_seat *seat)
{
	char text[sizeof seat->label + 2];

	if (!seat->label[0])
		return;
	snprintf(text, sizeof text, "[%s]", seat->label);
	print_column(to, text);
}

static void print_process(FILE *to, const struct pool_view *view,
			  const struct atmost_seat *seat)
{
	struct process_view process;

	process_view_read(&process, seat, pool_view_is_here(view, seat));
	print_column(to, process.user);
	print_column(to, process.directory);
	if (!process.arguments)
		print_word(to, seat->command);
	for (char **word = process.arguments; word && *word; word++) {
		if (word > process.arguments)
			fputc(' ', to);
		print_word(to, *word);
	}
	process_view_free(&process);
}

static size_t width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) ||
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
		return SIZE_MAX;
	return size.ws_col;
}

/* Ends the line after `most` characters. */
static void cut(char *line, size_t most)
{
	for (uint32_t code; *line; most--) {
		const size_t length = safe_text_decode(line, &code);

		if (most == 0) {
			*line = '\0';
			return;
		}
		line += length ? length : 1;
	}
}

void seat_line_print(FILE *to, const struct pool_view *view,
		     const struct atmost_seat *seat)
{
	char *line = NULL;
	size_t size;
	FILE *memory = open_memstream(&line, &size);

	if (!memory)
		return;
	print_place(memory, view, seat);
	print_name(memory, view, seat);
	print_label(memory, seat);
	print_process(memory, view, seat);
	if (fclose(memory) == 0) {
		cut(line, width());
		fprintf(to, "%s\n", line);
	}
	free(line);
}
