"""Failures made on purpose: a worked solution broken in one known way, and worked out again from there.

Works on the text, the records and the question of an instance line alone. It knows neither the distractors
nor the trace check: what it breaks, and how, is told here once more.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from clinicnum.types import TIME_FORMAT, Instance
from tests.clinicnum.planting_text import (
    EQUATION,
    READING,
    concluded,
    rework,
    rounded,
    worth,
)

NAMES = {
    "temperature_c": "temperature",
    "heart_rate_bpm": "heart rate",
    "resp_rate_bpm": "respiratory rate",
    "spo2_pct": "SpO2",
    "sbp_mmhg": "systolic pressure",
    "dbp_mmhg": "diastolic pressure",
}
VITALS = {name: vital for vital, name in NAMES.items()}
CONSTANTS = {"1.8", "2", "3", "9", "32", "60", "70", "100", "1000"}


@dataclass(frozen=True)
class Planted:
    """A broken answer."""

    instance: Instance
    code: str
    way: str
    text: str
    finish: str = "stop"


Way = Callable[[Instance, random.Random], str | tuple[str, str] | None]
"""Gives the text, or the text and how it finished; None where this cannot be broken."""


def written(lines: list[str], answer: str) -> str:
    """A whole generation."""
    return "\n".join([*lines, f'{{"answer": "{answer}"}}'])


def finished(lines: list[str] | None, instance: Instance) -> str | None:
    """The generation that lines lead to; None if they lead nowhere, or to the right answer."""
    told = concluded(lines) if lines else None
    if told is None or told[1] == instance.answer:
        return None
    return written(*told)


def value_text(instance: Instance, record: int, vital: str) -> str | None:
    value = getattr(instance.records[record], vital)
    return None if value is None else (f"{value:.1f}" if vital == "temperature_c" else f"{value:f}")


def times_of(instance: Instance) -> list[str]:
    return [record.charttime.strftime(TIME_FORMAT) for record in instance.records]


def readings(instance: Instance) -> list[tuple[int, re.Match[str]]]:
    """Reading lines whose value is no constant of a formula."""
    found = [(i, READING.match(line)) for i, line in enumerate(instance.worked)]
    kept = [(i, match) for i, match in found if match and match[3] in VITALS]
    return [] if any(match[4] in CONSTANTS for _, match in kept) else kept


def reread(instance: Instance, changes: dict[int, tuple[str, str]]) -> str | None:
    """The generation with other readings: line -> (its new text, its new value)."""
    lines = list(instance.worked)
    changed: dict[str, str] = {}
    for index, match in readings(instance):
        if index in changes:
            line, value = changes[index]
            if changed.get(match[4], value) != value:
                return None  # two readings of one value, of which one changes: no telling them apart below
            lines[index], changed[match[4]] = line, value
        elif match[4] in changed:
            return None
    first = max((i for i, _ in readings(instance)), default=-1) + 1
    return finished(rework(lines, changed, first), instance) if changes else None


def another_record(instance: Instance, rng: random.Random) -> str | None:
    """The readings of one time taken from a neighbouring record, whose time is named or not."""
    found, times = readings(instance), times_of(instance)
    if not found or instance.operation not in ("retrieval", "arithmetic"):
        return None
    time = rng.choice([match[2] for _, match in found])
    index = times.index(time)
    near = [i for i in (index - 1, index + 1) if 0 <= i < len(times)]
    other, named = rng.choice(near), rng.random() < 0.5
    if times[other] in {match[2] for _, match in found}:
        return None
    changes = {}
    for line, match in found:
        if match[2] == time:
            value = value_text(instance, other, VITALS[match[3]])
            if value is None or value == match[4]:
                return None
            at = times[other] if named else time
            changes[line] = (f"At {at}: {match[3]} {value}{match[5] or ''}.", value)
    return reread(instance, changes)


def another_vital(instance: Instance, rng: random.Random) -> str | None:
    """One vital sign's values taken from another's column."""
    found, times = readings(instance), times_of(instance)
    if not found or instance.operation not in ("retrieval", "arithmetic"):
        return None
    asked = rng.choice(sorted({match[3] for _, match in found}))
    other = rng.choice([vital for vital in NAMES if NAMES[vital] not in {match[3] for _, match in found}])
    changes = {}
    for line, match in found:
        if match[3] == asked:
            value = value_text(instance, times.index(match[2]), other)
            if value is None or value == match[4]:
                return None
            changes[line] = (f"{match[1]}{value}{match[5] or ''}.", value)
    return reread(instance, changes)


def invented_reading(instance: Instance, rng: random.Random) -> str | None:
    """A reading that stands nowhere."""
    found = readings(instance)
    if not found:
        return None
    line, match = rng.choice(found)
    value = strange(instance, match[4], rng)
    return None if value is None else reread(instance, {line: (f"{match[1]}{value}{match[5] or ''}.", value)})


def strange(instance: Instance, like: str, rng: random.Random) -> str | None:
    """A number like this one that neither context nor question holds."""
    known = set(re.findall(r"\d+(?:\.\d+)?", f"{instance.context} {instance.question}"))
    step, digits = (Fraction(1, 10), 1) if "." in like else (Fraction(1), 0)
    near = [rounded(Fraction(like) + k * step, digits) for k in range(-25, 26) if abs(k) > 2]
    free = [text for text in near if text not in known and Fraction(text) > 12]
    return rng.choice(free) if free else None


def step_left_out(instance: Instance, rng: random.Random) -> str | None:
    """The last calculation is not made."""
    lines = list(instance.worked)
    made = [i for i, line in enumerate(lines) if EQUATION.match(line[:-1])]
    if len(made) < 2 or not lines[-1].startswith("With "):
        return None
    del lines[made[-1]]
    return finished(rework(lines, {}, len(lines) - 1), instance)


def another_operation(instance: Instance, rng: random.Random) -> str | None:
    """Added for subtracted, multiplied for divided, or the numbers turned round, in one calculation."""
    lines = list(instance.worked)
    made = [(i, m) for i, line in enumerate(lines) if (m := EQUATION.match(line[:-1]))]
    if not made or not lines[-1].startswith("With "):
        return None
    index, match = rng.choice(made)
    left = turned(match[2], rng)
    if left is None or worth(left) is None:
        return None
    new = f"{match[1]}{left} = 0."
    again = rework([new], {})
    if again is None:
        return None
    after = EQUATION.match(again[0][:-1])
    assert after
    return finished(
        rework([*lines[:index], *again, *lines[index + 1 :]], {match[4]: after[4]}, index + 1), instance
    )


def turned(expression: str, rng: random.Random) -> str | None:
    """An expression of one operation with another one in its place."""
    parts = re.match(r"^(\S+) ([-+x/]) (\S+)$", expression.strip())
    if not parts:
        return None
    ways = {"-": [f"{parts[1]} + {parts[3]}"], "+": [f"{parts[1]} - {parts[3]}"]}
    ways |= {"/": [f"{parts[1]} x {parts[3]}", f"{parts[3]} / {parts[1]}"], "x": [f"{parts[1]} / {parts[3]}"]}
    return rng.choice(ways[parts[2]])


def slip(instance: Instance, rng: random.Random) -> str | None:
    """One result is off, and what follows goes on from it."""
    lines = list(instance.worked)
    made = [(i, m) for i, line in enumerate(lines) if (m := EQUATION.match(line[:-1]))]
    if not made or not lines[-1].startswith("With "):
        return None
    index, match = rng.choice(made)
    digits = min(len(match[4].partition(".")[2]), 2)
    value = Fraction(match[4])
    off = Fraction(rng.choice([-10, -3, -2, -1, 1, 2, 3, 9, 10]), 10**digits)
    new = rounded(value + off, digits)
    if new == match[4] or (value + off) * value <= 0:
        return None
    lines[index] = lines[index].replace(f"{match[3]} {match[4]}.", f"= {new}.")
    return finished(rework(lines, {match[4]: new}, index + 1), instance)


def rounded_too_early(instance: Instance, rng: random.Random) -> str | None:
    """A result on the way is rounded, and what follows goes on from the rounded one."""
    lines = list(instance.worked)
    made = [(i, m) for i, line in enumerate(lines) if (m := EQUATION.match(line[:-1])) and "." in m[4]]
    if len(made) < 2 or not lines[-1].startswith("With "):
        return None
    index, match = made[rng.randrange(len(made) - 1)]
    digits = rng.choice([0, 1, 2])
    if digits >= len(match[4].partition(".")[2]):
        return None
    new = rounded(Fraction(match[4]), digits)
    if Fraction(new) == 0:
        return None
    lines[index] = lines[index].replace(f"{match[3]} {match[4]}.", f"≈ {new}.")
    return finished(rework(lines, {match[4]: new}, index + 1), instance)
