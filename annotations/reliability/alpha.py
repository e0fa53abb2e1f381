"""Nominal alpha as a function of sums over items, so that arms and simulated studies can be compared by sums.

Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability": 1 - observed / expected disagreement, over
items with at least two labels. An item with r labels, n_c of them c, adds sum of n_c (n_c - 1) / (r - 1) to
the agreeing pairs, and n_c to each category; with n labels in all the expected agreement is the sum of
n_c (n_c - 1) / (n (n - 1)). A test holds it to `krippendorff_alpha_nominal` of `agreement`.
"""

import numpy as np

from clinicnum.clusters import Floats, quotient


def alpha_columns(counts: Floats) -> Floats:
    """What items add, [items, 1 + categories], from how many labels of each category they have."""
    labels = counts.sum(axis=1)
    paired = (labels >= 2)[:, None]
    agreeing = quotient((counts * (counts - 1)).sum(axis=1), np.maximum(labels - 1, 1))
    return np.where(paired, np.column_stack([agreeing, counts]), 0.0)


def nominal_alpha(sums: Floats) -> Floats:
    """Alpha from sums [..., 1 + categories]; nan where all labels are the same or there is no pair."""
    agreeing, given = sums[..., 0], sums[..., 1:]
    n = given.sum(axis=-1)
    expected = quotient((given * (given - 1)).sum(axis=-1), n * (n - 1))
    return 1.0 - quotient(1.0 - quotient(agreeing, n), 1.0 - expected)
