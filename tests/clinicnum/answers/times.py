"""Dates and times."""
# ruff: noqa: E501 -- a row of the table is one line

from tests.clinicnum.answers import TIME, Row
from tests.clinicnum.answering import instance

ROWS: list[Row] = [
    # dates and times
    ("the asked time", TIME, '{"answer": "2180-05-10 09:12:30"}', "correct", "2180-05-10 09:12:30", True),
    ("another time", TIME, '{"answer": "2180-05-10 06:27:00"}', "incorrect", "2180-05-10 06:27:00", False),
    ("ISO with T", TIME, '{"answer": "2180-05-10T09:12:30"}', "correct", "2180-05-10 09:12:30", False),
    ("ISO with T, fraction and Z", TIME, "2180-05-10T09:12:30.000Z", "correct", "2180-05-10 09:12:30", False),
    ("an offset from UTC is another time", TIME, "2180-05-10T09:12:30+02:00", "unparsable", None, False),
    ("slashes, year first", TIME, "2180/05/10 09:12:30", "correct", "2180-05-10 09:12:30", False),
    ("month first is read only if it must be so", instance(**TIME.model_dump() | {"answer": "2180-05-13 09:12:30"}), "05/13/2180 09:12:30", "correct", "2180-05-13 09:12:30", False),
    ("day first is read only if it must be so", instance(**TIME.model_dump() | {"answer": "2180-05-13 09:12:30"}), "13/05/2180 09:12:30", "correct", "2180-05-13 09:12:30", False),
    ("day or month first, both possible", TIME, "05/10/2180 09:12:30", "unparsable", None, False),
    ("equal day and month leave no doubt", instance(**TIME.model_dump() | {"answer": "2180-05-05 09:12:30"}), "05/05/2180 09:12:30", "correct", "2180-05-05 09:12:30", False),
    ("a month name", TIME, "May 10, 2180 at 09:12:30", "correct", "2180-05-10 09:12:30", False),
    ("a month name after the day", TIME, "on 10 May 2180, 09:12:30", "correct", "2180-05-10 09:12:30", False),
    ("an ordinal day", TIME, "the 10th of May 2180 at 9:12:30 AM", "correct", "2180-05-10 09:12:30", False),
    ("the twelve-hour clock", TIME, "May 10, 2180 9:12:30 am", "correct", "2180-05-10 09:12:30", False),
    ("the wrong half of the day", TIME, "May 10, 2180 9:12:30 PM", "incorrect", "2180-05-10 21:12:30", False),
    ("a weekday before it", TIME, "The answer is Wednesday, May 10, 2180, 09:12:30.", "correct", "2180-05-10 09:12:30", False),
    ("time before date", TIME, "09:12:30 on 2180-05-10", "correct", "2180-05-10 09:12:30", False),
    ("compact digits", TIME, "20800510".replace("2080", "2180") + "T091230", "correct", "2180-05-10 09:12:30", False),
    ("no seconds, and one record fits", TIME, "2180-05-10 09:12", "correct", "2180-05-10 09:12:30", False),
    ("no date, and one record fits", TIME, "It was at 09:12:30.", "correct", "2180-05-10 09:12:30", False),
    ("no year, and one record fits", TIME, "May 10 at 09:12", "correct", "2180-05-10 09:12:30", False),
    ("no date, and no record fits", TIME, '{"answer": "23:59"}', "incorrect", "23:59", False),
    ("a date alone", TIME, "2180-05-10", "unparsable", None, False),
    ("a date that does not exist", TIME, "2180-02-30 09:12:30", "unparsable", None, False),
    ("an hour that does not exist", TIME, "2180-05-10 25:12:30", "unparsable", None, False),
    ("two times", TIME, "2180-05-10 06:27:00 and 2180-05-10 09:12:30", "unparsable", None, False),
    ("a time and a later remark", TIME, "The answer is 2180-05-10 09:12:30, not 06:27.", "correct", "2180-05-10 09:12:30", False),
    ("a list of all times", TIME, "06:27:00\n09:12:30\n18:05:00", "unparsable", None, False),
    ("a number where a time is asked", TIME, '{"answer": 110}', "unparsable", None, False),
    ("declining to name a time", TIME, "No such record exists.", "abstained", None, False),
]  # fmt: skip
