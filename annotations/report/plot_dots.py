"""Dot plots and reliability diagrams with all series in one frame: at most four."""

from textwrap import fill
from typing import TYPE_CHECKING

from clinicnum.annotations.report.plot_style import (
    MARK,
    MARKERS,
    QUARTERS,
    Colours,
    bare_frame,
    broken,
    legend,
    percent,
    rows_of,
    series_of,
)
from clinicnum.annotations.report.report_content import Dot, Plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 5.4
"""Inches, of 72 points each."""
ROW_HEIGHT = 0.2
LONGEST_ROW = 42
"""Characters of a row's name that fit beside the values; a longer name is broken into lines."""


def draw_dots(figure: "Figure", plot: Plot, colours: Colours) -> None:
    """Draw one line per row, with values on the horizontal axis and a row's series next to each other."""
    names, rows = series_of(plot), rows_of(plot)
    shown = [_in_lines(row) for row in rows]
    longest = max(len(line) for row in shown for line in row.split("\n"))
    gap = max(len(names) + 0.7, 0.9 * max(row.count("\n") + 1 for row in shown))
    above = 0.3 if len(names) > 1 else 0.05
    inches = ROW_HEIGHT * gap * len(rows) + 0.45 + above
    figure.set_size_inches(WIDTH, inches)
    left = min(0.6, 0.04 + 0.0155 * longest)
    axes = figure.add_axes((left, 0.42 / inches, 0.955 - left, 1 - (0.47 + above) / inches))
    middle = (len(names) - 1) / 2
    for number, name in enumerate(names):
        for dot in (one for one in plot.dots if one.series == name):
            draw_dot(
                axes, dot, gap * rows.index(dot.row) + number - middle, number, colours.series[number % 4]
            )
    axes.set_yticks([gap * n for n in range(len(rows))], shown, color=colours.ink)
    axes.set_ylim(gap * (len(rows) - 1) + gap / 2, -gap / 2)
    bare_frame(axes, plot, colours)
    if len(names) > 1:
        legend(figure, left - 0.02, names, colours)


def _in_lines(row: str) -> str:
    if len(row) <= LONGEST_ROW:
        return row
    return fill(row, LONGEST_ROW, break_long_words=False, break_on_hyphens=False)


def draw_dot(axes: "Axes", dot: Dot, at: float, number: int, colour: str) -> None:
    """Draw one value with its interval at the height `at`; `number` chooses the marker."""
    if dot.interval is not None:
        axes.plot(dot.interval, (at, at), color=colour, linewidth=1.4, clip_on=False, solid_capstyle="butt")
    axes.plot([dot.value], [at], MARKERS[number % len(MARKERS)], color=colour, **MARK)


def draw_reliability(figure: "Figure", plot: Plot, colours: Colours) -> None:
    """Draw accuracy (vertical axis) by confidence (horizontal axis), and the diagonal."""
    names = series_of(plot)
    figure.set_size_inches(3.9, 3.7)
    axes = figure.add_axes((0.22, 0.14, 0.73, 0.76))
    for number, name in enumerate(names):
        draw_curve(axes, plot, name, colours, number)
    axes.set_xticks(QUARTERS, percent(QUARTERS))
    axes.set_yticks(QUARTERS, percent(QUARTERS))
    axes.set_xlabel("mean confidence", color=colours.soft)
    axes.set_ylabel("share right", color=colours.soft)
    if len(names) > 1:
        legend(figure, 0.2, names, colours)


def draw_curve(axes: "Axes", plot: Plot, name: str, colours: Colours, number: int = 0) -> None:
    """Draw the curve of one series, in the colour and marker of its `number`, and the diagonal."""
    broken(axes, colours, (0, 1), (0, 1))
    here = [(float(dot.row), dot.value) for dot in plot.dots if dot.series == name]
    colour, look = colours.series[number % 4], MARKERS[number % len(MARKERS)]
    axes.plot(*zip(*here, strict=True), color=colour, marker=look, linewidth=1.2, **MARK)
    for axis in ("x", "y"):
        axes.tick_params(axis=axis, color=colours.line, labelcolor=colours.soft)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(colours.line)
