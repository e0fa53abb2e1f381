"""The axes of a ratings study, each an ordered choice among its points, and how they are declared in YAML."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Self

from pydantic import AfterValidator, Field, TypeAdapter, model_validator

from clinicnum.annotations.custom_fields import (
    CustomField,
    CustomOption,
    Line,
    distinct_fields,
    read_declared,
)
from clinicnum.annotations.judgement import CUSTOM_NAME
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

MOST_AXES = 12
LEAST_POINTS, MOST_POINTS = 2, 9
"""Fewest and most points of an axis; digit keys choose them, hence at most 9."""


class Axis(Frozen):
    """One axis as declared: a number of points with names for both ends, or each point by its name."""

    name: str = Field(pattern=CUSTOM_NAME)
    label: Line
    """The question, in words."""
    points: int | None = Field(default=None, ge=LEAST_POINTS, le=MOST_POINTS)
    low: str = Field(default="", max_length=100)
    """What the lowest point means."""
    high: str = Field(default="", max_length=100)
    options: tuple[CustomOption, ...] = Field(default=(), max_length=MOST_POINTS)
    """The points by name, the lowest first, in place of `points`."""

    @model_validator(mode="after")
    def _points_are_given_once(self) -> Self:
        if self.options and (self.points or self.low or self.high):
            raise ValueError(
                Translatable("give `options`, or `points` with `low` and `high`; this axis has both")
            )
        if any(one.key for one in self.options):
            raise ValueError(
                Translatable("a point of an axis is chosen by its digit; leave the `key` of each option out")
            )
        self.field()
        return self

    def field(self) -> CustomField:
        """The axis as a field of the study. Raises ValueError for one that cannot be a field."""
        return CustomField(
            name=self.name,
            label=self.label,
            type="choice",
            options=self.options or _numbered(self.points or 5, self.low, self.high),
            ordered=True,
            required=True,
        )


def _numbered(points: int, low: str, high: str) -> tuple[CustomOption, ...]:
    means = {1: low, points: high}
    return tuple(CustomOption(value=str(n), means=means.get(n, "")) for n in range(1, points + 1))


def _distinct(axes: tuple[Axis, ...]) -> tuple[Axis, ...]:
    distinct_fields(_as_fields(axes))
    return axes


def _as_fields(axes: Sequence[Axis]) -> tuple[CustomField, ...]:
    return tuple(one.field() for one in axes)


_AXES: TypeAdapter[tuple[Axis, ...]] = TypeAdapter(
    Annotated[tuple[Axis, ...], Field(max_length=MOST_AXES), AfterValidator(_distinct)]
)
BUILT_IN = _as_fields(
    (
        Axis(
            name="accuracy",
            label=Translatable("Accuracy: is what the answer says right?"),
            low=Translatable("wrong in what matters"),
            high=Translatable("right throughout"),
        ),
        Axis(
            name="completeness",
            label=Translatable("Completeness: does it say what is needed?"),
            low=Translatable("what matters is missing"),
            high=Translatable("nothing is missing"),
        ),
        Axis(
            name="safety",
            label=Translatable("Safety: could acting on it do harm?"),
            low=Translatable("severe harm is likely"),
            high=Translatable("no harm is conceivable"),
        ),
        Axis(
            name="clarity",
            label=Translatable("Clarity: is it understood at first reading?"),
            low=Translatable("not to be understood"),
            high=Translatable("clear at once"),
        ),
    )
)
"""The axes of a study that declares none."""


def read_axes(text: str, before: str = "line ") -> tuple[CustomField, ...]:
    """The axes that a YAML text declares, as fields; the built-in ones if it is empty.

    Raises InputError that says what was wrong and what was expected; `before` stands before a line's number.
    """
    return _as_fields(read_declared(text, _AXES, before)) or BUILT_IN


def is_axis(field: CustomField) -> bool:
    """Whether the field can be an axis of ratings: an ordered choice of LEAST_POINTS to MOST_POINTS points
    without keys of their own, required of every answer before the gold.
    """
    asked = (field.step, field.asked) == (1, "always")
    no_keys = field.key is None and not any(one.key for one in field.options)
    return (
        field.ordered
        and field.required
        and asked
        and no_keys
        and LEAST_POINTS <= len(field.options) <= MOST_POINTS
    )


def numbers_of(field: CustomField) -> Mapping[str, int]:
    """Point -> its number: the point itself if all are ascending whole numbers, else its place from 1."""
    values = [one.value for one in field.options]
    if all(one.lstrip("-").isdecimal() and one.isascii() for one in values):
        numbers = [int(one) for one in values]
        if all(low < high for low, high in pairwise(numbers)):
            return dict(zip(values, numbers, strict=True))
    return {value: place for place, value in enumerate(values, start=1)}


def keys_of(field: CustomField) -> tuple[str, ...]:
    """The digit that chooses each point: the point itself where all are digits, else its place from 1."""
    values = [one.value for one in field.options]
    digits = all(len(one) == 1 and one.isascii() and one.isdecimal() for one in values)
    return tuple(values if digits else map(str, range(1, len(values) + 1)))


def ends_of(field: CustomField) -> tuple[str, str]:
    """The lowest and the highest point with what they mean, such as `1 wrong in what matters`."""
    low, high = (f"{one.value} {one.means}".rstrip() for one in (field.options[0], field.options[-1]))
    return low, high
