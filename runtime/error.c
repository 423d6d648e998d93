/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/error.h"

#include "atmost/atmost.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 512 };

/*
 * Each thread has its own text about its last failure.  For frequent failures
 * (try, deadline) the text is a static message.  For other failures the text
 * needs memory, which a thread allocates at its first such failure.  The memory
 * is not thread-local storage, because a library that dlopen loads gets little
 * of that.
 */
static _Thread_local const char *detail = "";
static pthread_key_t texts;
static bool has_texts;

/* If a call of this library fails in a later destructor of the thread, the
 * thread allocates a new text, and the C library calls this destructor
 * again. */
static void free_text(void *text)
{
	detail = "";
	free(text);
}

static void make_texts(void)
{
	has_texts = pthread_key_create(&texts, free_text) == 0;
}

/*
 * Returns the text of this thread, or NULL if there is no memory or no key of
 * thread-specific data is left.
 */
static char *text_of_thread(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	char *text;

	pthread_once(&once, make_texts);
	if (!has_texts)
		return NULL;
	text = pthread_getspecific(texts);
	if (text)
		return text;
	text = malloc(TEXT);
	if (text && pthread_setspecific(texts, text) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

int error_is(int error)
{
	detail = atmost_strerror(error);
	return error;
}

int error_say(int error, const char *format, ...)
{
	char *text = text_of_thread();
	va_list arguments;

	if (!text)
		return error_is(error);
	va_start(arguments, format);
	vsnprintf(text, TEXT, format, arguments);
	va_end(arguments);
	detail = text;
	return error;
}

int error_system(const char *what)
{
	char why[128];
	int error = ATMOST_ESYSTEM;

	if (errno == EACCES || errno == EPERM || errno == EROFS)
		error = ATMOST_EPERMISSION;
	if (errno == ENOENT)
		error = ATMOST_ENOTFOUND;
	if (errno == ENOMEM)
		error = ATMOST_ENOMEM;
	/* A long path must leave room for the reason. */
	return error_say(error, "%.300s: %s", what,
			 strerror_r(errno, why, sizeof why));
}

const char *atmost_strerror(int error)
{
#define MESSAGE(name, code, message) \
	case name:                   \
		return message;

	switch (error) {
		ATMOST_ERRORS(MESSAGE)
	default:
		return error < 0 ? "unknown error" : "no error";
	}
#undef MESSAGE
}

const char *atmost_detail(void)
{
	return detail;
}

const char *atmost_version(void)
{
	return ATMOST_VERSION;
}
