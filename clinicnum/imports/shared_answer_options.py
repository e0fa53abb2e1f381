"""The options of a CSV that has no columns for them: its answers themselves, if all rows share a few.

Such are questions to be answered by yes or no, by true or false, or by yes, no or maybe.
"""

from pathlib import Path

from clinicnum.imports.read_rows import csv_rows
from clinicnum.io.text_lines import no_progress

MOST_SHARED = 5


def shared_options(path: Path, answer: str, *, delimiter: str) -> tuple[str, ...]:
    """The different answers in the column `answer`, sorted; empty if they are not two to five that recur.

    Numbers and single letters are none: a letter names an option whose text must stand elsewhere. Raises
    InputError for what is not a CSV with this column.
    """
    found: dict[str, int] = {}
    for row in csv_rows(path, [answer], no_progress, delimiter=delimiter):
        text = row.cells[answer].strip()
        if text:
            found[text] = found.get(text, 0) + 1
        if len(found) > MOST_SHARED or (text and not _is_word(text)):
            return ()
    recur = len(found) >= 2 and all(times > 1 for times in found.values())
    return tuple(sorted(found)) if recur else ()


def _is_word(text: str) -> bool:
    return len(text) > 1 and not any(c.isdigit() for c in text)
