"""Slices as plain rows of figures, for commands and notebooks."""

from collections.abc import Iterable
from typing import Any

from clinicnum.annotations.explore.slice_accuracy import SliceAccuracy, SliceTable


def slice_rows(tables: Iterable[SliceTable]) -> list[dict[str, Any]]:
    """One dict a slice: facet, value, counts, accuracy and its difference from the rest, as shares, with the
    ends of their 95 % intervals, or the reason why there are none.
    """
    return [{"facet": table.facet, **_row(row)} for table in tables for row in table.rows]


def _row(row: SliceAccuracy) -> dict[str, Any]:
    of_difference = row.difference_interval
    return {
        "value": row.value,
        "n": row.n,
        "n_subjects": row.subjects,
        "correct": row.correct,
        "accuracy": row.accuracy,
        "low": row.interval.low,
        "high": row.interval.high,
        "undefined": row.interval.undefined,
        "rest": row.rest,
        "difference": row.difference,
        "difference_low": None if of_difference is None else of_difference.low,
        "difference_high": None if of_difference is None else of_difference.high,
        "difference_undefined": None if of_difference is None else of_difference.undefined,
    }
