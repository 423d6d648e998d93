# SPDX-License-Identifier: BSD-2-Clause
# The tables of build/bench/kexclusion.json or groups.json, one for each cell.

def number: if . == null then "-" elif type == "number" then
	(if . >= 100 then round else . * 1000 | round / 1000 end | tostring) else tostring end;

def td: "<td class=\"number\">\(number | @html)</td>";

.cells[]
| (.sessions != null) as $groups
| (if $groups then "\(.sessions) \(.asking) sessions, ideal \(.ideal | number) inside" else "k=\(.k)" end) as $of
| "<h3>\(.T) \(.on), \($of | @html), section \(.section | tostring | @html)\(if .void then " (void: other programs disturbed the measurement)" else "" end)</h3>",
  "<p>\(.blocks | number) blocks of slices of \(.slice_seconds | number) s; ratio of the base to itself: \(.null.median | number) (\(.null.low | number) to \(.null.high | number)).</p>",
  "<table><thead><tr><th>name</th><th>passages/s</th><th>ratio</th><th>low</th><th>high</th>\(if $groups then "<th>inside</th><th>of the ideal</th>" else "" end)<th>share</th><th>wait p50, us</th><th>p90</th><th>p99</th><th>max</th><th>overtakes</th><th>CPU us per passage</th></tr></thead><tbody>",
  (.rows[] | "<tr><td class=\"name\">\(.name | @html)</td>" + (.passages_per_second | td)
	+ (.ratio.median? | td) + (.ratio.low? | td) + (.ratio.high? | td)
	+ (if $groups then (.inside | td) + (.inside_part | td) else "" end) + (.share | td)
	+ (.wait_us.p50? | td) + (.wait_us.p90? | td) + (.wait_us.p99? | td) + (.wait_us.max? | td)
	+ (.overtakes | td) + (.cpu_us_per_passage | td) + "</tr>"),
  "</tbody></table>"
