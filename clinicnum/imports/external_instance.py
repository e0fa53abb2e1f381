"""Build an instance from an imported item, with checks of its id, texts and numbers."""

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Literal

from clinicnum.imports.row_errors import RowError, wrong_value
from clinicnum.item_dimensions import problem
from clinicnum.translatable_text import Translatable
from clinicnum.types import AnswerType, Instance, Point

Scoring = Literal["numeric", "medcalc", "choice", "medec", "points"]
LONGEST_ID = 200


def external_instance(
    *,
    benchmark_id: str,
    instance_id: str,
    template_id: str,
    subtype: str,
    prompt_id: str,
    subject_id: str,
    context: str,
    question: str,
    answer: str | None,
    answer_type: AnswerType,
    scoring: Scoring,
    source: dict[str, str],
    dimensions: Mapping[str, str | None] | None = None,
    tags: Sequence[str] = (),
    worked: Sequence[str] = (),
    options: Sequence[str] = (),
    points: Sequence[Point] = (),
    lower: str | None = None,
    upper: str | None = None,
    decimals: int | None = None,
    unit: str | None = None,
) -> Instance:
    """An instance for an item without records, in a group of its own.

    `source` holds what the source states and no other field takes; it is stored in `slots`. Dimensions
    without a value are left out. Raises RowError for dimensions that cannot be used.
    """
    known = {name: value.strip() for name, value in (dimensions or {}).items() if value and value.strip()}
    fault = problem(known)
    if fault is not None:
        raise RowError(fault)
    return Instance(
        instance_id=instance_id,
        group_id=instance_id,
        benchmark_id=benchmark_id,
        template_id=template_id,
        template_version=1,
        tags=tuple(tags),
        operation="external",
        subtype=subtype,
        steps=1,
        representation="external",
        context=context,
        question=question,
        slots=source,
        dimensions=known,
        answer=answer,
        worked=tuple(worked),
        options=tuple(options),
        points=tuple(points),
        scoring=scoring,
        prompt_id=prompt_id,
        answer_type=answer_type,
        lower=lower,
        upper=upper,
        decimals=decimals,
        unit=unit,
        subject_id=subject_id,
        records=(),
    )


def checked_id(name: str, value: str) -> str:
    """The id that an item has in its source, unchanged. Raises RowError if it cannot be used as an id."""
    if not value.strip() or not value.isprintable() or len(value) > LONGEST_ID:
        raise wrong_value(
            name, value, Translatable("a plain id of at most {most} characters", most=LONGEST_ID)
        )
    return value


def checked_text(name: str, value: str) -> str:
    """The text, unchanged. Raises RowError if it is empty."""
    if not value.strip():
        raise wrong_value(name, value, Translatable("a text"))
    return value


def checked_number(name: str, value: str) -> Decimal:
    """A finite number from digits. Raises RowError for anything else."""
    try:
        number = Decimal(value)
    except InvalidOperation:
        raise wrong_value(name, value, Translatable("a number")) from None
    if not number.is_finite():
        raise wrong_value(name, value, Translatable("a finite number"))
    return number
