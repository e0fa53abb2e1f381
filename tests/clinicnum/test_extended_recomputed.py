"""The extended bank's golds, computed a second time as the wordings say, without the operation tree."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import pytest

from clinicnum.templates.evaluate_tree import UndefinedError, answer
from clinicnum.types import Record
from tests.clinicnum.extended import BANK, cases


@dataclass(frozen=True)
class Seen:
    """A record as a person reads it off."""

    t: Fraction
    """Hours."""
    hr: Fraction
    rr: Fraction
    spo2: Fraction
    sbp: Fraction
    dbp: Fraction
    temp: Fraction
    time: str

    @property
    def map(self) -> Fraction:
        return (self.sbp + 2 * self.dbp) / 3

    @property
    def si(self) -> Fraction:
        return self.hr / self.sbp


def seen(record: Record, first: Record) -> Seen:
    since = record.charttime - first.charttime
    values = (record.heart_rate_bpm, record.resp_rate_bpm, record.spo2_pct)
    values += (record.sbp_mmhg, record.dbp_mmhg, record.temperature_c)
    numbers = (Fraction(0) if value is None else Fraction(value) for value in values)
    return Seen(Fraction(since.days * 24) + Fraction(since.seconds, 3600), *numbers, f"{record.charttime}")


Rows = Sequence[Seen]
Given = Mapping[str, Fraction]


def held(rows: Rows, worth: Callable[[Seen], Fraction | bool]) -> Fraction:
    """Minutes, each weighted by what the record that holds is worth."""
    return sum((worth(a) * (b.t - a.t) * 60 for a, b in pairwise(rows)), Fraction(0))


def slope(points: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    n, x, y = len(points), sum(p[0] for p in points), sum(p[1] for p in points)
    xy, xx = sum(a * b for a, b in points), sum(a * a for a, _ in points)
    return Fraction(n * xy - x * y) / (n * xx - x * x)


def mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def minutes(a: Seen, b: Seen) -> Fraction:
    return abs(b.t - a.t) * 60


def between(a: Seen, b: Seen) -> Fraction:
    return (b.t - a.t) * 60


LB = Fraction("2.2")

ONE: dict[str, Callable[[Seen, Given], Fraction]] = {
    "map_double_diastolic": lambda r, g: r.map,
    "modified_shock_index": lambda r, g: r.hr / r.map,
    "age_shock_index": lambda r, g: g["age"] * r.si,
    "diastolic_shock_index": lambda r, g: r.hr / r.dbp,
    "reverse_shock_index_gcs": lambda r, g: g["gcs"] / r.si,
    "respiratory_adjusted_shock_index": lambda r, g: r.si * r.rr / 10,
    "rate_pressure_product": lambda r, g: r.hr * r.sbp,
    "proportional_pulse_pressure": lambda r, g: 100 - 100 * r.dbp / r.sbp,
    "spo2_fio2_ratio": lambda r, g: r.spo2 / g["fio2"],
    "rox_index": lambda r, g: r.spo2 / (g["fio2"] * r.rr),
    "percent_of_maximum_heart_rate": lambda r, g: 100 * r.hr / (220 - g["age"]),
    "sbp_in_kilopascal": lambda r, g: r.sbp * Fraction("0.133322"),
}
"""Of one record."""

TWO: dict[str, Callable[[Seen, Seen, Given], Fraction]] = {
    "delta_shock_index": lambda a, b, g: b.si - a.si,
    "temperature_change_in_fahrenheit": lambda a, b, g: (b.temp * 9 / 5 + 32) - (a.temp * 9 / 5 + 32),
    "infused_volume": lambda a, b, g: g["flow"] * (b.t - a.t),
    "infused_drug": lambda a, b, g: g["rate"] * g["weight"] * between(a, b) / 1000,
    "drip_rate": lambda a, b, g: 200 * 20 / between(a, b),
}
"""Of an earlier and a later record."""

GIVEN: dict[str, Callable[[Given], Fraction]] = {
    "dose_by_weight": lambda g: g["weight"] * g["dose"],
    "dose_by_weight_in_pounds": lambda g: g["weight"] / LB * g["dose"],
    "bolus_volume": lambda g: g["weight"] * g["dose"] / 40,
    "infusion_rate": lambda g: g["rate"] / 1000 * 60 * g["weight"] / (g["amount"] / 250),
    "infusion_dose": lambda g: g["flow"] * g["amount"] / 250 * 1000 / 60 / g["weight"],
    "fluid_30_ml_per_kg": lambda g: 30 * g["weight"],
}
"""Of givens alone."""

ALL: dict[str, Callable[[Rows], Fraction | int]] = {
    "time_above.heart_rate_100": lambda s: held(s, lambda r: r.hr > 100),
    "time_below.sbp_90": lambda s: held(s, lambda r: r.sbp < 90),
    "time_below.map_65": lambda s: held(s, lambda r: r.map < 65),
    "share_of_time_below.spo2_94": lambda s: 100 * held(s, lambda r: r.spo2 < 94) / held(s, lambda r: True),
    "time_weighted_mean.map": lambda s: held(s, lambda r: r.map) / held(s, lambda r: True),
    "depth_duration.sbp_90": lambda s: held(s, lambda r: max(90 - r.sbp, Fraction(0))),
    "longest_gap": lambda s: max(between(a, b) for a, b in pairwise(s)),
    "largest_rise.heart_rate": lambda s: max(b.hr - a.hr for a, b in pairwise(s)),
    "largest_fall.sbp": lambda s: max(a.sbp - b.sbp for a, b in pairwise(s)),
    "largest_change.temperature": lambda s: max(abs(a.temp - b.temp) for a, b in pairwise(s)),
    "average_real_variability.sbp": lambda s: mean([abs(a.sbp - b.sbp) for a, b in pairwise(s)]),
    "slope.heart_rate_latest_4": lambda s: slope([(r.t, r.hr) for r in s[-4:]]),
    "slope.sbp_latest_3": lambda s: slope([(r.t, r.sbp) for r in s[-3:]]),
    "mean_latest_3.heart_rate": lambda s: mean([r.hr for r in s[-3:]]),
    "mean.map": lambda s: mean([r.map for r in s]),
    "range.temperature": lambda s: max(r.temp for r in s) - min(r.temp for r in s),
    "range.sbp": lambda s: max(r.sbp for r in s) - min(r.sbp for r in s),
    "lowest.map": lambda s: min(r.map for r in s),
    "first_to_last_change.sbp": lambda s: s[-1].sbp - s[0].sbp,
    "count.tachycardia_and_hypotension": lambda s: sum(r.hr > 100 and r.sbp < 100 for r in s),
    "count.map_below_65": lambda s: sum(r.map < 65 for r in s),
    "count.sirs_two_vital_signs": lambda s: sum(
        (r.temp > 38 or r.temp < 36) + (r.hr > 90) + (r.rr > 20) >= 2 for r in s
    ),
    "count.medical_emergency_team": lambda s: sum(
        not (40 <= r.hr <= 130 and 8 <= r.rr <= 30 and r.sbp >= 90) for r in s
    ),
    "count.spo2_outside_target": lambda s: sum(not 94 <= r.spo2 <= 98 for r in s),
    "count.shock_index_at_least_1": lambda s: sum(r.hr >= r.sbp for r in s),
    "count.sbp_falls": lambda s: sum(b.sbp < a.sbp for a, b in pairwise(s)),
    "count.spo2_falls_of_3": lambda s: sum(a.spo2 - b.spo2 >= 3 for a, b in pairwise(s)),
    "latest.sbp": lambda s: s[-1].sbp,
    "interval.fever_and_tachycardia": lambda s: minutes(
        next(r for r in s if r.temp > 38), next(r for r in s if r.hr > 90)
    ),
    "interval.highest_heart_rate_and_lowest_sbp": lambda s: minutes(
        max(s, key=lambda r: r.hr), min(s, key=lambda r: r.sbp)
    ),
}
"""Of all records."""

MOMENT: dict[str, Callable[[Rows], Seen]] = {
    "highest.shock_index": lambda s: max(s, key=lambda r: r.si),
    "lowest.map": lambda s: min(s, key=lambda r: r.map),
    "lowest.pulse_pressure": lambda s: min(s, key=lambda r: r.sbp - r.dbp),
    "first_at_least.shock_index_1": lambda s: next(r for r in s if r.hr >= r.sbp),
    "first_below.map_65": lambda s: next(r for r in s if r.map < 65),
    "last_below.spo2_94": lambda s: [r for r in s if r.spo2 < 94][-1],
}
"""A record's time."""

SCORES = ("news2", "qsofa", "sirs", "crb65", "revised_trauma_score")
"""Checked band by band in test_extended_bank."""


def expected(name: str, rows: Rows, at: Sequence[int], givens: Mapping[str, str]) -> Fraction | int | str:
    operation, short = name.split(".", 1)
    if operation == "comparison" and short in MOMENT:
        return MOMENT[short](rows).time
    if short in ALL:
        return ALL[short](rows)
    given = {key: Fraction(value) for key, value in givens.items()}
    if short in GIVEN:
        return GIVEN[short](given)
    if short in ONE:
        return ONE[short](rows[at[0]], given)
    return TWO[short](rows[at[0]], rows[at[1]], given)


def test_every_template_is_recomputed_here_or_checked_as_a_score() -> None:
    names = {name.split(".", 1)[1] for name in BANK if not any(s in BANK[name].tags for s in SCORES)}
    assert names | {"count.sirs_two_vital_signs", "interval.fever_and_tachycardia"} == {
        *ONE,
        *TWO,
        *GIVEN,
        *ALL,
        *MOMENT,
    }


@pytest.mark.parametrize(
    "name",
    [name for name in BANK if name.split(".", 1)[1] in {*ONE, *TWO, *GIVEN, *ALL, *MOMENT}],
)
def test_the_tree_gives_what_the_wording_asks(name: str) -> None:
    template = BANK[name]
    checked = 0
    for records, case in cases(template):
        try:
            gold = answer(template.tree, case)
        except UndefinedError:
            continue
        rows = [seen(record, records[0]) for record in records]
        right = expected(name, rows, list(case.at.values()), case.givens)
        assert (gold.text if gold.exact is None else gold.exact) == right
        checked += 1
        if checked == 150:
            break
    assert checked >= 10
