"""A template: a question family with its wording, slots, operation tree and rules for the answer."""

from collections.abc import Mapping
from functools import cached_property
from string import Formatter
from typing import Annotated, Literal

from pydantic import Field, model_validator

from clinicnum.templates.tree import (
    EACH,
    Condition,
    CountNode,
    MeanNode,
    Node,
    RootNode,
    RoundNode,
    VitalNode,
    nodes,
    vitals_of,
)
from clinicnum.types import Frozen, Operation, Vital

Status = Literal["draft", "unreviewed", "in_review", "validated", "retired"]
ASKABLE: frozenset[Status] = frozenset({"unreviewed", "validated"})
"""Statuses whose templates enter a benchmark."""

CHOICES = ("earliest", "latest")
DECIMAL_WORDS = ("zero", "one", "two", "three", "four", "five", "six")


class RecordSlot(Frozen):
    """Filled with the time of a record; several in one template take distinct records in time order."""

    kind: Literal["record"]


class ChoiceSlot(Frozen):
    """Filled with one of the given words."""

    kind: Literal["choice"]
    options: tuple[Literal["earliest", "latest"], ...] = Field(min_length=1)


class Mistake(Frozen):
    """A mistake that only this template invites, such as another formula."""

    rule: str = Field(pattern=r"^[a-z0-9_]+$")
    code: str = Field(pattern=r"^[a-z_]+\.[a-z_]+$")
    tree: RootNode


class Template(Frozen):
    """One entry of a bank."""

    id: str = Field(pattern=r"^[a-z]+(\.[a-z0-9_]+)+$")
    version: int = Field(ge=1)
    status: Status
    tags: tuple[str, ...] = ()
    operation: Operation
    subtype: str
    steps: int = Field(ge=0)
    """Arithmetic and comparison steps a person would count."""
    wording: tuple[str, ...] = Field(min_length=1)
    slots: dict[str, Annotated[RecordSlot | ChoiceSlot, Field(discriminator="kind")]] = Field(
        default_factory=dict
    )
    tree: RootNode
    requires: tuple[Condition, ...] = ()
    """Conditions without which the question is not asked."""
    mistakes: tuple[Mistake, ...] = ()
    answer_type: Literal["number", "count", "datetime"]
    decimals: int | None = Field(default=None, ge=0, le=6)
    unit: str | None = None
    source: str

    @model_validator(mode="after")
    def _consistent(self) -> "Template":
        if self.id.split(".")[0] != self.operation:
            raise ValueError(f"id {self.id} does not begin with its operation {self.operation}")
        fits = {RoundNode: "number", CountNode: "count"}.get(type(self.tree), "datetime")
        if self.answer_type != fits:
            raise ValueError(f"answer_type is {self.answer_type}, but the tree gives a {fits}")
        if (self.decimals is None) != (self.answer_type == "datetime"):
            raise ValueError("decimals are for numbers and counts, and needed there")
        if isinstance(self.tree, RoundNode) and self.tree.decimals is not None:
            raise ValueError("the outermost round takes its digits from the template's decimals")
        if self.answer_type == "count" and self.decimals:
            raise ValueError(f"a count has 0 decimals, got {self.decimals}")
        for wording in self.wording:
            fields = {name for _, name, _, _ in Formatter().parse(wording) if name is not None}
            if fields != set(self.slots):
                raise ValueError(f"wording {wording!r} must name exactly the slots {sorted(self.slots)}")
        for root in (self.tree, *(m.tree for m in self.mistakes)):
            self._check_reading(root, each=not isinstance(root, RoundNode))
        for condition in self.requires:
            self._check_reading(condition, each=False)
        return self

    def _check_reading(self, root: Node, *, each: bool) -> None:
        for node in nodes(root):
            if isinstance(node, VitalNode) and node.vital == "pain":
                raise ValueError("pain is shown but not asked")
            if isinstance(node, VitalNode) and node.at == EACH and not each:
                raise ValueError("`at: each` stands only in a count, time_of or time_of_extreme")
            if isinstance(node, VitalNode) and node.at != EACH and node.at not in self.record_slots:
                raise ValueError(f"at: {node.at} names no record slot; got slots {sorted(self.slots)}")
            choice = isinstance(node, MeanNode) and isinstance(self.slots.get(node.take), ChoiceSlot)
            if isinstance(node, MeanNode) and node.take not in CHOICES and not choice:
                raise ValueError(f"take: {node.take} is neither earliest, latest nor a choice slot")

    @property
    def record_slots(self) -> tuple[str, ...]:
        """Names of the slots that take a record, in time order."""
        return tuple(name for name, slot in self.slots.items() if slot.kind == "record")

    @cached_property
    def vitals(self) -> frozenset[Vital]:
        """What every record of the context must document."""
        return vitals_of(self.tree).union(*(vitals_of(c) for c in self.requires))

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
