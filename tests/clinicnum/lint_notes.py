"""The `natural` contexts of ClinicNumRobBench's recipe, on MEDEC's notes instead of its own.

A first record takes a whole patient note, each further one the vital-sign span of another note; the note's
values are replaced by the record's, and °F is called °C. The recipe finds the phrases with a language model;
here they are found by pattern.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from tests.open_data import MEDEC

PHRASES = {
    "temperature": r"temperature (?:is|of|was) (?P<v>[\d.]+) ?(?:deg )?(?P<u>[CF])\b(?: \([^)]*\))?",
    "heartrate": r"(?:pulse|heart rate) (?:is|of|was) (?P<v>\d+)(?P<u>/min)?",
    "resprate": r"respirations (?:are|is|were) (?P<v>\d+)(?P<u>/min)?",
    "o2sat": r"oxygen saturation (?:is|of|was) (?P<v>\d+)(?P<u>%)",
    "bp": r"blood pressure (?:is|of|was) (?P<v>\d+/\d+) ?(?P<u>mm ?Hg)?",
}
"""How MEDEC's notes tell a vital; the extraction by a language model of the published recipe, by hand."""


@dataclass(frozen=True)
class Note:
    """A patient note with the phrase of each vital."""

    text: str
    phrases: dict[str, re.Match[str]]

    def with_values(self, values: dict[str, str], *, whole: bool) -> str:
        """The note, or only its vital-sign span, with our values in place of its own, °F called °C."""
        found = self.phrases.values()
        text = self.text if whole else self.text[min(m.start() for m in found) : max(m.end() for m in found)]
        for vital, phrase in self.phrases.items():
            told = phrase[0].replace(phrase["v"], values[vital], 1)
            if vital == "temperature":
                told = told.partition(" (")[0].removesuffix("F").removesuffix("C") + "C"
            text = text.replace(phrase[0], told)
        return text


def notes() -> list[Note]:
    """MEDEC's notes that tell all five vitals in these phrases."""
    found = []
    for text in pd.read_csv(MEDEC)["Text"].drop_duplicates():
        phrases = {vital: re.search(pattern, text) for vital, pattern in PHRASES.items()}
        if all(phrases.values()):
            found.append(Note(text, {vital: match for vital, match in phrases.items() if match}))
    return found


def natural(taken: list[Note]) -> Callable[[pd.DataFrame], str]:
    """The first record in a whole note, each further one in another note's vital-sign span."""

    def context(patient: pd.DataFrame) -> str:
        rng = random.Random(str(patient["charttime"].iloc[0]))
        parts = []
        for number, r in enumerate(patient.sort_values("charttime").itertuples()):
            values = {
                "temperature": str(r.temperature),
                "heartrate": str(r.heartrate),
                "resprate": str(r.resprate),
                "o2sat": str(r.o2sat),
                "bp": f"{r.sbp}/{r.dbp}",
            }
            parts.append(f"At {r.charttime}, " + rng.choice(taken).with_values(values, whole=number == 0))
        return ". ".join(parts)

    return context
