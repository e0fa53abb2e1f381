"""On random tables with missing labels our figures are those of other packages, or the difference is known.

The suite compares with answers recorded from three dozen tables, on which every known reason occurs.
`scripts/dev/evidence agreement` asks the packages about a thousand and prints each difference with its
reason, how often it occurs, and how many figures agree.
"""

import os
from collections import Counter, defaultdict
from math import inf

import pytest

from clinicnum.annotations.agreement import CoefficientValue
from clinicnum.annotations.agreement.compute_agreement import COEFFICIENTS
from clinicnum.scripts.dev.run_agreement_packages import ROOT, run_reference_packages
from tests.annotations.oracle_differences import DIFFERENCES, ROUNDING, Figure, explained
from tests.annotations.oracle_formulas import pyirr_ends_of_mean
from tests.annotations.oracles import Case, cases, random_tables, recorded, suite_tables

TABLES = int(os.environ.get("CLINICNUM_TABLES", "0"))
"""How many to ask about; 0 compares with what is recorded."""
SAME = 1e-9


@pytest.fixture(scope="module")
def answers() -> list[tuple[Case, list[Figure]]]:
    asked = list(cases(random_tables(TABLES) if TABLES else suite_tables()))
    if TABLES:
        found = run_reference_packages([case.table.request() for case in asked])
    else:
        labels, found = recorded()
        assert labels == [[*case.table.labels] for case in asked], "record the answers anew"
    print(", ".join(f"{package} {version}" for package, version in found["versions"].items()))
    return list(zip(asked, found["tables"], strict=True))


def _same(case: Case, figure: Figure) -> bool:
    value = case.ours[figure["name"]].value
    if value is None or figure["value"] is None:
        return value is figure["value"]
    return bool(figure["value"] == pytest.approx(value, abs=SAME))


def test_every_figure_is_that_of_the_packages_or_differs_for_a_known_reason(
    answers: list[tuple[Case, list[Figure]]],
) -> None:
    agree: Counter[tuple[str, str]] = Counter()
    neither: Counter[tuple[str, str]] = Counter()
    differ: Counter[tuple[str, str, str]] = Counter()
    unexplained = []
    for case, figures in answers:
        for figure in figures:
            name, package = figure["name"], figure["package"]
            if name not in case.ours:
                continue
            if _same(case, figure):
                (agree if figure["value"] is not None else neither)[name, package] += 1
            elif (why := explained(case, figure)) is not None:
                differ[name, package, why] += 1
            else:
                unexplained.append((case.what, case.table.labels, figure, case.ours[name]))
                print("unexplained:", *unexplained[-1])
    for name, package in sorted({*agree, *(one[:2] for one in differ)}):
        same, without = agree[name, package], neither[name, package]
        print(f"{name:28} {package:13} {same:6} the same, {without} without a value on either side")
        for (_, _, why), times in sorted(one for one in differ.items() if one[0][:2] == (name, package)):
            print(f"{'':42} {times:6} differ: {why}")
    assert unexplained == []
    assert {name for name, _ in agree} == {coefficient.name for coefficient in COEFFICIENTS}


def test_a_reason_explains_no_figure_but_the_one_the_package_must_give(
    answers: list[tuple[Case, list[Figure]]],
) -> None:
    reasons = set()
    for case, figures in answers:
        for figure in figures:
            if figure["name"] not in case.ours or _same(case, figure):
                continue
            reasons.add(explained(case, figure))
            other = figure | {"value": 0.1234567, "undefined": None}
            assert explained(case, other) in (None, ROUNDING), (case, figure)
    assert reasons == {one.why for one in DIFFERENCES}


def test_every_coefficient_is_that_of_two_packages(answers: list[tuple[Case, list[Figure]]]) -> None:
    with_value: dict[str, set[str]] = defaultdict(set)
    for case, figures in answers:
        for figure in figures:
            if figure["value"] is not None and figure["name"] in case.ours and _same(case, figure):
                with_value[figure["name"]].add(figure["package"])
    assert {one.name: with_value[one.name] for one in COEFFICIENTS if len(with_value[one.name]) < 2} == {}


def test_standard_errors_and_intervals_are_those_of_the_packages(
    answers: list[tuple[Case, list[Figure]]],
) -> None:
    compared: Counter[tuple[str, str, str]] = Counter()
    for case, figures in answers:
        for figure in figures:
            row = case.ours.get(figure["name"])
            if row is None or row.ci95 is None or figure["ci95"] is None:
                continue
            if row.se is not None:
                assert figure["se"] == pytest.approx(row.se, abs=SAME), (case, figure)
            how = "intervals the same, and standard errors where there are any"
            if (figure["package"], figure["name"]) == ("pyirr", "icc(2,k)"):
                how = "intervals differ: degrees of freedom as if the correlation were 0"
                assert figure["ci95"] == pytest.approx(pyirr_ends_of_mean(case.table), rel=1e-8, abs=1e-8)
            else:
                _interval_is_the_same(row, figure)
            compared[figure["name"], figure["package"], how] += 1
    for (name, package, how), n in sorted(compared.items()):
        print(f"{name:28} {package:13} {n:6} {how}")
    assert len(compared) >= 10


def _interval_is_the_same(row: CoefficientValue, figure: Figure) -> None:
    """Ours ends at 1, and at -1 unless the value is lower or of a mean; irrCAC's at 1, others' nowhere."""
    assert row.ci95 is not None
    assert row.value is not None
    low, high = figure["ci95"]
    least = -inf if row.value < -1.0 or row.name.endswith(",k)") else -1.0
    assert row.ci95 == pytest.approx((max(low, least), min(high, 1.0)), rel=1e-8, abs=1e-8)


def test_the_recorded_answers_are_of_the_pinned_versions() -> None:
    pinned = (ROOT / "scripts" / "dev" / "oracles.lock").read_text(encoding="utf-8").splitlines()
    for package, version in recorded()[1]["versions"].items():
        assert f"{package}=={version}" in pinned
