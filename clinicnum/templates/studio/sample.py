"""Synthetic patients on whom templates are tried: made block by block as they are needed, and kept.

A seed always gives the same patients. Nothing here is a figure of a real hospital: what is rare among them
may be common elsewhere.
"""

from functools import lru_cache
from threading import Lock

from clinicnum.records.loaded import Context, Scope, contexts
from clinicnum.records.synthetic import BLOCK, synthetic_blocks

BLOCKS = 8
"""Of 500 stays each."""


class Sample:
    """The patients of one seed. It may be asked from several threads."""

    def __init__(self, seed: int) -> None:
        self._source = synthetic_blocks(seed=seed, stays=BLOCKS * BLOCK)
        self._made: list[dict[Scope, tuple[Context, ...]]] = []
        self._lock = Lock()

    def block(self, number: int, scope: Scope) -> tuple[Context, ...]:
        """The contexts of one of the BLOCKS blocks: one a stay, or one a patient."""
        with self._lock:
            while len(self._made) <= number:
                records = next(self._source).records
                self._made.append(
                    {"stay": contexts(records, "stay"), "subject": contexts(records, "subject")}
                )
        return self._made[number][scope]


@lru_cache(maxsize=2)
def sample_patients(seed: int) -> Sample:
    """The sample of a seed; the last two are kept."""
    return Sample(seed)
