/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prints texts that this program did not write, such as command names, labels
 * and file names, so that they cannot control the terminal.
 */
#ifndef ATMOST_CLI_SAFE_TEXT_H
#define ATMOST_CLI_SAFE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Reads the first UTF-8 character of a string.  Returns its length and stores
 * its code point in *code; returns 0 if the bytes are not UTF-8.
 */
size_t safe_text_decode(const char *text, uint32_t *code);

/*
 * Returns true for C0 and C1 control characters and for DEL, which terminals
 * obey.
 */
bool safe_text_is_control(uint32_t code);

/* Prints '?' for every control character and for every byte that is not UTF-8:
 * some terminals obey the single bytes 0x80 to 0x9f. */
void safe_text_print(FILE *to, const char *text);

#endif
