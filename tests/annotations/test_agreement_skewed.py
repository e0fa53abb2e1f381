"""Where labels hardly vary, intervals of kappas and alpha are withheld or warned about, wherever shown.

`scripts/dev/evidence coverage` runs 2,000 data sets of each design and prints the table of
`docs/agreement-evidence.md`; the suite runs 40.
"""

import os
import re
from collections import defaultdict

import numpy as np
import pytest

from clinicnum.annotations.agreement import Rating, agreement, intervals
from clinicnum.annotations.agreement.format_results import thin_labels
from clinicnum.annotations.agreement.intervals import FEW_OFF_MODE, LEAST_OFF_MODE
from clinicnum.annotations.agreement.study_agreement import Layer
from clinicnum.annotations.agreement.types import AgreementResult
from clinicnum.ui.pages.agreement.view import coefficient_rows
from tests.annotations import simulated_annotators as simulated
from tests.annotations.test_agreement_coverage import _table

DATA_SETS = int(os.environ.get("CLINICNUM_SIMULATIONS", "40"))
ON_SHARES = ("cohen_kappa", "fleiss_kappa", "conger_kappa", "scott_pi", "krippendorff_alpha_nominal")


def _two_labels(share: float) -> simulated.Model:
    """Two annotators and two labels, of which one is the right one of this share of items."""
    return simulated.Model(
        prevalence=(share, 1 - share),
        hard=0.2,
        sure=((0.95, 0.5), (0.9, 0.4)),
        leanings=((share, 1 - share),) * 2,
    )


MOSTLY_ONE = {share: _two_labels(share) for share in (0.95, 0.9, 0.8)}
BALANCED = {share: _two_labels(share) for share in (0.65, 0.5)}
"""Tables in which few labels are off the most frequent one only because there are few labels."""


def two_annotators(off: int, items: int = 40) -> AgreementResult:
    """Labels of which `off` are b and the rest a; the annotators differ on one item."""
    ratings = []
    for place in range(items):
        one = "b" if place < off // 2 else "a"
        two = "b" if 1 <= place < 1 + off - off // 2 else "a"
        ratings += [Rating(f"i{place}", "one", one), Rating(f"i{place}", "two", two)]
    return agreement(ratings, scale="nominal", categories=["a", "b"])


@pytest.mark.parametrize("off", [2, LEAST_OFF_MODE - 1])
def test_under_five_labels_off_the_mode_there_is_no_interval(off: int) -> None:
    result = two_annotators(off)
    for name in ON_SHARES:
        row = result.coefficient(name)
        assert row.value is not None
        assert (row.se, row.ci95) == (None, None)
        assert f"only {off} of 80 labels" in (thin_labels(row) or "")
    assert result.coefficient("gwet_ac1").ci95 is not None
    assert result.coefficient("percent_agreement").ci95 is not None


@pytest.mark.parametrize("off", [LEAST_OFF_MODE, FEW_OFF_MODE - 1])
def test_under_twenty_it_warns(off: int) -> None:
    row = two_annotators(off).coefficient("krippendorff_alpha_nominal")
    assert row.ci95 is not None
    assert f"only {off} of 80 labels are not the most frequent one" in (thin_labels(row) or "")


def test_from_twenty_on_it_does_not() -> None:
    for name in ON_SHARES:
        assert thin_labels(two_annotators(FEW_OFF_MODE).coefficient(name)) is None


def test_the_page_shows_the_warning() -> None:
    shown = str(coefficient_rows([Layer(name="x", title="X", conditional=False, result=two_annotators(6))]))
    assert "only 6 of 80 labels are not the most frequent one" in shown


@pytest.mark.parametrize("items", [10, 30, 100])
def test_intervals_that_are_shown_cover_the_truth(items: int) -> None:
    for share, model in (MOSTLY_ONE | BALANCED).items():
        truth = simulated.truth_of(model).krippendorff_alpha_nominal
        rng = np.random.default_rng([items, round(100 * share)])
        told: dict[str, list[bool]] = defaultdict(list)
        for _ in range(DATA_SETS):
            table = _table(simulated.labels(model, items, 1, rng), 2, 1)
            row = agreement(
                table, scale="nominal", categories=["0", "1"], only=["krippendorff_alpha_nominal"]
            ).coefficients[0]
            if row.ci95 is None:
                told["withheld"].append(False)
            else:
                kind = "warned" if thin_labels(row) else "plain"
                told[kind].append(row.ci95[0] <= truth <= row.ci95[1])
        shares = {kind: f"{100 * np.mean(held):.1f} % of {len(held)}" for kind, held in sorted(told.items())}
        print(f"{share:.0%} one label, {items} items: {shares}")
        if len(told["plain"]) >= 30:
            spread = 4 * np.sqrt(0.05 * 0.95 / len(told["plain"]))
            assert np.mean(told["plain"]) >= 0.90 - spread


def test_intervals_that_are_withheld_miss_the_truth_in_half(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intervals, "LEAST_OFF_MODE", 0)
    thin = re.compile(f"only [1-{LEAST_OFF_MODE - 1}] of ")
    held = []
    for items in (10, 30, 100):
        for share, model in MOSTLY_ONE.items():
            truth = simulated.truth_of(model).krippendorff_alpha_nominal
            rng = np.random.default_rng([items, round(100 * share)])
            here = []
            for _ in range(DATA_SETS):
                table = _table(simulated.labels(model, items, 1, rng), 2, 1)
                row = agreement(
                    table, scale="nominal", categories=["0", "1"], only=["krippendorff_alpha_nominal"]
                ).coefficients[0]
                if row.ci95 is not None and thin.search(row.ci_method or ""):
                    here.append(row.ci95[0] <= truth <= row.ci95[1])
            print(
                f"withheld, {share:.0%} one label, {items} items: {sum(here)} of {len(here)} held the truth"
            )
            held += here
    assert 0.35 < np.mean(held) < 0.65
