"""Shares as table cells (value, interval and n), and the order of rows by operation and representation."""

from collections.abc import Iterable, Mapping

from clinicnum.annotations.report.report_content import Cell, Column
from clinicnum.stats.interval_estimate import Figure
from clinicnum.stats.jackknife import Interval
from clinicnum.types import OPERATIONS, REPRESENTATIONS

OPERATION_ORDER = (*OPERATIONS, "external")
REPRESENTATION_ORDER = (*REPRESENTATIONS, "external")
EFFECTIVE = (
    "Effective subjects: Kish's (sum of m)² / (sum of m²), m being a subject's number of units (by "
    "weight, where these are weighted)."
)
"""What the number of subjects in the quantile of an interval is."""


def ends(interval: Interval) -> tuple[float, float] | None:
    """The two ends of the interval as a report cell; None if it has none."""
    return None if interval.low is None or interval.high is None else (interval.low, interval.high)


def figure_columns(key: str, label: str, group: str | None = None) -> tuple[Column, ...]:
    """Columns of a share: its value, with interval and n in small print."""
    return (
        Column(key=key, label=label, kind="share", group=group),
        Column(key=f"{key}_ci95", label="95 % interval", kind="share_interval", under=True),
        Column(key=f"{key}_n", label="n", kind="count", under=True),
    )


def figure_cells(figure: Figure) -> tuple[Cell, ...]:
    """The cells of `figure_columns`."""
    return figure.value, ends(figure.interval), figure.n


def remarks(*figures: Figure) -> str | None:
    """Reasons why figures or intervals are missing or must be read with care, each once; None without any."""
    said = [one.undefined or one.interval.undefined or one.interval.warning for one in figures]
    return "; ".join(dict.fromkeys(text for text in said if text)) or None


def remarks_by_column(figures: Mapping[str, Figure]) -> str | None:
    """As `remarks`, for figures by their heading: a reason that holds for only some of them is preceded by
    their headings.
    """
    of: dict[str, list[str]] = {}
    for heading, figure in figures.items():
        said = remarks(figure)
        if said:
            of.setdefault(said, []).append(heading)
    told = (
        said if len(headings) == len(figures) else f"{', '.join(headings)}: {said}"
        for said, headings in of.items()
    )
    return "; ".join(told) or None


def methods_said(found: Iterable[tuple[str, str | None]]) -> str:
    """How the intervals of a table were made, as a sentence; empty without any.

    `found` has the heading of a column and the method of an interval in it, None where there is none. What
    follows a semicolon in a method is about one row, and left out.
    """
    of: dict[str, dict[str, None]] = {}
    for heading, method in found:
        if method is not None:
            of.setdefault(method.partition(";")[0], {})[heading] = None
    told = "; ".join(f"{', '.join(headings)}: {method}" for method, headings in of.items())
    return f" Intervals: {told}." if told else ""


def method_of(figure: Figure) -> str | None:
    """How the interval of a figure was made; None if it has none."""
    return None if figure.interval.low is None else figure.interval.method
