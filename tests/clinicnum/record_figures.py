"""The aggregate figures by which `synthetic` is compared with the open MIMIC-IV-ED demo.

`figures` takes the records of any source, by subject, stay and time. Every figure is a plain number under a
name such as `sbp_mmhg.p95`.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from clinicnum.types import Record, Vital

Floats = NDArray[np.float64]
VITALS: tuple[Vital, ...] = get_args(Vital)
PERCENTILES = (5, 25, 50, 75, 95)
ABOVE: tuple[tuple[Vital, str], ...] = (
    ("sbp_mmhg", "120"),
    ("dbp_mmhg", "80"),
    ("heart_rate_bpm", "100"),
    ("resp_rate_bpm", "20"),
    ("temperature_c", "37.5"),
)
BELOW: tuple[tuple[Vital, str], ...] = (
    ("sbp_mmhg", "90"),
    ("dbp_mmhg", "60"),
    ("heart_rate_bpm", "60"),
    ("resp_rate_bpm", "12"),
    ("temperature_c", "36.5"),
    ("spo2_pct", "95"),
)
"""The thresholds of the base bank's comparisons. A value that equals one tells `above` from `at least`."""


class Columns:
    """Records as arrays: `values` (records, 7), NaN for undocumented; `stay` and `subject` are numbered."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.values: Floats = np.array(
            [[np.nan if (x := getattr(r, v)) is None else float(x) for v in VITALS] for r in records]
        )
        self.stay = _running([r.stay_id for r in records])
        self.subject = _running([r.subject_id for r in records])
        start = datetime(2100, 1, 1)
        self.minute: Floats = np.array([(r.charttime - start) / timedelta(minutes=1) for r in records])
        self.age: Floats = np.array([np.nan if r.age_years is None else r.age_years for r in records])
        self.woman: Floats = np.array([r.gender == "F" for r in records], dtype=float)

    def resampled(self, subjects: Iterable[int]) -> "Columns":
        """The same with these subjects, each as often as named and then as another subject."""
        blocks = [np.flatnonzero(self.subject == subject) for subject in subjects]
        rows, copy = np.concatenate(blocks), np.repeat(np.arange(len(blocks)), [len(b) for b in blocks])
        new = Columns([])
        for name in ("values", "minute", "age", "woman"):
            setattr(new, name, getattr(self, name)[rows])
        new.subject, new.stay = (
            copy,
            _running(list(zip(copy.tolist(), self.stay[rows].tolist(), strict=True))),
        )
        return new


def _running(ids: Sequence[object]) -> NDArray[np.int64]:
    """0, 0, 1, 2, 2 ... for neighbours that are alike or not."""
    new = [a != b for a, b in zip(ids[1:], ids, strict=False)]
    return np.cumsum([0, *new])[: len(ids)]


def figures(columns: Columns) -> dict[str, float]:
    """All figures by name; a share is a fraction of 1."""
    out: dict[str, float] = {}
    for place, vital in enumerate(VITALS):
        out |= {f"{vital}.{name}": value for name, value in _vital(columns, place).items()}
        out[f"{vital}.next_visit"] = _next_visit(columns, place)
    out |= _correlations(columns)
    out |= _missing(columns)
    out |= _structure(columns)
    out |= _charting(columns)
    for vital, threshold in ABOVE[:4]:  # too few are above the fifth
        out |= _crossing(columns, vital, threshold)
    return out


def _vital(c: Columns, place: int) -> dict[str, float]:
    known = ~np.isnan(c.values[:, place])
    x, stay = c.values[known, place], c.stay[known]
    same = stay[1:] == stay[:-1]
    now, before, centred = x[1:][same], x[:-1][same], x - _stay_mean(x, stay)
    starts = np.flatnonzero(np.r_[True, stay[1:] != stay[:-1]])
    sizes = np.diff(np.r_[starts, len(x)])
    several = sizes > 1
    ends = starts + sizes - 1
    change = (x[ends] - x[starts])[several]
    at_top, at_bottom = (f.reduceat(x, starts) for f in (np.maximum, np.minimum))
    tops = np.add.reduceat(x == np.repeat(at_top, sizes), starts)
    bottoms = np.add.reduceat(x == np.repeat(at_bottom, sizes), starts)
    return {
        "mean": x.mean(),
        "sd": x.std(ddof=1),
        **{f"p{p}": np.percentile(x, p) for p in PERCENTILES},
        "missing": 1 - known.mean(),
        "tie_highest": (tops[several] > 1).mean(),
        "tie_lowest": (bottoms[several] > 1).mean(),
        "repeated": (now == before).mean(),
        "lag1": np.corrcoef(now, before)[0, 1],
        "lag1_within": np.corrcoef(centred[1:][same], centred[:-1][same])[0, 1],
        "step_sd": (now - before).std(),
        "change_mean": change.mean(),
        "change_sd": change.std(),
        "first_highest": (x[starts] == at_top)[sizes > 3].mean(),
        "last_highest": (x[ends] == at_top)[sizes > 3].mean(),
    }


def _next_visit(c: Columns, place: int) -> float:
    """Correlation of the means of neighbouring stays of a subject."""
    known = ~np.isnan(c.values[:, place])
    x, stay, subject = c.values[known, place], c.stay[known], c.subject[known]
    starts = np.flatnonzero(np.r_[True, stay[1:] != stay[:-1]])
    mean, owner = _stay_mean(x, stay)[starts], subject[starts]
    same = owner[1:] == owner[:-1]
    return float(np.corrcoef(mean[1:][same], mean[:-1][same])[0, 1])


def _stay_mean(x: Floats, stay: NDArray[np.int64]) -> Floats:
    counts = np.bincount(stay)
    mean: Floats = (np.bincount(stay, x) / np.maximum(counts, 1))[stay]
    return mean


def _correlations(c: Columns) -> dict[str, float]:
    out: dict[str, float] = {}
    known = ~np.isnan(c.values)
    centred = np.full_like(c.values, np.nan)
    for place in range(len(VITALS)):
        rows = known[:, place]
        centred[rows, place] = c.values[rows, place] - _stay_mean(c.values[rows, place], c.stay[rows])
    for a, b in combinations(range(len(VITALS)), 2):
        both = known[:, a] & known[:, b]
        name = f"{VITALS[a]}~{VITALS[b]}"
        out[f"pooled.{name}"] = np.corrcoef(c.values[both, a], c.values[both, b])[0, 1]
        out[f"within.{name}"] = np.corrcoef(centred[both, a], centred[both, b])[0, 1]
    return out


def _missing(c: Columns) -> dict[str, float]:
    gone = np.isnan(c.values)
    temperature, pain = gone[:, 0], gone[:, VITALS.index("pain")]
    five = gone[:, 1:6].any(axis=1)
    first = np.r_[True, c.stay[1:] != c.stay[:-1]]
    last = np.r_[c.stay[1:] != c.stay[:-1], True]
    follows = ~first[1:]
    return {
        "missing.none": (~gone.any(axis=1)).mean(),
        "missing.none_of_six": (~gone[:, :6].any(axis=1)).mean(),
        "missing.temperature_only": (temperature & ~pain & ~five).mean(),
        "missing.pain_only": (pain & ~temperature & ~five).mean(),
        "missing.temperature_and_pain": (pain & temperature & ~five).mean(),
        "missing.any_of_the_other_five": five.mean(),
        "missing.both_pressures_or_none": (gone[:, 4] == gone[:, 5]).mean(),
        "missing.all": gone.all(axis=1).mean(),
        "missing.temperature_at_first": temperature[first].mean(),
        "missing.temperature_at_last": temperature[last & ~first].mean(),
        "missing.pain_at_first": pain[first].mean(),
        "missing.temperature_after_missing": temperature[1:][follows & temperature[:-1]].mean(),
        "missing.temperature_after_known": temperature[1:][follows & ~temperature[:-1]].mean(),
        "missing.pain_after_missing": pain[1:][follows & pain[:-1]].mean(),
        "missing.pain_after_known": pain[1:][follows & ~pain[:-1]].mean(),
    }


def _structure(c: Columns) -> dict[str, float]:
    first = np.flatnonzero(np.r_[True, c.stay[1:] != c.stay[:-1]])
    sizes = np.diff(np.r_[first, len(c.stay)])
    same = c.stay[1:] == c.stay[:-1]
    gaps = np.diff(c.minute)[same]
    owner = c.subject[first]
    stays = np.bincount(owner)
    person = first[np.r_[True, owner[1:] != owner[:-1]]]
    two = same[1:] & same[:-1]
    step = np.diff(c.minute)
    after, before = step[1:][two], step[:-1][two]
    return {
        **_spread("records_per_stay", sizes.astype(float)),
        "records_per_stay.one": (sizes == 1).mean(),
        **_spread("gap_min", gaps),
        "gap_min.under_5": (gaps < 5).mean(),
        "gap_min.lag1": np.corrcoef(after, before)[0, 1],
        **_spread("stays_per_subject", stays.astype(float)),
        "stays_per_subject.one": (stays == 1).mean(),
        **_spread("age", c.age[person]),
        "women.of_subjects": c.woman[person].mean(),
        "women.of_stays": c.woman[first].mean(),
    }


def _spread(name: str, x: Floats) -> dict[str, float]:
    return {
        f"{name}.mean": x.mean(),
        f"{name}.sd": x.std(ddof=1),
        **{f"{name}.p{p}": np.percentile(x, p) for p in PERCENTILES},
    }


def _charting(c: Columns) -> dict[str, float]:
    """Digits as charted, values at and beyond the thresholds, and what the bank derives of two vitals."""
    out: dict[str, float] = {}
    by_name = {vital: x[~np.isnan(x)] for vital, x in zip(VITALS, c.values.T, strict=True)}
    for vital in VITALS[1:6]:
        out[f"{vital}.ends_in_0"] = (by_name[vital] % 10 == 0).mean()
        out[f"{vital}.even"] = (by_name[vital] % 2 == 0).mean()
    out["pain.equals_0"] = (by_name["pain"] == 0).mean()
    for vital, threshold in (*ABOVE, *BELOW):
        out[f"{vital}.equals_{threshold}"] = (by_name[vital] == float(threshold)).mean()
    out |= {f"{vital}.above_{x}": (by_name[vital] > float(x)).mean() for vital, x in ABOVE}
    out |= {f"{vital}.below_{x}": (by_name[vital] < float(x)).mean() for vital, x in BELOW}
    hr, sbp, dbp = (c.values[:, VITALS.index(v)] for v in ("heart_rate_bpm", "sbp_mmhg", "dbp_mmhg"))
    shock, pulse = hr / sbp, sbp - dbp
    shock, pulse = shock[~np.isnan(shock)], pulse[~np.isnan(pulse)]
    mean_pressure = (dbp + (sbp - dbp) / 3)[~np.isnan(sbp - dbp)]
    out |= {
        "shock_index.mean": shock.mean(),
        "shock_index.sd": shock.std(),
        "shock_index.above_0.7": (shock > 0.7).mean(),
        "pulse_pressure.mean": pulse.mean(),
        "pulse_pressure.sd": pulse.std(),
        "pulse_pressure.p5": np.percentile(pulse, 5),
        "mean_pressure.above_100": (mean_pressure > 100).mean(),
    }
    return out


def _crossing(c: Columns, vital: Vital, threshold: str) -> dict[str, float]:
    """Share of stays with no record above, with all, and of those with some that the first is."""
    x = c.values[:, VITALS.index(vital)]
    known = ~np.isnan(x)
    above, stay = x[known] > float(threshold), c.stay[known]
    starts = np.flatnonzero(np.r_[True, stay[1:] != stay[:-1]])
    sizes = np.diff(np.r_[starts, len(stay)])
    counts = np.add.reduceat(above.astype(int), starts)
    several = sizes > 1
    name = f"{vital}.above_{threshold}"
    return {
        f"{name}.never": (counts == 0)[several].mean(),
        f"{name}.always": (counts == sizes)[several].mean(),
        f"{name}.at_first": above[starts][several & (counts > 0)].mean(),
    }
