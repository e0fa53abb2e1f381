"""Agreement between annotators from a data frame, long or wide."""

from collections.abc import Sequence

import pandas as pd

from clinicnum.annotations.agreement import AgreementResult
from clinicnum.annotations.agreement import agreement as compute
from clinicnum.annotations.agreement.types import Rating
from clinicnum.api.data_frames import check_columns
from clinicnum.errors import InputError

LONG = ("item", "annotator", "label")


def agreement(
    labels: pd.DataFrame,
    *,
    scale: str,
    categories: Sequence[str] | None = None,
    cluster: str | None = None,
) -> AgreementResult:
    """Every coefficient of agreement with its interval, or the reason why it has none.

    `labels` is long, with the columns `item, annotator, label` and one row a label; or wide, with one row an
    item and one column an annotator, the items named by the index or by a column `item`. A missing cell is no
    label; `none` is one. `scale` is nominal, ordinal, interval or set (labels joined by `|`). `categories`
    are all possible labels in order, used or not: an ordinal scale needs them, others default to those used.
    `cluster` names the column of what items share, usually the patient; intervals allow for it. `to_frame()`
    of the result has one row a coefficient. Raises InputError for a wrong column, scale, label or duplicate.

    Example:
        >>> import clinicnum, pandas as pd
        >>> labels = pd.DataFrame({"ann": ["yes", "no", "no"], "ben": ["yes", "no", "yes"]})
        >>> result = clinicnum.agreement(labels, scale="nominal")
        >>> round(result.coefficient("cohen_kappa").value, 3)
        0.4
        >>> list(result.to_frame().columns[:3])
        ['name', 'value', 'undefined']
    """
    table = labels if set(LONG) <= set(labels.columns) else _long(labels, cluster)
    check_columns(table, (*LONG, *([cluster] if cluster else [])), "labels")
    ratings = _ratings(table, cluster)
    return compute(ratings, scale=scale, categories=_categories(ratings, scale, categories), details=True)


def _long(wide: pd.DataFrame, cluster: str | None) -> pd.DataFrame:
    """A wide frame, one row an item and one column an annotator, as one row a label."""
    named = wide if "item" in wide.columns else wide.rename_axis("item").reset_index()
    kept = ["item", *([cluster] if cluster in named.columns else [])]
    if named["item"].duplicated().any():
        twice = named.loc[named["item"].duplicated(), "item"].iloc[0]
        raise InputError(f"labels: item {twice} has two rows; expected one row an item, or a long frame")
    if len(named.columns) - len(kept) < 2:
        raise InputError(
            "labels: expected the columns item, annotator and label, or one column for each of two or more "
            f"annotators; got {', '.join(map(str, wide.columns)) or 'no columns'}"
        )
    return named.melt(kept, var_name="annotator", value_name="label")


def _ratings(table: pd.DataFrame, cluster: str | None) -> list[Rating]:
    clusters = table[cluster].astype(str) if cluster else [None] * len(table)
    return [
        Rating(str(item), str(annotator), _label(label), shared)
        for item, annotator, label, shared in zip(
            table["item"], table["annotator"], table["label"], clusters, strict=True
        )
    ]


def _label(given: object) -> str | None:
    """A label as text; 2.0 becomes 2, since pandas makes floats of integers in columns with missing cells."""
    if pd.isna(given):  # type: ignore[call-overload]
        return None
    if isinstance(given, float) and given.is_integer():
        return str(int(given))
    return str(given)


def _categories(
    ratings: Sequence[Rating], scale: str, declared: Sequence[str] | None
) -> Sequence[str] | None:
    if declared is not None:
        return [str(one) for one in declared]
    seen = {one.label for one in ratings if one.label is not None}
    if scale == "nominal":
        return sorted(seen)
    if scale == "set":
        return sorted({code for label in seen for code in label.split("|")})
    return None
