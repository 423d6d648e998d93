/* SPDX-License-Identifier: BSD-2-Clause */
/* The pools as one JSON object. */
#include "cli/status.h"

#include "cli/plain.h"

#include <stdbool.h>
#include <string.h>

static void print_text(const char *text)
{
	uint32_t code;

	putchar('"');
	while (*text) {
		size_t length = plain_character(text, &code);

		if (length == 0)
			fputs("\\ufffd", stdout);
		else if (code == '"' || code == '\\')
			printf("\\%c", *text);
		else if (plain_is_control(code))
			printf("\\u%04x", (unsigned)code);
		else
			printf("%.*s", (int)length, text);
		text += length ? length : 1;
	}
	putchar('"');
}

/* Seconds of the calendar, as the clock is now. */
static double calendar(struct timespec since)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9 -
	       pool_seconds(since);
}

static void print_seat(const struct atmost_seat *seat)
{
	static const char *const lives[] = {
		[ATMOST_LIFE_CERTAIN] = "certain",
		[ATMOST_LIFE_UNKNOWN] = "unknown",
		[ATMOST_LIFE_UNLOCKED] = "unlocked",
	};

	if (seat->slot < 0)
		printf("{\"position\":%u", seat->position);
	else
		printf("{\"slot\":%d", seat->slot);
	if (seat->pid)
		printf(",\"pid\":%jd", (intmax_t)seat->pid);
	else
		printf(",\"pid\":null");
	printf(",\"command\":");
	print_text(seat->command);
	printf(",\"since\":%.3f,\"session\":", calendar(seat->since));
	if (seat->label[0])
		print_text(seat->label);
	else if (seat->session)
		printf("\"%ju\"", (uintmax_t)seat->session);
	else
		printf("null");
	printf(",\"life\":\"%s\"}", lives[seat->life]);
}

static void print_seats(const struct pool_view *view, bool inside)
{
	const char *between = "";

	putchar('[');
	for (unsigned i = 0; i < view->count; i++) {
		if ((view->seats[i].slot >= 0) != inside)
			continue;
		fputs(between, stdout);
		print_seat(&view->seats[i]);
		between = ",";
	}
	putchar(']');
}

static void print_pool(const char *name, const struct pool_view *view)
{
	printf("{\"name\":");
	print_text(name);
	printf(",\"k\":%u,\"members\":%u,\"kind\":\"%s\",\"algorithm\":",
	       view->totals.k, view->totals.members,
	       pool_kind(view->shape.kind));
	print_text(view->shape.algorithm);
	printf(",\"holders\":");
	print_seats(view, true);
	printf(",\"waiters\":");
	print_seats(view, false);
	printf(",\"recovered\":%ju,\"lost\":%u}",
	       (uintmax_t)view->totals.recovered, view->totals.lost);
}

/* 0 or the library's error; *between: what stands before the next one. */
static int look_and_print(const char *name, const char **between)
{
	struct pool_view view;
	struct atmost *pool;
	int error = atmost_open(&pool, name, NULL);

	if (error)
		return error;
	error = pool_look(pool, &view);
	if (!error) {
		fputs(*between, stdout);
		*between = ",";
		print_pool(name, &view);
		pool_view_free(&view);
	}
	atmost_close(pool);
	return error;
}

static int print_all(void)
{
	const char *between = "";
	char **names;
	int count = pool_list("status", &names), code = 0;

	if (count < 0)
		return -count;
	printf("{\"format\":1,\"pools\":[");
	for (int i = 0; i < count; i++) {
		int error = look_and_print(names[i], &between);

		if (error && error != ATMOST_ENOTFOUND)
			code = pool_complain("status", names[i], error);
	}
	printf("]}\n");
	pool_list_free(names);
	return code;
}

int status_json(const char *name)
{
	struct pool_view view;
	struct atmost *pool;
	int error;

	if (!name)
		return print_all();
	error = atmost_open(&pool, name, NULL);
	if (!error)
		error = pool_look(pool, &view);
	if (error)
		return pool_complain("status", name, error);
	printf("{\"format\":1,\"pools\":[");
	print_pool(name, &view);
	printf("]}\n");
	pool_view_free(&view);
	atmost_close(pool);
	return 0;
}
