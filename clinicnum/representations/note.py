"""`note`: what a nurse might have typed: abbreviations, any order, vitals spread over sentences, small talk.

The phrase bank says nothing about a vital's state ("afebrile", "tachycardic") and holds no number but the
recorded ones, so the records alone decide the answer.
"""

import random
from collections.abc import Sequence

from clinicnum.records.vitals import VITAL_SIGNS, time_text, value_text
from clinicnum.types import Record, Vital

NAMES: dict[Vital, tuple[str, ...]] = {
    "temperature_c": ("T", "Temp", "temperature"),
    "heart_rate_bpm": ("HR", "heart rate", "pulse"),
    "resp_rate_bpm": ("RR", "resp rate", "respiratory rate"),
    "spo2_pct": ("SpO2", "O2 sat", "oxygen saturation"),
    "sbp_mmhg": ("SBP", "systolic BP"),
    "dbp_mmhg": ("DBP", "diastolic BP"),
    "pain": ("pain", "pain score"),
}
PRESSURE = ("BP", "blood pressure")
JOINERS = (" ", ": ", " = ", " of ")
SEPARATORS = (", ", "; ", " / ", ", ")
OPENINGS = ("{time} -", "{time}:", "[{time}]", "At {time}:", "Vitals at {time}:", "Obs {time}:")
REMARKS = (
    "Resting in bed.",
    "Family at bedside.",
    "Awaiting review by the team.",
    "Call bell within reach.",
    "Pt moved to another bay.",
    "Blood sent to the lab.",
    "Denies new complaints.",
    "Seen by the physician.",
    "Plan discussed with pt.",
    "Side rails up.",
)
ABSENT = ("{name} not documented", "{name} not recorded", "no {name} documented")
HEADS = ("ED nursing notes.", "Nursing flow sheet, free text.", "Obs as charted.")


def render(records: Sequence[Record], seed: str) -> str:
    """The note; the same seed gives the same wording."""
    rng = random.Random(f"note:{seed}")  # noqa: S311  reproducible wording, not secrets
    lines = [rng.choice(HEADS)]
    for record in records:
        lines.append(_entry(record, rng))
    return "\n".join(lines)


def _entry(record: Record, rng: random.Random) -> str:
    phrases = _phrases(record, rng)
    rng.shuffle(phrases)
    separator = rng.choice(SEPARATORS)
    cuts = sorted(rng.sample(range(1, len(phrases)), rng.randrange(3)))
    sentences = []
    for start, end in zip([0, *cuts], [*cuts, len(phrases)], strict=True):
        sentences.append(separator.join(phrases[start:end]) + ".")
    if rng.random() < 0.5:
        sentences.insert(rng.randrange(len(sentences) + 1), rng.choice(REMARKS))
    opening = rng.choice(OPENINGS).format(time=time_text(record))
    return f"{opening} {' '.join(sentences)}"


def _phrases(record: Record, rng: random.Random) -> list[str]:
    joiner = rng.choice(JOINERS)
    phrases = []
    together = record.sbp_mmhg is not None and record.dbp_mmhg is not None and rng.random() < 0.8
    if together:
        name = rng.choice(PRESSURE)
        unit = VITAL_SIGNS["sbp_mmhg"].unit
        phrases.append(f"{name}{joiner}{record.sbp_mmhg:f}/{record.dbp_mmhg:f} {unit}")
    for vital, sign in VITAL_SIGNS.items():
        if together and vital in ("sbp_mmhg", "dbp_mmhg"):
            continue
        name, value = rng.choice(NAMES[vital]), getattr(record, vital)
        if value is None:
            phrases.append(rng.choice(ABSENT).format(name=name))
        else:
            gap = "" if vital == "pain" else " "
            phrases.append(f"{name}{joiner}{value_text(vital, value)}{gap}{sign.unit}")
    return phrases
