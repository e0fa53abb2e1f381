"""A template: a question family with its wording, slots, operation tree and rules for the answer."""

from collections.abc import Mapping
from functools import cached_property
from string import Formatter
from typing import Literal

from pydantic import Field, model_validator

from clinicnum.templates.check import Names, check_tree
from clinicnum.templates.faults import FaultError
from clinicnum.templates.slots import (
    ChoiceGiven,
    ChoiceSlot,
    Example,
    GivenSpec,
    NumberGiven,
    RecordGiven,
    RecordSlot,
    Slot,
)
from clinicnum.templates.tree import (
    Condition,
    CountNode,
    MinutesNode,
    OverPairsNode,
    RootNode,
    RoundNode,
    SlopeNode,
    nodes,
    vitals_of,
)
from clinicnum.templates.units import same_unit, unit_of
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
    """A mistake that only this template invites, such as another formula."""

    rule: str = Field(pattern=r"^[a-z0-9_]+$")
    code: str = Field(pattern=r"^[a-z_]+\.[a-z_]+$")
    tree: RootNode


class Template(Frozen):
    """One entry of a bank. It is dumped as the YAML spells it."""

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
    """Conditions without which the question is not asked."""
    mistakes: tuple[Mistake, ...] = ()
    answer_type: Literal["number", "count", "datetime"]
    decimals: int | None = Field(default=None, ge=0, le=6)
    unit: str | None = None
    source: str
    example: Example | None = None

    @model_validator(mode="after")
    def _consistent(self) -> "Template":
        self._check_form()
        self._check_wording()
        names = Names(self.slots, self.givens)
        names.check()
        check_tree(self.tree, ("tree",), names)
        for i, condition in enumerate(self.requires):
            check_tree(condition, ("requires", i), names)
        names.check_used()
        for i, mistake in enumerate(self.mistakes):
            if _answers_with(mistake.tree) != self.answer_type:
                raise FaultError(("mistakes", i, "tree"), f"a mistake gives a {self.answer_type} too")
            check_tree(mistake.tree, ("mistakes", i, "tree"), names)
        self._check_units()
        self._check_example()
        return self

    def _check_form(self) -> None:
        if self.id.split(".")[0] != self.operation:
            raise FaultError(("id",), f"id {self.id} does not begin with its operation {self.operation}")
        fits = _answers_with(self.tree)
        if self.answer_type != fits:
            raise FaultError(
                ("answer_type",), f"answer_type is {self.answer_type}, but the tree gives a {fits}"
            )
        if (self.decimals is None) != (self.answer_type == "datetime"):
            raise FaultError(("decimals",), "decimals are for numbers and counts, and needed there")
        if isinstance(self.tree, RoundNode) and self.tree.decimals is not None:
            raise FaultError(
                ("tree", "decimals"), "the outermost round takes its digits from the template's decimals"
            )
        if self.answer_type == "count" and self.decimals:
            raise FaultError(("decimals",), f"a count has 0 decimals, got {self.decimals}")

    def _check_wording(self) -> None:
        for i, wording in enumerate(self.wording):
            try:
                fields = {name for _, name, _, _ in Formatter().parse(wording) if name is not None}
            except ValueError as error:
                raise FaultError(("wording", i), f"wording {wording!r}: {error}") from error
            if fields != set(self.slots):
                raise FaultError(
                    ("wording", i),
                    f"wording {wording!r} must name exactly the slots {sorted(self.slots)},"
                    f" got {sorted(fields)}",
                )

    def _check_units(self) -> None:
        unit = unit_of(self.tree, ("tree",), self.givens)
        for i, condition in enumerate(self.requires):
            unit_of(condition, ("requires", i), self.givens)
        if unit is not None and self.unit is not None and same_unit(unit) != same_unit(self.unit):
            raise FaultError(
                ("unit",), f"contradictory units: the tree gives {unit}, the template says {self.unit}"
            )

    def _check_example(self) -> None:
        if self.example is None:
            return
        if set(self.example.slots) != set(self.slots):
            raise FaultError(("example", "slots"), f"an example fills exactly the slots {sorted(self.slots)}")
        shown = {name for name, given in self.givens.items() if given.kind != "record"}
        if set(self.example.givens) != shown:
            raise FaultError(
                ("example", "givens"), f"an example gives exactly {sorted(shown)}; record givens are read off"
            )

    @property
    def record_slots(self) -> tuple[str, ...]:
        """Names of the slots that take a record, in time order."""
        return tuple(name for name, slot in self.slots.items() if slot.kind == "record")

    @cached_property
    def vitals(self) -> frozenset[Vital]:
        """What every record of the context must document."""
        return vitals_of(self.tree).union(*(vitals_of(c) for c in self.requires))

    @cached_property
    def within_a_stay(self) -> bool:
        """Whether it asks what holds from record to record, or throughout: that ends with the stay."""
        drawn = any(not isinstance(given, RecordGiven) for given in self.givens.values())
        return drawn or any(isinstance(n, MinutesNode | SlopeNode | OverPairsNode) for n in nodes(self.tree))

    @property
    def answer_form(self) -> str:
        """The sentence that ends every wording: how the answer is to be written."""
        if self.answer_type == "datetime":
            return "Answer with the date and time as YYYY-MM-DD HH:MM:SS."
        unit = f" in {self.unit}" if self.unit else ""
        if not self.decimals:
            return f"Answer with a whole number{unit}."
        digits = f"{DECIMAL_WORDS[self.decimals]} decimal{'' if self.decimals == 1 else 's'}"
        return f"Answer with a number{unit}, rounded to {digits}."

    def question(self, wording: int, slots: Mapping[str, str]) -> str:
        """The question as asked; the answer's form included."""
        return f"{self.wording[wording].format_map(slots)} {self.answer_form}"


def _answers_with(root: RootNode) -> str:
    return {RoundNode: "number", CountNode: "count"}.get(type(root), "datetime")
