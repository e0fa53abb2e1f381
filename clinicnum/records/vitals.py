"""The vital signs: names, units, and the range outside which a value is rejected as implausible.

The ranges bound measurement error; they are not clinical limits.
"""

from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from clinicnum.types import Record, Vital


class VitalSign(NamedTuple):
    """Name, unit and range of one vital sign."""

    label: str
    unit: str
    low: Decimal
    """Lowest plausible value, inclusive."""
    high: Decimal
    """Highest plausible value, inclusive."""


VITAL_SIGNS: dict[Vital, VitalSign] = {
    "temperature_c": VitalSign("temperature", "°C", Decimal(30), Decimal(43)),
    "heart_rate_bpm": VitalSign("heart rate", "bpm", Decimal(20), Decimal(250)),
    "resp_rate_bpm": VitalSign("respiratory rate", "breaths/min", Decimal(4), Decimal(70)),
    "spo2_pct": VitalSign("SpO2", "%", Decimal(50), Decimal(100)),
    "sbp_mmhg": VitalSign("systolic pressure", "mmHg", Decimal(40), Decimal(300)),
    "dbp_mmhg": VitalSign("diastolic pressure", "mmHg", Decimal(15), Decimal(200)),
    "pain": VitalSign("pain", "/10", Decimal(0), Decimal(10)),
}


def value_text(vital: Vital, value: Decimal) -> str:
    """A value as every representation writes it: temperature with one decimal, others as recorded."""
    return f"{value:.1f}" if vital == "temperature_c" else f"{value:f}"


def time_text(record: Record) -> str:
    """Charttime as `YYYY-MM-DD HH:MM:SS`."""
    return _moment(record.charttime)


@lru_cache(maxsize=1024)
def _moment(charttime: datetime) -> str:
    """The cached text of a time: a record is written several times in a row."""
    return charttime.isoformat(sep=" ")


def implausible(record: Record) -> str | None:
    """The name of the rule by which a record is implausible; None if every value is plausible."""
    for vital, sign in VITAL_SIGNS.items():
        value = getattr(record, vital)
        if value is not None and not sign.low <= value <= sign.high:
            return f"{vital}.out_of_range"
    if record.sbp_mmhg is not None and record.dbp_mmhg is not None and record.dbp_mmhg >= record.sbp_mmhg:
        return "dbp_not_below_sbp"
    return None
