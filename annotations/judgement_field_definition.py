"""What pages, exports and rules need to know about a field of the judgement."""

from dataclasses import dataclass
from typing import NamedTuple

from clinicnum.annotations.judgement_option_definitions import OptionRules


class Option(NamedTuple):
    """One value that a field can take."""

    value: str | int | bool
    label: str
    key: str | None = None
    """Keyboard key that chooses it; must differ from the keys of the taxonomy's classes."""
    rules: OptionRules | None = None
    """When to choose it; None where the label says enough."""


class Condition(NamedTuple):
    """A condition: another field has a certain value."""

    field: str
    value: str


@dataclass(frozen=True)
class FieldDefinition:
    """Everything that pages, exports and rules need to know about a field."""

    label: str
    """Heading of the field on pages."""
    meaning: str
    """Line of the field in the data dictionary, which adds the values that the field can take."""
    hint: str = ""
    """Small print beside the heading."""
    help: str = ""
    """The line below the field while nothing is chosen."""
    options: tuple[Option, ...] = ()
    """What may be chosen; empty for text and for labels."""
    key: str | None = None
    """Keyboard key that steps through the options, or moves to the text."""
    when: Condition | None = None
    """Condition under which the field applies; None: always. Otherwise pages leave it at its default."""
    required: str | None = None
    """Message while the field applies but is empty; None: it may stay empty."""
    private: bool = False
    """Whether it is personal to the annotator, and ignored when equal judgements are grouped into
    positions.
    """
    levels: bool = False
    """Whether the options are the taxonomy's severity levels."""
    unremarkable: str | None = None
    """Value left out of one-line summaries."""
    after_reference: bool = False
    """Whether the field is asked only once the reference is shown, as it cannot be judged without it."""

    @property
    def chosen(self) -> bool:
        """Whether the field is chosen from options; otherwise it is text or labels."""
        return self.levels or bool(self.options)
