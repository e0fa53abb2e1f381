"""Generations as columns, so that hundreds of thousands of them are sliced in milliseconds.

A frame combines two reusable kinds of tables: the questions of a benchmark and the answers of a run.
`clinicnum.annotations.explore.facet_names` lists the facets.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clinicnum.annotations.explore.facet import Facet, Rows, Values, concatenated
from clinicnum.annotations.explore.facet_names import MADE_ELSEWHERE, ORDERS, OTHER_DIMENSION, TITLES, band
from clinicnum.errors import InputError
from clinicnum.item_dimensions import COMMON
from clinicnum.stats.clustered_intervals import Subjects

Where = Mapping[str, Collection[str]]
"""Facet -> chosen values: a row must have one of them, for each facet named."""
Payload = Mapping[str, Any]
"""A domain object as JSON, not validated again."""


@dataclass(frozen=True, eq=False)
class QuestionTable:
    """The questions of a benchmark."""

    keys: NDArray[np.bytes_]
    """The id of each question."""
    facets: Mapping[str, Facet]
    """By name; without dimensions that no question has."""

    @classmethod
    def of(cls, instances: Iterable[tuple[str, Payload]]) -> "QuestionTable":
        """Build the table from pairs (instance id, instance as JSON)."""
        keys, dimensions, columns = [], [], _Columns()
        for key, one in instances:
            keys.append(key.encode())
            columns.add(_question_values(one))
            dimensions.append(one.get("dimensions") or {})
        return cls(np.array(keys, dtype=bytes), columns.facets() | _dimension_facets(dimensions))


@dataclass(frozen=True, eq=False)
class AnswerTable:
    """The answers of one run."""

    keys: NDArray[np.bytes_]
    """The id of each generation."""
    questions: NDArray[np.int32]
    """For each answer, the row of its question in the benchmark's table."""
    facets: Mapping[str, Facet]

    @classmethod
    def of(
        cls, rows: Iterable[tuple[str, int, Payload, Payload | None]], *, run: str, model: str
    ) -> "AnswerTable":
        """Build the table from (generation id, index of its question's row, generation as JSON, score as JSON
        or None).
        """
        keys, questions, columns = [], [], _Columns()
        for key, question, generation, score in rows:
            keys.append(key.encode())
            questions.append(question)
            columns.add({"run": run, "model": model} | _answer_values(generation, score or {}))
        return cls(np.array(keys, dtype=bytes), np.array(questions, dtype=np.int32), columns.facets())


class _Columns:
    """Rows of values, collected by facet."""

    def __init__(self) -> None:
        self._rows: dict[str, list[Values]] = {}

    def add(self, values: Mapping[str, Values]) -> None:
        for name, value in values.items():
            self._rows.setdefault(name, []).append(value)

    def facets(self) -> dict[str, Facet]:
        return {name: Facet.of(rows, ORDERS.get(name, ())) for name, rows in self._rows.items()}


def _question_values(one: Payload) -> dict[str, Values]:
    records = one["records"]
    first = records[0] if records else {}
    elsewhere = one["operation"] == "external"
    vitals = tuple(sorted({cell["vital"] for cell in one.get("evidence", ())}))
    return {
        "operation": one["operation"],
        "representation": one["representation"],
        "template": one["template_id"],
        "steps": band("steps", None if elsewhere else one["steps"]),
        "variant": one.get("variant") or "",
        "vital": vitals or ((MADE_ELSEWHERE,) if elsewhere else ()),
        "answer_type": one["answer_type"],
        "context_length": band("context_length", len(one["context"])),
        "records": band("records", len(records)),
        "patient": one["subject_id"],
        "gender": first.get("gender") or "",
        "age": band("age", first.get("age_years")),
        "flag": tuple(sorted(one.get("flags", ()))),
        "tag": tuple(sorted(set(one.get("tags", ())))),
    }


def _dimension_facets(given: Sequence[Mapping[str, str]]) -> dict[str, Facet]:
    """The dimensions of the questions: a facet for each common one that any has, and one for all others."""
    names = {name for one in given for name in one}
    found = {name: Facet.of([one.get(name, "") for one in given]) for name in COMMON if name in names}
    if names - set(COMMON):
        others = [sorted(f"{name}: {one[name]}" for name in one if name not in COMMON) for one in given]
        found[OTHER_DIMENSION] = Facet.of(map(tuple, others))
    return found


def _answer_values(generation: Payload, score: Payload) -> dict[str, Values]:
    status = score.get("status", "")
    return {
        "status": status,
        "correct": "yes" if status == "correct" else "no",
        "strict": "yes" if score.get("strict") else "no",
        "form": score.get("form") or "",
        "finish_reason": generation["finish_reason"],
        "confidence": band("confidence", generation.get("answer_confidence")),
    }


@dataclass(frozen=True, eq=False)
class Frame:
    """Generations of one or several runs, one row each."""

    keys: NDArray[np.bytes_]
    """The id of each generation."""
    instances: NDArray[np.int32]
    """Instance number of each row, shared by all answers to one instance."""
    facets: Mapping[str, Facet]
    """By name, as in TITLES; some may be absent."""

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, rows: Rows) -> "Frame":
        """These rows: a mask, or indices."""
        facets = {name: facet[rows] for name, facet in self.facets.items()}
        return Frame(self.keys[rows], self.instances[rows], facets)

    def with_facet(self, name: str, facet: Facet) -> "Frame":
        """A copy with one more facet."""
        return replace(self, facets={**self.facets, name: facet})

    @cached_property
    def _by_key(self) -> NDArray[np.intp]:
        """Row numbers in the order of the generation ids (`keys`), for looking rows up by id."""
        return np.argsort(self.keys)

    def with_values(self, name: str, values: Mapping[str, str]) -> "Frame":
        """The same rows with one more facet: `values` maps generation id to its value; the others get "".

        Ids that the frame lacks are ignored.
        """
        keys = np.array([key.encode() for key in values], dtype=bytes)
        at = np.searchsorted(self.keys, keys, sorter=self._by_key)
        rows = self._by_key[np.minimum(at, len(self) - 1)]
        there = self.keys[rows] == keys
        known = Facet.of(["", *values.values()], ORDERS.get(name, ()))
        codes = np.full(len(self), known.codes[0])
        codes[rows[there]] = known.codes[1:][there]
        return self.with_facet(name, replace(known, codes=codes))

    @property
    def correct(self) -> NDArray[np.bool_]:
        """Whether each answer is right by its score."""
        return self.facets["correct"].having(("yes",))

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Whether each row counts in accuracy: it has a score, and did not fail."""
        return ~self.facets["status"].having(("error", ""))

    @property
    def subjects(self) -> Subjects:
        """The patient of each row, as clusters."""
        return _clusters(self.facets["patient"])

    @cached_property
    def each_is_own_subject(self) -> bool:
        """Whether no two questions are about one patient, as with most imported ones."""
        return np.unique(self.facets["patient"].codes).size == np.unique(self.instances).size

    @property
    def templates(self) -> Subjects:
        """The template of each row, as clusters."""
        return _clusters(self.facets["template"])

    def choose(self, where: Where) -> NDArray[np.bool_]:
        """Which rows have the chosen values; a facet with nothing chosen does not restrict.

        Raises InputError for a facet that the frame lacks.
        """
        found = np.ones(len(self), dtype=bool)
        for name, chosen in where.items():
            if chosen:
                found &= self.facet(name).having(chosen)
        return found

    def facet(self, name: str) -> Facet:
        """The facet of that name; an empty one for a dimension that no question has. Raises InputError if
        unknown.
        """
        if name in (*COMMON, OTHER_DIMENSION) and name not in self.facets:
            return _nothing(len(self))
        if name not in self.facets or name not in TITLES:
            raise InputError(
                "there is no facet {name!r}; expected one of {names}",
                name=name,
                names=", ".join(one for one in TITLES if one in self.facets),
            )
        return self.facets[name]

    def counts(self, where: Where, within: NDArray[np.bool_] | None = None) -> dict[str, NDArray[np.int64]]:
        """Facet -> number of rows with each value, among the rows of `within` that match the choices in all
        *other* facets: what choosing the value would show.
        """
        masks = {name: self.facet(name).having(chosen) for name, chosen in where.items() if chosen}
        base = np.ones(len(self), dtype=bool) if within is None else within
        every = _all_of(base, masks.values())
        return {
            name: self.facets[name].counts(
                every if name not in masks else _all_of(base, [m for n, m in masks.items() if n != name])
            )
            for name in TITLES
            if name in self.facets
        }


def _all_of(base: NDArray[np.bool_], masks: Iterable[NDArray[np.bool_]]) -> NDArray[np.bool_]:
    found = base.copy()
    for mask in masks:
        found &= mask
    return found


def _clusters(facet: Facet) -> Subjects:
    """A facet of one value a row as clusters, without those that no row has."""
    whose = np.array([one[0] for one in facet.sets], dtype=np.int64)[facet.codes]
    return Subjects(facet.values, whose)[np.ones(len(whose), dtype=bool)]


def _nothing(rows: int) -> Facet:
    return Facet(("",), ((0,),), np.zeros(rows, dtype=np.int32))


def make_frame(parts: Sequence[tuple[QuestionTable, AnswerTable]]) -> Frame:
    """The answers of several runs in one frame, each with the facets of its question.

    Raises InputError for no run.
    """
    if not parts:
        raise InputError("no run is chosen; choose at least one")
    starts: dict[int, int] = {}
    total = 0
    for questions, _ in parts:
        if id(questions) not in starts:
            starts[id(questions)], total = total, total + len(questions.keys)
    columns = []
    for questions, answers in parts:
        taken = {name: facet[answers.questions] for name, facet in questions.facets.items()}
        columns.append({**taken, **answers.facets})
    nothing = [_nothing(len(answers.keys)) for _, answers in parts]
    facets = {
        name: concatenated(
            [one.get(name, none) for one, none in zip(columns, nothing, strict=True)], ORDERS.get(name, ())
        )
        for name in dict.fromkeys(name for one in columns for name in one)
    }
    plain = facets["variant"].having(("",)) & facets["flag"].having(("",))
    counted = plain & ~facets["status"].having(("error", ""))
    facets["headline"] = Facet(("yes", "no"), ((1,), (0,)), counted.astype(np.int32))
    return Frame(
        keys=np.concatenate([answers.keys for _, answers in parts]),
        instances=np.concatenate(
            [answers.questions + np.int32(starts[id(questions)]) for questions, answers in parts]
        ),
        facets=facets,
    )
