"""Intervals for a coefficient, or the reason why it has none.

Independent items: the coefficient's own standard error, cut off at 1, as irrCAC prints it, or the
delete-one-item jackknife if it has none. Items that share a subject: the delete-one-subject jackknife, with
intervals made on the scale of Fisher's z (`on_z`). There is no interval with fewer than 10 items, fewer than
5 subjects or more than 5 % undefined replicates, nor for a kappa or alpha if fewer than 5 labels differ from
the most frequent one; if fewer than 20 do, it carries a warning (`docs/agreement-evidence.md`). If every pair
agrees, the variance is 0 and uninformative: percent agreement then has the exact bound of `agreement_bound`,
and other coefficients have no interval.
"""

from dataclasses import dataclass, replace
from math import atanh, inf, isfinite, tanh

import numpy as np

from clinicnum.annotations.agreement.coefficient import TINY, Coefficient, StandardError
from clinicnum.annotations.agreement.label_table import Floats, Ints
from clinicnum.annotations.agreement.percent import PAIRED, UNWEIGHTED
from clinicnum.annotations.agreement.rating_panel import Panel
from clinicnum.stats.jackknife import MIN_CLUSTERS, MIN_ITEMS, Interval, cluster_jackknife_interval, how_many

EXACT = "Clopper-Pearson"
LEAST_OFF_MODE, FEW_OFF_MODE = 5, 20
"""With fewer labels than these off the most frequent one, the interval of a kappa or alpha is withheld, or
has a warning.
"""
_ON_SHARES = ("cohen", "fleiss", "conger", "scott", "krippendorff_alpha")


@dataclass(frozen=True)
class Uncertainty:
    """A standard error and an interval, or in `method` the reason why there is none."""

    se: float | None
    ci95: tuple[float, float] | None
    method: str


def agreement_bound(units: int) -> float:
    """Lower end of the two-sided 95 % Clopper-Pearson interval when all of `units` agree: 0.025 ** (1/units).

    If each agrees with probability p, all agree with p ** units; the bound is the p for which that is 2.5 %.
    """
    return float(0.025 ** (1.0 / units))


def independent_units(panel: Panel, n_items: int) -> tuple[int, str]:
    """How many independent units there are, and their name: `n_items` items, or the subjects with a pair of
    labels.
    """
    if panel.cluster is None:
        return n_items, "items"
    return int((panel.by_cluster(UNWEIGHTED)[:, PAIRED] > 0).sum()), "subjects"


def uncertainty(panel: Panel, coefficient: Coefficient, value: float, n_items: int) -> Uncertainty:
    """The interval of a defined value, withheld or with a warning if the labels hardly vary."""
    return for_few_off_mode(_uncertainty(panel, coefficient, value, n_items), panel, coefficient)


def for_few_off_mode(found: Uncertainty, panel: Panel, coefficient: Coefficient) -> Uncertainty:
    """Withhold the interval, or add a warning, if few labels differ from the most frequent one."""
    if found.ci95 is None or not _rests_on_shares(panel, coefficient):
        return found
    off, labels = panel.off_mode
    thin = f"only {off} of {labels} labels {'is' if off == 1 else 'are'} not the most frequent one"
    if off < LEAST_OFF_MODE:
        return undefined_interval(
            f"{thin}, too few for an interval: half of such intervals missed the truth in simulated tables "
            "of two annotators and two labels (docs/agreement-evidence.md of clinicnum's source); that other "
            "tables get none either is a choice; see percent agreement"
        )
    if off < FEW_OFF_MODE:
        warning = f"{thin}: under {FEW_OFF_MODE}, so the interval may be too short"
        return replace(found, method=f"{found.method}; {warning}")
    return found


def _rests_on_shares(panel: Panel, coefficient: Coefficient) -> bool:
    """Whether chance agreement is estimated from the shares of the categories, as in the kappas and nominal
    alpha.
    """
    return panel.scale != "interval" and coefficient.name.startswith(_ON_SHARES)


def no_interval(panel: Panel, n_items: int) -> str | None:
    """Why there is no interval with so few items or subjects; None if there are enough."""
    units, unit = independent_units(panel, n_items)
    if n_items < MIN_ITEMS:
        return f"{how_many(n_items, 'item')}; an interval needs at least {MIN_ITEMS}"
    if unit == "subjects" and units < MIN_CLUSTERS:
        return f"{how_many(units, 'subject')}; an interval needs at least {MIN_CLUSTERS}"
    return None


def _uncertainty(panel: Panel, coefficient: Coefficient, value: float, n_items: int) -> Uncertainty:
    reason = no_interval(panel, n_items)
    if reason is not None:
        return undefined_interval(reason)
    units, unit = independent_units(panel, n_items)
    if value > 1.0 - TINY:
        bound = agreement_bound(units)
        if coefficient.name.startswith("percent_agreement"):
            return Uncertainty(None, (bound, 1.0), f"{EXACT}, all of {units} {unit} agree")
        return undefined_interval(
            f"all of {units} {unit} agree: no variance; percent agreement has an exact bound"
        )
    if panel.cluster is not None:
        totals = coefficient.cluster_totals(panel)
        return from_jackknife(jackknife(panel, coefficient, value, n_items, totals, None))
    if coefficient.standard_error is None:
        parts, weight = panel.parts(coefficient.contributions), panel.weight.astype(np.int64)
        by_item = jackknife(panel, coefficient, value, n_items, parts, weight)
        return from_jackknife(replace(by_item, method=by_item.method.replace("subject", "item")))
    return _analytic(panel, coefficient, value)


def published_on_z(panel: Panel, coefficient: Coefficient, value: float, n_items: int) -> Uncertainty | None:
    """The published interval for independent items, computed on Fisher's z; None if there is none.

    It is also None if items share subjects, or if the main interval has no standard error.
    """
    if panel.cluster is not None or uncertainty(panel, coefficient, value, n_items).se is None:
        return None
    found = _reach(panel, coefficient, value)
    if found is None:
        return None
    error, half = found
    least = coefficient.least
    return Uncertainty(error.se, on_z(value, half, least), f"{error.method}{ends_on(value, least)}")


def _analytic(panel: Panel, coefficient: Coefficient, value: float) -> Uncertainty:
    if coefficient.standard_error is None:
        raise ValueError(f"{coefficient.name} has no analytic standard error")
    found = _reach(panel, coefficient, value)
    if found is not None:
        error, half = found
        ends = value - half, value + half
    else:
        error = coefficient.standard_error(panel, value)
        if error.ends is None:
            return undefined_interval(
                "the estimated variance is 0, which says nothing: too few labels differ"
            )
        ends = error.ends
        if not (isfinite(ends[0]) and ends[0] <= value <= ends[1]):
            return undefined_interval("the interval from F has no lower end on these labels")
    return Uncertainty(
        error.se, (max(ends[0], _floor(value, coefficient.least)), min(ends[1], 1.0)), error.method
    )


def _floor(value: float, least: float) -> float:
    """The lower bound at which an interval is cut off: `least`, or -inf for a value that missing labels
    brought below it.
    """
    return least if value >= least else -inf


def _reach(panel: Panel, coefficient: Coefficient, value: float) -> tuple[StandardError, float] | None:
    """The coefficient's own standard error and its half-width at 95 %.

    None if that error is 0 or undefined, or comes with ends of its own.
    """
    from scipy.special import ndtri, stdtrit  # costs a quarter of a second: not at import

    if coefficient.standard_error is None:
        return None
    error = coefficient.standard_error(panel, value)
    if error.ends is not None or error.se is None or error.se < TINY:
        return None
    return error, error.se * float(ndtri(0.975) if error.df is None else stdtrit(error.df, 0.975))


def jackknife(
    panel: Panel, coefficient: Coefficient, value: float, n_items: int, parts: Floats, times: Ints | None
) -> Interval:
    """The delete-one-unit jackknife interval of `value`, which rests on `n_items` items; each replicate is
    made by subtraction from the totals.

    Units that contribute nothing do not count. `parts` has one row per unit, or with `times` one row per
    group of that many units with equal contributions.
    """
    counted = coefficient.counted(parts)
    replicates = coefficient.value(panel, coefficient.totals(panel) - parts[counted])
    if times is not None:
        replicates = np.repeat(replicates, times[counted])
    listed = replicates.tolist()
    if np.isnan(replicates).any():
        listed = [None if np.isnan(one) else one for one in listed]
    plain = cluster_jackknife_interval(listed, value, n_items=n_items)
    if plain.low is None or plain.high is None:
        return plain
    least = coefficient.least
    low, high = on_z(value, (plain.high - plain.low) / 2, least)
    return replace(plain, low=low, high=high, method=f"{plain.method}{ends_on(value, least)}")


def on_z(value: float, half: float, least: float) -> tuple[float, float]:
    """The interval value plus and minus half, computed on the scale of Fisher's z and transformed back.

    If few disagreements happen to be sampled, a coefficient is high and its standard error small: value plus
    and minus half then lies above the true value too often (with six subjects and AC1 = 0.86 in 10 % of data
    sets, below it in 1 %). If the range from `least` to 1 is rescaled to -1 to 1 and transformed by z =
    artanh, both error rates are near 2.5 %, and neither end leaves the range. Lin (1989) uses this scale for
    the concordance correlation; for these coefficients it is our choice, based on the coverage in
    `docs/agreement-evidence.md`. For a value at `least`, or without a `least`, the interval is not
    transformed but cut off.
    """
    place = _place(value, least)
    if not abs(place) < 1.0 - TINY:
        return max(value - half, _floor(value, least)), min(value + half, 1.0)
    z, reach = atanh(place), 2.0 * half / (1.0 - least) / (1.0 - place**2)
    low, high = (least + (1.0 - least) * (tanh(end) + 1.0) / 2.0 for end in (z - reach, z + reach))
    return low, high


def _place(value: float, least: float) -> float:
    """The value rescaled from the range `least` to 1 to -1 to 1; -1 if there is no least value."""
    return -1.0 if least == -inf else 2.0 * (value - least) / (1.0 - least) - 1.0


def ends_on(value: float, least: float) -> str:
    """Note on the scale on which `on_z` computes the ends, for a method's name; empty if they are not
    transformed.
    """
    if not abs(_place(value, least)) < 1.0 - TINY:
        return ""
    return ", ends on Fisher's z" if least == -1.0 else ", ends on the logit"  # artanh(2p - 1) = logit(p) / 2


def from_jackknife(interval: Interval) -> Uncertainty:
    """The interval of a jackknife in the form in which it is reported."""
    if interval.low is None or interval.high is None:
        return undefined_interval(interval.undefined or "no interval")
    warning = f"; {interval.warning}" if interval.warning else ""
    return Uncertainty(interval.se, (interval.low, interval.high), interval.method + warning)


def undefined_interval(reason: str) -> Uncertainty:
    """No interval, with the reason."""
    return Uncertainty(None, None, f"none: {reason}")
