"""Variants `patient`: who the patient is said to be, with every vital sign unchanged.

Two sexes and two ages are stated in a line of their own, and in the records; one of the sexes is the
patient's own, the other the counterfactual. Only for questions whose rule uses neither, so that the right
answer stays: a rule can use them only through a given read from the record.
"""

import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from clinicnum.templates.template import RecordGiven
from clinicnum.variants.variant_draft import NotApplicableError, VariantDraft

SEXES = {"female": ("F", "woman"), "male": ("M", "man")}
"""Name of the kind -> the record's letter, the word."""
AGES = (25, 80)
ADULT = 18
SPEAKS = re.compile(
    r"\b(?:age[ds]?|years?|old(?:er)?|young(?:er)?|elderly|child\w*|infants?|wom[ae]n|m[ae]n|(?:fe)?males?|boys?|girls?"
    r"|she|hers?|he|his|him|sex|gender|pregnan\w*|mr|mrs|ms|[0-9]{1,3} ?[fm]|[0-9]{1,3} ?(?:y/?o|yr))\b",
    re.IGNORECASE,
)
"""Words of age or sex, in a note or a question."""


def sex(name: str) -> Callable[[VariantDraft, random.Random], VariantDraft]:
    """The kind of variant that states this sex of the patient."""
    letter, word = SEXES[name]
    return _stated({"gender": letter}, f"Patient: {word}.")


def age(years: int) -> Callable[[VariantDraft, random.Random], VariantDraft]:
    """The kind of variant that states this age of the patient, in years."""
    return _stated({"age_years": years}, f"Patient: {years} years old.")


def _stated(fields: dict[str, Any], line: str) -> Callable[[VariantDraft, random.Random], VariantDraft]:
    def change(draft: VariantDraft, rng: random.Random) -> VariantDraft:
        _check_not_asked(draft)
        records = tuple(record.model_copy(update=fields) for record in draft.records)
        return replace(draft, records=records, context=f"{draft.context}\n{line}")

    return change


def _check_not_asked(draft: VariantDraft) -> None:
    """Raise NotApplicableError if the answer may rest on age or sex."""
    if any(isinstance(given, RecordGiven) for given in draft.asked.template.givens.values()):
        raise NotApplicableError("the answer rests on the patient's age")
    if any(record.age_years is not None and record.age_years < ADULT for record in draft.records):
        raise NotApplicableError("the patient is no adult")
    if SPEAKS.search(f"{draft.base.context}\n{draft.words.text()}"):
        raise NotApplicableError("its text speaks of age or sex already")
