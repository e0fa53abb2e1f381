"""Check answers to a study's custom fields against their declaration, word them, and combine them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from clinicnum.annotations.custom_fields import CustomField, CustomType
from clinicnum.annotations.judgement import CustomValue, Judgement
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable, joined


def check_answers(judgement: Judgement, fields: Sequence[CustomField], *, early: bool = False) -> None:
    """Raise InputError for an answer that the study's declaration does not allow.

    `early`: the reference is not shown yet, so step-2 fields must not be answered.
    """
    declared = {one.name: one for one in fields}
    for name, value in judgement.custom.items():
        field = declared.get(name)
        if field is None:
            raise InputError(
                "this study declares no field {name!r}; expected {names}. Nothing was saved: reload the page",
                name=name,
                names=", ".join(declared) or Translatable("none"),
            )
        if early and field.step == 2:
            raise InputError(
                "“{label}” was answered before the gold answer was shown; lock the judgement of the response "
                "first, then answer it.",
                label=field.label,
            )
        if not field.applies(judgement):
            raise InputError(
                "“{label}” is asked of failures only, but the response was judged {response}; leave it out",
                label=field.label,
                response=Translatable(judgement.response_judgement),
            )
        field.check(value)


def missing_answer(
    judgement: Judgement, fields: Iterable[CustomField], *, early: bool = False, texts: bool = True
) -> str | None:
    """Message for the first unanswered required field, else None.

    With `early`, fields of step 2 may be missing; without `texts`, texts may.
    """
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
    """The joint answer of several annotators; None if there is none.

    The median of numbers; otherwise the options that more than half of them chose, joined by |.
    """
    numbers = [one for one in answers if isinstance(one, float)]
    if numbers:
        return median(numbers)
    chosen = Counter(part for one in answers for part in answer_label(one).split("|"))
    return "|".join(sorted(part for part, n in chosen.items() if 2 * n > len(answers))) or None


def column_name(field: CustomField) -> str:
    """The name of the field's column in exports, and of its layer of agreement: `custom_NAME`."""
    return f"custom_{field.name}"


def declared_words(field: CustomField) -> Translatable:
    """One line on a custom field (its type, options, and whether it is required), for pages and the data
    dictionary.
    """
    values = ", ".join(one.value for one in field.options)
    kinds: Mapping[CustomType, Translatable] = {
        "choice": Translatable("one of {options}", options=values),
        "multiple choice": Translatable("some of, joined by |: {options}", options=values),
        "yes/no": Translatable("yes or no"),
        "number": Translatable("a number"),
        "text": Translatable("free text"),
    }
    when = Translatable("without the reference") if field.step == 1 else Translatable("after the reference")
    parts = (
        field.label,
        kinds[field.type],
        *((Translatable("only of failures"),) if field.asked == "failures" else ()),
        when,
        Translatable("required") if field.required else Translatable("optional"),
    )
    return joined("; ", parts)
