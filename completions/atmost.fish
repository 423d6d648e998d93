# SPDX-License-Identifier: BSD-2-Clause
# Completion of atmost(1) for fish: commands, options, pools, algorithms.

function __atmost_algorithms
    atmost algorithms --json 2>/dev/null | tr '{' '\n' | sed -n 's/.*"name": *"\([^"]*\)".*/\1/p'
end

function __atmost_in_command
    contains -- -- (commandline -opc)
end

set -l commands run status pools resize repair remove check rmr trace algorithms bench help
set -l needs "not __fish_seen_subcommand_from $commands"
complete -c atmost -n "$needs" -f
complete -c atmost -n "$needs" -a run -d 'Run a command, at most k at once'
complete -c atmost -n "$needs" -a status -d 'Show running and waiting commands'
complete -c atmost -n "$needs" -a pools -d 'List the pools'
complete -c atmost -n "$needs" -a resize -d 'Change k of a pool'
complete -c atmost -n "$needs" -a repair -d 'Free the slots of dead commands'
complete -c atmost -n "$needs" -a remove -d 'Remove a pool'
complete -c atmost -n "$needs" -a check -d 'Search all schedules for a violation'
complete -c atmost -n "$needs" -a rmr -d 'Count remote memory references'
complete -c atmost -n "$needs" -a trace -d 'Replay a schedule step by step'
complete -c atmost -n "$needs" -a algorithms -d 'List the algorithms'
complete -c atmost -n "$needs" -a bench -d 'Run algorithms on real threads'
complete -c atmost -n "$needs" -a help -d 'Show the page of a command'

set -l pools '__fish_seen_subcommand_from run status resize repair remove; and not __atmost_in_command'
complete -c atmost -n "$pools" -f -a '(atmost pools 2>/dev/null)'

set -l at '__fish_seen_subcommand_from run status pools resize repair remove; and not __atmost_in_command'
complete -c atmost -n "$at" -l at -x -a 'here etcd:// etcds://' -d 'Where the pools are'

set -l run '__fish_seen_subcommand_from run; and not __atmost_in_command'
complete -c atmost -n "$run" -s k -s j -x -d 'At most K commands at once'
complete -c atmost -n "$run" -l strict -d 'Another K of a pool in use is an error'
complete -c atmost -n "$run" -s n -l nonblock -d 'Do not wait'
complete -c atmost -n "$run" -s t -s w -l timeout -x -d 'Longest time to wait'
complete -c atmost -n "$run" -s g -x -d 'Session, in a group pool'
complete -c atmost -n "$run" -s s -l shared -d 'Beside other shared commands, in a group pool'
complete -c atmost -n "$run" -s x -l exclusive -d 'Alone, in a group pool'
complete -c atmost -n "$run" -s E -x -d 'Exit code if it did not get a slot'
complete -c atmost -n "$run" -s v -l verbose -d 'Show the queue while waiting'
complete -c atmost -n "$run" -l exec -d 'Replace atmost by the command'
complete -c atmost -n "$run" -l set -x -d 'Set VAR=TEXT for the command'
complete -c atmost -n "$run" -l substitute -d 'Replace {slot}, {name}, {pool} in arguments'
complete -c atmost -n "$run" -l slots -x -d 'Names of the slots, numbers only'
complete -c atmost -n "$run" -l names -x -d 'Names of the slots'
complete -c atmost -n "$run" -l nested -d 'Even if an ancestor holds a slot'
complete -c atmost -n "$run" -l new-group -d 'Give the command a process group of its own'
complete -c atmost -n "$run" -l wait-children -d 'Hold the slot until all descendants have ended'
complete -c atmost -n "$run" -l lease -x -d 'Seconds until the slot of a dead machine is free'
complete -c atmost -n "$run" -l on-loss -x -a 'term keep' -d 'What to do when the slot is lost'
complete -c atmost -n "$run" -l algorithm -x -a '(__atmost_algorithms)' -d 'Algorithm of a new pool'
complete -c atmost -n '__fish_seen_subcommand_from run; and __atmost_in_command' -a '(__fish_complete_subcommand)'

complete -c atmost -n '__fish_seen_subcommand_from status' -l json -d 'Print one JSON object'
complete -c atmost -n '__fish_seen_subcommand_from status' -l watch -d 'Update the display'
complete -c atmost -n '__fish_seen_subcommand_from remove' -l force -d 'Even if it is in use or damaged'
complete -c atmost -n '__fish_seen_subcommand_from remove' -l unused -d 'All pools that are not in use'
complete -c atmost -n '__fish_seen_subcommand_from resize' -l names -x -d 'Other names of the slots'
complete -c atmost -n '__fish_seen_subcommand_from resize' -l slots -x -d 'Other names of the slots, numbers only'
complete -c atmost -n '__fish_seen_subcommand_from repair' -l free -x -d 'Free the slot of a command that is not visible from here'
complete -c atmost -n '__fish_seen_subcommand_from check rmr bench algorithms' -f -a '(__atmost_algorithms)'
complete -c atmost -n '__fish_seen_subcommand_from check rmr bench algorithms trace' -l json -d 'Print one JSON object'
for option in passages resize crashes deaths aborts faults property steps-of seed depth time memory workers
    complete -c atmost -n '__fish_seen_subcommand_from check' -l $option -x
end
complete -c atmost -n '__fish_seen_subcommand_from check' -l random
complete -c atmost -n '__fish_seen_subcommand_from check' -l no-clocks
for option in contention model adversary seed time steps
    complete -c atmost -n '__fish_seen_subcommand_from rmr' -l $option -x
end
complete -c atmost -n '__fish_seen_subcommand_from rmr' -l smart-cache
complete -c atmost -n '__fish_seen_subcommand_from rmr' -l writer-keeps
complete -c atmost -n '__fish_seen_subcommand_from rmr' -l aborts
complete -c atmost -n '__fish_seen_subcommand_from bench' -l seconds -x
