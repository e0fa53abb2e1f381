"""Messages on faults of a template, as a form shows them beside a field and a command beside a line."""

from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

Path = tuple[str | int, ...]
"""Keys and list positions, from the template down."""

NAMES: dict[str, str] = {
    "form": Translatable("not in the form of a template"),
    "too_large": Translatable("beyond the limits of a template"),
    "unknown_vital": Translatable("unknown vital sign"),
    "two_roots": Translatable("two roots"),
    "missing_unit": Translatable("missing unit"),
    "rounded_threshold": Translatable("rounded before a threshold"),
    "divides_by_zero": Translatable("divides by zero"),
    "gives_answer_away": Translatable("the wording gives the answer away"),
    "wording_differs": Translatable("wording and rule differ"),
    "wording_contradicts": Translatable("the wording contradicts the rule"),
    "not_proven": Translatable("not proven"),
    "unfillable_slot": Translatable("a slot that no record can fill"),
    "ties": Translatable("ambiguous by ties"),
    "no_question": Translatable("no question can be asked"),
    "too_few": Translatable("too few questions"),
    "not_discriminating": Translatable("does not discriminate"),
    "validity": Translatable("a validity rule does not hold"),
    "example": Translatable("its example does not hold"),
    "duplicate": Translatable("already in the bank"),
}
"""Rule -> the name of the fault in words."""


class Fault(Frozen):
    """One fault of a template."""

    rule: str
    """A key of NAMES."""
    path: Path
    """Path of the fault in the content; empty for the template as a whole."""
    message: Translatable
    """One line: what was wrong, what was got, what to do."""

    def text(self) -> Translatable:
        """`path: message`, with the name of the rule if it has one."""
        place = ".".join(map(str, self.path)) or Translatable("template")
        if self.rule == "form":
            return Translatable("{place}: {message}", place=place, message=self.message)
        name = NAMES.get(self.rule, self.rule)
        return Translatable("{place}: {name}: {message}", place=place, name=name, message=self.message)


def shown(value: object, limit: int = 60) -> str:
    """A value as quoted in a message: shortened, on one line."""
    # A container may be deep or large: it is named, not written out.
    if isinstance(value, dict):
        return f"a mapping with {len(value)} key{'' if len(value) == 1 else 's'}"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    text = " ".join((repr(value) if isinstance(value, str) else str(value)).split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
