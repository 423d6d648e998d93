/* SPDX-License-Identifier: BSD-2-Clause */
/* The base64 of RFC 4648, section 4: the standard alphabet, padded.  etcd's
 * gateway takes and gives keys and values in it. */
#ifndef ATMOST_MEMORY_ETCD_BASE64_H
#define ATMOST_MEMORY_ETCD_BASE64_H

#include <stddef.h>

/* Returns how many characters these bytes have in base64. */
size_t base64_length(size_t bytes);

/* Writes base64_length(length) characters, and no NUL. */
void base64_encode(char *to, const void *bytes, size_t length);

/*
 * Decodes; `to` has room for length / 4 * 3 bytes.  Returns the number of
 * bytes, or -1 if the text is not exactly what base64_encode writes.
 */
long base64_decode(void *to, const char *text, size_t length);

#endif
