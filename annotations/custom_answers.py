"""Answers to the fields that a study declares: checked against the declaration, in words, and joined."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from statistics import median

from clinicnum.annotations.custom_fields import CustomField, CustomType
from clinicnum.annotations.judgement import CustomValue, Judgement
from clinicnum.errors import InputError


def check_answers(judgement: Judgement, fields: Sequence[CustomField], *, early: bool = False) -> None:
    """Raise InputError for an answer that the study's declaration does not allow.

    `early`: the judgement is made before the reference is shown, when step 2 is not asked yet.
    """
    declared = {one.name: one for one in fields}
    for name, value in judgement.custom.items():
        field = declared.get(name)
        if field is None:
            raise InputError(
                f"this study declares no field {name!r}; expected {', '.join(declared) or 'none'}. Nothing "
                "was saved: reload the page"
            )
        if early and field.step == 2:
            raise InputError(
                f"“{field.label}” was answered before the reference was shown; lock the judgement of the "
                "response first, then answer it."
            )
        if not field.applies(judgement):
            raise InputError(
                f"“{field.label}” is asked of failures only, but the response was judged "
                f"{judgement.response_judgement}; leave it out"
            )
        field.check(value)


def missing_answer(
    judgement: Judgement, fields: Iterable[CustomField], *, early: bool = False, texts: bool = True
) -> str | None:
    """What must still be answered, as a sentence; None if nothing must. Without `texts`, texts may lack."""
    for one in fields:
        due = one.required and one.applies(judgement) and not (early and one.step == 2)
        if due and one.name not in judgement.custom and (texts or one.type != "text"):
            return one.definition().required
    return None


def names_of(fields: Iterable[CustomField], *, step: int | None = None, text: bool = False) -> frozenset[str]:
    """The names of all fields, of those of a step, or of the free texts alone."""
    return frozenset(
        one.name for one in fields if step in (None, one.step) and (not text or one.type == "text")
    )


def answer_label(value: CustomValue) -> str:
    """An answer as one text, as in exports and for agreement; a set is joined by |."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "|".join(value)
    return f"{value:.15g}" if isinstance(value, float) else value


def joint_answer(answers: Sequence[CustomValue]) -> str | float | None:
    """What several annotators answered together; None if that is nothing.

    The median of numbers; otherwise what more than half of them chose, of several options each by itself.
    """
    numbers = [one for one in answers if isinstance(one, float)]
    if numbers:
        return median(numbers)
    chosen = Counter(part for one in answers for part in answer_label(one).split("|"))
    return "|".join(sorted(part for part, n in chosen.items() if 2 * n > len(answers))) or None


def column_name(field: CustomField) -> str:
    """The field's column in exports, and its layer of agreement."""
    return f"custom_{field.name}"


def declared_words(field: CustomField) -> str:
    """One line on a custom field (its type, options, and whether it is required), for pages and the data
    dictionary.
    """
    kinds: Mapping[CustomType, str] = {
        "choice": "one of",
        "multiple choice": "some of, joined by |:",
        "yes/no": "yes or no",
        "number": "a number",
        "text": "free text",
    }
    values = ", ".join(one.value for one in field.options)
    parts = chain(
        (field.label, f"{kinds[field.type]} {values}".strip()),
        ("only of failures",) if field.asked == "failures" else (),
        ("without the reference" if field.step == 1 else "after the reference",),
        ("required" if field.required else "optional",),
    )
    return "; ".join(parts)
