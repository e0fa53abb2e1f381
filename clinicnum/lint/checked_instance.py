"""An instance that is being checked by lint, and the results that refer to it."""

from dataclasses import dataclass
from typing import Any

from clinicnum.lint.lint_results import Finding, NotChecked, Place
from clinicnum.types import Instance


@dataclass(frozen=True, slots=True)
class OwnItem:
    """An instance of a benchmark in clinicnum's own format, with its line in the file."""

    place: Place
    instance: Instance

    def finding(self, rule: str, message: str, **more: Any) -> Finding:
        """A finding that the instance breaks a rule."""
        told = {"instance_id": self.instance.instance_id, "gold": self.instance.answer}
        return Finding(self.place, self.instance.template_id, rule, message, **(told | more))

    def not_checked(self, reason: str, detail: str = "") -> NotChecked:
        """A result that says which part of the instance could not be checked, and why."""
        return NotChecked(self.place, self.instance.template_id, reason, detail)
