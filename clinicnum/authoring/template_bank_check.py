"""Check a bank of files: read every template, try it on sample patients, compare it with the others."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from clinicnum.authoring.template_trial import STAYS, Trial, try_template
from clinicnum.templates.bank import Entry
from clinicnum.templates.canonical_tree import template_form
from clinicnum.templates.checks.wording_proofs import CONTRADICTS
from clinicnum.templates.fault_messages import Fault
from clinicnum.types import Frozen


class LocatedFault(Frozen):
    """A template's fault with its file and line."""

    file: str
    line: int
    template_id: str
    """The template's id as written; empty if it is not a text."""
    fault: Fault

    def text(self) -> str:
        """File, line, template, key, name of the fault, what is wrong and what to do, as text."""
        return f"{self.file}:{self.line}: {self.template_id or 'a template'}: {self.fault.text()}"

    def as_json(self) -> dict[str, Any]:
        """The fault as a JSON object."""
        return {**self.fault.model_dump(), "file": self.file, "line": self.line}


class CheckedTemplate(Frozen):
    """The faults of one template of a bank, and its trial on sample patients."""

    template_id: str
    faults: tuple[LocatedFault, ...]
    notes: tuple[LocatedFault, ...]
    """Wordings that are not proven to ask what the rule computes."""
    trial: Trial | None
    """The trial; None if the template has a fault that prevents one."""

    def as_json(self) -> dict[str, Any]:
        """The result as a JSON object."""
        faults, notes = ([told.as_json() for told in some] for some in (self.faults, self.notes))
        trial = None if self.trial is None else self.trial.model_dump(mode="json", exclude={"faults"})
        return {"id": self.template_id, "sound": not faults, "faults": faults, "notes": notes, "trial": trial}


def check_entries(
    entries: Sequence[Entry], *, sample: int = 200, stays: int = STAYS
) -> Iterator[CheckedTemplate]:
    """Yield the check of every template of a bank, given as `read_bank` returns it, in the same order.

    Each template is tried on `sample` questions from at most `stays` synthetic stays.
    """
    seen: dict[str, Entry] = {}
    rules: dict[str, Entry] = {}
    for entry in entries:
        trial = None
        faults = [*entry.reading.faults, *_duplicates(entry, seen, rules)]
        # A rule can be tried even if a wording contradicts it.
        if entry.reading.template is not None and all(f.rule == CONTRADICTS for f in entry.reading.faults):
            trial = try_template(entry.reading.template, sample=sample, stays=stays)
            faults += [fault for fault in trial.faults if fault not in faults]
        yield CheckedTemplate(
            template_id=entry.template_id,
            faults=_told(entry, faults),
            notes=_told(entry, entry.reading.notes),
            trial=trial,
        )


def _told(entry: Entry, faults: Iterable[Fault]) -> tuple[LocatedFault, ...]:
    path, name = str(entry.path), entry.template_id
    return tuple(LocatedFault(file=path, line=entry.line_of(f), template_id=name, fault=f) for f in faults)


def _duplicates(entry: Entry, seen: dict[str, Entry], rules: dict[str, Entry]) -> Iterator[Fault]:
    """Yield faults for an id, or a rule with its slots and conditions, that occurred before."""
    template = entry.reading.template
    first = seen.setdefault(entry.template_id, entry) if entry.template_id else entry
    if first is not entry:
        message = f"{entry.template_id} is already defined at {first.where}; rename one"
        yield Fault(rule="duplicate", path=("id",), message=message)
    if template is None:
        return
    twin = rules.setdefault(repr(template_form(template)), entry)
    if twin is not entry:
        message = f"{twin.template_id} at {twin.where} has the same rule, slots and conditions; keep one"
        yield Fault(rule="duplicate", path=("tree",), message=message)
