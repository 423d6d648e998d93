/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks every algorithm briefly, for a machine that has no test library. */
#include "checker/check.h"

#include <stdio.h>

int main(void)
{
	struct lab_algorithm a;
	int failed = 0;

	for (size_t i = 0; lab_algorithm_at(i, &a); i++) {
		struct lab_question q = { .algorithm = a.name,
					  .n = -1,
					  .k = -1,
					  .sessions = -1,
					  .crashes = -1,
					  .deaths = -1,
					  .aborts = -1,
					  .memory = (uint64_t)256 << 20 };
		char error[LAB_ERROR];
		struct lab_check *c = lab_check_start(&q, error);
		const struct lab_answer *answer;

		if (!c) {
			printf("%s: %s\n", a.name, error);
			failed++;
			continue;
		}
		while (lab_check_advance(c, 3600, NULL))
			;
		answer = lab_check_answer(c);
		printf("%s n=%u k=%u: %s, %llu states\n", a.name, answer->n,
		       answer->k,
		       answer->verdict == LAB_HOLDS ? "holds" : answer->message,
		       (unsigned long long)answer->states);
		failed += answer->verdict != LAB_HOLDS;
		lab_check_end(c);
	}
	return failed != 0;
}
