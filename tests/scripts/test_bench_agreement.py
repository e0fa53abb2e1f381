"""The benchmark of agreement runs at a small size, and a tenth of its labels stays below its target."""

import pytest

from clinicnum.annotations.agreement import agreement
from clinicnum.scripts.dev.bench_agreement import (
    CATEGORIES,
    NAMES,
    TARGET_S,
    as_table,
    made_up,
    reading,
    time_clinicnum,
    timed,
)


def test_the_benchmark_prints_what_it_computed(capsys: pytest.CaptureFixture[str]) -> None:
    time_clinicnum(500, 1)
    out = capsys.readouterr().out
    assert "2,500 labels: 500 items, 5 annotators, 8 categories, 10 subjects" in out
    # 7 overall, 7 for each of 8 categories, 9 for each of 10 pairs: Cohen and Scott are for two annotators.
    assert f"{7 + 7 * CATEGORIES + 9 * 10} values" in out
    assert "10 pairs, 7 bootstrap intervals" in out


def test_a_hundred_thousand_labels_take_less_than_the_target_for_a_million() -> None:
    table = as_table(made_up(20_000), clustered=True)
    _, cpu, _ = timed(lambda: agreement(table, scale="nominal", categories=NAMES, details=True), 2)
    assert cpu < TARGET_S
    assert reading(as_table(made_up(500), clustered=True)) < TARGET_S
