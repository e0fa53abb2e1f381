"""A frame of answers as columns, split by subject into a half that is searched for slices and one held out to
test them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from clinicnum.slices.held_out_test import Difference, difference
from clinicnum.slices.scan_candidate_slices import GROUPS, Candidate, Half
from clinicnum.slices.slice_conditions import Codes, Facet, Flags, facets_of

ONE_RUN = "all answers"


@dataclass(frozen=True, eq=False)
class Table:
    """Answers as columns [items]: their facets, run, subject, and whether they are wrong."""

    facets: Sequence[Facet]
    runs: Sequence[str]
    """Names of the runs."""
    run: Codes
    """Index of each item's run."""
    wrong: NDArray[np.float64]
    """1 minus the outcome of each item, so 1 for a wrong answer."""
    subject: Codes
    """Index of each item's subject."""
    group: Codes
    """Each subject's group, by which the search sums errors; -1 for held-out subjects."""

    @classmethod
    def of(
        cls,
        frame: pd.DataFrame,
        facets: Iterable[str],
        *,
        outcome: str,
        subject: str,
        run: str | None,
        least: int,
        seed: int,
    ) -> "Table":
        """The columns of a frame of answers, and the conditions on its facets that at least `least` rows
        meet.

        Which half a subject is in depends on the sorted names of the subjects and the seed alone.
        """
        whose, subjects = pd.factorize(frame[subject].astype(str), sort=True)
        label = pd.Series(ONE_RUN, frame.index) if run is None else frame[run].astype(str)
        of_run, runs = pd.factorize(label, sort=True)
        order = np.random.default_rng(seed).permutation(len(subjects))
        searched = order[: (len(subjects) + 1) // 2]
        group = np.full(len(subjects), -1, dtype=np.int64)
        group[searched] = np.arange(len(searched)) % GROUPS
        return cls(
            facets=[facet for name in facets for facet in facets_of(frame[name], least=least)],
            runs=[str(one) for one in runs],
            run=of_run.astype(np.int64),
            wrong=1.0 - frame[outcome].to_numpy(dtype=float),
            subject=whose.astype(np.int64),
            group=group,
        )

    @cached_property
    def held_out(self) -> Flags:
        """Mask of the held-out subjects' items."""
        return np.asarray(self.group[self.subject] < 0)

    @property
    def held_out_subjects(self) -> int:
        """Number of held-out subjects."""
        return int((self.group < 0).sum())

    def searched_half(self) -> Half:
        """The items of the subjects not held out, sorted by run."""
        rows = np.flatnonzero(~self.held_out)
        rows = rows[np.argsort(self.run[rows], kind="stable")]
        run = self.run[rows]
        return Half(
            facets=[replace(one, codes=one.codes[rows]) for one in self.facets],
            wrong=self.wrong[rows],
            run=run,
            group=self.group[self.subject[rows]],
            starts=np.searchsorted(run, np.arange(len(self.runs) + 1)),
        )

    def holds(self, one: Candidate) -> Flags:
        """Mask of the items that a candidate slice holds."""
        return one.holds(self.facets, self.run)

    def compare(self, inside: Flags, within: Flags, *, level: float, across_runs: bool = False) -> Difference:
        """Compare held-out items `inside` with the others of `within`: run by run or, `across_runs`, pooled
        after each run's mean is subtracted.
        """
        held = self.held_out
        values, strata = self.wrong, self.run
        if across_runs:
            counts = np.bincount(self.run[held], minlength=len(self.runs))
            means = np.bincount(self.run[held], self.wrong[held], len(self.runs)) / np.maximum(counts, 1)
            values, strata = self.wrong - means[self.run], np.zeros_like(self.run)
        return difference(values, inside & held, within & held & ~inside, strata, self.subject, level=level)
