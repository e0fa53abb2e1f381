"""Dawid and Skene's consensus: their published table, and the checks on what EM found."""

import json
from typing import Any

import numpy as np
import pytest

from clinicnum.annotations.consensus import DawidSkene, consensus_of_all, dawid_skene
from clinicnum.annotations.consensus.dawid_skene_em import Em
from clinicnum.annotations.consensus.label_patterns import Triple, unique_patterns
from tests.open_data import AGREEMENT

PUBLISHED = AGREEMENT / "dawid_skene1979_anaesthetist.json"
CLASSES = ("1", "2", "3", "4")


@pytest.fixture(scope="module")
def published() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    return loaded


def fitted(labels: list[tuple[str, str, str]], categories: tuple[str, ...], **options: int) -> DawidSkene:
    result = dawid_skene(labels, categories=categories, **options)
    assert result.model is not None, result.undefined
    return result.model


@pytest.fixture(scope="module")
def model(published: dict[str, Any]) -> DawidSkene:
    return fitted([(item, who, str(label)) for item, who, label in published["ratings"]], CLASSES)


def figure(model: DawidSkene, name: str) -> float | None:
    """The figure that the published file calls `name`."""
    kind, _, rest = name.removesuffix("]").partition("[")
    if kind == "class_prior":
        return float(model.prior[CLASSES.index(rest)])
    who, *parts = rest.split(";")
    values = [CLASSES.index(part.partition("=")[2]) for part in parts]
    if kind == "error_rate":
        return model.error_rate(model.annotators.index(who), *values)
    assert kind == "posterior_max"
    row = model.posterior[model.items.index(who)]
    assert row.argmax() == values[0]
    return float(row.max())


def test_it_reproduces_the_published_table(published: dict[str, Any], model: DawidSkene) -> None:
    compared = 0
    for name, expected in published["expected"].items():
        value = figure(model, name)
        assert value == pytest.approx(expected["value"], abs=expected["tolerance"]), name
        if expected.get("published"):
            digits = expected["published"]["decimals"]
            assert value == pytest.approx(expected["published"]["value"], abs=0.5001 * 10**-digits), name
        compared += 1
    assert compared == 129


def test_it_stands_at_a_maximum_that_another_start_surpasses(model: DawidSkene) -> None:
    """Found by restarts: the published fit is a proper local maximum (nothing pulls), not the highest one."""
    assert model.distance < 1e-8
    assert model.boundary_pull == 0.0
    assert model.log_likelihood == pytest.approx(-192.890881, abs=1e-6)
    assert model.rival is not None
    assert model.rival.log_likelihood == pytest.approx(-191.568856, abs=1e-4)
    assert model.rival.items == 1
    assert model.ambiguity < 1e-4


def test_there_is_no_result_where_the_labels_do_not_settle_it() -> None:
    """Two annotators never differ: the likelihood rests on the third one's margin, whatever the classes."""
    labels = [(str(n), who, "a") for n in range(6) for who in "pq"]
    labels += [(str(n), "r", "b" if n == 0 else "a") for n in range(6)]
    result = dawid_skene(labels, categories=("a", "b"), labels_a_probability=0)
    assert result.model is None
    assert result.undefined is not None
    assert "starts that fit them equally well differ by up to 0.4" in result.undefined


def test_classes_are_named_as_most_votes_name_them() -> None:
    """The likelihood is the same with the names swapped: the rare label must not become the frequent one."""
    rng = np.random.default_rng(3)
    labels = [
        (f"i{item:04}", who, "ambiguous" if rng.random() < 0.03 else "valid")
        for item in range(900)
        for who in "pqr"
    ]
    result = dawid_skene(labels, categories=("ambiguous", "valid"))
    if result.model is not None:
        assert result.model.prior[1] > 0.5
        assert all(result.model.accuracy(place) > 0.5 for place in range(3))


def made_up(n: int, right: tuple[float, ...], seed: int = 1) -> tuple[list[tuple[str, str, str]], list[str]]:
    """Labels of annotators who are right with a known probability, else say one of the others."""
    rng = np.random.default_rng(seed)
    classes = ("a", "b", "c")
    truth = [classes[k] for k in rng.choice(3, n, p=(0.5, 0.3, 0.2))]
    labels = []
    for item, true in enumerate(truth):
        for who, chance in enumerate(right):
            others = [one for one in classes if one != true]
            said = true if rng.random() < chance else others[rng.integers(2)]
            labels.append((f"i{item:04}", f"w{who}", said))
    return labels, truth


def test_it_finds_the_errors_that_labels_were_made_with() -> None:
    right = (0.9, 0.8, 0.6, 0.7)
    labels, truth = made_up(3000, right)
    model = fitted(labels, ("a", "b", "c"), starts=0)
    for who, chance in enumerate(right):
        assert model.accuracy(who) == pytest.approx(chance, abs=0.03)
    assert model.prior == pytest.approx((0.5, 0.3, 0.2), abs=0.03)
    named = [model.categories[k] for k in model.posterior.argmax(axis=1)]
    by_model = np.mean([one == other for one, other in zip(named, truth, strict=True)])
    votes: dict[str, dict[str, str]] = {}
    for item, annotator, said in labels:
        votes.setdefault(item, {})[annotator] = said
    majority = consensus_of_all(votes, "majority")
    by_vote = np.mean([one.label == other for one, other in zip(majority.values(), truth, strict=True)])
    assert by_model > by_vote


def test_each_posterior_is_as_often_right_as_it_says() -> None:
    """Calibration: among posteriors near p a share p is right, within three binomial standard errors."""
    labels, truth = made_up(4000, (0.75, 0.65, 0.7), seed=2)
    model = fitted(labels, ("a", "b", "c"), starts=0)
    top = model.posterior.max(axis=1)
    right = np.array([model.categories[k] for k in model.posterior.argmax(axis=1)]) == np.array(truth)
    for low, high in ((0.5, 0.7), (0.7, 0.9), (0.9, 1.0)):
        band = (top >= low) & (top < high)
        error = np.sqrt(top[band].mean() * (1 - top[band].mean()) / band.sum())
        assert abs(right[band].mean() - top[band].mean()) < 3 * error + 0.02


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        pytest.param([], "0 annotator(s)", id="no label"),
        pytest.param([("1", "a", "x"), ("2", "a", "y")], "1 annotator(s)", id="one annotator"),
        pytest.param(
            [("1", "a", "x"), ("1", "b", "y")],
            "at most 2 labels on an item; 3 are needed",
            id="two annotators cannot be told apart from the classes",
        ),
    ],
)
def test_what_cannot_be_fitted_says_why(labels: list[tuple[str, str, str]], reason: str) -> None:
    result = dawid_skene(labels, categories=("x", "y"))
    assert result.model is None
    assert result.undefined is not None
    assert result.undefined.startswith(reason)


def test_classes_that_nobody_named_keep_probability_0_and_no_error_rate() -> None:
    labels = [(item, who, "x") for item in "123" for who in "abc"]
    model = fitted(labels, ("x", "y"))
    assert model.posterior.tolist() == [[1.0, 0.0]] * 3
    assert model.error_rate(0, 1, 0) is None
    assert model.error_rate(0, 0, 0) == 1.0
    assert model.rival is None


def test_the_order_of_the_labels_changes_nothing() -> None:
    labels, _ = made_up(60, (0.8, 0.7, 0.6))
    one, other = (fitted(rows, ("a", "b", "c")) for rows in (labels, labels[::-1]))
    assert one.posterior.tobytes() == other.posterior.tobytes()
    assert one.rival == other.rival


def sparse(seed: int) -> list[tuple[str, str, str]]:
    """Few items, five annotators of whom each labels seven items in ten."""
    rng = np.random.default_rng(seed)
    labels = []
    for item in range(12):
        true = rng.integers(4)
        for who in "pqrst":
            if rng.random() < 0.7:
                labels.append((str(item), who, CLASSES[true if rng.random() < 0.6 else rng.integers(4)]))
    return labels


def test_the_pull_at_a_rate_of_0_is_the_slope_of_the_likelihood_there() -> None:
    """Moving a little of a row to a rate of 0 changes the log-likelihood by the pull times the row's
    expected labels: the derivative is what the rate adds, less the multiplier of the row.
    """
    pulled = 0
    for seed in range(12):
        em = Em(unique_patterns(sorted(sparse(seed)), CLASSES))
        fit = em.run(em.votes())
        if fit.distance > 1e-8:
            continue
        best, step = 0.0, 1e-6
        for who, true, said in zip(*np.nonzero(fit.rates == 0), strict=True):
            weight = fit.expected[who, true].sum()
            if weight < 1e-6:
                continue
            moved = fit.rates.copy()
            moved[who, true] *= 1 - step
            moved[who, true, said] = step
            gain = em.likelihood(fit.prior, moved) - em.likelihood(fit.prior, fit.rates)
            best = max(best, gain / (step * weight))
        assert em.boundary_pull(fit) == pytest.approx(best, abs=1e-3)
        pulled += best > 1e-3
    assert pulled >= 1


def test_slow_labels_reach_the_same_point_as_plain_steps() -> None:
    """The leaps change how fast the fixed point is reached, not where it is."""
    labels, _ = made_up(80, (0.5, 0.6, 0.55, 0.5), seed=4)
    em = Em(unique_patterns(sorted(labels), ("a", "b", "c")))
    fit = em.run(em.votes())
    posterior = em.votes()
    for _ in range(5000):
        posterior, likelihood = em.step(posterior)
    assert fit.steps < 1500
    assert fit.log_likelihood == pytest.approx(likelihood, abs=1e-7)
    assert np.abs(fit.posterior - posterior).max() < 1e-5


def test_a_way_that_grows_ever_slower_ends_with_its_distance_told() -> None:
    """A rate that falls towards 0 like 1 / steps: rounding hides the gain long before it arrives."""
    rng = np.random.default_rng(0)
    labels = [(str(item), who, "ab"[rng.integers(2)]) for item in range(rng.integers(4, 9)) for who in "pqr"]
    model = fitted(labels, ("a", "b"), starts=0, labels_a_probability=0)
    assert 1e-8 < model.distance < 1e-3
    assert model.steps < 2000


def _simulated(
    annotators: int, classes: int, items: int, accuracy: float, seed: int
) -> tuple[list[Triple], list[str]]:
    """Labels of annotators who name the true class or guess, and the truth."""
    rng = np.random.default_rng(seed)
    names = [str(one) for one in range(classes)]
    truth = rng.choice(names, items, p=rng.dirichlet(np.full(classes, 2.0)))
    said = np.where(rng.random((annotators, items)) < accuracy, truth, rng.choice(names, (annotators, items)))
    labels = [(f"i{i:03}", f"a{a}", str(said[a, i])) for a in range(annotators) for i in range(items)]
    return labels, list(truth)


def test_too_few_labels_for_the_probabilities_are_refused() -> None:
    # 10 - 1 + 3 * 10 * 9 = 279 probabilities from 150 labels: posteriors of 0.99 were right in 85 %.
    labels, _ = _simulated(3, 10, 50, 0.7, seed=0)
    result = dawid_skene(labels, categories=[str(one) for one in range(10)])
    assert result.model is None
    assert result.undefined is not None
    assert "279 probabilities from 150 labels" in result.undefined
    assert "use another protocol" in result.undefined


def test_classes_that_nobody_named_count_for_nothing() -> None:
    labels, _ = _simulated(3, 2, 30, 0.9, seed=1)
    assert dawid_skene(labels, categories=[str(one) for one in range(10)]).model is not None


def test_sure_posteriors_are_right_about_as_often_as_docs_consensus_says() -> None:
    right = []
    for seed in range(20):
        labels, truth = _simulated(3, 4, 66, 0.8, seed)
        model = dawid_skene(labels, categories=list("0123"), starts=0).model
        assert model is not None
        sure = model.posterior.max(axis=1) >= 0.99
        named = np.array([int(one) for one in truth])
        right += list(model.posterior.argmax(axis=1)[sure] == named[sure])
    assert 0.93 <= np.mean(right) <= 1.0
