"""Read units and numbers (V5). A value without unit is read only if it is plausible in a single unit of its
vital.

| vital | unit here | believed | other unit | believed | why |
|---|---|---|---|---|---|
| temperature | °C | 30-43 | °F | 86-109.4 | both are charted, even in one column; they never overlap |
| SpO2 | % | 50-100 | fraction | 0.5-1 | devices export 0 to 1 (HealthVault BloodOxygenSaturation) |
| systolic | mmHg | 40-300 | kPa | 5.33-39.997 | SI, 1 mmHg = 0.133322 kPa; they just do not overlap |
| diastolic | mmHg | 15-200 | kPa | 2.0-26.66 | as above; a bare 15 to 26 may be either, save as `120/20` |
| heart rate | bpm | - | - | - | charted per minute only; in Hz it would be under 5, no heart rate here |
| respiratory rate | breaths/min | - | - | - | charted per minute only |
| pain | /10 | - | - | - | asked aloud as 0 to 10; the 100 mm line is read off paper and written in mm |

The first range is V6's plausible range, the second the same in the other unit. A value beyond both is no
matter of units: V6 judges it. Sources: mimic.mit.edu/docs/iv/modules/ed/vitalsign; HealthVault data types,
`BloodOxygenSaturation`; em-online.org/pain-measurement (numeric and visual scale in emergency departments).
"""

import re
from decimal import Decimal
from functools import lru_cache

from clinicnum.validity.reading.memoize import Memo
from clinicnum.validity.reading.reading_result import UnreadableError

NUMBER = r"(?:0|[1-9][0-9]{0,3})(?:\.[0-9]{1,6})?"

SPELLINGS = {
    "temperature_c": ("°C", "C"),
    "heart_rate_bpm": ("bpm", "beats/min", "/min"),
    "resp_rate_bpm": ("breaths/min", "/min"),
    "spo2_pct": ("%",),
    "sbp_mmhg": ("mmHg", "mm Hg"),
    "dbp_mmhg": ("mmHg", "mm Hg"),
    "pain": ("/10",),
}
"""How each vital's unit may be written; its usual form first. V5 asks for one form throughout a context."""

FOREIGN = ("°F", "F", "kPa", "Hz")
"""Units of vital signs in which nothing is recorded here: read as a unit, and refused as the wrong one."""

_BELIEVED = {
    "temperature_c": ((Decimal(30), Decimal(43)), (Decimal(86), Decimal("109.4"))),
    "spo2_pct": ((Decimal(50), Decimal(100)), (Decimal("0.5"), Decimal(1))),
    "sbp_mmhg": ((Decimal(40), Decimal(300)), (Decimal("5.3329"), Decimal("39.9966"))),
    "dbp_mmhg": ((Decimal(15), Decimal(200)), (Decimal("1.9998"), Decimal("26.6644"))),
}
_NUMBER = re.compile(NUMBER)


def _number(text: str) -> Decimal:
    """A plain decimal. Raises UnreadableError for signs, commas, leading zeros and digits of other
    scripts.
    """
    if not _NUMBER.fullmatch(text):
        raise UnreadableError(f"{text!r} where a number is expected")
    return Decimal(text)


NUMBERS = Memo(_number, 4096)
"""Numbers as decimals; `NUMBERS[text]` raises UnreadableError for text that is no plain number."""


@lru_cache(maxsize=64)
def measured(vital: str, unit: str) -> tuple[str, Memo[Decimal]]:
    """The pair of `vital unit` (unit empty if none) as one text, and a mapping of texts to values of the
    vital in that unit.

    Raises UnreadableError for a unit that is not the vital's; a look-up raises it for text that is no number
    and for a value that may be meant in another unit.
    """
    if unit and unit not in SPELLINGS[vital]:
        raise UnreadableError(f"{vital} in {unit}", "V5.unit")

    def value(text: str) -> Decimal:
        number = NUMBERS[text]
        if vital in _BELIEVED:
            (low, high), (other_low, other_high) = _BELIEVED[vital]
            here, elsewhere = low <= number <= high, other_low <= number <= other_high
            if elsewhere and not (here and unit):
                raise UnreadableError(f"{vital} {text} {unit}: another unit may be meant", "V5.unit")
        return number

    return f"{vital} {unit}", Memo(value, 2048)
