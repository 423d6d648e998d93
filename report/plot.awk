# SPDX-License-Identifier: BSD-2-Clause
# Makes a gnuplot script from the output of series.jq.  Variables (-v): axis, the label
# of the x axis; title; what, the label of the y axis.
#
# Measured values are points on thin lines; bounds are wide pale dashes behind them, so
# that both are visible where they are equal.  The points of each algorithm are moved
# sideways by a different amount, so that no point hides another.  Where lines coincide,
# dashed lines are in front, so that the lines behind them show through the gaps.  The
# names are on the right, in the order of the last values.
BEGIN {
	FS = "\t"
	if (!what) what = "remote references of a passage"
	colours = split("e6194b 3cb44b 4363d8 f58231 911eb4 008080 f032e6 9a6324 " \
		"800000 808000 000075 2fa4c7 6b6b6b bfa100 2e8b57 7b68ee c71585 " \
		"556b2f 1e90ff b22222 00a86b 8b4513 4b0082 ff6f61 5f9ea0 d2691e", colour, " ")
	shapes = split("7 5 9 11 13 6 4 8 10 12 2 3 1", shape, " ")
	dashes = split("1 (14,8) (3,7)", dash, " ")
}
!($1 in lines) { order[++count] = $1; name[$1] = $2 }
{
	at = ++lines[$1]
	x[$1, at] = $3; value[$1, at] = $4; bound[$1, at] = $5
	ticks[$3] = 1
	note($4); note($5)
	if ($4 != "NaN") { last_x[$1] = $3; last[$1] = $4 }
}
function note(v) {
	if (v == "NaN" || v <= 0) return
	if (!low || v + 0 < low) low = v + 0
	if (v + 0 > high) high = v + 0
}
function log10(v) { return log(v) / log(10) }
function common(a, b) { return b ? common(b, a % b) : a }
# Returns the factor by which the points of an algorithm are moved sideways: at most a
# fifth of an octave to either side.  Neighbours in the list often have similar values,
# so their factors are far apart.
function aside(i,  stride) {
	if (count < 2) return 1
	for (stride = int(count * 0.38) + 1; common(stride, count) > 1; stride++) ;
	return 2 ^ (0.4 * ((i * stride) % count / (count - 1) - 0.5))
}
# Places the names from the lowest value up, at least `room` apart.  If the last name is
# too high, moves the names down from the top.
function place(  i, j, swap, room, top) {
	for (i = 1; i <= count; i++) {
		rank[i] = i
		for (j = i; j > 1 && last[order[rank[j]]] < last[order[rank[j - 1]]]; j--) {
			swap = rank[j]; rank[j] = rank[j - 1]; rank[j - 1] = swap
		}
	}
	room = (log10(high) - log10(low)) / (count > 26 ? count + 4 : 30)
	for (i = 1; i <= count; i++) {
		y[rank[i]] = log10(last[order[rank[i]]])
		if (i > 1 && y[rank[i]] < y[rank[i - 1]] + room) y[rank[i]] = y[rank[i - 1]] + room
	}
	top = log10(high)
	for (i = count; i >= 1 && y[rank[i]] > top; i--) {
		y[rank[i]] = top
		top -= room
	}
}
END {
	if (!count) exit
	low /= 1.25; high *= 1.25
	print "set terminal svg size 1150,720 font 'Helvetica,14' background '#ffffff'"
	print "set output output"
	printf "set title '%s'\nset xlabel '%s'\n", title, axis
	printf "set label '%s' at screen 0.012,0.5 rotate center\n", what
	print "set logscale x 2\nset logscale y 10\nset grid xtics ytics lc rgb '#dddddd'"
	print "set border 3\nset tics nomirror out\nunset key\nset lmargin at screen 0.085\nset rmargin at screen 0.76"
	for (t in ticks) if (!least || t + 0 < least) least = t + 0
	for (t in ticks) if (t + 0 > most) most = t + 0
	printf "set xrange [%g:%g]\nset yrange [%g:%g]\n", least / 1.25, most * 1.25, low, high
	list = ""
	for (t in ticks) list = list (list ? "," : "") t
	print "set xtics (" list ")"
	print "set ytics (1,2,3,5,10,20,30,50,100,200,300,500,1000,2000,3000,5000,10000,20000,30000,50000,100000)"
	# If all values are close together, add more horizontal lines.
	if (high / low < 4)
		for (t = 1; t <= 10000; t *= 10)
			printf "set ytics add (%g,%g,%g,%g,%g,%g)\n", 4 * t, 6 * t, 7 * t, 8 * t, 9 * t, 15 * t
	place()
	for (i = 1; i <= count; i++) {
		p = order[i]
		c = colour[p % colours + 1]
		printf "$d%d << EOD\n", i
		for (j = 1; j <= lines[p]; j++)
			printf "%g %s %s\n", x[p, j] * aside(i), value[p, j], bound[p, j]
		print "EOD"
		printf "set label '%s' at graph 1.05, first %g left front tc rgb '#%s'\n", name[p], 10 ^ y[i], c
		printf "set arrow from first %g,%g to graph 1.04, first %g nohead back lw 0.6 lc rgb '#%s'\n", last_x[p] * aside(i), last[p], 10 ^ y[i], c
	}
	for (i = 1; i <= count; i++)
		printf "%s $d%d using 1:3 with lines lw 6 dt (6,4) lc rgb '#b0%s'", (i > 1 ? ", \\\n" : "plot "), i, colour[order[i] % colours + 1]
	for (d = 0; d < dashes; d++)
		for (i = 1; i <= count; i++) if (order[i] % dashes == d)
			printf ", \\\n $d%d using 1:2 with lines lw 1.5 dt %s lc rgb '#%s'", i,
				dash[d + 1], colour[order[i] % colours + 1]
	for (i = 1; i <= count; i++)
		printf ", \\\n $d%d using 1:2 with points ps 0.8 pt %d lc rgb '#%s'", i,
			shape[order[i] % shapes + 1], colour[order[i] % colours + 1]
	print ""
}
