"""What counts as right, line by line: written answers with their expected status and value.

A row: what it shows, the gold, the text, status, the value read (None for none), strict. The golds: `HR` 110
bpm; `TEMP` 37.5 °C; `INDEX` 0.72 of exactly 0.7241 (no unit); `MAP` 93.3 mmHg of exactly 280/3 = 93.333...;
`CHANGE` -0.25; `SHARE` 57.1 % of exactly 400/7 = 57.142857...; `BIG` 1200; `COUNT` 3; `ONE` 1; `NONE` 0;
`TIME` 2180-05-10 09:12:30, with records at 06:27:00 and 09:12:30 of that day and 18:05:00 of the next;
`NOTHING` has no answer.
"""

from typing import Any

from clinicnum.types import Instance
from tests.clinicnum.answering import instance

Row = tuple[str, Instance, str, str, str | None, bool]

HR = instance()
TEMP = instance(answer="37.5", answer_exact="37.5", decimals=1, unit="°C")
INDEX = instance(answer="0.72", answer_exact="0.7241", decimals=2, unit=None)
MAP = instance(answer="93.3", answer_exact="280/3", decimals=1, unit="mmHg")
CHANGE = instance(answer="-0.25", answer_exact="-0.25", decimals=2, unit=None)
SHARE = instance(answer="57.1", answer_exact="400/7", decimals=1, unit="%")
BIG = instance(answer="1200", answer_exact="1200", decimals=0, unit=None)
COUNT = instance(answer="3", answer_exact="3", answer_type="count", decimals=0, unit=None)
ONE = instance(answer="1", answer_exact="1", answer_type="count", decimals=0, unit=None)
NONE = instance(answer="0", answer_exact="0", answer_type="count", decimals=0, unit=None)
TIME = instance(
    answer="2180-05-10 09:12:30", answer_exact=None, answer_type="datetime", decimals=None, unit=None
)
NOTHING = instance(answer=None, answer_exact=None, answer_type="unanswerable", decimals=None, unit=None)


def elsewhere(**changes: Any) -> Instance:
    """An item made elsewhere: no records, no unit, no decimals."""
    fields: dict[str, Any] = {
        "operation": "external",
        "representation": "external",
        "records": (),
        "evidence": (),
        "answer_exact": None,
        "decimals": None,
        "unit": None,
    }
    return instance(**fields | changes)
