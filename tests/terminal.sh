# SPDX-License-Identifier: BSD-2-Clause
# The functions of shell tests that need a terminal, which script(1) makes; a test sources
# this file after facts.sh.  If there are no terminals here, the test ends.
script -qec true /dev/null </dev/null >/dev/null 2>&1 || {
	skip 'there are no pseudo-terminals here'
	exit 77
}

# on_terminal COMMAND: runs the command on a new terminal.  Text that the test
# writes to descriptor 3 is typed there; $work/screen contains the output of the
# terminal.
on_terminal() {
	rm -f "$work/keys"
	mkfifo "$work/keys"
	: >"$work/screen"
	# This env restores the signals that the caller may ignore: a background
	# job of a shell ignores INT and QUIT, and a job of nohup ignores HUP.
	env --default-signal=HUP,INT,QUIT,TERM script -qefc "$1" "$work/screen" <"$work/keys" >/dev/null 2>&1 &
	session=$!
	exec 3>"$work/keys"
}
end_terminal() {
	wait $session
	code=$?
	exec 3>&-
}
shows() { tr '\r' '\n' <"$work/screen" | grep -q -- "$1"; }
