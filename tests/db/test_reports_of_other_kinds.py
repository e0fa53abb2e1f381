"""Reports of pairs, ratings and claims: what their sentences and sources say of any study of these kinds."""

from collections.abc import Callable

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.bundle.bundle_file_paths import GUIDELINE, README
from clinicnum.annotations.bundle.write import bundle_files
from clinicnum.annotations.exports.data_files import csv_files
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.render_html_and_csv import report_csvs
from clinicnum.annotations.report.report_content import Report
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.db.engine import reading
from clinicnum.db.work.studies.load_study_for_bundle import load_study_material
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from tests.annotations.report_parts import named_columns
from tests.db import test_claims_study as claims
from tests.db import test_ratings as ratings
from tests.db.comparing import compare_all

MADE: dict[str, tuple[str, Callable[[Engine], None]]] = {
    "pairwise": ("pairs", lambda engine: compare_all(engine, models=2, items=12)),
    "ratings": ("rated", lambda engine: ratings.labelled(engine, items=12)),
    "claims": ("checks", claims.label),
}
"""Kind -> the study's name, and what makes it."""
TITLES = {
    "pairwise": "# How to compare two answers",
    "ratings": "# How to rate answers",
    "claims": "# How to check an answer",
}


_READ: dict[tuple[str, str], StudyTables] = {}
"""The whole studies read so far, by kind of database and of study: nothing changes them."""


def tables_of(engine: Engine, kind: str) -> StudyTables:
    name, make = MADE[kind]
    key = (engine.dialect.name, kind)
    if key not in _READ:
        make(engine)
        with reading(engine) as session:
            _READ[key] = load_study_tables(session, name)
    return _READ[key]


def report_of(tables: StudyTables) -> Report:
    return build_report(tables, generated_by="test")


def note(report: Report, table_id: str) -> str:
    return next(one.note for part in report.sections for one in part.tables if one.id == table_id)


def with_an_error(tables: StudyTables) -> StudyTables:
    """The study, in which the first drawn item has an error in place of its answer and was not drawn."""
    lost = tables.inclusions[0].generation_id

    def rest(name: str) -> tuple[object, ...]:
        return tuple(one for one in getattr(tables, name) if one.generation_id != lost)

    scores = tuple(
        one.model_copy(update={"status": "error"}) if one.generation_id == lost else one
        for one in tables.scores
    )
    kept = {name: rest(name) for name in ("inclusions", "annotations")}
    return tables.model_copy(update={"scores": scores, **kept})


@pytest.mark.parametrize("kind", MADE)
def test_sources_name_columns_that_are_in_the_files_and_sentences_are_whole(
    engine: Engine, kind: str
) -> None:
    tables = tables_of(engine, kind)
    report = report_of(tables)
    heads = {
        name: text.splitlines()[0].split(",")
        for name, text in {**report_csvs(report), **csv_files(tables)}.items()
        if name.endswith(".csv")
    }
    traces = [table.trace for part in report.sections for table in part.tables]
    named = [found for trace in traces for found in named_columns(trace)]
    assert len(named) > 10
    assert [one for one in named if one[1] not in heads[one[0]]] == []
    results = [table for table in report.sections[0].tables]
    assert all("answer_read" in one.trace for one in results)
    assert any(" Intervals: " in one.note for one in results)
    texts = [*report.sections[0].paragraphs, *(one.note for one in results)]
    assert not any("{" in one for one in texts)


@pytest.mark.parametrize("kind", MADE)
def test_answers_that_are_errors_or_were_cut_off_are_counted(engine: Engine, kind: str) -> None:
    tables = tables_of(engine, kind)
    assert "in place of an answer" not in note(report_of(tables), "counts")
    assert "Cut off" not in report_of(tables).sections[0].paragraphs[0]
    lost = with_an_error(tables)
    fewer = note(report_of(lost), "counts")
    errors = {one.generation_id for one in lost.scores if one.status == "error"}
    (run_id,) = {one.run_id for one in lost.generations if one.generation_id in errors}
    whose = f", of {lost.runs[run_id]['model']}," if len(lost.runs) > 1 else ""
    assert f"1 of them{whose} holds an error in place of an answer and could not be drawn" in fewer
    n = len(tables.inclusions) - 1
    if kind == "pairwise":  # Every pair was taken.
        assert f"Taken, each with inclusion probability 1: {n} pairs of" in fewer
    else:
        assert f"what was drawn stands for {n} generations." in fewer
    left_out = f"Left out, as errors in place of an answer: 1 of {lost.runs[run_id]['model']}"
    said = report_of(lost).sections[0].paragraphs[0]
    assert left_out in said
    pairs = kind == "pairwise"
    assert ("; with them, having no other answer to stand against, 1 of" in said) == pairs
    assert ("could not be drawn; 1 more has no other answer to be paired with)" in fewer) == pairs
    assert "Left out" not in report_of(tables).sections[0].paragraphs[0]
    values = {
        key: {**meta, "client": "import", "source_format": "medcalc"} for key, meta in lost.runs.items()
    }
    kept = report_of(lost.model_copy(update={"runs": values}))
    method = kept.sections[0].paragraphs[0]
    assert "here is not the model's text, but the value that MedCalc-Bench's script read" in method
    assert "(MedCalc-Bench's script failed, on what it read or by its own fault, and counts it" in method
    assert f"1 of them{whose} holds an error of MedCalc-Bench's script in place" in note(kept, "counts")
    imported = next(" ".join(one.paragraphs) for one in kept.sections if one.id == "provenance")
    assert "whether the text was whole is not known." in imported
    assert "MedCalc" not in report_of(lost).sections[0].paragraphs[0]
    cut = tuple(one.model_copy(update={"finish_reason": "length"}) for one in tables.generations)
    said = report_of(tables.model_copy(update={"generations": cut})).sections[0].paragraphs[0]
    of = len(tables.generations) // 2
    assert f"(finish_reason in the runs' generations: length): {of} of the {of} judged answers of" in said


@pytest.mark.parametrize("kind", MADE)
def test_two_runs_of_one_model_are_called_runs(engine: Engine, kind: str) -> None:
    tables = tables_of(engine, kind)
    metas = {key: {**meta, "model": "m", "model_fingerprint": "f"} for key, meta in tables.runs.items()}
    section = report_of(tables.model_copy(update={"runs": metas})).sections[0]
    assert " are runs of one model: see" in section.paragraphs[0]
    captions = {one.id: one.caption for one in section.tables}
    expected = {
        "pairwise": ("pairwise_strengths", "Strengths of the runs"),
        "ratings": ("ratings_differences", "Differences between runs on the same items"),
        "claims": ("claims_differences", "Differences between runs"),
    }
    table, caption = expected[kind]
    assert captions[table] == caption
    labels = {column.label for one in section.tables for column in one.columns}
    assert ("Run" in labels, "Model" in labels) == (True, False)
    assert not any("both models" in one.note for one in section.tables)


@pytest.mark.parametrize("kind", MADE)
def test_texts_without_an_answer_are_told_where_a_script_gave_errors_instead(
    engine: Engine, kind: str
) -> None:
    lost = with_an_error(tables_of(engine, kind))
    errors = {one.generation_id for one in lost.scores if one.status == "error"}
    (failing,) = {one.run_id for one in lost.generations if one.generation_id in errors}
    kept = {**lost.runs[failing], "client": "import", "source_format": "medcalc"}
    unread = tuple(
        one if one.status == "error" else one.model_copy(update={"status": "unparsable"})
        for one in lost.scores
    )
    tables = lost.model_copy(update={"runs": {**lost.runs, failing: kept}, "scores": unread})
    said = report_of(tables).sections[0].paragraphs[0]
    others = {one.generation_id for one in lost.generations if one.run_id != failing}
    judged = {key for one in lost.inclusions for key in (one.generation_id, one.second)} & others
    assert f" Judged though the scorer found no whole answer in the text: {len(judged)} of" in said
    assert "no whole answer" not in report_of(lost).sections[0].paragraphs[0]


@pytest.mark.parametrize("kind", MADE)
def test_a_bundle_has_the_guideline_that_annotators_read(engine: Engine, kind: str) -> None:
    MADE[kind][1](engine)
    with reading(engine) as session:
        files = bundle_files(load_study_material(session, MADE[kind][0]), generated_by="test")
    assert files[GUIDELINE].decode().startswith(TITLES[kind])
    readme = files[README].decode()
    assert f"`{GUIDELINE}`: the study's guideline, as the labelling page shows it" in readme
    assert (" pairs of answers, of " in readme) == (kind == "pairwise")


@pytest.mark.parametrize("kind", MADE)
def test_figures_with_decisions_are_named_only_where_a_decision_stands(engine: Engine, kind: str) -> None:
    tables = tables_of(engine, kind)
    assert tables.design is not None
    design = tables.design.model_copy(update={"adjudicated": True})
    closed = {"status": "closed", "adjudications": (), "design": design}
    report = report_of(tables.model_copy(update=closed))
    counts = "an adjudicator decides; a decision counts under “What decisions change” alone, and none stands)"
    assert counts in report.sections[0].paragraphs[0]
    assert not any("may change the figures" in one for one in report.warnings)


def test_findings_on_ratings_say_by_which_rule_they_were_picked(engine: Engine) -> None:
    found = report_of(tables_of(engine, "ratings")).findings
    means = [one.text for one in found if one.topic == "Lowest ratings"]
    assert len(means) == 3
    assert all("; among the 3 lowest of 8 means)." in one for one in means)
    told = [one.text for one in found if one.topic == "Differences"]
    assert all(f"; {len(told)} of 4 differences ha" in one for one in told)


@pytest.mark.parametrize(("include", "probability"), [("all", 0.5), ("mixed", 0.5), ("all", 1.0)])
def test_strata_drawn_together_are_said_to_share_a_probability(
    engine: Engine, include: str, probability: float
) -> None:
    tables = tables_of(engine, "ratings")
    assert tables.design is not None
    drawn = tuple(
        one.model_copy(update={"probability": probability, "stratum": f"{one.stratum}{at % 2}"})
        for at, one in enumerate(tables.inclusions)
    )
    design = tables.design.model_copy(update={"include": include})
    said = note(report_of(tables.model_copy(update={"inclusions": drawn, "design": design})), "counts")
    assert ("one systematic draw" in said) == (include == "all" and probability < 1)


def test_repeats_are_told_by_annotator_and_beside_which_ratings(engine: Engine) -> None:
    ratings.labelled(engine, items=20)
    with reading(engine) as session:
        report = report_of(load_study_tables(session, "rated"))
    said = note(report, "ratings_repeats")
    assert "beside that annotator's own of round “main”" in said
    assert "Answers by annotator: A1 " in said
    assert " % the next item was one that the annotator had been given more than 20 items before." in said
    (repeats,) = (one for one in report.sections[0].tables if one.id == "ratings_repeats")
    assert repeats.rows
    for row in repeats.rows:
        remark = str(row[repeats.keys.index("remark")])
        assert "Same point: no variation: each of" in remark
        assert "Points apart: the value is the same" in remark


def test_a_finding_on_pairs_tells_wins_and_ties(engine: Engine) -> None:
    report = report_of(tables_of(engine, "pairwise"))
    (table,) = (one for one in report.sections[0].tables if one.id == "pairwise_pairs")
    (row,) = table.rows
    won, lost, alike, bad = (table.cell(row, name) for name in ("won", "lost", "both_alike", "both_bad"))
    (said,) = (one.text for one in report.findings if one.topic == "Preference")
    assert said.startswith(f"Of {won + lost + alike + bad} comparisons ")  # type: ignore[operator]
    assert f"; the rest are {alike + bad} ties, {bad} of them “both bad”." in said  # type: ignore[operator]
    assert f" won {max(won, lost)}, " in said  # type: ignore[type-var]
    assert f" {min(won, lost)}; the rest" in said  # type: ignore[type-var]
