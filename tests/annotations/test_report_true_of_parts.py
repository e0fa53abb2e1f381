"""What reports say where models answered a part of the items, and of questions without a text."""

from collections.abc import Sequence
from dataclasses import replace

from clinicnum.annotations.bundle.source_file_notes import origin_notes
from clinicnum.annotations.report.markdown import render_markdown
from clinicnum.annotations.report.question_summary import ids_and_texts, subjects_said
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.study_design import Design, Filter
from clinicnum.types import Instance, Suggestion
from tests.annotations.bundle_example import MAKER, bundle_files, material
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_imports import grras


def with_half_a_run(tables: StudyTables) -> StudyTables:
    """The study with a second model that answered half of the items."""
    half = tables.generations[::2]
    again = tuple(
        one.model_copy(update={"generation_id": f"b-{one.generation_id}", "run_id": "b"}) for one in half
    )
    scores = {one.generation_id: one for one in tables.scores}
    scored = tuple(
        scores[one.generation_id].model_copy(update={"generation_id": f"b-{one.generation_id}"})
        for one in half
    )
    return tables.model_copy(
        update={
            "generations": (*tables.generations, *again),
            "scores": (*tables.scores, *scored),
            "runs": tables.runs | {"b": {"model": "B", "sessions": [{"written": 3}]}},
        }
    )


def test_a_model_that_answered_a_part_is_not_said_to_have_answered_all() -> None:
    tables = with_half_a_run(study(simulated=False))
    report = report_of(tables)
    assert "and B answered 24 and 12 of 24 items of 12 questions" in paragraphs(report, "methods")
    assert ("generations of B", 12) in table_of(report, "counts").rows
    assert "one that was cut off may have written more" in table_of(report, "provenance").note
    assert "cut off" not in table_of(report_of(study()), "provenance").note
    assert "answered 24 items of 12 questions" in paragraphs(report_of(study(simulated=False)), "methods")


def test_the_rated_sample_is_of_the_models_that_were_drawn_and_failed_samples_are_no_answers() -> None:
    tables = with_half_a_run(study(simulated=False))
    drawn = len(tables.inclusions)
    assert f"generations ({drawn} of SmolLM2-135M-Instruct and none of B) on" in grras(tables, 3)
    failed = {one.generation_id for one in tables.generations if one.run_id == "b"}
    scores = tuple(
        one.model_copy(update={"status": "error", "lenient": False, "strict": False})
        if one.generation_id in failed
        else one
        for one in tables.scores
    )
    said = paragraphs(report_of(tables.model_copy(update={"scores": scores})), "methods")
    assert "and B answered 24 and 0 of 24 items" in said


def without_text(instances: Sequence[Instance]) -> tuple[Instance, ...]:
    return tuple(one.model_copy(update={"context": ""}) for one in instances)


def test_questions_without_a_text_are_not_said_to_share_one() -> None:
    tables = elsewhere("choice")
    assert " and on 1 text" in ids_and_texts(tables.instances)
    bare = without_text(tables.instances)
    assert ids_and_texts(bare) == "under 12 subject ids"
    assert "12 ids; no text stands beside a question." in subjects_said(bare)
    counts = table_of(report_of(tables.model_copy(update={"instances": bare})), "counts").rows
    assert ("texts beside questions", 0) in counts


def test_judgements_without_suggestions_are_not_said_to_hide_any_where_there_are_none() -> None:
    tables = study(simulated=False)
    one = tables.annotations[0].generation_id
    said = Suggestion(generation_id=one, code="omission", rule="r", rank=1, sentence="It is short.")
    shown = tuple(
        row.model_copy(update={"suggestion_shown": row.generation_id == one}) for row in tables.annotations
    )
    report = report_of(tables.model_copy(update={"annotations": shown, "suggestions": (said,)}))
    assert "and in 45 not (45 of these on generations that have none)" in paragraphs(report, "suggestions")


def test_differences_that_chance_did_not_decide_and_times_that_no_clock_allows_are_no_effects() -> None:
    tables = study(simulated=False)
    shown = tuple(
        row.model_copy(update={"suggestion_shown": n % 2 == 0, "active_ms": 10**8})
        for n, row in enumerate(tables.annotations)
    )
    tables = tables.model_copy(update={"annotations": shown})
    for policy, told in (("after_judgement", True), ("randomised", False)):
        report = report_of(tables.model_copy(update={"design": Design(suggestions=policy)}))
        assert ("Here it did not" in paragraphs(report, "suggestions")) == told
    time = table_of(report, "suggestions_time")
    (row,) = time.rows
    assert [time.cell(row, name) for name in ("with_s", "without_s", "factor", "ci95")] == [None] * 4
    assert "longer than that between saves" in str(time.cell(row, "remark"))


def test_a_file_whose_lines_are_held_in_another_order_is_not_said_to_be_other_bytes() -> None:
    made = material()
    (run_id,) = made.tables.runs
    tables = made.tables.model_copy(update={"runs": {run_id: {"sha256": "a" * 64}}})
    files = bundle_files(made, generated_by=MAKER, given={})
    _, run, _ = origin_notes(replace(made, tables=tables), files)
    assert "24 generations, not in the order of the file with sha256 aaaaaaaaaaaa or not all of it" in run


def test_the_strict_score_is_checked_only_where_a_form_was_asked_of_all_that_were_drawn() -> None:
    tables = with_half_a_run(study(simulated=False))
    assert "strict" in [row[0] for row in table_of(report_of(tables), "scorer_rates").rows]
    b = next(one for one in tables.generations if one.run_id == "b")
    drawn = (*tables.inclusions, tables.inclusions[0].model_copy(update={"generation_id": b.generation_id}))
    imported = tables.runs | {"b": {"model": "B", "client": "import"}}
    mixed = tables.model_copy(update={"inclusions": drawn, "runs": imported})
    assert "strict" not in [row[0] for row in table_of(report_of(mixed), "scorer_rates").rows]


def test_the_wider_reading_is_not_called_a_careful_reader_and_severity_by_majority_has_its_rule() -> None:
    report = report_of(overturned_study())
    assert "careful reader" not in render_markdown(report)
    assert "what a wider automatic reading, which may err, has right" in paragraphs(report, "accuracy")
    assert "same median without the adjudicator, so “not settled”" in table_of(report, "severity").note


def with_variants(tables: StudyTables, *, drawn: int, where: Filter | None = None) -> StudyTables:
    """The study with half of its instances as variants, of whose answers `drawn` are in the sample."""
    variants = {one.instance_id for one in tables.instances[::2]}
    rewritten = {one.generation_id for one in tables.generations if one.instance_id in variants}
    in_it = [one for one in tables.inclusions if one.generation_id in rewritten]
    gone = {one.generation_id for one in in_it[drawn:]}
    judged = tuple(one for one in tables.annotations if one.generation_id not in gone)
    return tables.model_copy(
        update={
            "instances": tuple(
                one.model_copy(update={"variant": "input.typo"}) if one.instance_id in variants else one
                for one in tables.instances
            ),
            "inclusions": tuple(one for one in tables.inclusions if one.generation_id not in gone),
            "annotations": judged,
            "design": Design(where=where or Filter()),
        }
    )


def test_a_report_says_whether_answers_to_variants_were_drawn() -> None:
    tables = study(simulated=False)
    assert "to variants" not in paragraphs(report_of(tables), "methods")
    alone = report_of(with_variants(tables, drawn=0))
    said = "as these allow; base questions alone were drawn, none of the 12 answers to variants."
    assert said in paragraphs(alone, "methods")
    assert "; base questions alone were drawn" in grras(with_variants(tables, drawn=0), 7)
    some = paragraphs(report_of(with_variants(tables, drawn=1)), "methods")
    assert "; 1 of the 12 answers to variants was drawn, in strata of their own." in some
    earlier = with_variants(tables, drawn=1, where=Filter(variants=True))
    assert "to variants" not in paragraphs(report_of(earlier), "methods")


def test_a_part_of_which_base_questions_alone_were_drawn_is_named_so() -> None:
    where = Filter(operations=("arithmetic",))
    tables = study(simulated=False)
    told = render_markdown(report_of(with_variants(tables, drawn=0, where=where)))
    assert "Drawn from a part of the generations only (operation arithmetic; base questions)" in told
    told = render_markdown(report_of(with_variants(tables, drawn=1, where=where)))
    assert "Drawn from a part of the generations only (operation arithmetic)" in told


def test_variants_of_imported_questions_are_told_apart_from_the_questions() -> None:
    tables = with_variants(elsewhere("choice"), drawn=1)
    said = paragraphs(report_of(tables), "methods")
    assert "answered 12 items, each one question, of" in said
    assert "and 12 controlled variants of them" in said
    assert "1 of the 12 answers to variants was drawn" in said
    health = table_of(report_of(tables), "template_health").note
    assert "on items as imported, variants left out" in health
    plain = table_of(report_of(elsewhere("choice")), "template_health").note
    assert "variants left out" not in plain


def test_a_model_asked_by_a_prompt_of_ones_own_is_said_to_be() -> None:
    prompt = {"name": "brief", "version": 2, "wording": "{context} {question} {options}"}
    tables = study(simulated=False)

    def methods(**more: object) -> str:
        meta = {"model": "M", "client": "local", "prompt": prompt | more}
        return paragraphs(report_of(tables.model_copy(update={"runs": {"run1": meta}})), "methods")

    assert "M was asked by the prompt “brief v2”. " in methods()
    own = methods(form="In one word.", examples=[{"question": "Pulse?", "answer": "70"}])
    assert "“brief v2” with 1 worked example, which asks for a form of answer that is not judged. " in own
    assert "made elsewhere" not in own
