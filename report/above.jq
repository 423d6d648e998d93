# SPDX-License-Identifier: BSD-2-Clause
# Whether a measured cost exceeds its bound: the bound of the whole passage, or
# the bound of the part outside the component.

def has_bound: .bound != null or .bound_outside != null;

def above: (.bound != null and (.waits_on != null or (.worst != null and .worst > .bound)))
	or (.bound_outside != null and .worst_outside != null and .worst_outside > .bound_outside);
