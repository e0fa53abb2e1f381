"""Contexts with hidden states, read from the output of `clinicnum hidden-states`, and clinical states
derived from records.

A clinical state follows from the records as the context shows them:
- `shock_index`: heart rate / systolic pressure above 0.7 in any record (the threshold of the base templates);
- `fever`: temperature above 38.0 °C in any record (the SIRS criterion);
- `hypoxia`: SpO2 below 90 % in any record (the usual threshold of hypoxaemia).
It is None where no record has the vital signs it needs.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from clinicnum.errors import InputError
from clinicnum.io.jsonl import read_meta
from clinicnum.io.strict_json import plain_json
from clinicnum.types import Instance, Record

Vectors = NDArray[np.float32]
_AMISS = (ValueError, EOFError, SyntaxError, TokenError, TypeError, OverflowError, MemoryError)


@dataclass(frozen=True)
class HiddenStates:
    """Hidden states of contexts."""

    model: str
    rows: Mapping[str, int]
    """Instance id -> row of `vectors`; instances whose context has none are missing."""
    vectors: Vectors
    """[contexts, hidden size], memory-mapped."""
    without: Mapping[str, int]
    """Reason -> number of contexts that have no row."""


def read_hidden(path: Path, *, benchmark_sha256: str) -> HiddenStates:
    """Read `FILE.npy` with its rows and meta. Raises InputError for a faulty file or one of another
    benchmark.
    """
    rows_file = path.with_name(path.name + ".rows.jsonl")
    for file in (path, rows_file):
        if not file.is_file():
            raise InputError(f"{file}: no such file; expected what clinicnum hidden-states writes")
    meta = read_meta(path) or {}
    if meta.get("benchmark_sha256") not in (None, benchmark_sha256):
        raise InputError(
            f"{path}: was made for another benchmark (sha256 {meta['benchmark_sha256']}); run clinicnum "
            "hidden-states on this one"
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)  # a header that numpy guesses at is not ours
            vectors = open_memmap(path, mode="r")
    except (*_AMISS, UserWarning) as error:
        raise InputError(f"{path}: not a .npy array ({error}); make it anew") from error
    if vectors.dtype.kind != "f":
        raise InputError(f"{path}: expected an array of floats, got {vectors.dtype}; make it anew")
    if vectors.ndim != 2:
        raise InputError(f"{path}: expected [contexts, hidden size], got {vectors.ndim} axes; make it anew")
    rows, without = _rows(rows_file, len(vectors))
    return HiddenStates(str(meta.get("model", path.stem)), rows, vectors, without)


def _rows(path: Path, length: int) -> tuple[dict[str, int], dict[str, int]]:
    rows: dict[str, int] = {}
    without: dict[str, int] = {}
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            read: dict[str, Any] = plain_json(line)
            row, names = read["row"], [str(name) for name in read["instance_ids"]]
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{path}:{number}: not a row of hidden states ({error}); make it anew"
            ) from error
        if row is None:
            reason = str(read.get("reason"))
            without[reason] = without.get(reason, 0) + 1
        elif type(row) is not int or not 0 <= row < length:
            raise InputError(f"{path}:{number}: row {row!r}; expected 0 to {length - 1}; make it anew")
        else:
            rows |= dict.fromkeys(names, row)
    return rows, without


def _any(records: Sequence[Record], holds: Callable[[Record], bool | None]) -> bool | None:
    found = [value for value in map(holds, records) if value is not None]
    return any(found) if found else None


def _shocked(record: Record) -> bool | None:
    if record.heart_rate_bpm is None or record.sbp_mmhg is None:
        return None
    return record.heart_rate_bpm > Decimal("0.7") * record.sbp_mmhg


def _feverish(record: Record) -> bool | None:
    return None if record.temperature_c is None else record.temperature_c > 38


def _hypoxic(record: Record) -> bool | None:
    return None if record.spo2_pct is None else record.spo2_pct < 90


STATES: dict[str, Callable[[Record], bool | None]] = {
    "shock_index": _shocked,
    "fever": _feverish,
    "hypoxia": _hypoxic,
}
"""Clinical state -> whether a record shows it; a new one is one line."""


def state_of(name: str, instance: Instance) -> bool | None:
    """Whether an instance's records show a clinical state of STATES; None if they do not determine it.

    Raises KeyError for an unknown state.
    """
    return _any(instance.records, STATES[name])
