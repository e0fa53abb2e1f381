"""The type for a marked answer, and tests for placeholders and blanks."""

import re
from typing import NamedTuple

from clinicnum.parsing.minus_signs import DASHES

MAX_RAW = 400
"""Characters of a marked answer that are read."""
_PLACEHOLDER = re.compile(
    r"<[^<>]{0,60}>|\[[^\[\]0-9]{2,60}\]|[^\w]*|your answer(?: here)?"
    r"|(?:a |the )?(?:number|value|letter|right letter)",
    re.IGNORECASE,
)


class Place(NamedTuple):
    """A marked answer and its place in the text."""

    form: str
    """`json`, `json_loose` (nested, other key, list, not well formed), `boxed`, `tagged`,
    `the_answer_is` (a heading or a label such as `Result:` as well), `correction`."""
    raw: str
    null: bool = False
    """JSON null: an explicit "nothing"."""
    open_end: bool = False
    """The answer runs to the end of the text, so truncation may have shortened it."""
    before: str = ""
    """The clause that leads up to the answer, including the word "answer"."""
    span: tuple[int, int] | None = None
    """Start and end of `raw` in the text, without quotes and braces; None if unknown."""

    inline: bool = False
    """The marking words are on the same line, where a dash cannot be a bullet."""

    @property
    def opens_like_option_a(self) -> bool:
        """Whether the answer is marked by "A:", which may instead be the letter of an option."""
        return self.before.strip(" \t\n#*_>-.:=：") in ("A", "a")

    @property
    def binding(self) -> bool:
        """Whether no other place in the text may be tried, even if this one holds no readable value."""
        return self.form not in ("the_answer_is", "correction")


def is_placeholder(raw: str) -> bool:
    """Whether `raw` is a placeholder copied from the instruction, such as "..." or "<number>"."""
    if raw[:1].isdigit():
        return False
    return _PLACEHOLDER.fullmatch(raw[:MAX_RAW].strip(" \t\n\"'}.")) is not None


def is_blank(raw: str) -> bool:
    """Whether the answer was left blank: an empty string, a dash or a question mark."""
    return all(character in DASHES or character in " ?" for character in raw)
