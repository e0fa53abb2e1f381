"""A template: a family of questions with wording, slots, operation tree and rules for the answer."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from string import Formatter
from typing import Literal

from pydantic import Field, model_validator

from clinicnum.templates.slots_and_givens import (
    ChoiceGiven,
    ChoiceSlot,
    Example,
    GivenSpec,
    NumberGiven,
    RecordGiven,
    RecordSlot,
    Slot,
)
from clinicnum.templates.template_fault import FaultError, Path, raise_all, raised_faults
from clinicnum.templates.tree import (
    Condition,
    CountNode,
    MinutesNode,
    OverPairsNode,
    RootNode,
    RoundNode,
    SlopeNode,
)
from clinicnum.templates.tree_checks import Names, tree_faults
from clinicnum.templates.tree_walk import nodes, vitals_of
from clinicnum.templates.unit_inference import canonical_unit, unit_of
from clinicnum.types import Frozen, Operation, Vital

__all__ = [
    "ASKABLE",
    "ChoiceGiven",
    "ChoiceSlot",
    "Example",
    "GivenSpec",
    "Mistake",
    "NumberGiven",
    "RecordGiven",
    "RecordSlot",
    "Status",
    "Template",
]

Status = Literal["draft", "unreviewed", "in_review", "validated", "retired"]
ASKABLE: frozenset[Status] = frozenset({"unreviewed", "validated"})
"""Statuses whose templates enter a benchmark."""

DECIMAL_WORDS = ("zero", "one", "two", "three", "four", "five", "six")


class Mistake(Frozen):
    """A mistake specific to this template, such as using another formula."""

    rule: str = Field(pattern=r"^[a-z0-9_]+$")
    code: str = Field(pattern=r"^[a-z_]+\.[a-z_]+$")
    tree: RootNode


class Template(Frozen):
    """One template of a bank; its fields are the keys of the YAML files."""

    id: str = Field(pattern=r"^[a-z]+(\.[a-z0-9_]+)+$")
    version: int = Field(ge=1)
    status: Status
    tags: tuple[str, ...] = ()
    operation: Operation
    subtype: str
    steps: int = Field(ge=0)
    """Arithmetic and comparison steps a person would count."""
    wording: tuple[str, ...] = Field(min_length=1)
    slots: dict[str, Slot] = Field(default_factory=dict)
    givens: dict[str, GivenSpec] = Field(default_factory=dict)
    """What the question needs and vital signs lack; shown in the context, not named in the wording."""
    tree: RootNode
    requires: tuple[Condition, ...] = ()
    """Conditions that must hold for the question to be asked."""
    mistakes: tuple[Mistake, ...] = ()
    answer_type: Literal["number", "count", "datetime"]
    decimals: int | None = Field(default=None, ge=0, le=6)
    unit: str | None = None
    source: str
    example: Example | None = None

    @model_validator(mode="after")
    def _consistent(self) -> "Template":
        raise_all(self._faults())
        return self

    def _faults(self) -> Iterator[FaultError]:
        """Yield every contradiction; checks that need sound trees are made only on sound trees."""
        yield from self._form_faults()
        yield from self._wording_faults()
        names = Names(self.slots, self.givens)
        yield from names.faults()
        trees = tree_faults(self.tree, ("tree",), names)
        for i, condition in enumerate(self.requires):
            trees += tree_faults(condition, ("requires", i), names)
        yield from trees
        if not trees:
            yield from names.unused()
            yield from self._unit_faults()
        for i, mistake in enumerate(self.mistakes):
            if _answers_with(mistake.tree) != self.answer_type:
                yield FaultError(("mistakes", i, "tree"), f"a mistake gives a {self.answer_type} too")
            yield from tree_faults(mistake.tree, ("mistakes", i, "tree"), names)
        yield from self._example_faults()

    def _form_faults(self) -> Iterator[FaultError]:
        if self.id.split(".")[0] != self.operation:
            yield FaultError(("id",), f"id {self.id} does not begin with its operation {self.operation}")
        fits = _answers_with(self.tree)
        if self.answer_type != fits:
            yield FaultError(
                ("answer_type",), f"answer_type is {self.answer_type}, but the tree gives a {fits}"
            )
        if (self.decimals is None) != (self.answer_type == "datetime"):
            yield FaultError(("decimals",), "decimals are for numbers and counts, and needed there")
        if isinstance(self.tree, RoundNode) and self.tree.decimals is not None:
            yield FaultError(
                ("tree", "decimals"), "the outermost round takes its digits from the template's decimals"
            )
        if self.answer_type == "count" and self.decimals:
            yield FaultError(("decimals",), f"a count has 0 decimals, got {self.decimals}")

    def _wording_faults(self) -> Iterator[FaultError]:
        for i, wording in enumerate(self.wording):
            yield from raised_faults(self._check_wording, ("wording", i), wording)

    def _check_wording(self, path: Path, wording: str) -> None:
        try:
            parts = [part for part in Formatter().parse(wording) if part[1] is not None]
        except ValueError as error:
            raise FaultError(path, f"wording {wording!r}: {error}") from error
        fields = {name for _, name, _, _ in parts}
        if fields != set(self.slots):
            raise FaultError(
                path,
                f"wording {wording!r} must name exactly the slots {sorted(self.slots)},"
                f" got {sorted(map(str, fields))}",
            )
        if any(spec or conversion for _, _, spec, conversion in parts):
            raise FaultError(path, f"wording {wording!r}: a slot is written {{name}}, with nothing behind it")

    def _unit_faults(self) -> Iterator[FaultError]:
        for i, condition in enumerate(self.requires):
            yield from raised_faults(unit_of, condition, ("requires", i), self.givens)
        yield from raised_faults(self._check_unit)

    def _check_unit(self) -> None:
        unit = unit_of(self.tree, ("tree",), self.givens)
        if unit is not None and self.unit is not None and canonical_unit(unit) != canonical_unit(self.unit):
            raise FaultError(
                ("unit",), f"contradictory units: the tree gives {unit}, the template says {self.unit}"
            )

    def _example_faults(self) -> Iterator[FaultError]:
        if self.example is None:
            return
        if set(self.example.slots) != set(self.slots):
            yield FaultError(("example", "slots"), f"an example fills exactly the slots {sorted(self.slots)}")
        shown = {name for name, given in self.givens.items() if given.kind != "record"}
        if set(self.example.givens) != shown:
            yield FaultError(
                ("example", "givens"), f"an example gives exactly {sorted(shown)}; record givens are read off"
            )

    @property
    def record_slots(self) -> tuple[str, ...]:
        """Names of the slots that take a record, in order of time."""
        return tuple(name for name, slot in self.slots.items() if slot.kind == "record")

    @cached_property
    def vitals(self) -> frozenset[Vital]:
        """The vitals that every record of the context must document."""
        return vitals_of(self.tree).union(*(vitals_of(c) for c in self.requires))

    @cached_property
    def within_a_stay(self) -> bool:
        """Whether the question is about changes between records or a whole course, so within a stay."""
        drawn = any(not isinstance(given, RecordGiven) for given in self.givens.values())
        return drawn or any(isinstance(n, MinutesNode | SlopeNode | OverPairsNode) for n in nodes(self.tree))

    @property
    def answer_form(self) -> str:
        """The sentence at the end of every wording that says how to write the answer."""
        if self.answer_type == "datetime":
            return "Answer with the date and time as YYYY-MM-DD HH:MM:SS."
        unit = f" in {self.unit}" if self.unit else ""
        if not self.decimals:
            recorded = ", as recorded" if self.operation == "retrieval" else ""
            return f"Answer with a whole number{unit}{recorded}."
        digits = f"{DECIMAL_WORDS[self.decimals]} decimal{'' if self.decimals == 1 else 's'}"
        return f"Answer with a number{unit}, rounded to {digits}."

    def question(self, wording: int, slots: Mapping[str, str]) -> str:
        """The complete question, with the sentence on the form of the answer."""
        return f"{self.wording[wording].format_map(slots)} {self.answer_form}"


def _answers_with(root: RootNode) -> str:
    return {RoundNode: "number", CountNode: "count"}.get(type(root), "datetime")
