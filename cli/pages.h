/* SPDX-License-Identifier: BSD-2-Clause */
/* The pages of help about pools. */
#ifndef ATMOST_CLI_PAGES_H
#define ATMOST_CLI_PAGES_H

extern const char page_run[], page_status[], page_pools[], page_resize[],
	page_repair[], page_remove[];

#endif
