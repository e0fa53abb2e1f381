"""One try: a spoilt file is read, or refused in one short line; never anything else."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from clinicnum.errors import ClinicnumError
from tests.fuzz.mutations import Mutation, mutated
from tests.fuzz.readers import Reader
from tests.fuzz.seeds import Files
from tests.fuzz.texts import Text

LONGEST = 2_000
"""Characters of a message."""
SECONDS = 20.0
"""CPU of one try: far more than any needs, far less than a bomb."""


@dataclass(frozen=True)
class Case:
    """A file of a reader and how it is spoilt."""

    file: int
    mutations: tuple[Mutation, ...]


def as_text(path: Path) -> str:
    """What a browser would send of a file: any bytes as text."""
    return path.read_bytes().decode("utf-8", "surrogateescape")


@cache
def files_of(reader: Reader) -> Files:
    """The valid files, made once."""
    return reader.files()


def as_written(files: Files, folder: Path) -> None:
    """The files in a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def lay_out(reader: Reader, folder: Path) -> None:
    """Write the valid files."""
    as_written(files_of(reader), folder)


def names_of(reader: Reader) -> Sequence[str]:
    """The files that are spoilt."""
    return reader.targets or sorted(files_of(reader))


def outcome(work: Callable[[], object]) -> str:
    """`read`, or the message of the refusal. Anything else that is raised goes through."""
    began = time.process_time()
    try:
        work()
    except ClinicnumError as error:
        said = str(error)
        assert said.strip(), "a message that says nothing"
        assert len(said) <= LONGEST, f"a message of {len(said)} characters: {said[:200]}"
        assert said.isprintable(), f"not one printable line: {said[:300]!r}"
        return said
    finally:
        took = time.process_time() - began
    assert took < SECONDS, f"took {took:.1f} s"
    return "read"


def read(reader: Reader, folder: Path) -> str:
    """What comes of the files in a folder."""
    return outcome(lambda: reader.read(folder))


def try_text(text: Text, case: Case) -> str:
    """One of the texts that are meant, spoilt, perhaps behind another."""
    chosen = text.valid[case.file % len(text.valid)]
    spoilt = mutated(chosen.encode(), case.mutations).decode("utf-8", "replace")
    front = text.valid[case.file // 7 % len(text.valid)] if case.file % 3 == 0 else ""
    return outcome(lambda: text.take(front + spoilt))


def try_case(reader: Reader, folder: Path, case: Case) -> str:
    """Spoil one file, read, and put the file back."""
    names = names_of(reader)
    name = names[case.file % len(names)]
    content = files_of(reader)[name]
    (folder / name).write_bytes(mutated(content, case.mutations))
    try:
        return read(reader, folder)
    finally:
        lay_out(reader, folder)
