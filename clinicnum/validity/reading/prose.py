"""Read prose: one entry per record, beginning with its time; phrases may continue on lines without a time.

Every character is accounted for: a line is an entry, continues one, follows the records, or holds words only.
"""

from decimal import Decimal

from clinicnum.validity.reading.forbidden_words import check_words
from clinicnum.validity.reading.lines_after_records import SET_APART, read_line_below
from clinicnum.validity.reading.memoize import Memo
from clinicnum.validity.reading.reading_result import Draft, UnreadableError
from clinicnum.validity.reading.times import at_start, check_seconds
from clinicnum.validity.reading.value_phrase import PHRASES, enter_vitals, normalise_prose

_OPENING_WORDS = frozenset(
    (
        *("at", "on", "of", "the", "obs", "observations", "vitals", "vital", "signs", "set", "time", "date"),
        *("recorded", "charted", "noted", "taken", "measured", "checked", "documented", "entered", "entry"),
        *("nursing", "nurse", "chart", "flow", "sheet", "check", "round", "rounds"),
    )
)
"""Words allowed before an entry's time: they say that the values are of that time."""


def read_prose(text: str, draft: Draft) -> None:
    """Read entries and the text around them. Raises UnreadableError if anything is ambiguous."""
    entry: dict[str, Decimal | None] | None = None
    to_the_minute = False
    for line, plain in zip(text.split("\n"), normalise_prose(text).split("\n"), strict=True):
        timed = at_start(plain)
        if timed is not None and not timed[2].startswith(SET_APART):
            time, short, before, mark, rest = timed
            texts = rest.split(", ")
            if not mark or not OPENINGS[before]:
                check_opening(before, mark, texts)
            entry = {}
            draft.rows.append((time, entry))
            to_the_minute = to_the_minute or short
        elif read_line_below(line, draft):
            # Lines after this one belong to no entry.
            entry = None
            continue
        else:
            texts = plain.split(", ")
        if entry is not None:
            enter_vitals(texts, entry, draft)
        elif any(PHRASES[phrase] for phrase in texts):
            raise UnreadableError(f"a value before any time, or after another matter: {line!r}")
    if to_the_minute:
        check_seconds(draft.rows)


def check_opening(before: str, mark: str, texts: list[str]) -> None:
    """Check the words before a time, and the punctuation between it and the phrases after it.

    Raises UnreadableError if the values might not be of that time.
    """
    if not OPENINGS[before]:
        raise UnreadableError(f"words before a time that may change it: {before!r}")
    if not mark and texts != [""] and not PHRASES[texts[0]]:
        raise UnreadableError(f"words after a time that may change it: {texts[0]!r}")


def _is_opening(text: str) -> bool:
    check_words(text)
    words = text.translate(str.maketrans("[(:-,", "     ")).lower().split()
    return _OPENING_WORDS.issuperset(words)


OPENINGS = Memo(_is_opening, 1024)
"""Text -> whether it may precede an entry's time."""
