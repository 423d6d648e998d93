# SPDX-License-Identifier: BSD-2-Clause
# The table of checked instances.

def commas: . // 0 | tostring | explode | reverse | [_nwise(3)] | map(reverse | implode) | reverse | join(",");

def passages: if . == null then "-" elif type == "array" then map(tostring) | join(",")
	elif . == 0 then "unbounded" else tostring end;

def verdict: if .verdict == "bounded" then "bounded by \(.bound)"
	elif .verdict == "violated" then "violated: \(.violated | join(", "))"
	else .verdict end;

"<table><thead><tr><th>algorithm</th><th>n</th><th>k</th><th>passages of each</th><th>crashes</th><th>states</th><th>seconds</th><th>verdict</th></tr></thead><tbody>",
(.[] | "<tr class=\"\(.verdict)\"><td class=\"name\">\(.algorithm | @html)</td><td class=\"number\">\(.n // "-")</td><td class=\"number\">\(.k // "-")</td><td class=\"number\">\(.passages | passages)</td><td class=\"number\">\(.crashes // "-")</td><td class=\"number\">\(.states | commas)</td><td class=\"number\">\((.seconds // 0) * 100 | round / 100)</td><td>\(verdict | @html)</td></tr>"),
"</tbody></table>"
