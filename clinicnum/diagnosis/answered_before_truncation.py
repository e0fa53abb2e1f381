"""Whether a truncated text states an answer before the cut, so that truncation is not blamed for an earlier
error.

Characters that the truncation itself may have shortened are ignored.
"""

import re

from clinicnum.diagnosis.reasoning_trace_check import Trace

_CUT_WORD = 4
"""Characters at the end of a truncated text that may be an incomplete word or number."""
_SAID = re.compile(r"\banswer\s(?:is|was)\b[\s:*_`\"']{0,10}[-+−]?[0-9]")
"""In a folded text: "the answer is: 14:27:00", of whatever kind."""
_HELD = re.compile(r"[\"'](?:answer|time|date|datetime|date_time|charttime)[\"']\s?:\s?[\"']$")
"""What stands before a date and time that is given as a value in JSON."""


def end_of_whole(trace: Trace) -> int:
    """Offset in the text before which the cut-off cannot have shortened a word or number."""
    return len(trace.text.rstrip()) - _CUT_WORD


def answered(trace: Trace) -> bool:
    """Whether a complete answer other than the gold precedes the truncation.

    The right reading does not count: it may be a step of a working that was cut off.
    """
    end, facts = end_of_whole(trace), trace.facts
    if _SAID.search(trace.text, 0, end):
        return True
    if facts.instance.answer_type == "datetime":
        return any(
            moment.date and moment.clock and moment.end < end and _is_held(trace.text, moment.start)
            for moment in trace.moments
        )
    if facts.instance.operation != "retrieval":
        return False
    gold = {(vital, facts.value(record, vital)) for record, vital in facts.evidence}
    asked = {vital for vital, _ in gold}
    return any(
        claim.vital in asked and claim.end < end and claim.record in (None, facts.target)
        for claim in trace.claims
        if (claim.vital, claim.value) not in gold
    )


def _is_held(text: str, place: int) -> bool:
    return _HELD.search(text, max(0, place - 40), place) is not None
