"""The sections of a report on a study that has everything: figures counted again from the exported rows."""

import csv
import io
from collections.abc import Callable

import pytest

from clinicnum.annotations.exports.score_and_generation_tables import scores_table
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.render_html_and_csv import report_csvs
from clinicnum.annotations.report.report_content import Report
from clinicnum.annotations.report.sections.template_health import template_section
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.paired_tests import mcnemar
from tests.annotations.report_example import study
from tests.annotations.report_example_whole import MODELS, whole_study

Row = dict[str, str]


def read(text: str) -> list[Row]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture(scope="module")
def tables() -> StudyTables:
    return whole_study()


@pytest.fixture(scope="module")
def report(tables: StudyTables) -> Report:
    return build_report(tables, generated_by="test")


@pytest.fixture(scope="module")
def table(report: Report) -> Callable[[str], list[Row]]:
    csvs = report_csvs(report)
    return lambda name: read(csvs[f"{name}.csv"])


@pytest.fixture(scope="module")
def scores(tables: StudyTables) -> list[Row]:
    rows = read(scores_table(tables).csv())
    for row in rows:
        row["model"] = MODELS[row["run_id"]]
    return rows


def right(rows: list[Row]) -> list[bool]:
    return [row["lenient"] == "True" for row in rows]


def test_the_main_table_is_counted_from_the_scores_by_model_operation_and_representation(
    table: Callable[[str], list[Row]], scores: list[Row]
) -> None:
    plain = [row for row in scores if not row["variant"] and not row["flags"]]
    found = table("accuracy_main")
    assert [row["operation"] for row in found[:5]] == [
        "retrieval",
        "arithmetic",
        "comparison",
        "aggregation",
        "all",
    ]
    for row in found:
        for written in ("structured", "note"):
            here = [
                one
                for one in plain
                if one["model"] == row["model"]
                and row["operation"] in ("all", one["operation"])
                and one["representation"] == written
            ]
            assert int(row[f"{written}_n"]) == len(here)
            assert float(row[written]) == sum(right(here)) / len(here)
        gain = float(row["note"]) - float(row["structured"])
        assert float(row["note_less_structured"]) == pytest.approx(gain)


def test_differences_are_tested_and_corrected_for_the_whole_table(
    table: Callable[[str], list[Row]], scores: list[Row]
) -> None:
    found = table("accuracy_differences")
    assert len(found) == 10
    gates = {row["model"]: row for row in found if row["operation"] == "all"}
    able = {model for model, row in gates.items() if float(row["least_p"]) <= 0.05}
    for row in found:
        if float(row["least_p"]) > 0.05:
            assert row["p_corrected"] == ""
            assert "no test" in row["remark"]
        elif row["operation"] == "all":
            assert float(row["p_corrected"]) == pytest.approx(min(1.0, len(able) * float(row["p"])))
        else:
            assert float(row["p_corrected"]) >= float(gates[row["model"]]["p_corrected"])
    # Each patient has one question in each way, so all tests are McNemar's.
    last = next(row for row in found if (row["model"], row["operation"]) == ("model-b", "all"))
    plain = [row for row in scores if not row["variant"] and not row["flags"] and row["model"] == "model-b"]
    answers = {(row["group_id"], row["representation"]): row["lenient"] == "True" for row in plain}
    groups = {group for group, _ in answers}
    only_note = sum(answers[group, "note"] and not answers[group, "structured"] for group in groups)
    only_structured = sum(answers[group, "structured"] and not answers[group, "note"] for group in groups)
    assert float(last["p"]) == pytest.approx(mcnemar(only_note, only_structured))
    main = next(
        row for row in table("accuracy_main") if (row["model"], row["operation"]) == ("model-b", "all")
    )
    assert main["note_less_structured_p_corrected"] == last["p_corrected"]


def test_models_are_compared_on_the_same_instances(
    table: Callable[[str], list[Row]], scores: list[Row]
) -> None:
    plain = [row for row in scores if not row["variant"] and not row["flags"]]
    mean = {name: [row for row in plain if row["model"] == name] for name in MODELS.values()}
    last = table("model_differences")[-1]
    assert (last["operation"], last["difference_of"], last["pairs"]) == ("all", "model-a - model-b", "22")
    expected = (sum(right(mean["model-a"])) - sum(right(mean["model-b"]))) / 22
    assert float(last["difference"]) == pytest.approx(expected)


def test_flips_are_counted_from_pairs_whose_base_is_right(
    table: Callable[[str], list[Row]], scores: list[Row]
) -> None:
    by_id = {(row["model"], row["instance_id"]): row for row in scores}
    pairs = [
        (by_id[row["model"], row["instance_id"].removesuffix("-typo")], row)
        for row in scores
        if row["variant"] == "input.typo" and not row["flags"]
    ]
    for model in MODELS.values():
        after = [
            one["lenient"] for base, one in pairs if base["model"] == model and base["lenient"] == "True"
        ]
        row = next(
            one
            for one in table("robustness_flips")
            if (one["model"], one["representation"]) == (model, "all")
        )
        assert (int(row["flip_n"]), float(row["flip"])) == (len(after), after.count("False") / len(after))


def test_robust_accuracy_is_right_in_all_five_orders(
    table: Callable[[str], list[Row]], scores: list[Row]
) -> None:
    orders: dict[str, list[Row]] = {}
    for row in scores:
        if row["variant"].startswith("options") and not row["flags"] and row["model"] == "model-a":
            orders.setdefault(row["instance_id"].rpartition("-shuffle-")[0], []).append(row)
    robust = sum(all(right(five)) for five in orders.values())
    row = next(
        one
        for one in table("robustness_options")
        if (one["model"], one["representation"]) == ("model-a", "all")
    )
    assert float(row["robust_accuracy"]) == robust / len(orders)
    signature = next(
        one
        for one in table("signatures")
        if (one["model"], one["signature"]) == ("model-a", "robust accuracy")
    )
    assert signature["share"] == row["robust_accuracy"]
    assert signature["verdict"] == "fires"


def test_calibration_has_its_bins_and_a_model_without_confidence_is_named(
    report: Report, table: Callable[[str], list[Row]]
) -> None:
    assert {row["model"] for row in table("calibration")} == {"model-a"}
    bins = table("calibration_bins")
    assert sum(int(row["n"]) for row in bins) == 22
    diagram = next(plot for section in report.sections for plot in section.plots if plot.id == "reliability")
    assert [dot.row for dot in diagram.dots] == [row["mean_confidence"] for row in bins]
    assert [dot.value for dot in diagram.dots] == [float(row["accuracy"]) for row in bins]
    assert any("(model-b)" in row["what"] for row in table("unsaid"))


def test_the_scorer_is_held_against_the_majority_weighted_by_its_chance_of_being_drawn(
    tables: StudyTables,
) -> None:
    nothing_out = build_report(tables.model_copy(update={"invalidations": ()}), generated_by="test")
    # Failures by majority: 8 scored wrong (weight 1), 1 scored right (weight 4): 8 / 12. Accepted: 3 scored
    # right (weight 4), 1 scored wrong (weight 1): 12 / 13.
    rows = read(report_csvs(nothing_out)["scorer_rates.csv"])
    found = {(row["scorer"], row["rate"]): row for row in rows}
    assert float(found["lenient", "sensitivity"]["value"]) == pytest.approx(8 / 12)
    assert float(found["lenient", "specificity"]["value"]) == pytest.approx(12 / 13)
    assert float(found["lenient", "positive predictive value"]["value"]) == pytest.approx(8 / 9)
    assert float(found["lenient", "negative predictive value"]["value"]) == pytest.approx(12 / 16)
    assert (found["lenient", "sensitivity"]["hits"], found["lenient", "sensitivity"]["n"]) == ("8", "9")


def test_what_upheld_contests_took_out_leaves_accuracy_for_all_models(
    tables: StudyTables, table: Callable[[str], list[Row]], scores: list[Row]
) -> None:
    out = {one.instance_id for one in tables.invalidations}
    plain = [row for row in scores if not row["variant"] and not row["flags"]]
    for row in table("accuracy_after_contests"):
        kept = [one for one in plain if one["model"] == row["model"] and one["instance_id"] not in out]
        assert int(row["without_upheld_n"]) == len(kept) < int(row["before_n"])
        assert float(row["without_upheld"]) == pytest.approx(sum(right(kept)) / len(kept))
        assert int(row["without_contested_n"]) < len(kept)
    (taken,) = table("invalidated")
    # Two representations, each with a typo and five orders of options, and one that no model answered.
    assert (taken["contest_id"], taken["rule"], taken["n"], taken["answered"]) == (
        *("c0", "by hand: group"),
        *("15", "14"),
    )


def test_a_decision_is_what_three_experts_come_to_and_the_superseded_one_is_not(
    tables: StudyTables, table: Callable[[str], list[Row]], report: Report
) -> None:
    (row,) = table("adjudicated")
    standing = next(one for one in tables.adjudications if one.stands)
    assert row["generation_id"] == standing.generation_id
    assert (row["item"], row["response"], row["primary"]) == ("valid", "failure", "omission")
    assert row["severity"] == "1"  # all three say 1: the decision's 3 is not asked for
    due = {one["generation_id"]: one["decided"] for one in table("adjudication_due")}
    assert [key for key, decided in due.items() if decided == "yes"] == [standing.generation_id]
    protocols = {(one["question"], one["protocol"]): one for one in table("consensus_protocols")}
    undecided = len(due) - 1
    three = protocols["Primary class", "agreement or adjudication"]
    assert int(three["labelled"]) == int(three["n"]) - undecided
    assert int(protocols["Primary class", "unanimous"]["labelled"]) == int(three["labelled"]) - 1


def test_template_health_counts_contests_and_doubts(table: Callable[[str], list[Row]]) -> None:
    (row,) = table("template_health")
    assert (row["template"], row["instances"], row["judged"]) == ("heart_rate_at", "108", "13")
    assert (row["open"], row["upheld"], row["gold_wrong"]) == ("1", "1", "0")


@pytest.mark.parametrize(
    ("doubts", "said"),
    [
        (
            None,
            "The benchmark does not say which templates are proven to ask what they compute, or reviewed.",
        ),
        (
            {"unproven": ["heart_rate_at", "not_asked"], "unreviewed": []},
            "1 of 1 templates has a wording that is not proven to ask what the template computes "
            "(heart_rate_at); 0 were not reviewed by experts.",
        ),
        (
            {"unproven": [], "unreviewed": ["heart_rate_at"]},
            "0 of 1 templates have a wording that is not proven to ask what the template computes; "
            "1 was not reviewed by experts.",
        ),
    ],
)
def test_template_health_counts_what_is_not_proven_or_not_reviewed(
    tables: StudyTables, doubts: dict[str, list[str]] | None, said: str
) -> None:
    benchmark = tables.benchmark | ({"doubts": doubts} if doubts is not None else {})
    section = template_section(StudyView(tables.model_copy(update={"benchmark": benchmark})))
    assert section.paragraphs[1] == said


def test_grras_has_fifteen_items_and_says_what_is_missing(
    report: Report, table: Callable[[str], list[Row]]
) -> None:
    found = table("grras")
    assert [row["item"] for row in found] == [str(n) for n in range(1, 16)]
    missing = {int(row["item"]) for row in found if row["status"] == "missing"}
    assert {1, 4, 5, 14} <= missing
    assert found[10]["status"] == "filled"
    assert "3 annotators, 13 generations, 39 judgements" in found[10]["text"]


def test_methods_paragraphs_name_models_sample_and_statistics_but_no_signature(report: Report) -> None:
    methods = next(section for section in report.sections if section.id == "methods")
    text = " ".join(methods.paragraphs)
    assert "model-a (float32) and model-b (float32) answered 24 items of 12 questions" in text
    assert "3 annotators, who were not shown the model's name" in text
    assert "Holm's method" in text
    assert "signature" not in text
    assert "40 %" not in text


def test_what_a_study_cannot_say_stands_in_one_list_with_its_reason() -> None:
    report = build_report(study(), generated_by="test")
    unsaid = read(report_csvs(report)["unsaid.csv"])
    reasons = {row["what"]: row["why"] for row in unsaid}
    assert "no answered variants" in reasons["Does it hold when the question changes?"]
    assert any("none of its generations carries a confidence" in why for why in reasons.values())
    assert reasons["Sensitivity of the lenient score"] == "every generation is scored wrong, whatever it is"
    ids = [section.id for section in report.sections]
    assert "robustness" not in ids
    assert ids[-2:] == ["unsaid", "provenance"]
