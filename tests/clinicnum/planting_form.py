"""Failures of form and of answering at all: cut off, declined, broken, or right in the wrong form."""

import random
import re
from collections.abc import Iterator
from datetime import datetime

from clinicnum.types import TIME_FORMAT, Instance
from tests.clinicnum import planting, planting_lines
from tests.clinicnum.planting import Planted, Way, written


def cut_off(instance: Instance, rng: random.Random) -> tuple[str, str]:
    text = "\n".join(instance.worked)
    return text[: rng.randrange(min(12, len(text) - 1), len(text) - 1)], "length"


def empty(instance: Instance, rng: random.Random) -> str:
    return rng.choice(["", "\n\n", "   "])


DECLINED = (
    "The answer is not documented in these records.",
    '{"answer": "not documented"}',
    "The records do not contain enough information to determine this.",
    "It cannot be determined from the data given.",
    "The value was not recorded.",
)
REFUSED = (
    "I am sorry, but I cannot provide medical advice.",
    "As an AI language model I am not able to answer this. Please consult a healthcare professional.",
    "I'm unable to assist with this; please ask a nurse or a doctor.",
    "I cannot give clinical advice. Please consult your physician.",
)


def declined(instance: Instance, rng: random.Random) -> str:
    return rng.choice(DECLINED)


def refused(instance: Instance, rng: random.Random) -> str:
    return rng.choice(REFUSED)


def in_a_sentence(instance: Instance, rng: random.Random) -> str | None:
    return rng.choice(
        ["The answer is {}.", "**Answer:** {}", "So the final answer is {}.", "\\boxed{{{}}}"]
    ).format(instance.answer)


def more_digits(instance: Instance, rng: random.Random) -> str | None:
    if instance.answer_type not in ("number",) or instance.answer is None:
        return None
    whole, _, part = instance.answer.partition(".")
    shorter = whole if part and not int(part) else None
    return written(
        [], shorter if shorter and rng.random() < 0.5 else f"{instance.answer}{'0' if part else '.0'}"
    )


def another_unit(instance: Instance, rng: random.Random) -> str | None:
    wrong = {"mmHg": "bpm", "bpm": "mmHg", "breaths/min": "bpm", "°C": "bpm", "%": "mmHg"}.get(
        instance.unit or ""
    )
    return written([], f"{instance.answer} {wrong}") if wrong and instance.answer_type == "number" else None


def another_notation(instance: Instance, rng: random.Random) -> str | None:
    if instance.answer_type != "datetime" or instance.answer is None:
        return None
    time = datetime.strptime(instance.answer, TIME_FORMAT)
    return written(
        [], time.strftime(rng.choice(["%d %B %Y, %I:%M:%S %p", "%Y/%m/%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S"]))
    )


def date_alone(instance: Instance, rng: random.Random) -> str | None:
    return (
        written([], instance.answer[:10]) if instance.answer_type == "datetime" and instance.answer else None
    )


def looping(instance: Instance, rng: random.Random) -> tuple[str, str]:
    line = rng.choice(list(instance.worked[:1]) or ["The heart rate is 88."])
    return f"{line} " * rng.randrange(6, 15) + line[: len(line) // 2], "length"


def broken(instance: Instance, rng: random.Random) -> str:
    return "".join(rng.choice("}{][)(|<>:;\ufffd~^") + rng.choice(["", " ", "b", "the "]) for _ in range(40))


def in_another_language(instance: Instance, rng: random.Random) -> str:
    return rng.choice(
        [
            "答案在记录中给出，心率较高，请参考上表。",
            "Ответ указан в записи, частота пульса повышена.",
            "الإجابة موجودة في السجل",
        ]
    )


def number_of_the_line_below(instance: Instance, rng: random.Random) -> str | None:
    """A number of a line of labs or doses, which is no vital sign, taken for a reading."""
    if instance.variant != "input.distractor":
        return None
    line = instance.context.rstrip().rpartition("\n")[2]
    body = "\n".join(instance.context.rstrip().split("\n")[:-1])
    if not line.startswith(("Labs", "Medication")):
        return None
    numbers = re.findall(r"(?<![\d.:-])\d+(?:\.\d+)?(?![\d.:-])", line)
    known = set(re.findall(r"\d+(?:\.\d+)?", f"{body} {instance.question} {' '.join(instance.worked)}"))
    free = [number for number in numbers if number not in known and number not in planting.CONSTANTS]
    found = planting.readings(instance)
    if not found or not free:
        return None
    index, match = rng.choice(found)
    value = rng.choice(free)
    return planting.reread(instance, {index: (f"{match[1]}{value}{match[5] or ''}.", value)})


def undocumented_assumed(instance: Instance, rng: random.Random) -> str | None:
    """What is not documented is taken to be known."""
    if instance.answer is not None:
        return None
    match = re.search(
        r"the answer would be (.+?), with", instance.worked[-2] if len(instance.worked) > 1 else ""
    )
    return written(["The missing value is taken to be normal."], match[1]) if match else None


WAYS: tuple[tuple[str, Way], ...] = (
    ("contextual_inconsistency.wrong_record", planting.another_record),
    ("contextual_inconsistency.wrong_record", planting_lines.last_for_first),
    ("contextual_inconsistency.wrong_record", planting_lines.another_time),
    ("contextual_inconsistency.wrong_vital", planting.another_vital),
    ("contextual_inconsistency.distractor_used", number_of_the_line_below),
    ("hallucination.fabricated_value", planting.invented_reading),
    ("hallucination.fabricated_value", planting_lines.invented_in_a_line),
    ("hallucination.fabricated_time", planting_lines.invented_time),
    ("hallucination.unsupported_assumption", undocumented_assumed),
    ("omission.missed_step", planting.step_left_out),
    ("omission.missed_step", planting_lines.step_left_out_of_each),
    ("omission.missed_record", planting_lines.record_missed),
    ("omission.partial_answer", date_alone),
    ("causal_reasoning.wrong_formula", planting.another_operation),
    ("causal_reasoning.wrong_formula", planting_lines.another_operation_in_each),
    ("causal_reasoning.arithmetic_slip", planting.slip),
    ("causal_reasoning.arithmetic_slip", planting_lines.slip_in_a_line),
    ("causal_reasoning.premature_rounding", planting.rounded_too_early),
    ("causal_reasoning.wrong_comparator", planting_lines.verdict_turned),
    ("causal_reasoning.wrong_comparator", planting_lines.relation_turned),
    ("causal_reasoning.wrong_comparator", planting_lines.threshold_moved),
    ("causal_reasoning.wrong_comparator", planting_lines.other_extreme),
    ("format_mismatch.not_asked_form", in_a_sentence),
    ("format_mismatch.precision", more_digits),
    ("format_mismatch.unit", another_unit),
    ("format_mismatch.datetime_form", another_notation),
    ("unanswered.truncated", cut_off),
    ("unanswered.empty", empty),
    ("unanswered.false_abstention", declined),
    ("unanswered.refusal", refused),
    ("output_error.repetition", looping),
    ("output_error.garbled", broken),
    ("output_error.wrong_language", in_another_language),
)
"""Taxonomy code, and a way to make such a failure."""


def planted(instance: Instance, seed: int) -> Iterator[Planted]:
    """The instance broken in every way that it can be."""
    for code, way in WAYS:
        if instance.answer is None and way is not undocumented_assumed:
            continue
        made = way(instance, random.Random(f"{seed}:{instance.instance_id}:{way.__name__}"))
        if made is not None:
            text, finish = made if isinstance(made, tuple) else (made, "stop")
            yield Planted(instance, code, way.__name__, text, finish)
