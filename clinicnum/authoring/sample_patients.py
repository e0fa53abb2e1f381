"""Synthetic patients on whom templates are tried, generated block by block as needed.

A seed always gives the same patients. Nothing here is a figure of a real hospital: what is rare among them
may be common elsewhere.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from threading import Lock

from clinicnum.records.loaded_records import Context, Loaded, Scope, contexts
from clinicnum.records.synthetic import BLOCK, synthetic_blocks

BLOCKS = 16
"""Number of blocks, of 500 stays each."""
KEPT = 4
"""Number of blocks kept in memory; later ones are generated anew whenever they are needed."""


class Sample:
    """The patients of one seed; safe for use by several threads."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._source = self._all()
        self._made: list[dict[Scope, tuple[Context, ...]]] = []
        self._lock = Lock()

    def blocks(self, count: int, scope: Scope) -> Iterator[tuple[Context, ...]]:
        """Yield up to `count` blocks of contexts, at most BLOCKS; a context is a stay or, by `scope`, a whole
        patient.
        """
        for number in range(min(count, KEPT)):
            yield self._kept(number)[scope]
        more = islice(self._all(), KEPT, count)
        yield from (contexts(block.records, scope) for block in more)

    def _kept(self, number: int) -> dict[Scope, tuple[Context, ...]]:
        with self._lock:
            while len(self._made) <= number:
                records = next(self._source).records
                self._made.append({scope: contexts(records, scope) for scope in ("stay", "subject")})
            return self._made[number]

    def _all(self) -> Iterator[Loaded]:
        return synthetic_blocks(seed=self._seed, stays=BLOCKS * BLOCK)


@lru_cache(maxsize=2)
def sample_patients(seed: int) -> Sample:
    """The sample patients of a seed; those of the two seeds used last are cached."""
    return Sample(seed)
