"""Data frames from typed objects, and typed objects from data frames."""

from collections.abc import Iterable, Sequence
from math import nan

import pandas as pd
from pydantic import BaseModel

from clinicnum.errors import InputError
from clinicnum.stats.accuracy import AccuracyTable


def to_frame(objects: Iterable[BaseModel], columns: Sequence[str]) -> pd.DataFrame:
    """One row an object, with these fields as columns; what is nested stays a list or a dict."""
    rows = [one.model_dump(mode="json", include=set(columns)) for one in objects]
    return pd.DataFrame(rows, columns=list(columns))


def check_columns(frame: pd.DataFrame, needed: Sequence[str], what: str) -> None:
    """Raise InputError naming the columns of `needed` that a frame lacks; `what` names the frame in the
    message.
    """
    lacking = [name for name in needed if name not in frame.columns]
    if lacking:
        raise InputError(
            f"{what}: column {', '.join(lacking)} is missing; expected {', '.join(needed)}, "
            f"got {', '.join(map(str, frame.columns)) or 'no columns'}"
        )


def accuracy_frame(table: AccuracyTable) -> pd.DataFrame:
    """Accuracy as a frame: one row per operation and representation (`all` for totals), shares 0 to 1."""
    return pd.DataFrame(
        {
            "operation": row.operation,
            "representation": row.representation,
            "n": row.n,
            "n_subjects": row.n_subjects,
            "accuracy": row.accuracy,
            "low": row.interval.low,
            "high": row.interval.high,
            "undefined": row.interval.undefined,
            "strict_accuracy": nan if row.strict_accuracy is None else row.strict_accuracy,
            "flexible_accuracy": row.flexible_accuracy,
            "n_errors": row.n_errors,
        }
        for row in table.rows
    )
