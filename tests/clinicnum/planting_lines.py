"""Failures of workings that go record by record: lines that are wrong, missing, or concluded from wrongly."""

import random
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from fractions import Fraction

from clinicnum.types import TIME_FORMAT, Instance
from tests.clinicnum.planting import VITALS, finished, strange, times_of, turned, value_text, written
from tests.clinicnum.planting_text import (
    COMPARED,
    EQUATION,
    TIME,
    judged,
    rework,
    rounded,
    shown,
    worth,
)


def invented_in_a_line(instance: Instance, rng: random.Random) -> str | None:
    """A reading of one of several records that stands nowhere."""
    lines = list(instance.worked)
    places = [
        (i, re.match(r"^(\S+ \S+: (?:[a-zA-Z2 ]+) )([\d.]+)(\.$| [<>].*)", line))
        for i, line in enumerate(lines)
    ]
    usable = [(i, match) for i, match in places if match]
    if not usable:
        return None
    index, match = rng.choice(usable)
    new = strange(instance, match[2], rng)
    if new is None:
        return None
    line = f"{match[1]}{new}{match[3]}"
    lines[index] = (rework([line], {}) or [line])[0]
    return finished(lines, instance)


def invented_time(instance: Instance, rng: random.Random) -> str | None:
    """The right lines, and a time that no record has."""
    if instance.answer_type != "datetime" or instance.answer is None:
        return None
    away = timedelta(minutes=rng.choice([-7, 7, 11, 43]), days=rng.choice([0, 0, 1]))
    time = (datetime.strptime(instance.answer, TIME_FORMAT) + away).strftime(TIME_FORMAT)
    if time in times_of(instance):
        return None
    return written([*instance.worked[:-1], instance.worked[-1].replace(instance.answer, time)], time)


def step_left_out_of_each(instance: Instance, rng: random.Random) -> str | None:
    """The last calculation is made for no record; what comes before it is compared."""
    lines = []
    for line in instance.worked:
        steps = line.rstrip(".").split("; ")
        made = [i for i, step in enumerate(steps) if EQUATION.match(step)]
        if TIME.match(line):
            if len(made) < 2 or not COMPARED.search(steps[-1]):
                return None
            last, before = EQUATION.match(steps[made[-1]]), EQUATION.match(steps[made[-2]])
            assert last
            assert before
            del steps[made[-1]]
            steps[-1] = steps[-1].replace(last[4], before[4], 1)
            line = (rework(["; ".join(steps) + "."], {}) or [""])[0]
        lines.append(line)
    return finished(lines, instance) if lines != list(instance.worked) else None


def another_operation_in_each(instance: Instance, rng: random.Random) -> str | None:
    """The same in the last calculation of every record."""
    lines, choice = [], rng.randrange(10**6)
    for line in instance.worked:
        steps = line[:-1].split("; ")
        made = EQUATION.match(steps[-2]) if TIME.match(line) and len(steps) > 1 else None
        if made:
            left = turned(made[2], random.Random(choice))
            value = None if left is None else worth(left)
            if value is None:
                return None
            text, exact = shown(value)
            steps[-2] = f"{made[1]}{left} {'=' if exact else '≈'} {text}"
            steps[-1] = judged(steps[-1].replace(made[4], text, 1))
            line = "; ".join(steps) + "."
        lines.append(line)
    return finished(lines, instance) if lines != list(instance.worked) else None


def slip_in_a_line(instance: Instance, rng: random.Random) -> str | None:
    """One result of one record is off, and it is compared as it stands."""
    lines = list(instance.worked)
    split = [(i, line[:-1].split("; ")) for i, line in enumerate(lines) if TIME.match(line)]
    usable = [(i, steps) for i, steps in split if len(steps) > 1 and EQUATION.match(steps[-2])]
    if not usable:
        return None
    index, steps = rng.choice(usable)
    match = EQUATION.match(steps[-2])
    assert match
    digits = min(len(match[4].partition(".")[2]), 2)
    off = Fraction(rng.choice([-30, -20, -10, 10, 20, 30]), 10**digits)
    new = rounded(Fraction(match[4]) + off, digits)
    steps[-2] = f"{match[1]}{match[2]} = {new}"
    steps[-1] = judged(steps[-1].replace(match[4], new, 1))
    lines[index] = "; ".join(steps) + "."
    return finished(lines, instance)


def verdict_turned(instance: Instance, rng: random.Random) -> str | None:
    """One comparison is judged the wrong way round."""
    lines = list(instance.worked)
    places = [i for i, line in enumerate(lines) if TIME.match(line) and COMPARED.search(line)]
    if not places:
        return None
    index = rng.choice(places)
    yes = lines[index].endswith(": yes.")
    lines[index] = lines[index].removesuffix(": yes." if yes else ": no.") + (": no." if yes else ": yes.")
    return finished(lines, instance)


def relation_turned(instance: Instance, rng: random.Random) -> str | None:
    """Below for above, everywhere."""
    turn = {">": "<", "<": ">", ">=": "<=", "<=": ">="}
    return _compared(instance, lambda m: f"{m[1]} {turn[m[2]]} {m[3]}: {m[4]}")


def threshold_moved(instance: Instance, rng: random.Random) -> str | None:
    """Another threshold than asked, everywhere."""
    by = rng.choice([Fraction(-20), Fraction(-10), Fraction(10), Fraction(20)])

    def moved(match: re.Match[str]) -> str:
        limit = Fraction(match[3])
        new = limit + (by if limit > 45 else by / 10 if limit > 10 else by / 100)
        return f"{match[1]} {match[2]} {shown(new)[0]}: {match[4]}"

    return _compared(instance, moved)


def _compared(instance: Instance, change: Callable[[re.Match[str]], str]) -> str | None:
    lines = []
    for line in instance.worked:
        if TIME.match(line) and COMPARED.search(line):
            line = (rework([COMPARED.sub(change, line)], {}) or [""])[0]
        lines.append(line)
    return finished(lines, instance) if lines != list(instance.worked) else None


def other_extreme(instance: Instance, rng: random.Random) -> str | None:
    """The lowest for the highest."""
    last = instance.worked[-1]
    other = {"highest": "lowest", "lowest": "highest"}
    match = re.match(r"^The (highest|lowest) stands at ", last)
    if not match:
        return None
    return finished([*instance.worked[:-1], last.replace(match[1], other[match[1]])], instance)


def last_for_first(instance: Instance, rng: random.Random) -> str | None:
    """Another record at which it holds as well, told as such."""
    last, times = instance.worked[-1], times_of(instance)
    match = re.match(r"^It (first|last) holds at ", last)
    if not match or instance.answer is None:
        return None
    sample = COMPARED.search(instance.worked[0])
    if not sample or not re.match(r"^\S+ \S+: [a-zA-Z2 ]+ [\d.]+ [<>]", instance.worked[0]):
        return None
    name = instance.worked[0][21:].partition(f" {sample[1]} ")[0]
    lines = []
    for record, time in enumerate(times):
        value = value_text(instance, record, VITALS[name])
        if value is None:
            return None
        lines += rework([f"{time}: {name} {value} {sample[2]} {sample[3]}: no."], {}) or []
    other = "last" if match[1] == "first" else "first"
    return finished([*lines, last.replace(match[1], other)], instance)


def another_time(instance: Instance, rng: random.Random) -> str | None:
    """The lines are right, and the time of another record is answered."""
    if instance.answer_type != "datetime" or instance.answer is None:
        return None
    others = [time for time in times_of(instance) if time != instance.answer]
    time = rng.choice(others)
    return written([*instance.worked[:-1], instance.worked[-1].replace(instance.answer, time)], time)


def record_missed(instance: Instance, rng: random.Random) -> str | None:
    """One record's line is not there; the next one is found where a crossing was asked."""
    lines = list(instance.worked)
    places = [i for i, line in enumerate(lines) if TIME.match(line)]
    if len(places) < 2 or instance.operation not in ("comparison", "aggregation"):
        return None
    del lines[rng.choice(places)]
    return finished(lines, instance)
