"""Conger's kappa: Cohen's kappa for any number of annotators, each with their own margins, and missing
labels.

kappa = (pa - pe) / (1 - pe); pa is percent agreement over items with a pair, pe the mean over pairs of
annotators g, h of the sum over categories of p_gk p_hk. p_gk is the share of k among all labels of g,
including those on items that nobody else labelled (as in irrCAC). For two annotators without missing labels
it is Cohen's kappa. Source: Conger (1980), Psychological Bulletin 88:322-328; missing labels and variance as
in irrCAC. Variance: Gwet's linearisation. Inapplicable for one annotator; undefined if all labels have the
same value.
"""

import numpy as np

from clinicnum.annotations.agreement.coefficient import Coefficient, StandardError, linearised, ratio
from clinicnum.annotations.agreement.label_table import MISSING, Floats, Ints
from clinicnum.annotations.agreement.percent import SHARES, UNWEIGHTED, item_agreement, observed
from clinicnum.annotations.agreement.rating_panel import Panel


def _marks(panel: Panel) -> Ints:
    """Index of each label's cell in the table of annotators x values; `MISSING` where there is no label."""
    width = len(panel.values)
    cell = panel.rows + np.arange(len(panel.annotators)) * width
    marks: Ints = np.where(panel.rows >= 0, cell, MISSING)
    return marks


def _cells(panel: Panel) -> int:
    return len(panel.annotators) * len(panel.values)


def _margins(panel: Panel, marked: Floats) -> tuple[Floats, Floats]:
    """Share of each value by annotator (0 for an annotator without labels), and how many annotators have
    labels.
    """
    table = marked.reshape(*marked.shape[:-1], len(panel.annotators), len(panel.values))
    labels = table.sum(axis=-1, keepdims=True)
    return table / np.maximum(labels, 1.0), (labels[..., 0] > 0).sum(axis=-1)


def _value(panel: Panel, totals: Floats) -> Floats:
    margins, annotators = _margins(panel, totals[..., SHARES + len(panel.values) :])
    together = (margins.sum(axis=-2) ** 2).sum(axis=-1)
    own = (margins**2).sum(axis=(-2, -1))
    chance = ratio(together - own, annotators * (annotators - 1.0))
    return ratio(observed(totals) - chance, 1.0 - chance)


def _standard_error(panel: Panel, value: float) -> StandardError:
    marked = panel.marked(_marks, _cells(panel))
    margins, _ = _margins(panel, marked)
    labels = marked.reshape(margins.shape).sum(axis=1)
    others = margins.sum(axis=0) - margins
    pairs = len(margins) * (len(margins) - 1)
    chance = float((margins * others).sum()) / pairs
    # A label of annotator g moves p_g by (label - p_g) / labels of g, and pe by twice that times the others.
    mean = (margins * others).sum(axis=1)
    pull = (others - mean[:, None]) / labels[:, None] * panel.n_items / pairs
    given = panel.rows >= 0
    each = np.where(given, pull[np.arange(len(margins)), np.where(given, panel.rows, 0)], 0.0)
    drift = each.sum(axis=1) / (1.0 - chance)
    return linearised(item_agreement(panel, chance) - 2.0 * (1.0 - value) * drift, panel.weight, value)


def _needs_several(panel: Panel) -> str | None:
    return None if len(panel.annotators) > 1 else "1 annotator: it is defined for 2 or more"


CONGER_KAPPA = Coefficient(
    name="conger_kappa",
    contributions=UNWEIGHTED,
    value=_value,
    marks=_marks,
    marked_columns=_cells,
    standard_error=_standard_error,
    inapplicable=_needs_several,
    per_category=True,
)
