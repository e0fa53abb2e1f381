"""Harm-weighted failures per 100 answers: by hand, and how often the limits hold the true rate."""

import os
from dataclasses import replace

import numpy as np
import pytest

from clinicnum.annotations.report.harm_rate import HARM, RIGHT_UNJUDGED, estimate, harm_rate
from clinicnum.annotations.report.sections.findings import findings
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.interval_estimate import Figure
from tests.annotations.report_example_models import eight_models, of_slice

SIMULATIONS = int(os.environ.get("CLINICNUM_SIMULATIONS", "40"))
A_SUBJECT = 4
OF_THE_STUDY = 0.15
CORRELATION = 0.05
LEVELS = np.array([HARM[level] for level in ("0", "1", "2", "3", "4")])
SPREAD = np.array([0.2, 0.3, 0.25, 0.15, 0.1])
"""How often a failure is of each severity."""


def names(places: np.ndarray) -> Subjects:
    return Subjects.of(f"s{one:04}" for one in places // A_SUBJECT)


def test_the_rate_puts_both_verdicts_together() -> None:
    """Of 10 answers 4 are wrong: 2 judged, of harm 1 and 0.5; of 6 right 3 judged, one of harm 0.25."""
    places = np.arange(10) * A_SUBJECT
    wrong = np.arange(10) < 4
    judged = np.array([0, 1, 4, 5, 6])
    harm = np.array([1.0, 0.5, 0.25, 0.0, 0.0])
    found = estimate(
        names(places), wrong, names(places[judged]), wrong[judged], harm, np.ones(5), np.ones(10)
    )
    assert found.value == pytest.approx(0.4 * 0.75 + 0.6 * 0.25 / 3)
    assert found.interval.low is not None
    assert found.interval.high is not None
    assert 0 <= found.interval.low < found.value < found.interval.high <= 1


def test_what_was_not_judged_is_said_or_undefined() -> None:
    places = np.arange(8) * A_SUBJECT
    wrong = np.arange(8) < 4
    every = np.ones(8)
    only_wrong = estimate(names(places), wrong, names(places[:3]), wrong[:3], np.ones(3), np.ones(3), every)
    assert only_wrong.value == pytest.approx(0.5)
    assert (only_wrong.interval.warning or "").startswith(RIGHT_UNJUDGED)
    only_right = estimate(names(places), wrong, names(places[4:]), wrong[4:], np.zeros(4), np.ones(4), every)
    assert (
        only_right.undefined
        == "no answer that is scored wrong is settled, with its severity if it is a failure"
    )
    none = np.zeros(0)
    assert estimate(names(places), wrong, names(none), none.astype(bool), none, none, every).undefined


def test_a_severity_counts_by_equal_steps_and_a_model_that_nobody_judged_has_no_rate() -> None:
    assert [HARM[level] for level in ("0", "1", "2", "3", "4")] == [0, 0.25, 0.5, 0.75, 1]
    view = StudyView(eight_models())
    rates = {run.name: harm_rate(view, run, view.settlements) for run in view.runs}
    assert rates["Meridian 8B, greedy"].rate.undefined == "none of its answers was drawn"
    failures = sum(one.response.label == "failure" for one in view.settlements)
    assert sum(sum(one.levels.values()) for one in rates.values()) == failures


def test_a_failure_without_a_settled_severity_is_left_out_and_its_bounds_are_said() -> None:
    view = StudyView(eight_models())
    run = next(one for one in view.runs if one.name == "Fjord 7B")
    whole = harm_rate(view, run, view.settlements)
    assert whole.levels[None] == 0
    assert whole.remark is None
    mine = {one.generation.generation_id for one in run.answers}
    failures = [
        one for one in view.settlements if one.generation_id in mine and one.response.label == "failure"
    ]
    opened = [replace(one, severity=None) if one is failures[0] else one for one in view.settlements]
    found = harm_rate(view, run, opened)
    assert found.if_open is not None
    assert found.remark is not None
    bounds = [
        harm_rate(
            view,
            run,
            [replace(one, severity=level) if one is failures[0] else one for one in view.settlements],
        ).rate.value
        for level in ("0", "4")
    ]
    assert found.if_open == pytest.approx(bounds)
    assert found.remark.startswith("1 failure without a settled severity left out: were all of severity 0")


def test_a_study_of_a_slice_speaks_of_the_slice() -> None:
    part = of_slice("operation = arithmetic", "arithmetic")
    view = StudyView(part)
    run = next(one for one in view.runs if one.name == "Fjord 7B")
    found = harm_rate(view, run, view.settlements)
    keys = {one.generation_id for one in part.inclusions}
    drawn = [one for one in run.answers if one.generation.generation_id in keys]
    wrong = sum(2.0 for one in drawn if not one.right)  # drawn with a chance of a half, right ones of a third
    share = wrong / (wrong + sum(3.0 for one in drawn if one.right))
    harms = {one.generation_id: HARM.get(one.severity or "0", 0.0) for one in view.settlements}
    of_wrong = [harms[one.generation.generation_id] for one in drawn if not one.right]
    of_right = [harms[one.generation.generation_id] for one in drawn if one.right]
    assert found.rate.value == pytest.approx(
        share * float(np.mean(of_wrong)) + (1 - share) * (float(np.mean(of_right)) if of_right else 0.0)
    )
    said = {one.topic: one.text for one in findings(view, 0, None)}
    for topic in ("Failures", "Severity"):
        assert "part of the generations only (operation = arithmetic), of which alone" in said[topic]
    assert "part of the generations" not in said["Models"]


def simulated(rng: np.random.Generator, n: int, accuracy: float, missed: float) -> tuple[Figure, float]:
    """A study as studies draw: all that is scored wrong, and of the rest as many as make up its share."""
    odds = (1 - CORRELATION) / CORRELATION
    chance = rng.beta(accuracy * odds, (1 - accuracy) * odds, size=-(-n // A_SUBJECT))
    right = rng.random(n) < np.repeat(chance, A_SUBJECT)[:n]
    failed = np.where(right, rng.random(n) < missed, rng.random(n) < 0.95)
    harm = np.where(failed, rng.choice(LEVELS, size=n, p=SPREAD), 0.0)
    wanted = max(1, round(OF_THE_STUDY / (1 - OF_THE_STUDY) * (~right).sum()))
    drawn = rng.permutation(np.flatnonzero(right))[:wanted]
    judged = np.sort(np.concatenate([np.flatnonzero(~right), drawn]))
    weights = np.where(right, right.sum() / max(1, len(drawn)), 1.0)
    figure = estimate(
        *(names(np.arange(n)), ~right, names(judged), ~right[judged]),
        *(harm[judged], weights[judged], np.ones(n)),
    )
    truth = ((1 - accuracy) * 0.95 + accuracy * missed) * float(LEVELS @ SPREAD)
    return figure, truth


def test_the_limits_hold_the_true_rate_of_other_subjects() -> None:
    """`scripts/dev/evidence scorer` makes the table of `docs/report.md`."""
    rng = np.random.default_rng(0)
    few = 3 * np.sqrt(0.05 * 0.95 / SIMULATIONS)
    print()
    for n in (48, 200, 500):
        for accuracy in (0.5, 0.8):
            for missed in (0.01, 0.05):
                held, widths = 0, []
                for _ in range(SIMULATIONS):
                    figure, truth = simulated(rng, n, accuracy, missed)
                    low, high = figure.interval.low, figure.interval.high
                    if low is None or high is None:  # nothing is scored wrong, or nothing right
                        held += 1
                        continue
                    held += low <= truth <= high
                    widths.append(100 * (high - low))
                share = held / SIMULATIONS
                print(f"| {n} | {accuracy} | {missed:.0%} | {100 * share:.1f} % | {np.mean(widths):.1f} |")
                assert share >= 0.93 - few * (SIMULATIONS < 1000), (n, accuracy, missed)
