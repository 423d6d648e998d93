/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes one JSON document from front to back.
 *
 * The document is collected in memory and printed at the end, so that a command
 * that fails halfway prints nothing on stdout.  A failed allocation is reported
 * once, by json_print.
 */
#ifndef ATMOST_CLI_JSON_H
#define ATMOST_CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* `status` prints JSON_COMPACT, the laboratory prints JSON_SPACED.  Scripts
 * that match the text instead of parsing it rely on this spacing. */
enum json_spacing { JSON_COMPACT, JSON_SPACED };

struct json {
	enum json_spacing spacing;
	FILE *to; /* NULL: out of memory */
	char *text;
	size_t size;
	bool first; /* the innermost open array or object is still empty */
};

/* Begins the document, an object whose first member is "format": 1. */
void json_begin(struct json *j, enum json_spacing spacing);

/*
 * Ends the document and prints it on stdout.  Returns false if there was not
 * enough memory.
 */
bool json_print(struct json *j);

/* Ends the document without printing it. */
void json_discard(struct json *j);

/*
 * Each of the functions below writes one value, or opens or closes an array or
 * object.  `key` is the name of a member of an object; it is NULL for an
 * element of an array.  (jansson, which the program atmost-etcd links, has
 * functions json_integer, json_real and json_null.)
 */
void json_open_array(struct json *j, const char *key);
void json_close_array(struct json *j);
void json_open_object(struct json *j, const char *key);
void json_close_object(struct json *j);
void json_put_integer(struct json *j, const char *key, int64_t value);
void json_put_real(struct json *j, const char *key, double value);
void json_bool(struct json *j, const char *key, bool value);
void json_put_null(struct json *j, const char *key);

/* A NULL text becomes null.  A byte that is not UTF-8 becomes U+FFFD. */
void json_text(struct json *j, const char *key, const char *text);

#endif
