# SPDX-License-Identifier: BSD-2-Clause
# The tables of build/bench/resilient.json.

def number: if . == null then "-" elif type == "number" then
	(if . >= 100 then round else . * 1000 | round / 1000 end | tostring) else tostring end;

def td: "<td class=\"number\">\(number | @html)</td>";

def text: "<td>\(tostring | @html)</td>";

def head: "<table><thead><tr>\(map("<th>\(.)</th>") | join(""))</tr></thead><tbody>";

(.cells[]
 | "<h3>\(.subject | @html), T=\(.T | number)\(if .void or .growth_void then " (void: other programs disturbed the measurement)" else "" end)</h3>",
   "<p>\(.blocks | number) blocks of slices of \(.slice_seconds | number) s; ratio of the mutex to itself: \(.null.median | number) (\(.null.low | number) to \(.null.high | number)); of the object to itself: \(.growth_null.median | number) (\(.growth_null.low | number) to \(.growth_null.high | number)).</p>",
   (["name", "k", "n", "CPU ns", "x mutex", "low", "high", "operations/s", "x first of its series", "low", "high"] | head),
   (.rows[] | "<tr><td class=\"name\">\(.name | @html)</td>" + (.k | td) + (.n | td) + (.cpu_ns.median | td)
	+ (.ratio.median | td) + (.ratio.low | td) + (.ratio.high | td) + (.operations_per_second.median | td)
	+ (.growth.median? | td) + (.growth.low? | td) + (.growth.high? | td) + "</tr>"),
   "</tbody></table>"),
(select(.counts | length > 0)
 | "<h3>Instructions and system calls of an operation</h3>",
   (["object", "name", "k", "n", "instructions", "system calls"] | head),
   (.counts[] | "<tr>" + (.subject | text) + (.name | text) + (.k | td) + (.n | td) + (.instructions | td) + (.system_calls | td) + "</tr>"),
   "</tbody></table>"),
(select(.ends | length > 0)
 | "<h3>Processes killed (-9) or stopped in the middle of an operation</h3>",
   (["event", "name", "k", "processes", "rounds", "others", "state", "told"] | head),
   (.ends[] | "<tr>" + (if .part == "e" then "killed" else "stopped" end | text) + (.name | text) + (.k | td)
	+ (.held | td) + (.rounds | td) + (.others | text) + (.state | text) + (.told | text) + "</tr>"),
   "</tbody></table>")
