"""One question on one context: template, records and slots to a gold that keeps the rules, or a rejection."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from clinicnum.jsonl import content_id
from clinicnum.representations import RENDERERS
from clinicnum.templates.evaluate import (
    Answer,
    Case,
    Table,
    UndefinedError,
    answer,
    evidence,
    holds,
    table_of,
)
from clinicnum.templates.exact import exact_text
from clinicnum.templates.mistakes import Distractors, WrongTree, distractors, wrong_trees
from clinicnum.templates.template import ChoiceSlot, Template
from clinicnum.templates.worked import worked
from clinicnum.types import Instance, Record, RepresentationName
from clinicnum.validity.flags import flags
from clinicnum.validity.rules import check_answer, check_context, check_records


class RejectedError(Exception):
    """A candidate breaks a validity rule; the message is the rule."""


class NotAskedError(Exception):
    """A template's own condition is not met: there is no question to reject."""


@dataclass(frozen=True)
class Asked:
    """A template ready for use: its asked decimals fixed, its wrong trees made."""

    template: Template
    wrong: tuple[WrongTree, ...]

    @classmethod
    def of(cls, template: Template, decimals: int | None = None) -> "Asked":
        """`decimals` replaces the template's."""
        if decimals is not None:
            template = template.model_copy(update={"decimals": decimals})
        return cls(template, wrong_trees(template))


@dataclass(frozen=True)
class Shown:
    """Records as all representations show them.

    The wording depends on the seed and on the records only, so questions on the same records share a context.
    """

    records: tuple[Record, ...]
    table: Table
    seed: int
    rejected: str | None
    """The first of V2 (times), V3 (resolution) and V6 that the records break."""

    @classmethod
    def of(cls, records: Sequence[Record], seed: int) -> "Shown":
        """Read and check records; nothing is rendered before it is needed."""
        return cls(tuple(records), table_of(records), seed, check_records(records))

    @cached_property
    def contexts(self) -> Mapping[RepresentationName, str]:
        """The text of every representation."""
        first = self.records[0]
        key = f"{self.seed}:{first.subject_id}:{first.stay_id}:{','.join(self.table.times)}"
        return {name: render(self.records, key) for name, render in RENDERERS.items()}

    @cached_property
    def misread(self) -> str | None:
        """The first of V1 and V5 that a rendering breaks."""
        broken = (check_context(self.records, name, text) for name, text in self.contexts.items())
        return next(filter(None, broken), None)


@dataclass(frozen=True)
class Question:
    """A valid question, before it takes a representation."""

    asked: Asked
    shown: Shown
    slots: Mapping[str, str]
    case: Case
    gold: Answer
    mistakes: Distractors
    flags: tuple[str, ...]


def ask(asked: Asked, shown: Shown, filling: Mapping[str, int | str]) -> Question:
    """Compute the gold and check it.

    `filling`: record slots take an index into the records, choice slots a word. Raises RejectedError (a rule
    fails) or NotAskedError (the template's own condition is not met).
    """
    template = asked.template
    if shown.rejected is not None:
        raise RejectedError(shown.rejected)
    at = {name: index for name, index in filling.items() if isinstance(index, int)}
    choices = {name: word for name, word in filling.items() if isinstance(word, str)}
    case = Case(shown.table, template.decimals or 0, at, choices)
    if not all(holds(condition, case, None) for condition in template.requires):
        raise NotAskedError(template.id)
    try:
        gold = answer(template.tree, case)
    except UndefinedError as error:
        raise RejectedError(str(error)) from None
    broken = check_answer(gold, template.decimals) or shown.misread
    if broken is not None:
        raise RejectedError(broken)
    mistakes = distractors(template.tree, asked.wrong, case, gold)
    flagged = flags(template.tree, gold, len(shown.records), undiscriminated=mistakes.undiscriminated)
    slots = {n: shown.table.times[v] if isinstance(v, int) else v for n, v in filling.items()}
    return Question(asked, shown, slots, case, gold, mistakes, flagged)


def fillings(template: Template, records: int) -> list[dict[str, int | str]]:
    """All ways to fill a template's slots on so many records; record slots in time order."""
    found: list[dict[str, int | str]] = [{}]
    for name, slot in template.slots.items():
        if isinstance(slot, ChoiceSlot):
            found = [{**f, name: option} for f in found for option in slot.options]
        else:
            found = [{**f, name: i} for f in found for i in range(_after(f), records)]
    return found


def _after(filling: Mapping[str, int | str]) -> int:
    return max((i + 1 for i in filling.values() if isinstance(i, int)), default=0)


def instances(
    question: Question,
    *,
    wording: int,
    representations: Sequence[RepresentationName],
    benchmark_id: str,
    scope: str,
) -> list[Instance]:
    """The question in each representation: one group. Ids are hashes of what is asked, shown and answered."""
    template, case, shown = question.asked.template, question.case, question.shown
    text = template.question(wording, question.slots)
    gold = question.gold
    common = {
        "benchmark_id": benchmark_id,
        "template_id": template.id,
        "template_version": template.version,
        "tags": template.tags,
        "operation": template.operation,
        "subtype": template.subtype,
        "steps": template.steps,
        "scope": scope,
        "question": text,
        "slots": question.slots,
        "answer": gold.text,
        "answer_exact": None if gold.exact is None else exact_text(gold.exact),
        "worked": worked(template.tree, case, gold),
        "answer_type": template.answer_type,
        "decimals": template.decimals,
        "unit": template.unit,
        "evidence": evidence(template.tree, case, gold),
        "distractors": question.mistakes.items,
        "flags": question.flags,
        "subject_id": shown.records[0].subject_id,
        "records": shown.records,
    }
    asked = [template.id, template.version, text, gold.text]
    group_id = content_id([*asked, shown.contexts["structured"], common["subject_id"]])
    made = []
    for name in representations:
        context = shown.contexts[name]
        instance_id = content_id([group_id, name, context])
        made.append(
            Instance.model_validate(
                {
                    "instance_id": instance_id,
                    "group_id": group_id,
                    "representation": name,
                    "context": context,
                    **common,
                }
            )
        )
    return made
