"""Whether records may be shared, and the notice for those that may not.

The mark is `"credentialed": true` in a file's meta. It is derived anew at every step, from the metas and from
the records themselves, so that a meta file that was lost or changed does not lose it. What is not known to be
open counts as credentialed. The notice is made here, never read back from a file.
"""

from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from typing import Any

from clinicnum.types import Instance

OPEN_SOURCES = frozenset({"synthetic", "mimic-iv-ed-demo"})
"""Sources whose records anybody may have: synthetic, or under the Open Database License."""
MARK = "credentialed data"
NOT_KNOWN = "data not known to be open"
MARKS = (MARK, NOT_KNOWN)
"""The beginnings of all warnings: the first of data under a known agreement, the second of all others."""
COLUMN = "credentialed"
"""The value in the column `data_use` of a table."""
README = "DATA_USE.md"
"""Name of the file with the notice, written beside tables."""

# PhysioNet, "Clinical Database Restricted Data Use Agreement, version 1.5.0", term 3, and "Use of MIMIC Data
# with Large Language Models and Online Services", physionet.org/news/post/llm-responsible-use, 2025.
_TERMS = {
    "mimic-iv-ed": (
        "MIMIC-IV-ED is under PhysioNet's credentialed data use agreement 1.5.0, which forbids sharing "
        "access to the data with anyone else, also by sending it to an API or an online platform: give this "
        "only to people who signed it"
    )
}
UNKNOWN_TERMS = (
    f"{NOT_KNOWN}: keep them on machines where they may be, give them only to people who may see them, and "
    "send them to no online service."
)
CREDENTIALED_SOURCES = frozenset(_TERMS)
"""Sources of records that are never open, whatever a meta file says."""
CREDENTIALED_FORMATS = {"clinicnumrobbench": "ClinicNumRobBench", "medec": "MEDEC"}
"""Formats of imported items -> benchmarks that hold, at least in part, records under a data use agreement."""


def closed_sources(instances: Iterable[Instance]) -> set[str]:
    """Those sources of the instances' records whose data are never open."""
    return _sources(instances) & CREDENTIALED_SOURCES


def data_use(
    meta: Mapping[str, Any],
    instances: Iterable[Instance] = (),
    *more: Mapping[str, Any],
    sources: Collection[str] = (),
) -> str | None:
    """The data-use notice for a benchmark and files made from it; None if its records are open.

    `meta` is the benchmark's meta, `more` are those of the other files: one marked credentialed marks all.
    `sources` are those of records that `instances` does not hold.
    """
    sources = _sources(instances) | set(sources)
    named = {str(one.get("source")) for one in (meta, *more)}
    closed = sorted((sources | named) & CREDENTIALED_SOURCES)
    if closed:
        return f"{MARK}: {'; '.join(_TERMS[source] for source in closed)}."
    if any(one.get("credentialed") is True for one in (meta, *more)):
        return UNKNOWN_TERMS
    if meta.get("credentialed") is False or (sources and sources <= OPEN_SOURCES):
        return None
    return UNKNOWN_TERMS


def mark(said: str | None) -> dict[str, Any]:
    """Entries for a meta file that mark its data as credentialed, with the notice; empty if the notice is
    None.
    """
    return {} if said is None else {"credentialed": True, "data_use": said}


def readme(said: str) -> str:
    """The content of the notice file that accompanies tables of credentialed data."""
    return f"# Data use\n\n**{said}**\n\nEvery table here has a column `data_use` that says `{COLUMN}`.\n"


def _sources(instances: Iterable[Instance]) -> set[str]:
    return {record.source for record in chain.from_iterable(one.records for one in instances)}
