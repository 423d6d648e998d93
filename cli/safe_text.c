/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/safe_text.h"

size_t safe_text_decode(const char *text, uint32_t *code)
{
	/* The least code point that needs as many bytes as the index says.  A
	 * smaller code point in that many bytes is refused, because it could
	 * hide a control character. */
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *s = (const unsigned char *)text;
	size_t length = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

	*code = s[0];
	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc0 || s[0] > 0xf7)
		return 0;
	*code = s[0] & (0x7fu >> length);
	/* The terminating null is not a continuation byte, so it ends the
	 * loop. */
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

bool safe_text_is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}

void safe_text_print(FILE *to, const char *text)
{
	uint32_t code;

	while (*text) {
		size_t length = safe_text_decode(text, &code);

		if (length == 0 || safe_text_is_control(code))
			fputc('?', to);
		else
			fwrite(text, 1, length, to);
		text += length ? length : 1;
	}
}
