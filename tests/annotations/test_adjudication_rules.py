"""Positions without names and counts, decisions that stand, and what an upheld contest takes out."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from clinicnum.annotations.adjudication import position_at, positions_of, seen_state_hash, stands
from clinicnum.annotations.consensus import settle
from clinicnum.annotations.consequences_of_upholding import (
    BY_HAND,
    Scope,
    accuracy_without,
    canonical_claim,
    consequences,
)
from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.errors import InputError
from clinicnum.imports import robbench
from clinicnum.types import Cell, Instance
from tests.annotations.report_example_whole import whole_study
from tests.clinicnum import lint_recipe
from tests.clinicnum.lint_planting import bench

OMISSION = Judgement(
    item_judgement="valid",
    response_judgement="failure",
    labels=(Label(code="omission", primary=True, spans=((0, 4),)),),
    severity="1",
    confidence=1,
    rationale="a record is missed",
)
SAME = OMISSION.model_copy(
    update={
        "labels": (
            Label(
                code="omission",
                primary=True,
                spans=((2, 6),),
                context_spans=((1, 3),),
                cells=(Cell(record=0, vital="sbp_mmhg"),),
            ),
        ),
        "confidence": 3,
        "rationale": " a record is missed ",
    }
)
GRAVER = OMISSION.model_copy(update={"severity": "3"})
FINE = Judgement(item_judgement="valid", response_judgement="acceptable")


def test_who_says_the_same_is_one_position_with_all_their_evidence() -> None:
    found = positions_of([OMISSION, FINE, SAME], adjudicator="ada", item="g")
    assert len(found) == 2
    omission = next(one for one in found if one.judgement.labels)
    assert omission.judgement.labels[0].spans == ((0, 4), (2, 6))
    assert omission.judgement.labels[0].context_spans == ((1, 3),)
    assert omission.judgement.labels[0].cells == SAME.labels[0].cells
    assert (omission.confidences, omission.rationales) == ((1, 3), ("a record is missed",))
    assert (omission.judgement.confidence, omission.judgement.rationale) == (None, None)


def test_the_order_of_positions_is_the_adjudicators_and_not_the_number_or_order_of_voices() -> None:
    def order(said: list[Judgement], adjudicator: str = "ada", item: str = "g") -> list[str | None]:
        return [one.judgement.severity for one in positions_of(said, adjudicator=adjudicator, item=item)]

    said = [OMISSION, GRAVER, FINE]
    assert order(said) == order([FINE, OMISSION, GRAVER]) == order([*said, GRAVER, GRAVER, FINE])
    first = [order(said, item=f"g{n}")[0] for n in range(300)]
    # 100 each are expected; 60 is five standard deviations below.
    assert min(first.count(one) for one in ("1", "3", None)) > 60
    assert len({tuple(order(said, adjudicator=f"person {n}")) for n in range(40)}) > 3


def test_a_place_beyond_the_positions_is_refused() -> None:
    found = positions_of([OMISSION, FINE], adjudicator="ada", item="g")
    assert position_at(found, 1) == found[1].judgement
    for place in (-1, 2):
        with pytest.raises(InputError, match="expected 1 to 2"):
            position_at(found, place)


def test_a_decision_stands_while_it_cites_just_the_last_revisions() -> None:
    assert stands(["a2", "b1"], ["b1", "a2"])
    assert not stands(["a1", "b1"], ["a2", "b1"])
    assert not stands(["a1"], ["a1", "b1"])
    assert seen_state_hash(["a", "b"], []) == seen_state_hash(["b", "a"], [])
    assert seen_state_hash(["a"], ["b"]) != seen_state_hash(["a", "b"], [])


def test_what_is_decided_to_be_no_failure_has_no_severity() -> None:
    chosen = {
        key: tuple(one for one in whole_study().annotations if one.generation_id == key)
        for key in [whole_study().annotations[6].generation_id]
    }
    (key,) = chosen
    differ = {key: (*chosen[key][:2], chosen[key][2].model_copy(update=dict(FINE)))}
    (settled,) = settle(differ, "three_expert", decisions={key: FINE})
    assert (settled.response.label, settled.severity) == ("acceptable", None)
    (as_failure,) = settle(differ, "three_expert", decisions={key: GRAVER})
    assert (as_failure.response.label, as_failure.severity) == ("failure", "1")  # both say 1


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param(
            ("gold_wrong", "42"), ("gold_wrong", " 42.0"), True, id="a number however it is written"
        ),
        pytest.param(("gold_wrong", "42"), ("gold_wrong", "43"), False, id="another number"),
        pytest.param(("gold_wrong", "Not  documented"), ("gold_wrong", "not documented"), True, id="text"),
        pytest.param(("ambiguous", None), ("ambiguous", "42"), True, id="ambiguous is one claim"),
        pytest.param(("ambiguous", None), ("gold_wrong", None), False, id="another kind"),
        pytest.param(("gold_wrong", "1e999999999"), ("gold_wrong", "2"), False, id="an endless number"),
        pytest.param(("gold_wrong", "sNaN"), ("gold_wrong", "snan"), True, id="no number"),
    ],
)
def test_contests_that_say_the_same(
    one: tuple[str, str | None], other: tuple[str, str | None], same: bool
) -> None:
    assert (canonical_claim(*one) == canonical_claim(*other)) is same


def of_template(like: Instance) -> list[Instance]:
    return [one for one in bench() if one.template_id == like.template_id]


def wrong_by_seven(one: Instance) -> Instance:
    return one.model_copy(
        update={
            "answer": str(Decimal(str(one.answer)) + 7),
            "answer_exact": str(Decimal(str(one.answer_exact)) + 7),
        }
    )


def other_wording(one: Instance) -> Instance:
    return one.model_copy(update={"question": one.question.replace("What is the sum of", "Add up")})


def lacks_evidence(one: Instance) -> Instance:
    return one.model_copy(update={"evidence": ()})


@pytest.fixture(scope="module")
def sums() -> list[Instance]:
    """All clean instances of one template, several groups in three representations each."""
    first = next(one for one in bench() if one.template_id == "arithmetic.bp_sum")
    return of_template(first)


def planted(sums: list[Instance], change: Callable[[Instance], Instance], at: set[int]) -> list[Instance]:
    return [change(one) if place in at else one for place, one in enumerate(sums)]


def test_a_rule_that_finds_the_fault_is_tested_on_the_whole_template_and_only_failures_go(
    sums: list[Instance],
) -> None:
    group = [place for place, one in enumerate(sums) if one.group_id == sums[0].group_id]
    other = next(place for place, one in enumerate(sums) if one.group_id != sums[0].group_id)
    made = planted(sums, wrong_by_seven, {0, other})
    found = consequences(made[0], made, scope="template", framed=False)
    assert [fault.rule for fault in found.faults] == ["V3.answer", "V3.answer_exact"]
    assert found.faults[0].message.startswith(f"gold says {made[0].answer}")
    assert [one.instance.instance_id for one in found.taken] == sorted(
        (made[0].instance_id, made[other].instance_id), key=[one.instance_id for one in made].index
    )
    assert len(group) > 1  # its other representations are sound, and stay
    assert (found.scope, found.tested, found.unchecked) == (None, len(sums), 0)


@pytest.mark.parametrize("scope", ["group", "template"])
def test_where_no_rule_finds_a_fault_the_chosen_scope_goes(sums: list[Instance], scope: Scope) -> None:
    found = consequences(sums[0], sums, scope=scope, framed=False, reason="ambiguous")
    group = [one for one in sums if one.group_id == sums[0].group_id]
    assert [one.instance for one in found.taken] == (group if scope == "group" else sums)
    assert {(one.rule, one.reason) for one in found.taken} == {(BY_HAND[scope], "ambiguous")}
    assert (found.faults, found.scope) == ((), scope)


def test_a_fault_of_what_is_derived_is_none_of_the_gold(sums: list[Instance]) -> None:
    made = planted(sums, lacks_evidence, {0})
    assert consequences(made[0], made, scope="group", framed=False).faults == ()


def test_a_question_that_is_not_its_templates_is_a_fault(sums: list[Instance]) -> None:
    made = planted(sums, other_wording, {0})
    found = consequences(made[0], made, scope="group", framed=False)
    assert [fault.rule for fault in found.faults] == ["question.wording"]
    assert [one.instance.instance_id for one in found.taken] == [made[0].instance_id]


def test_what_is_out_already_is_not_taken_out_again(sums: list[Instance]) -> None:
    gone = {sums[0].instance_id}
    found = consequences(sums[0], sums, scope="template", framed=False, gone=gone)
    assert (len(found.taken), found.already) == (len(sums) - 1, 1)


def test_the_mark_of_the_consequences_changes_with_what_is_shown(sums: list[Instance]) -> None:
    group = consequences(sums[0], sums, scope="group", framed=False)
    template = consequences(sums[0], sums, scope="template", framed=False)
    marks = {
        group.mark(["c"], []),
        template.mark(["c"], []),
        group.mark(["c", "d"], []),
        group.mark(["c"], ["i"]),
    }
    assert len(marks) == 4


def test_questions_made_elsewhere_are_tested_by_the_rules_for_them(tmp_path: Path) -> None:
    rows = lint_recipe.bench(
        lint_recipe.patients(lint_recipe.made_up(seed=7, stays=6)), lint_recipe.structured
    )
    path = lint_recipe.write(tmp_path / "bench.csv", rows)
    made = [*robbench.instances(path, benchmark_id="b", prompt_id="p", progress=lambda _: None)]
    spo2 = [one for one in made if one.template_id == "clinicnumrobbench.retrieval.spo2"]
    spo2[0] = spo2[0].model_copy(update={"answer": "13"})
    found = consequences(spo2[0], spo2, scope="template", framed=None)
    assert [fault.rule for fault in found.faults] == ["wrong_gold"]
    assert [one.instance.instance_id for one in found.taken] == [spo2[0].instance_id]
    strange = spo2[1].model_copy(update={"question": "Is she well?"})
    by_hand = consequences(strange, [strange, *spo2[2:]], scope="group", framed=None)
    assert (by_hand.faults, [one.instance for one in by_hand.taken]) == ((), [strange])


def test_accuracy_without_some_is_the_share_of_the_rest() -> None:
    answers = [(f"s{n}", f"i{n}", n % 2 == 0) for n in range(20)]
    assert accuracy_without(answers, ()).value == 0.5
    # i1, i3, i5 are wrong: 10 right of 17.
    kept = accuracy_without(answers, {"i1", "i3", "i5", "elsewhere"})
    assert (kept.value, kept.n) == (10 / 17, 17)
    nothing = accuracy_without(answers, {key for _, key, _ in answers})
    assert (nothing.value, nothing.undefined) == (None, "every question is contested")
