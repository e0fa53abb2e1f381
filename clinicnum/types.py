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
    """One clinical measurement set of a patient at one charttime. None is not documented."""

    subject_id: str
    stay_id: str
    charttime: ClinicalTime
    temperature_c: Number | None = None
    """°C, one decimal."""
    heart_rate_bpm: Number | None = None
    resp_rate_bpm: Number | None = None
    """Breaths per minute."""
    spo2_pct: Number | None = None
    sbp_mmhg: Number | None = None
    dbp_mmhg: Number | None = None
    pain: Number | None = None
    """0 to 10."""
    age_years: int | None = None
    """Age at the record."""
    gender: Literal["F", "M"] | None = None
    source: str
    """`synthetic`, `mimic-iv-ed-demo` (open), `mimic-iv-ed` (credentialed), or a CSV's name."""


class Cell(Frozen):
    """One cell of an instance's record table."""

    record: int = Field(ge=0)
    """Index into the instance's `records`."""
    vital: Vital


class Distractor(Frozen):
    """The answer that one named mistake would give."""

    value: str
    rule: str
    code: str
    """Taxonomy code, `class.sub_class`."""


class Point(Frozen):
    """One answer point of a question that asks for several."""

    id: str
    text: str
    value: str | None = None


class Given(Frozen):
    """A fact the question needs and vital signs lack: weight, supplemental oxygen, a dose."""

    name: str
    value: str
    unit: str | None = None


class Instance(Frozen):
    """One question over one context, with its gold answer and evidence.

    Example:
        >>> import clinicnum
        >>> instance = next(iter(clinicnum.generate(quota="retrieval=1", representation="note")))
        >>> instance.operation, instance.representation, instance.answer is not None
        ('retrieval', 'note', True)
    """

    instance_id: str
    group_id: str
    """Shared by instances with the same records and question."""
    benchmark_id: str
    template_id: str
    template_version: int
    tags: tuple[str, ...] = ()
    operation: Operation
    subtype: str
    steps: int
    representation: RepresentationName
    variant: str | None = None
    scope: Literal["stay", "subject"] = "stay"
    context: str
    question: str
    slots: dict[str, str] = Field(default_factory=dict)
    dimensions: dict[str, str] = Field(default_factory=dict, exclude_if=operator.not_)
    """What kind of item an imported one is, by its source (`clinicnum.dimensions`); empty in our own."""
    answer: str | None
    """The gold as asked; None if unanswerable."""
    answer_exact: str | None = None
    """The unrounded gold: a decimal, or `numerator/denominator` where no decimal ends."""
    worked: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    points: tuple[Point, ...] = ()
    scoring: Scoring = "numeric"
    base_id: str | None = None
    expected: Literal["same", "follows", "abstains"] | None = None
    prompt_id: str | None = None
    answer_type: AnswerType
    lower: str | None = None
    upper: str | None = None
    decimals: int | None = None
    unit: str | None = None
    evidence: tuple[Cell, ...] = ()
    distractors: tuple[Distractor, ...] = ()
    flags: tuple[str, ...] = ()
    """V7: why the instance does not discriminate (`crossing_at_first_record`, `count_zero`, ...)."""
    subject_id: str
    records: tuple[Record, ...]
    """Exactly as the context shows them."""
    givens: tuple[Given, ...] = ()


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
    run_id: str
    instance_id: str
    text: str
    finish_reason: Literal["stop", "length", "error"]
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    answer_confidence: float | None = None
    """Probability of the tokens that spell the answer, given what stands before them."""
    text_confidence: float | None = None
    """Probability of the whole text without thinking."""
    latency_s: float | None = None
    thinking: str | None = None
    """What a reasoning model wrote before its answer; never scored."""
    error: str | None = None
    """Why there is no text, where `finish_reason` is `error`."""


class Score(Frozen):
    """Automatic judgement of a generation."""

    generation_id: str
    parsed: str | None
    """The answer read out of the text, normalised; None if none was found."""
    form: str | None
    """How the answer was written: `json`, `boxed`, `the_answer_is`, `lone_number`, ..."""
    status: ScoreStatus
    strict: bool
    """The right value in the asked form, unit and decimals."""
    lenient: bool
    """The right value, in an answer that the text marks as one or that is all it says."""
    flexible: bool | None = None
    """The right value, wherever a careful reader finds it; None in scores made before there was this
    verdict."""
    flexible_parsed: str | None = None
    """What that reader reads, where no answer was marked."""
    reason: str


class Suggestion(Frozen):
    """An automatic guess at the cause of a failure, with its evidence."""

    generation_id: str
    code: str
    rule: str
    spans: tuple[tuple[int, int], ...] = ()
    cells: tuple[Cell, ...] = ()
    rank: int
    """1 is the likeliest."""
    sentence: str
    """What a clinician reads."""
