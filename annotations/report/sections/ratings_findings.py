"""What a ratings study found, in sentences and key figures."""

from collections.abc import Iterator

from clinicnum.annotations.custom_field_answers import column_name
from clinicnum.annotations.report.rated_answers import Ratings, scale_of
from clinicnum.annotations.report.report_content import Finding, KeyFigure
from clinicnum.annotations.report.sections.share_cells import ends
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.interval_estimate import Figure
from clinicnum.stats.jackknife import how_many

MOST = 3
"""Most sentences on each kind of figure."""


def ratings_findings(view: StudyView) -> Iterator[Finding]:
    """The lowest means, and the differences between models whose intervals are clear of 0."""
    found = Ratings(view)
    rated = [
        (_place(one.mean.value, scale_of(axis)), axis.name, model, one.mean, scale_of(axis))
        for axis, model, one in found.figures
        if one.mean.value is not None
    ]
    of = f"; among the {MOST} lowest of {len(rated)} means" * (len(rated) > MOST)
    for _, axis, model, mean, scale in sorted(rated, key=lambda row: row[:3])[:MOST]:
        yield Finding(
            topic="Lowest ratings",
            text=f"{model} was rated {mean.value:.2f} on {axis}, on points from {scale[0]:g} to {scale[1]:g} "
            f"({_span(mean)}; {how_many(mean.n, 'answer')}{of}).",
            table="ratings_means",
            holds_labels=True,
        )
    clear = _clear(found)
    for axis, one, other, figure in clear[:MOST]:
        higher, lower = (one, other) if (figure.value or 0.0) > 0 else (other, one)
        yield Finding(
            topic="Differences",
            text=f"{higher} was rated {abs(figure.value or 0.0):.2f} points higher than {lower} on {axis} "
            f"({_span(figure, turned=higher == other)}), over {how_many(figure.n, 'item')}"
            f"{_of_several(len(clear), len(found.differences))}.",
            table="ratings_differences",
            holds_labels=True,
        )


def _place(value: float, scale: tuple[float, float]) -> float:
    """Where a mean lies between both ends of its scale, from 0 to 1."""
    return (value - scale[0]) / (scale[1] - scale[0])


def _span(figure: Figure, *, turned: bool = False) -> str:
    limits = ends(figure.interval)
    if limits is None:
        return "no interval"
    low, high = (-limits[1], -limits[0]) if turned else limits
    return f"95 % interval {low:.2f} to {high:.2f}"


def _of_several(clear: int, n: int) -> str:
    """How many of `n` differences are clear of 0, after a semicolon; empty if there is one difference."""
    have = "has its interval" if clear == 1 else "have their intervals"
    return f"; {clear} of {n} differences {have} clear of 0, not corrected for their number" * (n > 1)


def _clear(found: Ratings) -> list[tuple[str, str, str, Figure]]:
    """The differences whose intervals do not hold 0, the largest in units of their scales first."""
    clear = []
    for axis, one, other, figure in found.differences:
        limits, scale = ends(figure.interval), scale_of(axis)
        if figure.value is not None and limits is not None and limits[0] * limits[1] > 0:
            clear.append((abs(figure.value) / (scale[1] - scale[0]), axis.name, one, other, figure))
    ranked = sorted(clear, key=lambda row: (-row[0], *row[1:4]))
    return [(axis, one, other, figure) for _, axis, one, other, figure in ranked]


def _not_apart(found: Ratings, axis: str, model: str) -> str:
    """The models whose difference from this one has no interval clear of 0, after a semicolon; empty without
    any.
    """
    clear = {frozenset((one, other)) for name, one, other, _ in _clear(found) if name == axis}
    others = [one for one in found.models if one != model and frozenset((one, model)) not in clear]
    return f"; not told apart from {', '.join(others)}" if others else ""


def ratings_key_figures(view: StudyView) -> tuple[KeyFigure, ...]:
    """How much was rated, the highest mean on the first axis, and how far annotators agree."""
    found = Ratings(view)
    mark = "simulated: " if "simulated" in view.annotator_kind else ""
    figures = [
        KeyFigure(
            label=f"{mark}Answers rated",
            value=str(len(view.chosen.by_generation)),
            note=f"{how_many(len(view.chosen.annotations), 'judgement')} on "
            f"{len(view.tables.fields)} {'axis' if len(view.tables.fields) == 1 else 'axes'}",
            table="ratings_means",
        )
    ]
    first = [
        (one.mean.value, model, axis, one.mean)
        for axis, model, one in found.figures
        if axis is view.tables.fields[0] and one.mean.value is not None
    ]
    if first:
        value, model, axis, mean = max(first, key=lambda row: (row[0], row[1]))
        figures.append(
            KeyFigure(
                label=f"{mark}Highest {axis.name}",
                value=f"{value:.2f}",
                note=f"{model}, points {' to '.join(f'{end:g}' for end in scale_of(axis))}; {_span(mean)}"
                f"{_not_apart(found, axis.name, model)}",
                table="ratings_means",
            )
        )
    results = [view.agreement.layer(column_name(axis)).result for axis in view.tables.fields]
    found_alphas = [one.coefficient("krippendorff_alpha_ordinal").value for one in results if one is not None]
    alphas = [one for one in found_alphas if one is not None]
    figures.append(
        KeyFigure(
            label=f"{mark}Agreement",
            value=f"{min(alphas):.2f} to {max(alphas):.2f}" if alphas else "undefined",
            note=f"ordinal alpha, lowest and highest of {len(alphas)} axes"
            if alphas
            else "no axis has a defined ordinal alpha",
            table="ratings_agreement",
        )
    )
    return tuple(figures)
