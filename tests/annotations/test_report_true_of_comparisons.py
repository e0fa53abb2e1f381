"""What reports say where models answered different items, of tests and labels, and of contests."""

from collections.abc import Iterator, Mapping

from clinicnum.annotations.report.report_content import Report, Table
from clinicnum.annotations.report.sections.consensus_protocols import consensus_section
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Contest
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_parts import with_half_a_run

SAID = {"a": "acceptable", "r": "right_answer_unsound_reasoning", "f": "failure", "c": "cannot_judge"}
SPLIT = {
    **{"fff": 51, "aaa": 38, "aff": 4, "ccc": 3, "aa-": 2, "ff-": 2, "afa": 2, "aaf": 2, "caa": 2, "-ff": 2},
    **dict.fromkeys(("ffr", "raa", "faa", "ara", "fcf", "aar", "faf", "cff", "f-c", "ffa", "rff", "ffc"), 1),
}
"""Responses of three annotators, by how many generations have them: Dawid and Skene's model then calls the
split ones right with unsound reasoning, where no annotator is expected to say so."""


def with_responses(said: Mapping[str, int]) -> StudyTables:
    patterns = [pattern for pattern, n in said.items() for _ in range(n)]
    tables = study(simulated=False, patients=160)
    drawn = tables.inclusions[: len(patterns)]
    assert len(drawn) == len(patterns)
    of = {one.generation_id: pattern for one, pattern in zip(drawn, patterns, strict=True)}

    def judged() -> Iterator[object]:
        for one in tables.annotations:
            word = of.get(one.generation_id, "---")[int(one.annotator_id[-1]) - 1]
            if word != "-":
                kept = {} if word == "f" else {"labels": (), "severity": None}
                yield one.model_copy(update={"response_judgement": SAID[word], **kept})

    return tables.model_copy(update={"inclusions": drawn, "annotations": tuple(judged()), "contests": ()})


def test_a_class_that_nobody_is_expected_to_name_is_left_out_of_the_models_tables() -> None:
    section = consensus_section(StudyView(with_responses(SPLIT)))
    tables: Mapping[str, Table] = {one.id: one for one in section.tables}
    said = "Response: nobody is expected to say right answer unsound reasoning where the model holds it true"
    shares = tables["dawid_skene_shares"]
    (row,) = [row for row in shares.rows if row[:2] == ("Response", "right answer unsound reasoning")]
    assert (shares.cell(row, "labels"), shares.cell(row, "model_share")) == (5, None)
    right = tables["dawid_skene_annotators"]
    assert {right.cell(row, "accuracy") for row in right.rows if row[0] == "Response"} == {None}
    differs = tables["dawid_skene_differs"]
    assert not [row for row in differs.rows if "right answer unsound reasoning" in row]
    certainty = tables["dawid_skene_certainty"]
    counted = sum(int(str(certainty.cell(row, "n"))) for row in certainty.rows if row[0] == "Response")
    assert 90 < counted < 120
    for name in (
        "dawid_skene_shares",
        "dawid_skene_annotators",
        "dawid_skene_differs",
        "dawid_skene_certainty",
    ):
        assert said in tables[name].note
    plain = consensus_section(StudyView(with_responses({"fff": 30, "aaa": 30, "ffa": 3, "aaf": 3})))
    assert not [one for one in plain.tables if "nobody is expected to say" in one.note]


def test_that_nobody_gave_the_models_label_is_said_of_none_in_words() -> None:
    section = consensus_section(StudyView(with_responses({"fff": 30, "aaa": 30, "ffa": 3, "aaf": 3})))
    (table,) = [one for one in section.tables if one.id == "dawid_skene_differs"]
    assert "The model's label on none of them is one that nobody gave." in table.note


def test_rows_of_models_that_answered_other_items_are_not_to_be_compared() -> None:
    tables = with_half_a_run(study(simulated=False))
    note = table_of(report_of(tables), "accuracy_main").note
    assert "given different items: of 24, variants included, B 12; what chose these is not known here" in note
    assert "error instead of an answer" not in note
    none = {"status": "error", "lenient": False, "strict": False, "parsed": None, "form": None}
    failed = tables.scores[0].model_copy(update=none)
    with_error = tables.model_copy(update={"scores": (failed, *tables.scores[1:])})
    assert "an error instead of an answer: " in table_of(report_of(with_error), "accuracy_main").note
    assert "Rows do not compare models, differences on shared items do" in note
    assert "different items" not in table_of(report_of(study()), "accuracy_main").note


def with_runs(n: int) -> StudyTables:
    tables = study(simulated=False)
    more = range(1, n)
    return tables.model_copy(
        update={
            "generations": tables.generations
            + tuple(
                one.model_copy(update={"generation_id": f"{k}-{one.generation_id}", "run_id": f"r{k}"})
                for k in more
                for one in tables.generations
            ),
            "scores": tables.scores
            + tuple(
                one.model_copy(update={"generation_id": f"{k}-{one.generation_id}"})
                for k in more
                for one in tables.scores
            ),
            "runs": tables.runs | {f"r{k}": {"model": f"M{k}"} for k in more},
        }
    )


def test_many_models_have_one_key_figure_and_a_row_each_and_tests_say_how_many_there_are() -> None:
    report = report_of(with_runs(5))
    (figure,) = [one for one in report.key_figures if one.label.startswith("Accuracy")]
    assert figure.label == "Accuracy, 5 models"
    assert figure.table == "models"
    models = table_of(report, "models")
    shares = [models.cell(row, "all") for row in models.rows]
    assert len(shares) == 5
    assert figure.value == f"{100 * shares[0]:.1f} %", "all models have the same"
    (said,) = [one.text for one in report.findings if one.topic == "Models"]
    assert said.startswith("All models have the same accuracy")
    assert "better than" not in said
    note = table_of(report, "model_differences").note
    assert "times the number of pairs in this table that count as tested (0)" in note
    assert "where it is over 0.05, p stands there but counts as no test" in note
    assert "sign flips do not reject once they are taken from each subject's difference" in note
    two = [one for one in report_of(with_runs(2)).key_figures if one.label.startswith("Accuracy")]
    assert [one.label for one in two] == ["Accuracy, M1", "Accuracy, SmolLM2-135M-Instruct"]


def test_none_right_can_have_missed_no_form() -> None:
    tables = study(simulated=False)
    wrong = tuple(one.model_copy(update={"lenient": False, "strict": False}) for one in tables.scores)
    table = table_of(report_of(tables.model_copy(update={"scores": wrong})), "verdicts")
    for row in table.rows:
        assert table.cell(row, "format_failure") is None
        assert "no answer is right; the form of wrong ones is not judged" in str(table.cell(row, "remark"))
    usual = table_of(report_of(tables), "verdicts")
    assert not [row for row in usual.rows if "none can have missed" in str(usual.cell(row, "remark"))]


def test_what_is_read_is_said_with_its_forms_and_what_is_not_with_its_price() -> None:
    said = paragraphs(report_of(elsewhere("choice")), "accuracy")
    assert (
        "(such as “the answer is B”, “option B”, a last line that is only “B)”), or, if short and "
        "without a mark, named no other" in said
    )
    assert "a text that neither marks an answer nor plainly gives its only value as one, in a form" in said
    assert "said nothing else" not in said


def upheld() -> Report:
    """Two annotators contest the same question with one claim; one contest took its instance out."""
    tables = overturned_study()
    key = tables.annotations[0].generation_id
    made = [
        Contest(
            contest_id=f"c{n}",
            generation_id=key,
            annotator_id=f"annotator-{n}",
            kind="ambiguous",
            status="upheld",
            decided_by="J1",
            adjudicator_kind="human",
            comment="so it is",
        )
        for n in (1, 2)
    ]
    return report_of(tables.model_copy(update={"contests": tuple(made)}))


def test_contests_are_explained_and_their_claims_counted() -> None:
    said = paragraphs(upheld(), "contests")
    assert said.startswith(
        "A contest is a judgement that calls the item ambiguous or its gold wrong. 2 contests"
    )
    assert "they make 1 claim about 1 instance." in said
    assert "take 0 instances out of accuracy, whoever answered them, right or wrong: " in said
    assert "0 answers by 0 of 1 model." in said
    assert "they make" not in paragraphs(report_of(study(simulated=False)), "contests")


def test_questions_in_doubt_are_said_to_be_so_on_one_answer_at_least() -> None:
    tables = study(simulated=False)
    doubts = tuple(one.model_copy(update={"item_judgement": "ambiguous"}) for one in tables.annotations)
    said = paragraphs(report_of(tables.model_copy(update={"annotations": doubts})), "contests")
    assert "by the decision that stands, else the consensus, on at least one answer, " in said


def test_none_is_told_apart_from_what_could_not_be_judged() -> None:
    tables = study(simulated=False)
    key = tables.annotations[0].generation_id
    changed = {"response_judgement": "cannot_judge", "labels": (), "severity": None}
    unsure = tuple(
        one.model_copy(update=changed) if one.generation_id == key else one for one in tables.annotations
    )
    said = paragraphs(report_of(tables.model_copy(update={"annotations": unsure})), "taxonomy")
    assert (
        "not called a failure (1 generation among them could not be judged; “cannot judge” is what 3" in said
    )
    assert "could not be judged" not in paragraphs(report_of(tables), "taxonomy")


def test_methods_multiply_p_values_by_the_pairs_that_count_and_name_what_the_interval_holds() -> None:
    said = paragraphs(report_of(elsewhere("choice")), "methods")
    assert "number of pairs" not in said
    tables = with_runs(3)
    imported = elsewhere("choice").instances
    said = paragraphs(report_of(tables.model_copy(update={"instances": imported})), "methods")
    assert "with the interval of all differences that sign flips do not reject" in said
    assert "its p-values times the number of pairs of models that count as tested" in said


def test_tables_of_failures_and_decisions_have_no_column_more_than_a_page_holds() -> None:
    report = report_of(overturned_study())
    shares = table_of(report, "failure_shares")
    assert [one.key for one in shares.columns if one.under] == ["ci95"]
    decided = table_of(report, "adjudicated")
    assert "By: the adjudicator. Made on: how many judgements they saw." in decided.note
    assert max(len(one.label) for one in decided.columns if one.key in ("adjudicator", "settles")) < 8
