"""Open the source of a benchmark's records, as the command line names it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from clinicnum.errors import InputError

if TYPE_CHECKING:
    from clinicnum.generation.context_blocks import ContextBlocks
    from clinicnum.records.loaded_records import Context, Loaded, Scope

SOURCES = ("synthetic", "mimic-iv-ed", "csv")
BLOCK = 500
"""Synthetic stays generated at a time."""


@dataclass(frozen=True)
class Wanted:
    """The source of records that the options name. Raises InputError if they contradict each other."""

    kind: str
    path: Path | None
    columns: str
    open_data: bool

    def __post_init__(self) -> None:
        """Check the options before any file is read."""
        if self.kind not in SOURCES:
            raise InputError(f"--source: got {self.kind!r}; expected one of {', '.join(SOURCES)}")
        if self.columns and self.kind != "csv":
            raise InputError(f"--columns is for --source csv, not {self.kind}; leave it out")
        if self.open_data and self.kind != "csv":
            raise InputError(f"--open-data is for --source csv, not {self.kind}; leave it out")
        if self.kind == "synthetic" and self.path is not None:
            raise InputError("--path is for mimic-iv-ed and csv; leave it out or name that --source")
        if self.kind != "synthetic" and self.path is None:
            raise InputError(f"--path is missing; --source {self.kind} reads its records from there")


@dataclass
class Source:
    """A source of contexts, with counts of their records."""

    name: str
    credentialed: bool
    supply: ContextBlocks
    cleaning: Mapping[str, int]
    """How many rows or values each cleaning rule touched."""
    records: int = 0
    """Number of records supplied so far."""
    lacking: Counter[str] = field(default_factory=Counter)
    """Vital -> number of these records that lack it."""

    def count(self, loaded: Loaded) -> None:
        """Add loaded records to the counts of records and of missing vital signs."""
        self.records += len(loaded.records)
        self.lacking.update(loaded.rows_lacking())


def open_source(wanted: Wanted, *, seed: int, stays: int, scope: Scope) -> Source:
    """Open the wanted source.

    Synthetic records are of `stays` stays, drawn by `seed`; both matter for these only. Raises InputError
    naming file and fault.
    """
    if wanted.path is None:
        return _synthetic(seed=seed, stays=stays, scope=scope)
    return _from_files(wanted, wanted.path, scope)


def _synthetic(*, seed: int, stays: int, scope: Scope) -> Source:
    """Synthetic stays, generated block by block when they are needed."""
    from clinicnum.generation.context_blocks import ContextBlocks
    from clinicnum.records.loaded_records import contexts
    from clinicnum.records.synthetic import VERSION, synthetic_blocks

    def blocks() -> Iterator[tuple[Context, ...]]:
        for loaded in synthetic_blocks(seed=seed, stays=stays, block=BLOCK):
            source.count(loaded)
            yield contexts(loaded.records, scope)

    supply = ContextBlocks(blocks, -(-stays // BLOCK), f"synthetic:{VERSION}:{seed}:{stays}")
    source = Source("synthetic", False, supply, {})
    return source


def _from_files(wanted: Wanted, path: Path, scope: Scope) -> Source:
    """Records from files, loaded and cleaned as a whole."""
    from clinicnum.generation.context_blocks import ContextBlocks
    from clinicnum.records.csv_source import load_csv, parse_columns
    from clinicnum.records.loaded_records import contexts
    from clinicnum.records.mimic import load_mimic_iv_ed

    if wanted.kind == "mimic-iv-ed":
        loaded = load_mimic_iv_ed(path)
    else:
        loaded = load_csv(path, parse_columns(wanted.columns), open_data=wanted.open_data)
    supply = ContextBlocks.of(contexts(loaded.records, scope))
    source = Source(loaded.source, loaded.credentialed, supply, loaded.counts)
    source.count(loaded)
    return source
