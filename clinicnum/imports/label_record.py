"""A label from another tool, in the form that all importers yield; sets are joined as in `labels.csv`."""

from collections.abc import Iterable
from dataclasses import dataclass

from clinicnum.imports.row_errors import Row, RowError, shortened, wrong_value

SEPARATOR = "|"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedLabel(Row):
    """One annotator's label on one item."""

    item: str
    annotator: str
    label: str
    """The label; empty if the annotator gave none."""
    cluster: str | None = None
    """What the item shares with others, usually the subject; None if it was not requested."""
    repeat: int = 0
    """The number of the annotator's pass over the item."""


def name(what: str, value: object) -> str:
    """A value as a name: its stripped text. Raises RowError if that is empty, or if it is neither text nor a
    whole number.
    """
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise wrong_value(what, value, "a name in every row")
    return str(value).strip()


def joined(what: str, labels: Iterable[str]) -> str:
    """The chosen labels as the text of one cell, sorted. Raises RowError for a label that contains the
    separator.
    """
    chosen = sorted({label.strip() for label in labels if label.strip()})
    for label in chosen:
        if SEPARATOR in label:
            raise RowError(
                f"{what} is {shortened(label)}, which holds {SEPARATOR!r}; it joins the labels of a set; "
                "rename the label"
            )
    return SEPARATOR.join(chosen)
