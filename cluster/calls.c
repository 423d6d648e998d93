/* SPDX-License-Identifier: BSD-2-Clause */
/* The only symbol of libatmost-etcd that programs see. */
#include "cluster/library.h"
#include "cluster/member.h"

extern const struct remote_calls atmost_etcd_calls;

const struct remote_calls atmost_etcd_calls = {
	.version = REMOTE_CALLS_VERSION,
	.open = library_open,
	.remove = library_remove,
	.inspect = library_inspect,
	.resize = library_resize,
	.status = library_status,
	.close = library_close,
	.join = member_join,
	.part = member_part,
	.enter = member_enter,
	.leave = member_leave,
	.label = member_label,
	.token = member_token,
	.until = member_until,
	.lapse_fd = member_lapse_fd,
};
