# SPDX-License-Identifier: BSD-2-Clause
# The functions that all shell tests share; a test sources this file.
#
# A test states facts, one per line.  A test draws no conclusion from times: it
# waits until a condition is true.  The function `soon` does this, and gives up
# after at least five minutes so that a hang ends the test.
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

# soon TEST...: repeats the command TEST until it succeeds; fails after 30000
# attempts, which take at least five minutes.
soon() {
	soon_left=30000
	until "$@" >/dev/null 2>&1; do
		soon_left=$((soon_left - 1))
		[ $soon_left -gt 0 ] || return 1
		sleep 0.01
	done
}

# prints PATTERN: the last run printed a line that matches PATTERN to stdout.
# complains PATTERN: the last run printed such a line to stderr.
prints() { grep -q -- "$1" "$out"; }
complains() { grep -q -- "$1" "$err"; }
quiet() { [ ! -s "$out" ] && [ ! -s "$err" ]; }

# state_of PID: sets $state to the letter that the kernel gives the state of the
# process, and to nothing if there is no such process.  It starts no program,
# because `soon` may call it hundreds of times.
state_of() {
	state=
	while read -r state_key state_value; do
		[ "$state_key" != State: ] || state=${state_value%% *}
		[ ! "$state" ] || break
	done <"/proc/$1/status"
} 2>/dev/null
# gone PID: the process has ended; a zombie has ended as well.
gone() {
	state_of "$1"
	case $state in '' | [ZX]) ;; *) return 1 ;; esac
}
stopped() {
	state_of "$1"
	[ "$state" = T ]
}
running() {
	state_of "$1"
	case $state in '' | [TZX]) return 1 ;; esac
}
# sleeps PID: the process sleeps in the kernel; a spinning process never does.
sleeps() {
	state_of "$1"
	[ "$state" = S ]
}
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
