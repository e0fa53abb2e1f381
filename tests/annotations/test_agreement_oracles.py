"""On random tables with missing labels our figures are those of other packages, or the difference is known.

The suite compares with answers recorded from two dozen tables; `scripts/evidence agreement` asks the packages
about a thousand and prints each difference with its reason, how often it occurs, and how many figures agree.
"""

import os
from collections import Counter, defaultdict

import pytest

from annotations.agreement import CoefficientValue
from annotations.agreement.compute import COEFFICIENTS
from scripts.ask_oracles import ROOT, ask_oracles
from tests.annotations.oracle_differences import ROUNDING, Figure, explained
from tests.annotations.oracles import RECORDED_TABLES, Case, cases, random_tables, recorded

TABLES = int(os.environ.get("CLINICNUM_TABLES", "0"))
"""How many to ask about; 0 compares with what is recorded."""
SAME = 1e-9


@pytest.fixture(scope="module")
def answers() -> list[tuple[Case, list[Figure]]]:
    asked = list(cases(random_tables(TABLES or RECORDED_TABLES)))
    if TABLES:
        found = ask_oracles([case.table.request() for case in asked])
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
    differ: Counter[tuple[str, str, str]] = Counter()
    unexplained = []
    for case, figures in answers:
        for figure in figures:
            name, package = figure["name"], figure["package"]
            if name not in case.ours:
                continue
            if _same(case, figure):
                agree[name, package] += 1
            elif (why := explained(case, figure)) is not None:
                differ[name, package, why] += 1
            else:
                unexplained.append((case.what, case.table.labels, figure, case.ours[name]))
                print("unexplained:", *unexplained[-1])
    for name, package in sorted({*agree, *(one[:2] for one in differ)}):
        print(f"{name:28} {package:13} {agree[name, package]:6} the same")
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
    assert len(reasons) >= 5


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
    compared: Counter[tuple[str, str]] = Counter()
    for case, figures in answers:
        for figure in figures:
            row = case.ours.get(figure["name"])
            if row is None or row.se is None or figure["se"] is None:
                continue
            assert figure["se"] == pytest.approx(row.se, abs=SAME), (case, figure)
            compared[figure["name"], figure["package"]] += 1
            _interval_is_the_same(row, figure)
    for (name, package), n in sorted(compared.items()):
        print(f"{name:28} {package:13} {n:6} standard errors and intervals the same")
    assert len(compared) >= 10


def _interval_is_the_same(row: CoefficientValue, figure: Figure) -> None:
    """Ours ends at 1 and at -1; irrCAC's at 1, statsmodels' nowhere."""
    assert row.ci95 is not None
    low, high = figure["ci95"]
    assert row.ci95 == pytest.approx((max(low, -1.0), min(high, 1.0)), abs=1e-8)


def test_the_recorded_answers_are_of_the_pinned_versions() -> None:
    pinned = (ROOT / "scripts" / "oracles.lock").read_text(encoding="utf-8").splitlines()
    for package, version in recorded()[1]["versions"].items():
        assert f"{package}=={version}" in pinned
