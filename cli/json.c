/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/json.h"

#include "cli/safe_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

__attribute__((format(printf, 2, 3))) static void put(struct json *j,
						      const char *format, ...)
{
	va_list arguments;

	if (!j->to)
		return;
	va_start(arguments, format);
	vfprintf(j->to, format, arguments);
	va_end(arguments);
}

static void put_text(struct json *j, const char *text)
{
	uint32_t code;

	put(j, "\"");
	while (*text) {
		size_t length = safe_text_decode(text, &code);

		if (length == 0)
			put(j, "\\ufffd");
		else if (code == '"' || code == '\\')
			put(j, "\\%c", *text);
		else if (safe_text_is_control(code))
			put(j, "\\u%04x", (unsigned)code);
		else
			put(j, "%.*s", (int)length, text);
		text += length ? length : 1;
	}
	put(j, "\"");
}

static void put_key(struct json *j, const char *key)
{
	const char *space = j->spacing == JSON_SPACED ? " " : "";

	if (!j->first)
		put(j, ",%s", space);
	j->first = false;
	if (key) {
		put_text(j, key);
		put(j, ":%s", space);
	}
}

void json_open_array(struct json *j, const char *key)
{
	put_key(j, key);
	put(j, "[");
	j->first = true;
}

void json_close_array(struct json *j)
{
	put(j, "]");
	j->first = false;
}

void json_open_object(struct json *j, const char *key)
{
	put_key(j, key);
	put(j, "{");
	j->first = true;
}

void json_close_object(struct json *j)
{
	put(j, "}");
	j->first = false;
}

void json_put_integer(struct json *j, const char *key, int64_t value)
{
	put_key(j, key);
	put(j, "%" PRId64, value);
}

/* 13 digits are enough for the seconds since 1970 with three decimals. */
void json_put_real(struct json *j, const char *key, double value)
{
	put_key(j, key);
	if (isfinite(value))
		put(j, "%.13g", value);
	else
		put(j, "null");
}

void json_bool(struct json *j, const char *key, bool value)
{
	put_key(j, key);
	put(j, value ? "true" : "false");
}

void json_put_null(struct json *j, const char *key)
{
	put_key(j, key);
	put(j, "null");
}

void json_text(struct json *j, const char *key, const char *text)
{
	put_key(j, key);
	if (text)
		put_text(j, text);
	else
		put(j, "null");
}

void json_begin(struct json *j, enum json_spacing spacing)
{
	*j = (struct json){ .spacing = spacing, .first = true };
	j->to = open_memstream(&j->text, &j->size);
	json_open_object(j, NULL);
	json_put_integer(j, "format", 1);
}

bool json_print(struct json *j)
{
	bool complete = false;

	json_close_object(j);
	if (j->to) {
		complete = !ferror(j->to);
		complete &= fclose(j->to) == 0;
	}
	/* print_finish reports a failure to write. */
	if (complete)
		puts(j->text);
	free(j->text);
	return complete;
}

void json_discard(struct json *j)
{
	if (j->to)
		fclose(j->to);
	free(j->text);
}
