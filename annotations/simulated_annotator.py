"""A scripted annotator who knows the gold and errs at a given rate, by a seed.

Its data are for trying out the whole workflow, and are marked `simulated` everywhere. They say nothing about
people: the cause is guessed from the distractors, otherwise from the operation, and errors are independent.
Habits are not: one annotator may often see a class of failure where the others see another, and take failures
for worse or milder.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from clinicnum.annotations.claim_verdict import HARMS, OF_ANSWER, OF_REFERENCE
from clinicnum.annotations.claims.claim import Claim, Part
from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.judgement import (
    SEVERITIES,
    CriterionVerdict,
    CustomValue,
    Judgement,
    Label,
    Severity,
)
from clinicnum.annotations.preference_question import PREFERENCES, Preference
from clinicnum.annotations.study_kind import ResponseJudgement
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.errors import InputError
from clinicnum.io.jsonl import content_id
from clinicnum.taxonomy_codes import (
    ARITHMETIC_SLIP,
    EMPTY,
    FABRICATED_VALUE,
    FALSE_ABSTENTION,
    MISSED_RECORD,
    TRUNCATED,
    UNDETERMINED,
    WRONG_RECORD,
)
from clinicnum.types import Generation, Instance, Score, ScoreStatus

T = TypeVar("T")
BY_STATUS: dict[ScoreStatus, str] = {
    "empty": EMPTY,
    "truncated": TRUNCATED,
    "abstained": FALSE_ABSTENTION,
    "unparsable": UNDETERMINED,
}
BY_OPERATION = {
    "retrieval": FABRICATED_VALUE,
    "arithmetic": ARITHMETIC_SLIP,
    "comparison": WRONG_RECORD,
    "aggregation": MISSED_RECORD,
}
LEVELS: tuple[Severity, ...] = SEVERITIES[:-1]
MECHANICAL = "mechanical"
REMARKS = {
    "omission": "something that the answer needs was left out",
    "hallucination": "this stands nowhere in the records",
    "contextual_inconsistency": "this stands in the records, but is not what was asked",
    "causal_reasoning": "the right values, and a wrong rule or calculation",
    "unanswered": "the question was not answered",
}
"""Class -> what an annotator remarks on a failure of it."""


@dataclass(frozen=True)
class Habit:
    """How a scripted annotator differs from the others again and again, as people do."""

    sees: Mapping[str, str] = field(default_factory=dict)
    """Class -> the code that it gives in place of a code of that class."""
    stricter: int = 0
    """Levels by which it takes failures for more severe; negative: for less."""
    often: float = 0.5
    """How often it does so, 0 to 1."""


NO_HABIT = Habit()


def simulate_judgement(
    *,
    instance: Instance,
    generation: Generation,
    score: Score,
    taxonomy: Taxonomy,
    annotator: str,
    seed: int,
    error_rate: float,
    fields: Sequence[CustomField] = (),
    criteria: Sequence[Criterion] = (),
    habit: Habit = NO_HABIT,
) -> Judgement:
    """A complete judgement by a scripted annotator; the same arguments always give the same judgement.

    With probability `error_rate` (0 to 1) one thing is wrong with it: the response judgement, the code, the
    severity, or the item called ambiguous; what `habit` changes is no error. `fields` and `criteria`, which
    the study adds, are answered at random. Raises InputError for a rate outside 0 to 1.
    """
    if not 0 <= error_rate <= 1:
        raise InputError("error rate {error_rate} is out of range; expected 0 to 1", error_rate=error_rate)
    dice = _Dice(seed, annotator, generation.generation_id)
    error = dice.pick("error", ("response", "code", "severity", "item"))
    if dice.chance("err") >= error_rate:
        error = "none"
    failed = (score.status != "correct") != (error == "response")
    response: ResponseJudgement = "failure" if failed else "acceptable"
    labels = (_label(instance, generation, score, taxonomy, dice, error, habit),) if failed else ()
    remarks = [REMARKS.get(label.code.partition(".")[0]) for label in labels]
    answer = "no answer" if score.parsed is None else f"the answer {score.parsed}"
    gold = "not documented" if instance.answer is None else instance.answer
    read = f"{answer} was read, and the gold answer is {gold}"
    judgement = Judgement(
        item_judgement="ambiguous" if error == "item" else "valid",
        response_judgement=response,
        labels=labels,
        severity=_severity(instance, generation, dice, error, habit) if failed else None,
        confidence=dice.pick("confidence", (1, 2, 3)),
        rationale=f"Simulated: {'; '.join([*filter(None, remarks), read])}.",
    )
    answers = {one.name: _answer(one, dice) for one in fields if one.applies(judgement)}
    verdicts: tuple[CriterionVerdict, ...] = ("met", "not_met")
    ticks = {one.key: dice.pick(f"criterion {one.key}", verdicts) for one in criteria}
    return judgement.model_copy(update={"custom": answers, "criteria": ticks})


def simulate_preference(
    *, first: Score, second: Score, annotator: str, seed: int, error_rate: float
) -> Judgement:
    """A judgement that prefers the answer which is scored right; with probability `error_rate` it is random.

    The same arguments always give the same judgement.
    """
    dice = _Dice(seed, annotator, first.generation_id)
    right = (first.status == "correct", second.status == "correct")
    known: dict[tuple[bool, bool], Preference] = {
        (True, False): "first_better",
        (False, True): "second_better",
        (True, True): "both_alike",
        (False, False): "both_bad",
    }
    chosen = dice.pick("preference", PREFERENCES) if dice.chance("err") < error_rate else known[right]
    return Judgement(response_judgement=chosen, rationale="Simulated: by the scores.")


def simulate_ratings(
    *, score: Score, axes: Sequence[CustomField], annotator: str, seed: int, error_rate: float
) -> Judgement:
    """A judgement with a high point on every axis where the answer is scored right, else a low one, each by
    chance one point lower.

    With probability `error_rate` a rating is random. The same arguments always give the same judgement.
    """
    dice = _Dice(seed, annotator, score.generation_id)
    given: dict[str, CustomValue] = {}
    for one in axes:
        values = tuple(option.value for option in one.options)
        best = len(values) - 1 if score.status == "correct" else len(values) // 2
        place = max(0, best - (dice.chance(f"lower {one.name}") < 0.5))
        wild = dice.chance(f"err {one.name}") < error_rate
        given[one.name] = dice.pick(f"rating {one.name}", values) if wild else values[place]
    return Judgement(response_judgement="rated", custom=given, rationale="Simulated: by the score.")


def simulate_claims(
    *, claims: Sequence[Claim], score: Score, annotator: str, seed: int, error_rate: float
) -> Judgement:
    """A judgement in which, where the answer is scored right, every sentence of it is supported and every one
    of the reference stated; where it is not, contradicted and omitted, with a random harm.

    With probability `error_rate` the verdict on a sentence is random. The same arguments always give the same
    judgement.
    """
    dice, right = _Dice(seed, annotator, score.generation_id), score.status == "correct"
    harms = tuple(str(one.value) for one in HARMS)

    def verdict(key: str, part: Part) -> str:
        options = OF_ANSWER if part == "answer" else OF_REFERENCE
        chosen = options[0] if right else options[1]
        if dice.chance(f"err {key}") < error_rate:
            chosen = dice.pick(f"claim {key}", options)
        return f"{chosen.value}" + (f":{dice.pick(f'harm {key}', harms)}" if chosen != options[0] else "")

    return Judgement.model_validate(
        {
            "response_judgement": "checked",
            "claims": {one.key: verdict(one.key, one.part) for one in claims},
            "rationale": "Simulated: by the scores.",
        }
    )


def _answer(field: CustomField, dice: "_Dice") -> CustomValue:
    what = f"custom {field.name}"
    if field.type == "yes/no":
        return dice.chance(what) < 0.5
    if field.type == "number":
        return float(int(dice.chance(what) * 10))
    if field.type == "text":
        return "Simulated."
    chosen = dice.pick(what, tuple(one.value for one in field.options))
    return (chosen,) if field.type == "multiple choice" else chosen


class _Dice:
    """Random decisions that depend only on the seed and on what is decided."""

    def __init__(self, *parts: object) -> None:
        self.parts = [str(part) for part in parts]

    def chance(self, what: str) -> float:
        return int(content_id([*self.parts, what]), 16) / 16**16

    def pick(self, what: str, among: tuple[T, ...]) -> T:
        return among[int(self.chance(what) * len(among))]


def guess_code(instance: Instance, score: Score, taxonomy: Taxonomy) -> str:
    """The likeliest cause: how the answer failed, otherwise the first mistake that yields this answer,
    otherwise the operation.
    """
    matching = [mistake.code for mistake in instance.distractors if mistake.value == score.parsed]
    if score.status in BY_STATUS:
        code = BY_STATUS[score.status]
    elif matching:
        code = matching[0]
    else:
        code = BY_OPERATION.get(instance.operation, UNDETERMINED)
    known = taxonomy.codes()
    for candidate in (code, code.partition(".")[0], UNDETERMINED):
        if candidate in known:
            return candidate
    return known[-1]


def _label(
    instance: Instance,
    generation: Generation,
    score: Score,
    taxonomy: Taxonomy,
    dice: _Dice,
    error: str,
    habit: Habit,
) -> Label:
    code = guess_code(instance, score, taxonomy)
    seen = habit.sees.get(code.partition(".")[0])
    if seen is not None and dice.chance("sees") < habit.often:
        code = seen
    if error == "code":
        code = dice.pick("code", tuple(other for other in taxonomy.codes() if other != code))
    at = generation.text.rfind(score.parsed) if score.parsed else -1
    spans = ((at, at + len(score.parsed)),) if score.parsed and at >= 0 else ()
    return Label(code=code, primary=True, spans=spans, cells=instance.evidence)


def _severity(instance: Instance, generation: Generation, dice: _Dice, error: str, habit: Habit) -> Severity:
    if MECHANICAL in instance.tags:
        return "not_applicable"
    shared = _Dice("severity", generation.generation_id).chance("level")
    level = int(shared * len(LEVELS))
    if habit.stricter and dice.chance("stricter") < habit.often:
        level = min(max(level + habit.stricter, 0), len(LEVELS) - 1)
    if error == "severity":
        level += 1 if level == 0 or (level < len(LEVELS) - 1 and dice.chance("up") < 0.5) else -1
    return LEVELS[level]
