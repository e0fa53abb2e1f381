"""The questions of the layers of agreement: what each compares, and how it is read from an annotation."""

from collections.abc import Mapping
from dataclasses import dataclass

from clinicnum.annotations.agreement.annotation_selection import Read
from clinicnum.annotations.agreement.types import NONE, SEPARATOR, Scale
from clinicnum.annotations.claim_verdict import on_the_answer, parts_of
from clinicnum.annotations.consensus import level1_primary
from clinicnum.annotations.custom_field_answers import answer_label, column_name
from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.judgement import ITEM_JUDGEMENTS, SEVERITIES, Judgement
from clinicnum.annotations.preference_question import PREFERENCES
from clinicnum.annotations.study_kind import KINDS, RESPONSE_JUDGEMENTS, StudyKind
from clinicnum.annotations.types import Annotation
from clinicnum.translatable_text import Translatable

NOT_ANSWERED = "not answered"
NOT_ASKED = "not answered, or not asked as the response was called no failure"
ITEM, PRIMARY, PRIMARY_OR_NONE = (
    Translatable("Judgement of the item"),
    Translatable("Primary class"),
    Translatable("Primary class, or none"),
)
CODES, CODES_OR_NONE = Translatable("All codes as a set"), Translatable("All codes as a set, or none")
SEVERITY = Translatable("Severity")
_LEVELS = tuple(level for level in SEVERITIES if level != "not_applicable")


@dataclass(frozen=True)
class Question:
    """What a layer compares, and how that label is read from an annotation."""

    name: str
    title: Translatable
    scale: Scale
    categories: tuple[str, ...]
    label: Read
    conditional: bool = False
    blank: str = ""
    """Why a label can be missing."""
    blind: bool = False
    """Taken from first judgements, which people make before gold and score are shown."""
    last: bool = False
    """Missing where the judgement locked before the reference is used instead of the last one."""
    text: bool = False
    """Free text, on which no agreement is computed."""


def study_questions(kind: StudyKind, codes: tuple[str, ...], scripted: bool) -> tuple[Question, ...]:
    """The questions that every study of a kind asks, without those on its custom fields.

    `codes` are those of the taxonomy; `scripted`: whether some annotators saw the gold before judging.
    """
    return _failure_questions(codes, scripted) if kind == "failures" else _ONE_STEP.get(kind, ())


def _failure_questions(codes: tuple[str, ...], scripted: bool) -> tuple[Question, ...]:
    """The questions of a study that judges failures.

    With `scripted`, some annotators saw the gold before judging, so no layer is called blind.
    """
    before, after = _times(scripted)
    level1 = tuple(code for code in codes if "." not in code)
    return (
        Question(
            "item_judgement",
            ITEM,
            "nominal",
            ITEM_JUDGEMENTS,
            item_judgement,
        ),
        Question(
            "response_judgement",
            Translatable("Judgement of the response, {when}", when=before),
            "nominal",
            RESPONSE_JUDGEMENTS,
            response_judgement,
            blank="the first judgement was not kept",
            blind=True,
        ),
        Question(
            "response_after_gold",
            Translatable("Judgement of the response, {when}", when=after),
            "nominal",
            RESPONSE_JUDGEMENTS,
            response_judgement,
            blank="made with a suggestion in sight",
            last=True,
        ),
        Question("primary", PRIMARY_OR_NONE, "nominal", (*level1, NONE), level1_primary),
        Question("labels", CODES_OR_NONE, "set", codes, _label_set),
        Question(
            "primary_if_failure",
            PRIMARY,
            "nominal",
            level1,
            level1_primary,
            conditional=True,
        ),
        Question(
            "labels_if_failure",
            CODES,
            "set",
            codes,
            _label_set,
            conditional=True,
        ),
        Question(
            "severity_if_failure",
            SEVERITY,
            "ordinal",
            _LEVELS,
            _severity,
            True,
            "severity not applicable",
        ),
    )


PREFERRED = Question(
    "response_judgement",
    Translatable("Preference between two answers"),
    "nominal",
    PREFERENCES,
    lambda one: one.response_judgement,
)
"""The one question of a pairwise study."""


def _any(part: int, value: str) -> Read:
    """A function that reads from a judgement, as `yes` or `no`, whether any sentence of the answer has this
    verdict (`part` 0) or this harm (`part` 1).
    """
    return lambda one: (
        "yes" if any(parts_of(said)[part] == value for said in on_the_answer(one.claims).values()) else "no"
    )


CHECKED = (
    Question(
        "any_contradicted",
        Translatable("Any sentence of the answer contradicted"),
        "nominal",
        ("yes", "no"),
        _any(0, "contradicted"),
    ),
    Question(
        "any_major_harm",
        Translatable("Any sentence of the answer with major harm"),
        "nominal",
        ("yes", "no"),
        _any(1, "major"),
    ),
)
"""The questions of a claims study that have one label per answer; its report has agreement on sentences."""
_ONE_STEP: Mapping[StudyKind, tuple[Question, ...]] = {"pairwise": (PREFERRED,), "claims": CHECKED}


def _times(scripted: bool) -> tuple[Translatable, Translatable]:
    """Words for the time of the first judgement of a response, and for that of the last."""
    if scripted:
        return Translatable("first"), Translatable("last")
    return Translatable("before the gold"), Translatable("after the gold")


def custom_question(field: CustomField, scripted: bool, kind: StudyKind = "failures") -> Question:
    """The question on a custom field: in a study of failures as judged first (field of step 1) or last (step
    2); on an axis of ratings as rated last.

    `scripted`: whether some annotators saw the gold before judging.
    """
    in_steps = KINDS[kind].judges_failures
    scale: Scale = "ordinal" if field.ordered else "nominal"
    scales: Mapping[str, Scale] = {"number": "interval", "multiple choice": "set"}
    values = ("yes", "no") if field.type == "yes/no" else tuple(one.value for one in field.options)
    before, after = _times(scripted)

    def label(annotation: Judgement) -> str | None:
        given = annotation.custom.get(field.name)
        return None if given is None else answer_label(given)

    return Question(
        column_name(field),
        Translatable("{question} ({when})", question=field.label, when=before if field.step == 1 else after)
        if in_steps
        else Translatable.of(field.label),
        scales.get(field.type, scale),
        values,
        label,
        conditional=field.asked == "failures" and field.step == 2,
        blank=NOT_ASKED if field.asked == "failures" else NOT_ANSWERED,
        blind=in_steps and field.step == 1,
        text=field.type == "text",
    )


def item_judgement(annotation: Judgement) -> str:
    """The annotator's judgement of the item, such as `valid` or `gold_wrong`. Raises InputError if not judged
    yet.
    """
    return annotation.item()


def response_judgement(annotation: Judgement) -> str:
    """The annotator's judgement of the response, such as `acceptable` or `failure`."""
    return annotation.response_judgement


def _label_set(annotation: Annotation) -> str:
    codes = [label.code for label in annotation.labels]
    return SEPARATOR.join(sorted(codes)) or NONE


def _severity(annotation: Annotation) -> str | None:
    return None if annotation.severity == "not_applicable" else annotation.severity
