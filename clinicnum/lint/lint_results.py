"""The results of lint: findings and counts."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["clinicnum", "clinicnumrobbench"]
Verdict = Literal["wrong", "ambiguous", "defect"]

WRONG = frozenset({"V1", "V3", "wrong_gold", "absent"})
AMBIGUOUS = frozenset(
    {"V2", "V4", "V5", "V8"}
    | {"tie", "time_not_unique", "rounding_tie", "unit", "other_value", "false_premise"}
)


def verdict(rule: str) -> Verdict:
    """What breaking a rule means for the gold; `defect` if it says nothing about the gold (a flag, an id)."""
    family = rule.partition(".")[0]
    if family in WRONG:
        return "wrong"
    return "ambiguous" if family in AMBIGUOUS else "defect"


@dataclass(frozen=True, slots=True)
class Place:
    """The position of an item in its file: row and line."""

    row: int
    """Number of the data row, from 1, without the header and blank lines."""
    line: int
    """1-based line on which the item begins."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that an item breaks."""

    place: Place
    template: str
    """Template id; `unknown` where the question was not understood."""
    rule: str
    message: str
    """One line: what the gold says, what the records give."""
    instance_id: str | None = None
    gold: str | None = None
    """The gold that the file states."""
    records_give: str | None = None
    """The answer recomputed from the records, if there is one."""
    times: tuple[str, ...] = ()
    """The times concerned, for a tie or a repeated time."""

    def text(self) -> str:
        """The rule and the message as text."""
        return f"{self.rule}: {self.message}"

    def as_json(self) -> dict[str, Any]:
        """The finding as a JSON object; fields that do not apply are left out."""
        said = {
            "row": self.place.row,
            "line": self.place.line,
            "instance_id": self.instance_id,
            "template_id": self.template,
            "rule": self.rule,
            "message": self.message,
            "gold": self.gold,
            "records_give": self.records_give,
            "times": list(self.times),
        }
        return {key: value for key, value in said.items() if value not in (None, [])}


@dataclass(frozen=True, slots=True)
class NotChecked:
    """An item, or a part of it, that could not be checked: not a finding, but always reported."""

    place: Place
    template: str
    reason: str
    """What could not be done; the same words for the same cause, so that they can be counted."""
    detail: str = ""

    def text(self) -> str:
        """The reason why the item was not checked, as text."""
        return f"not checked: {self.reason}" + (f": {self.detail}" if self.detail else "")

    def as_json(self) -> dict[str, Any]:
        """The reason as a JSON object."""
        return {
            "row": self.place.row,
            "line": self.place.line,
            "template_id": self.template,
            "reason": self.reason,
            "detail": self.detail,
        }


Said = Finding | NotChecked


@dataclass(frozen=True, slots=True)
class Examined:
    """What checking one item found, and whether its gold could be recomputed."""

    template: str
    checked: bool
    """Whether the item's gold was recomputed, or found to have no answer."""
    said: tuple[Said, ...]


@dataclass
class TemplateTally:
    """Counts of items of one template; an item with several findings counts once, under the most serious."""

    rows: int = 0
    checked: int = 0
    wrong: int = 0
    ambiguous: int = 0
    defect: int = 0


@dataclass
class Tally:
    """The counts of a linted file; complete when all results have been taken."""

    rows: int = 0
    checked: int = 0
    by_rule: Counter[str] = field(default_factory=Counter)
    by_template: dict[str, TemplateTally] = field(default_factory=dict)
    not_checked: Counter[str] = field(default_factory=Counter)
    sources: set[str] = field(default_factory=set)
    """Sources of the records in a file's instances; empty for a CSV, which does not name them."""

    def add(self, item: Examined) -> None:
        """Count one item and its findings."""
        counts = self.by_template.setdefault(item.template, TemplateTally())
        self.rows += 1
        counts.rows += 1
        self.checked += item.checked
        counts.checked += item.checked
        self.by_rule.update(said.rule for said in item.said if isinstance(said, Finding))
        self.not_checked.update(said.reason for said in item.said if isinstance(said, NotChecked))
        verdicts = {verdict(said.rule) for said in item.said if isinstance(said, Finding)}
        if "wrong" in verdicts:
            counts.wrong += 1
        elif "ambiguous" in verdicts:
            counts.ambiguous += 1
        elif verdicts:
            counts.defect += 1

    def add_late(self, said: Said) -> None:
        """Count a finding made at the end of the file on an item that was already counted."""
        if isinstance(said, NotChecked):
            self.not_checked[said.reason] += 1
        else:
            self.by_rule[said.rule] += 1
            self.by_template[said.template].defect += 1


@dataclass(frozen=True)
class Examination:
    """A file being checked: an iterator of results to be consumed once, and the counts that consuming it
    fills.
    """

    kind: Kind
    said: Iterator[Said]
    tally: Tally
