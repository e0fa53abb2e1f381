"""What a report says of runs of which only values were kept, of errors in place of answers, and of classes of
failure that one model alone shows.
"""

from clinicnum.annotations.bundle.compare_recomputed_report import in_earlier_layout
from clinicnum.annotations.report.failure_class_shares import VALUES_ONLY
from clinicnum.annotations.report.format_cells import shown
from clinicnum.annotations.report.markdown import render_markdown
from clinicnum.annotations.report.paper_tables import report_table
from clinicnum.annotations.report.report_content import Report, Table
from clinicnum.annotations.report.sections.accuracy_by_dimension import parts_table
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.interval_estimate import undefined_figure
from clinicnum.stats.rounded_figures import percent
from clinicnum.tables import Measure, PaperTable, Row
from tests.annotations.report_example import study
from tests.annotations.report_example_models import eight_models
from tests.annotations.report_parts import report_of, table_of
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_imports import medcalc


def finding(report: Report, topic: str) -> str:
    return next(one.text for one in report.findings if one.topic == topic)


def test_classes_that_a_stored_value_does_not_show_have_no_share() -> None:
    kept, whole = report_of(medcalc(failed=0)), report_of(elsewhere("medcalc"))
    unseen = 0
    for values, texts in zip(
        table_of(kept, "classes_by_model").rows, table_of(whole, "classes_by_model").rows, strict=True
    ):
        table = table_of(kept, "classes_by_model")
        if table.cell(texts, "count") or table.cell(texts, "class") in ("Undetermined", "no agreed class"):
            assert table.cell(values, "share") == table.cell(texts, "share")
            continue
        unseen += 1
        assert table.cell(texts, "share") == 0
        assert [table.cell(values, key) for key in ("share", "ci95", "remark")] == [None, None, VALUES_ONLY]
    assert unseen
    signatures = table_of(kept, "signatures")
    verdicts = {signatures.cell(row, "signature"): signatures.cell(row, "verdict") for row in signatures.rows}
    assert verdicts["hallucinations"] == f"not measured: {VALUES_ONLY}"
    failed = {row[3] for row in table_of(kept, "classes_by_model").rows}
    assert {signatures.cell(row, "share_n") for row in signatures.rows if row[1] != "format"} == failed
    assert "which need not show their class" not in finding(kept, "Failures")


def test_stored_values_among_the_failures_of_several_models_are_counted() -> None:
    tables = eight_models()
    kept = tables.model_copy(
        update={"runs": {**tables.runs, "run7": {"client": "import", "source_format": "medcalc"}}}
    )
    table = table_of(report_of(kept), "classes_by_model")
    (n,) = {row[3] for row in table.rows if VALUES_ONLY in row}
    said = f"{n} are values that MedCalc-Bench's script kept, which need not show their class"
    assert said in finding(report_of(kept), "Failures")
    assert said in table_of(report_of(kept), "failure_shares").note
    assert "MedCalc" not in finding(report_of(tables), "Failures")


def test_a_class_that_one_model_alone_shows_is_said_to_be_its() -> None:
    tables = eight_models()
    of = {one.generation_id: one.run_id for one in tables.generations}
    of_one = tables.model_copy(
        update={
            "annotations": tuple(
                one
                for one in tables.annotations
                if of[one.generation_id] == "run7"
                or not any(label.code.startswith("omission") for label in one.labels)
            )
        }
    )
    assert ", all of " not in finding(report_of(tables), "Failures")
    said = finding(report_of(of_one), "Failures")
    assert said.count(", all of ") == 1
    assert said.partition("Omission ")[2].partition(";")[0].endswith(", all of SmolLM2 135M")


def test_errors_that_are_left_out_are_told_beside_accuracy_with_what_they_would_make() -> None:
    tables = medcalc(failed=3)
    report = report_of(tables)
    right = sum(one.lenient for one in tables.scores)
    assert (
        "3 generations hold an error of MedCalc-Bench's script in place of an answer and are left out; "
        f"counted as wrong, as a text without an answer is, accuracy would be: "
        f"gpt-4o-mini {right} of 24 ({percent(right / 24)} %)"
    ) in finding(report, "To be doubted")
    assert ", 3 errors left out" in next(one.note for one in report.key_figures if one.table == "accuracy")
    assert "left out" not in next(
        one.note for one in report_of(medcalc(failed=0)).key_figures if one.table == "accuracy"
    )


def test_findings_name_the_files_of_all_that_they_tell() -> None:
    tables = eight_models()
    elsewhere_asked = {"run0": tables.runs["run0"] | {"decoding": {"max_new_tokens": 8}}}
    other = {"run1": tables.runs["run1"] | {"client": "import"}}
    report = report_of(tables.model_copy(update={"runs": tables.runs | elsewhere_asked | other}))
    models = next(one for one in report.findings if one.topic == "Models")
    assert "at most 8 new tokens" in models.text
    assert models.more_tables == ("model_differences", "provenance")
    harm = next(one for one in report_of(medcalc(failed=3)).findings if one.topic == "Severity")
    assert "3 errors in place of an answer" in harm.text
    assert "See harm.csv, score_statuses.csv." in render_markdown(report_of(medcalc(failed=3)))


def test_new_lines_of_a_setting_are_shown() -> None:
    assert shown("{context}\n\n{question}", "code") == r"{context}\n\n{question}"
    assert shown("one\ntwo", "text") == "one\ntwo"


def test_where_the_parts_of_medec_are_not_counted_as_medec_does_it_is_said() -> None:
    (table,) = parts_table(StudyView(elsewhere("medec")))
    assert "as MEDEC counts it" not in table.note
    assert "one without a correction, which MEDEC's script takes for no answer" in table.note
    assert "blanks at the ends left out, which MEDEC keeps in references" in table.note
    assert "such as one that says only that there is an error, is wrong in all three" in table.note


def test_the_signature_of_format_is_open_where_too_few_are_right_for_it_to_fire() -> None:
    tables = study(simulated=False)
    few = tuple(
        one.model_copy(update={"lenient": not n, "strict": False}) for n, one in enumerate(tables.scores)
    )
    found = {}
    for name, scores in (("few", few), ("all", tables.scores)):
        table = table_of(report_of(tables.model_copy(update={"scores": scores})), "signatures")
        (found[name],) = (
            table.cell(row, "verdict") for row in table.rows if table.cell(row, "signature") == "format"
        )
    assert found["few"] == "open: too few answers are right for it to fire"
    assert found["all"] != found["few"]


def test_a_bundle_that_gave_such_shares_keeps_them_where_it_is_recomputed() -> None:
    rebuilt = report_of(medcalc(failed=0))

    def with_zeros(table: Table) -> Table:
        zeros = {"share": 0.0, "ci95": (0.0, 0.3), "remark": None}
        rows = tuple(
            tuple(zeros.get(key, cell) for key, cell in zip(table.keys, row, strict=True))
            if VALUES_ONLY in row
            else row
            for row in table.rows
        )
        return table.model_copy(update={"rows": rows})

    now = table_of(rebuilt, "classes_by_model")
    given = rebuilt.model_copy(
        update={
            "sections": tuple(
                one.model_copy(update={"tables": tuple(map(with_zeros, one.tables))})
                for one in rebuilt.sections
                if now in one.tables
            )
        }
    )
    then = table_of(given, "classes_by_model")
    unseen = [place for place, row in enumerate(now.rows) if VALUES_ONLY in row]
    before = table_of(in_earlier_layout(given, rebuilt), "classes_by_model")
    assert unseen
    assert [before.rows[place] for place in unseen] == [then.rows[place] for place in unseen]


def test_cells_that_are_crossed_out_in_a_map_of_classes_are_explained() -> None:
    def caption(tables: StudyTables) -> str:
        plots = [plot for section in report_of(tables).sections for plot in section.plots]
        return next(plot.caption for plot in plots if plot.id == "classes_by_model")

    said = "crossed out where the table gives no share"
    assert said in caption(with_a_second_run(medcalc(failed=0)))
    assert said not in caption(elsewhere("medcalc"))


def with_a_second_run(tables: StudyTables) -> StudyTables:
    """The study with every second generation, of those drawn and of the others, in a run whose texts were
    kept.
    """
    drawn = [one.generation_id for one in tables.inclusions]
    second = set(drawn[::2]) | {one.generation_id for one in tables.generations[::2]} - set(drawn)
    generations = tuple(
        one.model_copy(update={"run_id": "run2"}) if one.generation_id in second else one
        for one in tables.generations
    )
    runs = tables.runs | {"run2": {"model": "whole", "client": "import"}}
    return tables.model_copy(update={"generations": generations, "runs": runs})


def test_a_reason_in_a_table_of_papers_names_the_figure_that_it_is_of() -> None:
    none, wide = undefined_figure("no answer is right"), undefined_figure("2 subjects")
    made = PaperTable(
        name="t",
        caption="c",
        note="n",
        texts=(("measure", "Measure"),),
        measures=(Measure("right", "Right", "count"), Measure("wrong", "Wrong", "count")),
        rows=(Row(("words",), (none, wide)), Row(("tokens",), (none, none))),
        undefined=None,
    )
    table = report_table(made)
    assert [table.cell(row, "remark") for row in table.rows] == [
        "Right: no answer is right; Wrong: 2 subjects",
        "no answer is right",
    ]


def test_unanswered_failures_that_the_limit_of_length_made_are_said_to_be_so() -> None:
    tables = eight_models()
    of = {one.generation_id for one in tables.generations if one.run_id == "run7"}
    named = tuple(
        one.model_copy(
            update={"labels": (one.labels[0].model_copy(update={"code": "unanswered.truncated"}),)}
        )
        if one.generation_id in of and one.labels
        else one
        for one in tables.annotations
    )
    cut = tuple(one.model_copy(update={"finish_reason": "length"}) for one in tables.generations)
    limit = {"run7": {**tables.runs["run7"], "decoding": {"max_new_tokens": 32}}}
    short = tables.model_copy(
        update={"annotations": named, "generations": cut, "runs": {**tables.runs, **limit}}
    )
    report = report_of(short)
    shares = table_of(report, "failure_shares")
    assert ", all cut off at a limit of length" in finding(report, "Failures")
    assert (
        "Of the failures settled as Unanswered, texts that the run's limit of length cut off" in shares.note
    )
    assert "(at most 32 new tokens)." in shares.note
    assert "finish_reason" in shares.trace
    whole = report_of(short.model_copy(update={"generations": tables.generations}))
    assert "cut off" not in table_of(whole, "failure_shares").note
    assert "cut off" not in finding(whole, "Failures")
