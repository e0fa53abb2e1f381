"""Slices: what is searched, how it is tested, and what a frame must be."""

import itertools

import numpy as np
import pandas as pd
import pytest

from clinicnum.errors import InputError
from clinicnum.slices.answer_table import Table
from clinicnum.slices.find_slices import find_slices
from clinicnum.slices.held_out_test import difference
from clinicnum.slices.scan_candidate_slices import MOST_SHARE, Candidate, Support, scan
from clinicnum.slices.slice_conditions import facets_of
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.interval_estimate import share_of

SUPPORT = Support(items=15, subjects=5, difference=0.0)
FACETS = ["site", "records", "band", "vital"]


def answers(*, runs: int = 2, subjects: int = 60, seed: int = 0) -> pd.DataFrame:
    """Random answers with every kind of facet."""
    rng = np.random.default_rng(seed)
    n = subjects * 8
    vitals = np.empty(3, dtype=object)
    vitals[:] = [("pulse",), ("pulse", "pressure"), ()]
    questions = pd.DataFrame(
        {
            "subject_id": [f"s{place % subjects}" for place in range(n)],
            "site": rng.choice(["A", "B", "C"], n),
            "records": rng.integers(1, 30, n).astype(float),
            "band": pd.Categorical(
                rng.choice(["low", "mid", "high"], n), ["low", "mid", "high"], ordered=True
            ),
            "vital": vitals[rng.integers(0, 3, n)],
        }
    )
    questions.loc[::17, "records"] = np.nan
    frame = pd.concat([questions.assign(run_id=f"run {at}") for at in range(runs)], ignore_index=True)
    return frame.assign(correct=rng.random(len(frame)) < 0.7)


def table_of(frame: pd.DataFrame) -> Table:
    return Table.of(frame, FACETS, outcome="correct", subject="subject_id", run="run_id", least=30, seed=0)


def test_the_scan_finds_and_scores_what_one_by_one_would() -> None:
    half = table_of(answers()).searched_half()
    errors = half.centred(half.wrong)
    found = scan(half, errors, SUPPORT, terms=2, threshold=-np.inf, most=10**6)
    terms = [(f, c) for f, facet in enumerate(half.facets) for c in range(len(facet.conditions))]
    pairs = [pair for pair in itertools.combinations(terms[::-1], 2) if pair[0][0] != pair[1][0]]
    expected = {}
    for run in (-1, 0, 1):
        within = Candidate(run, ()).holds(half.facets, half.run)
        for some in [(one,) for one in terms] + pairs:
            one = Candidate(run, some)
            inside = one.holds(half.facets, half.run)
            score = 0.0
            for of in {run} - {-1} or {0, 1}:
                mine = half.run == of
                share = inside[mine].mean()
                score = score + np.bincount(half.group[mine], (inside[mine] - share) * errors[mine], 30)
            parts = [Candidate(run, (term,)).holds(half.facets, half.run) for term in some if len(some) > 1]
            enough = min([inside.sum(), *(each.sum() - inside.sum() for each in [*parts, within])]) >= 15
            gap = half.wrong[inside].mean() - half.wrong[within & ~inside].mean()
            if enough and inside.sum() <= MOST_SHARE * within.sum() and gap >= 0:
                expected[one] = score.sum()
    assert set(found.candidates) <= set(expected)
    # a difference of nearly 0 may fall on either side of 0 with the weights of runs
    assert len(expected) - len(found.candidates) < 0.02 * len(expected)
    assert len(expected) > 150
    sums = [expected[one] for one in found.candidates]
    assert np.sign(sums).tolist() == np.sign(found.scores).tolist()
    assert found.scores == sorted(found.scores, reverse=True)


def test_facets_become_conditions() -> None:
    frame = answers()
    said = {
        name: [str(one) for facet in facets_of(frame[name], least=30) for one in facet.conditions]
        for name in FACETS
    }
    assert sorted(said["site"]) == ["site = A", "site = B", "site = C"]
    assert said["band"] == ["band < mid", "band < high", "band >= mid", "band >= high"]
    assert said["vital"] == ["vital = pressure", "vital = pulse"]
    assert "records >= 16.0" in said["records"]
    (facet,) = facets_of(frame["records"], least=30)
    at = [str(one) for one in facet.conditions].index("records >= 16.0")
    assert (facet.holds(at) == (frame["records"] >= 16)).all()
    (rare,) = facets_of(pd.Series(["a"] * 40 + ["b"] * 5, name="kind"), least=10)
    assert [str(one) for one in rare.conditions] == ["kind = a"]
    assert facets_of(pd.Series([None, None], name="kind", dtype=object), least=1)[0].conditions == ()


def test_the_difference_is_that_of_the_rest_of_the_same_runs() -> None:
    """The easy run has most of the slice: a plain comparison would call the slice easy."""
    run = np.repeat([0, 1], 400)
    rng = np.random.default_rng(1)
    inside = rng.random(800) < np.where(run == 0, 0.8, 0.2)
    wrong = (rng.random(800) < np.where(run == 0, 0.1, 0.7) + 0.15 * inside).astype(float)
    subject = np.tile(np.arange(40), 20)
    every = np.ones(800, dtype=bool)
    found = difference(wrong, inside, every & ~inside, run, subject, level=0.05)
    rest = [wrong[(run == at) & ~inside].mean() for at in (0, 1)]
    shares = [(inside & (run == at)).sum() / inside.sum() for at in (0, 1)]
    assert found.inside == pytest.approx(wrong[inside].mean())
    assert found.outside == pytest.approx(np.dot(rest, shares))
    assert found.inside > found.outside
    assert wrong[inside].mean() < wrong[~inside].mean()


def test_the_error_is_that_of_the_jackknife_over_subjects() -> None:
    """Beside a rest that is never wrong, the difference is the share itself, whose jackknife is known."""
    rng = np.random.default_rng(2)
    subject = np.tile(np.arange(30), 20)
    inside = np.arange(600) < 300
    wrong = inside * (rng.random(600) < rng.random(30)[subject]).astype(float)
    found = difference(wrong, inside, ~inside, np.zeros(600, dtype=np.int64), subject, level=0.05)
    share = share_of(Subjects.of(map(str, subject[inside].tolist())), wrong[inside])
    assert share.interval.se is not None
    assert found.low is not None
    assert found.high is not None
    assert (found.high - found.low) / 2 == pytest.approx(2.0452296 * share.interval.se)  # t(29), 97.5 %


def test_a_small_slice_that_is_all_wrong_is_not_surer_than_independent_items() -> None:
    subject = np.arange(400) % 100
    inside = np.arange(400) < 12
    wrong = np.where(inside, 1.0, np.arange(400) % 5 != 0)  # the rest is wrong in 80 %
    found = difference(wrong, inside, ~inside, np.zeros(400, dtype=np.int64), subject, level=0.05)
    assert found.p is not None
    assert found.p > 0.05


def planted(frame: pd.DataFrame) -> pd.DataFrame:
    hard = (frame["site"] == "B") & (frame["records"] >= 15)
    rng = np.random.default_rng(5)
    return frame.assign(correct=rng.random(len(frame)) < np.where(hard, 0.2, 0.8))


def test_a_planted_slice_is_found_and_told_with_its_figures() -> None:
    frame = planted(answers(subjects=200))
    search = find_slices(frame, FACETS, run="run_id")
    (found,) = search.slices
    assert (found.run, found.conditions[0].facet, found.conditions[1].facet) == (None, "records", "site")
    inside = np.zeros(len(frame), dtype=bool)
    inside[found.rows] = True
    assert (found.n, found.n_subjects) == (inside.sum(), frame["subject_id"][inside].nunique())
    assert found.held_out_subjects < found.n_subjects
    assert search.n_subjects - search.n_held_out == search.n_held_out == 100
    assert found.difference == pytest.approx(found.rest_accuracy - found.accuracy)
    assert found.low is not None
    assert found.high is not None
    assert 0.4 < found.low < found.difference < found.high < 0.8
    assert found.p is not None
    assert found.p_corrected is not None
    assert found.p <= found.p_corrected < 1e-6
    table = search.to_frame()
    assert table.loc[0, "slice"] == str(found)
    assert table.loc[0, "accuracy"] == found.accuracy


def test_rows_in_another_order_give_the_same_and_another_seed_another_split() -> None:
    frame = planted(answers(subjects=200))
    mixed = frame.sample(frac=1, random_state=3)
    pd.testing.assert_frame_equal(
        find_slices(frame, FACETS, run="run_id").to_frame(),
        find_slices(mixed, FACETS, run="run_id").to_frame(),
    )
    one, other = (find_slices(frame, FACETS, run="run_id", seed=seed).slices[0] for seed in (0, 1))
    assert one.held_out_n != other.held_out_n


def test_a_failure_of_one_run_is_told_of_that_run_and_one_of_all_of_all() -> None:
    frame = answers(runs=3, subjects=200)
    rng = np.random.default_rng(6)
    hard = (frame["site"] == "B") & (frame["run_id"] == "run 1") | (frame["band"] == "high")
    frame["correct"] = rng.random(len(frame)) < np.where(hard, 0.4, 0.8)
    found = find_slices(frame, FACETS, run="run_id").slices
    assert {(one.run, str(one)) for one in found} == {("run 1", "site = B"), (None, "band >= high")}


def test_of_two_facets_that_say_the_same_one_is_told() -> None:
    frame = planted(answers(subjects=200))
    frame["twin"] = frame["site"].str.lower()
    found = find_slices(frame, [*FACETS, "twin"], run="run_id").slices
    assert len(found) == 1


@pytest.mark.parametrize("subjects", [0, 1, 2, 4])
def test_too_few_subjects_give_no_slice(subjects: int) -> None:
    search = find_slices(answers(subjects=subjects), FACETS, run="run_id")
    assert (search.slices, search.n_tested, search.n_subjects) == ((), 0, subjects)


def test_answers_all_right_or_all_wrong_give_no_slice() -> None:
    for correct in (True, False):
        assert find_slices(answers().assign(correct=correct), FACETS).slices == ()


@pytest.mark.parametrize(
    ("change", "arguments", "said"),
    [
        ({}, {"facets": ["colour"]}, "no column 'colour'; it has subject_id, site"),
        ({}, {"facets": []}, "no facets are named"),
        ({}, {"max_terms": 3}, "max_terms: got 3; expected 1 or 2"),
        ({"correct": 0.5}, {}, "column 'correct': holds more than true and false"),
        ({"correct": None}, {}, "column 'correct': holds more than true and false"),
        ({"subject_id": None}, {}, "column 'subject_id': a subject is missing"),
    ],
)
def test_a_frame_that_is_not_what_it_should_be_is_refused(
    change: dict[str, object], arguments: dict[str, object], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        find_slices(answers().assign(**change), **{"facets": FACETS, **arguments})  # type: ignore[arg-type]
