# SPDX-License-Identifier: BSD-2-Clause
# The measurements of the report, from `atmost algorithms --json`, one per line:
#   SERIES NAME N K CONTENTION MODEL SMART WEIGHT
# where - is the default and WEIGHT is a factor for the number of steps.  Algorithms
# made of large steps are left out, because their costs mean nothing; those with the
# printed gates of Anderson and Moir, whose bounds are theorems, are not.  Algorithms over
# a store are left out, too, because they make no remote references.  $largest is the
# largest n.  $only is a list of names; an empty list means all.

def weight($n): if $n <= 128 then 1 elif $n <= 256 then 2 elif $n <= 512 then 3 else 8 end;

def up_to($most): map(select(. <= $most));

# A mutex has k=1 and a group lock has no k, so neither has a series over k.
def ks: if .kind == "mutual-exclusion" or .kind == "abortable" then 1
	elif .kind == "group-exclusion" then "-" else 4 end;

def has_k: .kind == "k-exclusion" or .kind == "k-assignment";

# Group locks and the mutexes that they use have pictures over n of their own; the
# mutexes are in the picture over contention as well, because the cost of one adapts.
def is_group: .kind == "group-exclusion" or .kind == "abortable";

# The series "triple" shows amortised costs, of algorithms whose cost depends on whether
# the cache is smart: k late leavers can disturb k waiters while k processes are inside.
def points: ks as $k | has_k as $has_k | is_group as $group |
	(has_k and .rmr_cc_smart != null) as $differs |
	(.kind == "group-exclusion") as $sessions | [$largest, 512] | min as $fixed |
	([8, 16, 32, 64, 128, 256, 512, 1024 | select(. <= $largest)]
	 | .[] | {series: (if $group then "group" else "n" end), n: ., k: $k, c: "-", weight: weight(.)}),
	(select($has_k) | [1, 2, 4, 8, 16, 32, 64, 128, 256] | up_to($fixed / 2)
	 | .[] | {series: "k", n: $fixed, k: ., c: "-", weight: weight($fixed)}),
	(select($differs) | [2, 4, 8, 16, 32, 64] | map(select(3 * . <= $largest))
	 | .[] | {series: "triple", n: (3 * .), k: ., c: "-", weight: 1}),
	(select($sessions | not) | [$largest, 64] | min as $n | [1, 2, 3, 4, 5, 6, 8, 12, 16, 32, 64]
	 | up_to($n) | .[] | {series: "contention", n: $n, k: $k, c: ., weight: 0.5});

# Shared objects with slots: contention is k, so that no process has to wait.
def object_points: select(.kind == "object" and (.components | length > 0)) | [$largest, 64] | min as $fixed |
	([8, 16, 32, 64, 128, 256] | up_to($largest)
	 | .[] | {series: "object-n", n: ., k: 4, c: 4, weight: weight(.)}),
	([1, 2, 4, 8, 16, 32] | up_to($fixed / 2)
	 | .[] | {series: "object-k", n: $fixed, k: ., c: ., weight: 1});

# An unbounded cost shows after a few steps.  Some bounds hold for smart caches only.
def models: {model: "cc", smart: "-", share: 1},
	(select(.rmr_cc_smart) | {model: "cc", smart: "smart", share: 1}),
	{model: "dsm", smart: "-",
	 share: (if .rmr_dsm | tostring | startswith("unbounded") then 0.1 else 1 end)};

.algorithms[]
| select((.twin or (.rmr_cc | tostring | startswith("not a real cost"))
	or (.primitives | index("transaction"))) | not)
| .name as $name
| select($only == "" or ($only | split(" ") | index($name)))
| models as $m | (if .kind == "object" then object_points else points end) as $p
| select($p.series != "triple" or $m.model == "cc")
| [$p.series, $name, $p.n, $p.k, $p.c, $m.model, $m.smart, $p.weight * $m.share]
| map(tostring) | join(" ")
