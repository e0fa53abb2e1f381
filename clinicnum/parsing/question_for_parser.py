"""What the parser knows about the question: kind of answer, records' times, wording and options."""

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from clinicnum.parsing.abstention import abstains, names_no_value, refuses_advice
from clinicnum.parsing.chosen_option import begins_with_letter, chooses_to_decline, read_choice
from clinicnum.parsing.concluded_option import concluded_option
from clinicnum.parsing.dates_and_durations import read_date, read_weeks
from clinicnum.parsing.datetimes import read_datetime
from clinicnum.parsing.number_words import begins_with_number, without_zero_counts
from clinicnum.parsing.numbers import read_number
from clinicnum.parsing.parse_result import Found, Refused

ValueKind = Literal["number", "count", "datetime", "any", "choice", "date", "weeks"]
_BASE_ASKED = re.compile(r"\bbase\b", re.IGNORECASE)
_BASE = re.compile(r"(?<=[0-9])_(?:[0-9]{1,2}|\{[0-9]{1,2}\})(?![0-9])")
"""The base of a number, written as its index: "40_9"."""
_COUNTS = re.compile(r"\b(?:how many|number of|count)\b", re.IGNORECASE)


class Question(NamedTuple):
    """The question as the parser sees it: kind of value, records' times, wording, and option texts."""

    kind: ValueKind
    times: Collection[datetime] = ()
    asked: str = ""
    options: Sequence[str] = ()

    def read(self, raw: str, *, anywhere: bool = False) -> Found | Refused:
        """Read the one value in a short text; with `anywhere`, one at its beginning is not preferred."""
        if self.kind == "datetime":
            return read_datetime(raw, times=self.times, anywhere=anywhere)
        if self.kind == "choice":
            return read_choice(raw, options=self.options, times=self.times, anywhere=anywhere)
        if self.kind == "date":
            return read_date(raw, anywhere=anywhere)
        if self.kind == "weeks":
            return read_weeks(raw, anywhere=anywhere)
        written = _BASE.sub("", raw) if "_" in raw and _BASE_ASKED.search(self.asked) else raw
        number = read_number(written, count=self._counts, anywhere=anywhere)
        if written != raw and isinstance(number, Found):
            number = number._replace(plain=False)
        if self.kind == "any" and isinstance(number, Refused):
            time = read_datetime(raw, times=self.times, anywhere=anywhere)
            return time if isinstance(time, Found) else number
        return number

    def declined_by(self, text: str) -> bool:
        """Whether a text abstains from answering this question."""
        if self.kind == "choice" and abstains(text):
            return not chooses_to_decline(text, self.options)
        if self.kind == "any" and refuses_advice(text):
            return False  # a refusal to advise is not an abstention
        return abstains(without_zero_counts(text) if self._counts else text)

    @property
    def _counts(self) -> bool:
        """Whether the question asks for a count, so that "none" means the answer 0 and not an abstention."""
        return self.kind == "count" or (self.kind == "any" and _COUNTS.search(self.asked) is not None)

    def lacks_value(self, raw: str) -> bool:
        """Whether a marked answer says in words that there is no value."""
        return self.kind in ("number", "count", "datetime", "any") and names_no_value(raw)

    def value_first(self, raw: str) -> bool:
        """Whether an answer begins with its value, or ends in an option; "not documented" then refers to
        something else.
        """
        if self.kind == "choice" and (begins_with_letter(raw) or concluded_option(raw, self.options)):
            return True
        return begins_with_number(raw)
