/* SPDX-License-Identifier: BSD-2-Clause */
/* The abortable mutexes on instances too large for `make test`. */
#include "check.h"

TEST(tree_mutex_with_four_passages)
{
	(void)state;
	expect_holds("tree-mutex", .n = 2, .passages = 4);
}
