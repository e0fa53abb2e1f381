"""What is wrong with rows of a file from another program, told in one line."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clinicnum.errors import ClinicnumError, InputError
from clinicnum.translatable_text import Translatable, joined

SHOWN = 80
"""Most characters of a wrong value shown in a message."""
LISTED = 20
"""Most further faulty rows named in a message."""
CORRECT_ROW = Translatable("correct the row")


@dataclass(frozen=True, slots=True)
class Row:
    """The position of a row in its file."""

    place: str
    """`file:line`, or the file and the name of the part within it."""
    number: int
    """Number of the row, from 1, without headers and empty lines."""


class RowError(ClinicnumError):
    """A row is not what it should be; the message says what was got, what was expected and what to do."""

    @property
    def text(self) -> Translatable:
        """The message without option or command."""
        return Translatable.of(self.args[0])


@dataclass(frozen=True, slots=True)
class RowProblem(Row):
    """What is wrong with one row."""

    text: Translatable
    on_command_line: str = ""
    """The option or command that mends it."""


class FaultyRows(InputError):
    """Some rows are wrong; the message says what is wrong with the first, and which others are."""

    def __init__(self, problems: Sequence[RowProblem], count: int) -> None:
        """`problems` are the first of `count` faulty rows."""
        first, *others = problems
        message = Translatable(
            "{place}: row {number}: {problem}", place=first.place, number=first.number, problem=first.text
        )
        more = _more(count - 1, [one.number for one in others])
        super().__init__(joined(" ", [message, *more]), on_command_line=first.on_command_line)
        self.problems = tuple(problems)
        self.count = count


def _more(count: int, rows: Sequence[int]) -> list[Translatable]:
    """Which rows are wrong besides the first, `count` in number; nothing if there are none."""
    if not count:
        return []
    if count == 1:
        return [Translatable("(and 1 more wrong row: {row})", row=rows[0])]
    listed = ", ".join(map(str, rows)) + (", ..." if count > len(rows) else "")
    return [Translatable("(and {n} more wrong rows: {listed})", n=count, listed=listed)]


def wrong_value(
    name: str, got: object, expected: str, do: str = CORRECT_ROW, *, on_command_line: str = ""
) -> RowError:
    """The error for a column or field `name` that holds `got`; `do` tells the user what to do about it,
    `on_command_line` by which option.
    """
    return RowError(
        Translatable(
            "{name} is {got}; expected {expected}; {do}",
            name=name,
            got=shortened(got),
            expected=expected,
            do=do,
        ),
        on_command_line=on_command_line,
    )


def shortened(value: object) -> str:
    """A value as a message shows it, on one line."""
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def unknown_format(name: str, known: Iterable[str]) -> InputError:
    """The error for a format that does not exist."""
    return InputError(
        Translatable(
            "the format {name!r} does not exist; expected one of {known}", name=name, known=", ".join(known)
        ),
        on_command_line="--format",
    )


class UniqueKeys:
    """Detects a key that an earlier row already has."""

    def __init__(self, what: str, do: str = Translatable("remove one"), *, on_command_line: str = "") -> None:
        self._what = what
        self._do = do
        self._on_command_line = on_command_line
        self._seen: dict[str, int] = {}

    def check(self, key: str, row: Row) -> None:
        """Raise RowError, naming both rows, if an earlier row had the same key."""
        first = self._seen.setdefault(key, row.number)
        if first != row.number:
            raise RowError(
                Translatable(
                    "{what} {key} again, first in row {first}; {do}",
                    what=self._what,
                    key=shortened(key),
                    first=first,
                    do=self._do,
                ),
                on_command_line=self._on_command_line,
            )
