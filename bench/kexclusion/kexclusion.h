/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_BENCH_KEXCLUSION_H
#define ATMOST_BENCH_KEXCLUSION_H

struct options;

void kexclusion_quick(struct options *o);
void kexclusion_report(struct options *o);

#endif
