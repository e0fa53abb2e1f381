"""Annotators against the others, against themselves, over time, and with suggestions in sight."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import product
from math import log

import numpy as np
import pytest

from clinicnum.annotations.agreement import Rating, agreement
from clinicnum.annotations.judgement import Label
from clinicnum.annotations.reliability.clustered_estimates import from_totals, share_of_items
from clinicnum.annotations.reliability.drift import drift, in_order, slope
from clinicnum.annotations.reliability.intra_rater_agreement import ALL, Question, intra_rater, repeat_pairs
from clinicnum.annotations.reliability.leave_one_out import against_others, others_label
from clinicnum.annotations.reliability.suggestion_effect import split_arms, suggestion_effect
from clinicnum.annotations.types import Annotation, Round
from clinicnum.stats.clustered_intervals import Subjects, mean_interval

START = datetime(2026, 1, 1, tzinfo=UTC)
CLASSES = ("omission", "hallucination", "none")
ROUNDS: tuple[Round, Round] = ("main", "repeat")


def annotation(
    generation: str,
    annotator: str,
    primary: str = "none",
    *,
    round_: Round = "main",
    revision: int = 1,
    shown: bool = False,
    active_ms: int = 1000,
    minutes: float = 0,
) -> Annotation:
    failed = primary != "none"
    return Annotation(
        annotation_id=f"{generation}-{annotator}-{round_}-{revision}",
        study_id="s",
        generation_id=generation,
        annotator_id=annotator,
        annotator_kind="human",
        round=round_,
        revision=revision,
        item_judgement="valid",
        response_judgement="failure" if failed else "acceptable",
        labels=(Label(code=primary, primary=True),) if failed else (),
        severity="1" if failed else None,
        suggestion_shown=shown,
        active_ms=active_ms,
        taxonomy_version="1",
        guideline_version="1",
        created_at=START + timedelta(minutes=minutes),
    )


def primary(one: Annotation) -> str:
    return one.labels[0].code if one.labels else "none"


def test_guessing_agrees_with_the_others_half_the_time_not_three_quarters() -> None:
    """Every way three annotators can say a or b, once: 8 items. The other two agree on 4 of them, and the
    third says the same on 2; with the own vote counted it would be 6 of 8.
    """
    labels = {str(n): dict(zip("pqr", said, strict=True)) for n, said in enumerate(product("ab", repeat=3))}
    for row in against_others(labels, {item: item for item in labels}):
        assert (row.agree.value, row.agree.n, row.unsettled) == (0.5, 4, 4)
        assert dict(row.confusion) == {("a", "a"): 1, ("a", "b"): 1, ("b", "a"): 1, ("b", "b"): 1}
        assert row.agree.interval.undefined == "4 subjects; an interval needs at least 5"


def test_two_annotators_have_no_others_to_be_compared_with() -> None:
    rows = against_others({"1": {"p": "a", "q": "a"}}, {"1": "s"})
    assert [row.agree.value for row in rows] == [None, None]
    assert rows[0].agree.undefined == "no item on which two others agree"
    assert rows[0].unsettled == 1


def test_a_careless_annotator_is_told_from_careful_ones() -> None:
    rng = np.random.default_rng(3)
    labels = {}
    for n in range(200):
        true = "ab"[rng.integers(2)]
        other = "b" if true == "a" else "a"
        labels[str(n)] = {who: true if rng.random() < p else other for who, p in (("p", 0.95), ("q", 0.95))}
        labels[str(n)] |= {"r": true if rng.random() < 0.6 else other}
    found = {row.annotator: row for row in against_others(labels, {item: item for item in labels})}
    assert found["r"].agree.value == pytest.approx(0.6, abs=0.1)
    interval = found["r"].agree.interval
    assert interval.low is not None
    assert interval.high is not None
    assert interval.low < 0.6 < interval.high
    assert sum(found["r"].confusion.values()) == found["r"].agree.n


def question(read: Callable[[Annotation], str] = primary) -> Question:
    return Question("primary", "nominal", CLASSES, read)


def test_two_passes_are_compared_as_two_annotators() -> None:
    """20 generations judged again after 7 days, 4 with another class: 80 % agreement by the one function."""
    passes = [("omission", "omission")] * 8 + [("none", "none")] * 8 + [("omission", "none")] * 4
    made = [
        annotation(f"g{n:02}", "p", said, round_=which, minutes=0 if which == "main" else 7 * 24 * 60)
        for n, pair in enumerate(passes)
        for which, said in zip(ROUNDS, pair, strict=True)
    ]
    mine, together = intra_rater(repeat_pairs(made), question(), {f"g{n:02}": f"s{n}" for n in range(20)})
    assert (mine.annotator, mine.pairs, mine.days) == ("p", 20, 7.0)
    assert mine.result is not None
    assert mine.result.coefficient("percent_agreement").value == 0.8
    # By hand: first pass 12 omission, second 8; chance (12 x 8 + 8 x 12) / 400 = 0.48; (0.8 - 0.48) / 0.52.
    assert mine.result.coefficient("cohen_kappa").value == pytest.approx(0.32 / 0.52)
    assert together.annotator == ALL
    assert together.result is not None
    assert together.result.coefficient("percent_agreement").value == 0.8


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(annotation("g", "p", round_="training"), id="training is no repeat"),
        pytest.param(annotation("g", "p", round_="repeat", shown=True), id="seen with a suggestion"),
        pytest.param(annotation("g", "q", round_="repeat"), id="another annotator"),
        pytest.param(annotation("h", "p", round_="repeat"), id="another generation"),
    ],
)
def test_what_is_no_pair(second: Annotation) -> None:
    assert repeat_pairs([annotation("g", "p"), second]) == ()


def test_without_repeats_intra_rater_agreement_says_so() -> None:
    (row,) = intra_rater((), question(), {})
    assert row.result is None
    assert row.undefined == "no generation was judged again by the same annotator (round `repeat`)"


def test_the_slope_is_that_of_least_squares() -> None:
    """By hand: points (0, 1), (0.5, 3), (1, 2); means 0.5 and 2; (0.5 x 1 + 0 + 0.5 x 0) / 0.5 = 1."""
    x, y = np.array([0.0, 0.5, 1.0]), np.array([1.0, 3.0, 2.0])
    assert slope(np.array([3.0, x.sum(), y.sum(), (x * x).sum(), (x * y).sum()])) == pytest.approx(1.0)
    assert np.isnan(slope(np.array([2.0, 0.0, 1.0, 0.0, 0.0])))


def test_the_interval_of_a_mean_is_the_jackknife_of_the_rest_of_clinicnum() -> None:
    rng = np.random.default_rng(0)
    values = [(f"s{n % 12}", float(rng.normal())) for n in range(60)]
    columns = np.array([(value, 1.0) for _, value in values])
    mine = from_totals([s for s, _ in values], columns, lambda t: t[..., 0] / t[..., 1], without="nothing")
    theirs = mean_interval([s for s, _ in values], columns[:, 0])
    assert (mine.interval.low, mine.interval.high) == pytest.approx((theirs.low, theirs.high))
    none = np.zeros(0, dtype=bool)
    assert share_of_items(Subjects.of([]), none, without="no item").undefined == "no item"


def test_an_annotator_who_hastens_drifts_and_a_steady_one_does_not() -> None:
    """Time falls from 60 s to 15 s by a constant factor: exp(log(15 / 60)) = a quarter from first to last."""
    n = 40
    made = [
        annotation(
            f"g{k:02}",
            who,
            "omission" if k % 2 else "none",
            minutes=k,
            active_ms=round(60_000 * (0.25 ** (k / (n - 1)) if who == "p" else 1.0)),
        )
        for k in range(n)
        for who in "pqr"
    ]
    subjects = {f"g{k:02}": f"s{k % 10}" for k in range(n)}
    labels = {f"g{k:02}": dict.fromkeys("pqr", "omission" if k % 2 else "none") for k in range(n)}
    agree = {
        item: {who: others_label(given, who) == own for who, own in given.items()}
        for item, given in labels.items()
    }
    first, second, _ = drift(in_order(made, made), subjects, agree)
    assert first.annotator == "p"
    assert first.log_time.value == pytest.approx(log(0.25), abs=0.01)
    assert first.log_time.interval.high is not None
    assert first.log_time.interval.high < log(0.3)
    assert second.log_time.value == pytest.approx(0.0)
    assert second.log_time.interval.low is None
    assert first.agree.value == pytest.approx(0.0)
    assert first.failure.value == pytest.approx(0.0, abs=0.1)


def test_the_order_is_that_of_first_judgements_not_of_later_revisions() -> None:
    revisions = [
        annotation("g1", "p", minutes=1),
        annotation("g2", "p", minutes=2),
        annotation("g1", "p", revision=2, minutes=9),
    ]
    (ordered,) = in_order([revisions[2], revisions[1]], revisions).values()
    assert [(one.generation_id, one.revision) for one in ordered] == [("g1", 2), ("g2", 1)]


def test_too_few_judgements_have_no_drift() -> None:
    made = [annotation(f"g{k}", "p", minutes=k) for k in range(5)]
    (row,) = drift(in_order(made, made), {f"g{k}": f"s{k}" for k in range(5)}, {})
    assert row.failure.undefined == "under 10 judgements"
    assert row.agree.undefined == "under 10 judgements on which the others agree"


def experiment(effect: bool, seed: int = 0) -> tuple[list[Annotation], dict[str, str]]:
    """120 generations from 30 subjects, 3 annotators; half drawn to be shown a suggestion, `omission`."""
    rng = np.random.default_rng(seed)
    made = []
    for k in range(120):
        shown = bool(rng.random() < 0.5)
        for who in "pqr":
            follows = effect and shown and rng.random() < 0.7
            label = "omission" if follows else CLASSES[rng.integers(3)]
            slow = 20_000 if effect and shown else 40_000
            time = round(slow * float(np.exp(rng.normal(0, 0.3))))
            made.append(annotation(f"g{k:03}", who, label, shown=shown, active_ms=time))
    return made, {f"g{k:03}": f"s{k % 30:02}" for k in range(120)}


def test_an_effect_of_suggestions_is_found_on_labels_agreement_and_time() -> None:
    made, subjects = experiment(effect=True)
    found = suggestion_effect(*split_arms(made), classes=CLASSES[:2], subjects=subjects)
    assert found.undefined is None
    assert found.n_shown + found.n_hidden == 360
    names = {row.name: row for row in found.labels}
    assert list(names) == ["failure", "omission", "hallucination"]
    # With a suggestion: omission 0.7 + 0.3 / 3 = 0.8 against 1/3; agreement 0.8^2 + 2 x 0.1^2 = 0.66.
    omission = names["omission"]
    assert omission.shown.value == pytest.approx(0.8, abs=0.07)
    assert omission.difference.value == pytest.approx(0.8 - 1 / 3, abs=0.1)
    assert omission.difference.interval.low is not None
    assert omission.difference.interval.low > 0
    assert found.agreement is not None
    assert found.agreement.shown.value == pytest.approx(0.66, abs=0.1)
    assert found.agreement.hidden.value == pytest.approx(1 / 3, abs=0.1)
    assert found.alpha is not None
    for arm, shown in ((found.alpha.shown, True), (found.alpha.hidden, False)):
        mine = [one for one in made if one.suggestion_shown is shown]
        table = [Rating(one.generation_id, one.annotator_id, primary(one)) for one in mine]
        alpha = agreement(table, scale="nominal", categories=CLASSES).coefficient(
            "krippendorff_alpha_nominal"
        )
        assert arm.value == pytest.approx(alpha.value, abs=1e-12)
    assert found.log_time is not None
    assert found.log_time.difference.value == pytest.approx(log(0.5), abs=0.1)
    assert found.log_time.difference.interval.high is not None
    assert found.log_time.difference.interval.high < 0


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        pytest.param([], "no complete judgement", id="nothing"),
        pytest.param(
            [annotation("g", "p")],
            "all 1 judgements were made without a suggestion in sight: nothing to compare",
            id="never shown",
        ),
        pytest.param(
            [annotation("g", "p", shown=True)],
            "all 1 judgements were made with a suggestion in sight: nothing to compare",
            id="always shown",
        ),
    ],
)
def test_without_two_arms_there_is_no_effect_but_a_reason(made: list[Annotation], reason: str) -> None:
    assert suggestion_effect(*split_arms(made), classes=(), subjects={"g": "s"}).undefined == reason


def test_a_judgement_stays_in_the_arm_that_chance_drew() -> None:
    """Also where the suggestion came in sight after the first revision: not to would undo the draw."""
    made = [
        annotation("g", "p"),
        annotation("g", "p", revision=2, shown=True),
        annotation("h", "p", shown=True),
        annotation("h", "p", "omission", revision=2, shown=True),
        annotation("i", "p", round_="training"),
    ]
    kept, later = split_arms(made)
    assert [(one.annotation_id, shown) for one, shown in kept] == [("g-p-main-2", True), ("h-p-main-2", True)]
    assert later == 1
