# SPDX-License-Identifier: BSD-2-Clause
# The lines of one picture from the JSON of bench/resilient, in the format of series.jq:
# NUMBER LABEL X VALUE BOUND.  Rivals have no k and no n, so they are horizontal lines.
# The values are times, not ratios.  So the values of a cell are void if its two
# measurements of the same object differ (growth_void).  $series: k or n; $words: the size
# of the object in words.

["object", "mutex", "robust mutex", "compare-and-swap"] as $names
| .cells | map(select(.words == $words))
| (map(.T) | unique) as $threads
| .[] as $cell
| ($cell.rows | map(select(.series == $series) | .[$series])) as $xs
| $cell.rows[]
| select(.series == $series or .series == null)
| .name as $name | ($names | index($name)) as $number
| select($number != null)
| (if .series then .[$series] else $xs[] end) as $x
| [$number * ($threads | length) + ($threads | index($cell.T)),
   "\($name) T=\($cell.T)\(if $cell.growth_void then " void" else "" end)",
   $x, .cpu_ns.median, "NaN"]
| map(tostring) | join("\t")
