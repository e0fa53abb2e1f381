"""Find the slices where a model does worst, and prove them on subjects that the search has not seen.

Half of the subjects, drawn by the seed, are searched (`scan_candidate_slices`, `candidate_selection`); the
few slices that look worst there are tested on the other half (`held_out_test`), two-sided, corrected by Holm
(1979). A slice of two conditions must be worse than the rest, and than the rest of either condition; a slice
of one run in a frame of several, worse than the same slice in the other runs. The halves share templates and
models: what is confirmed holds for other subjects of this kind on these questions and these runs, and for
nothing else. `docs/slices.md` says how often it errs.

Slice Finder (Chung, Kraska, Polyzotis, Tae and Whang 2019, arXiv 1807.06068) looks for slices of few
conditions that are large and much worse than the rest, and controls false discoveries on the data that it
searches.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from clinicnum.errors import InputError
from clinicnum.slices.answer_table import Table
from clinicnum.slices.candidate_selection import discover
from clinicnum.slices.scan_candidate_slices import Candidate, Support
from clinicnum.slices.slice_conditions import Condition
from clinicnum.stats.paired_tests import LEVEL, holm

ITEMS = 20
SUBJECTS = 10
DIFFERENCE = 0.05
SLICES = 20


@dataclass(frozen=True, eq=False)
class Slice:
    """Items that one or two conditions pick out, and how they fared on the held-out subjects."""

    run: str | None
    """Name of the run; None for all runs of the frame together."""
    conditions: tuple[Condition, ...]
    n: int
    """Number of items in the slice, searched and held out."""
    n_subjects: int
    held_out_n: int
    """Held-out items; the statistics below are computed from these."""
    held_out_subjects: int
    accuracy: float
    rest_accuracy: float
    """Accuracy of the rest of the same runs, weighted as the runs occur in the slice."""
    difference: float
    """`rest_accuracy` - `accuracy`: above 0 where the slice is worse."""
    low: float | None
    """Limit of `difference` at confidence 1 - level, not corrected for other slices; None if untestable."""
    high: float | None
    p: float | None
    """Two-sided p-value, the largest of the comparisons that the slice must pass; None if untestable."""
    p_corrected: float | None
    """`p` after Holm, over all tested slices."""
    rows: NDArray[np.int64]
    """Positions of all items of the slice in the frame."""

    def __str__(self) -> str:
        """The conditions, such as `vital = pain and records >= 12`."""
        return " and ".join(map(str, self.conditions))


@dataclass(frozen=True, eq=False)
class SliceSearch:
    """Result of `find_slices`."""

    slices: tuple[Slice, ...]
    """Confirmed slices, the largest difference first."""
    not_confirmed: tuple[Slice, ...]
    """Tested slices that did not hold on the held-out subjects, or only as part of another."""
    n_candidates: int
    """Slices with enough items that were searched."""
    n_tested: int
    """Slices that were tested on the held-out subjects."""
    n_subjects: int
    n_held_out: int
    """Subjects that the search did not see."""
    level: float

    def to_frame(self) -> pd.DataFrame:
        """One row per confirmed slice: `slice` in words, then the fields of `Slice` except its rows."""
        names = [one.name for one in fields(Slice) if one.name not in ("conditions", "rows")]
        rows = [[str(one), *(getattr(one, name) for name in names)] for one in self.slices]
        return pd.DataFrame(rows, columns=["slice", *names])


def find_slices(
    frame: pd.DataFrame,
    facets: Sequence[str],
    *,
    outcome: str = "correct",
    subject: str = "subject_id",
    run: str | None = None,
    max_terms: int = 2,
    min_items: int = ITEMS,
    min_subjects: int = SUBJECTS,
    min_difference: float = DIFFERENCE,
    max_slices: int = SLICES,
    seed: int = 0,
    level: float = LEVEL,
) -> SliceSearch:
    """Find slices of one or two conditions where answers are most often wrong; confirm on held-out subjects.

    `frame` has one row per answer. `outcome`, `subject` and `run` name its columns that say whether the
    answer is right, whose records it is about, and of which run it is; `facets` name properties of the
    question. Numbers and ordered categories are cut at thresholds, other facets compared with their values; a
    tuple holds several. In the searched half, a slice has at least `min_items` items of `min_subjects`
    subjects, leaves as many items in the rest, and has a share wrong at least `min_difference` above it; the
    `max_slices` strongest are tested at `level` on the other half. The same seed gives the same split. Leave
    out facets that depend on the answer, such as a status: they would be found and mean nothing.

    Raises InputError for a column that is missing or not what it should be.

    Example:
        >>> import clinicnum
        >>> answers = clinicnum.generate(quota="retrieval=300", seed=1).to_frame()
        >>> answers["correct"] = (answers["representation"] != "note") | (answers.index % 3 == 0)
        >>> found = clinicnum.find_slices(answers, ["representation", "template_id"])
        >>> [str(one) for one in found.slices]
        ['representation = note']
    """
    _check(frame, facets, outcome, subject, run, max_terms)
    table = Table.of(frame, facets, outcome=outcome, subject=subject, run=run, least=2 * min_items, seed=seed)
    n_subjects, n_held_out = len(table.group), table.held_out_subjects
    if n_held_out == 0:
        return SliceSearch((), (), 0, 0, n_subjects, n_held_out, level)
    support = Support(min_items, min_subjects, min_difference)
    discovery = discover(table.searched_half(), support, terms=max_terms, most=max_slices)
    tested = _corrected(_tested(table, discovery.to_test, level))
    confirmed = [one for one in tested if one.p_corrected is not None and one.p_corrected <= level]
    return SliceSearch(
        tuple(sorted(confirmed, key=lambda one: -one.difference)),
        tuple(one for one in tested if one not in confirmed),
        discovery.searched,
        len(tested),
        n_subjects,
        n_held_out,
        level,
    )


def _tested(table: Table, candidates: Sequence[Candidate], level: float) -> list[Slice]:
    """Each candidate on the held-out subjects, in the light of those before it that hold."""
    tested, earlier = [], list[Candidate]()
    for one in candidates:
        found = _test(table, one, level)
        surely = level / len(candidates)  # confirmed, whatever the others give
        if found.p is not None and found.p <= surely:
            apart = [_apart(table, one, other, level) for other in earlier if other not in one.parents]
            if any(p is None or p > surely for p in apart):
                found = replace(found, p=1.0)
            else:
                earlier.append(one)
        tested.append(found)
    return tested


def _test(table: Table, one: Candidate, level: float) -> Slice:
    inside = table.holds(one)
    rest = table.compare(inside, table.holds(Candidate(one.run, ())), level=level)
    must = [rest.p_if_worse, *(_apart(table, one, parent, level) for parent in one.parents)]
    p = None if None in must else max(each for each in must if each is not None)
    return Slice(
        run=None if one.run < 0 else table.runs[one.run],
        conditions=tuple(table.facets[facet].conditions[place] for facet, place in one.terms),
        n=int(inside.sum()),
        n_subjects=len(np.unique(table.subject[inside])),
        held_out_n=rest.n,
        held_out_subjects=rest.n_subjects,
        accuracy=1 - rest.inside,
        rest_accuracy=1 - rest.outside,
        difference=rest.inside - rest.outside,
        low=rest.low,
        high=rest.high,
        p=p,
        p_corrected=None,
        rows=np.flatnonzero(inside),
    )


def _apart(table: Table, one: Candidate, other: Candidate, level: float) -> float | None:
    """p of what another slice does not explain; None if too little is left for a test.

    Within the other slice, the candidate must be worse than the rest of that; if it reaches beyond, what lies
    beyond must be worse than the rest of the run.
    """
    inside, apart = table.holds(one), table.holds(other)
    if np.array_equal(inside, apart):
        return 0.0 if other in one.parents else 1.0
    if not (inside & ~apart).any():
        return table.compare(inside, apart, level=level, across_runs=one.run != other.run).p_if_worse
    within = table.holds(Candidate(one.run, ()))
    return table.compare(inside & ~apart, within & ~apart, level=level).p_if_worse


def _corrected(tested: Sequence[Slice]) -> list[Slice]:
    """The slices with p-values corrected for their number; one that could not be tested takes no part."""
    steps = iter(holm([one.p for one in tested if one.p is not None]))
    return [one if one.p is None else replace(one, p_corrected=next(steps)) for one in tested]


def _check(
    frame: pd.DataFrame, facets: Sequence[str], outcome: str, subject: str, run: str | None, max_terms: int
) -> None:
    wanted = [outcome, subject, *([run] if run else []), *facets]
    missing = [name for name in wanted if name not in frame.columns]
    if missing:
        raise InputError(
            "the frame has no column {name!r}; it has {names}",
            name=missing[0],
            names=", ".join(map(str, frame.columns)) or "none",
        )
    if not facets:
        raise InputError("no facets are named; name the columns that a slice may be described by")
    if max_terms not in (1, 2):
        raise InputError("max_terms: got {n}; expected 1 or 2", n=max_terms)
    if not frame[outcome].isin([True, False]).all():
        raise InputError(
            "column {name!r}: holds more than true and false; leave out rows that were not scored",
            name=outcome,
        )
    if frame[subject].isna().any():
        raise InputError("column {name!r}: a subject is missing; every answer needs one", name=subject)
