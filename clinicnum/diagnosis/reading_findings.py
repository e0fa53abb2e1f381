"""Findings of the trace check on reading: values of another record or vital sign, and values found nowhere.

- A vital sign given with another value than its record has: another record's, another vital sign's, or
  nobody's.
- An operand of an equation, or the answer to a question that only reads, that is neither stated nor
  derivable; or that is in the context, but is no vital sign.
- A date or time that neither a record nor the context nor the question has.

No findings where a value fits several cells, nor on items without records, whose texts contain constants.
"""

from collections.abc import Iterator

from clinicnum.diagnosis.display_names import time_in_words, vital_in_words
from clinicnum.diagnosis.expression_evaluator import decimals_of, number_of
from clinicnum.diagnosis.finding import Finding, Place
from clinicnum.diagnosis.instance_facts import FORMULA_CONSTANTS, Facts, number_text
from clinicnum.diagnosis.numbers_in_text import Moment, Number, half_unit
from clinicnum.diagnosis.readings_in_text import Claim
from clinicnum.diagnosis.reasoning_trace_check import Trace
from clinicnum.taxonomy_codes import (
    DISTRACTOR_USED,
    FABRICATED_TIME,
    FABRICATED_VALUE,
    WRONG_RECORD,
    WRONG_VITAL,
)

_WHOLE, _TENTH = half_unit(0), half_unit(1)
"""How far rounding may move a reading."""
MAX_SPANS = 5
"""Most spans shown for one cause."""


def reading_findings(trace: Trace, answer: Number | None) -> Iterator[Finding]:
    """Yield findings on values and times that a model's text takes from the wrong place of the context, or
    from nowhere. `answer` is the number answered where the question only asks for a value, else None.
    """
    facts = trace.facts
    if not facts.times:
        return
    rows, target = facts.table.rows, facts.target
    for claim in trace.claims:
        record = target if claim.record is None else claim.record
        right = None if record is None else rows[record].get(claim.vital)
        finding = None if right == claim.value else _of_claim(facts, claim, record, right)
        if finding is not None:
            yield finding
    claimed = {claim.start for claim in trace.claims}
    for operand in _operands(trace):
        if operand.start not in claimed:
            finding = _of_number(trace, operand, "operand")
            if finding is not None:
                yield finding
    if answer is not None:
        finding = None if answer.start in claimed else _of_number(trace, answer, "answer")
        if finding is not None:
            yield finding
    if facts.instance.operation in ("retrieval", "arithmetic"):
        yield from _of_another_record(trace, answer.value if answer else None)
    yield from _of_times(trace)


def _of_claim(facts: Facts, claim: Claim, record: int | None, right: float | None) -> Finding | None:
    """The finding on a claim, if any; `right` is the value its record (`record`) holds."""
    value = claim.value
    if right is not None and abs(right - value) <= (_WHOLE if value == int(value) else _TENTH):
        return None
    there = facts.cells.get(value, ())
    other_records = [place for place in there if place[1] == claim.vital]
    if claim.record is None and other_records:
        return None
    span = ((claim.start, claim.end),)
    shown, name = number_text(value), vital_in_words(claim.vital)
    other_vitals = [place for place in there if place[0] == record and place[1] != "pain"]
    if other_records and not other_vitals and record is not None:
        which = time_in_words(facts, other_records[0][0])
        sentence = f"{shown} is the {name} at {which}, not at {time_in_words(facts, record)}."
        return Finding(WRONG_RECORD, "read_from_another_record", sentence, span, (other_records[0],), 2)
    if other_vitals and not other_records and record is not None:
        place = other_vitals[0]
        sentence = (
            f"{shown} is the {vital_in_words(place[1])} at {time_in_words(facts, place[0])}, not the {name}."
        )
        return Finding(WRONG_VITAL, "read_from_another_vital", sentence, span, (place,), 2)
    if there or facts.is_asked(value) or facts.is_worked(value):
        return None
    if facts.is_in_context(value):
        sentence = f"{shown} is given as a {name}; it stands in the text, but it is none of the vital signs."
        return Finding(DISTRACTOR_USED, "reading_is_no_vital_sign", sentence, span, (), 2)
    sentence = f"{shown} is given as a {name}, and no record holds it."
    return Finding(FABRICATED_VALUE, "reading_of_no_record", sentence, span, (), 2)


def _of_another_record(trace: Trace, answered: float | None) -> Iterator[Finding]:
    """Yield a finding if the value was read at another time and none at the asked time."""
    facts, target = trace.facts, trace.facts.target
    if target is None:
        return
    vitals = {vital for _, vital in facts.evidence}
    read = [claim for claim in trace.claims if claim.vital in vitals and claim.record is not None]
    if any(claim.record == target for claim in read):
        return
    for claim in read:
        if answered in (None, claim.value) and claim.record is not None:
            at, asked = time_in_words(facts, claim.record), time_in_words(facts, target)
            sentence = f"{number_text(claim.value)} is given for {at}; asked is {asked}."
            span, place = ((claim.start, claim.end),), (claim.record, claim.vital)
            yield Finding(WRONG_RECORD, "reads_another_record", sentence, span, (place,), 2)
            return


def _operands(trace: Trace) -> Iterator[Number]:
    """Yield operands that come from no cell, formula or other equation."""
    for equation in trace.equations:
        for token in equation.operands:
            value = number_of(token)
            if not (value in FORMULA_CONSTANTS or value in trace.facts.cells or value in trace.results):
                yield Number(token.start, token.end, value, decimals_of(token))


def _of_number(trace: Trace, number: Number, where: str) -> Finding | None:
    facts, value = trace.facts, number.value
    span, shown = ((number.start, number.end),), number_text(value)
    if value in facts.cells or facts.is_asked(value):
        return None
    if facts.is_in_context(value) and value not in FORMULA_CONSTANTS:
        if facts.is_worked(value):
            return None
        sentence = f"{shown} stands in the text, but it is none of the vital signs."
        return Finding(DISTRACTOR_USED, f"{where}_is_no_vital_sign", sentence, span, (), 2)
    if where == "operand":
        if value in FORMULA_CONSTANTS or trace.standing_unseen(number) != "neither":
            return None
        sentence = f"{shown} is used in the calculation, and stands nowhere; nothing gives it."
    elif facts.is_worked(value):
        return None
    else:
        sentence = f"{shown} is answered, and no record holds it."
    return Finding(FABRICATED_VALUE, f"{where}_stands_nowhere", sentence, span, (), 2)


def _of_times(trace: Trace) -> Iterator[Finding]:
    if all(trace.at):
        return
    unknown = [
        moment
        for moment, records in zip(trace.moments, trace.at, strict=True)
        if not (records or trace.facts.is_told(moment)) and _is_time(trace, moment)
    ]
    if unknown:
        spans = tuple([(moment.start, moment.end) for moment in unknown[:MAX_SPANS]])
        shown = trace.text[unknown[0].start : unknown[0].end].upper()
        yield Finding(
            FABRICATED_TIME, "time_of_no_record", f"{shown} is the time of no record.", spans, (), 2
        )


def _is_time(trace: Trace, moment: Moment) -> bool:
    """Whether a clock time is meant as a time, not as a duration ("1:30 h"), and is a valid one."""
    if moment.clock is not None and (moment.clock[:2] > "23" or moment.clock[3:5] > "59"):
        return False
    after = trace.text[moment.end : moment.end + 6].strip()
    return not after.startswith(("hour", "hrs", "h ", "min"))


def misplaced(facts: Facts, value: float) -> tuple[str, Place] | None:
    """Taxonomy code and cell of a value read in the wrong place: from an evidence vital sign of another
    record, or another vital sign of an evidence record.

    None if it is evidence, or occurs in neither kind of cell or in both.
    """
    places = facts.cells.get(value, ())
    if not places or any(place in facts.evidence for place in places):
        return None
    vitals = {vital for _, vital in facts.evidence}
    records = [place for place in places if place[1] in vitals]
    others = [place for place in places if place[0] in facts.evidence_records and place[1] != "pain"]
    if records and not others:
        return WRONG_RECORD, records[0]
    if others and not records:
        return WRONG_VITAL, others[0]
    return None
