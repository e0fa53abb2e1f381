"""The whole loop as a newcomer runs it: a real model, simulated annotators, a report one can recount."""

import csv
import re
from pathlib import Path


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def test_it_says_where_the_time_went_and_where_things_are(demo: tuple[Path, str]) -> None:
    out, printed = demo
    for word in ("packages", "small model", "run", "in all", "database", "report", "log in"):
        assert word in printed
    assert (out / "clinicnum.db").is_file()
    assert (out / "report" / "report.html").is_file()


def test_a_real_model_answered_every_instance_once(demo: tuple[Path, str]) -> None:
    scores = rows(demo[0] / "export" / "scores.csv")
    assert len(scores) >= 48
    assert len({row["instance_id"] for row in scores}) == len(scores)


def test_the_reports_accuracy_is_what_one_counts_from_the_exported_scores(demo: tuple[Path, str]) -> None:
    out = demo[0]
    counted = [row for row in rows(out / "export" / "scores.csv") if not row["flags"]]
    right = sum(row["lenient"] == "True" for row in counted)
    total = rows(out / "report" / "accuracy.csv")[-1]
    assert (total["operation"], total["representation"]) == ("all", "all")
    assert (int(total["right"]), int(total["n"])) == (right, len(counted))
    assert f"{right} of {len(counted)}" in (out / "report" / "report.html").read_text(encoding="utf-8")


def test_the_first_line_of_the_report_and_every_export_say_simulated(demo: tuple[Path, str]) -> None:
    out = demo[0]
    page = (out / "report" / "report.html").read_text(encoding="utf-8")
    body = re.sub(r"<[^>]+>", "", page.split("<body>")[1]).strip()
    assert body.startswith("simulated")
    files = [*(out / "report").glob("*.csv"), *(out / "export").glob("*.csv")]
    assert len(files) > 10
    for path in files:
        assert {row["annotator_kind"] for row in rows(path)} <= {"simulated"}, path
    for line in (out / "export" / "annotations.jsonl").read_text(encoding="utf-8").splitlines():
        assert '"annotator_kind":"simulated"' in line


def test_three_annotators_labelled_every_drawn_failure(demo: tuple[Path, str]) -> None:
    annotations = rows(demo[0] / "export" / "annotations.csv")
    last = {(row["generation_id"], row["annotator_id"]): row for row in annotations}
    generations = {generation for generation, _ in last}
    assert len(last) == 3 * len(generations)
    assert all(row["response_judgement"] != "failure" or row["primary"] != "none" for row in last.values())
