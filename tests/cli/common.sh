# SPDX-License-Identifier: BSD-2-Clause
# What the tests of the command share; a test sources it with $atmost set.
#
# Each fact is a line.  Nothing is concluded from how long something takes: a
# test waits until a condition is true, for half a minute at most.
[ -x "$atmost" ] || {
	echo "usage: $0 ATMOST" >&2
	exit 2
}
atmost=$(cd "$(dirname "$atmost")" && pwd)/$(basename "$atmost")
work=$(mktemp -d) || exit 2
export ATMOST_DIR="$work/pools"
export SHELL=/bin/sh # what script(1) runs commands by
export LC_ALL=C      # messages of the system are looked for
unset ATMOST_SLOT ATMOST_POOL
out=$work/out
err=$work/err
: >"$out" >"$err"
passed=0
failed=0
code=0

# Whatever a test leaves behind has its directory in its environment.
clean_up() {
	for pid in $(grep -lzFx "ATMOST_DIR=$ATMOST_DIR" /proc/[0-9]*/environ \
		2>/dev/null | cut -d / -f 3); do
		[ "$pid" = $$ ] || kill -9 "$pid" 2>/dev/null
	done
	rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

# run COMMAND...: leaves stdout in $out, stderr in $err, the exit in $code.
run() {
	"$@" >"$out" 2>"$err" </dev/null
	code=$?
}

# fact SENTENCE TEST...: the sentence is true if the test succeeds.
fact() {
	sentence=$1
	shift
	if "$@" >"$work/test" 2>&1; then
		echo "ok: $sentence"
		passed=$((passed + 1))
	else
		echo "FAILED: $sentence"
		echo "        exit $code, test: $*"
		sed 's/^/        | /' "$work/test" "$out" "$err" | head -n 20
		failed=$((failed + 1))
	fi
}

# soon TEST...: it is true, or becomes so within half a minute.
soon() {
	soon_end=$(($(date +%s) + 30))
	until "$@" >/dev/null 2>&1; do
		[ "$(date +%s)" -lt $soon_end ] || return 1
		sleep 0.01
	done
}

prints() { grep -q -- "$1" "$out"; }
complains() { grep -q -- "$1" "$err"; }
quiet() { [ ! -s "$out" ] && [ ! -s "$err" ]; }

# refused SENTENCE CODE PATTERN COMMAND...: says why, and does nothing.
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

# About a pool: how many are inside and wait, and whether that is so.
holders() { "$atmost" status "$1" --json | jq '.pools[0].holders | length'; }
waiters() { "$atmost" status "$1" --json | jq '.pools[0].waiters | length'; }
has_holders() { [ "$(holders "$1")" = "$2" ]; }
has_waiters() { [ "$(waiters "$1")" = "$2" ]; }
holder_pid() { "$atmost" status "$1" --json | jq '.pools[0].holders[0].pid'; }

# A process is gone when nothing but a zombie is left of it.
gone() { ! grep -q '^State:.[^ZX]' "/proc/$1/status" 2>/dev/null; }
stopped() { grep -q '^State:.T' "/proc/$1/status"; }
running() { grep -q '^State:.[^TZX]' "/proc/$1/status"; }

finish() {
	echo "$passed passed, $failed failed"
	[ $failed = 0 ]
	exit
}
