"""One record's values as a line of text, for what variants add besides the records."""

from collections.abc import Collection

from clinicnum.records.vitals import VITAL_SIGNS, time_text, value_text
from clinicnum.representations.style_options import Style
from clinicnum.representations.vital_names import ABBREVIATED, FULL, SUFFIXES
from clinicnum.types import Record, Vital


def values_text(record: Record, style: Style, only: Collection[Vital] = VITAL_SIGNS) -> str:
    """A record's time and documented values of the vitals `only`, in this style: `2180-05-10 09:12:00: heart
    rate 98 bpm, ...`.
    """
    names = ABBREVIATED if style.abbreviated else FULL
    suffixes = ("",) * len(SUFFIXES) if style.units is False else SUFFIXES
    shown = [
        f"{name} {value_text(vital, value)}{suffix}"
        for vital, name, suffix in zip(VITAL_SIGNS, names, suffixes, strict=True)
        if vital in only and (value := getattr(record, vital)) is not None
    ]
    return f"{time_text(record)}: {', '.join(shown)}"
