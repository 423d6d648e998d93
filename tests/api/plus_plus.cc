/* SPDX-License-Identifier: BSD-2-Clause */
/* The headers and the library as a C++ program uses them. */
#include <atmost/resilient.h>

#include <cstdio>
#include <thread>
#include <vector>

namespace
{

void make_passages(atmost *pool, long *count)
{
	atmost_member *me;

	if (atmost_join(pool, &me) < 0)
		return;
	for (int i = 0; i < 10000; i++) {
		atmost_enter(me, nullptr);
		++*count;
		atmost_leave(me);
	}
	atmost_part(me);
}

void add(void *state, size_t, uint64_t, const uint64_t *argument,
	 uint64_t *result)
{
	auto number = static_cast<uint64_t *>(state);

	*result = *number;
	*number += *argument;
}

void apply(atmost_object *object)
{
	const uint64_t one = 1;
	atmost_object_member *me;

	if (atmost_object_join(object, &me) < 0)
		return;
	for (int i = 0; i < 10000; i++)
		atmost_object_apply(me, 1, &one, nullptr);
	atmost_object_part(me);
}

uint64_t count_with_an_object()
{
	atmost_object_type type = {};
	atmost_object_shape shape = {};
	atmost_object *object;
	std::vector<std::thread> threads;
	uint64_t count = 0;

	type.name[0] = 'n';
	type.size = sizeof count;
	type.apply = add;
	type.operations = type.arguments = type.results = 1;
	shape.type = &type;
	shape.k = 2;
	if (atmost_object_create(&object, &shape) < 0)
		return 0;
	for (int i = 0; i < 4; i++)
		threads.emplace_back(apply, object);
	for (auto &thread : threads)
		thread.join();
	atmost_object_read(object, &count);
	atmost_object_close(object);
	return count;
}

}

int main()
{
	atmost_shape shape = {};
	atmost *pool;
	std::vector<std::thread> threads;
	long count = 0;

	shape.kind = ATMOST_MUTEX;
	if (atmost_create(&pool, &shape) < 0) {
		std::fprintf(stderr, "%s\n", atmost_detail());
		return 1;
	}
	for (int i = 0; i < 4; i++)
		threads.emplace_back(make_passages, pool, &count);
	for (auto &thread : threads)
		thread.join();
	atmost_close(pool);
	std::printf("atmost %s: %ld of 40000\n", atmost_version(), count);
	return count == 40000 && count_with_an_object() == 40000 ? 0 : 1;
}
