"""What a report says of items and texts that were made elsewhere: true sentences, and no form that nobody
asked."""

import csv
from collections.abc import Mapping
from importlib import resources

import pytest

from clinicnum.annotations.exports.score_and_generation_tables import scores_table
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.markdown import render_markdown
from clinicnum.annotations.report.render_html_and_csv import report_csvs
from clinicnum.annotations.report.report_content import Report
from clinicnum.annotations.report.sections.accuracy_by_dimension import flips_by_dimension
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.robustness import Answer, Pair
from clinicnum.scoring import score
from clinicnum.types import Generation
from tests.annotations.report_example import study
from tests.db.examples import instance

FORMATS = {"medcalc": "medcalc", "medec": "medec", "choice": "choice"}


def elsewhere(kind: str) -> StudyTables:
    """The small study, its items those of another benchmark and its texts imported."""
    tables = study(simulated=False)
    changes = {
        "operation": "external",
        "representation": "external",
        "scoring": kind,
        "records": (),
        "evidence": (),
        "flags": (),
        "options": ("1", "2", "3") if kind == "choice" else (),
    }
    return tables.model_copy(
        update={
            "instances": tuple(one.model_copy(update=changes) for one in tables.instances),
            "benchmark": {"benchmark_id": "other", "source_format": kind, "source": "test.csv"},
            "runs": {"run1": {"model": "gpt-4o-mini", "client": "import"}},
        }
    )


def text_of(report: Report) -> Mapping[str, str]:
    return {section.id: " ".join(section.paragraphs) for section in report.sections}


@pytest.mark.parametrize(
    ("kind", "name", "rule"),
    [
        ("medcalc", "MedCalc-Bench", "5 % to either side of the gold"),
        ("medec", "MEDEC", "the sentence with the error"),
        ("choice", "multiple-choice questions", "it marked the right option, and no other, as its answer"),
    ],
)
def test_the_methods_name_the_items_and_the_rule_that_judged_them(kind: str, name: str, rule: str) -> None:
    report = build_report(elsewhere(kind), generated_by="test")
    methods = text_of(report)["methods"]
    assert name in methods
    assert rule in methods
    assert "answers of gpt-4o-mini were made elsewhere" in methods
    for untrue in ("vital signs", "asked precision", "written as", "do not discriminate"):
        assert untrue not in methods
    grras = report_csvs(report)["grras.csv"]
    assert name in grras
    assert "synthetic" not in grras


def test_a_form_that_nobody_asked_is_not_judged() -> None:
    csvs = report_csvs(build_report(elsewhere("medcalc"), generated_by="test"))
    form = next(line for line in csvs["signatures.csv"].splitlines() if ",format," in line)
    assert "shown only where a prompt of clinicnum's asked for the form" in form
    assert "fires" not in form
    ours = report_csvs(build_report(study(simulated=False), generated_by="test"))
    assert "open: strict is judged only" not in ours["signatures.csv"]


def test_failed_samples_are_said_and_counted_apart() -> None:
    tables = study(simulated=False)
    failed = {"status": "error", "lenient": False, "strict": False, "parsed": None, "form": None}
    inclusions = {one.generation_id for one in tables.inclusions}
    some = [one.generation_id for one in tables.scores if one.generation_id not in inclusions][:3]
    scores = tuple(
        one.model_copy(update=failed) if one.generation_id in some else one for one in tables.scores
    )
    report = build_report(tables.model_copy(update={"scores": scores}), generated_by="test")
    assert "3 of 24 generations" in text_of(report)["methods"]
    gaps = [gap for section in report.sections for gap in section.gaps]
    assert any("3 of 24 generations" in gap.what and "error" in gap.why for gap in gaps)
    before = build_report(tables, generated_by="test")
    counts = [
        sum(
            int(line.split(",")[4])
            for line in report_csvs(one)["accuracy.csv"].splitlines()[1:]
            if ",all,all," in line
        )
        for one in (before, report)
    ]
    assert counts[0] - counts[1] == 3


def test_tables_by_dimension_and_by_part_have_every_item_once() -> None:
    tables = elsewhere("medec")
    kinds = [{"category": "lab" if at % 2 else "risk", "ward": "icu"} for at in range(len(tables.instances))]
    instances = tuple(
        one.model_copy(update={"dimensions": of}) for one, of in zip(tables.instances, kinds, strict=True)
    )
    report = build_report(tables.model_copy(update={"instances": instances}), generated_by="test")
    csvs = {name: list(csv.DictReader(text.splitlines())) for name, text in report_csvs(report).items()}
    by_category, whole = csvs["accuracy_by_dimension_category.csv"], csvs["accuracy.csv"][-1]
    assert [row["value"] for row in by_category] == ["lab", "risk"]
    assert sum(int(row["n"]) for row in by_category) == int(whole["n"])
    assert sum(int(row["right"]) for row in by_category) == int(whole["right"])
    assert "accuracy_by_dimension_ward.csv" not in csvs
    classes = csvs["taxonomy_by_dimension_category_consensus.csv"]
    counted = ("dimension_category: lab", "dimension_category: risk")
    assert all(sum(int(row[one]) for one in counted) == int(row["n"]) for row in classes)
    assert "Primary class by category: consensus" in render_markdown(report)
    parts = csvs["answer_parts.csv"]
    assert {row["part"] for row in parts} >= {"Error flag right", "Error sentence right"}
    assert {row["n"] for row in parts[:3]} == {whole["n"]}
    assert not any("dimension" in name for name in report_csvs(build_report(study(), generated_by="test")))


def test_flips_are_told_by_dimension_where_imported_questions_have_variants() -> None:
    def answer(number: int, variant: str | None, *, right: bool) -> Answer:
        asked = instance(number).model_copy(
            update={"variant": variant, "expected": "same", "representation": "external"}
        )
        asked = asked.model_copy(update={"dimensions": {"task": "lab" if number % 2 else "risk"}})
        said = Generation(
            generation_id="g", run_id="r", instance_id=asked.instance_id, text="x", finish_reason="stop"
        )
        return Answer(
            asked, said, score(instance=asked, generation=said).model_copy(update={"lenient": right})
        )

    pairs = [
        Pair(answer(n, None, right=True), answer(n, "input.typo", right=n not in (1, 3))) for n in range(8)
    ]
    (table,) = flips_by_dimension({"m": pairs})
    told = {row[3]: (table.cell(row, "flip"), table.cell(row, "flip_n")) for row in table.rows}
    assert told == {"lab": (0.5, 4), "risk": (0.0, 4)}
    assert flips_by_dimension({"m": pairs[::2]}) == ()


UNTRUE = (
    "that discriminates",
    "do not discriminate",
    "Differences: percentage points",
    "Cells that the gold rests on",
    "generate --variants",
    "by operation and representation",
    "Clinical numeracy",
)
"""Said of our own items, and of none that was made elsewhere."""


@pytest.mark.parametrize("kind", sorted(FORMATS))
def test_what_is_true_of_our_items_alone_is_not_said_of_others(kind: str) -> None:
    tables = elsewhere(kind)
    scripted = tuple(one.model_copy(update={"annotator_kind": "simulated"}) for one in tables.annotations)
    for one in (tables, tables.model_copy(update={"annotations": scripted})):
        report = build_report(one, generated_by="test")
        said = render_markdown(report)
        for untrue in UNTRUE:
            assert untrue not in said
        assert "were made elsewhere and imported" in said
        assert "was said at the import" in said
    assert "test the software and say nothing of the score" in text_of(report)["scorer"]
    grras = {line.split(",")[0]: line for line in report_csvs(report)["grras.csv"].splitlines()}
    for number in ("8", "9", "10"):
        assert "in part" in grras[number]
    assert "see the methods paragraph" not in said


def test_a_strict_score_that_nobody_gave_is_in_no_rate_and_no_row() -> None:
    csvs = report_csvs(build_report(elsewhere("medcalc"), generated_by="test"))
    assert "lenient,sensitivity" in csvs["scorer_rates.csv"]
    assert "strict" not in csvs["scorer_rates.csv"]
    scores = scores_table(elsewhere("medcalc"))
    place = [field.name for field in scores.fields].index("strict")
    assert {row[place] for row in scores.rows} == {None}


def test_one_kind_of_items_and_one_more_row_are_not_said_in_the_plural() -> None:
    tables = elsewhere("medec")
    alike = tuple(one.model_copy(update={"template_id": "medec"}) for one in tables.instances)
    said = text_of(build_report(tables.model_copy(update={"instances": alike}), generated_by="test"))
    assert " of 1 kind of items (they were made elsewhere" in said["templates"]
    page = (
        resources.files("clinicnum.annotations.report").joinpath("templates/parts.html.j2").read_text("utf-8")
    )
    assert "'row is' if grid.more == 1 else 'rows are'" in page
