"""Supply contexts in blocks, used one after the other, so that memory does not grow with their number."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from clinicnum.records.loaded_records import Context
from clinicnum.records.record_json import record_json


@dataclass(frozen=True)
class ContextBlocks:
    """Contexts in blocks that are used one after the other, so that not all need be in memory at once."""

    blocks: Callable[[], Iterable[Sequence[Context]]]
    """A function that iterates over the blocks from the start; no subject is in two blocks."""
    count: int
    """Number of blocks."""
    identity: str
    """Stands for all records in the benchmark's id."""

    @classmethod
    def of(cls, contexts: Sequence[Context]) -> "ContextBlocks":
        """A supply with all contexts in one block, as hospital data are sampled as a whole."""
        digest = hashlib.sha256()
        for context in contexts:
            digest.update("\n".join(map(record_json, context)).encode())
            digest.update(b"\n\n")
        return cls(lambda: (contexts,), 1, digest.hexdigest())
