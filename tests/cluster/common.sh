# SPDX-License-Identifier: BSD-2-Clause
# The functions that the tests of `atmost run --at` share.  A test sources this file with
# $atmost, $worker and $proxy set, the paths of programs.
[ -x "$atmost" ] && [ -x "$worker" ] && [ -x "$proxy" ] || {
	echo "usage: $0 ATMOST WORKER PROXY" >&2
	exit 2
}
here=$(cd "$(dirname "$0")" && pwd)
[ ! -w /dev/shm ] || work_in=/dev/shm # etcd syncs its log at each write
. "$here/../facts.sh"
. "$here/../../tools/etcd-nodes.sh"
atmost=$(cd "$(dirname "$atmost")" && pwd)/$(basename "$atmost")
export LC_ALL=C
export ATMOST_DIR="$work/pools"
unset ATMOST_SLOT ATMOST_POOL ATMOST_AT ATMOST_TOKEN ATMOST_HELD
mkdir "$work/jobs"
if ! nodes_installed >"$out"; then
	skip "$(cat "$out")"
	finish
fi
nodes_watch

# --- proxies: a set of proxies has one for each node.  Proxy I of set S listens on
#     127.A.B.(10 S + I).

# proxies_start S [SEED]: starts a set of proxies.
proxies_start() {
	for proxy_node in $(nodes); do
		proxy_number=$(($1 * 10 + proxy_node))
		setpriv --pdeathsig KILL "$proxy" "$node_net.$proxy_number:2379" \
			"$node_net.$proxy_node:2379" "${2:-1}" \
			>"$work/proxy$proxy_number" 2>&1 </dev/null &
		soon grep -q ready "$work/proxy$proxy_number"
	done
}
# past S: prints the address of etcd behind a set of proxies.
past() {
	past_hosts=
	for proxy_node in $(nodes); do
		past_hosts=$past_hosts${past_hosts:+,}$node_net.$(($1 * 10 + proxy_node))
	done
	echo "etcd://$past_hosts"
}
# tell S I TEXT: tells proxy I of set S what to do (proxy_rules.h); tell_all S TEXT.
tell() {
	curl -sf --noproxy '*' -m 30 "http://$node_net.$(($1 * 10 + $2)):2379/-/$3"
}
tell_all() {
	for proxy_node in $(nodes); do
		tell "$1" "$proxy_node" "$2" || return 1
	done
}

# --- jobs: workers in pools.  A job has a name, and its files are $work/jobs/NAME.*.
#     The workers of a pool write to $work/POOL.log.

# job NAME POOL [RUN-OPTION...] [-- WORKER-OPTION...]: starts `atmost run` in the
# background; its pid is in $work/jobs/NAME.pid, its exit status will be in NAME.status.
# $job_at is the address, $k the number of slots.
job() {
	job_name=$1
	job_pool=$2
	shift 2
	job_options=
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		job_options="$job_options $1"
		shift
	done
	[ $# = 0 ] || shift
	rm -f "$work/jobs/$job_name.status" "$work/$job_pool.log.$job_name.leave"
	# shellcheck disable=SC2086 # a list of words
	{
		"$atmost" run --at "${job_at:-$at}" -k "${k:-1}" $job_options "$job_pool" \
			-- "$worker" "$@" "$work/$job_pool.log" "$job_name" \
			>"$work/jobs/$job_name.out" 2>"$work/jobs/$job_name.err" </dev/null &
		echo $! >"$work/jobs/$job_name.pid"
		wait $!
		echo $? >"$work/jobs/$job_name.status"
	} 2>/dev/null &
}
job_pid() { cat "$work/jobs/$1.pid"; }
# worker_pid NAME: prints the pid of the command of a job that has entered.
worker_pid() {
	sed -n "s/^enter [0-9]* [0-9]* \([0-9]*\) $1\$/\1/p" "$work"/*.log | tail -n 1
}
# These tell whether a job has entered, has left or has ended, and how it ended.
entered() { grep -qs "^enter .* $1\$" "$work"/*.log; }
left() { grep -qs "^leave .* $1\$" "$work"/*.log; }
ended() { [ -s "$work/jobs/$1.status" ]; }
ended_with() { soon ended "$1" && [ "$(cat "$work/jobs/$1.status")" = "$2" ]; }
said() { grep -q -- "$2" "$work/jobs/$1.err"; }
# release NAME POOL: tells the worker to leave.
release() { : >"$work/$2.log.$1.leave"; }

# waiting POOL COUNT: the pool has COUNT tickets.
waiting() { [ "$(keys "atmost/$1/w/" | wc -l)" = "$2" ]; }
holding() { [ "$(keys "atmost/$1/s/" | wc -l)" = "$2" ]; }
# empty POOL: the pool has no members, slots or tickets.
empty() { [ "$(keys "atmost/$1/")" = "atmost/$1/pool" ]; }

# queue POOL NAME...: starts jobs one after another, each when the one before it waits,
# so that their order is known.  Options of `run` and the worker are in $queue_options.
queue() {
	queue_pool=$1
	shift
	for queue_name in "$@"; do
		queue_before=$(keys "atmost/$queue_pool/w/" | wc -l)
		# shellcheck disable=SC2086 # a list of words
		job "$queue_name" "$queue_pool" ${queue_options:-}
		soon waiting "$queue_pool" $((queue_before + 1))
	done
}

# passages POOL K [--fenced]: whether the passages of the pool keep the rules of
# check-passages, which prints what is broken, and numbers.
passages() {
	passages_pool=$1
	passages_k=$2
	shift 2
	soon empty "$passages_pool"
	history "atmost/$passages_pool/" >"$work/$passages_pool.history" &&
		"$here/check-passages" "$@" "$passages_k" "$work/$passages_pool.log" \
			"$work/$passages_pool.history" >"$work/$passages_pool.check"
	passages_code=$?
	cat "$work/$passages_pool.check"
	return $passages_code
}
# keeps_rules POOL K [--fenced]: asserts `passages`, and prints the numbers.
keeps_rules() {
	fact "the passages of pool $1 keep the rules${3:+, }${3:-}" passages "$@"
	tail -n 1 "$work/$1.check"
}
# entered_in_order NAME...: the jobs have entered in this order.
entered_in_order() {
	[ "$(awk -v names=" $* " '$1 == "enter" && index(names, " " $5 " ") { print $5 }' \
		"$work"/*.log)" = "$(printf '%s\n' "$@")" ]
}
