/* SPDX-License-Identifier: BSD-2-Clause */
#include "cluster/complaint.h"

#include <stdarg.h>
#include <stdio.h>

int complain(struct complaint *complaint, int error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(complaint->text, sizeof complaint->text, format, arguments);
	va_end(arguments);
	return error;
}
