# SPDX-License-Identifier: BSD-2-Clause
# The functions that all shell tests share; a test sources this file.
#
# A test states facts, one per line.  A test draws no conclusion from times: it
# waits until a condition is true.  The function `soon` does this, and gives up
# after five minutes so that a hang ends the test.
#
# $work is a folder that is removed when the test ends.  If a test sets $work_in
# before it sources this file, $work is in that folder.
work=$(mktemp -d "${work_in:-${TMPDIR:-/tmp}}/atmost-test-XXXXXX") || exit 2
out=$work/out
err=$work/err
: >"$out" >"$err"
passed=0
failed=0
code=0
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# run COMMAND...: leaves stdout in $out, stderr in $err, the exit status in $code.
run() {
	"$@" >"$out" 2>"$err" </dev/null
	code=$?
}

# fact SENTENCE TEST...: runs the command TEST and prints SENTENCE, as "ok" if
# the command succeeds and as "FAILED" if it fails.
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

# skip REASON: says that this machine or this user cannot test the facts that
# follow.
skip() { echo "skipped: $1"; }

# soon TEST...: repeats the command TEST until it succeeds; fails after five
# minutes.
soon() {
	soon_end=$(($(date +%s) + 300))
	until "$@" >/dev/null 2>&1; do
		[ "$(date +%s)" -lt $soon_end ] || return 1
		sleep 0.01
	done
}

# prints PATTERN: the last run printed a line that matches PATTERN to stdout.
# complains PATTERN: the last run printed such a line to stderr.
prints() { grep -q -- "$1" "$out"; }
complains() { grep -q -- "$1" "$err"; }
quiet() { [ ! -s "$out" ] && [ ! -s "$err" ]; }

# gone PID: the process has ended; a zombie has ended as well.
gone() { ! grep -q '^State:.[^ZX]' "/proc/$1/status" 2>/dev/null; }
stopped() { grep -q '^State:.T' "/proc/$1/status"; }
running() { grep -q '^State:.[^TZX]' "/proc/$1/status"; }
# sleeps PID: the process sleeps in the kernel; a spinning process never does.
sleeps() { grep -q '^State:.S' "/proc/$1/status"; }
# seen_asleep PID: succeeds after it has seen the process asleep twenty times,
# with pauses in between.
seen_asleep() {
	for look in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		soon sleeps "$1" || return 1
		sleep 0.01
	done
}

# finish: print the totals and end the test.
finish() {
	echo "$passed passed, $failed failed"
	[ $failed = 0 ]
	exit
}
