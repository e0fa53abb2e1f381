"""Note frames: a user's own notes with the vital signs cut out, to be filled with generated ones.

A note becomes a frame only where what is left of it can contradict no record (V8): `vital_span`
finds the one passage that gives vital signs and rejects a note that speaks of them anywhere else.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.io.jsonl import content_id
from clinicnum.io.strict_json import plain_json
from clinicnum.representations.note_vital_span import UnsuitableError, vital_span

COLUMN = "text"
"""Name of the column of notes, in any case."""
BORDER = "---"
"""A line between two notes of a text file."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A note without its vital signs."""

    frame_id: str
    """Hash of the text before and after."""
    before: str
    after: str


def load_frames(path: Path, rejected: Counter[str] | None = None) -> tuple[Frame, ...]:
    """The frames of a file of notes: JSONL or CSV with a `text` column, or a .txt with `---` between notes.

    `rejected` counts the notes that are no frame, by reason. A note that comes twice counts once. Raises
    InputError, naming file and line, for a file that holds no notes or none that can be a frame.
    """
    reasons = Counter[str]() if rejected is None else rejected
    found: dict[str, Frame] = {}
    notes = 0
    for text in _notes(path):
        notes += 1
        try:
            frame = frame_of(text)
        except UnsuitableError as error:
            reasons[str(error)] += 1
            continue
        if frame.frame_id in found:
            reasons["repeated"] += 1
        found.setdefault(frame.frame_id, frame)
    if not notes:
        raise InputError(f"{path}:1: no notes; expected text, see `clinicnum generate --help` for the forms")
    if not found:
        why = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
        raise InputError(
            f"{path}: none of {notes} notes can be a frame ({why}); "
            "expected notes with vital signs in one passage and nowhere else"
        )
    return tuple(found.values())


def frame_of(text: str) -> Frame:
    """A note as a frame. Raises UnsuitableError with the reason."""
    start, end = vital_span(text)
    before, after = text[:start].strip(), text[end:].strip()
    return Frame(content_id([before, after]), before, after)


def _notes(path: Path) -> Iterator[str]:
    readers = {".jsonl": _jsonl_notes, ".csv": _csv_notes, ".txt": _txt_notes}
    if path.suffix not in readers:
        raise InputError(
            f"{path}: notes are read from {', '.join(readers)}; save the file in one of these forms"
        )
    return (note for note in readers[path.suffix](path, _text(path)) if note.strip())


def _text(path: Path) -> str:
    if not path.is_file():
        raise InputError(f"{path}: no such file; --notes takes a file of notes")
    content = path.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(f"{path}:{line}: not UTF-8 text; save the file as UTF-8") from error


def _jsonl_notes(path: Path, text: str) -> Iterator[str]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = plain_json(line)
        except ValueError as error:
            raise InputError(f"{path}:{number}: not JSON ({error}); correct the line") from error
        keys = [key for key in row if key.casefold() == COLUMN] if isinstance(row, dict) else []
        if not keys or not isinstance(row[keys[0]], str):
            raise InputError(f'{path}:{number}: no note; expected an object such as {{"{COLUMN}": "..."}}')
        yield row[keys[0]]


def _csv_notes(path: Path, text: str) -> Iterator[str]:
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = [name.strip().casefold() for name in next(rows, [])]
        if COLUMN not in header:
            got = ", ".join(header) or "an empty file"
            raise InputError(f"{path}:1: no column {COLUMN!r}; got {got}; rename the column of the notes")
        place = header.index(COLUMN)
        for row in rows:
            if row and len(row) != len(header):
                raise InputError(
                    f"{path}:{rows.line_num}: {len(row)} cells, expected {len(header)}; correct the row"
                )
            if row:
                yield row[place]
    except csv.Error as error:
        raise InputError(f"{path}:{rows.line_num}: not a readable CSV ({error}); correct the row") from error


def _txt_notes(path: Path, text: str) -> Iterable[str]:
    note: list[str] = []
    for line in text.splitlines():
        if line.strip() == BORDER:
            yield "\n".join(note)
            note = []
        else:
            note.append(line)
    yield "\n".join(note)
