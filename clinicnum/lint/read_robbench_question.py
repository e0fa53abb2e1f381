"""Recognise which of the 42 base templates a ClinicNumRobBench question asks, and with which slots.

The wordings are those of its published scripts (create_retrieval_data, create_arthmetic_data,
create_comparison_data, create_aggregation_data). Case, spacing and the final mark are ignored.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from clinicnum.lint.read_robbench_context import TIME, iso_time

SHORT = {
    "temperature": "temperature",
    "heart rate": "heart_rate",
    "heartrate": "heart_rate",
    "respiratory rate": "resp_rate",
    "resprate": "resp_rate",
    "o2 saturation": "spo2",
    "o2sat": "spo2",
    "systolic blood pressure": "sbp",
    "sbp": "sbp",
    "diastolic blood pressure": "dbp",
    "dbp": "dbp",
}
"""A vital's name in a question -> the last part of our template ids."""
COMPARATORS = {
    "exceeded": "first_above",
    "higher than": "first_above",
    "less than": "first_below",
    "drop below": "first_below",
}
THRESHOLDS = {
    "first_above": {"sbp": "120", "dbp": "80", "heart_rate": "100", "resp_rate": "20", "temperature": "37.5"},
    "first_below": {
        "sbp": "90",
        "dbp": "60",
        "heart_rate": "60",
        "resp_rate": "12",
        "temperature": "36.5",
        "spo2": "95",
    },
}
COUNTED = {
    "tachycardia": "aggregation.tachycardia",
    "mean arterial pressure higher than 100 mmhg": "aggregation.map_above_100",
    "shock index higher than 0.7": "aggregation.shock_index_above_0_7",
}

_VITAL = "|".join(sorted(SHORT, key=len, reverse=True))
_AT = rf"(?P<time>{TIME})"


@dataclass(frozen=True, slots=True)
class ForeignQuestion:
    """A question that was recognised."""

    template: str
    at: Mapping[str, str]
    """Record slot -> the time asked, as `YYYY-MM-DD HH:MM:SS`."""
    choices: Mapping[str, str]
    decimals: int | None
    """Decimals that the question asks for; None if it names none."""


Parsed = tuple[str, Mapping[str, str], Mapping[str, str]]


def _at_time(template: str) -> Callable[[re.Match[str]], Parsed]:
    return lambda match: (template, {"time": iso_time(match["time"])}, {})


def _value_at(match: re.Match[str]) -> Parsed:
    return f"retrieval.{SHORT[match['vital']]}", {"time": iso_time(match["time"])}, {}


def _mean(match: re.Match[str]) -> Parsed:
    return "arithmetic.mean_resp_rate", {}, {"which": {"first": "earliest", "last": "latest"}[match["which"]]}


def _change(match: re.Match[str]) -> Parsed:
    return "arithmetic.hr_change", {"earlier": iso_time(match["start"]), "later": iso_time(match["end"])}, {}


def _crossing(match: re.Match[str]) -> Parsed | None:
    kind, vital = COMPARATORS[match["comparator"]], SHORT[match["vital"]]
    known = THRESHOLDS[kind].get(vital)
    return (f"comparison.{kind}.{vital}", {}, {}) if known == match["threshold"] else None


def _extreme(match: re.Match[str]) -> Parsed:
    return f"comparison.{match['which']}.{SHORT[match['vital']]}", {}, {}


def _count(match: re.Match[str]) -> Parsed:
    return COUNTED[match["issue"]], {}, {}


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Parsed | None]], ...] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (rf"what was the (?P<vital>{_VITAL}) of the patient at {_AT}", _value_at),
        (
            rf"calculate the sum of systolic and diastolic blood pressure at {_AT}",
            _at_time("arithmetic.bp_sum"),
        ),
        (rf"calculate the pulse pressure at {_AT}", _at_time("arithmetic.pulse_pressure")),
        (
            rf"what is the value when multiplying the temperature at {_AT} by 1\.8",
            _at_time("arithmetic.temperature_x1_8"),
        ),
        (rf"calculate the shock index at {_AT}", _at_time("arithmetic.shock_index")),
        (r"calculate the average of respiratory rate at the (?P<which>first|last) 2 records", _mean),
        (
            rf"calculate a third of the pulse pressure at {_AT}",
            _at_time("arithmetic.third_pulse_pressure"),
        ),
        (
            rf"convert temperature at {_AT} from celsius to fahrenheit",
            _at_time("arithmetic.celsius_to_fahrenheit"),
        ),
        (
            rf"calculate the percentage that heart rate at {_AT} exceeds baseline \(70 bpm\)",
            _at_time("arithmetic.hr_over_baseline"),
        ),
        (rf"calculate the mean arterial pressure at {_AT}", _at_time("arithmetic.map")),
        (
            rf"calculate the percentage change in heart rate from (?P<start>{TIME}) to (?P<end>{TIME})",
            _change,
        ),
        (
            rf"what is the record datetime when (?P<vital>{_VITAL}) first "
            rf"(?P<comparator>{'|'.join(COMPARATORS)}) (?P<threshold>\d+(?:\.\d+)?)",
            _crossing,
        ),
        (rf"what is the record datetime when (?P<vital>{_VITAL}) is (?P<which>highest|lowest)", _extreme),
        (
            rf"how many times? the patient has (?P<issue>{'|'.join(map(re.escape, COUNTED))})\?"
            r" return the number of records",
            _count,
        ),
    )
)
_DECIMALS = re.compile(r",? round(?:ed)? to (\d) decimal places?$")


def read_question(text: str) -> ForeignQuestion | None:
    """The template and its slots; None if no wording fits. Raises NotUnderstoodError for an invalid time."""
    asked = " ".join(text.lower().split()).rstrip("?. ")
    digits = _DECIMALS.search(asked)
    if digits is not None:
        asked = asked[: digits.start()].rstrip("?. ")
    for pattern, build in _FORMS:
        match = pattern.fullmatch(asked)
        parsed = None if match is None else build(match)
        if parsed is not None:
            template, at, choices = parsed
            return ForeignQuestion(template, at, choices, None if digits is None else int(digits[1]))
    return None
