/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/print.h"

#include "cli/command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct short_text print_count(uint64_t number)
{
	char digits[24];
	struct short_text text;
	int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
	char *to = text.text;

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return text;
}

struct short_text print_size(uint64_t bytes)
{
	static const char units[] = " KMGT";
	double size = (double)bytes;
	size_t unit = 0;
	struct short_text text;

	while (size >= 1000 && unit + 2 < sizeof units) {
		size /= 1024;
		unit++;
	}
	if (unit == 0)
		snprintf(text.text, sizeof text.text, "%.0f", size);
	else
		snprintf(text.text, sizeof text.text,
			 size < 10 ? "%.1f%c" : "%.0f%c", size, units[unit]);
	return text;
}

struct short_text print_seconds(double seconds)
{
	struct short_text text;

	snprintf(text.text, sizeof text.text,
		 seconds < 0.1  ? "%.4f s"
		 : seconds < 10 ? "%.2f s"
				: "%.1f s",
		 seconds);
	return text;
}

struct short_text print_value(uint64_t value)
{
	const int64_t readable = 1000000;
	int64_t number = (int64_t)value;
	struct short_text text;

	if (number > -readable && number < readable)
		snprintf(text.text, sizeof text.text, "%" PRId64, number);
	else
		snprintf(text.text, sizeof text.text, "0x%" PRIx64, value);
	return text;
}

const char *bold_on(void)
{
	return isatty(STDOUT_FILENO) ? "\033[1m" : "";
}

const char *bold_off(void)
{
	return isatty(STDOUT_FILENO) ? "\033[0m" : "";
}

void print_wrapped(const char *text, int indent)
{
	enum { WIDTH = 80 };
	int column = indent;

	while (*text) {
		int length = (int)strcspn(text, " ");

		if (column > indent && column + 1 + length > WIDTH) {
			printf("\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		printf("%.*s", length, text);
		column += length;
		text += length;
		text += strspn(text, " ");
	}
	putchar('\n');
}

int print_finish(int code)
{
	bool failed = ferror(stdout) != 0;

	errno = 0;
	if (fclose(stdout) == 0 && !failed)
		return code;
	fprintf(stderr, "atmost: cannot write the output%s%s\n",
		errno ? ": " : "", errno ? strerror(errno) : "");
	return EXIT_INTERNAL;
}
