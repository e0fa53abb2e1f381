"""The state of a working in progress: its case, its steps, and the names it uses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.evaluation_input import Case
from clinicnum.templates.exact_numbers import Ratio, working_text
from clinicnum.templates.slots_and_givens import ChoiceGiven, NumberGiven, RecordGiven
from clinicnum.types import Vital

Givens = Mapping[str, NumberGiven | ChoiceGiven | RecordGiven]


@dataclass(slots=True)
class Working:
    """A worked solution's steps so far, without full stops."""

    case: Case
    givens: Givens
    """The template's givens, for their labels."""
    steps: list[str] = field(default_factory=list)
    told: dict[int, Ratio] = field(default_factory=dict)
    """Node -> its number, if that is the same for all records and already worked out."""

    def aside(self) -> "Working":
        """A new working on the same case, whose steps `put` later adds to this one as a single step."""
        return Working(self.case, self.givens, [], self.told)

    def put(self, head: str, inside: "Working") -> None:
        """Add the steps of another working as one step, headed by `head`; nothing if it has none."""
        if inside.steps:
            self.steps.append(f"{head}: {'; '.join(inside.steps)}")

    def cell_text(self, index: int, vital: Vital) -> str:
        """A vital's name and value."""
        return f"{VITAL_SIGNS[vital].label} {working_text(self.case.table.values[index][vital])}"

    def given_text(self, name: str) -> str:
        """A given's label, value and unit (if any); its name instead of a label that `givens` lacks."""
        given = self.givens.get(name)
        label = name.replace("_", " ") if given is None else given.label
        unit = f" {given.unit}" if given is not None and given.unit else ""
        return f"{label} {self.case.givens[name]}{unit}"


Show = Callable[[Working, int], Ratio]
"""Writes the steps of a number and returns the number."""
Clause = Callable[[Working, int], tuple[str, bool]]
"""Writes the steps of a condition's numbers; returns the condition as a phrase, and whether it holds."""
ShowMoment = Callable[[Working, int], int]
"""Writes how a moment was found and returns the record."""
