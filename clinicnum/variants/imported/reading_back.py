"""Read an imported item back: remove from a variant what its kinds changed or added.

A variant asks what its base asks if both are read back to the same. `lint` compares the same way, from the
files alone.
"""

import re
from collections import Counter
from collections.abc import Hashable
from typing import NamedTuple

from clinicnum.scoring.multiple_choice import right_option
from clinicnum.types import Instance
from clinicnum.variants.imported.patient_age import without_age
from clinicnum.variants.imported.patient_sex import without_sex
from clinicnum.variants.imported.typos import without_slips
from clinicnum.variants.imported.unrelated_lines import without_notice
from clinicnum.variants.other_patient_passages import RULE, without_passages

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def numbers_of(text: str) -> Counter[str]:
    """The numbers in a text, as they are written, with how often each stands there."""
    return Counter(_NUMBER.findall(text))


class ReadBack(NamedTuple):
    """What is left of an item without what variants add; compared part by part."""

    text: Hashable
    """Context and question without a distractor and passages of other patients."""
    spelt: Hashable
    """`text` without typing errors."""
    ageless: Hashable
    """`spelt` without the patient's age."""
    sexless: Hashable
    """`spelt` without the patient's sex."""
    nobody: Hashable
    """`spelt` without age and sex."""
    options: Hashable
    gold: Hashable
    """The text of the right answer, in whatever position."""
    rest: Hashable
    """Whatever else decides whether an answer is right."""
    numbers: Hashable
    """The numbers in context and question, sorted as texts."""


def read_back(item: Instance) -> ReadBack:
    """An item, base or variant, without what its kinds of variant add."""
    kinds = () if item.variant is None else item.variant.split("+")
    context, question = item.context, item.question
    if any(kind.startswith("context.") for kind in kinds):
        context, question = without_passages(context), question.removesuffix(f"\n{RULE}")
    if "input.distractor" in kinds:
        context = without_notice(context)
    spelt, asked = without_slips(context), without_slips(question)
    return ReadBack(
        text=(context, question),
        spelt=(spelt, asked),
        ageless=(without_age(spelt), asked),
        sexless=(without_sex(spelt), asked),
        nobody=(without_sex(without_age(spelt)), asked),
        options=frozenset(item.options),
        gold=right_option(item) if item.options else item.answer,
        rest=(item.lower, item.upper, item.unit, item.decimals, item.points, item.answer_type, item.scoring),
        numbers=tuple(sorted(numbers_of(f"{context}\n{question}").elements())),
    )


def difference(base: ReadBack, variant: ReadBack, kinds: tuple[str, ...]) -> str | None:
    """The rule that a variant breaks if it asks something else than its base; None if it asks the same."""
    aged, sexed = (any(kind.startswith(f"patient.{what}.") for kind in kinds) for what in ("age", "sex"))
    part = "nobody" if aged and sexed else "ageless" if aged else "sexless" if sexed else "spelt"
    if part == "spelt" and "input.typo" not in kinds:
        part = "text"
    if getattr(base, part) != getattr(variant, part):
        return "variant.text"
    if base.options != variant.options:
        return "options.changed"
    if (base.gold, base.rest) != (variant.gold, variant.rest):
        return "variant.answer_not_same"
    return None
