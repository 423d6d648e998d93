# SPDX-License-Identifier: BSD-2-Clause
# Completion of atmost(1) for bash: commands, options, pools, algorithms.

_atmost_commands='run status pools resize repair remove check rmr trace algorithms bench help'

_atmost_options() {
	case $1 in
	run) echo '-k -j -n -t -w -g -s -x -E -v --nonblock --timeout --verbose --strict --shared --exclusive --exec --set --substitute --slots --names --nested --new-group --wait-children --algorithm --at --lease --on-loss' ;;
	status) echo '--json --watch --at' ;;
	pools) echo '--at' ;;
	remove) echo '--force --unused --at' ;;
	resize) echo '--names --slots --at' ;;
	repair) echo '--free --at' ;;
	check) echo '-n -k -m --passages --resize --crashes --deaths --aborts --faults --no-clocks --property --steps-of --random --seed --depth --time --memory --workers --json' ;;
	rmr) echo '-n -k -m --contention --model --smart-cache --writer-keeps --aborts --adversary --seed --time --steps --json' ;;
	bench) echo '-n -k --seconds --json' ;;
	trace | algorithms) echo '--json' ;;
	esac
	echo --help
}

# _atmost_operand ATMOST COMMAND NUMBER: the candidates for this operand.
_atmost_operand() {
	case $2 in
	run | status | resize | repair)
		[ "$3" -gt 0 ] || "$1" pools 2>/dev/null
		;;
	remove) "$1" pools 2>/dev/null ;;
	check) [ "$3" -gt 0 ] || _atmost_algorithms "$1" ;;
	rmr | bench | algorithms) _atmost_algorithms "$1" ;;
	help) [ "$3" -gt 0 ] || echo "$_atmost_commands etcd properties schedules" ;;
	esac
}

_atmost_algorithms() {
	"$1" algorithms --json 2>/dev/null | tr '{' '\n' |
		sed -n 's/.*"name": *"\([^"]*\)".*/\1/p'
}

# _atmost_takes_value COMMAND OPTION: true if the option takes a value.
_atmost_takes_value() {
	case $1,$2 in
	run,-n | *,--json | *,--help | *,-v | *,--exec | *,--nested | *,--wait-children) return 1 ;;
	run,-s | run,-x | *,--nonblock | *,--verbose | *,--strict | *,--shared | *,--exclusive) return 1 ;;
	*,--substitute | *,--new-group | *,--unused) return 1 ;;
	*,--watch | *,--force | *,--random | *,--no-clocks | *,--smart-cache | *,--writer-keeps | rmr,--aborts) return 1 ;;
	*,-*) return 0 ;;
	esac
	return 1
}

_atmost() {
	local atmost=$1 word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
	local before=${COMP_WORDS[COMP_CWORD - 1]} operands=0 i words

	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$_atmost_commands --help --version -V" -- "$word")
		return
	fi
	for ((i = 2; i < COMP_CWORD; i++)); do
		if [ "$command" = run ] && [ "${COMP_WORDS[i]}" = -- ]; then
			# The words after -- are another command's line.
			if declare -F _command_offset >/dev/null; then
				_command_offset $((i + 1))
			elif [ $((i + 1)) = "$COMP_CWORD" ]; then
				mapfile -t COMPREPLY < <(compgen -c -- "$word")
			else
				mapfile -t COMPREPLY < <(compgen -f -- "$word")
			fi
			return
		fi
		case ${COMP_WORDS[i]} in
		-*) _atmost_takes_value "$command" "${COMP_WORDS[i]}" && i=$((i + 1)) ;;
		*) operands=$((operands + 1)) ;;
		esac
	done
	case $before in
	--algorithm) words=$(_atmost_algorithms "$atmost") ;;
	--model) words='cc dsm' ;;
	--at) words='here etcd:// etcds://' ;;
	--on-loss) words='term keep' ;;
	*)
		if _atmost_takes_value "$command" "$before"; then
			return
		elif [ "${word:0:1}" = - ]; then
			words=$(_atmost_options "$command")
		else
			words=$(_atmost_operand "$atmost" "$command" $operands)
			[ "$command,$operands" != run,1 ] || words=--
		fi
		;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
	[ "$command" != trace ] || compopt -o default 2>/dev/null
}

complete -F _atmost atmost
