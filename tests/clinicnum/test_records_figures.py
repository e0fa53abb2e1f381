"""The figures by which sources are compared, worked out by hand for a few records."""

import warnings
from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np
import pytest

from clinicnum.types import Record
from tests.clinicnum.record_figures import Columns, figures


def record(subject: str, stay: str, minute: int, rate: int | None, sbp: int | None) -> Record:
    time = datetime(2150, 1, 1) + timedelta(minutes=minute)
    dbp = None if sbp is None else sbp - 50
    fields = {"subject_id": subject, "stay_id": stay, "charttime": time, "age_years": 60, "source": "t"}
    others = {"temperature_c": "37.0", "resp_rate_bpm": 16, "spo2_pct": 98, "pain": 0}
    values = {"heart_rate_bpm": rate, "sbp_mmhg": sbp, "dbp_mmhg": dbp}
    return Record.model_validate(fields | others | values)


ROWS = (
    record("a", "1", 0, 100, 120),
    record("a", "1", 10, 110, 121),
    record("a", "1", 40, 110, 130),
    record("a", "2", 90, 80, 90),
    record("a", "2", 93, 80, None),
    record("b", "3", 0, None, 140),
)
EXPECTED = {
    "heart_rate_bpm.mean": (100 + 110 + 110 + 80 + 80) / 5,
    "heart_rate_bpm.p50": 100,
    "heart_rate_bpm.missing": 1 / 6,
    "heart_rate_bpm.tie_highest": 1,  # 110 twice in stay 1, 80 twice in stay 2; stay 3 has none
    "heart_rate_bpm.tie_lowest": 1 / 2,
    "heart_rate_bpm.repeated": 2 / 3,  # of 100-110, 110-110, 80-80
    "heart_rate_bpm.change_mean": (10 + 0) / 2,
    "heart_rate_bpm.above_100.never": 1 / 2,
    "heart_rate_bpm.above_100.always": 0,
    "heart_rate_bpm.above_100.at_first": 0,
    # Less their stay's mean of 320/3 or 80, and times 3, the neighbours 100-110, 110-110, 80-80 are
    # (-20, 10), (10, 10), (0, 0). Less the means -10/3 and 20/3, and times 3: (-50, 10), (40, 10), (10, -20).
    "heart_rate_bpm.lag1_within": (-500 + 400 - 200) / ((2500 + 1600 + 100) * (100 + 100 + 400)) ** 0.5,
    "sbp_mmhg.ends_in_0": 4 / 5,
    "sbp_mmhg.equals_120": 1 / 5,
    "sbp_mmhg.even": 4 / 5,
    "pooled.sbp_mmhg~dbp_mmhg": 1,
    "pulse_pressure.mean": 50,
    "mean_pressure.above_100": 1 / 5,  # 90 + 50 / 3 in stay 3; 80 + 50 / 3 is below
    "missing.none": 4 / 6,
    "missing.any_of_the_other_five": 2 / 6,
    "missing.all": 0,
    "records_per_stay.mean": 2,
    "records_per_stay.one": 1 / 3,
    "gap_min.mean": (10 + 30 + 3) / 3,
    "gap_min.under_5": 1 / 3,
    "stays_per_subject.mean": 3 / 2,
    "stays_per_subject.one": 1 / 2,
    "women.of_stays": 0,
}


def found(columns: Columns) -> dict[str, float]:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a vital that does not vary has no correlations
        return figures(columns)


def test_the_figures_of_a_few_records() -> None:
    of_these = found(Columns(ROWS))
    assert {name: of_these[name] for name in EXPECTED} == pytest.approx(EXPECTED)


@pytest.mark.parametrize(("subjects", "stays", "records"), [([0, 0], 2, 2.5), ([1, 0, 1], 4 / 3, 7 / 4)])
def test_resampled_subjects_are_other_subjects(subjects: Sequence[int], stays: float, records: float) -> None:
    of_these = found(Columns(ROWS).resampled(subjects))
    assert of_these["stays_per_subject.mean"] == stays
    assert of_these["records_per_stay.mean"] == records
