/* SPDX-License-Identifier: BSD-2-Clause */
/* The header and the library as a C++ program uses them. */
#include <atmost/atmost.h>

#include <cstdio>
#include <thread>
#include <vector>

namespace
{

void visit(atmost *object, long *count)
{
	atmost_member *me;

	if (atmost_join(object, &me) < 0)
		return;
	for (int i = 0; i < 10000; i++) {
		atmost_enter(me, nullptr);
		++*count;
		atmost_leave(me);
	}
	atmost_part(me);
}

}

int main()
{
	atmost_shape shape = {};
	atmost *object;
	std::vector<std::thread> threads;
	long count = 0;

	shape.kind = ATMOST_MUTEX;
	if (atmost_create(&object, &shape) < 0) {
		std::fprintf(stderr, "%s\n", atmost_detail());
		return 1;
	}
	for (int i = 0; i < 4; i++)
		threads.emplace_back(visit, object, &count);
	for (auto &thread : threads)
		thread.join();
	atmost_close(object);
	std::printf("atmost %s: %ld of 40000\n", atmost_version(), count);
	return count == 40000 ? 0 : 1;
}
