"""Checks across instances: repeated ids, groups that disagree, variants against bases, the share flagged by
V7.

Only instances that are right by themselves are compared, so that one fault is one finding. Only a few numbers
are kept per instance: line numbers, and hashes that hold in this process only.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from clinicnum.lint.checked_instance import OwnItem
from clinicnum.lint.instance_variant import shuffled
from clinicnum.lint.lint_results import Finding, Said
from clinicnum.lint.template_lookup import EXTRA_STEP, kinds
from clinicnum.types import Instance
from clinicnum.variants.imported import REVIEWED, ReadBack, difference, read_back, reviewed_difference

NO_BASE = "not compared: base not in the file"


class _Known(NamedTuple):
    """What is remembered of an instance that can be the base of variants."""

    group: int
    answer: int
    says: ReadBack | None
    """Hashes of what an item made elsewhere says; None for our own."""


class _Member(NamedTuple):
    """What is remembered of the first member of a group."""

    content: int | None
    """Hash of the fields that all members must share; None once a member disagreed, which is one finding."""
    line: int


@dataclass(slots=True)
class _Discrimination:
    """V7 counts of a template's base instances."""

    first: OwnItem
    """The first instance that is flagged."""
    instances: int = 0
    flagged: int = 0


class AcrossInstances:
    """Checks the instances of one file in sequence."""

    def __init__(self) -> None:
        self._lines: dict[int, int] = {}
        self._groups: dict[int, _Member] = {}
        self._bases: dict[int, _Known] = {}
        self._options: dict[int, int | None] = {}
        self._waiting: list[OwnItem] = []
        self._templates: dict[str, _Discrimination] = {}

    def seen(self, item: OwnItem, *, clean: bool) -> list[Finding]:
        """The findings that an instance gives when compared with earlier ones; `clean`: it has no finding of
        its own.
        """
        instance = item.instance
        first = self._lines.setdefault(hash(instance.instance_id), item.place.line)
        if first != item.place.line:
            return [
                item.finding("id.duplicate", f"instance {instance.instance_id} stands in line {first} too")
            ]
        if instance.variant is None:
            self._discriminates(item, clean=clean)
        if not clean:
            return []
        if instance.variant is None:
            return self._base(item)
        base = self._bases.get(hash(instance.base_id))
        if base is not None and base.says is not None:
            return [*_compared(item, base)]
        found = [*self._order(item)] if shuffled(item) else []
        if base is not None:
            return [*found, *_compared(item, base)]
        if hash(instance.base_id) not in self._lines:
            self._waiting.append(item)
        return found

    def finish(self) -> Iterator[Said]:
        """Yield the findings that can only be made at the end of the file."""
        for item in self._waiting:
            base = self._bases.get(hash(item.instance.base_id))
            if base is not None:
                yield from _compared(item, base)
            elif hash(item.instance.base_id) not in self._lines:
                yield item.not_checked(NO_BASE, f"base {item.instance.base_id}")
        for counts in self._templates.values():
            if 2 * counts.flagged > counts.instances:
                message = f"{counts.flagged} of the template's {counts.instances} instances are flagged"
                yield counts.first.finding("V7.half", message)

    def _discriminates(self, item: OwnItem, *, clean: bool) -> None:
        counts = self._templates.setdefault(item.instance.template_id, _Discrimination(item))
        counts.instances += 1
        # If an instance breaks a rule, its flags may be wrong too.
        if clean and item.instance.flags:
            counts.first = counts.first if counts.flagged else item
            counts.flagged += 1

    def _base(self, item: OwnItem) -> list[Finding]:
        instance = item.instance
        says = ReadBack(*map(hash, read_back(instance))) if instance.operation == "external" else None
        self._bases[hash(instance.instance_id)] = _Known(hash(instance.group_id), _answer(instance), says)
        mine = _Member(_content(instance), item.place.line)
        group = hash(instance.group_id)
        first = self._groups.setdefault(group, mine)
        if first.content in (None, mine.content):
            return []
        self._groups[group] = first._replace(content=None)
        message = f"asks, shows or answers otherwise than line {first.line} of the same group"
        return [item.finding("group.differs", message)]

    def _order(self, item: OwnItem) -> Iterator[Finding]:
        """Yield a finding if an instance has other options than an earlier one that asks the same question
        with its options in another order; at most one a question.
        """
        instance = item.instance
        rest = tuple(kind for kind in kinds(instance) if not kind.startswith("options."))
        question, mine = hash((instance.base_id, rest)), hash(frozenset(instance.options))
        if self._options.setdefault(question, mine) not in (None, mine):
            self._options[question] = None
            yield item.finding("options.differ", "other options than in another order of the same question")


def _compared(item: OwnItem, base: _Known) -> Iterator[Finding]:
    """Yield findings of a variant compared with its base."""
    instance = item.instance
    if hash(instance.group_id) != base.group:
        yield item.finding("variant.group", f"not of the group of its base {instance.base_id}")
    if base.says is not None:
        says, variant = ReadBack(*map(hash, read_back(instance))), instance.variant or ""
        if variant in REVIEWED:
            rule = reviewed_difference(base.says, says, variant)
        else:
            rule = difference(base.says, says, kinds(instance))
        if rule is not None:
            yield item.finding(rule, "it says something else than its base, beyond what its kinds change")
        return
    if instance.expected == "same" and _answer(instance) != base.answer:
        yield item.finding("variant.answer_not_same", "the answer is not that of the base")
    # With a further step the answer differs in any case.
    moved = "numeric.relevant" in kinds(instance) and EXTRA_STEP not in kinds(instance)
    if moved and _answer(instance) == base.answer:
        yield item.finding("variant.answer_not_moved", "the answer is still that of the base")


def _answer(instance: Instance) -> int:
    return hash((instance.answer, instance.answer_exact))


def _content(instance: Instance) -> int:
    """A hash of what the members of a group share: records and question."""
    records = tuple(tuple(record.__dict__.values()) for record in instance.records)
    slots = tuple(sorted(instance.slots.items()))
    givens = tuple((given.name, given.value, given.unit) for given in instance.givens)
    asked = (instance.template_id, instance.template_version, instance.question, slots, instance.decimals)
    return hash((asked, records, givens, instance.answer, instance.answer_exact))
