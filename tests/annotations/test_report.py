"""The report: its figures can be counted again, nothing in it runs, and it says who annotated."""

import csv
import io
import re
from html.parser import HTMLParser

import pytest

from clinicnum.annotations.agreement.study_agreement import study_agreement
from clinicnum.annotations.agreement.verbal_strength import STEPS
from clinicnum.annotations.exports.annotation_tables import annotations_jsonl, annotations_table
from clinicnum.annotations.exports.score_and_generation_tables import scores_table
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.csv_without_formulas import neutralised
from clinicnum.annotations.report.render_html_and_csv import render_html, report_csvs
from clinicnum.annotations.types import Annotation
from clinicnum.errors import InputError
from tests.annotations.report_example import STRANGE, study


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def is_true(cell: str) -> bool:
    return cell == "True"


class Outline(HTMLParser):
    """Headings in order, tags, and every address that the page names."""

    def __init__(self) -> None:
        super().__init__()
        self.headings: list[int] = []
        self.tags: set[str] = set()
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        for name, value in attrs:
            if name in ("href", "src"):
                self.addresses.append(value or "")
            if name == "id":
                self.ids.append(value or "")
            if name.startswith("on"):
                self.handlers.append(name)


@pytest.fixture(scope="module")
def page() -> str:
    return render_html(build_report(study(), generated_by="clinicnum test"))


@pytest.fixture(scope="module")
def outline(page: str) -> Outline:
    parser = Outline()
    parser.feed(page)
    return parser


def test_accuracy_equals_what_the_exported_scores_count() -> None:
    tables = study()
    exported = rows(scores_table(tables).csv())
    assert len(exported) == len(tables.generations)
    csvs = report_csvs(build_report(tables, generated_by="test"))
    reported = rows(csvs["accuracy.csv"])
    assert len(reported) == 15
    for row in reported:
        whole = [
            one
            for one in exported
            if row["operation"] in ("all", one["operation"])
            and row["representation"] in ("all", one["representation"])
        ]
        cell = [one for one in whole if not one["flags"]]
        assert int(row["flagged"]) == len(whole) - len(cell)
        right = sum(is_true(one["lenient"]) for one in cell)
        assert (int(row["n"]), int(row["right"])) == (len(cell), right)
        assert float(row["accuracy"]) == right / len(cell)
        where = (row["model"], row["operation"], row["representation"])
        verdict = next(
            one
            for one in rows(csvs["verdicts.csv"])
            if (one["model"], one["operation"], one["representation"]) == where
        )
        assert float(verdict["strict"]) == sum(is_true(one["strict"]) for one in cell) / len(cell)


def test_statuses_count_every_generation_flagged_ones_too() -> None:
    tables = study()
    csvs = report_csvs(build_report(tables, generated_by="test"))
    total = rows(csvs["score_statuses.csv"])[-1]
    exported = rows(scores_table(tables).csv())
    assert int(total["n"]) == 24
    for status in ("correct", "incorrect", "unparsable"):
        assert int(total[status]) == sum(one["status"] == status for one in exported)


def test_differences_are_between_pairs_on_the_same_records_and_question() -> None:
    tables = study()
    all_rows = rows(report_csvs(build_report(tables, generated_by="test"))["accuracy_differences.csv"])
    last = all_rows[-1]
    exported = [one for one in rows(scores_table(tables).csv()) if not one["flags"]]
    gain = sum(
        is_true(one["lenient"]) * (1 if one["representation"] == "note" else -1) for one in exported
    ) / (len(exported) / 2)
    assert (last["operation"], last["difference_of"]) == ("all", "note - structured")
    assert (int(last["pairs"]), float(last["difference"])) == (11, pytest.approx(gain))


def test_taxonomy_counts_both_units_apart_and_weights_shares() -> None:
    tables = study()
    first = tables.inclusions[0]
    rare = tables.model_copy(
        update={"inclusions": (first.model_copy(update={"probability": 0.05}), *tables.inclusions[1:])}
    )
    csvs = report_csvs(build_report(rare, generated_by="test"))
    consensus = rows(csvs["taxonomy_by_operation_consensus.csv"])
    annotators = rows(csvs["taxonomy_by_operation_annotators.csv"])
    assert sum(int(row["n"]) for row in consensus) == 16
    assert sum(int(row["n"]) for row in annotators) == 48
    # 8 of 16 generations are omissions; the first one weighs 20, the other 15 weigh 2 each.
    omission = next(row for row in consensus if row["class"] == "Omission")
    assert float(omission["share"]) == 8 / 16
    assert float(omission["weighted_share"]) == pytest.approx((20 + 7 * 2) / (20 + 15 * 2))


def test_the_report_shows_the_figures_of_study_agreement() -> None:
    tables = study()
    layers = study_agreement(
        tables.annotations,
        taxonomy_codes=[one.code for one in tables.taxonomy_codes],
        subjects={
            generation.generation_id: instance.subject_id
            for generation, instance in zip(tables.generations, tables.instances, strict=True)
        },
    )
    csvs = report_csvs(build_report(tables, generated_by="test"))
    for layer in layers.layers:
        assert layer.result is not None
        shown = {row["name"]: row["value"] for row in rows(csvs[f"agreement_{layer.name}.csv"])}
        for name in ("percent_agreement", "fleiss_kappa", "krippendorff_alpha_nominal", "cohen_kappa"):
            value = layer.result.coefficient(name).value
            assert shown[name] == ("" if value is None else str(value))
    # 16 failures, 3 annotators: 3 pairs in each of 7 layers; Cohen's kappa is among them.
    pairs = rows(csvs["agreement_pairs.csv"])
    assert {(row["one"], row["other"]) for row in pairs if row["name"] == "cohen_kappa"} == {
        ("simulated-1", "simulated-2"),
        ("simulated-1", "simulated-3"),
        ("simulated-2", "simulated-3"),
    }
    assert {row["by"] for row in rows(csvs["agreement_other_intervals.csv"])} == {"subject", "template"}
    assert {row["landis_koch"] for row in rows(csvs["agreement_strength.csv"])} <= {n for *_, n in STEPS}


def test_the_first_line_and_every_csv_say_simulated(page: str) -> None:
    body = page[page.index("<body>") :].splitlines()
    assert 'class="warning simulated"' in body[1]
    assert "simulated: 3 of 3 annotators are scripted stand-ins" in body[1]
    assert "Refused: at least one annotator is simulated" in page
    tables = study()
    csvs = report_csvs(build_report(tables, generated_by="test"))
    for text in (*csvs.values(), scores_table(tables).csv(), annotations_table(tables.annotations).csv()):
        assert all(row["annotator_kind"] == "simulated" for row in rows(text))
    assert annotations_jsonl(tables.annotations).count('"annotator_kind":"simulated"') == 48


def test_people_get_a_methods_paragraph_and_no_banner() -> None:
    human = render_html(build_report(study(simulated=False), generated_by="test"))
    assert "warning simulated" not in human
    assert "3 annotators, who were not shown the model" in human


def test_credentialed_records_are_announced() -> None:
    page = render_html(build_report(study(source="mimic-iv-ed"), generated_by="test"))
    assert "credentialed data: MIMIC-IV-ED is under PhysioNet" in page
    assert "credentialed data" not in render_html(
        build_report(study(source="mimic-iv-ed-demo"), generated_by="test")
    )


def test_what_a_model_or_an_annotator_wrote_is_shown_and_never_run(page: str, outline: Outline) -> None:
    assert "<script" not in page
    assert "<img" not in page
    assert not outline.handlers
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "{{ 7 * 7 }}" in page
    assert "&amp;amp;" in page


def test_one_file_that_asks_no_other_host_for_anything(page: str, outline: Outline) -> None:
    assert outline.addresses
    assert all(one == "data:," or one.startswith("#") for one in outline.addresses), "dead in the file alone"
    assert page.count("Files of tables (.csv) that are named here are no part of this page") == 2
    assert "scores.csv" in page
    assert "url(" not in page
    assert "@import" not in page
    assert not outline.tags & {"script", "iframe", "object", "embed", "img"}


def test_headings_step_down_one_at_a_time_and_links_lead_somewhere(outline: Outline) -> None:
    assert outline.headings[0] == 1
    assert outline.headings.count(1) == 1
    steps = zip(outline.headings, outline.headings[1:], strict=False)
    assert all(after - before <= 1 for before, after in steps)
    assert len(set(outline.ids)) == len(outline.ids)
    assert {address[1:] for address in outline.addresses if address.startswith("#")} <= set(outline.ids)


def test_evidence_of_several_annotators_is_marked_as_one_stretch(page: str) -> None:
    # Spans (4, 14) and (10, 28) overlap: together characters 4 to 28 of the response.
    assert "The <mark>heart rate at 06:27 was </mark>9" in page


def test_the_same_tables_give_the_same_report_byte_for_byte(page: str) -> None:
    assert render_html(build_report(study(), generated_by="clinicnum test")) == page


def test_a_study_without_annotations_still_reports_accuracy() -> None:
    tables = study().model_copy(update={"annotations": (), "contests": ()})
    report = build_report(tables, generated_by="test")
    assert report.annotator_kind == "none"
    assert "no judgement yet" in render_html(report)
    failures = next(one for one in report.key_figures if one.label == "Failures")
    assert (failures.value, failures.note) == ("–", "nothing labelled yet")
    assert "None yet: no judgement has been submitted." in render_html(report)
    assert rows(report_csvs(report)["accuracy.csv"])[-1]["right"] == "8"


def test_rows_that_do_not_fit_together_are_named() -> None:
    tables = study()
    with pytest.raises(InputError, match="score of generation 'g-i11-note' is missing"):
        build_report(tables.model_copy(update={"scores": tables.scores[:-1]}), generated_by="test")


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        pytest.param("=1+1", "'=1+1", id="formula"),
        pytest.param("+cmd", "'+cmd", id="plus"),
        pytest.param("@SUM(A1)", "'@SUM(A1)", id="at"),
        pytest.param("-2+3", "'-2+3", id="a minus that starts a formula"),
        pytest.param("\t=1", "\t'=1", id="behind a tab, at which another separator breaks the cell"),
        pytest.param("-12.5", "-12.5", id="a negative number as text stays one"),
        pytest.param("-1e-05", "-1e-05", id="with an exponent too"),
        pytest.param(-12.5, -12.5, id="a number is never touched"),
        pytest.param("a=b", "a=b", id="only the first character counts"),
        pytest.param(None, None, id="blank"),
    ],
)
def test_cells_that_a_spreadsheet_would_run_are_neutralised(
    cell: str | float | None, expected: str | float | None
) -> None:
    assert neutralised(cell) == expected


def test_exports_neutralise_and_read_back() -> None:
    tables = study()
    assert "'=another value" in {row["reason"] for row in rows(scores_table(tables).csv())}
    exported = rows(annotations_table(tables.annotations).csv())
    assert exported[0]["rationale"] == STRANGE
    assert exported[0]["labels"] == exported[0]["primary"] == tables.annotations[0].labels[0].code
    lines = annotations_jsonl(tables.annotations).splitlines()
    assert tuple(Annotation.model_validate_json(line) for line in lines) == tables.annotations
    contests = rows(report_csvs(build_report(tables, generated_by="test"))["contests.csv"])
    assert contests[0]["proposed_gold"] == "-12.5"
