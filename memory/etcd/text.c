/* SPDX-License-Identifier: BSD-2-Clause */
#include "text.h"

#include "base64.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_free(struct text *text)
{
	free(text->bytes);
	*text = (struct text){ 0 };
}

void text_clear(struct text *text)
{
	text->length = 0;
	text->failed = false;
	if (text->bytes)
		text->bytes[0] = '\0';
}

/* Makes room for the bytes that are added next, and for the NUL. */
static bool reserve(struct text *text, size_t more)
{
	size_t room = text->room ? text->room : 256;
	char *bytes;

	if (text->failed || more > SIZE_MAX / 4 || text->length > SIZE_MAX / 4)
		return !(text->failed = true);
	while (room <= text->length + more)
		room *= 2;
	if (room == text->room)
		return true;
	bytes = realloc(text->bytes, room);
	if (!bytes)
		return !(text->failed = true);
	text->bytes = bytes;
	text->room = room;
	return true;
}

void text_add(struct text *text, const void *bytes, size_t length)
{
	if (!reserve(text, length))
		return;
	if (length)
		memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
}

void text_print(struct text *text, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (length < 0 || !reserve(text, (size_t)length)) {
		text->failed = true;
		return;
	}
	va_start(arguments, format);
	vsnprintf(text->bytes + text->length, (size_t)length + 1, format,
		  arguments);
	va_end(arguments);
	text->length += (size_t)length;
}

void text_add_base64(struct text *text, const void *bytes, size_t length)
{
	const size_t encoded = base64_length(length);

	if (!reserve(text, encoded))
		return;
	base64_encode(text->bytes + text->length, bytes, length);
	text->length += encoded;
	text->bytes[text->length] = '\0';
}

void text_add_json(struct text *text, const char *string)
{
	text_add(text, "\"", 1);
	for (; *string; string++) {
		const unsigned char c = (unsigned char)*string;

		if (c == '"' || c == '\\')
			text_print(text, "\\%c", c);
		else if (c < 0x20)
			text_print(text, "\\u%04x", c);
		else
			text_add(text, string, 1);
	}
	text_add(text, "\"", 1);
}
