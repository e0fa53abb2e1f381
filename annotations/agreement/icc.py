"""Intraclass correlations after Shrout and Fleiss (1979): six forms, on items that all annotators labelled.

From the mean squares of items (B), annotators (J), residual (E) and within items (W), n items, k annotators:
(1,1) = (B - W) / (B + (k - 1) W), items labelled by random annotators; (2,1) = (B - E) / (B + (k - 1) E + k
(J - E) / n), annotators drawn from many, absolute agreement; (3,1) = (B - E) / (B + (k - 1) E), just these
annotators, consistency. For the mean of k labels: (1,k) = (B - W) / B; (2,k) = (B - E) / (B + (J - E) / n);
(3,k) = (B - E) / B. Labels must be numbers. Source: Shrout and Fleiss (1979), Psychological Bulletin
86:420-428; intervals from F as there, with approximate degrees of freedom for (2,1) and (2,k). They assume
normal errors, which scales with few levels do not have. Inapplicable without numbers, or with fewer than 2
annotators or 2 complete items; undefined if the denominator is not above 0, which for the k forms is the case
if items do not differ on average.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

import numpy as np

from clinicnum.annotations.agreement.coefficient import (
    TINY,
    Coefficient,
    StandardError,
    needs_numbers,
    numbers,
)
from clinicnum.annotations.agreement.label_table import Floats
from clinicnum.annotations.agreement.rating_panel import Flags, Panel

_TAIL = 0.975


@dataclass(frozen=True)
class MeanSquares:
    """Mean squares from which the six intraclass correlations follow; arrays if computed for several sets of
    items at once, as in a jackknife.
    """

    n: Floats
    k: int
    items: Floats
    annotators: Floats
    residual: Floats
    within: Floats


def _complete(panel: Panel) -> Flags:
    flags: Flags = np.all(panel.rows >= 0, axis=1)
    return flags


def _contributions(panel: Panel) -> Floats:
    """Contributions of an item: 1, sum of squares, squared sum, then each annotator's number; all 0 if a
    label is missing.
    """
    complete = _complete(panel)
    at = numbers(panel)
    at = at - at.mean()  # centred, against cancellation of large numbers
    given = np.where(complete[:, None], at[np.where(panel.rows >= 0, panel.rows, 0)], 0.0)
    squares, sums = (given**2).sum(axis=1), given.sum(axis=1) ** 2
    return np.column_stack([complete.astype(float), squares, sums, given])


def mean_squares(panel: Panel, totals: Floats) -> MeanSquares:
    """The mean squares from the sums of the items' contributions, (..., 3 + annotators); nan for fewer than 2
    items.
    """
    n, k = totals[..., 0], len(panel.annotators)
    n = np.where(n > 1, n, np.nan)
    centre = totals[..., 3:].sum(axis=-1) ** 2 / (n * k)
    between = totals[..., 2] / k - centre
    annotators = (totals[..., 3:] ** 2).sum(axis=-1) / n - centre
    within = totals[..., 1] - totals[..., 2] / k
    return MeanSquares(
        n=n,
        k=k,
        items=between / (n - 1),
        annotators=annotators / (k - 1),
        residual=np.maximum(within - annotators, 0.0) / ((n - 1) * (k - 1)),
        within=within / (n * (k - 1)),
    )


Terms = Callable[[MeanSquares], tuple[Floats, Floats]]
"""Numerator and denominator."""


def _icc11(s: MeanSquares) -> tuple[Floats, Floats]:
    return s.items - s.within, s.items + (s.k - 1) * s.within


def _icc21(s: MeanSquares) -> tuple[Floats, Floats]:
    below = s.items + (s.k - 1) * s.residual + s.k * (s.annotators - s.residual) / s.n
    return s.items - s.residual, below


def _icc31(s: MeanSquares) -> tuple[Floats, Floats]:
    return s.items - s.residual, s.items + (s.k - 1) * s.residual


def _icc1k(s: MeanSquares) -> tuple[Floats, Floats]:
    return s.items - s.within, s.items


def _icc2k(s: MeanSquares) -> tuple[Floats, Floats]:
    return s.items - s.residual, s.items + (s.annotators - s.residual) / s.n


def _icc3k(s: MeanSquares) -> tuple[Floats, Floats]:
    return s.items - s.residual, s.items


def _value(terms: Terms) -> Callable[[Panel, Floats], Floats]:
    def value(panel: Panel, totals: Floats) -> Floats:
        above, below = terms(mean_squares(panel, totals))
        positive = below > TINY
        return np.where(positive, above / np.where(positive, below, 1.0), np.nan)

    return value


Ends = Callable[[MeanSquares], tuple[float, float]]


def _from_f(single: bool, one_way: bool) -> Ends:
    """Interval of forms (1,.) and (3,.): the ratio of mean squares divided and multiplied by a quantile of
    F.
    """

    def ends(s: MeanSquares) -> tuple[float, float]:
        from scipy.special import fdtri  # costs a quarter of a second: not at import

        n, k = float(s.n), s.k
        error, df = (s.within, n * (k - 1)) if one_way else (s.residual, (n - 1) * (k - 1))
        f = float(s.items / error)
        low, high = f / float(fdtri(n - 1, df, _TAIL)), f * float(fdtri(df, n - 1, _TAIL))
        if single:
            return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)
        return 1 - 1 / low, 1 - 1 / high

    return ends


def _from_approximate_f(single: bool) -> Ends:
    """Interval of forms (2,.): the degrees of freedom are approximated from the estimate."""

    def ends(s: MeanSquares) -> tuple[float, float]:
        from scipy.special import fdtri  # costs a quarter of a second: not at import

        n, k = float(s.n), s.k
        b, j, e = float(s.items), float(s.annotators), float(s.residual)
        above, below = _icc21(s)
        rho, f = float(above / below), j / e
        rest = n * (1 + (k - 1) * rho) - k * rho
        df = (k - 1) * (n - 1) * (k * rho * f + rest) ** 2 / ((n - 1) * (k * rho * f) ** 2 + rest**2)
        upper, lower = float(fdtri(n - 1, df, _TAIL)), float(fdtri(df, n - 1, _TAIL))
        spread = k * j + (k * n - k - n) * e
        low = n * (b - upper * e) / (upper * spread + n * b)
        high = n * (lower * b - e) / (spread + n * lower * b)
        return (low, high) if single else (_stepped(low, k), _stepped(high, k))

    return ends


def _stepped(rho: float, k: int) -> float:
    """Reliability of the mean of k labels (Spearman-Brown); infinite where its variance would be negative."""
    below = 1 + rho * (k - 1)
    return rho * k / below if below > TINY else -inf


def f_interval(panel: Panel, ends: Ends) -> tuple[float, float] | None:
    """The 95 % interval of one of the six forms of the intraclass correlation, made by `ends`; None where a
    mean square it divides by is 0.
    """
    squares = mean_squares(panel, panel.weight @ panel.parts(_contributions))
    if not (squares.residual > TINY and squares.within > TINY):
        return None
    return ends(squares)


def _standard_error(ends: Ends) -> Callable[[Panel, float], StandardError]:
    def standard_error(panel: Panel, _: float) -> StandardError:
        return StandardError(None, None, "F, Shrout and Fleiss 1979", f_interval(panel, ends))

    return standard_error


def _inapplicable(panel: Panel) -> str | None:
    reason = needs_numbers(panel)
    if reason is not None:
        return reason
    if len(panel.annotators) < 2:
        return "1 annotator: it is defined for 2 or more"
    complete = int(panel.weight @ _complete(panel))
    if complete < 2:
        items = "1 item" if complete == 1 else f"{complete} items"
        return f"{items} labelled by all {len(panel.annotators)} annotators: it needs at least 2"
    return None


FORMS: dict[str, tuple[Terms, Ends]] = {
    "icc(1,1)": (_icc11, _from_f(single=True, one_way=True)),
    "icc(2,1)": (_icc21, _from_approximate_f(single=True)),
    "icc(3,1)": (_icc31, _from_f(single=True, one_way=False)),
    "icc(1,k)": (_icc1k, _from_f(single=False, one_way=True)),
    "icc(2,k)": (_icc2k, _from_approximate_f(single=False)),
    "icc(3,k)": (_icc3k, _from_f(single=False, one_way=False)),
}
ICCS = tuple(
    Coefficient(
        name=name,
        contributions=_contributions,
        value=_value(terms),
        standard_error=_standard_error(ends),
        inapplicable=_inapplicable,
        carries=_complete,
        undefined="the items do not differ enough on average: its denominator is not above 0",
        chance_corrected=False,
        least=-inf if name.endswith("k)") else -1.0,
    )
    for name, (terms, ends) in FORMS.items()
)
