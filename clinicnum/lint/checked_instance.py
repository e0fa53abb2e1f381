"""An instance being checked."""

from dataclasses import dataclass
from typing import Any

from clinicnum.lint.finding import Finding, NotChecked, Place
from clinicnum.types import Instance


@dataclass(frozen=True, slots=True)
class OwnItem:
    """An instance with its line in the file."""

    place: Place
    instance: Instance

    def finding(self, rule: str, message: str, **more: Any) -> Finding:
        """A finding on a rule that the instance breaks."""
        told = {"instance_id": self.instance.instance_id, "gold": self.instance.answer}
        return Finding(self.place, self.instance.template_id, rule, message, **(told | more))

    def not_checked(self, reason: str, detail: str = "") -> NotChecked:
        """A part of the instance that could not be checked."""
        return NotChecked(self.place, self.instance.template_id, reason, detail)
