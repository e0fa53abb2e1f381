"""Findings of the trace check on calculations: slips, false comparisons, and correct arithmetic by another
rule.

- An equation that does not hold is an arithmetic slip; a false comparison is a wrong comparator.
- Where every equation holds and they lead to the wrong answer, the fault lies before them: an operand that is
  no evidence (another record, another vital sign), a result carried on rounded, a step of the worked solution
  that is not there, or another formula.
- Where no comparison is the one asked for, one with another threshold or by another relation is a wrong
  comparator.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

from clinicnum.diagnosis.comparisons_in_text import Comparison, comparisons_in
from clinicnum.diagnosis.display_names import time_in_words, vital_in_words
from clinicnum.diagnosis.equations_in_text import Equation
from clinicnum.diagnosis.finding import Finding
from clinicnum.diagnosis.instance_facts import FORMULA_CONSTANTS, Facts, number_text
from clinicnum.diagnosis.numbers_in_text import half_unit, parted_once
from clinicnum.diagnosis.reading_findings import MAX_SPANS, misplaced
from clinicnum.diagnosis.reasoning_trace_check import Trace
from clinicnum.taxonomy_codes import (
    ARITHMETIC_SLIP,
    MISSED_STEP,
    PREMATURE_ROUNDING,
    WRONG_COMPARATOR,
    WRONG_FORMULA,
    WRONG_RECORD,
)

_SHOWN = 60
"""Characters of an equation that a sentence shows."""


class Gold:
    """An instance's worked solution, examined in the same way as a model's text."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.text = "\n".join(facts.instance.worked)

    @cached_property
    def trace(self) -> Trace:
        """Numbers, times and equations of the worked solution."""
        return Trace(self.facts, self.text, parted_once)

    @cached_property
    def results(self) -> Sequence[float]:
        """Results of the worked solution's equations, as written."""
        return [equation.said for equation in self.trace.equations]

    @cached_property
    def comparisons(self) -> Sequence[Comparison]:
        """The comparisons of two numbers that the worked solution states."""
        return self.trace.comparisons

    def has(self, equation: Equation) -> bool:
        """Whether an equation of the worked solution has the same result, up to rounding; signs are ignored,
        as words may state them.
        """
        tolerance = half_unit(len(equation.result.text.partition(".")[2])) + equation.doubt
        return any(abs(abs(result) - abs(equation.said)) <= tolerance for result in self.results)


def working_findings(trace: Trace, gold: Gold, answered: float | None) -> Iterator[Finding]:
    """Yield findings on a text's calculations, compared with the worked solution; `answered` is its number,
    if any.
    """
    wrong = [equation for equation in trace.equations if not equation.holds]
    if wrong:
        spans = tuple([(equation.start, equation.end) for equation in wrong[:MAX_SPANS]])
        yield Finding(
            ARITHMETIC_SLIP, "equation_does_not_hold", _slip_sentence(trace, wrong[0]), spans, (), 2
        )
    untrue = [comparison for comparison in trace.comparisons if not comparison.holds]
    if untrue:
        spans = tuple([(comparison.start, comparison.end) for comparison in untrue[:MAX_SPANS]])
        shown = trace.text[untrue[0].start : untrue[0].end].strip()
        sentence = f'"{shown}" is not so.'
        yield Finding(WRONG_COMPARATOR, "comparison_is_not_so", sentence, spans, (), 2)
    if not trace.facts.times or not gold.facts.instance.worked:
        return
    if trace.equations and not wrong:
        yield from _rule(trace, gold, answered)
    if trace.comparisons and not untrue:
        yield from _relations(trace, gold)


def _slip_sentence(trace: Trace, equation: Equation) -> str:
    written = trace.text[equation.start : equation.result.start]
    left = " ".join(written.rstrip(" -−*$(").removesuffix("=").removesuffix("≈").split())[-_SHOWN:].strip()
    return f"{left} is {number_text(round(equation.computed, 6))}, not {number_text(equation.said)}."


def _rule(trace: Trace, gold: Gold, answered: float | None) -> Iterator[Finding]:
    """Yield the findings on a text whose equations all hold: why they lead to a wrong answer."""
    single = trace.facts.instance.operation == "arithmetic"
    last = trace.equations[-1]
    if single and (answered is None or not _leads_to(trace, answered)):
        return
    elsewhere = list(_misread(trace))
    yield from elsewhere
    if elsewhere or not gold.results:
        return
    spans = ((last.start, last.end),)
    strange = next((equation for equation in trace.equations if not gold.has(equation)), None)
    if single and _rounded_on_the_way(trace, answered):
        sentence = "A result on the way was rounded, and what follows from it is off by that."
        yield Finding(PREMATURE_ROUNDING, "carried_on_rounded", sentence, spans)
    elif strange:
        shown = " ".join(trace.text[strange.start : strange.end].split())[-_SHOWN:]
        sentence = f"{shown} holds, but it is no step from the records to what is asked."
        yield Finding(WRONG_FORMULA, "another_calculation", sentence, ((strange.start, strange.end),))
    elif len(trace.equations) < len(gold.results):
        missing = len(gold.results) - len(trace.equations)
        sentence = f"The working stops short: {missing} of {len(gold.results)} calculations are not there."
        yield Finding(MISSED_STEP, "steps_not_there", sentence, spans)


def _leads_to(trace: Trace, answered: float) -> bool:
    """Whether an equation gives the answer, possibly before rounding."""
    return any(
        abs(abs(equation.said) - abs(answered)) <= half_unit(_digits(answered))
        for equation in trace.equations
    )


def _digits(number: float) -> int:
    return len(number_text(number).partition(".")[2])


def _misread(trace: Trace) -> Iterator[Finding]:
    """Yield a finding for each operand read from a wrong cell, as `misplaced` tells.

    Left out are constants of formulas, and numbers of the question, a given, the worked solution or a single
    mistake.
    """
    facts = trace.facts
    for equation in trace.equations:
        for token in equation.operands:
            value = float(token.text.replace(",", ""))
            elsewhere = None if value in FORMULA_CONSTANTS else misplaced(facts, value)
            if elsewhere is not None and not (facts.is_asked(value) or facts.is_worked(value)):
                code, place = elsewhere
                about = "of another record" if code == WRONG_RECORD else "no vital sign that is asked about"
                reading = f"the {vital_in_words(place[1])} at {time_in_words(facts, place[0])}"
                sentence = f"{number_text(value)} is {reading}: {about}."
                yield Finding(
                    code, "computed_with_another_value", sentence, ((token.start, token.end),), (place,), 2
                )


def _rounded_on_the_way(trace: Trace, answered: float | None) -> bool:
    """Whether carrying on rounded intermediate results explains the distance to the gold."""
    exact = trace.facts.instance.answer_exact
    if exact is None or answered is None:
        return False
    above, _, below = exact.partition("/")
    right = float(above) / float(below or 1)
    last = trace.equations[-1]
    return last.doubt > 0 and abs(last.said - right) <= last.doubt + half_unit(_digits(last.said))


def _relations(trace: Trace, gold: Gold) -> Iterator[Finding]:
    """Yield comparisons whose threshold or relation differs from the worked solution's."""
    said = [comparison for comparison in trace.comparisons if comparison.verdict is not None]
    first = next(comparisons_in(gold.trace.plain), None) if said else None
    if first is None or any(c.right == first.right and c.is_by(first.sign) for c in said):
        return  # one is as asked
    limits = {comparison.right for comparison in gold.comparisons}
    signs = {comparison.sign for comparison in gold.comparisons}
    others = [comparison for comparison in said if comparison.right not in limits]
    turned = [c for c in said if c.right in limits and not any(map(c.is_by, signs))]
    for wrong, rule, what in (
        (others, "another_threshold", "is compared with {0:}; asked is {1:}"),
        (turned, "another_relation", "is compared by {2:}; asked is {3:}"),
    ):
        if wrong and len(wrong) == len(said):
            first = wrong[0]
            asked = sorted(map(number_text, limits))[0]
            tail = what.format(number_text(first.right), asked, first.sign, sorted(signs)[0])
            spans = tuple([(comparison.start, comparison.end) for comparison in wrong[:MAX_SPANS]])
            yield Finding(WRONG_COMPARATOR, rule, f"{number_text(first.left)} {tail}.", spans)
