"""A report of eight models: what page one says, who is told apart, zeros, names, and figures as files."""

import csv
import io
import itertools
import json
import random
import re
from functools import cache
from xml.etree import ElementTree

import pytest

from clinicnum.annotations.exports.report_files import report_files
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.compact_letter_display import compact_letters
from clinicnum.annotations.report.plots import draw, pdf_file, svg_file
from clinicnum.annotations.report.render_html_and_csv import render_html, report_csvs
from clinicnum.annotations.report.report_content import Plot, Report, Table
from clinicnum.annotations.report.study_tables import Inclusion, StudyTables
from clinicnum.annotations.report.study_view import StudyView
from tests.annotations.report_example import study
from tests.annotations.report_example_models import MODELS, eight_models


@cache
def report() -> Report:
    return build_report(eight_models(), generated_by="test")


@cache
def page() -> str:
    return render_html(report())


def table(name: str, of: Report | None = None) -> Table:
    sections = (of or report()).sections
    return next(one for section in sections for one in section.tables if one.id == name)


def plot(name: str) -> Plot:
    return next(one for one in report().plots if one.id == name)


def column(of: Table, key: str) -> list[object]:
    return [of.cell(row, key) for row in of.rows]


def finding(topic: str, of: Report | None = None) -> str:
    return next(one.text for one in (of or report()).findings if one.topic == topic)


def two_models(right: int, other: int = 0) -> StudyTables:
    """Two models on twelve questions, a subject each: one is right on the first ones, one on the last."""
    plain = study(simulated=False)
    asked = [one for one in plain.instances if one.representation == "note"]
    of = {one.instance_id: place for place, one in enumerate(asked)}
    answers = [(run, one) for run in (1, 2) for one in plain.generations if one.instance_id in of]
    scores = {one.generation_id: one for one in plain.scores}
    made = tuple(
        scores[one.generation_id].model_copy(
            update={
                "generation_id": f"{run}-{one.generation_id}",
                "lenient": of[one.instance_id] < right if run == 1 else of[one.instance_id] >= 12 - other,
            }
        )
        for run, one in answers
    )
    return plain.model_copy(
        update={
            "runs": {"run1": {"model": "m1", "label": "The better"}, "run2": {"model": "m2"}},
            "instances": tuple(one.model_copy(update={"flags": ()}) for one in asked),
            "generations": tuple(
                one.model_copy(update={"run_id": f"run{run}", "generation_id": f"{run}-{one.generation_id}"})
                for run, one in answers
            ),
            "scores": made,
            "inclusions": tuple(
                Inclusion(generation_id=one.generation_id, stratum="all", probability=1.0) for one in made
            ),
            "annotations": (),
            "contests": (),
        }
    )


@pytest.mark.parametrize("seed", range(20))
def test_models_share_a_letter_exactly_where_they_were_not_told_apart(seed: int) -> None:
    rng = random.Random(seed)
    names = [f"m{n}" for n in range(rng.randint(2, 9))]
    pairs = [frozenset(one) for one in itertools.combinations(names, 2)]
    differ = {one for one in pairs if rng.random() < 0.5}
    letters = compact_letters(names, differ)
    assert all(letters.values())
    assert {one for one in pairs if not set.intersection(*(set(letters[name]) for name in one))} == differ
    assert "a" in letters[names[0]]


def test_letters_are_those_of_the_corrected_comparisons_and_models_are_sorted() -> None:
    models = table("models")
    shares = [one for one in column(models, "all") if isinstance(one, float)]
    assert shares == sorted(shares, reverse=True)
    letters = dict(zip(column(models, "model"), column(models, "all_letters"), strict=True))
    pairs = table("model_differences")
    told = {
        str(pairs.cell(row, "difference_of"))
        for row in pairs.rows
        if pairs.cell(row, "operation") == "all" and (pairs.cell(row, "p_corrected") or 1.0) < 0.05
    }
    assert told
    for one, other in itertools.combinations(letters, 2):
        apart = bool({f"{one} - {other}", f"{other} - {one}"} & told)
        assert apart != bool(set(str(letters[one])) & set(str(letters[other])))


def test_runs_have_the_names_that_people_gave_them_and_no_two_the_same() -> None:
    names = column(table("models"), "model")
    assert len(set(names)) == len(MODELS)
    assert {"Meridian 70B, greedy", "Aurora/Aurora-2-32B-Instruct", "Fjord 7B, persona of a nurse"} <= {
        *names
    }
    twice = eight_models()
    same = {run_id: meta | {"label": "One name"} for run_id, meta in twice.runs.items()}
    runs = StudyView(twice.model_copy(update={"runs": same})).runs
    assert sorted(run.name for run in runs) == [f"One name (run run{n})" for n in range(8)]


def test_page_one_says_figures_of_the_tables_it_links_to() -> None:
    models = table("models")
    ends = [f"{100 * float(str(one)):.1f} %" for one in (column(models, "all")[0], column(models, "all")[-1])]
    said = finding("Models")
    assert all(one in said for one in ends)
    low, high = models.cell(models.rows[0], "all_ci95")  # type: ignore[misc]
    assert f"(95 % interval {100 * float(low):.1f} to {100 * float(high):.1f})" in said
    tables = {one.id for section in report().sections for one in section.tables}
    assert {one.table for one in report().findings} <= tables
    for one in report().findings:
        assert f'href="#table-{one.table}"' in page()
        assert f'id="table-{one.table}"' in page()
    assert "in equal steps from 0 (no effect) to 1 (death or permanent harm)" in page()
    harm = table("harm")
    value = min(float(str(one)) for one in column(harm, "harm") if one is not None)
    assert f"from {value:.1f} (95 % interval" in finding("Severity")
    everything = [one.topic for one in report().findings]
    assert everything[:5] == ["Models", "Operations", "Representations", "Failures", "Severity"]


@pytest.mark.parametrize(
    ("right", "other", "said"),
    [
        (12, 0, "The better, which is better than the other model"),
        (6, 0, "The better, which is better than the other model"),  # p = 2 / 2 ** 6
        (7, 5, "The better, which cannot be told apart from the other model"),
        (5, 0, "No two models could be compared"),  # p cannot be under 2 / 2 ** 5
        (6, 6, "All models have the same accuracy"),
    ],
)
def test_a_model_is_best_only_where_the_corrected_comparison_says_so(
    right: int, other: int, said: str
) -> None:
    assert said in finding("Models", build_report(two_models(right, other), generated_by="test"))


@pytest.mark.parametrize("swapped", [False, True])
def test_of_two_models_the_difference_is_told_once_and_without_a_correction(swapped: bool) -> None:
    """Of 12 subjects one model is right on 7, the other on the 5 others: 16.7 points; the sign-flip p is that
    of 5 or fewer and of 7 or more of 12: 1 - 924 / 4096 = 0.77.
    """
    right, other = (5, 7) if swapped else (7, 5)
    said = finding("Models", build_report(two_models(right, other), generated_by="test"))
    assert said.count("the other model") == 1
    assert "corrected" not in said
    assert "They are 16.7 percentage points apart (95 % interval -" in said
    assert "p = 0.774), which speaks of other subjects" in said


def test_models_on_different_items_are_not_ordered() -> None:
    tables = two_models(12)
    part = tables.model_copy(
        update={"generations": tables.generations[:-4], "inclusions": tables.inclusions[:-4]}
    )
    text = finding("Models", build_report(part, generated_by="test"))
    assert "answered different items, so their accuracies do not order them" in text
    assert "better" not in text


def test_heat_maps_have_every_class_with_zeros_and_cross_out_what_nobody_judged() -> None:
    classes = table("classes_by_model")
    assert len(classes.rows) == len(MODELS) * 10  # nine classes, and failures without an agreed one
    assert {one for one in column(classes, "count") if one == 0} == {0}
    heat = plot("classes_by_model")
    assert heat.series[1] == "Meridian 8B, greedy (0)"
    assert {dot.series for dot in heat.dots} == {*heat.series} - {heat.series[1]}
    svg = draw(heat)
    assert svg.count(">0</text>") == sum(dot.count == 0 for dot in heat.dots)
    per_model: dict[object, float] = {}
    for row in classes.rows:
        share = classes.cell(row, "share")
        if isinstance(share, float):
            per_model[row[0]] = per_model.get(row[0], 0.0) + share
    assert all(one == pytest.approx(1.0) for one in per_model.values())


def imported(tables: StudyTables) -> Report:
    changes = {"operation": "external", "representation": "external", "records": (), "evidence": ()}
    items = tuple(one.model_copy(update=changes) for one in tables.instances)
    return build_report(tables.model_copy(update={"instances": items}), generated_by="test")


def test_operations_of_the_same_accuracy_have_no_lowest_and_no_highest() -> None:
    found = build_report(two_models(0), generated_by="test")
    assert finding("Operations", found).startswith(
        "Accuracy over all models is the same in all operations: 0.0 %."
    )


def test_of_imported_items_nothing_is_said_by_operation() -> None:
    for tables in (eight_models(), study(simulated=False)):
        found = imported(tables)
        assert not {"Operations", "Representations"} & {one.topic for one in found.findings}
        said = " ".join([one.text for one in found.findings] + [one.note for one in [table("models", found)]])
        assert "operation" not in said
        assert [one.id for one in found.main] == ["models", "failures", "discordant"][
            : 2 + (len(tables.runs) > 1)
        ]
        assert "classes_by_model" in {one.id for one in found.plots}
    shown = next(one for one in imported(eight_models()).sections if one.id == "discordant").side_by_side
    assert len(shown) == 3


def test_failures_are_said_to_be_of_the_models_that_were_judged() -> None:
    assert "over 7 of 8 models (of “Meridian 8B, greedy” no answer was drawn)" in finding("Failures")


def test_pairs_stand_in_files_only() -> None:
    csvs = report_csvs(report())
    rows = list(csv.DictReader(io.StringIO(csvs["model_differences.csv"])))
    assert len(rows) == 28 * 5
    cell = f"{rows[0]['difference_of']}</td>"
    assert cell not in page()
    assert "Differences between runs: 140 rows, in the files only" in page()
    two = render_html(build_report(two_models(6), generated_by="test"))
    assert "The better - m2</td>" in two


def test_discordant_questions_are_chosen_by_the_rule_and_show_one_answer_of_either_side() -> None:
    section = next(one for one in report().sections if one.id == "discordant")
    assert len(section.side_by_side) == 3
    scores = {one.generation_id: one for one in eight_models().scores}
    for one in section.side_by_side:
        assert [scores[answer.generation_id].lenient for answer in one.answers] == [True, False]
        assert one.question in page()
        assert all(answer.generation_id.endswith(one.instance_id) for answer in one.answers)
    whole = eight_models()
    text = "<b>long</b> " * 200
    long = whole.model_copy(
        update={"generations": tuple(one.model_copy(update={"text": text}) for one in whole.generations)}
    )
    html = render_html(build_report(long, generated_by="test"))
    assert "[… 2080 characters left out …]" in html
    assert "<b>long" not in html


def test_every_figure_is_a_file_twice_with_the_same_bytes_each_time() -> None:
    files = report_files(report())
    index = json.loads(files["figures/index.json"])
    assert [one["id"] for one in index] == [one.id for one in report().plots]
    assert {name for one in index for name in one["files"]} == {
        name for name in files if name.endswith((".svg", ".pdf"))
    }
    assert {one["table"] for one in index} <= {*files}
    for one in (plot("models"), plot("classes_by_model"), plot("reliability")):  # one of each kind
        before = svg_file(one), pdf_file(one)
        assert before == (files[f"figures/{one.id}.svg"], files[f"figures/{one.id}.pdf"])
        svg_file.cache_clear()
        pdf_file.cache_clear()
        assert (svg_file(one), pdf_file(one)) == before
        assert ElementTree.fromstring(before[0]).tag.endswith("svg")
        assert before[1].startswith(b"%PDF-")
        assert len(re.findall(rb"/Type /Page\b", before[1])) == 1
        assert b"CreationDate" not in before[1]
        assert b"var(--" not in before[0]


def test_no_plot_needs_more_colours_than_there_are() -> None:
    for one in report().plots:
        if len({dot.series for dot in one.dots}) > 4:
            assert "var(--series-3)" not in draw(one)
            assert "var(--series-4)" not in draw(one)
