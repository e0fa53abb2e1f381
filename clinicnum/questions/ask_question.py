"""Ask one question on one context: from template, records and slots to a valid gold, or to a rejection."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from clinicnum.io.jsonl import compact_json, quoted, text_id
from clinicnum.questions.givens import stated
from clinicnum.questions.instance_json_line import line_parts
from clinicnum.records.record_json import record_json
from clinicnum.representations import render_givens, render_written, write
from clinicnum.representations.note_frames import Frame
from clinicnum.templates.distractors import Distractors, WrongTree, distractors, wrong_trees
from clinicnum.templates.evaluate_tree import answer, holds
from clinicnum.templates.evaluation_input import Answer, Case, Table, UndefinedError, table_of
from clinicnum.templates.evidence_cells import evidence
from clinicnum.templates.template import ChoiceSlot, Template
from clinicnum.types import REPRESENTATIONS, Cell, Given, Record, RepresentationName
from clinicnum.validity.instance_rules import check_answer, check_context, check_records
from clinicnum.validity.non_discriminating_flags import flags_of_gold, flags_of_mistakes


class RejectedError(Exception):
    """A candidate breaks a validity rule; the message is the rule."""


class NotAskedError(Exception):
    """A template's own condition is not met: there is no question to reject."""


@dataclass(frozen=True)
class PreparedTemplate:
    """A template ready to ask questions: decimals settled, and the trees of its single mistakes made."""

    template: Template
    wrong: tuple[WrongTree, ...]

    @classmethod
    def of(cls, template: Template, decimals: int | None = None) -> "PreparedTemplate":
        """Prepare a template; `decimals`, if given, replaces the decimals that it asks for."""
        if decimals is not None:
            template = template.model_copy(update={"decimals": decimals})
        return cls(template, wrong_trees(template))

    @cached_property
    def line_parts(self) -> Sequence[str]:
        """The parts of an instance's JSON line, with the fields filled in that the template alone decides."""
        names = ("tags", "operation", "subtype", "steps", "answer_type", "decimals", "unit")
        fields = {name: compact_json(getattr(self.template, name)) for name in names}
        ident = {"template_id": self.template.id, "template_version": self.template.version}
        return line_parts(fields | {name: compact_json(value) for name, value in ident.items()})


@dataclass(frozen=True)
class RenderedRecords:
    """Records with their text in every representation.

    The wording depends on the seed and on the records only, so questions on the same records share a context.
    """

    records: tuple[Record, ...]
    table: Table
    key: str
    """Seed of the wording."""
    frame: Frame | None
    """The user's note around the records, in the representation `note`."""
    rejected: str | None
    """First of V2 (times), V3 (resolution) and V6 that the records break; or None."""

    @classmethod
    def of(cls, records: Sequence[Record], seed: int, frames: Sequence[Frame] = ()) -> "RenderedRecords":
        """Read and check records; nothing is rendered before it is needed.

        `seed` decides the wording of notes, and which of the users' `frames` the records are put into.
        """
        table, first = table_of(records), records[0]
        key = f"{seed}:{first.subject_id}:{first.stay_id}:{','.join(table.times)}"
        # S311: reproducible wording, not secrets.
        frame = random.Random(f"frame:{key}").choice(frames) if frames else None  # noqa: S311
        return cls(tuple(records), table, key, frame, check_records(records))

    @cached_property
    def bodies(self) -> Mapping[RepresentationName, str]:
        """The text of every representation, without givens."""
        texts = write(self.records)
        return {name: render_written(texts, name, self.key, frame=self.frame) for name in REPRESENTATIONS}

    @cached_property
    def misread(self) -> str | None:
        """The first of V1, V5 and V8 that a rendering breaks; else None."""
        return self._broken(self.bodies, ())

    @cached_property
    def records_json(self) -> str:
        """The records as JSON, as in an instance."""
        return "[" + ",".join(map(record_json, self.records)) + "]"

    @cached_property
    def records_id(self) -> str:
        """Id of the records, part of a group's id."""
        return text_id(self.records_json)

    @cached_property
    def _plain(self) -> Mapping[RepresentationName, tuple[bytes, str]]:
        """Each representation's text without givens, as (JSON, id)."""
        return {name: _as_json(text) for name, text in self.bodies.items()}

    def context_json(self, name: RepresentationName, givens: Sequence[Given]) -> tuple[bytes, str]:
        """The text of `context` as JSON, and its id."""
        return _as_json(self.context(name, givens)) if givens else self._plain[name]

    def context(self, name: RepresentationName, givens: Sequence[Given]) -> str:
        """The records' text in a representation, with the givens that a question needs."""
        body = self.bodies[name]
        return f"{body}\n{render_givens(givens, name, self.key)}" if givens else body

    def misread_with(self, givens: Sequence[Given]) -> str | None:
        """As `misread`, with the givens in the text."""
        if not givens:
            return self.misread
        return self._broken({name: self.context(name, givens) for name in REPRESENTATIONS}, givens)

    def _broken(self, contexts: Mapping[RepresentationName, str], givens: Sequence[Given]) -> str | None:
        for name, text in contexts.items():
            framed = self.frame is not None and name == "note"
            broken = check_context(self.records, givens, name, text, frame=framed)
            if broken is not None:
                return broken
        return None


def _as_json(text: str) -> tuple[bytes, str]:
    return quoted(text).encode(), text_id(text)


@dataclass(frozen=True)
class Question:
    """A valid question, before it takes a representation."""

    asked: PreparedTemplate
    shown: RenderedRecords
    filling: Mapping[str, int | str]
    """Slot -> index into the records (record slots) or word (choice slots)."""
    slots: Mapping[str, str]
    """Slot -> the text that fills it in the wording."""
    givens: tuple[Given, ...]
    case: Case
    gold: Answer
    flags_of_gold: tuple[str, ...]
    """The V7 flags that depend on the gold alone."""

    @cached_property
    def mistakes(self) -> Distractors:
        """The answers to which single mistakes lead."""
        return distractors(self.asked.template.tree, self.asked.wrong, self.case, self.gold)

    @property
    def flags(self) -> tuple[str, ...]:
        """V7: the reasons why the question does not discriminate."""
        return (*self.flags_of_gold, *flags_of_mistakes(self.mistakes))

    @property
    def discriminates(self) -> bool:
        """Whether the question has no flag. Mistakes, which cost most, are computed only if the gold
        leaves that open.
        """
        return not (self.flags_of_gold or flags_of_mistakes(self.mistakes))

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The evidence: the cells on which the answer rests."""
        return evidence(self.asked.template.tree, self.case, self.gold)


def ask(
    asked: PreparedTemplate,
    shown: RenderedRecords,
    filling: Mapping[str, int | str],
    given_values: Mapping[str, str] | None = None,
) -> Question:
    """Compute the gold of a question and check it.

    `filling`: record slots take an index into the records, choice slots a word; `given_values`: given key ->
    value. Raises RejectedError (a rule fails) or NotAskedError (the template's own condition is not met).
    """
    template = asked.template
    if shown.rejected is not None:
        raise RejectedError(shown.rejected)
    at = {name: index for name, index in filling.items() if isinstance(index, int)}
    choices = {name: word for name, word in filling.items() if isinstance(word, str)}
    case = Case(shown.table, template.decimals or 0, at, choices, given_values or {})
    gold = gold_of(asked, case)
    givens = stated(template, given_values or {}) if template.givens else ()
    broken = shown.misread_with(givens)
    if broken is not None:
        raise RejectedError(broken)
    slots = {n: shown.table.times[v] if isinstance(v, int) else v for n, v in filling.items()}
    flagged = flags_of_gold(template.tree, gold, len(shown.records))
    return Question(asked, shown, filling, slots, givens, case, gold, flagged)


def gold_of(asked: PreparedTemplate, case: Case) -> Answer:
    """The valid gold of a case.

    Raises RejectedError (rules V1 to V4) or NotAskedError (the template's own condition is not met).
    """
    template = asked.template
    try:
        if not all(holds(condition, case, None) for condition in template.requires):
            raise NotAskedError(template.id)
        gold = answer(template.tree, case)
    except UndefinedError as error:
        raise RejectedError(str(error)) from None
    broken = check_answer(gold, template.decimals)
    if broken is not None:
        raise RejectedError(broken)
    return gold


def fillings(template: Template, records: int) -> list[dict[str, int | str]]:
    """All ways to fill a template's slots on `records` records: slot -> index of a record, or word. Record
    slots are in order of time.
    """
    found: list[dict[str, int | str]] = [{}]
    for name, slot in template.slots.items():
        if isinstance(slot, ChoiceSlot):
            found = [{**f, name: option} for f in found for option in slot.options]
        else:
            found = [{**f, name: i} for f in found for i in range(_after(f), records)]
    return found


def _after(filling: Mapping[str, int | str]) -> int:
    return max((i + 1 for i in filling.values() if isinstance(i, int)), default=0)
