"""The variable parts of a template: slots of the wording, givens of the context, and a published example."""

import random
from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from clinicnum.types import Frozen, Record


class RecordSlot(Frozen):
    """A slot for the time of a record; several in one template take distinct records in order of time."""

    kind: Literal["record"]


class ChoiceSlot(Frozen):
    """A slot for one of the given words."""

    kind: Literal["choice"]
    options: tuple[Literal["earliest", "latest"], ...] = Field(min_length=1)


Slot = Annotated[RecordSlot | ChoiceSlot, Field(discriminator="kind")]

Label = Annotated[str, Field(pattern=r"^[^\d:;|]+$")]
"""A label in a context: without digit, colon, semicolon or bar, which separate it from its value."""
Option = Annotated[str, Field(pattern=r"^[^:;|]+$")]


def _without_empty(said: dict[str, Any], optional: str) -> dict[str, Any]:
    """The fields `said` without the field `optional` if that is empty: a template that does not use it keeps
    the hash from before it existed.
    """
    return {name: value for name, value in said.items() if name != optional or value}


class NumberGiven(Frozen):
    """A given that is a number: from `low` to `high`, both included, with a fixed number of decimals; or one
    of `values`.
    """

    kind: Literal["number"]
    label: Label
    unit: str | None = None
    low: Decimal
    high: Decimal
    decimals: int = Field(default=0, ge=0, le=3)
    values: tuple[Decimal, ...] = ()
    """The values that occur, such as oxygen fractions that can be set; empty if every number does."""

    @model_validator(mode="after")
    def _consistent(self) -> "NumberGiven":
        if self.low >= self.high:
            raise ValueError(f"low {self.low} is not below high {self.high}")
        for number in (self.low, self.high, *self.values):
            if number != round(number, self.decimals):
                raise ValueError(f"{number} has more than {self.decimals} decimals")
        if self.values and (min(self.values), max(self.values)) != (self.low, self.high):
            ends = f"{min(self.values)} to {max(self.values)}"
            raise ValueError(f"values go from {ends}, expected low {self.low} to high {self.high}")
        return self

    def drawn(self, rng: random.Random) -> Decimal:
        """A random one of the possible numbers, all equally likely."""
        if self.values:
            return rng.choice(self.values)
        step = Decimal(1).scaleb(-self.decimals)
        return self.low + step * rng.randrange(int((self.high - self.low) / step) + 1)

    def allows(self, number: Decimal) -> bool:
        """Whether the number is a possible one."""
        return number in self.values if self.values else self.low <= number <= self.high

    @model_serializer(mode="wrap")
    def _without_defaults(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return _without_empty(dump(self), "values")


class ChoiceGiven(Frozen):
    """A given that takes one of several words."""

    kind: Literal["choice"]
    label: Label
    options: tuple[Option, ...] = Field(min_length=2)
    weights: tuple[Annotated[int, Field(ge=1)], ...] = ()
    """How often each option occurs, in parts of their sum; empty where each is as likely as the others."""
    unit: None = None

    @model_validator(mode="after")
    def _one_each(self) -> "ChoiceGiven":
        if self.weights and len(self.weights) != len(self.options):
            raise ValueError(
                f"{len(self.weights)} weights for {len(self.options)} options; give one for each"
            )
        return self

    def drawn(self, rng: random.Random) -> str:
        """A random one of the options, drawn by `weights`."""
        if not self.weights:
            return rng.choice(self.options)
        return rng.choices(self.options, self.weights)[0]

    @model_serializer(mode="wrap")
    def _without_defaults(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return _without_empty(dump(self), "weights")


class RecordGiven(Frozen):
    """A given that is read from the records, which carry it besides vital signs."""

    model_config = ConfigDict(serialize_by_alias=True)

    kind: Literal["record"]
    label: Label
    unit: str | None = None
    field: Literal["age_years"] = Field(alias="from")

    def value(self, records: Sequence[Record]) -> str | None:
        """The value as text, if all records have the same; None if they differ or it is unknown."""
        found = {getattr(record, self.field) for record in records}
        return str(found.pop()) if len(found) == 1 and None not in found else None


GivenSpec = Annotated[NumberGiven | ChoiceGiven | RecordGiven, Field(discriminator="kind")]


def _with_origin(value: Any) -> Any:
    """Complete an example's record, which needs no patient, only a time and values."""
    if isinstance(value, dict):
        return {"subject_id": "example", "stay_id": "example", "source": "example", **value}
    return value


class Example(Frozen):
    """A worked example from a publication, with the answer given there."""

    records: tuple[Annotated[Record, BeforeValidator(_with_origin)], ...] = Field(min_length=1)
    """In time order."""
    slots: dict[str, str] = Field(default_factory=dict)
    """Record slots: the record's time; choice slots: the word."""
    givens: dict[str, str] = Field(default_factory=dict)
    """Number and choice givens; record givens are taken from the records."""
    answer: str
    source: str
