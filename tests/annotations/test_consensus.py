"""Consensus by protocol, and when an adjudicator must decide."""

import pytest

from annotations.consensus import adjudication_due, consensus, median_severity
from annotations.types import Judgement, Label, Severity


def failure(code: str = "omission.missed_step", severity: Severity = "1") -> Judgement:
    return Judgement(
        response_judgement="failure", labels=(Label(code=code, primary=True),), severity=severity
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
    ],
)
def test_consensus(labels: str, protocol: str, label: str | None, reason: str) -> None:
    got = consensus(list(labels), "unanimous" if protocol == "unanimous" else "majority")
    assert (got.label, got.reason) == (label, reason)


ACCEPTABLE = Judgement(response_judgement="acceptable")


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
