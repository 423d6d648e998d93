# SPDX-License-Identifier: BSD-2-Clause
# The lines of one picture, from all rows: NUMBER LABEL X VALUE BOUND, separated
# by tabs; NUMBER is the same for an algorithm in all pictures.  Whoever has no
# value at all, or grows without bound the longer one measures, is not drawn.
# $series, $model, $value: which picture.

def x: if $series == "group" then .n else .[$series] end;

def own: [.algorithm, .smart_cache];

def called: .algorithm + (if .smart_cache then " (smart cache)" else "" end)
	+ (if .k == 1 and $series != "k" then " (k=1)" else "" end);

(map(own) | unique) as $owners
| map(select(.series == $series and .model == $model))
| map(select(.bound_text | tostring | startswith("unbounded") | not))
| group_by(own)[]
| select(any(.[$value] != null))
| sort_by(x)[]
| own as $own
| [($owners | index([$own])), called, x,
   (.[$value] // "NaN"), (if $value == "worst" then .bound // "NaN" else "NaN" end)]
| map(tostring) | join("\t")
