"""Which distractors an answer equals, the cells behind them, and the explanation for a clinician.

A number equals a distractor if the values are equal, or, written with more digits than asked, if it rounds to
it; a time if it is the same second; an option if its text is. Rules with the same code and value are one.
"""

from collections.abc import Callable, Sequence

from clinicnum.diagnosis.display_names import record_in_words, rule_in_words, time_in_words, vital_in_words
from clinicnum.diagnosis.finding import Finding, Place
from clinicnum.diagnosis.instance_facts import Facts
from clinicnum.diagnosis.numbers_in_text import half_unit
from clinicnum.taxonomy_codes import (
    MISSED_STEP,
    PREMATURE_ROUNDING,
    UNIT,
    WRONG_COMPARATOR,
    WRONG_FORMULA,
    WRONG_RECORD,
)
from clinicnum.types import SIX_VITALS, Distractor, Instance, Vital

_LETTERS = "ABCDEFGHIJ"
Answer = float | str
"""A number, or a time or an option's text."""


def answer_of(instance: Instance, parsed: str | None) -> Answer | None:
    """The parsed answer as a comparable value: a number if it is one, an option's text for its letter."""
    if parsed is None:
        return None
    if instance.scoring == "choice":
        letter = parsed.strip(" ().").upper()
        index = _LETTERS.find(letter) if len(letter) == 1 else -1
        return instance.options[index] if 0 <= index < len(instance.options) else parsed
    if instance.answer_type == "datetime":
        return parsed
    number = _number(parsed)
    return parsed if number is None else number


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e15 else None


def equals(instance: Instance, answer: Answer, parsed: str, value: str) -> bool:
    """Whether an answer (`parsed`: as written) equals a distractor's value, or rounds to it."""
    if isinstance(answer, str):
        return answer == value
    other = _number(value)
    if other is None:
        return False
    if answer == other or not other:
        return answer == other  # any tiny number rounds to 0
    wanted = instance.decimals if instance.decimals is not None else len(value.partition(".")[2])
    digits = len(parsed.partition(".")[2])
    return digits > wanted and abs(answer - other) <= half_unit(wanted)


def matched(instance: Instance, answer: Answer | None, parsed: str | None) -> dict[str, list[Distractor]]:
    """The distractors that an answer equals, in the instance's order, by taxonomy code."""
    if answer is None or parsed is None:
        return {}
    found: dict[str, list[Distractor]] = {}
    for distractor in instance.distractors:
        value = distractor.value
        if value == answer if isinstance(answer, str) else equals(instance, answer, parsed, value):
            found.setdefault(distractor.code, []).append(distractor)
    return found


def finding_of(facts: Facts, distractor: Distractor, shown: str, span: tuple[int, int] | None) -> Finding:
    """The finding that an answer, written as `shown` at `span` of the text, equals a distractor."""
    cells = cells_of(facts, distractor)
    return Finding(
        distractor.code,
        distractor.rule,
        _sentence(facts, distractor, shown, cells),
        (span,) if span else (),
        cells,
    )


def cells_of(facts: Facts, distractor: Distractor) -> tuple[Place, ...]:
    """The cells (record, vital sign) from which a distractor's mistake would have taken the answer.

    If it takes a neighbouring record: the asked vital signs there. Another vital sign: its cells in the asked
    records. A time: cells of the record of that time. Else the evidence, which was used otherwise than asked.
    """
    evidence = sorted(facts.evidence)
    if facts.instance.answer_type == "datetime" and distractor.value in facts.times:
        record = facts.times.index(distractor.value)
        vitals = _taken(distractor.rule, [vital for _, vital in evidence])
        return tuple((record, vital) for vital in dict.fromkeys(vitals))
    moved = _neighbour(facts, distractor.rule)
    if moved is not None:
        old, new = moved
        return tuple((new, vital) for record, vital in evidence if record == old)
    swapped = _swapped(distractor.rule)
    if swapped is not None:
        taken, asked = swapped
        return tuple((record, taken) for record, vital in evidence if vital == asked)
    return tuple(evidence)


def _neighbour(facts: Facts, rule: str) -> tuple[int, int] | None:
    """(asked record, record taken) for `previous_record`, `next_record_for_later`, ..."""
    step = -1 if rule.startswith("previous_record") else 1 if rule.startswith("next_record") else 0
    if not step:
        return None
    slot = rule.partition("_for_")[2]
    slots = facts.instance.slots
    times = [slots[slot]] if slot in slots else [time for time in slots.values() if time in facts.times]
    if len(times) != 1 or times[0] not in facts.times:
        return None
    old = facts.times.index(times[0])
    return (old, old + step) if 0 <= old + step < len(facts.times) else None


def _swapped(rule: str) -> tuple[Vital, Vital] | None:
    """(vital sign taken, vital sign asked) for `dbp_mmhg_for_sbp_mmhg`."""
    taken, _, asked = rule.partition("_for_")
    names = {name: name for name in SIX_VITALS}
    return (names[taken], names[asked]) if taken in names and asked in names else None


def _taken(rule: str, asked: Sequence[Vital]) -> list[Vital]:
    swapped = _swapped(rule)
    return [swapped[0] if swapped and vital == swapped[1] else vital for vital in asked]


def _sentence(facts: Facts, distractor: Distractor, shown: str, cells: Sequence[Place]) -> str:
    said = _as_reading(facts, distractor, shown, cells)
    if said is not None:
        return said
    for code, words in _BY_CODE.items():
        if distractor.code == code:
            return words(shown, distractor.rule)
    return f"{shown} is what one mistake gives: {rule_in_words(distractor.rule)}."


def _as_reading(facts: Facts, distractor: Distractor, shown: str, cells: Sequence[Place]) -> str | None:
    """The explanation of a reading mistake: whose value was read; None for other mistakes."""
    moved, swapped = _neighbour(facts, distractor.rule), _swapped(distractor.rule)
    plain = facts.instance.operation == "retrieval"
    if moved is not None and cells:
        record = record_in_words(facts, moved[1], moved[0])
        if plain:
            return f"{shown} is the {vital_in_words(cells[0][1])} of {record}."
        return (
            f"{shown} is what {record}, would give."
            if "," in record
            else f"{shown} is what {record} would give."
        )
    if swapped is not None and cells:
        taken, asked = vital_in_words(swapped[0]), vital_in_words(swapped[1])
        if plain:
            return f"{shown} is the {taken} at {time_in_words(facts, cells[0][0])}, not the {asked}."
        return f"{shown} is the answer with the {taken} in place of the {asked}."
    if distractor.rule == "record_missed":
        return f"{shown} is the answer if one record is passed over."
    if distractor.rule == "records_swapped":
        return f"{shown} is the answer with the two records taken the other way round."
    if facts.instance.answer_type == "datetime" and distractor.code == WRONG_RECORD:
        return f"{shown} is the time of another record: {rule_in_words(distractor.rule)}."
    return None


def _named(rule: str) -> str:
    return "" if rule == "step_left_out" else f" ({rule_in_words(rule)})"


_BY_CODE: dict[str, Callable[[str, str], str]] = {
    MISSED_STEP: lambda shown, rule: f"{shown} is the answer with a step left out{_named(rule)}.",
    WRONG_FORMULA: lambda shown, rule: f"{shown} is the answer by another formula ({rule_in_words(rule)}).",
    WRONG_COMPARATOR: lambda shown, rule: (
        f"{shown} is the answer by another comparison ({rule_in_words(rule)})."
    ),
    PREMATURE_ROUNDING: lambda shown, rule: f"{shown} is the answer if a result on the way is rounded.",
    UNIT: lambda shown, rule: f"{shown} is the right value in another unit ({rule_in_words(rule)}).",
    WRONG_RECORD: lambda shown, rule: f"{shown} is the answer from other records ({rule_in_words(rule)}).",
}
