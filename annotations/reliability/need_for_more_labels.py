"""Whether more labelling is worthwhile: how far a layer's headline coefficient is from a target half-width.

If there is an interval, its half-width tells how precise the study is. If that is not enough, the planner's
simulation estimates how many items are needed. For scales that the planner does not simulate, half-widths are
taken as proportional to 1 / sqrt(items), which is also the planner's starting point.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from clinicnum.annotations.agreement import CoefficientValue
from clinicnum.annotations.agreement.format_results import headline
from clinicnum.annotations.agreement.study_agreement import Layer
from clinicnum.annotations.reliability.sample_size_planner import Plan

WANTED = 0.05


@dataclass(frozen=True)
class PrecisionOutlook:
    """How far one layer's coefficient is from the wanted half-width, and how many more items it takes."""

    layer: Layer
    figure: CoefficientValue | None
    """Krippendorff's alpha on the layer's scale; None if the layer has no result."""
    percent: CoefficientValue | None
    """Percent agreement, for comparison."""
    wanted: float
    half_width: float | None
    """Half-width of the 95 % interval; None without an interval."""
    more: int | None
    """Further items needed for the target half-width; 0 if it is reached, None if unknown."""
    planned: bool
    """Whether `more` comes from the planner's simulation, not from extrapolation."""
    why: str | None
    """Why there is no figure, no interval or no plan."""


def outlook(
    layer: Layer, *, wanted: float = WANTED, plan: Callable[[], Plan] | None = None
) -> PrecisionOutlook:
    """How far a layer's headline coefficient is from the half-width `wanted`; `plan` is called only if
    needed.
    """
    result = layer.result
    figure = None if result is None else headline(result)
    half = None if figure is None or figure.ci95 is None else (figure.ci95[1] - figure.ci95[0]) / 2
    more, planned, why = None, False, _without(layer, figure)
    if figure is not None and half is not None:
        more, planned, why = _more(figure, half, wanted, plan)
    return PrecisionOutlook(
        layer=layer,
        figure=figure,
        percent=None if result is None else result.coefficient("percent_agreement"),
        wanted=wanted,
        half_width=half,
        more=more,
        planned=planned,
        why=why,
    )


def _more(
    figure: CoefficientValue, half: float, wanted: float, plan: Callable[[], Plan] | None
) -> tuple[int | None, bool, str | None]:
    """Number of further items needed, whether the planner estimated it, and the reason if it is unknown."""
    if half <= wanted:
        return 0, False, None
    if plan is None:
        return ceil(figure.n_items * ((half / wanted) ** 2 - 1)), False, None
    made = plan()
    if made.items is None:
        return None, True, made.undefined
    return max(made.items - figure.n_items, 0), True, None


def _without(layer: Layer, figure: CoefficientValue | None) -> str | None:
    """Why the layer has no value, or no interval; None if it has both."""
    if figure is None:
        return layer.undefined
    return figure.undefined or (figure.ci_method or "no interval").removeprefix("none: ")
