"""Prose: one entry a record, which begins with its time; its phrases may go on in lines without a time.

Every character is accounted for: a line is an entry, goes on with one, stands below the records, or holds
words only.
"""

from clinicnum.validity.reading.below import appended
from clinicnum.validity.reading.memo import Memo
from clinicnum.validity.reading.phrases import PHRASES, phrases, say
from clinicnum.validity.reading.result import Draft, Row, UnreadableError
from clinicnum.validity.reading.times import Timed, at_start, check_seconds
from clinicnum.validity.reading.words import check_words

_OPENING_WORDS = frozenset(
    (
        *("at", "on", "of", "the", "obs", "observations", "vitals", "vital", "signs", "set", "time", "date"),
        *("recorded", "charted", "noted", "taken", "measured", "checked", "documented", "entered", "entry"),
        *("nursing", "nurse", "chart", "flow", "sheet", "check", "round", "rounds"),
    )
)
"""Words that may stand before an entry's time: they say that the values are of that time."""


def read_prose(lines: list[str], draft: Draft) -> None:
    """Read entries and what stands around them. Raises UnreadableError where anything is unsure."""
    entry: Row | None = None
    to_the_minute = False
    for line in lines:
        if appended(line, draft):
            # What follows a line about something else belongs to no entry.
            entry = None
            continue
        timed = at_start(line)
        if timed is None:
            texts = phrases(line)
        else:
            texts = phrases(timed.rest)
            check_opening(timed, texts)
            entry = (timed.time, {})
            draft.rows.append(entry)
            to_the_minute = to_the_minute or timed.to_the_minute
        if entry is not None:
            say(texts, entry[1], draft)
        elif any(map(PHRASES.__getitem__, texts)):
            raise UnreadableError(f"a value before any time, or after another matter: {line!r}")
    if to_the_minute:
        check_seconds(draft.rows)


def check_opening(timed: Timed, texts: list[str]) -> None:
    """The words before a time, and its mark; `texts`: the phrases after it.

    Raises UnreadableError if the values might not be of that time.
    """
    if not _OPENINGS[timed.before]:
        raise UnreadableError(f"words before a time that may change it: {timed.before!r}")
    if not timed.mark and timed.rest and not PHRASES[texts[0]]:
        raise UnreadableError(f"words after a time that may change it: {timed.rest!r}")


def _is_opening(text: str) -> bool:
    check_words(text)
    words = text.translate(str.maketrans("[(:-", "    ")).lower().split()
    return _OPENING_WORDS.issuperset(words)


_OPENINGS = Memo(_is_opening, 1024)
