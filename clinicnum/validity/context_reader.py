"""The V1 reader: recovers the (time, vital) table, the givens and everything else that a context states.

It shares no code and no table with the renderers, so that a slip there cannot hide here. It is strict: a
number that it cannot attribute, a second value of a vital at a time, a value before any time, an unknown name
or a word that implies a vital's state is an error with its reason. Better a text refused than one misread.
"""

from itertools import takewhile

from clinicnum.validity.reading.entries_in_user_note import read_frame
from clinicnum.validity.reading.lines_after_records import OTHER_PATIENT, read_line_below
from clinicnum.validity.reading.prose import read_prose
from clinicnum.validity.reading.read_table import HEADS, read_table
from clinicnum.validity.reading.reading_result import Draft, Reading, UnreadableError

__all__ = ["Reading", "UnreadableError", "read"]


def read(text: str, *, frame: bool = False) -> Reading:
    """Read a table or prose.

    `frame`: the records stand in a user's note, whose numbers may belong to anything but a vital sign.
    Raises UnreadableError where the meaning of a number, or what a word says of a vital, is not certain.
    """
    draft = Draft()
    lines = text.split("\n")
    if lines[0].startswith(OTHER_PATIENT):
        before = list(takewhile(lambda line: line.startswith(OTHER_PATIENT), lines))
        for line in before:
            read_line_below(line, draft)
        lines = lines[len(before) :] or [""]
        text = "\n".join(lines)
    if lines[0].startswith(HEADS):
        read_table(lines, 0, draft)
    elif len(lines) > 1 and lines[1].startswith(HEADS):
        read_table(lines, 1, draft)
    elif frame:
        read_frame(lines, draft)
    else:
        read_prose(text, draft)
    return draft.reading()
