"""Colours, sizes and frames that the plots of a report share."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clinicnum.annotations.report.report_content import Plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "font.size": 9.5,
    "font.family": "DejaVu Sans",
    "text.parse_math": False,  # a dollar in the name of a model is a dollar
}
MARKERS = ("o", "s", "D", "^")
MARK: dict[str, Any] = {"markersize": 4.6, "markeredgewidth": 0, "clip_on": False}
QUARTERS = (0, 0.25, 0.5, 0.75, 1)
LONGEST_NAME = 30
"""Most characters of a name beside a panel or above a column; longer ones lose their middle."""


@dataclass(frozen=True)
class Colours:
    """The colours of a plot. Series also differ by marker, so that no reader needs the colours."""

    ink: str
    soft: str
    line: str
    series: tuple[str, str, str, str]


PAGE = Colours("#010101", "#020202", "#030303", ("#040404", "#050505", "#060606", "#070707"))
"""Placeholders, which become variables of the page's style sheet."""
PAPER = Colours("#1b2326", "#566166", "#c9d0cd", ("#0b6b6b", "#b3541e", "#4c4ea8", "#7a5c00"))
"""The colours of figures in files, on white."""
VARIABLES = {
    PAGE.ink: "var(--ink)",
    PAGE.soft: "var(--soft)",
    PAGE.line: "var(--line)",
    **{colour: f"var(--series-{n})" for n, colour in enumerate(PAGE.series, start=1)},
}


def series_of(plot: Plot) -> list[str]:
    """The series of a plot, in order."""
    return list(plot.series) or list(dict.fromkeys(dot.series for dot in plot.dots))


def rows_of(plot: Plot) -> list[str]:
    """The rows of a plot, in order."""
    return list(dict.fromkeys(dot.row for dot in plot.dots))


def short_names(names: Sequence[str], longest: int = LONGEST_NAME) -> list[str]:
    """The names, those of more than `longest` characters without their middle unless that would make two of
    them the same.
    """
    half = longest // 2
    cut = [one if len(one) <= longest else f"{one[:half]}…{one[1 - half :]}" for one in names]
    often = Counter(cut)
    return [name if often[short] > 1 else short for name, short in zip(names, cut, strict=True)]


def name_inches(names: Sequence[str], points: float) -> float:
    """Approximate width in inches of the longest name at a font size in points."""
    return max((len(one) for one in names), default=0) * points * 0.6 / 72


def bare_frame(axes: "Axes", plot: Plot, colours: Colours, ticks: Sequence[float] = QUARTERS) -> None:
    """Show only the value axis, with a thin line at each tick."""
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(colours.line)
    axes.tick_params(axis="y", length=0, pad=9)
    axes.tick_params(axis="x", color=colours.line, labelcolor=colours.soft)
    axes.set_axisbelow(True)
    if plot.unit == "share":
        axes.set_xlim(0, 1)
        axes.set_xticks(ticks, percent(ticks))
    else:
        axes.xaxis.set_major_formatter(_signed if plot.unit == "points" else _plain)
    if plot.limits is not None:
        axes.set_xlim(*plot.limits)
        axes.set_xticks([plot.limits[0], sum(plot.limits) / 2, plot.limits[1]])
    elif plot.unit == "number":
        axes.set_xlim(left=min(0.0, axes.get_xlim()[0]))
    for at in axes.get_xticks():
        if axes.get_xlim()[0] <= at <= axes.get_xlim()[1]:
            axes.axvline(at, color=colours.line, linewidth=0.6, clip_on=False, zorder=0)
    if plot.line is not None:
        broken(axes, colours, (plot.line[0], plot.line[0]), axes.get_ylim())


def broken(axes: "Axes", colours: Colours, across: tuple[float, float], along: tuple[float, float]) -> None:
    """Draw a dashed reference line between two points, given their horizontal (`across`) and vertical
    (`along`) places.
    """
    axes.plot(
        across, along, color=colours.soft, linewidth=1, linestyle=(0, (4, 3)), clip_on=False, zorder=0.5
    )


def inner_ends(axes: "Axes") -> None:
    """Turn the labels at both ends of the horizontal axis inwards, away from those of the next panel."""
    labels = axes.get_xticklabels()
    labels[0].set_horizontalalignment("left")
    labels[-1].set_horizontalalignment("right")


def percent(shares: Sequence[float]) -> list[str]:
    """Shares as labels of an axis, such as `25 %`."""
    return [f"{100 * one:.0f} %" for one in shares]


def _signed(value: float, _: Any) -> str:
    return f"{100 * value:+.0f}".replace("-", "−") if round(100 * value) else "0"


def _plain(value: float, _: Any) -> str:
    return f"{value:.1f}".replace("-", "−").removesuffix(".0")


def legend(figure: "Figure", left: float, names: Sequence[str], colours: Colours) -> None:
    """Draw a legend of series above the plot, beginning at `left`, a share of the figure's width."""
    from matplotlib.lines import Line2D

    marks = [
        Line2D([], [], color=colours.series[n % 4], marker=MARKERS[n % 4], linewidth=0, **_without_clip())
        for n in range(len(names))
    ]
    figure.legend(
        marks,
        names,
        loc="upper left",
        bbox_to_anchor=(left, 1),
        ncols=len(names),
        frameon=False,
        labelcolor=colours.ink,
        handletextpad=0.1,
        columnspacing=1.2,
        borderpad=0,
    )


def _without_clip() -> dict[str, Any]:
    return {key: value for key, value in MARK.items() if key != "clip_on"}
