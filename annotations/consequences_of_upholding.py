"""Which instances are invalidated if a contest is upheld: an annotator's claim that an item is faulty.

This is computed from the instances alone, so that it can be shown before the decision. The rules of
`clinicnum lint` examine the contested instance first. A rule that finds a fault is tested on every instance
of that template version and group, and those that fail it are invalidated. If no rule finds a fault (a fault
of wording, a gold that is disputed on clinical grounds), a person chooses the scope.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Literal

from clinicnum.imports.robbench import BETWEEN
from clinicnum.io.jsonl import content_id
from clinicnum.lint.checked_instance import OwnItem
from clinicnum.lint.instance_check import examine as examine_own
from clinicnum.lint.lint_results import Examined, Finding, Place
from clinicnum.lint.robbench_row_check import ForeignRow
from clinicnum.lint.robbench_row_check import examine as examine_foreign
from clinicnum.lint.template_lookup import OwnBank
from clinicnum.questions.ask_question import PreparedTemplate
from clinicnum.stats.interval_estimate import Figure, share
from clinicnum.templates.bank import load_bank
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.template import Template
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance

Scope = Literal["group", "template"]
SCOPES: dict[Scope, str] = {
    "group": Translatable("this question, in all its representations"),
    "template": Translatable("every question of this template version"),
}
BY_HAND: dict[Scope, str] = {"group": "by hand: group", "template": "by hand: template version"}
SAYS_NOTHING = frozenset({"V7", "evidence", "worked", "distractors", "id", "group", "variant"})
"""Rule families whose failure concerns neither question nor gold: flags, derived fields, ids."""
_MADE_ELSEWHERE = "clinicnumrobbench."
_NOWHERE = Place(0, 0)


@dataclass(frozen=True)
class Fault:
    """A validity rule that an instance fails."""

    rule: str
    message: str


@dataclass(frozen=True)
class InvalidatedInstance:
    """An instance that would be invalidated."""

    instance: Instance
    rule: str
    reason: str


@dataclass(frozen=True)
class Consequences:
    """The effects of upholding a contest."""

    faults: tuple[Fault, ...]
    """Faults of the contested instance; empty if no rule finds one."""
    scope: Scope | None
    """The scope chosen by a person; None if rules decide."""
    tested: int
    """Number of instances of the template version and group."""
    unchecked: int
    """How many of the tested instances the rules could not examine."""
    already: int
    """Number of affected instances that are already invalidated."""
    taken: tuple[InvalidatedInstance, ...]

    def mark(self, contests: Iterable[str], gone: Iterable[str]) -> str:
        """A hash of everything that is shown before the decision, to check that just that is confirmed.

        `contests` are the ids of contests decided together, `gone` those of instances already invalidated.
        Accuracy before and after follows from these, since the scores of a study do not change.
        """
        rules = [[one.rule, one.message] for one in self.faults]
        taken = sorted([one.instance.instance_id, one.rule] for one in self.taken)
        return content_id(["upheld", rules, self.scope, self.tested, taken, sorted(contests), sorted(gone)])


def consequences(
    contested: Instance,
    instances: Sequence[Instance],
    *,
    scope: Scope,
    framed: bool | None,
    gone: Collection[str] = (),
    reason: str = "",
    template: Template | None = None,
) -> Consequences:
    """The instances that are invalidated if a contest of `contested` is upheld.

    `instances` are those of the benchmark with the same template version or group. `scope` is used only if no
    rule finds a fault. `framed`: whether the benchmark uses notes supplied by the user, None if unknown;
    `gone`: ids of instances that are already invalidated; `reason`: the comment of the contest; `template`:
    the version that made the instances, if it is not in a packaged bank.
    """
    bank = _own_bank() if template is None else OwnBank((template,))
    faults, _ = _faults(contested, framed, bank)
    if not faults:
        fits = [one for one in instances if scope == "template" or one.group_id == contested.group_id]
        found = [InvalidatedInstance(one, BY_HAND[scope], reason) for one in fits]
        by_hand, unchecked = scope, 0
    else:
        rules = {one.rule for one in faults}
        examined = [(one, *_faults(one, framed, bank)) for one in instances]
        broken = ((one, [fault for fault in all_ if fault.rule in rules]) for one, all_, _ in examined)
        found = [InvalidatedInstance(one, some[0].rule, some[0].message) for one, some in broken if some]
        by_hand, unchecked = None, sum(not checked for *_, checked in examined)
    return Consequences(
        faults=faults,
        scope=by_hand,
        tested=len(instances),
        unchecked=unchecked,
        already=sum(one.instance.instance_id in gone for one in found),
        taken=tuple(one for one in found if one.instance.instance_id not in gone),
    )


def _faults(instance: Instance, framed: bool | None, bank: OwnBank) -> tuple[tuple[Fault, ...], bool]:
    """The rules that the question or its gold fails, each once, and whether the gold could be recomputed."""
    examined = _examined(instance, framed, bank)
    found = {
        one.rule: Fault(one.rule, one.message)
        for one in reversed(examined.said)
        if isinstance(one, Finding) and one.rule.partition(".")[0] not in SAYS_NOTHING
    }
    return tuple(found[rule] for rule in sorted(found)), examined.checked


def _examined(instance: Instance, framed: bool | None, bank: OwnBank) -> Examined:
    if instance.template_id.startswith(_MADE_ELSEWHERE):
        asked = f"{instance.context}{BETWEEN}{instance.question}"
        return examine_foreign(ForeignRow(_NOWHERE, asked, instance.answer or "", "csv"), _foreign_bank())
    return examine_own(OwnItem(_NOWHERE, instance), bank, framed=framed)


@cache
def _own_bank() -> OwnBank:
    return OwnBank(named_bank("all"))


@cache
def _foreign_bank() -> dict[str, PreparedTemplate]:
    return {template.id: PreparedTemplate.of(template) for template in load_bank()}


CLAIM_WORDS = {
    "gold_wrong": Translatable("The gold answer is wrong"),
    "ambiguous": Translatable("The question is ambiguous"),
}


def claim_words(kind: str, proposed_gold: str | None) -> Translatable:
    """The claim of a contest, for readers."""
    if proposed_gold is None:
        return CLAIM_WORDS[kind]
    return Translatable("{claim}; proposed {gold}", claim=CLAIM_WORDS[kind], gold=proposed_gold)


def canonical_claim(kind: str, proposed_gold: str | None) -> str:
    """The claim of a contest in a canonical form, so that equal claims are recognised however a number
    is written.
    """
    text = (proposed_gold or "").strip()
    try:
        text = str(Decimal(text).normalize()) if kind == "gold_wrong" else ""
    except ArithmeticError:  # no number, or one that no gold is
        text = " ".join(text.casefold().split())
    return content_id(["claim", kind, text])


def accuracy_without(answers: Iterable[tuple[str, str, bool]], without: Collection[str]) -> Figure:
    """Accuracy over triples (subject, key, right), without the keys in `without`.

    The interval is Wilson's with the effective sample size of the delete-one-subject jackknife
    (`clinicnum.stats.interval_estimate.share`), as in all of the report.
    """
    kept = [(subject, float(right)) for subject, key, right in answers if key not in without]
    return share(kept, without=Translatable("every question is contested"), bootstrap=False)
