# SPDX-License-Identifier: BSD-2-Clause
# An etcd of several nodes on the loopback interface, for tests and demonstrations.
# A script sources this file with $work set, a folder that it removes at its end.
#
# Node I listens on 127.A.B.I, ports 2379 and 2380, where A and B are drawn; so the
# nodes of two scripts do not meet.  Its data and its log are in $work.  All nodes die
# with the script, however that ends, and `nodes_watch` removes $work then.

# nodes_installed: whether etcd and the tools that this file uses are installed.
nodes_installed() {
	for nodes_tool in etcd curl jq setpriv; do
		command -v $nodes_tool >/dev/null || {
			echo "$nodes_tool is not installed (tools/setup test)"
			return 1
		}
	done
}

# nodes_watch: from now on, when this script ends, a process of its own session kills
# what the script has started (found by its environment) and removes $work.
nodes_watch() {
	export ATMOST_NODES="$work"
	# shellcheck disable=SC2016 # the inner shell expands these
	setsid env -u ATMOST_NODES sh -c '
		while kill -0 "$1" 2>/dev/null; do sleep 0.5; done
		for pid in $(grep -lzFx "ATMOST_NODES=$2" /proc/[0-9]*/environ \
			2>/dev/null | cut -d / -f 3); do
			kill -9 "$pid" 2>/dev/null
		done
		sleep 0.2
		rm -rf "$2"' - $$ "$work" </dev/null >/dev/null 2>&1 &
}

# nodes_start COUNT [OPTION...]: starts etcd and waits until it can write.  The options
# are words for each node.  Sets $at to its address.
nodes_start() {
	node_count=$1
	shift
	node_options=$*
	node_scheme=${node_scheme:-http}
	nodes_left=10
	until nodes_try; do
		nodes_left=$((nodes_left - 1))
		[ $nodes_left -gt 0 ] || {
			echo "etcd does not start: see the end of its log:" >&2
			tail -n 3 "$work"/node*.log >&2
			return 1
		}
		nodes_end
	done
}
# nodes_end: kills the nodes and removes their data.
nodes_end() {
	for node in $(nodes); do node_kill "$node"; done
	rm -rf "$work"/node[1-9]*
}
# nodes_prepare: a script may replace this function, which is called when the addresses
# of the nodes are known and before the nodes start.
nodes_prepare() { :; }
nodes_try() {
	node_net=127.$(od -An -N2 -tu1 /dev/urandom | tr -s ' ' . | sed 's/^\.//')
	case $node_net in 127.0.*) return 1 ;; esac
	node_cluster= at=
	for node in $(nodes); do
		node_cluster=$node_cluster${node_cluster:+,}node$node=http://$node_net.$node:2380
		at=$at${at:+,}$node_net.$node
	done
	at=etcd://$at
	nodes_prepare
	for node in $(nodes); do node_start "$node" new; done
	for node in $(nodes); do node_wait "$node" || return 1; done
}
nodes() { seq "$node_count"; }

# node_start I [new]: starts a node, with the data that it has.
node_start() {
	node_url=$node_scheme://$node_net.$1:2379
	node_peer=http://$node_net.$1:2380
	# shellcheck disable=SC2086 # node_options is a list of words
	setpriv --pdeathsig KILL etcd --name "node$1" --data-dir "$work/node$1" \
		--listen-client-urls "$node_url" --advertise-client-urls "$node_url" \
		--listen-peer-urls "$node_peer" --initial-advertise-peer-urls "$node_peer" \
		--initial-cluster "$node_cluster" --initial-cluster-state "${2:-existing}" \
		--logger zap $node_options >>"$work/node$1.log" 2>&1 </dev/null &
	echo $! >"$work/node$1.pid"
}
node_pid() { cat "$work/node$1.pid"; }

# node_wait I: waits until the node can write; fails if it ends.
node_wait() {
	nodes_left=6000
	until ask "$1" /health | grep -q true; do
		nodes_left=$((nodes_left - 1))
		[ $nodes_left -gt 0 ] && kill -0 "$(node_pid "$1")" 2>/dev/null || return 1
		sleep 0.05
	done
}

# node_kill I, node_stop I, node_continue I: signals.  A killed node is gone afterwards.
node_kill() {
	kill -9 "$(node_pid "$1")" 2>/dev/null
	wait "$(node_pid "$1")" 2>/dev/null
	:
}
node_stop() { kill -STOP "$(node_pid "$1")"; }
node_continue() { kill -CONT "$(node_pid "$1")"; }

# ask I PATH [BODY]: prints what a node says, within 2 seconds.
ask() {
	# shellcheck disable=SC2086 # node_curl is a list of words
	curl -s -m 2 --noproxy '*' ${node_curl:-} ${3+-d "$3"} \
		"$node_scheme://$node_net.$1:2379$2"
}
# ask_any PATH BODY: prints what the first node says that answers.
ask_any() {
	for node in $(nodes); do
		ask "$node" "$@" && return
	done
}

# leader: prints the number of the leader; fails if there is none.
leader() {
	for node in $(nodes); do
		ask "$node" /v3/maintenance/status '{}' | sed -n \
			's/.*"member_id":"\([0-9]*\)".*"leader":"\([0-9]*\)".*/\1 \2/p' |
			grep -qx '\([0-9]*\) \1' && echo "$node" && return
	done
	return 1
}
# another_leader I: prints the number of the leader when it is not I.
another_leader() {
	nodes_left=6000
	until nodes_new=$(leader) && [ "$nodes_new" != "$1" ]; do
		nodes_left=$((nodes_left - 1))
		[ $nodes_left -gt 0 ] || return 1
		sleep 0.05
	done
	echo "$nodes_new"
}

base_64() { printf %s "$1" | base64 -w 0; }

# keys PREFIX: prints the keys that begin with PREFIX.
keys() {
	keys_end=$(printf %s "$1" | sed 's/.$//')$(printf %s "$1" | tail -c 1 |
		tr ' -}' '!-~')
	ask_any /v3/kv/range "{\"key\":\"$(base_64 "$1")\",\"range_end\":\"$(
		base_64 "$keys_end")\",\"keys_only\":true}" |
		jq -r '.kvs[]?.key | @base64d'
}

# history PREFIX: prints all that has happened to the keys that begin with PREFIX: lines
# of revision, PUT or DELETE, key, lease and value, with tabs between.
history() {
	history_raw=$work/history.$(printf %s "$1" | tr / .)
	history_end=$(ask_any /v3/kv/put "{\"key\":\"$(base_64 test/end)\"}" |
		sed -n 's/.*"revision":"\([0-9]*\)".*/\1/p')
	[ "$history_end" ] || return 1
	: >"$history_raw"
	# shellcheck disable=SC2086 # node_curl is a list of words
	curl -sN -m 120 --noproxy '*' ${node_curl:-} \
		-d '{"create_request":{"key":"AA==","range_end":"AA==","start_revision":"1"}}' \
		"$node_scheme://$node_net.$(leader):2379/v3/watch" >"$history_raw" &
	# The watch never ends by itself.
	until grep -q "\"mod_revision\":\"$history_end\".*}$" "$history_raw"; do
		kill -0 $! 2>/dev/null || return 1
		sleep 0.02
	done
	kill $!
	wait $! 2>/dev/null
	# The last line may be incomplete.
	head -n "$(wc -l <"$history_raw")" "$history_raw" | jq -r --arg prefix "$1" '
		.result.events[]? | (.kv.key | @base64d) as $key |
		select($key | startswith($prefix)) |
		[.kv.mod_revision, .type // "PUT", $key, .kv.lease // "0",
			(.kv.value // "" | @base64d)] | @tsv'
	rm -f "$history_raw"
}
