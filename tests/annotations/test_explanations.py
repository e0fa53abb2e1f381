"""Every figure of a report has a `?` that leads to an explanation on the same page; none is useless."""

import ast
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from clinicnum.annotations.explanations.all_explanations import EXPLANATIONS, GROUPS
from clinicnum.annotations.explanations.explanation_lookup import table_explanation
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.leaderboard import build_leaderboard
from clinicnum.annotations.report.render_html_and_csv import render_html
from clinicnum.annotations.report.report_content import Report
from clinicnum.annotations.report.study_tables import StudyTables
from tests.annotations.report_example_models import eight_models
from tests.annotations.report_example_whole import whole_study
from tests.annotations.test_criteria_report import ticked
from tests.annotations.test_custom_fields import with_answers
from tests.annotations.test_report_elsewhere import elsewhere

ROOT = Path(__file__).resolve().parents[2]
REPORT = ROOT / "annotations" / "report"
MAKERS = ("summary_table", "use_table")
"""Functions of sections that are given the id of the table that they make."""
FIGURES = ("figure", "dt", "details")


class Page(HTMLParser):
    """The ids of a page, its `?`, and the figures that have one and that have none."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.with_help: set[str] = set()
        self._inside: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if "id" in told:
            self.ids.append(told["id"])
        if tag in FIGURES:
            self._inside.append((tag, told.get("id", "")))
        if tag == "a" and told.get("class") == "help":
            self.links.append((told["href"], told["aria-label"]))
            self.with_help |= {name for _tag, name in self._inside}

    def handle_endtag(self, tag: str) -> None:
        if self._inside and self._inside[-1][0] == tag:
            self._inside.pop()


STUDIES: dict[str, Callable[[], StudyTables]] = {
    "whole": whole_study,
    "eight models": eight_models,
    "criteria": ticked,
    "imported": lambda: elsewhere("medcalc"),
    "fields": with_answers,
}


def _report(name: str) -> Report:
    if name == "leaderboard":
        whole = whole_study()
        return build_leaderboard(
            [whole, whole.model_copy(update={"study_name": "again"})], generated_by="test"
        )
    return build_report(STUDIES[name](), generated_by="test")


@pytest.mark.parametrize("name", [*STUDIES, "leaderboard"])
def test_every_figure_of_a_report_leads_to_its_explanation_on_the_same_page(name: str) -> None:
    report = _report(name)
    page = Page(render_html(report))
    assert [href for href, _label in page.links if page.ids.count(href.removeprefix("#")) != 1] == []
    shown = {f"table-{table.id}" for one in report.sections for table in one.tables}
    shown |= {f"plot-{plot.id}" for plot in report.plots}
    assert shown - page.with_help == set()
    figures = [one for one in report.key_figures if one.table is not None]
    assert len(page.links) >= len(shown) + len(figures) + len(report.findings)
    for href, label in page.links:
        assert label == f"What is this? {EXPLANATIONS[href.removeprefix('#what-')].title}"


def _ids_of_tables() -> Iterator[str]:
    """Every id that a table of a report is given in the code; of one put together, how it begins."""
    for path in sorted(REPORT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if not isinstance(node, ast.Call) or named not in ("Table", *MAKERS):
                continue
            if named in MAKERS:
                yield str(next(one.value for one in node.args if isinstance(one, ast.Constant)))
                continue
            given = next(one.value for one in node.keywords if one.arg == "id")
            if isinstance(given, ast.Constant):
                yield str(given.value)
            elif isinstance(given, ast.JoinedStr) and isinstance(given.values[0], ast.Constant):
                yield f"{given.values[0].value!s}x"


def test_every_table_in_the_code_has_an_explanation() -> None:
    ids = set(_ids_of_tables())
    assert len(ids) > 60
    for one in ids:
        assert table_explanation(one).key in EXPLANATIONS
    with pytest.raises(KeyError, match="nothing_like_it"):
        table_explanation("nothing_like_it")


def test_explanations_are_short_plain_and_lead_to_pages_of_the_documentation() -> None:
    entries = [one for _title, group in GROUPS for one in group]
    assert len({one.key for one in entries}) == len(entries) == len({one.title for one in entries})
    for one in entries:
        assert re.fullmatch(r"[a-z_]+", one.key)
        assert 2 <= len(re.findall(r"[.!?](?: |$)", one.text)) <= 6, one.key
        assert len(one.text) <= 560, one.key
        assert (ROOT / "docs" / one.page).is_file(), one.page


def test_every_explanation_is_asked_for_somewhere() -> None:
    asking = [
        ROOT / "annotations" / "explanations" / "explanation_lookup.py",
        *(ROOT / "ui" / "pages").rglob("*.py"),
    ]
    code = "".join(path.read_text(encoding="utf-8") for path in asking)
    assert [one for one in EXPLANATIONS if f'"{one}"' not in code] == []


def test_what_holds_for_other_patients_is_said_of_questions_about_none_too() -> None:
    texts = [str(one.text) for one in EXPLANATIONS.values()]
    found = [one for one in texts if re.search("other patients|half of the patients", one)]
    assert len(found) >= 4
    assert [one for one in found if not re.search("about no patient|where items share them", one)] == []
