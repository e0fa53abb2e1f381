"""Every published case for the coefficients that are shipped: value, standard error and interval."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from clinicnum.annotations.agreement import Rating, agreement
from clinicnum.annotations.agreement.compute_agreement import COEFFICIENTS
from clinicnum.annotations.agreement.icc import FORMS, f_interval
from clinicnum.annotations.agreement.label_table import LabelTable
from clinicnum.annotations.agreement.parse_label_text import label_reader
from clinicnum.annotations.agreement.rating_panel_builder import build_panel
from clinicnum.errors import InputError
from tests.open_data import AGREEMENT

SHIPPED = {coefficient.name for coefficient in COEFFICIENTS}
OTHER_NAMES = {"krippendorff_alpha_nominal_on_sets": "krippendorff_alpha_nominal"}
"""Names under which the published files hold what is called otherwise here."""
NOT_OFFERED = {
    "fleiss_kappa_linear",
    "fleiss_kappa_quadratic",
    "krippendorff_alpha_passonneau2004",
    "krippendorff_alpha_ratio",
    "light_kappa_mean_pairwise_cohen",
}
"""Published beside the others; we do not compute them."""
_BY_TABLE = "irrCAC 0.4.4 (table)"
"""From a two-way table irrCAC divides the same sum of squares by n instead of n - 1."""
OTHER_METHODS = ("dawid_skene1979_anaesthetist", "shrout_fleiss1979")
"""Files with cases of their own: posteriors, and intraclass correlations (below)."""


def _our_name(name: str) -> str | None:
    """The name we print a published coefficient under; None where we do not offer it."""
    if name in NOT_OFFERED:
        return None
    for theirs, ours in (
        ("fleiss_kappa_category[", "fleiss_kappa["),
        ("krippendorff_alpha_binary_relevance[", "krippendorff_alpha_nominal["),
        ("cohen_kappa_binary_relevance[", "cohen_kappa["),
    ):
        if name.startswith(theirs):
            return ours + name.removeprefix(theirs)
    return OTHER_NAMES.get(name, name)


def _label(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, list):
        return "|".join(value) or "none"
    return str(value)


def _cases() -> list[Any]:
    return [
        pytest.param(path, name, id=f"{path.stem}: {name}")
        for path in sorted(AGREEMENT.glob("*.json"))
        if path.stem not in OTHER_METHODS
        for name in json.loads(path.read_text(encoding="utf-8"))["expected"]
        if _our_name(name) is not None
    ]


def _table(case: dict[str, Any]) -> list[Rating]:
    return [Rating(item, annotator, _label(label)) for item, annotator, label in case["ratings"]]


def _load(name: Path | str) -> dict[str, Any]:
    path = AGREEMENT / f"{name}.json" if isinstance(name, str) else name
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def test_the_published_cases_are_there() -> None:
    assert len(_cases()) >= 88


@pytest.mark.parametrize(("path", "name"), _cases())
def test_published_case(path: Path, name: str) -> None:
    case = _load(path)
    expected = case["expected"][name]
    scale = {"multilabel": "set"}.get(case["scale"], case["scale"])
    if name.startswith("gwet_ac2"):
        scale = "ordinal"  # one file is nominal and still holds the weighted figures
    result = agreement(_table(case), scale=scale, categories=[str(one) for one in case["categories"]])
    ours = _our_name(name)
    assert ours is not None
    got = result.coefficient(ours)
    assert got.value == pytest.approx(expected["value"], abs=expected["tolerance"])
    # The files print standard errors and intervals to at least 5 decimals.
    if expected.get("se") is not None:
        assert got.se is not None
        shrunk = math.sqrt(1 - 1 / got.n_items) if _BY_TABLE in expected["ci95_by"] else 1.0
        assert got.se * shrunk == pytest.approx(expected["se"], abs=6e-6)
        if expected["ci95"] is not None:
            assert got.value is not None
            assert got.ci95 is not None
            ends = [got.value + (end - got.value) * shrunk for end in got.ci95]
            assert ends == pytest.approx(expected["ci95"], abs=6e-6)


def test_one_observer_who_rated_each_patient_three_times_is_refused_by_name() -> None:
    case = _load("dawid_skene1979_anaesthetist")
    with pytest.raises(InputError, match=r"'observer1' has two labels on item 'patient1'.*`repeat`"):
        agreement(_table(case), scale="ordinal", categories=["1", "2", "3", "4"])


@pytest.mark.parametrize("name", list(FORMS))
def test_intraclass_correlation_of_shrout_and_fleiss(name: str) -> None:
    case = _load("shrout_fleiss1979")
    expected = case["expected"][name]
    got = agreement(_table(case), scale="interval", categories=None).coefficient(name)
    assert got.value == pytest.approx(expected["value"], abs=expected["tolerance"])
    # Six targets are too few for an interval here; the published one is still the formula's.
    assert got.ci_method == "none: 6 items; an interval needs at least 10"
    reader = label_reader("interval", None)
    panel, _, _ = build_panel(LabelTable.of(_table(case)), reader=reader, clusters=None)
    assert f_interval(panel, FORMS[name][1]) == pytest.approx(tuple(expected["ci95"]), abs=6e-6)
