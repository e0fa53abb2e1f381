"""The data types that the stages hand to each other: frozen and validated, each also one line of JSONL.

records -> instances -> generations -> scores (and suggestions). Annotations live in
`clinicnum.annotations.types`. Times inside patient data are naive local datetimes written `YYYY-MM-DD
HH:MM:SS`; units stand in names.
"""

import operator
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer

Operation = Literal["retrieval", "arithmetic", "comparison", "aggregation", "external"]
RepresentationName = Literal["structured", "templated", "note", "external"]
Vital = Literal[
    "temperature_c", "heart_rate_bpm", "resp_rate_bpm", "spo2_pct", "sbp_mmhg", "dbp_mmhg", "pain"
]
AnswerType = Literal["number", "count", "datetime", "choice", "text", "points", "unanswerable"]
Scoring = Literal["numeric", "medcalc", "choice", "medec", "points"]
ScoreStatus = Literal["correct", "incorrect", "unparsable", "abstained", "empty", "truncated", "error"]

OPERATIONS: tuple[Operation, ...] = ("retrieval", "arithmetic", "comparison", "aggregation")
REPRESENTATIONS: tuple[RepresentationName, ...] = ("structured", "templated", "note")
SIX_VITALS: tuple[Vital, ...] = (
    "temperature_c",
    "heart_rate_bpm",
    "resp_rate_bpm",
    "spo2_pct",
    "sbp_mmhg",
    "dbp_mmhg",
)
TIME_FORMAT = "%Y-%m-%d %H:%M:%S"


def _json_number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


Number = Annotated[Decimal, PlainSerializer(_json_number, when_used="json")]
"""A decimal in Python, a JSON number on disk."""

ClinicalTime = Annotated[datetime, PlainSerializer(lambda t: t.strftime(TIME_FORMAT), when_used="json")]
"""A naive datetime in Python, `YYYY-MM-DD HH:MM:SS` on disk."""


class Frozen(BaseModel):
    """Base of these types: immutable, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Record(Frozen):
    """One set of a patient's vital signs, measured at one charttime; None where a value is not documented."""

    subject_id: str
    """Pseudonym of the patient."""
    stay_id: str
    """The stay to which the record belongs."""
    charttime: ClinicalTime
    """When it was measured, in local time."""
    temperature_c: Number | None = None
    """°C, one decimal."""
    heart_rate_bpm: Number | None = None
    """Beats per minute."""
    resp_rate_bpm: Number | None = None
    """Breaths per minute."""
    spo2_pct: Number | None = None
    """Oxygen saturation in percent."""
    sbp_mmhg: Number | None = None
    """Systolic blood pressure."""
    dbp_mmhg: Number | None = None
    """Diastolic blood pressure."""
    pain: Number | None = None
    """0 to 10."""
    age_years: int | None = None
    """Age at the record."""
    gender: Literal["F", "M"] | None = None
    """As recorded; null where it is not known."""
    source: str
    """`synthetic`, `mimic-iv-ed-demo` (open), `mimic-iv-ed` (credentialed), or a CSV's name."""


class Cell(Frozen):
    """One cell of an instance's record table."""

    record: int = Field(ge=0)
    """Index into the instance's `records`."""
    vital: Vital
    """The column."""


class Distractor(Frozen):
    """The answer that one named mistake would give."""

    value: str
    """What the mistake gives, written as an answer."""
    rule: str
    """Name of the mistake."""
    code: str
    """Taxonomy code, `class.sub_class`."""


class Point(Frozen):
    """One answer point of a question that asks for several."""

    id: str
    """Names the point within its instance."""
    text: str
    """What an answer must say."""
    value: str | None = None
    """The number or word that must be in it, if the point has one."""


class Given(Frozen):
    """A fact that a question needs besides vital signs, such as weight, supplemental oxygen or a dose."""

    name: str
    """What is given, such as `weight`."""
    value: str
    """As the question shows it."""
    unit: str | None = None
    """Null where it has none."""


class Instance(Frozen):
    """One question over one context, with its gold answer and evidence.

    Example:
        >>> import clinicnum
        >>> instance = next(iter(clinicnum.generate(quota="retrieval=1", representation="note")))
        >>> instance.operation, instance.representation, instance.answer is not None
        ('retrieval', 'note', True)
    """

    instance_id: str
    """Hash of what is asked and shown: the same instance has the same id everywhere."""
    group_id: str
    """Shared by instances with the same records and question."""
    benchmark_id: str
    """The benchmark in which it was made."""
    template_id: str
    """The question family, such as `arithmetic.map`; of an imported item its source's name."""
    template_version: int
    """Version of the template's wording and rule."""
    tags: tuple[str, ...] = ()
    """Marks of the template, such as `mechanical`."""
    operation: Operation
    """What must be done with the records; `external` for items made elsewhere."""
    subtype: str
    """A finer kind of operation."""
    steps: int
    """Number of steps of the calculation."""
    representation: RepresentationName
    """How the records are written."""
    variant: str | None = None
    """The rewriting that made it of its base, such as `input.typo`; null for a base question."""
    scope: Literal["stay", "subject"] = "stay"
    """Whether the records are those of one stay or of all stays of the patient."""
    context: str
    """The records as the model reads them."""
    question: str
    """The question as the model reads it."""
    slots: dict[str, str] = Field(default_factory=dict)
    """What was filled into the template's wording."""
    dimensions: dict[str, str] = Field(default_factory=dict, exclude_if=operator.not_)
    """Kind of an imported item, as its source names it (`clinicnum.item_dimensions`); empty in our own."""
    answer: str | None
    """The gold as asked; None if unanswerable."""
    answer_exact: str | None = None
    """The unrounded gold: a decimal, or `numerator/denominator` where no decimal ends."""
    worked: tuple[str, ...] = ()
    """The worked solution, a step each."""
    options: tuple[str, ...] = ()
    """The choices of a multiple-choice question, in order."""
    points: tuple[Point, ...] = ()
    """What a complete answer says, where several things are asked."""
    scoring: Scoring = "numeric"
    """How an answer is judged."""
    base_id: str | None = None
    """The instance of which a variant was made."""
    expected: Literal["same", "follows", "abstains"] | None = None
    """What a right answer to a variant does: stay the same, follow the change, or abstain."""
    prompt_id: str | None = None
    """The wording of the prompt, if another than the default."""
    answer_type: AnswerType
    """The form of the gold."""
    lower: str | None = None
    """Least right value, where a range is right."""
    upper: str | None = None
    """Greatest right value, where a range is right."""
    decimals: int | None = None
    """Decimals asked for."""
    unit: str | None = None
    """Unit asked for."""
    evidence: tuple[Cell, ...] = ()
    """The cells on which the gold rests."""
    distractors: tuple[Distractor, ...] = ()
    """What known mistakes would answer."""
    flags: tuple[str, ...] = ()
    """V7: why the instance does not discriminate (`crossing_at_first_record`, `count_zero`, ...)."""
    subject_id: str
    """The patient; intervals are over patients."""
    records: tuple[Record, ...]
    """Exactly as the context shows them."""
    givens: tuple[Given, ...] = ()
    """Facts that the question needs beside vital signs."""


class Generation(Frozen):
    """The text a model gave for an instance in a run.

    Example:
        >>> import clinicnum
        >>> benchmark = clinicnum.generate(quota="retrieval=1", representation="note")
        >>> asked = next(iter(benchmark))
        >>> answer = clinicnum.Generation(
        ...     generation_id="g1", run_id="r1", instance_id=asked.instance_id, text="", finish_reason="stop"
        ... )
        >>> clinicnum.score(benchmark, [answer]).scores[0].status
        'empty'
    """

    generation_id: str
    """Unique among all runs."""
    run_id: str
    """Model, prompt, decoding and benchmark in one hash."""
    instance_id: str
    """The instance that was asked."""
    text: str
    """The answer to the letter, without thinking."""
    finish_reason: Literal["stop", "length", "error"]
    """Whether the text ended by itself, at the limit of tokens, or not at all."""
    prompt_tokens: int | None = None
    """Tokens of the prompt."""
    completion_tokens: int | None = None
    """Tokens of the answer, thinking included."""
    answer_confidence: float | None = None
    """Probability of the tokens that spell the answer, given what stands before them."""
    text_confidence: float | None = None
    """Probability of the whole text without thinking."""
    latency_s: float | None = None
    """Seconds from request to answer."""
    thinking: str | None = None
    """What a reasoning model wrote before its answer; never scored."""
    error: str | None = None
    """Why there is no text, where `finish_reason` is `error`."""


class Score(Frozen):
    """Automatic judgement of a generation."""

    generation_id: str
    """The generation that is judged."""
    parsed: str | None
    """The answer read out of the text, normalised; None if none was found."""
    form: str | None
    """How the answer was written: `json`, `boxed`, `the_answer_is`, `lone_number`, ..."""
    status: ScoreStatus
    """What came of it."""
    strict: bool
    """The right value in the asked form, unit and decimals."""
    lenient: bool
    """The right value, in an answer that is marked as such or is the whole text."""
    flexible: bool | None = None
    """The right value anywhere in the text, by careful reading; None in scores older than this verdict."""
    flexible_parsed: str | None = None
    """The value that `flexible` reads if none is marked."""
    reason: str
    """Why, in words."""


class Suggestion(Frozen):
    """An automatic guess at the cause of a failure, with its evidence."""

    generation_id: str
    """The generation that failed."""
    code: str
    """Taxonomy code, `class.sub_class`."""
    rule: str
    """The rule that found it."""
    spans: tuple[tuple[int, int], ...] = ()
    """Where in the text, as (start, end) in characters."""
    cells: tuple[Cell, ...] = ()
    """The records that show it."""
    rank: int
    """1 is the likeliest."""
    sentence: str
    """What a clinician reads."""
