/* SPDX-License-Identifier: BSD-2-Clause */
/* This is a target for libFuzzer: an input is an answer of etcd. */
#include "read_answers.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_answers((const char *)data, size);
	return 0;
}
