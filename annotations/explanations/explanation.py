"""The type of an explanation."""

from dataclasses import dataclass

from clinicnum.translatable_text import Translatable


@dataclass(frozen=True)
class Explanation:
    """What one figure says: what it counts, of whom it holds, and how to read it."""

    key: str
    """Lower-case letters and underscores; the anchor in reports and in the documentation."""
    title: Translatable
    """The figure's name, as it stands beside the `?`."""
    text: Translatable
    """Two to five plain sentences."""
    page: str
    """The page of the documentation that says more, such as `report.md`."""
    source: str = ""
    """Where the method is from; empty for plain counts."""
