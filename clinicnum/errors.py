"""The errors that outside input can cause.

    ClinicnumError
    ├── InputError       a file, flag or table is not what it should be: exit code 2, one line
    ├── NotAllowed       the user may not do this
    ├── Unavailable      the database cannot be worked with just now: full, kept busy, gone
    └── Conflict         the state moved on since the caller looked (stale revision, claimed elsewhere)

A message says what was wrong, what was got, what was expected and what to do next, on one line.
"""

from clinicnum.translatable_text import Translatable

LONGEST = 2_000
"""Most characters of a message, as a quoted value may be a megabyte."""
_END = 500


def one_line(text: str) -> str:
    """The text on one line of at most LONGEST characters, with what is not printable written as escapes."""
    text = " ".join(text.split())
    if len(text) > LONGEST:
        text = f"{text[: LONGEST - _END - 5]} ... {text[-_END:]}"
    if not text.isprintable():
        text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)[:LONGEST]
    return text


class ClinicnumError(Exception):
    """Base of every error that is shown to a user as its message, without a traceback.

    Every message is shown as one line of limited length, without characters that control a terminal.

    The message is a text, or a wording with named fields and their values, which pages can show in another
    language: `InputError("{n} items are too many; expected at most {most}", n=9, most=5)`.
    """

    def __init__(self, wording: str = "", /, *, on_command_line: str = "", **values: object) -> None:
        """`wording` is a format string if there are values; without, it is taken as it stands.

        `on_command_line` is the option or command that mends it. It stands in brackets behind the message,
        but not on pages, whose readers know fields only.
        """
        text = wording if isinstance(wording, Translatable) else Translatable(wording, **values)
        super().__init__(text)
        self.on_command_line = on_command_line

    def __str__(self) -> str:
        hint = f" ({self.on_command_line})" if self.on_command_line else ""
        return one_line(f"{super().__str__()}{hint}")

    @property
    def for_pages(self) -> str:
        """The message in English as a page shows it: without option or command."""
        return one_line(super().__str__())


class InputError(ClinicnumError):
    """Bad input: a file, flag, column or value that is not what it should be.

    Example:
        >>> import clinicnum
        >>> try:
        ...     clinicnum.load_benchmark("nowhere.jsonl")
        ... except clinicnum.InputError as error:
        ...     print(error)
        nowhere.jsonl: ...
    """


class NotAllowed(ClinicnumError):
    """The user has no right to do this."""


class Unavailable(ClinicnumError):
    """The database cannot be worked with just now; no input is at fault, and trying again may succeed."""

    def __init__(self, said: str, *, kind: str, where: str) -> None:
        """`said` is the message for users of a page; `where` names the database for its operator."""
        super().__init__(said)
        self.kind = kind
        self.where = where


class Conflict(ClinicnumError):
    """The state moved on since the caller looked at it; reload and look again."""
