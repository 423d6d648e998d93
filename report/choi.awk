# SPDX-License-Identifier: BSD-2-Clause
# Makes a gnuplot script from the output of choi-figures: the three figures of section
# 2.1 of Choi's thesis.  Variable (-v): figure.
#
#   array   Figure 1: the words A, and the place of the last enabled token
#   bits    Figure 2: the elements of both sets in binary, and the common element
#   block   Figure 3: a block with both sets
#
# Each square is one unit wide; y counts rows from the bottom.
BEGIN { places = 0 }
$1 == "place" { block[places] = $2; place[places] = $3; value[places++] = $4 }
$1 == "enabled" { enabled = $2 }
$1 == "bits" { bits = $2 }
$1 == "wait" { for (i = 2; i <= NF; i++) waits[$i] = wait[++waiting] = $i }
$1 == "release" { for (i = 2; i <= NF; i++) releases[$i] = release[++releasing] = $i }

# canvas WIDTH HEIGHT X Y: a picture of WIDTH by HEIGHT pixels that shows x from 0 to X
# and y from 0 to Y.
function canvas(width, height, x, y) {
	printf "set terminal svg size %d,%d font 'Helvetica,14' background '#ffffff'\n", width, height
	print "set output output\nunset border\nunset tics\nunset key"
	print "set lmargin 0\nset rmargin 0\nset tmargin 0\nset bmargin 0"
	printf "set xrange [0:%g]\nset yrange [0:%g]\n", x, y
}
function square(x, y, shade) {
	printf "set object rectangle from %g,%g to %g,%g fillcolor rgb '%s' fillstyle solid border lc rgb '#444444'\n", x, y, x + 1, y + 1, shade
}
function label(text, x, y, where, colour) {
	printf "set label '%s' at %g,%g %s front%s\n", text, x, y, where ? where : "center", colour ? " tc rgb '" colour "'" : ""
}
function arrow(x, from, to) {
	printf "set arrow from %g,%g to %g,%g lw 1.5 front\n", x, from, x, to
}
function binary(v,  text, b) {
	for (b = 2 ^ (bits - 1); b >= 1; b /= 2) text = text (int(v / b) % 2)
	return text
}

function array(  i, last) {
	canvas(1000, 190, places + 3, 5)
	last = (enabled - 1) % places
	for (i = 0; i < places; i++) {
		square(i + 2, 2, value[i] == value[last] ? "#b7d3f0" : "#ffffff")
		label(value[i], i + 2.5, 2.5)
		label(place[i], i + 2.5, 1.5)
		if (place[i] == 0) label("block " block[i], i + 2, 0.7, "left")
	}
	label("A[i][j]", 1.8, 2.5, "right")
	label("j", 1.8, 1.5, "right")
	arrow(last + 2.5, 3.9, 3.1)
	label("token " enabled - 1 " is the last of " enabled " enabled tokens", last + 2.5, 4.3)
}

# set_bits SET COUNT X NAME OTHER: a column with the elements of a set; an element that
# is also in OTHER is shaded.
function set_bits(set, count, x, name, other,  i, b, text, y) {
	label(name, x + bits / 2, rows + 1.6)
	for (i = 1; i <= count; i++) {
		y = rows - i + 0.6
		text = binary(set[i])
		for (b = 1; b <= bits; b++) {
			square(x + b - 1, y, set[i] in other ? "#b7d3f0" : "#ffffff")
			label(substr(text, b, 1), x + b - 0.5, y + 0.5)
		}
		label(set[i], x - 0.4, y + 0.5, "right")
	}
}
function both_bits() {
	rows = waiting > releasing ? waiting : releasing
	canvas(80 * bits + 200, 40 * (rows + 3), 2 * bits + 6, rows + 2.4)
	set_bits(wait, waiting, 2, "Wait-Set(" wait[1] ")", releases)
	set_bits(release, releasing, bits + 5, "Release-Set(" release[releasing] ")", waits)
}

function one_block(  i, k) {
	k = wait[waiting] + 1 # k-1 is in every Wait-Set
	canvas(1150, 190, k + 2, 5.4)
	for (i = 0; i < k; i++) {
		square(i + 1, 2.2, i in waits ? "#b7d3f0" : "#ffffff")
		label(i, i + 1.5, 2.7)
		if (i in releases) arrow(i + 1.5, 1.2, 2.1)
	}
	label("shaded: Wait-Set(" wait[1] ")", 1, 4.2, "left")
	label("arrows: Release-Set(" release[releasing] ")", 1, 0.6, "left")
}

END {
	if (figure == "array") array()
	else if (figure == "bits") both_bits()
	else one_block()
	print "plot NaN"
}
