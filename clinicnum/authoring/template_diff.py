"""Differences between two versions of a template in words, and the golds that change on the same patients.

Trees are compared as trees: a key in another order, a default written out or a comment is no difference. The
golds are compared on sample patients, with the same slots and givens filled alike; where the slots or givens
themselves differ no filling fits both, and the difference says so.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Literal

from clinicnum.authoring.sample_golds import SampleFilling, gold_text, sample_fillings
from clinicnum.questions.ask_question import PreparedTemplate
from clinicnum.templates.slots_and_givens import ChoiceSlot, GivenSpec, NumberGiven, RecordGiven, Slot
from clinicnum.templates.template import Template
from clinicnum.templates.verbalize_tree import said
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

Part = Literal["wording", "rule", "slots", "answer", "mistakes", "about"]
NOTHING_ASKED = Translatable("neither version asks anything of the sample patients")
EXAMPLES = 5
COMPARED = 400
"""Fillings on which golds are compared."""


class Change(Frozen):
    """One difference between two versions of a template."""

    part: Part
    """The changed part: wording, rule (tree and conditions), slots and givens, form of the answer, mistakes,
    or the description of the template."""
    field: str
    before: str | None
    """The old part in words; None if it was added."""
    after: str | None
    """The new part in words; None if it was removed."""

    def text(self) -> str:
        """The difference as one line of text."""
        if self.before is None:
            return f"{self.field}: added {self.after}"
        if self.after is None:
            return f"{self.field}: removed {self.before}"
        return f"{self.field}: {self.before} -> {self.after}"


class GoldChange(Frozen):
    """A question whose gold differs between two versions of a template."""

    stay_id: str
    slots: dict[str, str]
    """The values that fill slots and givens."""
    values: tuple[dict[str, str], ...]
    """For each record, its time and the vitals that either version reads."""
    before: str | None
    """Gold of the old version; None where it asks nothing, `none: RULE` where a rule forbids an answer."""
    after: str | None


class Golds(Frozen):
    """How the golds of two versions of a template differ on sample patients."""

    compared: int
    """Questions that at least one version asks."""
    changed: int
    share: float | None
    """Changed golds / compared questions; None if nothing could be compared."""
    examples: tuple[GoldChange, ...]
    reason: str | None = None
    """Why nothing could be compared."""


class Difference(Frozen):
    """The differences between two templates."""

    template_id: str
    old_version: int
    new_version: int
    changes: tuple[Change, ...]
    golds: Golds

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs except version and status."""
        return not self.changes and not self.golds.changed

    def lines(self) -> list[str]:
        """The differences as lines of text."""
        head = f"{self.template_id} version {self.old_version} -> {self.new_version}"
        told = [f"  {change.text()}" for change in self.changes] or ["  no difference"]
        return [head, *told, *(f"  {line}" for line in gold_lines(self.golds))]


class BankDifference(Frozen):
    """The differences between two banks."""

    removed: tuple[str, ...]
    """Ids of the removed templates."""
    added: tuple[str, ...]
    changed: tuple[Difference, ...]

    def lines(self) -> list[str]:
        """The differences as lines of text."""
        told = [f"{name}: removed" for name in self.removed] + [f"{name}: added" for name in self.added]
        told += [line for one in self.changed for line in one.lines()]
        return told or ["no difference"]


def bank_difference(old: Sequence[Template], new: Sequence[Template], *, seed: int = 0) -> BankDifference:
    """The differences from one bank to another, template by template.

    Golds are compared on sample patients drawn by `seed`.
    """
    before, after = ({template.id: template for template in bank} for bank in (old, new))
    pairs = [(before[name], after[name]) for name in sorted(before.keys() & after.keys())]
    return BankDifference(
        removed=tuple(sorted(before.keys() - after.keys())),
        added=tuple(sorted(after.keys() - before.keys())),
        changed=tuple(difference(one, two, seed=seed) for one, two in pairs if one != two),
    )


def gold_lines(golds: Golds) -> list[str]:
    """The changes of golds as lines of text."""
    if golds.reason is not None:
        return [f"golds not compared: {golds.reason}"]
    head = f"golds: {golds.changed} of {golds.compared} change on sample patients"
    return [head, *(f"  {_filling(e)}{_gold(e.before)} -> {_gold(e.after)}" for e in golds.examples)]


def _filling(example: GoldChange) -> str:
    return "".join(f"{name} {value}, " for name, value in example.slots.items())


def _gold(text: str | None) -> str:
    return "not asked" if text is None else text


def difference(old: Template, new: Template, *, seed: int = 0) -> Difference:
    """The differences from `old` to `new`, and of their golds on sample patients drawn by `seed`."""
    return Difference(
        template_id=new.id,
        old_version=old.version,
        new_version=new.version,
        changes=tuple(_changes(old, new)),
        golds=compare_golds(old, new, seed=seed),
    )


def _changes(old: Template, new: Template) -> list[Change]:
    listed: list[tuple[Part, str, Callable[[Template], Mapping[str, str]]]] = [
        ("wording", "wording", lambda t: {text: f'"{text}"' for text in t.wording}),
        ("rule", "rule", lambda t: {"": said(t.tree, t)}),
        ("rule", "asked only if", lambda t: {said(c, t): said(c, t) for c in t.requires}),
        ("slots", "slot", lambda t: {name: _slot(slot) for name, slot in t.slots.items()}),
        ("slots", "given", lambda t: {name: _given(given) for name, given in t.givens.items()}),
        ("mistakes", "mistake", lambda t: {m.rule: f"{said(m.tree, t)} ({m.code})" for m in t.mistakes}),
    ]
    answer = ("answer_type", "decimals", "unit")
    about = ("operation", "subtype", "steps", "tags", "source", "example")
    listed += [("answer", name.replace("_", " "), _plain(name)) for name in answer]
    listed += [("about", name, _plain(name)) for name in about]
    found = [change for part, name, of in listed for change in _compared(part, name, of(old), of(new))]
    return _reworded(found) + _rule_by_names(old, new, found)


def _plain(name: str) -> Callable[[Template], Mapping[str, str]]:
    def of(template: Template) -> Mapping[str, str]:
        value = getattr(template, name)
        if value is None or value == ():
            return {}
        if name == "example":
            return {"": f"answer {value.answer} ({value.source})" + f" on {len(value.records)} records"}
        return {"": ", ".join(value) if isinstance(value, tuple) else str(value)}

    return of


def _compared(part: Part, name: str, old: Mapping[str, str], new: Mapping[str, str]) -> list[Change]:
    keys = [*old, *(key for key in new if key not in old)]
    return [
        Change(part=part, field=_field(name, key), before=old.get(key), after=new.get(key))
        for key in keys
        if old.get(key) != new.get(key)
    ]


def _field(name: str, key: str) -> str:
    return f"{name} {key}" if name in ("slot", "given", "mistake") else name


def _reworded(changes: list[Change]) -> list[Change]:
    """Pair removed texts with the added ones that replace them."""
    for name in ("wording", "asked only if"):
        gone = [c for c in changes if c.field == name and c.after is None]
        come = [c for c in changes if c.field == name and c.before is None]
        for before, after in zip(gone, come, strict=False):
            changes[changes.index(before)] = before.model_copy(update={"after": after.after})
            changes.remove(after)
    return changes


def _rule_by_names(old: Template, new: Template, found: list[Change]) -> list[Change]:
    """A tree that differs but reads the same in words, such as `at least 1.0` for `at least 1`,
    described by name.
    """
    if old.tree == new.tree or any(change.field == "rule" for change in found):
        return []
    told = new.tree.model_dump_json(exclude_defaults=True)
    return [
        Change(part="rule", field="rule", before=old.tree.model_dump_json(exclude_defaults=True), after=told)
    ]


def _slot(slot: Slot) -> str:
    return f"one of {', '.join(slot.options)}" if isinstance(slot, ChoiceSlot) else "the time of a record"


def _given(given: GivenSpec) -> str:
    if isinstance(given, NumberGiven):
        unit = f" {given.unit}" if given.unit else ""
        values = f", one of {', '.join(map(str, given.values))}" if given.values else ""
        return f"{given.label}, {given.low} to {given.high}{unit}, {given.decimals} decimals{values}"
    if isinstance(given, RecordGiven):
        return f"{given.label}, as recorded"
    weights = f", as often as {', '.join(map(str, given.weights))}" if given.weights else ""
    return f"{given.label}, one of {', '.join(given.options)}{weights}"


def compare_golds(old: Template, new: Template, *, seed: int = 0) -> Golds:
    """Compute the golds of two versions of a template on the same sample patients, drawn by `seed`, and
    slots.
    """
    if _fitting(old) != _fitting(new):
        apart = Translatable("slots or givens differ, so no question of one is a question of the other")
        return Golds(compared=0, changed=0, share=None, examples=(), reason=apart)
    one, two = PreparedTemplate(old, ()), PreparedTemplate(new, ())
    vitals = old.vitals | new.vitals
    compared, changed = 0, list[GoldChange]()
    for on in islice(sample_fillings(new, vitals, seed), COMPARED):
        before, after = gold_text(one, on), gold_text(two, on)
        if before is None and after is None:
            continue
        compared += 1
        if before != after:
            changed.append(_example(on, sorted(vitals), before, after))
    # Changes with an answer on both sides come first.
    examples = sorted(changed, key=lambda change: _is_none(change.before) + _is_none(change.after))
    return Golds(
        compared=compared,
        changed=len(changed),
        share=len(changed) / compared if compared else None,
        examples=tuple(examples[:EXAMPLES]),
        reason=None if compared else NOTHING_ASKED,
    )


def _is_none(gold: str | None) -> bool:
    return gold is None or gold.startswith("none:")


def _fitting(template: Template) -> tuple[object, object]:
    """What two versions must have in common for a choice of slots and givens to fit both."""
    return list(template.slots.items()), {n: g.model_dump_json() for n, g in template.givens.items()}


def _example(on: SampleFilling, vitals: list[str], before: str | None, after: str | None) -> GoldChange:
    values = tuple(
        {"time": time} | {vital: f"{getattr(record, vital):f}" for vital in vitals}
        for time, record in zip(on.table.times, on.records, strict=True)
    )
    return GoldChange(
        stay_id=on.records[0].stay_id, slots=on.words(), values=values, before=before, after=after
    )
