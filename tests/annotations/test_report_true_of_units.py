"""What reports on imported items call the things that they count, and what nobody recorded of these."""

import pytest

from clinicnum.annotations.agreement import Rating, agreement
from clinicnum.annotations.report.sections.judged_answers import weighing, weights_column
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.prompt import prompt_hash
from clinicnum.scoring.medec import CORRECT
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study
from tests.annotations.report_example_models import eight_models
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_imports import grras


def with_variants(tables: StudyTables) -> StudyTables:
    """The study with every second item a variant of the one before it."""
    first = [one.instance_id for one in tables.instances]
    return tables.model_copy(
        update={
            "instances": tuple(
                one.model_copy(
                    update={
                        "variant": "options.shuffle.1",
                        "base_id": first[n - 1],
                        "group_id": tables.instances[n - 1].group_id,
                    }
                )
                if n % 2
                else one
                for n, one in enumerate(tables.instances)
            )
        }
    )


def test_answers_to_variants_are_said_to_be_among_the_failures() -> None:
    plain, mixed = (report_of(one) for one in (study(), with_variants(elsewhere("choice"))))
    told = " (answers to variants among them)"
    said = {one.topic: one.text for one in mixed.findings}
    assert told in said["Failures"]
    assert told in said["Severity"]
    assert any(told in one.note for one in mixed.key_figures)
    assert not any(told in one.text for one in plain.findings)


def test_contests_are_counted_with_instances_and_take_the_base_of_a_variant_out() -> None:
    tables = with_variants(elsewhere("choice"))
    report = report_of(tables)
    open_ = [one for one in tables.contests if one.status == "open"]
    of = {one.generation_id: one.instance_id for one in tables.generations}
    n = len({of[one.generation_id] for one in open_})
    said = next(one.text for one in report.findings if one.topic == "To be doubted")
    assert f" of {n} instance{'s' * (n != 1)} {'is' if len(open_) == 1 else 'are'} not decided" in said
    assert "questions with an open contest on them or on a variant out as well" in paragraphs(
        report, "contests"
    )


def test_a_decision_on_an_answer_is_said_to_leave_its_contest_open() -> None:
    tables = overturned_study()
    contest = study().contests[0]
    decided = next(one for one in tables.adjudications if one.stands).generation_id
    instance = next(one.instance_id for one in tables.generations if one.generation_id == decided)
    moved = contest.model_copy(update={"generation_id": decided, "instance_id": instance})
    told = " 1 of the open ones is on an answer on which an adjudicator's decision stands: "
    said = paragraphs(report_of(tables.model_copy(update={"contests": (moved,)})), "contests")
    assert told in said
    assert "decision stands" not in paragraphs(report_of(study()), "contests")


def test_how_many_of_the_imported_items_were_rated_is_said_where_the_import_counted_them() -> None:
    tables = elsewhere("medec")
    said = "; source: MEDEC, made elsewhere (file test.csv), "
    judged = {one.generation_id for one in tables.annotations}
    n = len({one.instance_id for one in tables.generations if one.generation_id in judged})

    def told(**counts: int) -> str:
        meta = {key: one for key, one in tables.benchmark.items() if key != "counts"}
        if counts:
            meta["counts"] = {"instances": sum(counts.values()), "templates": counts}
        return grras(tables.model_copy(update={"benchmark": meta}), 3)

    assert f"{said}in whole or in part" in told()
    assert f"{said}all {n} items imported from it" in told(medec=n)
    assert f"{said}{n} of the {n + 3} items imported from it" in told(medec=n, more=3)
    assert "in whole" not in grras(study(), 3)


def test_subjects_of_medec_tell_how_many_have_both_kinds_of_notes() -> None:
    tables = elsewhere("medec")
    notes = tuple(
        one.model_copy(
            update={
                "subject_id": f"case {n // 2}" if n < 4 else f"case {n}",
                "context": f"0 text {n}",
                "answer": CORRECT if n % 2 else "0 another text",
            }
        )
        for n, one in enumerate(tables.instances)
    )
    said = paragraphs(report_of(tables.model_copy(update={"instances": notes})), "accuracy")
    assert "2 ids have notes with an error and without, which may be one case" in said


def test_the_form_that_a_prompt_of_ours_asked_for_is_told_in_its_own_words() -> None:
    tables = elsewhere("choice")
    asked = {"model": "m", "prompt_ids": ["choice"], "prompt_hash": prompt_hash(["choice"])}
    said = paragraphs(report_of(tables.model_copy(update={"runs": {"run1": asked}})), "provenance")
    assert "Run run1 asked with clinicnum's prompt “choice”: system “You answer multiple-choice" in said
    assert "user “{context}\\n\\n{question}\\n{options}\\nThink step by step" in said
    assert "In the JSON write the letter of the right option.”" in said
    changed = asked | {"prompt_hash": "of other words"}
    other = report_of(tables.model_copy(update={"runs": {"run1": changed}}))
    assert "run1 asked" not in paragraphs(other, "provenance")


def test_scripts_are_not_said_to_judge_corrections() -> None:
    tables = study().model_copy(
        update={
            "instances": tuple(
                one.model_copy(update={"operation": "external", "scoring": "medec", "records": ()})
                for one in study().instances
            )
        }
    )
    note = table_of(report_of(tables), "scorer_rates").note
    assert "The score is of the sentence named alone. " in note
    people = table_of(report_of(elsewhere("medec")), "scorer_rates").note
    assert (
        "alone, the judgement of the correction too: a failure in the correction counts as missed." in people
    )


def test_agreement_names_the_number_of_categories_on_which_chance_depends() -> None:
    report = report_of(study())
    assert "; scale nominal with 4 categories; " in table_of(report, "agreement_response_judgement").note
    assert "; scale set; " in table_of(report, "agreement_labels").note


def test_answers_are_said_to_be_weighted_only_where_their_chances_differ() -> None:
    tables = study()
    same, other = (
        StudyView(
            tables.model_copy(
                update={
                    "inclusions": tuple(
                        one.model_copy(update={"probability": 0.5 if n else first})
                        for n, one in enumerate(tables.inclusions)
                    )
                }
            )
        )
        for first in (0.5, 0.25)
    )
    assert weighing(same) == "Answers are not weighted, as each had the same chance of being drawn"
    assert weights_column(same) == ""
    assert weighing(other, "Means").startswith("Means are weighted by the inverse")
    assert weights_column(other) == ", inclusion_probability"


@pytest.mark.parametrize(("items", "low"), [(9, ""), (12, ", lower end of the 95 % interval 74 %")])
def test_under_ten_items_there_is_no_end_of_an_interval_either(items: int, low: str) -> None:
    ratings = [Rating(item=f"i{n}", annotator=who, label="yes") for n in range(items) for who in "ab"]
    found = agreement(ratings, scale="nominal", categories=("yes", "no")).coefficient("cohen_kappa")
    assert found.undefined == f"no variation: 100 % agreement on {items} items{low}"


def test_where_no_item_has_two_settled_answers_the_smallest_share_is_said_to_add_nothing() -> None:
    said = "Here the smallest share is 0.8 times that of items with a severe error, and says no more."
    one_model = study(simulated=False)
    severe = tuple(
        one.model_copy(update={"severity": "4"}) if one.severity else one for one in one_model.annotations
    )
    table = table_of(report_of(one_model.model_copy(update={"annotations": severe})), "severe_concentration")
    (row,) = table.rows
    assert said in table.note
    assert table.cell(row, "smallest") == pytest.approx(0.8 * float(str(table.cell(row, "any"))))
    assert said not in table_of(report_of(eight_models()), "severe_concentration").note
