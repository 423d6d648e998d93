# SPDX-License-Identifier: BSD-2-Clause
# Prints a line for each answer of tests/pages/run: "true" or "false", whether the command
# printed what its sentence says; the command; and what it printed, in short.
def steps: .schedule | split(" : ")[1] | split(" ") | map(select(. != "" and . != "|"))
	| map(if contains("*") then (split("*")[1] | tonumber) else 1 end) | add;
def violated: .properties | map(select(.verdict == "violated").name) | join(", ");
def row: if (.rows | length) == 1 then .rows[0] else {} end;

# number TEXT: a number may have commas.
def number: gsub(","; "") | tonumber;
def says($sentence; $code):
	($sentence | capture("^(?<n>[0-9,]+) steps, violates (?<names>.*)$")
		// {}) as $violates
	| ($sentence | capture("^(?<n>[0-9,]+) steps, no violation$") // {}) as $passes
	| ($sentence | capture("^(?<n>[0-9,]+) states, holds$") // {}) as $holds
	| ($sentence | capture("^worst (?<n>[0-9,]+)$") // {}) as $worst
	| ($sentence | capture("^worst more than (?<n>[0-9,]+)$") // {}) as $more
	| ($sentence | capture("^bound (?<n>[0-9,]+)$") // {}) as $bound
	| if $violates.n then
		.verdict == "violated" and violated == $violates.names
			and steps == ($violates.n | number)
	# A replay searches no other schedule, so its verdict is not `holds`.
	elif $passes.n then $code == 0 and .depth == ($passes.n | number)
	elif $holds.n then .verdict == "holds" and .states == ($holds.n | number)
	elif $worst.n then row.worst == ($worst.n | number)
	elif $more.n then row.worst != null and row.worst > ($more.n | number)
	elif $bound.n then row.bound == ($bound.n | number)
	else false end;
def answered: if .rows then {rows: .rows | map({algorithm, n, k, worst, bound})}
	else {verdict, states, schedule, violated: (if .properties then violated else null end)} end;
.code as $code | .sentence as $sentence | "\(.command)  # \($sentence)" as $command
| (.answer // {})
| "\(says($sentence; $code))\t\($command)\t\(answered | tojson)"
