/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/plain.h"

size_t plain_character(const char *text, uint32_t *code)
{
	/* The least number that needs so many bytes: shorter ones must not
	 * hide in a longer form. */
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *s = (const unsigned char *)text;
	size_t length = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

	*code = s[0];
	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc0 || s[0] > 0xf7)
		return 0;
	*code = s[0] & (0x7fu >> length);
	/* The string's end is no such byte, so the loop stops there. */
	for (size_t i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (s[i] & 0x3fu);
	}
	if (*code < least[length] || *code > 0x10ffff ||
	    (*code >= 0xd800 && *code <= 0xdfff)) /* surrogates */
		return 0;
	return length;
}

bool plain_is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}

void plain_print(FILE *to, const char *text)
{
	uint32_t code;

	while (*text) {
		size_t length = plain_character(text, &code);

		if (length == 0 || plain_is_control(code))
			fputc('?', to);
		else
			fwrite(text, 1, length, to);
		text += length ? length : 1;
	}
}
