"""Faults that only show on sample patients.

ties               In most candidates the superlative is shared by several records, or the exact answer lies
                   halfway between two answers of the asked digits: what is left are the unambiguous few.
divides_by_zero    On a sample patient, or for a plausible value of one vital sign or given, a divisor is 0
                   (`zero_divisors`), and what the template requires does not exclude it.
gives_answer_away  One number of a wording, or the time of one slot, is the answer of most questions.
unfillable_slot    No question can be asked because a condition on a slot never holds, because no patient has
                   as many records as the slots take, or because a slot takes more records than there are.
no_question        No question can be asked for another reason.
not_discriminating Every question is flagged by V7: it can be answered right by a mistake.
too_few            Fewer questions than the sample needs.
"""

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from functools import reduce

from clinicnum.authoring.template_trial_outcomes import Outcomes
from clinicnum.authoring.zero_divisors import ZERO, zero_value
from clinicnum.questions.ask_question import PreparedTemplate, Question
from clinicnum.templates.fault_messages import Fault
from clinicnum.templates.slots_and_givens import ChoiceSlot
from clinicnum.templates.template import Template
from clinicnum.templates.tree import (
    AtNode,
    Condition,
    Node,
    OverNode,
    SlopeNode,
    TimeOfExtremeNode,
    VitalNode,
)
from clinicnum.templates.tree_walk import nodes
from clinicnum.translatable_text import Translatable

TIED_SHARE = Decimal("0.75")
"""A larger share of tied candidates is a fault. Our own choice, above that of any packaged template."""
JUDGED = 20
"""Fewest candidates or questions for a share to be judged."""
FLAGGED_JUDGED = 100
"""Valid questions, all flagged by V7, after which a template counts as not discriminating."""
GIVEN_SHARE = Decimal("0.5")
"""A part of a wording may equal the answer in this share of questions, by chance."""
TIE, HALFWAY, FEW = "V2.tie", "V4.tie_at_asked_digit", "V2.too_few_records"

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?!\w)")


class RevealedAnswers:
    """Counts in how many questions a number, or the time of a slot, in a wording equals the answer."""

    def __init__(self, template: Template) -> None:
        self.template = template
        self.questions = 0
        self.given: Counter[tuple[int, str]] = Counter()
        blank = dict.fromkeys(template.slots, "")
        self._numbers = [
            {Decimal(text): text for text in _NUMBER.findall(wording.format_map(blank))}
            for wording in template.wording
        ]

    def add(self, question: Question) -> None:
        """Count one question in all its wordings."""
        self.questions += 1
        gold = question.gold.text
        if question.gold.record is not None:
            for name, time in question.slots.items():
                self.given.update({(i, f"{{{name}}}"): 1 for i in self._all() if time == gold})
            return
        for i, numbers in enumerate(self._numbers):
            if Decimal(gold) in numbers:
                self.given[i, numbers[Decimal(gold)]] += 1

    def faults(self) -> Iterator[Fault]:
        """Yield a fault for each wording in which the same number or slot equals the answer in most
        questions.
        """
        for (i, part), count in sorted(self.given.items()):
            if self.questions >= JUDGED and count > GIVEN_SHARE * self.questions:
                message = Translatable(
                    "{part} in it is the answer of {n} of {total} sample questions; ask without it",
                    part=part,
                    n=count,
                    total=self.questions,
                )
                yield Fault(rule="gives_answer_away", path=("wording", i), message=message)

    def _all(self) -> range:
        return range(len(self.template.wording))


def sampled_faults(outcomes: Outcomes, sample: int, given: RevealedAnswers) -> Iterator[Fault]:
    """Yield the faults that `outcomes` shows in a template that needs `sample` valid questions; `given`:
    revealed answers.
    """
    template = outcomes.asked.template
    before = list(_tie_faults(template, outcomes)) + list(_zero_faults(template, outcomes))
    yield from before
    yield from given.faults()
    if before:
        return
    if not outcomes.valid:
        yield from _why_no_question(template, outcomes)
    elif outcomes.flagged == outcomes.valid >= FLAGGED_JUDGED:
        message = Translatable(
            "every question can be answered right by a mistake (V7); ask what tells right from wrong"
        )
        yield Fault(rule="not_discriminating", path=(), message=message)
    elif outcomes.valid < sample:
        message = Translatable(
            "{n} of {total} questions on the sample patients; ask of what is more common, or of what is less "
            "often rejected ({counts})",
            n=outcomes.valid,
            total=sample,
            counts=_counts(outcomes.rejected),
        )
        yield Fault(rule="too_few", path=(), message=message)


def _tie_faults(template: Template, outcomes: Outcomes) -> Iterator[Fault]:
    asked = outcomes.tried - outcomes.not_asked
    if asked < JUDGED:
        return
    if outcomes.rejected[TIE] > TIED_SHARE * asked:
        which = next((n.which for n in nodes(template.tree) if isinstance(n, TimeOfExtremeNode)), "highest")
        lowest = Translatable(
            "several records share the lowest value in {n} of {total} candidates; ask for a finer number, or "
            "for the first time a limit was crossed"
        )
        highest = Translatable(
            "several records share the highest value in {n} of {total} candidates; ask for a finer number, "
            "or for the first time a limit was crossed"
        )
        text = lowest if which == "lowest" else highest
        message = Translatable(text, n=outcomes.rejected[TIE], total=asked)
        yield Fault(rule="ties", path=("tree",), message=message)
    if outcomes.rejected[HALFWAY] > TIED_SHARE * asked:
        message = Translatable(
            "the exact answer lies halfway between two answers with {decimals} decimals in {n} of {total} "
            "candidates; ask for more decimals",
            decimals=template.decimals,
            n=outcomes.rejected[HALFWAY],
            total=asked,
        )
        yield Fault(rule="ties", path=("decimals",), message=message)


def _zero_faults(template: Template, outcomes: Outcomes) -> Iterator[Fault]:
    count = outcomes.rejected[ZERO]
    message = Translatable(
        "a divisor is 0 on {n} of {total} sample candidates; divide by something else, or require that it is "
        "not 0",
        n=count,
        total=outcomes.tried - outcomes.not_asked,
    )
    if not count:
        value = zero_value(template, outcomes.seed)
        if value is None:
            return
        message = Translatable(
            "a divisor is 0 where {value}; divide by something else, or require that it is not 0", value=value
        )
    yield Fault(rule="divides_by_zero", path=("tree",), message=message)


def _why_no_question(template: Template, outcomes: Outcomes) -> Iterator[Fault]:
    """Yield the reasons why no question was produced."""
    slots = list(_unfilled(template, outcomes))
    for slot, why in slots:
        message = Translatable("slot {slot} stays empty: {why}", slot=slot, why=why)
        yield Fault(rule="unfillable_slot", path=("slots", slot), message=message)
    if not slots:
        why = _counts(outcomes.rejected) or Translatable("what it requires never holds")
        message = Translatable(
            "no question on the sample patients ({why}); ask of what is more common", why=why
        )
        yield Fault(rule="no_question", path=(), message=message)


def _unfilled(template: Template, outcomes: Outcomes) -> Iterator[tuple[str, str]]:
    """Yield slots that keep every question from being asked, with the reason."""
    if not outcomes.tried:
        for slot in template.record_slots:
            yield (
                slot,
                Translatable(
                    "no sample patient has records for {n} slots in time order", n=len(template.record_slots)
                ),
            )
        return
    if outcomes.rejected[FEW]:
        for node in (n for root in (template.tree, *template.requires) for n in nodes(root)):
            if isinstance(node, OverNode | SlopeNode) and isinstance(
                template.slots.get(node.take), ChoiceSlot
            ):
                yield (
                    node.take,
                    Translatable("it takes {n} records, more than sample patients have", n=node.n),
                )
    if outcomes.not_asked == outcomes.tried:
        yield from _unmet(template, outcomes.seed)


def _unmet(template: Template, seed: int) -> Iterator[tuple[str, str]]:
    """Yield the slots of conditions that never hold; those of all conditions if only their combination
    never does.
    """
    alone = [i for i, one in enumerate(template.requires) if not _ever_holds(template, one, seed)]
    told = alone or range(len(template.requires))
    slots = {slot for i in told for slot in _slots_of(template.requires[i]) & set(template.slots)}
    names = [f"requires.{i}" for i in told]
    text = Translatable("{names} holds on no sample patient; change the condition")
    if len(names) > 1:
        text = Translatable("{names} hold on no sample patient; change the condition")
    for slot in sorted(slots):
        yield slot, Translatable(text, names=reduce(_both, names))


def _both(one: str, other: str) -> str:
    return Translatable("{one} and {other}", one=one, other=other)


def _ever_holds(template: Template, condition: Condition, seed: int) -> bool:
    alone = PreparedTemplate(template.model_copy(update={"requires": (condition,)}), ())
    outcomes = Outcomes(alone, seed, stays=500, limit=1_000)
    next(outcomes.questions(), None)
    return outcomes.not_asked < outcomes.tried


def _slots_of(node: Node) -> set[str]:
    return {n.at for n in nodes(node) if isinstance(n, VitalNode | AtNode)} | {
        n.take for n in nodes(node) if isinstance(n, OverNode | SlopeNode)
    }


def _counts(rejected: Counter[str]) -> str:
    return ", ".join(f"{rule} {n}" for rule, n in sorted(rejected.items()))
