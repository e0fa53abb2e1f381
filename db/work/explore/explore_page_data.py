"""Data of the explore page: the chosen runs as a frame with labels, and the rows of a slice."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from sqlmodel import Session

from clinicnum.annotations.explore.generation_frame import Frame
from clinicnum.annotations.explore.slice_query import SliceQuery
from clinicnum.db.rows import RunRow
from clinicnum.db.work.explore.consensus_labels import Labels, StudyLabels
from clinicnum.db.work.explore.explorable_runs import chosen_runs
from clinicnum.db.work.explore.run_table_cache import Loaded, RunTables
from clinicnum.db.work.explore.suggested_causes import primary_causes
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable

AT_ONCE = 2_000
"""Number of failures up to which causes are computed unasked; takes about a second."""

EMPTY = Translatable("No answer is in this slice; choose another one on the page Explore.")


@dataclass(frozen=True, eq=False)
class Slice:
    """The generations of the chosen runs, and which of them a slice query picks out."""

    loaded: Loaded
    found: NDArray[np.bool_]
    """Which rows contain the words."""
    chosen: NDArray[np.bool_]
    """Which rows are in the slice."""
    lacks_causes: int
    """Failures of runs whose suggested causes are not computed yet; 0 if the frame has the facet."""

    @property
    def frame(self) -> Frame:
        """The frame with all generations of the chosen runs, in the slice or not."""
        return self.loaded.frame


@dataclass
class Explorer:
    """The runs and labels that a process keeps in memory, shared by all pages and threads."""

    tables: RunTables = field(default_factory=RunTables)
    labels: StudyLabels = field(default_factory=StudyLabels)

    def slice_of(self, session: Session, *, user_id: str, query: SliceQuery) -> Slice:
        """The slice of a query, with the labels that the account may see.

        Raises NotAllowed and InputError as `chosen_runs` does, and InputError as `RunTables.load` does.
        """
        runs = chosen_runs(session, user_id=user_id, runs=query.runs)
        labels = self.labels.of_runs(session, user_id=user_id, runs=query.runs)
        return self.slice_among(session, runs, query, labels)

    def slice_among(
        self, session: Session, runs: Sequence[RunRow], query: SliceQuery, labels: Labels | None = None
    ) -> Slice:
        """The slice of a query among these runs. The caller has checked that they may be seen.

        Raises InputError as `RunTables.load` does.
        """
        loaded = self.tables.load(session, runs)
        lacking = self._lacking(loaded) if self.tables.lack_causes(runs) else 0
        if 0 < lacking <= AT_ONCE:
            self.tables.add_causes(primary_causes(session, self.tables.lack_causes(runs)))
            loaded, lacking = self.tables.load(session, runs), 0
        frame = loaded.frame
        if labels:
            frame = frame.with_values("label", {key: label for key, (label, _) in labels.items()})
            frame = frame.with_values("severity", {key: severity for key, (_, severity) in labels.items()})
        for name in query.where.keys() - frame.facets.keys():  # no label to be seen, no cause computed
            frame = frame.with_values(name, {})
        words = loaded.containing(query.search) if query.search else np.ones(len(frame), dtype=bool)
        return Slice(replace(loaded, frame=frame), words, frame.choose(query.where) & words, lacking)

    def keys(self, session: Session, *, user_id: str, query: SliceQuery) -> frozenset[str]:
        """Row ids of the generations in a slice. Raises as `slice_of` does, and InputError for an empty
        slice.
        """
        found = self.slice_of(session, user_id=user_id, query=query)
        keys = frozenset(key.decode() for key in found.frame.keys[found.chosen].tolist())
        if not keys:
            raise InputError(EMPTY)
        return keys

    def answers_by_run(self, session: Session, *, user_id: str, query: SliceQuery) -> dict[str, int]:
        """Number of the slice's answers by the row id of their run, for the runs that have any.

        Raises as `slice_of` does, and InputError for an empty slice.
        """
        found = self.slice_of(session, user_id=user_id, query=query)
        if not found.chosen.any():
            raise InputError(EMPTY)
        run = found.frame.facets["run"]
        counts = {one: int((run.having({one}) & found.chosen).sum()) for one in query.runs}
        return {one: n for one, n in counts.items() if n}

    def find_causes(self, session: Session, *, user_id: str, runs: Sequence[str]) -> None:
        """Compute the suggested causes of the runs' failures, however long it takes.

        Raises NotAllowed and InputError as `chosen_runs` does, and InputError as `RunTables.load` does.
        """
        chosen = chosen_runs(session, user_id=user_id, runs=runs)
        self.tables.load(session, chosen)
        self.tables.add_causes(primary_causes(session, self.tables.lack_causes(chosen)))

    @staticmethod
    def _lacking(loaded: Loaded) -> int:
        return int((~loaded.frame.correct & loaded.frame.answered).sum())
