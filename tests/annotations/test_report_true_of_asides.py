"""What reports say of control items, skipped and flagged items, repeated questions, limits and times."""

from clinicnum.annotations.agreement.study_agreement import Layer
from clinicnum.annotations.bundle.raw_files import StudyMaterial, raw_files, read_raw
from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.report.markdown import render_markdown
from clinicnum.annotations.report.study_tables import Asides, StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_design import Design
from clinicnum.types import Suggestion
from tests.annotations.bundle_example import material
from tests.annotations.report_example import study
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_choice import with_rounds
from tests.annotations.test_report_true_of_imports import grras
from tests.annotations.test_report_true_of_notes import likelier

RIGHT = Judgement(
    item_judgement="valid",
    response_judgement="failure",
    labels=(Label(code="omission", primary=True),),
    severity="1",
)


def with_controls() -> StudyTables:
    """A study in which one annotator judged two control items: one as its reference has it."""
    tables = with_rounds(study(simulated=False), "control", "control")
    first, second = (one.generation_id for one in tables.annotations if one.round == "control")
    other = RIGHT.model_copy(update={"response_judgement": "acceptable", "labels": (), "severity": None})
    return tables.model_copy(update={"references": {first: RIGHT, second: other}})


def test_control_items_have_a_table_and_it_is_missed_where_their_references_are() -> None:
    tables = with_controls()
    table = table_of(report_of(tables), "annotators_controls")
    (row,) = table.rows
    assert [table.cell(row, name) for name in ("annotator", "n", "response", "primary")] == [
        "annotator-1",
        2,
        0.5,
        0.5,
    ]
    assert "hidden among the others" in table.note
    without = render_markdown(report_of(tables.model_copy(update={"references": {}})))
    assert "the reference judgements are not among the study's data" in without
    assert "references of control items" not in render_markdown(report_of(study(simulated=False)))


def test_a_bundle_keeps_references_skips_and_flags() -> None:
    made = material()
    tables = made.tables.model_copy(
        update={
            "references": {made.tables.generations[0].generation_id: RIGHT},
            "asides": Asides(skipped=2, flags=3, flags_answered=1),
        }
    )
    again = read_raw(raw_files(StudyMaterial(tables=tables, taxonomy=made.taxonomy, opened=made.opened)))
    assert again.tables == tables


def test_skipped_assignments_and_flags_are_counted_in_one_line_each() -> None:
    tables = study(simulated=False)
    told = tables.model_copy(update={"asides": Asides(skipped=7, flags=10, flags_answered=6)})
    rows = [row[:2] for row in table_of(report_of(told), "counts").rows]
    assert ("assignments skipped, main round", 7) in rows
    assert ("flags by annotators, of every round (6 of them answered)", 10) in rows
    assert "(3 annotators were asked per generation; 7 assignments were skipped)" in paragraphs(
        report_of(told), "methods"
    )
    assert "flags by annotators" not in render_markdown(report_of(tables))


def test_questions_with_the_options_of_another_are_counted_as_perhaps_the_same() -> None:
    tables = elsewhere("choice")
    worded = tuple(
        one.model_copy(
            update={"context": "", "question": f"case {n}", "answer": "1", "options": (str(n // 2), "1")}
        )
        for n, one in enumerate(tables.instances)
    )
    said = paragraphs(report_of(tables.model_copy(update={"instances": worded})), "templates")
    assert (
        "24 items have the options and gold of another (no text stands beside the question), 12 sets" in said
    )
    apart = tuple(one.model_copy(update={"options": (str(n), "1")}) for n, one in enumerate(worded))
    assert "options and gold of another" not in paragraphs(
        report_of(tables.model_copy(update={"instances": apart})), "templates"
    )
    beside = tuple(one.model_copy(update={"context": "a text"}) for one in worded)
    assert "24 items have text, options and gold of another, 12 sets" in paragraphs(
        report_of(tables.model_copy(update={"instances": beside})), "templates"
    )


def test_medec_is_said_to_name_no_patients() -> None:
    tables = elsewhere("medec")
    several = tuple(one.model_copy(update={"context": f"text {n}"}) for n, one in enumerate(tables.instances))
    said = paragraphs(report_of(tables.model_copy(update={"instances": several})), "accuracy")
    assert "(MEDEC names no patients: the import gives one id to notes that share" in said
    assert "nearly equal texts are not looked for" not in said


def test_only_the_name_of_the_model_is_said_to_be_hidden() -> None:
    tables = study(simulated=False)
    assert "blind to the model" not in render_markdown(report_of(tables))
    assert "the form of a text may tell models apart" in paragraphs(report_of(tables), "methods")
    said = grras(tables, 8)
    assert "the model's name and other annotators stay hidden throughout, though the form" in said
    assert "gold (with its working or evidence) and score of an answer stay hidden" in said


def test_methods_say_how_many_generations_had_suggestions() -> None:
    tables = study(simulated=False).model_copy(update={"design": Design(suggestions="after_judgement")})
    said = paragraphs(report_of(tables), "methods")
    assert "set to show automatic suggestions of a cause with gold and score; there were none" in said
    assert "of a cause were shown" not in said
    key = tables.inclusions[0].generation_id
    one = Suggestion(generation_id=key, code="omission", rule="r", rank=1, sentence="It is short.")
    some = tables.model_copy(update={"suggestions": (one,)})
    assert "Of the 16 generations drawn 1 had any." in paragraphs(report_of(some), "methods")
    hidden = tables.model_copy(update={"design": Design(suggestions="hidden")})
    assert "had any" not in paragraphs(report_of(hidden), "methods")


def test_a_limit_of_tokens_and_what_it_cut_off_are_part_of_the_methods() -> None:
    tables = study(simulated=False)
    cut = tuple(
        one.model_copy(update={"finish_reason": "length" if n < 5 else "stop"})
        for n, one in enumerate(tables.generations)
    )
    runs = {"run1": tables.runs["run1"] | {"decoding": {"method": "greedy", "max_new_tokens": 40}}}
    said = paragraphs(report_of(tables.model_copy(update={"generations": cut, "runs": runs})), "methods")
    assert "(float32, greedy, at most 40 new tokens, which cut off 5 answers)" in said
    assert "new tokens" not in paragraphs(report_of(tables), "methods")
    runs["run1"]["decoding"] = {"method": "sampling", "temperature": 0.7, "sample": 1}
    drawn = paragraphs(report_of(tables.model_copy(update={"runs": runs})), "methods")
    assert "(float32, sampling at temperature 0.7)" in drawn


def test_times_that_no_clock_allows_have_no_sum_either() -> None:
    tables = study(simulated=False)
    long = tuple(one.model_copy(update={"active_ms": 10**8}) for one in tables.annotations)
    table = table_of(report_of(tables.model_copy(update={"annotations": long})), "annotators_time")
    assert {table.cell(row, "hours") for row in table.rows} == {None}
    assert "sum, mean and median are withheld" in str(table.cell(table.rows[0], "remark"))


def test_items_left_without_a_label_are_counted_with_the_labels() -> None:
    tables = study(simulated=False)
    keys = sorted({one.generation_id for one in tables.annotations})
    bare = tuple(
        one.model_copy(update={"severity": "not_applicable"})
        if one.generation_id in keys[:2] or (one.generation_id, one.annotator_id) == (keys[2], "annotator-1")
        else one
        for one in tables.annotations
    )
    agreement = StudyView(tables.model_copy(update={"annotations": bare})).agreement
    layer: Layer = agreement.layer("severity_if_failure")
    assert layer.result is not None
    out = [f"{one.n} {one.what}: {one.why}" for one in layer.result.population.left_out]
    assert "7 labels: severity not applicable, and with these 2 items left without a label" in out


def test_the_weights_speak_of_hidden_suggestions_only_where_chance_hid_them() -> None:
    tables = likelier(study(simulated=False))
    key = tables.annotations[0].generation_id
    shown = tuple(
        one.model_copy(update={"suggestion_shown": one.generation_id == key}) for one in tables.annotations
    )
    said = "but not that of suggestions being hidden on it"
    for policy, told in (("randomised", True), ("shown", False)):
        changed = {"annotations": shown, "design": Design(suggestions=policy)}
        note = table_of(report_of(tables.model_copy(update=changed)), "agreement_weighted").note
        assert (said in note) == told


def test_imported_items_are_not_called_unflagged() -> None:
    told = render_markdown(report_of(elsewhere("choice")))
    assert "lagged" not in told
    assert "Flagged" in render_markdown(report_of(study(simulated=False)))


def test_a_model_whose_answers_are_all_scored_alike_has_no_other_answer_that_was_not_judged() -> None:
    tables = study(simulated=False)
    wrong = tuple(
        one.model_copy(update={"status": "incorrect", "lenient": False, "strict": False})
        for one in tables.scores
    )
    said = "no answer that is scored right is settled"
    assert said in render_markdown(report_of(tables))
    assert said not in render_markdown(report_of(tables.model_copy(update={"scores": wrong})))


def test_weights_name_what_stands_for_what() -> None:
    said = "(answers settled as right or as a failure stand for all drawn that are scored like them)"
    assert said in table_of(report_of(study(simulated=False)), "failure_shares").note


def test_repeats_are_blind_to_being_repeats_and_not_to_the_gold() -> None:
    tables = study(simulated=False).model_copy(update={"design": Design(repeat_share=0.1)})
    again = tuple(one.model_copy(update={"round": "repeat"}) for one in tables.annotations)
    report = report_of(tables.model_copy(update={"annotations": (*tables.annotations, *again)}))
    said = "gold and score had been shown at the first pass"
    assert f"Blind: not marked as repeats; {said}." in table_of(report, "annotators_repeats").note
    assert f"(not marked as a repeat; {said})" in paragraphs(report, "methods")


def test_the_order_of_items_that_share_a_question_is_told() -> None:
    tables = study(simulated=False).model_copy(
        update={"design": Design(), "asides": Asides(skipped=0, flags=0, flags_answered=0)}
    )
    said = (
        "those of questions whose reference the annotator had not seen first, and others left to colleagues"
    )
    assert said in paragraphs(report_of(tables), "methods")
    apart = tuple(one.model_copy(update={"group_id": one.instance_id}) for one in tables.instances)
    assert said not in paragraphs(report_of(tables.model_copy(update={"instances": apart})), "methods")
    earlier = tables.model_copy(update={"asides": None})
    assert said not in paragraphs(report_of(earlier), "methods")
