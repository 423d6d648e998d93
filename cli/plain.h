/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Texts that other programs wrote, such as commands, labels and file names:
 * printed so that they cannot steer a terminal.
 */
#ifndef ATMOST_CLI_PLAIN_H
#define ATMOST_CLI_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Reads one UTF-8 character of a string.  Returns its length and stores its
 * number in *code; returns 0 if the bytes are not UTF-8.
 */
size_t plain_character(const char *text, uint32_t *code);

/* A terminal obeys C0, DEL and C1, in UTF-8 also C1 of two bytes. */
bool plain_is_control(uint32_t code);

/* A '?' stands for every control character, and for every byte that belongs to
 * no UTF-8 character: some terminals obey the bytes 0x80 to 0x9f. */
void plain_print(FILE *to, const char *text);

#endif
