"""One way in for what comes from outside, and files to try it on."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.seeds import Files


@dataclass(frozen=True)
class Reader:
    """One way in."""

    name: str
    covers: tuple[str, ...]
    """The modules whose reading it tries."""
    files: Callable[[], Files]
    """Valid ones, by path."""
    read: Callable[[Path], object]
    """Reads them from a folder."""
    targets: tuple[str, ...] = ()
    """Those that are spoilt; all, if none is named."""
    examples: int = 25
    """Tries in the suite."""
