"""Check a working that lists the records one by one: what it says of each, and what it concludes.

- A count that differs from the number of lines that say yes is an arithmetic slip.
- A time that the lines do not lead to is the time of a wrong record.
- "Lowest" where the highest is asked is a wrong comparator; "last" where the first is asked, a wrong record.
- Records that the question covers but the lines omit are missed records.

Each is judged only if the worked solution, read in the same way, leads to the gold.
"""

import re
from collections.abc import Iterator, Mapping, Set

from clinicnum.diagnosis.calculation_findings import Gold
from clinicnum.diagnosis.display_names import time_in_words
from clinicnum.diagnosis.finding import Finding
from clinicnum.diagnosis.numbers_in_text import whole_word
from clinicnum.diagnosis.reasoning_trace_check import Trace
from clinicnum.taxonomy_codes import ARITHMETIC_SLIP, MISSED_RECORD, WRONG_COMPARATOR, WRONG_RECORD
from clinicnum.types import Vital

_EXTREMES = {"highest": "lowest", "lowest": "highest"}
_ENDS = {"first": "last", "last": "first"}
_CALLED = {
    **dict.fromkeys(("highest", "maximum", "maximal", "greatest"), "highest"),
    **dict.fromkeys(("lowest", "minimum", "minimal", "smallest"), "lowest"),
    **dict.fromkeys(("first", "earliest"), "first"),
    **dict.fromkeys(("last", "latest"), "last"),
}
_WORDS = re.compile(rf"(?:{whole_word(_CALLED)})\b")


def listing_findings(trace: Trace, gold: Gold, parsed: str | None) -> Iterator[Finding]:
    """Yield findings on a text that treats records line by line; `gold` is the worked solution, `parsed` the
    answer read.
    """
    instance = trace.facts.instance
    if instance.operation not in ("comparison", "aggregation") or parsed is None:
        return
    yield from _missed(trace)
    if instance.answer_type == "count":
        yield from _miscounted(trace, gold, parsed)
    elif instance.answer_type == "datetime":
        turned = list(_turned(trace, gold))
        yield from turned or _concluded_otherwise(trace, gold, parsed)


def _verdicts(trace: Trace) -> Mapping[int, bool]:
    """Record -> the last yes or no on its line."""
    found: dict[int, bool] = {}
    for comparison in trace.comparisons:
        record = None if comparison.verdict is None else trace.record_of_line(comparison.start)
        if record is not None and comparison.verdict is not None:
            found[record] = comparison.verdict
    return found


def _values(trace: Trace, vitals: Set[Vital]) -> Mapping[int, float]:
    """Record -> its value according to the text: of the one vital sign, or the result on its line."""
    if len(vitals) == 1:
        said = [(claim.record, claim.value) for claim in trace.claims if claim.vital in vitals]
    else:
        said = [(trace.record_of_line(e.start), e.said) for e in trace.equations]
    return {record: value for record, value in said if record is not None}


def _miscounted(trace: Trace, gold: Gold, parsed: str) -> Iterator[Finding]:
    told = _verdicts(trace)
    holds = sum(told.values())
    if not told or parsed == str(holds):
        return
    if str(sum(_verdicts(gold.trace).values())) == trace.facts.instance.answer:
        sentence = f"Of the records listed {holds} are said to hold, and {parsed} is answered."
        yield Finding(ARITHMETIC_SLIP, "count_of_the_lines", sentence, (), (), 2)


def _turned(trace: Trace, gold: Gold) -> Iterator[Finding]:
    said = _words(trace.text)
    asked = _words(trace.facts.instance.question.lower()) if said else {}
    if said.keys() <= asked.keys():
        return
    asked |= _words(gold.text.lower())
    for other, code, rule in (
        (_EXTREMES, WRONG_COMPARATOR, "another_extreme"),
        (_ENDS, WRONG_RECORD, "another_end"),
    ):
        for word, opposite in other.items():
            if word in asked and opposite not in asked and opposite in said and word not in said:
                sentence = f"The text looks for the {opposite}; asked is the {word}."
                yield Finding(code, rule, sentence, (said[opposite],), (), 2)


def _words(text: str) -> dict[str, tuple[int, int]]:
    return {_CALLED[match[0]]: match.span() for match in _WORDS.finditer(text)}


def _concluded_otherwise(trace: Trace, gold: Gold, parsed: str) -> Iterator[Finding]:
    facts = trace.facts
    led = _led_to(trace, gold.trace) if parsed in facts.times else None
    if led is None or facts.times[led] == parsed:
        return
    answered = time_in_words(facts, facts.times.index(parsed))
    sentence = f"By its own lines it would be {time_in_words(facts, led)}; {answered} is answered."
    vitals = sorted({vital for _, vital in facts.evidence})
    place = facts.times.index(parsed)
    cells = tuple((place, vital) for vital in vitals)
    yield Finding(WRONG_RECORD, "not_where_the_lines_lead", sentence, (), cells, 2)


def _led_to(trace: Trace, gold: Trace) -> int | None:
    """The record to which the lines of a text lead if read like the worked solution; None if to none."""
    answer = trace.facts.instance.answer
    times = trace.facts.times
    told, right = _verdicts(trace), _verdicts(gold)
    for end in (min, max):
        if right and any(right.values()) and times[end(r for r, yes in right.items() if yes)] == answer:
            return end((r for r, yes in told.items() if yes), default=None)
    vitals = {vital for _, vital in trace.facts.evidence}
    listed, known = _values(trace, vitals), _values(gold, vitals)
    for extreme in (max, min):
        if known and times[extreme(known, key=lambda r: known[r])] == answer and len(listed) > 1:
            best = extreme(listed, key=lambda r: listed[r])
            return best if list(listed.values()).count(listed[best]) == 1 else None
    return None


def _missed(trace: Trace) -> Iterator[Finding]:
    """Yield a finding if the answer goes through records and leaves out some that the question covers.

    An answer that names fewer than two records does not go through them: it gives no finding.
    """
    facts = trace.facts
    if len(facts.evidence_records) < 2:
        return
    claimed = {claim.record for claim in trace.claims if claim.record is not None}
    if len(claimed) < 2 and not (
        any(trace.is_line_of_record(claim.start) for claim in trace.claims) or _verdicts(trace)
    ):
        return
    told = {record for records in trace.at for record in records} | claimed
    missed = sorted(facts.evidence_records - told)
    if missed and told & facts.evidence_records:
        times = ", ".join(time_in_words(facts, record) for record in missed[:3])
        sentence = f"Records that the question covers are not looked at: {times}."
        vitals = sorted({vital for _, vital in facts.evidence})
        cells = tuple((record, vital) for record in missed for vital in vitals)
        yield Finding(MISSED_RECORD, "records_not_told", sentence, (), cells)
