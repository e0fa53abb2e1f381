"""What annotators differ on beyond labels, by kind of study, and what a decision must answer."""

from typing import Any

import pytest

from clinicnum.annotations.disputes import (
    answers_of,
    decided_judgement,
    decides_labels,
    disagreement,
    disputes_of,
    due_reasons,
)
from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.ratings.rating_axes import BUILT_IN, read_axes
from clinicnum.annotations.study_design import Design
from clinicnum.errors import InputError

FINE = {"item_judgement": "valid", "response_judgement": "acceptable"}
WRONG = {
    "item_judgement": "valid",
    "response_judgement": "failure",
    "labels": [Label(code="omission", primary=True)],
    "severity": "1",
}


def judged(*given: dict[str, Any]) -> list[Judgement]:
    return [Judgement.model_validate(one) for one in given]


def ticked(*ticks: dict[str, str]) -> list[Judgement]:
    return judged(*({**FINE, "criteria": one} for one in ticks))


def prefer(*preferences: str) -> list[Judgement]:
    return judged(*({"response_judgement": one} for one in preferences))


def rate(*points: str, axis: str = "accuracy") -> list[Judgement]:
    return judged(*({"response_judgement": "rated", "custom": {axis: one}} for one in points))


def check(*verdicts: dict[str, str]) -> list[Judgement]:
    return judged(*({"response_judgement": "checked", "claims": one} for one in verdicts))


def design(kind: str, **more: Any) -> Design:
    asked: dict[str, Any] = {"include": "all", "adjudicated": True, **more}
    if kind == "pairwise":
        asked["pairwise"] = True
    elif kind != "failures":
        asked["asks"] = kind
    if kind == "ratings":
        asked.setdefault("fields", BUILT_IN)
    return Design.model_validate(asked)


@pytest.mark.parametrize(
    ("given", "disputed"),
    [
        (({"a@1": "met"}, {"a@1": "met"}), []),
        (({"a@1": "met"}, {"a@1": "not_met"}), [("a@1", ("met", "not_met"), 1.0)]),
        (({"a@1": "met"}, {"a@1": "not_applicable"}), []),
        (({"a@1": "not_met"}, {"a@1": "not_applicable"}), []),
        (({"a@1": "met"}, {"a@2": "not_met"}), []),  # not the same text
        (({"a@1": "met"}, {"b@1": "not_met"}), []),
        (
            ({"a@1": "met"}, {"a@1": "not_met"}, {"a@1": "not_applicable"}),
            [("a@1", ("met", "not_met", "not_applicable"), 1.0)],
        ),
        (({"a@1": "met"}, {"a@1": "not_met"}, {"a@1": "met"}), [("a@1", ("met", "not_met"), 2 / 3)]),
    ],
)
def test_a_criterion_is_disputed_where_one_says_met_and_another_not_met(
    given: tuple[dict[str, str], ...], disputed: list[Any]
) -> None:
    found = disputes_of(ticked(*given), design("failures"))
    assert [(one.key, one.given, pytest.approx(one.apart)) for one in found] == disputed


def test_any_two_preferences_that_differ_are_disputed_ties_among_them() -> None:
    asked = design("pairwise")
    assert disputes_of(prefer("both_bad", "both_bad"), asked) == ()
    (found,) = disputes_of(prefer("both_bad", "both_alike", "both_bad"), asked)
    assert (found.key, found.given, found.apart) == ("preference", ("both_alike", "both_bad"), 2 / 3)
    assert len(found.options) == 4


def test_ratings_are_disputed_beyond_the_limit_by_the_numbers_of_their_points() -> None:
    assert disputes_of(rate("3", "4"), design("ratings")) == ()
    (found,) = disputes_of(rate("4", "2", "3"), design("ratings"))
    assert (found.given, found.apart) == (("2", "3", "4"), 0.5)
    assert disputes_of(rate("4", "2"), design("ratings", rating_limit=2)) == ()
    assert len(disputes_of(rate("4", "3"), design("ratings", rating_limit=0))) == 1
    named = read_axes("- {name: use, label: Use?, options: [{value: never}, {value: later}, {value: now}]}")
    asked = design("ratings", fields=named)
    assert disputes_of(rate("never", "later", axis="use"), asked) == ()
    (found,) = disputes_of(rate("now", "never", axis="use"), asked)
    assert (found.given, found.options) == (("never", "now"), ("never", "later", "now"))


def test_a_sentence_is_disputed_by_another_verdict_or_another_harm() -> None:
    asked = design("claims")
    same = {"a0-5": "supported", "r0-5": "stated"}
    assert disputes_of(check(same, same), asked) == ()
    found = disputes_of(
        check(
            {"a0-5": "supported", "a6-9": "contradicted:minor", "r0-5": "stated"},
            {"a0-5": "not_addressed:none", "a6-9": "contradicted:major", "r0-5": "omitted:major"},
        ),
        asked,
    )
    assert [one.key for one in found] == ["a0-5", "a6-9", "r0-5"]
    assert found[1].given == ("contradicted:minor", "contradicted:major")
    assert (len(found[0].options), found[2].options[0], len(found[2].options)) == (7, "stated", 4)


@pytest.mark.parametrize("asked", [None, Design(), Design(include="all", pairwise=True)])
def test_nothing_is_disputed_in_a_study_that_does_not_settle_it(asked: Design | None) -> None:
    assert disputes_of(prefer("first_better", "second_better"), asked) == ()


def test_reasons_name_labels_and_disputes_once_all_have_judged() -> None:
    asked = design("failures")
    both = judged(
        {**FINE, "criteria": {"a@1": "met", "b@1": "met"}},
        {**WRONG, "criteria": {"a@1": "not_met", "b@1": "not_met"}},
    )
    disputes = disputes_of(both, asked)
    assert due_reasons(both, disputes, places=3) is None
    assert due_reasons(both, disputes, places=2) == (
        "response judgement: acceptable against failure",
        "primary label: none against omission",
        "criteria met and not met: 2",
    )
    assert disagreement(both, disputes) == 4.0  # response, class and two ticks; one severity has no range
    assert due_reasons(both[:1], (), places=1) == ()
    rated = rate("1", "5")
    disputes = disputes_of(rated, design("ratings"))
    assert due_reasons(rated, disputes, places=2) == ("rating of accuracy: 1 against 5",)
    assert disagreement(rated, disputes) == 1.0
    preferred = prefer("first_better", "both_bad")
    disputes = disputes_of(preferred, design("pairwise"))
    assert due_reasons(preferred, disputes, places=2) == ("preference: not the same",)
    assert disagreement(preferred, disputes) == 1.0


def test_a_decision_answers_each_disputed_question_and_no_other() -> None:
    asked = design("claims")
    given = check(
        {"a0-5": "supported", "a6-9": "supported"},
        {"a0-5": "contradicted:major", "a6-9": "supported"},
    )
    disputes = disputes_of(given, asked)
    assert answers_of(given[1], disputes) == {"a0-5": "contradicted:major"}
    made = decided_judgement(disputes, {"a0-5": "contradicted:none"}, labels=None, design=asked)
    assert (made.response_judgement, made.claims) == ("checked", {"a0-5": "contradicted:none"})
    for answers, says in (
        ({}, "1 of 1 disputed questions are not decided"),
        ({"a0-5": "supported", "a6-9": "supported"}, "Nobody differs on 'a6-9'; expected answers to a0-5"),
        ({"a0-5": "stated"}, "'stated' cannot be said of 'a0-5'; expected one of supported"),
    ):
        with pytest.raises(InputError, match=says):
            decided_judgement(disputes, answers, labels=None, design=asked)
    with pytest.raises(InputError, match="Nothing is due"):
        decided_judgement((), {}, labels=None, design=asked)
    with pytest.raises(InputError, match="checks each claim"):
        decided_judgement(disputes, {"a0-5": "supported"}, labels=given[0], design=asked)


def test_ticks_are_decided_with_labels_whatever_ticks_these_came_with() -> None:
    asked = design("failures")
    given = ticked({"a@1": "met", "b@1": "met"}, {"a@1": "not_met", "b@1": "met"})
    disputes = disputes_of(given, asked)
    made = decided_judgement(disputes, {"a@1": "not_met"}, labels=given[0], design=asked)
    assert (made.response_judgement, made.criteria) == ("acceptable", {"a@1": "not_met"})
    with pytest.raises(InputError, match="Nothing was decided"):
        decided_judgement(disputes, {"a@1": "not_met"}, labels=None, design=asked)
    with pytest.raises(InputError, match="judges one answer at a time"):
        decided_judgement(disputes, {"a@1": "met"}, labels=prefer("both_bad")[0], design=asked)


def test_results_rest_on_decisions_only_where_labels_are_decided() -> None:
    alike, apart = judged(FINE, FINE), judged(FINE, WRONG)
    asked = design("failures")
    assert not decides_labels(["g"], {"g": alike}, asked)
    assert decides_labels(["g"], {"g": apart}, asked)
    assert not decides_labels(["h"], {"g": apart}, asked)
    assert decides_labels(["g"], {"g": alike}, Design())
    assert not decides_labels([], {"g": apart}, Design())
