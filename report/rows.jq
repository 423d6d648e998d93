# SPDX-License-Identifier: BSD-2-Clause
# The table below a picture.  $series and $model select the rows.
include "above";

def cell($class): "<td class=\"\($class)\">\(if . == null then "-" else tostring end | @html)</td>";

def mean: if . == null then null else . * 10 | round / 10 end;

def how: if .waits_on then "unbounded: waits on \(.waits_on)"
	elif .worst == null then "no passage ended within the steps"
	else .note // .method end;

map(select(.series == $series and .model == $model))
| sort_by([.algorithm, .smart_cache, (.[$series | ltrimstr("object-")] // .n), .k])
| "<table><thead><tr><th>algorithm</th><th>n</th><th>k</th><th>contention</th><th>worst</th><th>mean</th><th>amortised</th><th>worst adversary for it</th><th>bound</th><th>outside the component</th><th>its bound</th><th>passages</th><th>method</th></tr></thead><tbody>",
  (.[] | "<tr\(if above then " class=\"above\"" else "" end)>"
	+ ((.algorithm + (if .smart_cache then " (smart cache)" else "" end)) | cell("name"))
	+ (.n | cell("number")) + (.k | cell("number")) + (.contention | cell("number"))
	+ (.worst | cell("number")) + (.mean | mean | cell("number"))
	+ (.amortised.cost | mean | cell("number")) + (.amortised.adversary | cell("text")) + (.bound | cell("number"))
	+ (.worst_outside | cell("number")) + (.bound_outside | cell("number"))
	+ (.passages | cell("number")) + (how | cell("text")) + "</tr>"),
  "</tbody></table>"
