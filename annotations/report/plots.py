"""The plots of a report as inline SVG, drawn by matplotlib.

Colours are placeholders for the page's CSS variables, so that plots follow light, dark and print; series
also differ by marker. Texts stay texts. No ids but the hashed ones that the SVG itself refers to, no style
element (it would rule the whole page), no metadata, no clock: the same plot gives the same bytes.
"""

import io
import re
from typing import TYPE_CHECKING, Any

from clinicnum.annotations.report.report_content import Dot, Plot

if TYPE_CHECKING:
    from markupsafe import Markup
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, SOFT, LINE = "#010101", "#020202", "#030303"
SERIES = ("#040404", "#050505", "#060606", "#070707")
MARKERS = ("o", "s", "D", "^")
VARIABLES = {
    INK: "var(--ink)",
    SOFT: "var(--soft)",
    LINE: "var(--line)",
    **{colour: f"var(--series-{n})" for n, colour in enumerate(SERIES, start=1)},
}
WIDTH = 5.4
"""Inches, of 72 points each."""
ROW_HEIGHT = 0.2
SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.size": 9.5,
    "font.family": "DejaVu Sans",
    "text.parse_math": False,  # a dollar in the name of a model is a dollar
}


def draw(plot: Plot) -> "Markup":
    """The plot as an `svg` element; its alternative text is its label. matplotlib escapes the texts in it."""
    import matplotlib
    from markupsafe import Markup, escape
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**SETTINGS, "svg.hashsalt": plot.id}):
        figure = Figure()
        FigureCanvasSVG(figure)
        (_dots if plot.kind == "dots" else _reliability)(figure, plot)
        buffer = io.StringIO()
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(buffer, format="svg", metadata=nothing, transparent=True)
    return Markup(_inline(buffer.getvalue(), str(escape(plot.alt))))  # noqa: S704 - escaped, all of it


def _inline(svg: str, alt: str) -> str:
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<style.*?</style>|<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    referred = set(re.findall(r'href="#([^"]+)"', svg))
    svg = re.sub(r' id="([^"]+)"', lambda found: found[0] if found[1] in referred else "", svg)
    svg = re.sub(r"font-family: [^;\"]+", "font-family: var(--sans)", svg)
    svg = re.sub(r' transform="rotate\(-0 [^"]*"', "", svg)
    for colour, variable in VARIABLES.items():
        svg = svg.replace(colour, variable)
    size = re.search(r'viewBox="[^"]+"', svg)
    view = size[0] if size else ""
    body = svg[svg.index(">") + 1 :]
    return f'<svg role="img" aria-label="{alt}" {view}>{body}'.strip()


def _series(plot: Plot) -> list[str]:
    return list(dict.fromkeys(dot.series for dot in plot.dots))


def _dots(figure: "Figure", plot: Plot) -> None:
    """A dot plot: one line per row, values on the horizontal axis, series of a row next to each other."""
    names, rows = _series(plot), list(dict.fromkeys(dot.row for dot in plot.dots))
    gap = len(names) + 0.7
    legend = 0.3 if len(names) > 1 else 0.05
    inches = ROW_HEIGHT * gap * len(rows) + 0.45 + legend
    figure.set_size_inches(WIDTH, inches)
    left = min(0.5, 0.04 + 0.0155 * max(len(row) for row in rows))
    axes = figure.add_axes((left, 0.42 / inches, 0.955 - left, 1 - (0.47 + legend) / inches))
    middle = (len(names) - 1) / 2
    for number, name in enumerate(names):
        for dot in (one for one in plot.dots if one.series == name):
            _dot(axes, dot, gap * rows.index(dot.row) + number - middle, number)
    axes.set_yticks([gap * n for n in range(len(rows))], rows, color=INK)
    axes.set_ylim(gap * (len(rows) - 1) + gap / 2, -gap / 2)
    _frame(axes, plot)
    if len(names) > 1:
        _legend(figure, axes, names)


def _dot(axes: "Axes", dot: Dot, at: float, number: int) -> None:
    colour, look = SERIES[number % len(SERIES)], MARKERS[number % len(MARKERS)]
    if dot.interval is not None:
        axes.plot(dot.interval, (at, at), color=colour, linewidth=1.4, clip_on=False, solid_capstyle="butt")
    axes.plot([dot.value], [at], look, color=colour, markersize=4.6, markeredgewidth=0, clip_on=False)


def _frame(axes: "Axes", plot: Plot) -> None:
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(LINE)
    axes.tick_params(axis="y", length=0, pad=9)
    axes.tick_params(axis="x", color=LINE, labelcolor=SOFT)
    axes.set_axisbelow(True)
    if plot.unit == "share":
        axes.set_xlim(0, 1)
        ticks = (0, 0.25, 0.5, 0.75, 1)
        axes.set_xticks(ticks, [f"{100 * one:.0f} %" for one in ticks])
    else:
        axes.xaxis.set_major_formatter(_signed if plot.unit == "points" else _plain)
    for at in axes.get_xticks():
        if axes.get_xlim()[0] <= at <= axes.get_xlim()[1]:
            axes.axvline(at, color=LINE, linewidth=0.6, clip_on=False, zorder=0)
    if plot.line is not None:
        axes.axvline(plot.line[0], color=SOFT, linewidth=1, linestyle=(0, (4, 3)), clip_on=False, zorder=0.5)


def _signed(value: float, _: Any) -> str:
    return f"{100 * value:+.0f}".replace("-", "−") if round(100 * value) else "0"


def _plain(value: float, _: Any) -> str:
    return f"{value:.1f}".replace("-", "−")


def _legend(figure: "Figure", axes: "Axes", names: list[str]) -> None:
    from matplotlib.lines import Line2D

    marks = [
        Line2D(
            [], [], color=SERIES[n % 4], marker=MARKERS[n % 4], linewidth=0, markersize=4.6, markeredgewidth=0
        )
        for n in range(len(names))
    ]
    figure.legend(
        marks,
        names,
        loc="upper left",
        bbox_to_anchor=(axes.get_position().x0 - 0.02, 1),
        ncols=len(names),
        frameon=False,
        labelcolor=INK,
        handletextpad=0.1,
        columnspacing=1.2,
        borderpad=0,
    )


def _reliability(figure: "Figure", plot: Plot) -> None:
    """A reliability diagram: confidence on the horizontal axis, accuracy on the vertical one, with the
    diagonal.
    """
    names = _series(plot)
    figure.set_size_inches(3.9, 3.7)
    axes = figure.add_axes((0.22, 0.14, 0.73, 0.76))
    axes.plot((0, 1), (0, 1), color=SOFT, linewidth=1, linestyle=(0, (4, 3)), clip_on=False)
    for number, name in enumerate(names):
        colour, look = SERIES[number % len(SERIES)], MARKERS[number % len(MARKERS)]
        here = [(float(dot.row), dot.value) for dot in plot.dots if dot.series == name]
        axes.plot(
            *zip(*here, strict=True),
            color=colour,
            marker=look,
            markersize=4.6,
            markeredgewidth=0,
            linewidth=1.2,
            clip_on=False,
        )
    for axis in ("x", "y"):
        axes.tick_params(axis=axis, color=LINE, labelcolor=SOFT)
    ticks = (0, 0.25, 0.5, 0.75, 1)
    labels = [f"{100 * one:.0f} %" for one in ticks]
    axes.set_xticks(ticks, labels)
    axes.set_yticks(ticks, labels)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_xlabel("mean confidence", color=SOFT)
    axes.set_ylabel("share right", color=SOFT)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(LINE)
    if len(names) > 1:
        _legend(figure, axes, names)
