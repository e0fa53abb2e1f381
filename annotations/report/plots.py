"""The plots of a report, drawn by matplotlib: inline SVG for the page, SVG and PDF as files.

On the page colours are CSS variables, so that plots follow light, dark and print; in files they are those of
print, on white. Texts stay texts. No clock and no random ids, so that the same plot gives the same bytes.
"""

import io
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from clinicnum.annotations.report.plot_style import PAGE, PAPER, SETTINGS, VARIABLES, Colours, series_of
from clinicnum.annotations.report.report_content import Plot

if TYPE_CHECKING:
    from markupsafe import Markup
    from matplotlib.backend_bases import FigureCanvasBase
    from matplotlib.figure import Figure

FEW = len(PAGE.series)
"""Most series in one frame; more get a panel each."""
_MOST_KEPT = 64
_FONTS = "'DejaVu Sans', Verdana, sans-serif"


def draw(plot: Plot) -> "Markup":
    """The plot as an `svg` element; its alternative text is its label. matplotlib escapes the texts in it.

    No ids but the hashed ones that the SVG itself refers to, no style element (it would rule the whole
    page), no metadata.
    """
    from markupsafe import Markup, escape

    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    svg = _saved(plot, "svg", PAGE, nothing).decode()
    return Markup(_inline(svg, str(escape(plot.alt))))  # noqa: S704 - escaped, all of it


@lru_cache(maxsize=_MOST_KEPT)
def svg_file(plot: Plot) -> bytes:
    """The plot as an SVG file."""
    svg = _saved(plot, "svg", PAPER, {"Date": None, "Creator": None, "Title": plot.caption}).decode()
    return svg.replace("'DejaVu Sans'", _FONTS).encode()


@lru_cache(maxsize=_MOST_KEPT)
def pdf_file(plot: Plot) -> bytes:
    """The plot as a PDF file of one page, with its fonts."""
    nothing = dict.fromkeys(("CreationDate", "Creator", "Producer"))
    return _saved(plot, "pdf", PAPER, {**nothing, "Title": plot.caption})


def _saved(plot: Plot, kind: Literal["svg", "pdf"], colours: Colours, metadata: dict[str, Any]) -> bytes:
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**SETTINGS, "svg.hashsalt": plot.id}):
        figure = Figure(facecolor="white")
        _canvas(kind)(figure)
        _drawn(figure, plot, colours)
        buffer = io.BytesIO()
        figure.savefig(buffer, format=kind, metadata=metadata, transparent=colours is PAGE)
    return buffer.getvalue()


def _canvas(kind: Literal["svg", "pdf"]) -> "type[FigureCanvasBase]":
    """matplotlib's class of canvas for a file format; that of PDF takes a second to import."""
    if kind == "svg":
        from matplotlib.backends.backend_svg import FigureCanvasSVG

        return FigureCanvasSVG
    from matplotlib.backends.backend_pdf import FigureCanvasPdf

    return FigureCanvasPdf


def _drawn(figure: "Figure", plot: Plot, colours: Colours) -> None:
    from clinicnum.annotations.report.plot_dots import draw_dots, draw_reliability
    from clinicnum.annotations.report.plot_grids import draw_curves, draw_heat, draw_panels

    many = len(series_of(plot)) > FEW
    if plot.kind == "heat":
        draw_heat(figure, plot, colours)
    elif plot.kind == "reliability":
        (draw_curves if many else draw_reliability)(figure, plot, colours)
    else:
        (draw_panels if many or plot.kind == "panels" else draw_dots)(figure, plot, colours)


def is_wide(plot: Plot) -> bool:
    """Whether the plot takes the whole width of a page."""
    return plot.kind in ("panels", "heat") or len(series_of(plot)) > FEW


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
