"""Tables of stored runs, read once and kept in memory while they are used."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import func, select
from sqlmodel import Session, col

from clinicnum.annotations.explore.generation_frame import AnswerTable, Frame, QuestionTable, make_frame
from clinicnum.annotations.explore.text_search import Texts
from clinicnum.db.rows import GenerationRow, InstanceRow, RunRow, ScoreRow
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable

MOST_ANSWERS = 300_000
"""Most answers explored at once and kept in memory."""
MOST_BYTES = 400_000_000
"""Most bytes of answer texts kept in memory."""
MOST_FRAMES = 4
"""Combinations of runs cached as frames."""
Key = tuple[str, int]
"""Row id and revision of a run; its stored data differ only if the revision does."""


@dataclass(frozen=True, eq=False)
class Questions:
    """The questions of a benchmark as a table, their texts for searching, and the row of each."""

    table: QuestionTable
    texts: Texts
    rows: dict[str, int]
    """Row of the table by the instance's row id."""


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of a run as a table, their texts for searching, and the questions they answer."""

    questions: Questions
    table: AnswerTable
    texts: Texts


@dataclass(frozen=True, eq=False)
class Loaded:
    """The chosen runs as one frame, with their texts."""

    frame: Frame
    runs: tuple[Answers, ...]
    """In the order of the frame's rows."""

    def containing(self, words: str) -> NDArray[np.bool_]:
        """Mask of rows with these words in question or answer, ignoring case."""
        asked = {id(one.questions): one.questions.texts.containing(words) for one in self.runs}
        return np.concatenate(
            [asked[id(one.questions)][one.table.questions] | one.texts.containing(words) for one in self.runs]
        )


class RunTables:
    """Thread-safe cache of run tables."""

    def __init__(self, *, most_answers: int = MOST_ANSWERS, most_bytes: int = MOST_BYTES) -> None:
        self._most_answers, self._most_bytes = most_answers, most_bytes
        self._lock = Lock()
        self._frames: OrderedDict[tuple[Key, ...], Loaded] = OrderedDict()
        self._causes: dict[Key, dict[str, str]] = {}

    def load(self, session: Session, runs: Sequence[RunRow]) -> Loaded:
        """The runs as one frame, read from the database unless they are in memory.

        Raises InputError without a run, and for more answers or longer texts than are kept at once.
        """
        keys = tuple((run.id, run.revision) for run in runs)
        with self._lock:  # two who come at once do not both read
            if keys not in self._frames:
                self._check_size(session, runs)
                self._frames[keys] = self._put_together(session, runs)
            self._frames.move_to_end(keys)
            while len(self._frames) > 1 and (len(self._frames) > MOST_FRAMES or self._too_much()):
                self._frames.popitem(last=False)
            return self._frames[keys]

    def add_causes(self, found: Mapping[Key, dict[str, str]]) -> None:
        """Add suggested causes of failures: by run, code by generation row. Frames whose runs all have
        suggestions then get the facet `cause`.
        """
        with self._lock:
            known = self._known()
            self._causes = {key: one for key, one in {**self._causes, **found}.items() if key in known}
            for keys, loaded in self._frames.items():
                self._frames[keys] = replace(loaded, frame=self._with_causes(loaded.frame, keys))

    def lack_causes(self, runs: Sequence[RunRow]) -> list[RunRow]:
        """Those of the runs whose suggested causes are not in memory."""
        return [run for run in runs if (run.id, run.revision) not in self._causes]

    def _with_causes(self, frame: Frame, keys: Sequence[Key]) -> Frame:
        if not all(key in self._causes for key in keys):
            return frame
        return frame.with_values(
            "cause", {key: code for one in keys for key, code in self._causes[one].items()}
        )

    def _put_together(self, session: Session, runs: Sequence[RunRow]) -> Loaded:
        known = self._known()
        found: list[Answers] = []
        for run in runs:
            there = known.get((run.id, run.revision))
            if there is None:
                questions = _questions(session, run.benchmark_id, [*known.values(), *found])
                there = _read_run(session, run, questions)
            found.append(there)
        frame = make_frame([(one.questions.table, one.table) for one in found])
        return Loaded(self._with_causes(frame, [(run.id, run.revision) for run in runs]), tuple(found))

    def _known(self) -> dict[Key, Answers]:
        return {
            key: one
            for keys, loaded in self._frames.items()
            for key, one in zip(keys, loaded.runs, strict=True)
        }

    def _too_much(self) -> bool:
        kept = self._known().values()
        return (
            sum(len(one.table.keys) for one in kept) > self._most_answers
            or sum(one.texts.nbytes for one in kept) > self._most_bytes
        )

    def _check_size(self, session: Session, runs: Sequence[RunRow]) -> None:
        chosen = col(GenerationRow.run).in_([run.id for run in runs])
        n = session.scalar(select(func.count()).where(chosen)) or 0
        if n > self._most_answers:
            raise InputError(
                Translatable(
                    "The chosen runs have {n} answers; {most} can be explored at once. Choose fewer runs.",
                    n=n,
                    most=self._most_answers,
                )
            )


def _questions(session: Session, benchmark_id: str, known: Sequence[Answers]) -> Questions:
    """The questions of a benchmark: those of a run in memory, unless instances were stored since it was read;
    otherwise read from the database.
    """
    of_benchmark = col(InstanceRow.benchmark_id) == benchmark_id
    keys = session.execute(select(func.count(), func.min(col(InstanceRow.id))).where(of_benchmark)).one()
    for one in known:
        if len(one.questions.rows) == keys[0] and keys[1] in one.questions.rows:
            return one.questions
    statement = (
        select(col(InstanceRow.id), col(InstanceRow.payload))
        .where(of_benchmark)
        .order_by(col(InstanceRow.position), col(InstanceRow.id))
        .execution_options(yield_per=1000)
    )
    rows: dict[str, int] = {}
    texts: list[str] = []

    def read() -> Iterator[tuple[str, dict[str, Any]]]:
        for key, payload in session.execute(statement):
            rows[key] = len(rows)
            texts.append(payload["question"])
            yield key, payload

    return Questions(QuestionTable.of(read()), Texts.of(texts), rows)


def _read_run(session: Session, run: RunRow, questions: Questions) -> Answers:
    """The run's answers with their current scores, in the order of the questions."""
    statement = (
        select(
            col(GenerationRow.id),
            col(GenerationRow.instance),
            col(GenerationRow.payload),
            col(ScoreRow.payload),
        )
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .outerjoin(ScoreRow, (col(ScoreRow.generation) == col(GenerationRow.id)) & col(ScoreRow.current))
        .where(col(GenerationRow.run) == run.id)
        .order_by(col(InstanceRow.position), col(GenerationRow.id))
        .execution_options(yield_per=1000)
    )
    texts: list[str] = []

    def read() -> Iterator[tuple[str, int, dict[str, Any], dict[str, Any] | None]]:
        for key, instance, generation, score in session.execute(statement):
            texts.append(generation["text"])
            yield key, questions.rows[instance], generation, score

    table = AnswerTable.of(read(), run=run.id, model=str(run.meta.get("model") or ""))
    return Answers(questions, table, Texts.of(texts))
