"""Consensus by protocol, and when an adjudicator must decide."""

from datetime import UTC, datetime

import pytest

from clinicnum.annotations.consensus import (
    adjudication_due,
    consensus,
    consensus_of_all,
    median_severity,
    settle,
)
from clinicnum.annotations.consensus.vote_consensus import VoteProtocol
from clinicnum.annotations.judgement import Judgement, Label, Severity
from clinicnum.annotations.types import Annotation


def failure(code: str = "omission.missed_step", severity: Severity = "1") -> Judgement:
    return Judgement(
        item_judgement="valid",
        response_judgement="failure",
        labels=(Label(code=code, primary=True),),
        severity=severity,
    )


@pytest.mark.parametrize(
    ("labels", "protocol", "label", "reason"),
    [
        pytest.param("aab", "majority", "a", "2 of 3 agree", id="more than half is a majority"),
        pytest.param("aab", "unanimous", None, "not unanimous: a 2, b 1", id="not all alike"),
        pytest.param("aaa", "unanimous", "a", "3 of 3 agree", id="all alike"),
        pytest.param("abc", "majority", None, "tie: a 1, b 1, c 1", id="three ways is a tie"),
        pytest.param("aabb", "majority", None, "tie: a 2, b 2", id="two against two is a tie"),
        pytest.param("aabcd", "majority", None, "not more than half: a 2, b 1, c 1, d 1", id="plurality"),
        pytest.param("a", "majority", None, "1 of 2 judgements that it takes", id="one vote is no consensus"),
        pytest.param("", "unanimous", None, "0 of 2 judgements that it takes", id="no vote"),
        pytest.param("aaa", "three_expert", "a", "3 of 3 agree", id="three experts alike"),
        pytest.param("aa", "three_expert", None, "2 of 3 judgements that it takes", id="two are not three"),
        pytest.param(
            "aab",
            "three_expert",
            None,
            "adjudication is due: a 2, b 1",
            id="a majority of experts does not do",
        ),
    ],
)
def test_consensus(labels: str, protocol: VoteProtocol, label: str | None, reason: str) -> None:
    got = consensus(list(labels), protocol)
    assert (got.label, got.reason) == (label, reason)


def test_an_adjudicator_decides_for_three_experts_and_for_no_majority() -> None:
    differ = consensus(list("aab"), "three_expert", decision="c")
    assert (differ.label, differ.reason, differ.support) == ("c", "adjudicated: a 2, b 1", 2)
    assert consensus(list("aab"), "majority", decision="c").label == "a"


def test_a_tie_in_probability_is_no_consensus() -> None:
    """Nothing tells the three annotators apart: each said every class once."""
    thrice = ("abc", "bca", "cab")
    labels = {str(n): dict(zip("pqr", thrice[n % 3], strict=True)) for n in range(36)}
    for one in consensus_of_all(labels, "dawid_skene", categories="abc").values():
        assert one.label is None
        assert one.reason.startswith("tie: a and b are equally probable, 0.33")


def test_probable_labels_carry_their_posterior() -> None:
    alike = {f"{said}{n}": dict.fromkeys("pqr", said) for n in range(6) for said in "ab"}
    got = consensus_of_all({**alike, "0": {"p": "a", "q": "a", "r": "b"}}, "dawid_skene", categories="ab")
    assert got["0"].label == "a"
    assert got["0"].posterior == pytest.approx(1.0)
    assert (got["0"].votes, got["0"].support) == (3, 2)


def test_two_annotators_have_no_probable_label_but_a_reason() -> None:
    got = consensus_of_all({"1": {"p": "a", "q": "a"}}, "dawid_skene", categories="ab")["1"]
    assert got.label is None
    assert got.reason.startswith("at most 2 labels on an item")


ACCEPTABLE = Judgement(item_judgement="valid", response_judgement="acceptable")


@pytest.mark.parametrize(
    ("judgements", "due"),
    [
        pytest.param([failure(), failure()], (), id="alike"),
        pytest.param([failure(severity="1"), failure(severity="2")], (), id="one level apart"),
        pytest.param([failure(severity="1"), failure(severity="3")], ("severity: 1 to 3",), id="two levels"),
        pytest.param(
            [failure(), failure("omission.partial_answer")], (), id="another sub-class of the same class"
        ),
        pytest.param(
            [failure(), failure("hallucination")],
            ("primary label: hallucination against omission",),
            id="another class",
        ),
        pytest.param(
            [failure(), ACCEPTABLE],
            ("response judgement: acceptable against failure", "primary label: none against omission"),
            id="failure or not",
        ),
        pytest.param(
            [ACCEPTABLE, ACCEPTABLE.model_copy(update={"item_judgement": "ambiguous"})],
            ("item judgement: ambiguous against valid",),
            id="the item",
        ),
        pytest.param(
            [failure(), failure(severity="not_applicable")],
            ("severity: a level against not applicable",),
            id="a level against not applicable",
        ),
    ],
)
def test_adjudication_is_due_when(judgements: list[Judgement], due: tuple[str, ...]) -> None:
    assert adjudication_due(judgements) == due


@pytest.mark.parametrize(
    ("levels", "median"),
    [
        pytest.param(("1", "1", "2"), "1", id="odd: the middle"),
        pytest.param(("1", "2"), "2", id="an even split goes to the graver level"),
        pytest.param(("0", "2"), None, id="too far apart: adjudicated, no median"),
        pytest.param(("not_applicable", "not_applicable"), "not_applicable", id="not applicable"),
        pytest.param(("1", "not_applicable"), None, id="no median with not applicable"),
        pytest.param((), None, id="no failure, no severity"),
    ],
)
def test_median_severity(levels: tuple[Severity, ...], median: Severity | None) -> None:
    assert median_severity([ACCEPTABLE, *(failure(severity=level) for level in levels)]) == median


def test_three_experts_are_settled_by_the_adjudicator() -> None:
    group = tuple(
        Annotation(
            **judgement.model_dump(),
            annotation_id=str(n),
            study_id="s",
            generation_id="g",
            annotator_id=f"a{n}",
            annotator_kind="human",
            revision=1,
            taxonomy_version="1",
            guideline_version="1",
            created_at=datetime(2026, 1, 1, tzinfo=UTC),
        )
        for n, judgement in enumerate([failure(severity="1"), failure(severity="3"), ACCEPTABLE])
    )
    (waiting,) = settle({"g": group}, "three_expert")
    assert (waiting.item.label, waiting.response.label, waiting.severity) == ("valid", None, None)
    assert len(waiting.due) == 3
    (decided,) = settle({"g": group}, "three_expert", decisions={"g": failure("hallucination", severity="2")})
    assert (decided.response.label, decided.primary.label, decided.severity) == (
        "failure",
        "hallucination",
        "2",
    )
    (accepted,) = settle({"g": group}, "three_expert", decisions={"g": ACCEPTABLE})
    assert (accepted.response.label, accepted.primary.label) == ("acceptable", "none")
    (alike,) = settle({"g": group[:1] * 3}, "three_expert", decisions={"g": ACCEPTABLE}, independent=1)
    assert alike.response.label == "failure"  # nobody differs, so nobody is asked
    (voted,) = settle({"g": group})
    assert (voted.response.label, voted.primary.label, voted.severity) == ("failure", "omission", None)
