/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE

#include "runtime/error.h"

#include "atmost/atmost.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * A failure in words is a thread's own.  Failures that are part of the day's
 * work (try, deadline) only point at their message.
 */
static _Thread_local const char *detail = "";
static _Thread_local char text[512];

int error_is(int error)
{
	detail = atmost_strerror(error);
	return error;
}

int error_say(int error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
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
	/* A long path must not push out the reason. */
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
