"""The judgement form as data, so that page scripts hard-code no field, label or rule."""

from collections.abc import Sequence
from typing import Any

from clinicnum.annotations.claim_verdict import CLAIM_BACK_KEY, HARMS, OF_ANSWER, OF_REFERENCE
from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.judgement import (
    FIELDS,
    LONGEST_TEXT,
    MOST_EVIDENCE,
    Judgement,
    default_of,
    fields_in_page_order,
    label_of,
    values_of,
)
from clinicnum.annotations.judgement_field_definition import FieldDefinition, Option
from clinicnum.annotations.partial_judgement import empty_form
from clinicnum.annotations.preference_question import PREFERENCE
from clinicnum.annotations.ratings.rating_axes import is_axis, keys_of
from clinicnum.annotations.taxonomy import Code, SeverityLevel, Taxonomy
from clinicnum.ui.components.language import _

MINUTE_FORMAT = "%Y-%m-%d %H:%M"
LONGEST_LINE = 200
"""Most characters of a one-line field; a field for longer text has several lines."""


def judgement_questions(taxonomy: Taxonomy, fields: Sequence[CustomField] = ()) -> dict[str, Any]:
    """The `questions` in page order, the `empty` form, the error `classes` and the `most_evidence` limit.

    `fields` are what the study adds to the judgement; they are asked last.
    """
    labels = FIELDS["labels"]
    questions = [_question(name, about, taxonomy) for name, about in fields_in_page_order()]
    last = max(place for place, (_, about) in enumerate(fields_in_page_order()) if about.when == labels.when)
    further = {
        **_about("further", labels),
        "kind": "further",
        "label": _("Further labels"),
        "hint": _("optional"),
    }
    questions.insert(last + 1, {**further, "required": None, "help": ""})
    questions += [_custom_question(one) for one in fields]
    return {
        "questions": questions,
        "empty": empty_form(),
        "classes": taxonomy_view(taxonomy),
        "most_evidence": MOST_EVIDENCE,
    }


def pair_questions() -> list[dict[str, Any]]:
    """The questions of a pairwise study; options assume that the first answer is on the left."""
    preference = {
        **_about("response_judgement", PREFERENCE),
        **{"kind": "choice", "options": _options(PREFERENCE), "clearable": False},
    }
    return [preference, _reason()]


def rating_questions(fields: Sequence[CustomField]) -> list[dict[str, Any]]:
    """The axes of a ratings study, whose points have the `digit` that chooses them, and the reason."""
    return [*(_axis(one) for one in fields if is_axis(one)), _reason()]


def _axis(field: CustomField) -> dict[str, Any]:
    low, high = field.options[0], field.options[-1]
    points = zip(field.options, field.definition().options, keys_of(field), strict=True)
    return {
        **_custom_question(field),
        "kind": "axis",
        "required": _("Give a point on “{label}”.", label=_(field.label)),
        "ends": [_(low.means) if low.means else "", _(high.means) if high.means else ""],
        "options": [
            {
                "value": one.value,
                "label": _(shown.label),
                "digit": digit,
                "means": _(one.means) if one.means else "",
            }
            for one, shown, digit in points
        ],
    }


def _reason() -> dict[str, Any]:
    return {
        **_about("rationale", FIELDS["rationale"]),
        **{"kind": "text", "longest": LONGEST_TEXT, "label": _("Why"), "hint": _("optional")},
    }


def claim_questions() -> list[dict[str, Any]]:
    """The one question of a claims study besides the verdicts on sentences: an optional remark."""
    about = _about("rationale", FIELDS["rationale"])
    return [{**about, "kind": "text", "longest": LONGEST_TEXT, "label": _("Remark"), "hint": _("optional")}]


def claim_options() -> dict[str, Any]:
    """The verdicts on sentences, with their keys and whether they ask for a harm (`harmful`); the harms; and
    the key that goes back.
    """

    def options(given: Sequence[Option]) -> list[dict[str, Any]]:
        return [{"value": one.value, "label": _(one.label), "key": one.key} for one in given]

    def verdicts(given: Sequence[Option]) -> list[dict[str, Any]]:
        return [one | {"harmful": place > 0} for place, one in enumerate(options(given))]

    return {
        "answer": verdicts(OF_ANSWER),
        "reference": verdicts(OF_REFERENCE),
        "harms": options(HARMS),
        "back_key": CLAIM_BACK_KEY,
    }


def _question(name: str, about: FieldDefinition, taxonomy: Taxonomy) -> dict[str, Any]:
    if name == "labels":
        return {**_about("primary", about), "kind": "primary"}
    asked = _about(name, about)
    if not about.chosen:
        limits = (getattr(one, "max_length", 0) for one in Judgement.model_fields[name].metadata)
        longest = max(limits)
        return {**asked, "kind": "line" if longest <= LONGEST_LINE else "text", "longest": longest}
    options = [_level(one) for one in taxonomy.severities] if about.levels else _options(about)
    clearable = about.required is None and default_of(name) not in values_of(name)
    return {**asked, "kind": "choice", "options": options, "clearable": clearable}


def _options(about: FieldDefinition) -> list[dict[str, Any]]:
    return [
        {"value": one.value, "label": _(one.label), "words": _(one.label), "key": one.key}
        for one in about.options
    ]


def custom_definitions(fields: Sequence[CustomField]) -> dict[str, FieldDefinition]:
    """The study's own fields by the names that page scripts know them by: `custom.NAME`."""
    return {f"custom.{one.name}": one.definition() for one in fields}


_KINDS = {"multiple choice": "several", "number": "number", "text": "text"}


def _custom_question(field: CustomField) -> dict[str, Any]:
    ((name, about),) = custom_definitions((field,)).items()
    asked = {**_about(name, about), "kind": _KINDS.get(field.type, "choice")}
    if not about.options:
        return asked | {"longest": LONGEST_TEXT}
    return asked | {"options": _options(about), "clearable": about.required is None}


def _about(name: str, about: FieldDefinition) -> dict[str, Any]:
    return {
        "name": name,
        "label": _(about.label),
        "hint": _(about.hint),
        "help": _(about.help),
        "key": about.key,
        "when": about.when._asdict() if about.when else None,
        "required": _(about.required) if about.required else None,
        "private": about.private,
        "after_reference": about.after_reference,
    }


def _level(level: SeverityLevel) -> dict[str, Any]:
    none = not level.level.isdigit()
    return {
        "value": level.level,
        "label": _("n/a") if none else level.level,
        "words": _(label_of("severity", level.level)),
        "key": "-" if none else level.level,
        "title": _(level.name),
        "help": f"{_(level.name)}. {_(level.examples[0])}",
    }


def _sub_class(group: str, code: Code) -> dict[str, Any]:
    return {
        "code": f"{group}.{code.code}",
        "key": code.key,
        "name": _(code.name),
        "definition": _(code.definition),
    }


def taxonomy_view(taxonomy: Taxonomy) -> list[dict[str, Any]]:
    """The error classes with their keyboard keys, definitions and sub-classes (`subs`)."""
    return [
        {
            "code": group.code,
            "key": group.key,
            "name": _(group.name),
            "definition": _(group.definition),
            "subs": [_sub_class(group.code, s) for s in group.sub_classes],
        }
        for group in taxonomy.classes
    ]
