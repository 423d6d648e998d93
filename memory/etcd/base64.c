/* SPDX-License-Identifier: BSD-2-Clause */
#include "base64.h"

#include <stdint.h>
#include <string.h>

static const char alphabet[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t base64_length(size_t bytes)
{
	return (bytes + 2) / 3 * 4;
}

void base64_encode(char *to, const void *bytes, size_t length)
{
	const unsigned char *from = bytes;

	for (size_t i = 0; i < length; i += 3) {
		const size_t left = length - i;
		const uint32_t group = (uint32_t)from[i] << 16 |
				       (left > 1 ? (uint32_t)from[i + 1] << 8
						 : 0) |
				       (left > 2 ? from[i + 2] : 0);

		*to++ = alphabet[group >> 18];
		*to++ = alphabet[group >> 12 & 63];
		*to++ = left > 1 ? alphabet[group >> 6 & 63] : '=';
		*to++ = left > 2 ? alphabet[group & 63] : '=';
	}
}

static int value_of(char c)
{
	const char *at = c ? strchr(alphabet, c) : NULL;

	return at ? (int)(at - alphabet) : -1;
}

long base64_decode(void *to, const char *text, size_t length)
{
	unsigned char *out = to;
	size_t padding = 0;

	if (length % 4)
		return -1;
	while (length && padding < 2 && text[length - 1 - padding] == '=')
		padding++;
	for (size_t i = 0; i < length; i += 4) {
		const size_t used = i + 4 == length ? 4 - padding : 4;
		uint32_t group = 0;

		for (size_t j = 0; j < 4; j++) {
			const int v = j < used ? value_of(text[i + j]) : 0;

			if (v < 0)
				return -1;
			group = group << 6 | (uint32_t)v;
		}
		/* Bits that the padding makes meaningless must be zero, so that
		 * two texts never mean the same key. */
		if ((used == 2 && group & 0xffff) ||
		    (used == 3 && group & 0xff))
			return -1;
		for (size_t j = 0; j + 1 < used; j++)
			*out++ = (unsigned char)(group >> (16 - 8 * j));
	}
	return (long)(length / 4 * 3 - padding);
}
