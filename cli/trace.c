/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost trace: replays a schedule and prints each step. */
#include "cli/check_output.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/usage.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Joins all lines that are not comments.  NULL: errno has the reason. */
static char *read_schedule(FILE *from)
{
	char *schedule = NULL, *line = NULL;
	size_t size = 0, room = 0;
	FILE *to = open_memstream(&schedule, &size);
	bool failed;
	int reason;

	if (!to)
		return NULL;
	while (getline(&line, &room, from) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (line[strspn(line, " \t")] != '#')
			fprintf(to, "%s ", line);
	}
	failed = ferror(from);
	reason = errno;
	free(line);
	failed |= fclose(to) != 0;
	if (failed) {
		free(schedule);
		schedule = NULL;
	}
	errno = reason;
	return schedule;
}

static char *find_schedule(const char *operand)
{
	bool is_stdin = strcmp(operand, "-") == 0;
	FILE *file = is_stdin ? stdin : fopen(operand, "r");
	char *schedule;

	if (!file) /* an operand with a colon is a schedule */
		return strchr(operand, ':') ? strdup(operand) : NULL;
	schedule = read_schedule(file);
	if (!is_stdin)
		fclose(file);
	return schedule;
}

static int replay(const char *schedule, bool json)
{
	const struct lab_answer *answer;
	struct lab_check *check;
	char error[LAB_ERROR];
	int code;

	check = lab_replay(schedule, error);
	if (!check)
		return usage_error("trace", "%s", error);
	answer = lab_check_answer(check);
	code = answer->verdict == LAB_VIOLATED ? EXIT_VIOLATED : EXIT_FINE;
	if (answer->verdict == LAB_FAILED)
		code = internal_error("trace", "%s", answer->message);
	else if (json)
		code = check_output_print_json(answer, NULL)
			       ? code
			       : internal_error("trace", "out of memory");
	else
		check_output_print(answer, NULL);
	lab_check_end(check);
	return code;
}

int command_trace(int argc, char **argv)
{
	bool json = false;
	struct setting settings[] = {
		{ "json", SETTING_FLAG, &json, 0, 0, NULL },
	};
	char *schedule;
	int code;

	if (!options_read(argc, argv, settings, 1, &code))
		return code;
	if (argc - optind != 1)
		return usage_error("trace",
				   "one operand is needed, FILE or SCHEDULE; "
				   "a schedule contains blanks: quote it");
	schedule = find_schedule(argv[optind]);
	if (!schedule)
		return usage_error(
			"trace",
			"cannot read '%s': %s; it is not a schedule either, "
			"because it has no ':'",
			argv[optind], strerror(errno));
	code = replay(schedule, json);
	free(schedule);
	return code;
}
