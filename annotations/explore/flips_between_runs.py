"""What changed between two runs on the same questions: right that became wrong, and the reverse."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clinicnum.annotations.explore.facet_names import OUTCOMES
from clinicnum.annotations.explore.generation_frame import Frame, Where
from clinicnum.errors import InputError
from clinicnum.stats.paired_tests import Comparison, compare_columns
from clinicnum.translatable_text import Translatable

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Flips:
    """Two runs on the questions that both answered.

    Rows are row numbers of the compared `Frame`, in its order; of each pair, the first array is the first
    run's.
    """

    comparison: Comparison
    """Second run minus first, paired, by sign flips of whole subjects."""
    both_right: int
    both_wrong: int
    to_wrong: tuple[Rows, Rows]
    """Rows of the first and of the second run: right in the first, wrong in the second."""
    to_right: tuple[Rows, Rows]


def flips(frame: Frame, first: str, second: str, *, where: Where | None = None) -> Flips:
    """Compare two runs, named by their values of the facet `run`, on the questions chosen by `where`.

    Facets of runs, models and outcomes in `where` are ignored: they do not describe questions. Raises
    InputError if a run is missing, or both are the same.
    """
    if first == second:
        raise InputError(Translatable("Choose two different runs to compare."))
    asked = {key: one for key, one in (where or {}).items() if key not in {"run", "model"} | OUTCOMES}
    chosen = frame.choose(asked) & frame.answered
    before, after = (_first_answers(frame, chosen, run) for run in (first, second))
    _, left, right = np.intersect1d(
        frame.instances[before], frame.instances[after], assume_unique=True, return_indices=True
    )
    before, after = before[left], after[right]
    was, now = frame.correct[before], frame.correct[after]
    lost, gained = was & ~now, now & ~was
    return Flips(
        comparison=compare_columns(second, first, frame.subjects[before], now, was),
        both_right=int((was & now).sum()),
        both_wrong=int((~was & ~now).sum()),
        to_wrong=(before[lost], after[lost]),
        to_right=(before[gained], after[gained]),
    )


def _first_answers(frame: Frame, chosen: NDArray[np.bool_], run: str) -> Rows:
    """The run's first row of each question."""
    rows = np.flatnonzero(chosen & frame.facet("run").having((run,)))
    return rows[np.unique(frame.instances[rows], return_index=True)[1]]
