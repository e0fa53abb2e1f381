"""Case-insensitive search of texts, hundreds of thousands in a fraction of a second."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_CHARACTERS = 20_000
"""Characters searched per text."""


@dataclass(frozen=True, eq=False)
class Texts:
    """A column of texts in lower case."""

    column: Any
    """A `pyarrow.BinaryArray` in UTF-8, which takes as many bytes as its texts."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Texts":
        """The column of these texts, each cut to MOST_CHARACTERS."""
        import pyarrow

        return cls(pyarrow.array([_folded(text[:MOST_CHARACTERS]) for text in texts], pyarrow.binary()))

    @property
    def nbytes(self) -> int:
        """Bytes of memory."""
        return int(self.column.nbytes)

    def containing(self, words: str) -> NDArray[np.bool_]:
        """Boolean [texts]: which contain `words` as one phrase, ignoring case."""
        from pyarrow import compute

        # The engine of expressions looks for a literal several times as fast as `match_substring`.
        return np.asarray(compute.match_substring_regex(self.column, re.escape(_folded(words))))


def _folded(text: str) -> bytes:
    return text.lower().encode(errors="replace")
