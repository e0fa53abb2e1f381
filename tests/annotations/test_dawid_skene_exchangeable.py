"""Classes of Dawid and Skene's model that fit as well exchanged: the labels do not tell which is which."""

import numpy as np
import pytest

from clinicnum.annotations.consensus import consensus_of_all
from clinicnum.annotations.consensus.label_patterns import Triple
from tests.annotations.test_dawid_skene import fitted

RARE = {
    "vvv": 107,
    "vvg": 5,
    "vva": 4,
    "vgv": 4,
    "vav": 3,
    "gvv": 3,
    "avv": 1,
    "gav": 1,
    "agv": 1,
    "avg": 1,
}
"""Items by what three annotators say of them: valid, gold wrong or ambiguous. No two agree on either."""


def rare_labels() -> list[Triple]:
    said = [row for row, n in RARE.items() for _ in range(n)]
    return [(f"i{n:03}", who, one) for n, row in enumerate(said) for who, one in zip("pqr", row, strict=True)]


@pytest.mark.parametrize("categories", [("v", "a", "g"), ("v", "g", "a"), ("a", "g", "v")])
def test_classes_that_fit_as_well_exchanged_have_no_names(categories: tuple[str, ...]) -> None:
    """12 % are called ambiguous or gold wrong, depending on the start, at a likelihood of -107.924836."""
    model = fitted(rare_labels(), categories)
    assert model.log_likelihood == pytest.approx(-107.924836, abs=1e-6)
    assert set(model.exchangeable) == {"a", "g"}
    settled = categories.index("v")
    assert [bool(np.isnan(one)) for one in model.prior] == [one != "v" for one in categories]
    assert model.prior[settled] == pytest.approx(0.857, abs=1e-3)
    assert model.accuracy(0) is None
    assert model.error_rate(0, categories.index("a"), settled) is None
    names, posterior = model.merged
    assert {frozenset(one) for one in names} == {frozenset("v"), frozenset("ag")}
    assert posterior.sum(axis=1) == pytest.approx(1.0)


def test_an_exchangeable_label_is_no_consensus() -> None:
    votes: dict[str, dict[str, str]] = {}
    for item, annotator, said in rare_labels():
        votes.setdefault(item, {})[annotator] = said
    found = consensus_of_all(votes, "dawid_skene", categories=("v", "a", "g"))
    assert {one.label for one in found.values()} == {"v", None}
    why = {one.reason for one in found.values() if one.label is None}
    assert all("a or g, probability " in one and "the labels do not tell which" in one for one in why)


def test_a_rare_class_that_all_name_alike_keeps_its_name() -> None:
    labels = rare_labels() + [(f"x{n}{one}", who, one) for n in range(3) for one in "ag" for who in "pqr"]
    model = fitted(labels, ("v", "a", "g"))
    assert model.exchangeable == ()
    assert not np.isnan(model.posterior).any()
