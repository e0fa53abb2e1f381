"""Plots for many series: a panel for each on a common axis, and heat maps. No series needs a colour."""

from typing import TYPE_CHECKING, Any

from clinicnum.annotations.report.plot_dots import draw_curve, draw_dot
from clinicnum.annotations.report.plot_style import (
    Colours,
    bare_frame,
    inner_ends,
    legend,
    name_inches,
    percent,
    rows_of,
    series_of,
    short_names,
)
from clinicnum.annotations.report.report_content import Dot, Plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 7.2
"""In inches of 72 points; the text width of an A4 page."""
MOST_ACROSS = 4
ROW, GAP, ABOVE, BELOW = 0.17, 0.2, 0.27, 0.28
"""In inches: row height, space between panels, space above and below each."""
SMALL = 8.5
LONGEST_TITLE = 24
HALVES = (0, 0.5, 1)
CELL, HEAD_TURN = 0.23, 30
"""Height of a cell in inches; degrees by which the heads above a heat map are turned."""
FAINTEST, STRONGEST = 0.06, 0.45
"""Opacity of a cell with the smallest share, and of one with the largest: text on it stays readable."""


def draw_panels(figure: "Figure", plot: Plot, colours: Colours) -> None:
    """Draw a panel for each series, with the same rows and the same axis; marked rows stand out."""
    names, rows = series_of(plot), rows_of(plot)
    left = min(0.4 * WIDTH, name_inches(short_names(rows), SMALL) + 0.2)
    above = 0.3 if plot.marked else 0.0
    places = _places(figure, len(names), left, ROW * len(rows) + 0.06, above)
    titles = short_names(names, LONGEST_TITLE)
    for name, title, place in zip(names, titles, places, strict=True):
        axes = figure.add_axes(place)
        axes.set_title(title, fontsize=SMALL, color=colours.ink, loc="left", pad=4, fontweight="bold")
        axes.set_ylim(len(rows) - 0.4, -0.6)
        for dot in (one for one in plot.dots if one.series == name):
            _marked_dot(axes, dot, rows.index(dot.row), plot, colours)
        labels = short_names(rows) if place[0] <= left / WIDTH + 1e-6 else [""] * len(rows)
        axes.set_yticks(range(len(rows)), labels, color=colours.ink, fontsize=SMALL)
        axes.tick_params(axis="x", labelsize=SMALL - 0.7)
        bare_frame(axes, plot, colours, HALVES)
        inner_ends(axes)
    if plot.marked:
        legend(figure, left / WIDTH - 0.02, [what for _, what in plot.marked], colours)


def _marked_dot(axes: "Axes", dot: Dot, at: int, plot: Plot, colours: Colours) -> None:
    marked = [row for row, _ in plot.marked]
    if dot.row in marked:
        number = marked.index(dot.row)
        draw_dot(axes, dot, at, number, colours.series[number])
    else:
        draw_dot(axes, dot, at, 0, colours.soft if marked else colours.series[0])


def draw_curves(figure: "Figure", plot: Plot, colours: Colours) -> None:
    """Draw a reliability diagram for each series."""
    names = series_of(plot)
    places = _places(figure, len(names), 0.65, 1.25, 0.0)
    titles = short_names(names, LONGEST_TITLE)
    for name, title, place in zip(names, titles, places, strict=True):
        axes = figure.add_axes(place)
        axes.set_title(title, fontsize=SMALL - 1, color=colours.ink, loc="left", pad=4)
        draw_curve(axes, plot, name, colours)
        axes.set_xticks(HALVES, percent(HALVES), fontsize=SMALL - 0.7)
        inner_ends(axes)
        first = place[0] <= 0.65 / WIDTH + 1e-6
        axes.set_yticks(HALVES, percent(HALVES) if first else [""] * len(HALVES), fontsize=SMALL - 0.7)


def _places(
    figure: "Figure", number: int, left: float, height: float, above: float
) -> list[tuple[float, float, float, float]]:
    """Set the figure's size for `number` panels; returns (left, bottom, width, height) of each, as shares of
    the figure.

    In inches: `left` is the room for the names of rows, `height` that of a panel, `above` the room over all
    panels.
    """
    across = min(MOST_ACROSS, number)
    down = -(-number // across)
    wide = (WIDTH - left - 0.2 - GAP * (across - 1)) / across
    whole = above + down * (height + ABOVE + BELOW)
    figure.set_size_inches(WIDTH, whole)
    return [
        (
            (left + place % across * (wide + GAP)) / WIDTH,
            1 - (above + place // across * (height + ABOVE + BELOW) + ABOVE + height) / whole,
            wide / WIDTH,
            height / whole,
        )
        for place in range(number)
    ]


def draw_heat(figure: "Figure", plot: Plot, colours: Colours) -> None:
    """Draw a cell with count and share for each row and series; one without a value is crossed out."""
    names, rows = series_of(plot), rows_of(plot)
    heads, labels = short_names(names), short_names(rows)
    left = name_inches(labels, SMALL) + 0.2
    wide = min(1.0, (WIDTH - left - 0.75) / len(names))
    top = 0.15 + 0.5 * name_inches(heads, SMALL)
    inches = top + CELL * len(rows) + 0.05
    figure.set_size_inches(WIDTH, inches)
    axes = figure.add_axes(
        (left / WIDTH, 0.05 / inches, wide * len(names) / WIDTH, CELL * len(rows) / inches)
    )
    axes.set_axis_off()
    axes.set_xlim(0, len(names))
    axes.set_ylim(len(rows), 0)
    most = max((dot.value for dot in plot.dots), default=0.0) or 1.0
    found = {(dot.row, dot.series): dot for dot in plot.dots}
    for down, row in enumerate(rows):
        axes.text(
            -0.1 / wide, down + 0.5, labels[down], ha="right", va="center", fontsize=SMALL, color=colours.ink
        )
        for across, name in enumerate(names):
            _cell(axes, found.get((row, name)), (across, down), most, colours)
    for across, head in enumerate(heads):
        where: dict[str, Any] = {
            "ha": "left",
            "va": "bottom",
            "rotation": HEAD_TURN,
            "rotation_mode": "anchor",
        }
        axes.text(across + 0.4, -0.15, head, fontsize=SMALL, color=colours.ink, **where)


def _cell(axes: "Axes", dot: Dot | None, at: tuple[int, int], most: float, colours: Colours) -> None:
    from matplotlib.patches import Rectangle

    across, down = at
    if dot is not None and dot.value > 0:
        strength = FAINTEST + (STRONGEST - FAINTEST) * dot.value / most
        axes.add_patch(
            Rectangle(at, 1, 1, facecolor=colours.series[0], alpha=strength, linewidth=0, clip_on=False)
        )
    axes.add_patch(
        Rectangle(at, 1, 1, facecolor="none", edgecolor=colours.line, linewidth=0.6, clip_on=False)
    )
    if dot is None:
        axes.plot((across, across + 1), (down + 1, down), color=colours.line, linewidth=0.8, clip_on=False)
        return
    middle: dict[str, Any] = {"va": "center", "fontsize": SMALL - 0.5}
    if not dot.count:
        axes.text(across + 0.5, down + 0.53, "0", ha="center", color=colours.soft, **middle)
        return
    axes.text(
        across + 0.28, down + 0.53, str(dot.count), ha="right", color=colours.ink, fontweight="bold", **middle
    )
    axes.text(across + 0.33, down + 0.53, f"{100 * dot.value:.0f} %", ha="left", color=colours.ink, **middle)
