"""The judgement, defined once: its fields, their values, when each must be given, and their wording.

Validation, stored payloads, the audit replay, exports, pages and their scripts derive from `Judgement`. A
field added there needs a default, so that judgements stored before it stay readable.
"""

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, Field, model_validator

from clinicnum.annotations import judgement_option_definitions as option_rules
from clinicnum.annotations.claim_verdict import Claims, on_the_answer
from clinicnum.annotations.judgement_field_definition import Condition, FieldDefinition, Option
from clinicnum.annotations.preference_question import NAMED, Preference, Side
from clinicnum.annotations.study_kind import KIND_OF_RESPONSE, KINDS, Done, ResponseJudgement, StudyKind
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Cell, Frozen

ItemJudgement = Literal["valid", "gold_wrong", "ambiguous"]
Severity = Literal["0", "1", "2", "3", "4", "not_applicable"]
ITEM_JUDGEMENTS: tuple[ItemJudgement, ...] = get_args(ItemJudgement)
SEVERITIES: tuple[Severity, ...] = get_args(Severity)

MOST_EVIDENCE = 50
MOST_LABELS = 40
"""Most labels that make sense; more is a mistake or an attack."""
LONGEST_TEXT = 4000
MOST_CUSTOM = 20
MOST_TICKS = 100
"""Most criteria of one item."""
TICK = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,59}@[1-9][0-9]{0,3}$"
CriterionVerdict = Literal["met", "not_met", "not_applicable"]
CRITERION_VERDICTS: tuple[CriterionVerdict, ...] = get_args(CriterionVerdict)
CUSTOM_NAME = r"^[a-z][a-z0-9_]{0,39}$"
_Chosen = Annotated[
    tuple[Annotated[str, Field(max_length=60)], ...],
    Field(max_length=MOST_CUSTOM),
    AfterValidator(lambda chosen: tuple(sorted(set(chosen)))),
]
CustomValue = (
    bool
    | Annotated[float, Field(allow_inf_nan=False)]
    | Annotated[str, Field(max_length=LONGEST_TEXT)]
    | _Chosen
)
"""An answer to a custom field; `annotations/custom_fields.py` checks it."""


DONE = (Option("rated", Translatable("Rated")), Option("checked", Translatable("Checked")))
FAILED = Condition("response_judgement", "failure")


class Label(Frozen):
    """One taxonomy code a human chose, with the evidence for it."""

    code: str = Field(max_length=80)
    """`class` or `class.sub_class`."""
    primary: bool
    spans: tuple[tuple[int, int], ...] = Field(default=(), max_length=MOST_EVIDENCE)
    context_spans: tuple[tuple[int, int], ...] = Field(default=(), max_length=MOST_EVIDENCE)
    """Character offsets, the first into the generation's text, the second into the instance's context."""
    cells: tuple[Cell, ...] = Field(default=(), max_length=MOST_EVIDENCE)


class Judgement(Frozen):
    """An annotator's decision about one generation: the annotator's own part of an annotation."""

    item_judgement: Annotated[
        ItemJudgement | None,
        FieldDefinition(
            label=Translatable("The item"),
            hint=Translatable("question and gold answer"),
            meaning="On the question and its gold",
            required=Translatable("Judge the item: valid, gold answer wrong or ambiguous."),
            unremarkable="valid",
            after_reference=True,
            options=(
                Option("valid", Translatable("Valid"), "v", option_rules.VALID),
                Option("gold_wrong", Translatable("Gold answer is wrong"), "g", option_rules.GOLD_WRONG),
                Option("ambiguous", Translatable("Ambiguous"), "b", option_rules.AMBIGUOUS),
            ),
        ),
    ] = None
    proposed_gold: Annotated[
        str | None,
        Field(max_length=200),
        FieldDefinition(
            label=Translatable("The right gold answer"),
            meaning="The right gold",
            when=Condition("item_judgement", "gold_wrong"),
            required=Translatable("The gold answer is called wrong: propose the right one."),
            after_reference=True,
        ),
    ] = None
    response_judgement: Annotated[
        ResponseJudgement | Preference | Done,
        FieldDefinition(
            label=Translatable("The response"),
            meaning="On the model's text",
            options=(
                Option("acceptable", Translatable("Acceptable"), "a", option_rules.ACCEPTABLE),
                Option(
                    "right_answer_unsound_reasoning",
                    Translatable("Right answer, unsound reasoning"),
                    "r",
                    option_rules.UNSOUND,
                ),
                Option("failure", Translatable("Failure"), "w", option_rules.FAILURE),
                Option("cannot_judge", Translatable("Cannot judge"), "n", option_rules.CANNOT_JUDGE),
            ),
            required=Translatable("Judge the response first."),
        ),
    ]
    labels: Annotated[
        tuple[Label, ...],
        Field(max_length=MOST_LABELS),
        FieldDefinition(
            label=Translatable("Primary label"),
            hint=Translatable("the first error"),
            meaning="All codes, joined by |; none for the empty set",
            when=FAILED,
            required=Translatable("A failure needs a primary label."),
        ),
    ] = ()
    severity: Annotated[
        Severity | None,
        FieldDefinition(
            label=Translatable("Severity"),
            hint=Translatable("worst credible harm"),
            help=Translatable(
                "0 no effect … 4 death or permanent harm, if a clinician who cannot see the record acts on "
                "this answer."
            ),
            meaning="Worst credible harm",
            levels=True,
            when=FAILED,
            required=Translatable("A failure needs a severity: 0 to 4, or - if not applicable."),
        ),
    ] = None
    confidence: Annotated[
        Literal[1, 2, 3] | None,
        FieldDefinition(
            label=Translatable("Confidence"),
            hint=Translatable("optional"),
            meaning="As the annotator gave it",
            options=(
                Option(1, Translatable("Low")),
                Option(2, Translatable("Medium")),
                Option(3, Translatable("High")),
            ),
            key="p",
            private=True,
        ),
    ] = None
    rationale: Annotated[
        str | None,
        Field(max_length=LONGEST_TEXT),
        FieldDefinition(
            label=Translatable("Rationale"),
            hint=Translatable("optional"),
            meaning="Free text of the annotator",
            key="t",
            private=True,
        ),
    ] = None
    custom: dict[Annotated[str, Field(pattern=CUSTOM_NAME)], CustomValue] = Field(
        default={}, max_length=MOST_CUSTOM, exclude_if=lambda answers: not answers
    )
    """Answers to the fields that the study declares, by name; without any, nothing is stored."""
    criteria: dict[Annotated[str, Field(pattern=TICK)], CriterionVerdict] = Field(
        default={}, max_length=MOST_TICKS, exclude_if=lambda ticks: not ticks
    )
    """Ticks of the item's criteria, by `ID@VERSION`; without any, nothing is stored."""
    claims: Claims = Field(default={}, exclude_if=lambda verdicts: not verdicts)
    """Verdicts on the sentences of the answer and its reference, by part and characters."""
    left: Side | None = Field(default=None, exclude_if=lambda side: side is None)
    """For a preference: the answer shown on the left; set by the server."""

    @model_validator(mode="after")
    def _labels_belong_to_failures(self) -> "Judgement":
        if self.labels and self.response_judgement != FAILED.value:
            raise ValueError(f"labels are for failures; the response was judged {self.response_judgement}")
        if len({label.code for label in self.labels}) != len(self.labels):
            raise ValueError("a code was given twice; name each code once")
        if self.labels and sum(label.primary for label in self.labels) != 1:
            raise ValueError("a failure takes exactly one primary label")
        if not self.judges_failures and (self.item_judgement or self.proposed_gold or self.severity):
            raise ValueError(
                f"a response that is {self.response_judgement} takes neither a judgement of the item nor "
                "a severity"
            )
        if self.claims and self.kind != "claims":
            raise ValueError("claims are checked in a study of claims only")
        return self

    @property
    def kind(self) -> StudyKind:
        """The kind of study that it is made in."""
        return KIND_OF_RESPONSE[self.response_judgement]

    @property
    def judges_failures(self) -> bool:
        """Whether the judgement is on one answer and says whether it is a failure."""
        return KINDS[self.kind].judges_failures

    def missing(self) -> str | None:
        """What must still be given before the judgement can be submitted; None if it is complete."""
        return self._first_missing(FIELDS)

    def missing_without_reference(self) -> str | None:
        """What is missing of all that can be judged without the reference; None if nothing is."""
        return self._first_missing([name for name, about in FIELDS.items() if not about.after_reference])

    def _first_missing(self, fields: Collection[str]) -> str | None:
        if not self.judges_failures:
            return None
        given = vars(self)  # a report asks this of each of a hundred thousand judgements
        for name, when, message in _REQUIRED:
            if name in fields and (when is None or given[when.field] == when.value):
                value = given[name]
                if not (value.strip() if isinstance(value, str) else value not in (None, ())):
                    return message
        return None

    def asked_too_early(self) -> str | None:
        """Label of the first given field that is asked only after the reference is shown; None if none is."""
        return next(
            (about.label for name, about in FIELDS.items() if about.after_reference and getattr(self, name)),
            None,
        )

    def item(self) -> ItemJudgement:
        """The judgement of the item; `valid` in studies that do not ask for one. Raises InputError if it is
        not made yet.
        """
        if self.item_judgement is None and self.judges_failures:
            raise InputError("this judgement was locked before the reference: the item is not judged yet")
        return self.item_judgement or "valid"

    def without_reference(self, custom: Collection[str] = ()) -> "Judgement":
        """The part of the judgement that is made before the reference is shown; `custom` names custom fields
        asked after it.
        """
        later = [name for name, about in FIELDS.items() if about.after_reference]
        update = {name: default_of(name) for name in later} | {"claims": on_the_answer(self.claims)}
        return self.without_custom(custom).model_copy(update=update)

    def public(self, custom: Collection[str] = ()) -> "Judgement":
        """The judgement without private fields, criteria, claims, `left`, and the custom fields named."""
        hidden = {name: default_of(name) for name in PRIVATE}
        return self.without_custom(custom).model_copy(
            update=hidden | {"criteria": {}, "claims": {}, "left": None}
        )

    def without_custom(self, names: Collection[str]) -> "Judgement":
        """The judgement without its answers to these fields of the study's own."""
        kept = {name: value for name, value in self.custom.items() if name not in names}
        return self if len(kept) == len(self.custom) else self.model_copy(update={"custom": kept})


FIELDS: Mapping[str, FieldDefinition] = {
    name: about
    for name, field in Judgement.model_fields.items()
    for about in field.metadata
    if isinstance(about, FieldDefinition)
}
"""Built-in fields, asked in every study; others are declared (`annotations/custom_fields.py`)."""
PRIVATE = tuple(name for name, about in FIELDS.items() if about.private)
_REQUIRED = tuple((name, one.when, one.required) for name, one in FIELDS.items() if one.required)
PAGE_ORDER = ("response_judgement", "labels", "severity", "item_judgement", "proposed_gold")
"""The order in which pages ask; any other field comes after these."""


def fields_in_page_order() -> tuple[tuple[str, FieldDefinition], ...]:
    """Name and definition of each field, in the order in which pages ask."""
    names = (*PAGE_ORDER, *(name for name in FIELDS if name not in PAGE_ORDER))
    return tuple((name, FIELDS[name]) for name in names)


def default_of(name: str) -> Any:
    """The value of a field before anything is chosen; None for a field without a default."""
    field = Judgement.model_fields[name]
    return None if field.is_required() else field.default


def values_of(name: str) -> tuple[str | int | bool, ...]:
    """The values from which a field is chosen; empty for text and labels."""
    about = FIELDS[name]
    return SEVERITIES if about.levels else tuple(option.value for option in about.options)


def label_of(name: str, value: object) -> str:
    """The value of a field in words: the label of an option, otherwise the value itself."""
    others = (*NAMED, *DONE) if name == "response_judgement" else ()
    for option in (*FIELDS[name].options, *others):
        if option.value == value:
            return option.label
    return str(value).replace("_", " ")
