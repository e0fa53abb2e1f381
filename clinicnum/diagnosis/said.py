"""How records and vital signs are called in a sentence for a clinician."""

from clinicnum.diagnosis.facts import Facts
from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.types import Vital


def called(vital: Vital) -> str:
    """The vital sign's name: `heart rate`."""
    return VITAL_SIGNS[vital].label


def when(facts: Facts, record: int) -> str:
    """A record's time: the clock alone where all records are of one day and no two of one minute."""
    times = facts.times
    minutes = {time[11:16] for time in times}
    if len({time[:10] for time in times}) == 1 and len(minutes) == len(times):
        return times[record][11:16]
    return times[record] if len({time[:16] for time in times}) < len(times) else times[record][:16]


def which(facts: Facts, record: int, target: int | None) -> str:
    """A record seen from the one that is asked about: `the record before, 04:10`."""
    shown = when(facts, record)
    if target is not None and record == target - 1:
        return f"the record before, {shown}"
    if target is not None and record == target + 1:
        return f"the next record, {shown}"
    return f"the record at {shown}"


def in_words(rule: str) -> str:
    """A rule's name as words."""
    names = rule.replace("_for_", " for ")
    for vital, sign in VITAL_SIGNS.items():
        names = names.replace(vital, sign.label)
    return names.replace("_", " ")
