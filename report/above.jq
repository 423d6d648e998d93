# SPDX-License-Identifier: BSD-2-Clause
# Whether a measured cost exceeds its bound: the bound of the whole passage, the
# bound of the part outside the component, or the bound of the amortised cost.

def has_bound: .bound != null or .bound_outside != null or .amortised.bound != null;

def above: (.bound != null and (.waits_on != null or (.worst != null and .worst > .bound)))
	or (.bound_outside != null and .worst_outside != null and .worst_outside > .bound_outside)
	or (.amortised.bound != null and .amortised.cost > .amortised.bound);
