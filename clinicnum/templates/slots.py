"""What a template is filled with: slots of the wording, givens of the context, and a published example."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from clinicnum.types import Frozen, Record


class RecordSlot(Frozen):
    """Filled with the time of a record; several in one template take distinct records in time order."""

    kind: Literal["record"]


class ChoiceSlot(Frozen):
    """Filled with one of the given words."""

    kind: Literal["choice"]
    options: tuple[Literal["earliest", "latest"], ...] = Field(min_length=1)


Slot = Annotated[RecordSlot | ChoiceSlot, Field(discriminator="kind")]

Label = Annotated[str, Field(pattern=r"^[^\d:;|]+$")]
"""As shown in a context: without digit, colon, semicolon or bar, which separate it from its value."""
Option = Annotated[str, Field(pattern=r"^[^:;|]+$")]


class NumberGiven(Frozen):
    """A number from `low` to `high`, inclusive, with so many decimals."""

    kind: Literal["number"]
    label: Label
    unit: str | None = None
    low: Decimal
    high: Decimal
    decimals: int = Field(default=0, ge=0, le=3)

    @model_validator(mode="after")
    def _consistent(self) -> "NumberGiven":
        if self.low >= self.high:
            raise ValueError(f"low {self.low} is not below high {self.high}")
        for bound in (self.low, self.high):
            if bound != round(bound, self.decimals):
                raise ValueError(f"{bound} has more than {self.decimals} decimals")
        return self


class ChoiceGiven(Frozen):
    """One of several words."""

    kind: Literal["choice"]
    label: Label
    options: tuple[Option, ...] = Field(min_length=2)
    unit: None = None


class RecordGiven(Frozen):
    """A number that the records carry beside the vital signs."""

    model_config = ConfigDict(serialize_by_alias=True)

    kind: Literal["record"]
    label: Label
    unit: str | None = None
    field: Literal["age_years"] = Field(alias="from")

    def value(self, records: Sequence[Record]) -> str | None:
        """The value on which all records agree; None where they do not or it is unknown."""
        found = {getattr(record, self.field) for record in records}
        return str(found.pop()) if len(found) == 1 and None not in found else None


GivenSpec = Annotated[NumberGiven | ChoiceGiven | RecordGiven, Field(discriminator="kind")]


def _with_origin(value: Any) -> Any:
    """An example's record needs no patient: its time and its values are enough."""
    if isinstance(value, dict):
        return {"subject_id": "example", "stay_id": "example", "source": "example", **value}
    return value


class Example(Frozen):
    """A worked example that somebody published, with the answer that the source gives."""

    records: tuple[Annotated[Record, BeforeValidator(_with_origin)], ...] = Field(min_length=1)
    """In time order."""
    slots: dict[str, str] = Field(default_factory=dict)
    """Record slots: the record's time; choice slots: the word."""
    givens: dict[str, str] = Field(default_factory=dict)
    """Number and choice givens; a record given is read off the records."""
    answer: str
    source: str
