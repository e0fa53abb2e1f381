"""One coefficient on one panel: its value with an interval, or the reason why there is none."""

import numpy as np

from clinicnum.annotations.agreement.coefficient import Coefficient
from clinicnum.annotations.agreement.intervals import agreement_bound, independent_units, uncertainty
from clinicnum.annotations.agreement.rating_panel import Panel
from clinicnum.annotations.agreement.types import CoefficientValue
from clinicnum.stats.jackknife import MIN_ITEMS, how_many


def compute_one(panel: Panel, coefficient: Coefficient) -> CoefficientValue:
    """One coefficient with its interval. What cannot be computed is None with the reason, never nan."""
    carries = coefficient.carries(panel)
    n_items = int(panel.weight @ carries)
    n_annotators = int((panel.rows[carries] >= 0).any(axis=0).sum())
    value, undefined = _value(panel, coefficient, n_items)
    if value is None:
        return CoefficientValue(
            name=coefficient.name,
            value=None,
            undefined=undefined,
            n_items=n_items,
            n_annotators=n_annotators,
        )
    spread = uncertainty(panel, coefficient, value, n_items)
    return CoefficientValue(
        name=coefficient.name,
        value=value,
        se=spread.se,
        ci95=spread.ci95,
        ci_method=spread.method,
        n_items=n_items,
        n_annotators=n_annotators,
    )


def _value(panel: Panel, coefficient: Coefficient, n_items: int) -> tuple[float | None, str | None]:
    """The value, or the reason why there is none."""
    reason = coefficient.inapplicable(panel)
    if reason is not None:
        return None, reason
    if not n_items:
        return None, "no item has labels by two annotators"
    value = float(coefficient.value(panel, coefficient.totals(panel)))
    if not np.isnan(value):
        return value, None
    seen = panel.rows[coefficient.carries(panel)]
    if len(np.unique(seen[seen >= 0])) > 1:
        return None, coefficient.undefined
    units, unit = independent_units(panel, n_items)
    where = "" if unit == "items" else f" from {units} subjects"
    low = f", lower end of the 95 % interval {100 * agreement_bound(units):.0f} %" * (n_items >= MIN_ITEMS)
    return None, f"no variation: 100 % agreement on {how_many(n_items, 'item')}{where}{low}"
