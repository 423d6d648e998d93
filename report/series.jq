# SPDX-License-Identifier: BSD-2-Clause
# The lines of one picture, from all rows: NUMBER LABEL X VALUE BOUND, separated by
# tabs; an algorithm has the same NUMBER in all pictures.  An algorithm is not drawn if
# it has no values or if its cost is unbounded.  $series, $model and $value select the
# picture; the value "outside" is the worst cost outside the component.  In the series
# "triple", n is 3k.

def x: if $series == "group" then .n elif $series == "triple" then .k else .[$series | ltrimstr("object-")] end;

def value: if $value == "outside" then .worst_outside
	elif $value == "amortised" then .amortised.cost else .[$value] end;

def bound: if $value == "worst" then .bound elif $value == "outside" then .bound_outside
	elif $value == "amortised" then .amortised.bound else null end;

# The cost outside the component is bounded even if waiting in the component is not.
def is_drawn: $value == "outside" or (.bound_text | tostring | startswith("unbounded") | not);

def own: [.algorithm, .smart_cache];

def called: .algorithm + (if .smart_cache then " (smart cache)" else "" end)
	+ (if .k == 1 and ($series | endswith("k") or . == "triple" | not) then " (k=1)" else "" end);

(map(own) | unique) as $owners
| map(select(.series == $series and .model == $model))
| map(select(is_drawn))
| group_by(own)[]
| select(any(value != null))
| sort_by(x)[]
| own as $own
| [($owners | index([$own])), called, x,
   (value // "NaN"), (bound // "NaN")]
| map(tostring) | join("\t")
