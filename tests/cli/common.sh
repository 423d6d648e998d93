# SPDX-License-Identifier: BSD-2-Clause
# The functions that the tests of the command share; a test sources this file
# with $atmost set.
[ -x "$atmost" ] || {
	echo "usage: $0 ATMOST" >&2
	exit 2
}
. "$(dirname "$0")/../facts.sh"
atmost=$(cd "$(dirname "$atmost")" && pwd)/$(basename "$atmost")
export ATMOST_DIR="$work/pools"
export SHELL=/bin/sh # script(1) runs commands with this shell
export LC_ALL=C      # the tests look for messages of the system
unset ATMOST_SLOT ATMOST_POOL

# kill_all: kills every process of the test, found by its environment.
kill_all() {
	for pid in $(grep -lzFx "ATMOST_DIR=$ATMOST_DIR" /proc/[0-9]*/environ \
		2>/dev/null | cut -d / -f 3); do
		[ "$pid" = $$ ] || kill -9 "$pid" 2>/dev/null
	done
}
trap 'kill_all; rm -rf "$work"' EXIT

# refused SENTENCE CODE PATTERN COMMAND...: the command exits with CODE, complains
# with PATTERN, and prints nothing else.
refused() {
	refused_sentence=$1
	refused_code=$2
	refused_pattern=$3
	shift 3
	run "$@"
	fact "$refused_sentence" refusal
}
refusal() {
	[ "$code" = "$refused_code" ] && complains "$refused_pattern" &&
		[ ! -s "$out" ]
}

# The numbers of holders and waiters of a pool, and the process of the first
# holder.  Quotation marks inside a string of JSON have backslashes, so {"slot":
# and {"position": only occur where a holder and a waiter begin.  These functions
# do not call jq, because its start takes longer than all other work of a test.
holders() { "$atmost" status "$1" --json | awk -F '[{]"slot":' '{ print NF - 1 }'; }
waiters() { "$atmost" status "$1" --json | awk -F '[{]"position":' '{ print NF - 1 }'; }
has_holders() { [ "$(holders "$1")" = "$2" ]; }
has_waiters() { [ "$(waiters "$1")" = "$2" ]; }
holder_pid() {
	"$atmost" status "$1" --json | awk -F '[{]"slot":[0-9]*,"pid":' '{
		sub(/,.*/, "", $2)
		print NF == 1 ? "null" : $2
	}'
}
