"""Find a self-correction after an answer: "Actually no, it should be 85."."""

import re

from clinicnum.parsing.marked_answer import MAX_RAW, Place

_LOOKED_AT = 2_000
"""Characters after the answer in which a correction is searched for."""
_CUE = re.compile(
    r"\b(?:actually|wait|correction|corrected|sorry|apolog(?:y|ies|i[sz]e)|scratch that|on second thoughts?"
    r"|oops|no,|i (?:made|have made) (?:a|an) \w{0,12}\s?(?:mistake|error)|i was (?:wrong|mistaken)"
    r"|(?:that|this|which)(?:'s| is| was) (?:wrong|incorrect|not (?:right|correct)))",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?:\b(?:it|that|this|(?:the|my)\s(?:[a-z]{2,12}\s){0,3}(?:answer|value|result|number|count|time"
    r"|option))\s"
    r"(?:should|must|ought to)\s(?:actually\s|really\s)?(?:be|have been|read)"
    r"|\b(?:correct|corrected|right|actual)\s(?:answer|value|result|number|count|time|option|one)\s"
    r"(?:is|should be|would be|was)|\bi meant|\bmake (?:it|that)"
    r"|\bchange (?:it|that|my answer) to)\b[\s:*_`]{0,6}",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"\n|[.!?](?=\s|$)")


def is_corrected_between(text: str) -> bool:
    """Whether the text between two answers takes the first one back: "Wait", "No, ..."."""
    return _CUE.search(text) is not None


def correction_after(text: str, start: int) -> Place | None:
    """The corrected answer that follows an answer ending at offset `start`; None if there is none."""
    later = text[start : start + _LOOKED_AT]
    cue = _CUE.search(later)
    lead = _LEAD.search(later, cue.start()) if cue else None
    if lead is None:
        return None
    end = _SENTENCE_END.search(later, lead.end())
    stop = min(end.start() if end else len(later), lead.end() + MAX_RAW)
    raw = later[lead.end() : stop]
    span = (start + lead.end(), start + stop)
    return Place("correction", raw, open_end=end is None, span=span, inline=True) if raw.strip() else None
