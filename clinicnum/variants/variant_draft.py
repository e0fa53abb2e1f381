"""The state of a variant in the making: what is shown, asked and changed. Each kind turns one draft
into the next.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from clinicnum.questions.ask_question import PreparedTemplate, Question
from clinicnum.representations import BASE, Frame, Style
from clinicnum.templates.distractors import Distractors
from clinicnum.templates.evaluate_tree import Answer, Case, table_of
from clinicnum.types import Cell, Distractor, Given, Instance, Point, Record
from clinicnum.variants.answer_bounds import Range, possible_range

ALERT = {"consciousness": "alert", "new confusion": "no", "Glasgow Coma Scale": "15"}
"""Givens that tell of consciousness, and what each says of a patient who is fully alert."""


class NotApplicableError(Exception):
    """The kind has nothing to change in this instance; the message is the reason."""


@dataclass(frozen=True, slots=True)
class QuestionParts:
    """A question in its parts; each kind of variant changes one part and leaves the others as they are."""

    core: str
    """The template's question."""
    form: str
    """The sentence that says how to write the answer."""
    remark: str = ""
    """A colleague's remark; it comes first."""
    step: str = ""
    """A further step to take after the core."""
    rules: tuple[str, ...] = ()
    """Sentences on what counts, such as this visit only, or how an undocumented value counts."""
    form_first: bool = False

    def text(self) -> str:
        """The question as one text."""
        asked = (self.core, self.step, *self.rules)
        parts = (self.remark, self.form, *asked) if self.form_first else (self.remark, *asked, self.form)
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class WithheldValue:
    """A needed value that the context no longer shows, and two values that prove it matters."""

    need: Cell | str
    """The cell, or the key of a given."""
    completions: tuple[tuple[Decimal | str, str], ...]
    """Two plausible (value, answer it would give) with different answers."""


@dataclass(frozen=True, slots=True)
class VariantDraft:
    """An instance in the making: what is shown, asked and answered so far."""

    base: Instance
    asked: PreparedTemplate
    key: str
    """The seed of the rendering."""
    frame: Frame | None
    """The user's note around the records."""
    records: tuple[Record, ...]
    givens: tuple[Given, ...]
    case: Case
    gold: Answer
    """The gold of the draft's tree and records; with a value withheld, the gold from before."""
    mistakes: Distractors
    words: QuestionParts
    context: str
    style: Style = BASE
    withheld: WithheldValue | None = None
    tree_or_records_changed: bool = False
    """Whether tree or records differ from the base's."""
    told: Mapping[str, Any] | None = None
    """Instance fields on the answer that differ from the base's."""
    temptations: tuple[Distractor, ...] = ()
    """Wrong answers that an addition of the variant invites."""
    options: tuple[str, ...] = ()
    points: tuple[Point, ...] = ()
    prompt_id: str | None = None


def begin(question: Question, base: Instance) -> VariantDraft:
    """The draft with which a variant of `base`, one representation of `question`, begins: nothing is changed
    yet.

    Raises ValueError if `base` is no instance of the question's template.
    """
    form = question.asked.template.answer_form
    if not base.question.endswith(f" {form}"):
        raise ValueError(f"{base.instance_id} is not an instance of {question.asked.template.id}")
    return VariantDraft(
        base=base,
        asked=question.asked,
        key=question.shown.key,
        frame=None,
        records=question.shown.records,
        givens=base.givens,
        case=question.case,
        gold=question.gold,
        mistakes=question.mistakes,
        words=QuestionParts(core=base.question[: -len(form) - 1], form=form),
        context=base.context,
    )


def case_of(draft: VariantDraft, records: Sequence[Record]) -> Case:
    """The draft's `Case`, with its slots on other records."""
    return draft.case.with_table(table_of(records))


def possible(draft: VariantDraft) -> Range:
    """The interval in which the draft's answer must lie, whatever the values."""
    return possible_range(draft.asked.template, draft.case)


def plausible_mistakes(draft: VariantDraft) -> list[Distractor]:
    """The draft's distractors that lie in the interval of possible answers."""
    if draft.gold.exact is None:
        return list(draft.mistakes.items)
    range_ = possible(draft)
    return [item for item in draft.mistakes.items if range_.holds(Decimal(item.value))]


def alert(givens: Sequence[Given]) -> bool:
    """Whether no given says that the patient is less than fully alert, and so could not deny symptoms."""
    return all(given.value == ALERT.get(given.name, given.value) for given in givens)
