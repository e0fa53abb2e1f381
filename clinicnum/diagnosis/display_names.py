"""Describe records, times, vital signs and rules in words, for sentences shown to clinicians."""

from clinicnum.diagnosis.instance_facts import Facts
from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.types import Vital


def vital_in_words(vital: Vital) -> str:
    """The vital sign's name: `heart rate`."""
    return VITAL_SIGNS[vital].label


def time_in_words(facts: Facts, record: int) -> str:
    """A record's time as shown to a clinician."""
    return facts.table.shown[record]


def record_in_words(facts: Facts, record: int, target: int | None) -> str:
    """A record in words, by its index, and in relation to the one asked about: `the record before, 04:10`.

    `target` is the index of the record asked about, None if there is not just one.
    """
    shown = time_in_words(facts, record)
    if target is not None and record == target - 1:
        return f"the record before, {shown}"
    if target is not None and record == target + 1:
        return f"the next record, {shown}"
    return f"the record at {shown}"


def rule_in_words(rule: str) -> str:
    """A rule's name in words."""
    names = rule.replace("_for_", " for ")
    for vital, sign in VITAL_SIGNS.items():
        names = names.replace(vital, sign.label)
    return names.replace("_", " ")
