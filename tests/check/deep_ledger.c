/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks ledger and ledger-room longer than `make test` does. */
#include "check.h"

TEST(ledger_survives_faults_of_the_store)
{
	(void)state;
	expect_holds("ledger", .n = 4, .k = 2, .faults = 2);
	expect_holds("ledger", .n = 3, .k = 1, .passages = 2, .faults = 2,
		     .deaths = 1, .aborts = 1);
	expect_holds("ledger", .n = 4, .k = 1, .faults = 1, .deaths = 1,
		     .aborts = 1);
	expect_holds("ledger", .n = 3, .k = 2, .passages = 2, .faults = 2);
	expect_holds("ledger", .n = 5, .k = 2, .faults = 1);
}

TEST(ledger_room_survives_faults_of_the_store)
{
	(void)state;
	expect_holds("ledger-room", .n = 3, .k = 2, .faults = 2);
	expect_holds("ledger-room", .n = 4, .faults = 1);
	expect_holds("ledger-room", .n = 4, .k = 2, .faults = 1, .aborts = 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ledger_survives_faults_of_the_store),
		cmocka_unit_test(ledger_room_survives_faults_of_the_store),
	};

	return RUN(tests);
}
