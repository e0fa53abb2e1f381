"""Shares as table cells (value, interval and n), and the order of rows by operation and representation."""

from clinicnum.annotations.report.report_content import Cell, Column
from clinicnum.stats.interval_estimate import Figure
from clinicnum.stats.jackknife import Interval
from clinicnum.types import OPERATIONS, REPRESENTATIONS

OPERATION_ORDER = (*OPERATIONS, "external")
REPRESENTATION_ORDER = (*REPRESENTATIONS, "external")


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
