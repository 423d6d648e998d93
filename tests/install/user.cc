/* SPDX-License-Identifier: BSD-2-Clause */
/* user VERSION: a C++ program that uses only installed files. */
#include <atmost/resilient.h>

#include <cstdio>
#include <cstring>

int main(int count, char **arguments)
{
	atmost_shape shape = {};
	atmost *object;
	atmost_member *me;

	shape.kind = ATMOST_ASSIGNMENT;
	shape.k = 2;
	if (atmost_create(&object, &shape) < 0 ||
	    atmost_join(object, &me) < 0 || atmost_enter(me, 0) != 0 ||
	    atmost_leave(me) < 0) {
		std::fprintf(stderr, "user: %s\n", atmost_detail());
		return 1;
	}
	atmost_part(me);
	atmost_close(object);
	std::printf("atmost %s\n", atmost_version());
	return count != 2 || std::strcmp(arguments[1], atmost_version()) != 0;
}
