"""How vital signs are written in a representation: abbreviations, units, order, separators."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Style:
    """How vital signs are written. The default is the base representation; each option changes only what its
    name says.
    """

    abbreviated: bool | None = None
    """None: the representation's own way; True: every vital abbreviated; False: every vital in full."""
    units: bool | None = None
    """None: the representation's own way; True: a unit at every vital; False: no unit at any vital."""
    shuffled: bool = False
    """Vitals in another, seeded order."""
    separators: bool = False
    """Other separators than the usual, seeded."""


BASE = Style()
