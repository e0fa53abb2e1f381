"""Suggest why a generation failed: at most three causes, ranked and each with its evidence; or none.

Sources, in the order of their weight:
- the trace check: what the text says against its own arithmetic, or against the records;
- distractors: an answer that equals what mistakes of exactly one code give, where chance matches of that code
  are rare (`chance_matches`); of several codes only those that the trace check speaks for as well;
- the score's status: nothing answered, a broken text, or the right value in another form.

Nothing is suggested for a score that is strictly right. Ties in weight go by the order of the primary label.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from clinicnum.diagnosis.answered_before_truncation import answered, end_of_whole
from clinicnum.diagnosis.calculation_findings import Gold, working_findings
from clinicnum.diagnosis.chance_matches import Rates
from clinicnum.diagnosis.display_names import time_in_words, vital_in_words
from clinicnum.diagnosis.distractor_matches import Answer, answer_of, finding_of, matched
from clinicnum.diagnosis.finding import Finding, place_in_order
from clinicnum.diagnosis.instance_facts import Facts, cell
from clinicnum.diagnosis.numbers_in_text import Number, fold_case, numbers_in, split_times
from clinicnum.diagnosis.reading_findings import MAX_SPANS, misplaced, reading_findings
from clinicnum.diagnosis.reasoning_trace_check import MAX_TEXT, Trace
from clinicnum.diagnosis.record_by_record_findings import listing_findings
from clinicnum.diagnosis.score_status_findings import misformed, unanswered
from clinicnum.taxonomy_codes import (
    FABRICATED_TIME,
    MISSED_STEP,
    REPETITION,
    TRUNCATED,
    UNIT,
    UNSUPPORTED_ASSUMPTION,
    WRONG_RECORD,
    WRONG_VITAL,
)
from clinicnum.types import Generation, Instance, Score, Suggestion

MOST_SUGGESTIONS = 3
_COINCIDENCES = ("read_from_another_record", "read_from_another_vital")
_BOTH = 3
"""Weight of a cause that both the answer and the text support."""


def suggest(
    *, instance: Instance, generation: Generation, score: Score, rates: Rates
) -> tuple[Suggestion, ...]:
    """The likely causes of a failure, the likeliest first; empty if nothing supports any.

    `score` is the generation's, by `clinicnum.scoring`; `rates` the benchmark's
    (`clinicnum.diagnosis.rates_for`). Never raises for a text.
    """
    if score.strict:
        return ()
    found = _ranked(_findings(instance, generation, score, rates))
    return tuple(
        Suggestion(
            generation_id=generation.generation_id,
            code=finding.code,
            rule=finding.rule,
            spans=finding.spans,
            cells=tuple(map(cell, finding.cells)),
            rank=rank,
            sentence=finding.sentence,
        )
        for rank, finding in enumerate(found[:MOST_SUGGESTIONS], start=1)
    )


class _Failure(NamedTuple):
    """A wrong generation with its trace."""

    instance: Instance
    score: Score
    trace: Trace
    answer: Answer | None
    """The answer, in the form in which it is compared."""
    span: tuple[int, int] | None
    """Start and end of the answer in the text."""

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Start and end of the answer, as the only element; empty if unknown."""
        return (self.span,) if self.span else ()


def _findings(instance: Instance, generation: Generation, score: Score, rates: Rates) -> list[Finding]:
    if score.lenient:
        offset = max(0, len(generation.text) - MAX_TEXT)
        span = _answer_span(fold_case(generation.text[offset:]), score, offset)
        return misformed(instance, generation, score, span)
    found = unanswered(instance, generation, score) if score.status != "incorrect" else []
    if found and score.status != "truncated":
        return found
    if score.status not in ("incorrect", "unparsable", "truncated"):
        return []
    trace, answer = Trace(Facts(instance), generation.text), answer_of(instance, score.parsed)
    if score.status == "truncated":
        return _cut_off(found, _before_the_cut(_Failure(instance, score, trace, answer, None)), trace)
    failure = _Failure(instance, score, trace, answer, _answer_span(trace.text, score, trace.offset))
    traced = [
        _moved(finding, trace.offset)
        for finding in _traced(failure)
        if not (_by_value(instance, finding) and rates.silences(instance, finding.code))
    ]
    traced = [finding for finding in traced if not _is_afterthought(failure, finding)]
    return [*traced, *_by_answer(failure, rates, traced)]


def _is_afterthought(failure: _Failure, finding: Finding) -> bool:
    """Whether an invented time comes after the number it would explain, and so cannot have caused it."""
    if finding.code != FABRICATED_TIME or failure.span is None or not finding.spans:
        return False
    return finding.spans[0][0] >= failure.span[1] and failure.instance.answer_type != "datetime"


def _by_value(instance: Instance, finding: Finding) -> bool:
    """Whether a finding depends on a matching value alone, which can match by chance."""
    return instance.operation == "retrieval" and finding.rule in _COINCIDENCES


def _cut_off(found: list[Finding], before: list[Finding], trace: Trace) -> list[Finding]:
    """The causes of a truncated text: truncation only if there was no answer; in a loop, not what it
    repeats.
    """
    if any(finding.code == TRUNCATED for finding in found):
        return before if answered(trace) else [*before, *found]
    loops = [span for finding in found if finding.code == REPETITION for span in finding.spans]
    spun = [f for f in before if any(s <= f.spans[0][0] and f.spans[-1][1] <= e for s, e in loops)]
    return [*(finding for finding in before if finding not in spun), *found]


def _before_the_cut(failure: _Failure) -> list[Finding]:
    """Findings on a text before it was truncated, without anything that the truncation itself affects."""
    trace = failure.trace
    end = end_of_whole(trace)
    found = [f for f in _traced(failure) if f.spans and f.spans[-1][1] < end]
    return [_moved(finding, trace.offset) for finding in found]


def _traced(failure: _Failure) -> Iterator[Finding]:
    instance, score, trace, answer, span = failure
    number = answer if isinstance(answer, float) else None
    read = None
    if number is not None and span is not None and instance.operation == "retrieval":
        start, end = span[0] - trace.offset, span[1] - trace.offset
        read = Number(start, end, abs(number), len((score.parsed or "").partition(".")[2]))
    yield from reading_findings(trace, read)
    gold = Gold(trace.facts)
    yield from working_findings(trace, gold, number)
    yield from listing_findings(trace, gold, score.parsed)


def _by_answer(failure: _Failure, rates: Rates, traced: Iterable[Finding]) -> Iterator[Finding]:
    instance, score, trace, answer, span = failure
    codes = matched(instance, answer, score.parsed)
    spoken = {finding.code for finding in traced}
    chosen = [code for code in codes if code in spoken]
    if not chosen and len(codes) == 1:
        chosen = [code for code in codes if rates.speaks(instance, code) and _is_only_place(failure, code)]
    for code in chosen:
        yield finding_of(trace.facts, codes[code][0], score.parsed or "", span)
    if not chosen:
        yield from _as_recorded(failure)
    if _is_right_number(failure):
        sentence = f"The number is right, {score.parsed}, and it is given in another unit than asked."
        yield Finding(UNIT, "another_unit", sentence, failure.spans, (), 2)
    if instance.answer is None and score.parsed is not None:
        sentence = f"{score.parsed} is given, and the records do not document what it needs."
        yield Finding(UNSUPPORTED_ASSUMPTION, "answers_the_undocumented", sentence, failure.spans)


def _is_only_place(failure: _Failure, code: str) -> bool:
    """Whether no other place in the records would explain a misread value equally well."""
    if failure.instance.operation != "retrieval" or not isinstance(failure.answer, float):
        return True
    elsewhere = misplaced(failure.trace.facts, failure.answer)
    return code not in (WRONG_RECORD, WRONG_VITAL) or (elsewhere is not None and elsewhere[0] == code)


def _as_recorded(failure: _Failure) -> Iterator[Finding]:
    """Yield the finding that the only value to calculate with was given as the answer."""
    instance, facts, answer = failure.instance, failure.trace.facts, failure.answer
    if instance.operation != "arithmetic" or len(facts.evidence) != 1 or instance.givens:
        return
    (place,) = facts.evidence
    if isinstance(answer, float) and facts.value(*place) == answer and failure.score.status == "incorrect":
        reading = f"the {vital_in_words(place[1])} at {time_in_words(facts, place[0])}"
        sentence = f"{failure.score.parsed} is {reading} as recorded; nothing was calculated."
        yield Finding(MISSED_STEP, "as_recorded", sentence, failure.spans, (place,))


def _is_right_number(failure: _Failure) -> bool:
    """Whether the unit alone makes the answer wrong."""
    instance, answer = failure.instance, failure.answer
    return (
        failure.score.status == "incorrect"
        and instance.scoring == "numeric"
        and isinstance(answer, float)
        and answer_of(instance, instance.answer) == answer
    )


def _answer_span(text: str, score: Score, offset: int) -> tuple[int, int] | None:
    """Position of the parsed answer: its last mention, after the last `answer` if it is in JSON.

    `text` is folded, and begins at `offset` of the generated one.
    """
    if score.parsed is None:
        return None
    start = 0
    if (score.form or "").startswith("json"):
        start = max(0, text.rfind("answer"))
    place = _last(text, score.parsed.lower().removeprefix("-"), start)
    if place is None:
        parts = split_times(text)
        clocks = [m for m in parts.moments if m.start >= start and m.clock and m.clock in score.parsed]
        same = [n for n in numbers_in(parts.plain) if n.start >= start and _equals(score.parsed, n.value)]
        found = clocks or same
        place = (found[-1].start, found[-1].end) if found else None
    return None if place is None else (place[0] + offset, place[1] + offset)


def _last(text: str, written: str, start: int) -> tuple[int, int] | None:
    """The last position in the text at which the answer stands as it was read, not as part of a longer
    number.
    """
    place = text.rfind(written, start)
    while place >= 0:
        end = place + len(written)
        if not (text[place - 1 : place].isalnum() or text[end : end + 1].isdigit()):
            return (place, end)
        place = text.rfind(written, start, place)
    return None


def _equals(parsed: str, value: float) -> bool:
    try:
        return abs(float(parsed)) == value
    except ValueError:
        return False


def _moved(finding: Finding, offset: int) -> Finding:
    if not offset:
        return finding
    spans = tuple((start + offset, end + offset) for start, end in finding.spans)
    return Finding(finding.code, finding.rule, finding.sentence, spans, finding.cells, finding.weight)


def _ranked(findings: Iterable[Finding]) -> list[Finding]:
    """One finding per code, the strongest first, then by the order of the primary label."""
    by_code: dict[str, Finding] = {}
    for finding in findings:
        known = by_code.get(finding.code)
        by_code[finding.code] = finding if known is None else _joined(known, finding)
    found = list(by_code.values())
    return sorted(found, key=lambda f: (-f.weight, place_in_order(f.code))) if len(found) > 1 else found


def _joined(one: Finding, other: Finding) -> Finding:
    """Merge two findings of one code: the wording of the stronger one, the positions of both."""
    best = one if one.weight >= other.weight else other
    spans = tuple(dict.fromkeys((*one.spans, *other.spans)))[:MAX_SPANS]
    cells = tuple(dict.fromkeys((*one.cells, *other.cells)))
    weight = _BOTH if one.rule != other.rule else best.weight
    return Finding(best.code, best.rule, best.sentence, spans, cells, weight)
