# SPDX-License-Identifier: BSD-2-Clause
# The functions that the tests of deaths and surroundings share.  Before a test
# sources this file, it sets $atmost to the command and $here to this folder.
. "$here/../cli/common.sh"

# limit [SECONDS]: if the test still runs after this time, it prints a FAILED
# line and ends.
limit() {
	(
		sleep "${1:-840}" && {
			echo "FAILED: the test does not hang"
			kill $$
			kill_all
		}
	) 2>/dev/null &
}

# The next functions test the pool $pool, which has k = 1.  `timeout` ends only
# a command that hangs.
busy() {
	timeout 300 "$@" "$atmost" run -n "$pool" -- true
	code=$?
	[ $code = 75 ]
}
free() { timeout 300 "$@" "$atmost" run -n "$pool" -- true; }
# waits: a run waits until its deadline and does not get in.
waits() {
	timeout 300 "$@" "$atmost" run -t 0.5 "$pool" -- true
	code=$?
	[ $code = 75 ]
}
# gets_in: a run gets in; its deadline ends only a run that hangs.
gets_in() { timeout 300 "$@" "$atmost" run -t 240 "$pool" -- true; }
one_holder() {
	[ "$(timeout 300 "$@" "$atmost" status "$pool" --json |
		jq '.pools[0].holders | length')" = 1 ]
}

# start [OPTION]...: starts a command in the pool; sets $wrapper and $command.
start() {
	rm -f "$work/command"
	"$atmost" run "$@" "$pool" -- sh -c 'echo $$ >"$0.new"
		mv "$0.new" "$0"; exec sleep 1000' "$work/command" 2>"$err" &
	wrapper=$!
	soon test -s "$work/command"
	command=$(cat "$work/command")
	soon is_sleep "$command"
}
is_sleep() { grep -qx sleep "/proc/$1/comm"; }

# start_alone: starts a command and kills its wrapper.
start_alone() {
	start
	kill -9 $wrapper
	soon gone $wrapper
}

# end: kills the command and its wrapper.
end() {
	kill -9 "$command" 2>/dev/null
	kill -9 $wrapper 2>/dev/null
	soon gone "$command"
	wait $wrapper 2>/dev/null
}
child_of() { cut -d ' ' -f 1 "/proc/$1/task/$1/children"; }
