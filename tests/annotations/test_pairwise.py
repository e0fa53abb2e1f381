"""Strengths from paired comparisons: published examples, planted strengths, and what has no estimate."""

from collections import Counter
from math import exp

import pytest

from clinicnum.annotations.pairwise.bradley_terry import Comparison, Outcome, fit_bradley_terry
from clinicnum.annotations.pairwise.preference_counts import left_share, pair_preferences
from tests.annotations.planted_preferences import POSITION, STRENGTHS, TIE, planted

BASEBALL = """
Milwaukee: Detroit 4 3, Toronto 4 2, New-York 4 3, Boston 6 1, Cleveland 4 2, Baltimore 6 0
Detroit: Milwaukee 3 3, Toronto 4 2, New-York 4 3, Boston 6 0, Cleveland 6 1, Baltimore 4 3
Toronto: Milwaukee 2 5, Detroit 4 3, New-York 2 4, Boston 4 3, Cleveland 4 2, Baltimore 6 0
New-York: Milwaukee 3 3, Detroit 5 1, Toronto 2 5, Boston 4 3, Cleveland 4 2, Baltimore 6 1
Boston: Milwaukee 5 1, Detroit 2 5, Toronto 3 3, New-York 4 2, Cleveland 5 2, Baltimore 6 0
Cleveland: Milwaukee 2 5, Detroit 3 3, Toronto 3 4, New-York 4 3, Boston 4 2, Baltimore 2 4
Baltimore: Milwaukee 2 5, Detroit 1 5, Toronto 1 6, New-York 2 4, Boston 1 6, Cleveland 3 4
"""
"""American League East, 1987: home team, then its wins and losses at home against each guest.

Agresti (2002), Categorical Data Analysis, 2nd edition, table 10.10; also `baseball` of R's BradleyTerry2.
"""
PUDDING = """
1 2 19 22 16, 1 3 16 19 12, 2 3 19 19 10, 1 4 18 23 13, 2 4 23 19 9, 3 4 19 20 15, 1 5 13 19 18, 2 5 16 20 12,
3 5 16 15 17, 4 5 17 14 16, 1 6 18 21 12, 2 6 22 20 12, 3 6 13 18 10, 4 6 14 19 18, 5 6 11 21 12
"""
"""Two brands of chocolate pudding, preferences for each, and ties: Davidson (1970)."""


def counted(counts: list[tuple[str, str, Outcome, int]]) -> list[Comparison]:
    return [
        Comparison(f"{one} {other} {outcome} {n}", one, other, outcome)
        for one, other, outcome, times in counts
        for n in range(times)
    ]


def baseball() -> list[Comparison]:
    counts: list[tuple[str, str, Outcome, int]] = []
    for line in BASEBALL.strip().splitlines():
        home, _, guests = line.partition(": ")
        for guest, won, lost in (one.split() for one in guests.split(", ")):
            counts += [(home, guest, "left", int(won)), (home, guest, "right", int(lost))]
    return counted(counts)


def pudding() -> list[Comparison]:
    counts: list[tuple[str, str, Outcome, int]] = []
    for one, other, *times in (row.split() for row in PUDDING.split(",")):
        outcomes: tuple[Outcome, ...] = ("left", "right", "both_alike")
        counts += [(one, other, what, int(n)) for what, n in zip(outcomes, times, strict=True)]
    return counted(counts)


def shares(strengths: dict[str, float]) -> dict[str, float]:
    total = sum(map(exp, strengths.values()))
    return {name: exp(value) / total for name, value in strengths.items()}


def test_strengths_and_home_advantage_are_those_that_agresti_publishes() -> None:
    plain = fit_bradley_terry(baseball(), position=False)
    values = {name: one.value for name, one in plain.strengths.items()}
    from_last = {name: round(value - values["Baltimore"], 2) for name, value in values.items()}
    assert from_last == {
        **{"Milwaukee": 1.58, "Detroit": 1.44, "Toronto": 1.29, "New-York": 1.25},
        **{"Boston": 1.11, "Cleveland": 0.68, "Baltimore": 0.0},
    }  # table 10.11, column 3
    assert sum(values.values()) == pytest.approx(0, abs=1e-12)
    assert plain.position is None
    assert plain.tie is None
    home = fit_bradley_terry(baseball())
    assert home.position is not None
    assert round(home.position.value, 3) == 0.302
    worth = shares({name: one.value for name, one in home.strengths.items()})
    assert sorted(round(one, 3) for one in worth.values()) == [
        *(0.044, 0.088, 0.137, 0.157, 0.164, 0.190, 0.220)  # column 5
    ]
    # Each game counts as its own subject here, so the jackknife is near the published model's errors of 0.3.
    error = home.differences["Baltimore", "Milwaukee"].interval.se
    assert error == pytest.approx(0.34, abs=0.03)


def test_strengths_with_ties_are_those_that_davidson_publishes() -> None:
    found = fit_bradley_terry(pudding(), position=False)
    worth = shares({name: one.value for name, one in found.strengths.items()})
    published = {"1": 0.1388, "2": 0.1730, "3": 0.1617, "4": 0.1654, "5": 0.1587, "6": 0.2024}
    assert {name: round(one, 4) for name, one in worth.items()} == published
    assert found.tie is not None
    assert exp(found.tie.value) == pytest.approx(0.747, abs=5e-4)


def test_exchanging_the_sides_changes_the_sign_of_the_position_alone() -> None:
    given = planted(1)
    turned: dict[Outcome, Outcome] = {"left": "right", "right": "left"}
    other = [
        Comparison(one.subject, one.right, one.left, turned.get(one.outcome, one.outcome)) for one in given
    ]
    found, mirrored = fit_bradley_terry(given), fit_bradley_terry(other)
    assert found.position is not None
    assert mirrored.position is not None
    assert mirrored.position.value == pytest.approx(-found.position.value)
    for name, one in found.strengths.items():
        assert mirrored.strengths[name].value == pytest.approx(one.value)
    left, right = left_share(given).value, left_share(other).value
    assert left is not None
    assert right is not None
    assert left + right == pytest.approx(1)


@pytest.mark.parametrize(
    ("counts", "says"),
    [
        ([], "no comparison yet"),
        (
            [("a", "b", "left", 3), ("a", "b", "right", 3), ("c", "d", "left", 3), ("d", "c", "left", 3)],
            "no chain of comparisons connects c, d with a",
        ),
        ([("a", "b", "left", 9), ("b", "c", "left", 3), ("c", "b", "left", 3)], "a never lost to"),
        ([("a", "b", "left", 5), ("b", "a", "left", 5)], "the left answer was chosen wherever one was"),
        ([("a", "b", "both_bad", 5), ("a", "b", "both_alike", 5)], "every comparison is a tie"),
        ([("a", "b", "left", 5), ("b", "a", "left", 3), ("b", "a", "right", 3)], "it takes more comparisons"),
    ],
)
def test_what_has_no_finite_estimate_is_undefined_with_its_reason(
    counts: list[tuple[str, str, Outcome, int]], says: str
) -> None:
    found = fit_bradley_terry(counted(counts))
    assert found.strengths == {}
    assert says in str(found.undefined)


def test_few_subjects_have_estimates_without_intervals() -> None:
    given = [
        Comparison(f"s{place % 4}", one.left, one.right, one.outcome) for place, one in enumerate(planted(2))
    ]
    found = fit_bradley_terry(given)
    assert found.undefined is None
    assert "at least 5" in str(found.strengths["apt"].interval.undefined)


def test_pairs_are_counted_and_a_tie_is_half_a_win() -> None:
    given = [
        ("i1", Comparison("s1", "b", "a", "left")),
        ("i1", Comparison("s1", "a", "b", "left")),
        ("i2", Comparison("s2", "a", "b", "both_bad")),
        ("i2", Comparison("s2", "b", "a", "right")),
        ("i3", Comparison("s3", "a", "c", "both_alike")),
    ]
    ab, ac = pair_preferences(given)
    assert (ab.one, ab.other, ab.items) == ("a", "b", 2)
    assert (ab.wins, ab.losses, ab.both_alike, ab.both_bad) == (2, 1, 0, 1)
    assert ab.win_rate.value == pytest.approx(2.5 / 4)
    assert (ac.other, ac.both_alike, ac.win_rate.value) == ("c", 1, 0.5)
    chosen = left_share([one for _, one in given])
    assert chosen.value == pytest.approx(2 / 3)
    assert chosen.n == 3
    assert left_share([]).undefined == "no comparison in which one answer was called better"


def test_intervals_hold_planted_strengths_position_and_ties_in_93_to_97_of_100_draws() -> None:
    held, n = Counter[str](), Counter[str]()
    for seed in range(500):
        found = fit_bradley_terry(planted(seed))
        truths = [("strength", found.strengths[name], value) for name, value in STRENGTHS.items()]
        truths += [
            ("difference", one, STRENGTHS[a] - STRENGTHS[b]) for (a, b), one in found.differences.items()
        ]
        assert found.position is not None
        assert found.tie is not None
        for what, one, truth in (*truths, ("position", found.position, POSITION), ("tie", found.tie, TIE)):
            low, high = one.interval.low, one.interval.high
            assert low is not None
            assert high is not None
            held[what] += low <= truth <= high
            n[what] += 1
    covered = {what: held[what] / n[what] for what in n}
    assert all(0.93 <= one <= 0.97 for one in covered.values()), covered
