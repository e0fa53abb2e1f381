"""What a preview counts and warns of, and which judgements become references; all derived by hand."""

from dataclasses import replace
from typing import Any

import pytest

from clinicnum.annotations.draw_study_items import draw_items
from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.reference_judgements import Reference, references_by_id, unanimous
from clinicnum.annotations.report.sections.grras_checklist import grras_section
from clinicnum.annotations.report.sections.methods import methods_section
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.study_preview import Preview, preview_study
from clinicnum.annotations.suggestion_computation import with_suggestions
from clinicnum.errors import InputError
from clinicnum.types import Suggestion
from tests.annotations.report_example import study
from tests.db.examples import FAILURE, material


def preview(wrong: int = 20, right: int = 10, annotators: int = 4, **design: object) -> Preview:
    made, chosen = material(wrong=wrong, right=right), Design.model_validate(design)
    references = {f"run-of-llama-g{number}": FAILURE for number in range(6)}
    sample = draw_items(made, references, design=chosen, annotators=annotators, seed=1)
    return preview_study(made, sample, design=chosen, annotators=annotators, seconds_an_item=90)


def test_work_and_hours_are_counted_per_annotator_and_in_all() -> None:
    # 20 failures less 3 + 2 set aside leave 15; 15 * 0.15 / 0.85 = 2.6, so 3 right ones: 18 drawn.
    told = preview(training=3, controls=2, overlap=2)
    assert (told.available, told.drawn, told.training, told.controls) == (25, 18, 3, 2)
    assert told.judgements == 18 * 2 + 5 * 4
    # 18 * 2 / 4 = 9 main, 5 for everyone.
    assert (told.items_an_annotator, told.repeats_an_annotator) == (14, 0)
    assert told.hours_an_annotator == pytest.approx(14 * 90 / 3600)
    assert told.hours_in_all == pytest.approx(4 * 14 * 90 / 3600)
    (warning,) = told.warnings
    # 15 of 15 scored wrong, 3 of 10 right: 0.025^(1/3) = 0.292, so up to 7.1 misses beside 15 failures.
    assert warning.startswith(
        "3 of 10 answers scored right will be judged: if none is a miss, the sensitivity"
    )
    assert "as low as 67 %" in warning


def test_what_no_miss_would_say_of_the_score_is_told_before_anyone_labels() -> None:
    assert any(
        "18 of 900 answers scored right will be judged: if none is a miss" in one and "37 %" in one
        for one in preview(wrong=106, right=900, training=3, controls=3).warnings
    )
    assert not any("is a miss" in one for one in preview(include="all").warnings)
    assert not any("is a miss" in one for one in preview(include="incorrect").warnings)


def test_repeats_begin_after_twenty_items() -> None:
    told = preview(wrong=60, right=0, annotators=1, overlap=1, include="incorrect", repeat_share=0.1)
    # 60 items; of the 40 after the first 20 one in ten is followed by a repeat: 4.
    assert (told.items_an_annotator, told.repeats_an_annotator) == (64, 4)


def test_a_stratum_that_is_drawn_in_part_has_its_chance_and_one_left_out_has_none() -> None:
    mixed = {one.stratum: (one.available, one.drawn, one.probability) for one in preview(size=10).strata}
    assert mixed == {
        "arithmetic/structured/failure": (20, 8, 8 / 20),
        "arithmetic/structured/correct": (10, 2, 2 / 10),
    }
    failures = {one.stratum: one.probability for one in preview(include="incorrect").strata}
    assert failures == {"arithmetic/structured/failure": 1.0, "arithmetic/structured/correct": 0.0}


@pytest.mark.parametrize(
    ("design", "complaint"),
    [
        ({"include": "incorrect"}, "No scored-correct generation is drawn"),
        ({"size": 8}, "8 items of 8 subjects: no interval"),
        ({"overlap": 1}, "One annotator an item"),
        ({"overlap": 1}, "Only one person labels each answer: the report will count no failure"),
        ({"suggestions": "randomised"}, "reported apart and left out of agreement"),
        ({"suggestions": "after_judgement"}, "the policy would change nothing"),
        ({"size": 100}, "100 were asked for, but only 30 can be drawn"),
        (
            {"size": 25, "correct_share": 0.5},
            "only 22 are drawn: a share of 50 % is kept for answers scored right, of which there are too few",
        ),
        ({"size": 30}, "Scored-correct answers are 10 of 30 drawn"),
    ],
)
def test_what_a_design_gives_up_is_said_before_it_opens(design: dict[str, Any], complaint: str) -> None:
    found = preview(**design)
    assert any(complaint in said for said in (*found.unmet, *found.warnings))


def test_nothing_is_said_to_be_uncounted_where_two_label_each_answer() -> None:
    assert preview(overlap=2).unmet == ()


@pytest.mark.parametrize(
    ("policy", "cost"),
    [
        ("shown", "2 of 6 drawn items have suggestions, in sight before the judgement"),
        ("after_judgement", "labels and severity count in agreement only as locked before it"),
        ("hidden", None),
    ],
)
def test_a_preview_says_what_a_policy_on_suggestions_costs(policy: str, cost: str | None) -> None:
    suggested = tuple(
        Suggestion(
            generation_id=f"run-of-llama-g{number}",
            code="omission",
            rule="r",
            rank=1,
            sentence="It is short.",
        )
        for number in range(2)
    )
    made = replace(material(wrong=6), suggestions=suggested)
    design = Design(include="incorrect", suggestions=policy)
    told = preview_study(
        made, draw_items(made, {}, design=design, annotators=3, seed=1), design=design, annotators=3
    )
    said = [one for one in told.warnings if "in agreement" in one or "of agreement" in one]
    assert bool(said) == (cost is not None)
    assert cost is None or cost in said[0]


def test_suggestions_are_computed_for_the_drawn_and_nobody_else() -> None:
    made = material(wrong=3)
    told = with_suggestions(made, drawn={"run-of-llama-g1"})
    assert {one.generation_id for one in told.suggestions} <= {"run-of-llama-g1"}
    assert told.generations() == made.generations()


@pytest.mark.parametrize(("client", "suggested"), [("import", False), ("openai", True)])
def test_a_right_answer_has_suggestions_only_if_a_form_was_asked(client: str, suggested: bool) -> None:
    made = material(wrong=0, right=1)
    (run,) = made.runs
    loose = tuple(one.model_copy(update={"strict": False}) for one in made.scores)
    made = replace(made, scores=loose, runs=(replace(run, meta=run.meta | {"client": client}),))
    assert bool(with_suggestions(made, drawn={"run-of-llama-g0"}).suggestions) == suggested


def test_what_two_agree_on_is_a_reference_and_less_is_none() -> None:
    slip = FAILURE
    formula = FAILURE.model_copy(
        update={"labels": (Label(code="causal_reasoning.wrong_formula", primary=True),), "severity": "3"}
    )
    fine = Judgement(item_judgement="valid", response_judgement="acceptable")
    same = unanimous([slip, slip])
    assert same is not None
    assert [label.code for label in same.labels] == ["causal_reasoning.arithmetic_slip"]
    apart = unanimous([slip, formula])
    assert apart is not None
    assert ([label.code for label in apart.labels], apart.severity) == (["causal_reasoning"], "3")
    assert unanimous([fine, fine]) == fine
    for judgements in (
        [slip],
        [slip, fine],
        [slip, slip.model_copy(update={"severity": "4"})],
        [Judgement(item_judgement="valid", response_judgement="cannot_judge")] * 2,
        [slip.model_copy(update={"item_judgement": "ambiguous"})] * 2,
    ):
        assert unanimous(judgements) is None


def test_a_generation_with_two_references_is_named() -> None:
    line = Reference(generation_id="g1", response_judgement="acceptable")
    assert references_by_id([line]) == {
        "g1": Judgement(item_judgement="valid", response_judgement="acceptable")
    }
    with pytest.raises(InputError, match="'g1' has more than one reference"):
        references_by_id([line, line])


def test_the_methods_paragraph_and_grras_name_what_the_study_was_opened_with() -> None:
    design = Design(training=2, controls=3, repeat_share=0.05, suggestions="randomised", lease_minutes=45)
    view = StudyView(study(simulated=False).model_copy(update={"design": design}))
    told = " ".join(methods_section(view).paragraphs)
    for sentence in (
        "each judged 2 training items with feedback",
        "3 control items with a reference judgement",
        "With a chance of 5 % the next item was a blind repeat",
        "set to show automatic suggestions of a cause from the start on a random half of the items",
        "one left for 45 minutes went back",
    ):
        assert sentence in told
    process = next(row[-1] for row in grras_section(view).tables[0].rows if row[0] == "8")
    assert "2 training items with feedback, 3 hidden control items" in str(process)
    assert "suggestions: randomised" in str(process)
    plain = " ".join(methods_section(StudyView(study(simulated=False))).paragraphs)
    assert "control items" not in plain


def test_a_sample_that_failed_is_not_drawn() -> None:
    made = material(wrong=6, right=0)
    failed = made.scores[0].model_copy(update={"status": "error"})
    made = replace(made, scores=(failed, *made.scores[1:]))
    chosen = Design.model_validate({"include": "incorrect"})
    sample = draw_items(made, {}, design=chosen, annotators=3, seed=1)
    assert len(sample.drawn) == 5
    assert failed.generation_id not in sample.drawn


def test_variants_are_a_stratum_of_their_own_and_the_preview_says_what_is_left_out() -> None:
    made = material(wrong=20, right=10)
    rewritten = tuple(
        one.model_copy(update={"variant": "numeric.relevant"}) if number % 3 else one
        for number, one in enumerate(made.instances)
    )
    made = replace(made, instances=rewritten)
    for asked, drawn in ((0, 0), (6, 6)):
        chosen = Design(variants=asked)
        sample = draw_items(made, {}, design=chosen, annotators=3, seed=1)
        told = preview_study(made, sample, design=chosen, annotators=3)
        assert (told.variants_available, told.variants_drawn) == (20, drawn)
        assert [(one.variant, one.available, one.drawn) for one in told.variants] == [
            ("numeric.relevant", 20, drawn)
        ]
        left_out = "Only answers to base questions are drawn; 20 answers to variants of them are left out."
        assert (str(told.of_variants()) == left_out) == (not asked)
        assert told.drawn == 8 + drawn  # 7 base failures and one scored correct beside them
        beside = {one.stratum: one.probability for one in told.strata if "/variant/" in one.stratum}
        # 5 of the 13 failures and 1 of the 7 scored correct.
        assert beside == {
            "arithmetic/structured/variant/failure": 5 / 13 if asked else 0.0,
            "arithmetic/structured/variant/correct": 1 / 7 if asked else 0.0,
        }
    few = Design(variants=100)
    sample = draw_items(made, {}, design=few, annotators=3, seed=1)
    fewer = preview_study(made, sample, design=few, annotators=3).unmet
    assert any("100 variants were asked for" in one for one in fewer)


def test_judgements_that_follow_the_reference_of_the_same_question_are_counted_before_opening() -> None:
    made = material(wrong=48)
    grouped = [one.model_copy(update={"group_id": f"q{n % 16}"}) for n, one in enumerate(made.instances)]
    made = replace(made, instances=tuple(grouped))

    def planned(annotators: int, **design: object) -> Preview:
        chosen = Design.model_validate({"include": "incorrect", **design})
        sample = draw_items(made, {}, design=chosen, annotators=annotators, seed=1)
        return preview_study(made, sample, design=chosen, annotators=annotators)

    told = planned(3)
    said = (
        "96 of 144 judgements, about 32 of each annotator's 48, will be made by somebody who has seen the "
        "gold answer of the same question with another item"
    )
    assert told.following.in_words() == said
    assert any(
        one.startswith(f"{said}. Such judgements do not count in agreement before the gold")
        for one in told.warnings
    )
    # 2 x 3 judgements on each question by three people: 3 follow.
    assert planned(3, overlap=2).following.in_words().startswith("At least 48 of 96 judgements, about 16 of ")
    for blind in (planned(9), planned(3, size=16, overlap=3)):
        assert (blind.following.following, blind.following.in_words()) == (0, None)
        assert not any("same question" in one for one in blind.warnings)
