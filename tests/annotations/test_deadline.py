"""Deadlines: read, said in words, and held against the pace of the last days."""

from datetime import date

import pytest

from clinicnum.annotations.study_deadline import Pace, deadline_words, is_at_risk, outlook, read_deadline
from clinicnum.errors import InputError

NOW = date(2030, 11, 26)


@pytest.mark.parametrize(
    ("deadline", "words"),
    [
        (date(2030, 11, 30), "due 30 Nov, 4 days left"),
        (date(2030, 11, 27), "due 27 Nov, 1 day left"),
        (date(2031, 1, 2), "due 2 Jan 2031, 37 days left"),
        (date(2030, 11, 26), "due today"),
        (date(2030, 11, 24), "overdue by 2 days"),
        (date(2030, 11, 25), "overdue by 1 day"),
    ],
)
def test_a_deadline_is_said_in_words(deadline: date, words: str) -> None:
    assert deadline_words(deadline, now=NOW) == words


def test_a_deadline_is_read_strictly() -> None:
    assert read_deadline(" 2030-12-15 ", now=NOW) == date(2030, 12, 15)
    assert read_deadline("2030-11-26", now=NOW) == NOW
    assert read_deadline("", now=NOW) is None
    assert read_deadline("none", now=NOW) is None
    for text in ("15.12.2030", "20301215", "2030-W50-7", "2030-02-30", "soon", "2030-12-15T10:00"):
        with pytest.raises(InputError, match="is no date; expected year-month-day, such as 2030-12-15"):
            read_deadline(text, now=NOW)
    with pytest.raises(InputError, match="2030-11-25 is over already; expected a day from 2030-11-26 on"):
        read_deadline("2030-11-25", now=NOW)


@pytest.mark.parametrize(
    ("pace", "deadline", "said", "at_risk"),
    [
        (
            Pace(left=120, recent=70, days=7),
            date(2030, 11, 30),
            "At risk: 24 judgements a day are needed until 2030-11-30, the last 7 days brought 10 a day.",
            True,
        ),
        (
            Pace(left=50, recent=70, days=7),
            date(2030, 11, 30),
            "On course: 10 judgements a day are needed until 2030-11-30, the last 7 days brought 10 a day.",
            False,
        ),
        (
            Pace(left=3, recent=0, days=1),
            date(2030, 11, 27),
            "At risk: 1.5 judgements a day are needed until 2030-11-27, the last day brought 0 a day.",
            True,
        ),
        (Pace(left=1, recent=9, days=7), date(2030, 11, 24), "Overdue by 2 days: 1 judgement missing.", True),
        (Pace(left=0, recent=0, days=7), date(2030, 11, 24), "All judgements are in.", False),
    ],
)
def test_the_outlook_holds_what_is_needed_a_day_against_the_last_days(
    pace: Pace, deadline: date, said: str, at_risk: bool
) -> None:
    assert outlook(pace, deadline, now=NOW) == said
    assert is_at_risk(pace, deadline, now=NOW) is at_risk
