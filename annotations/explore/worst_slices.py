"""Where the models of a frame do worst: facets as columns for the slice search, its slices as choices.

The search is `clinicnum.slices`. Bands of numbers are ordered, so that a threshold is a choice of bands.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from clinicnum.annotations.explore.facet import Facet
from clinicnum.annotations.explore.facet_names import BANDS, MADE_ELSEWHERE, OTHER_DIMENSION
from clinicnum.annotations.explore.generation_frame import Frame
from clinicnum.item_dimensions import COMMON
from clinicnum.slices.find_slices import Slice, SliceSearch, find_slices
from clinicnum.slices.slice_conditions import Condition

SEARCHED = (
    *("operation", "representation", "vital", "steps", "answer_type", "template", "variant"),
    *("records", "context_length", "age", "gender", *COMMON, OTHER_DIMENSION),
)
"""Facets that describe slices; of two equivalent ones the first is used."""
UNKNOWN = frozenset({"", MADE_ELSEWHERE})
"""Values of facets that stand for none or not known."""
EMPTY = frozenset({"variant", "patient", "run"})
"""Facets in which "" is not missing."""


def find_worst(frame: Frame, chosen: NDArray[np.bool_]) -> SliceSearch:
    """The slices of the chosen rows in which answers are wrong most often; unscored ones are left out."""
    facets = [name for name in SEARCHED if name in frame.facets]
    return find_slices(slice_table(frame, chosen), facets, subject="patient", run="run")


def slice_table(frame: Frame, chosen: NDArray[np.bool_]) -> pd.DataFrame:
    """The chosen rows that have a score, a column per facet, for the slice search."""
    rows = chosen & frame.answered
    facets = [*(name for name in SEARCHED if name in frame.facets), "run", "patient"]
    columns = {name: _column(frame.facets[name][rows], name) for name in facets}
    return pd.DataFrame({**columns, "correct": frame.correct[rows]})


def choices(one: Slice) -> dict[str, tuple[str, ...]]:
    """Facet -> values that select the slice; a threshold of a numeric facet becomes all bands on its side."""
    found = {condition.facet: _values(condition) for condition in one.conditions}
    return found if one.run is None else {**found, "run": (one.run,)}


def number(condition: Condition) -> str:
    """The lower bound of the band in a condition on a banded facet, such as age, as text."""
    starts, names = BANDS[condition.facet]
    return f"{starts[names.index(condition.value)]:g}"


def _values(one: Condition) -> tuple[str, ...]:
    if one.operator == "=":
        return (one.value,)
    names = BANDS[one.facet][1]
    place = names.index(one.value)
    return names[place:] if one.operator == ">=" else names[:place]


def _column(facet: Facet, name: str) -> "pd.Series[Any]":
    """A facet as the slice search takes it. What is not known is missing; no variant is the base question."""
    if any(len(one) > 1 for one in facet.sets):
        sets = np.empty(len(facet.sets), dtype=object)
        sets[:] = [
            tuple(facet.values[at] for at in one if facet.values[at] not in UNKNOWN) for one in facet.sets
        ]
        return pd.Series(sets[facet.codes], dtype=object)
    known = [value for value in facet.values if value not in UNKNOWN or name in EMPTY]
    place = {value: at for at, value in enumerate(known)}
    codes = np.array([place.get(facet.values[one[0]], -1) for one in facet.sets], dtype=np.int64)
    column = pd.Categorical.from_codes(codes[facet.codes], pd.Index(known, dtype=str), ordered=name in BANDS)
    return pd.Series(column)
