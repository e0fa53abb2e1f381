"""Check whether a benchmark's patient data may be sent to a remote server.

Only data declared open in the meta file of this very benchmark may be sent. A benchmark without a meta file
was made by another program, and its data are unknown.
"""

from pathlib import Path

from clinicnum.credentialed_data import CREDENTIALED_SOURCES
from clinicnum.errors import InputError
from clinicnum.inference.benchmark_index import BenchmarkIndex
from clinicnum.io.jsonl import read_meta


def check_may_leave(path: Path, benchmark: BenchmarkIndex, *, elsewhere: str) -> None:
    """Raise InputError unless the benchmark at `path` is known to hold open data only.

    `elsewhere`: a clause on the option that sends it away.
    """
    why = _why_not(path, benchmark)
    if why:
        raise InputError(
            f"{elsewhere}, and {path} {why}; stay on this machine, or give --allow-remote if the data may "
            "leave it"
        )


def _why_not(path: Path, benchmark: BenchmarkIndex) -> str | None:
    meta = read_meta(path)
    if meta is None:
        return "has no meta file that says that its data are open"
    if meta.get("credentialed") is not False:
        return 'is not marked as open (its meta file lacks "credentialed": false)'
    if meta.get("sha256") != benchmark.sha256:
        return "is not the file that its meta file describes (another sha256)"
    closed = benchmark.sources & CREDENTIALED_SOURCES
    if closed:
        return f"holds records of {', '.join(sorted(closed))}"
    return None
