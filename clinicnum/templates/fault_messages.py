"""Messages on faults of a template, as a form shows them beside a field and a command beside a line."""

from clinicnum.types import Frozen

Path = tuple[str | int, ...]
"""Keys and list positions, from the template down."""

NAMES: dict[str, str] = {
    "form": "not in the form of a template",
    "too_large": "beyond the limits of a template",
    "unknown_vital": "unknown vital sign",
    "two_roots": "two roots",
    "missing_unit": "missing unit",
    "rounded_threshold": "rounded before a threshold",
    "divides_by_zero": "divides by zero",
    "gives_answer_away": "the wording gives the answer away",
    "wording_differs": "wording and rule differ",
    "wording_contradicts": "the wording contradicts the rule",
    "not_proven": "not proven",
    "unfillable_slot": "a slot that no record can fill",
    "ties": "ambiguous by ties",
    "no_question": "no question can be asked",
    "too_few": "too few questions",
    "not_discriminating": "does not discriminate",
    "validity": "a validity rule does not hold",
    "example": "its example does not hold",
    "duplicate": "already in the bank",
}
"""Rule -> the name of the fault in words."""


class Fault(Frozen):
    """One fault."""

    rule: str
    """A key of NAMES."""
    path: Path
    """Path of the fault in the content; empty if it concerns the whole template."""
    message: str
    """One line: what was wrong, what was got, what to do."""

    def text(self) -> str:
        """`path: message`, with the name of the rule if it has one."""
        place = ".".join(map(str, self.path)) or "template"
        name = "" if self.rule == "form" else f"{NAMES.get(self.rule, self.rule)}: "
        return f"{place}: {name}{self.message}"


def shown(value: object, limit: int = 60) -> str:
    """A value as quoted in a message: shortened, on one line."""
    # A container may be deep or large: it is named, not written out.
    if isinstance(value, dict):
        return f"a mapping with {len(value)} key{'' if len(value) == 1 else 's'}"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    text = " ".join((repr(value) if isinstance(value, str) else str(value)).split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
