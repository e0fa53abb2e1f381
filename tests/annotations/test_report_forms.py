"""The forms of a report: plots, Markdown and LaTeX show the tables' figures, and run nothing."""

import re
from xml.etree import ElementTree

import pytest
from markupsafe import escape

from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.format_cells import shown
from clinicnum.annotations.report.latex import escaped as latex_escaped
from clinicnum.annotations.report.latex import table_latex
from clinicnum.annotations.report.markdown import render_markdown
from clinicnum.annotations.report.markdown_and_latex import report_texts
from clinicnum.annotations.report.plots import draw
from clinicnum.annotations.report.render_html_and_csv import PAGE_ROWS, grid_of, render_html
from clinicnum.annotations.report.report_content import Cell, Column, Report, Table
from tests.annotations.report_example import STRANGE, study
from tests.annotations.report_example_whole import whole_study

HOSTILE = r"\input{/etc/passwd} 100 % of $x_1$ & ~^#{} <b> 中 −5"


@pytest.fixture(scope="module")
def report() -> Report:
    return build_report(whole_study(), generated_by="test")


@pytest.fixture(scope="module")
def page(report: Report) -> str:
    return render_html(report)


def test_every_dot_of_a_plot_is_a_figure_of_the_table_that_it_names(report: Report) -> None:
    tables = {table.id: table for section in report.sections for table in section.tables}
    plots = [plot for section in report.sections for plot in section.plots]
    assert {plot.id for plot in plots} >= {
        *("models", "accuracy_cells", "classes_by_model", "classes_by_operation"),
        *("reliability", "failure_shares"),
    }
    for plot in plots:
        cells = {cell for row in tables[plot.table].rows for cell in row}
        assert {dot.value for dot in plot.dots} <= cells
        assert {dot.interval for dot in plot.dots} <= {*cells, None}
        assert plot.alt.count(";") == len(plot.dots) - 1


def test_plots_are_pictures_with_a_label_whose_colours_follow_the_page(report: Report, page: str) -> None:
    for section in report.sections:
        for plot in section.plots:
            svg = draw(plot)
            root = ElementTree.fromstring(svg.replace("xlink:href", "href"))
            assert (root.get("role"), root.get("aria-label")) == ("img", plot.alt)
            assert not re.search(r"#[0-9a-fA-F]{6}\b", svg)
            assert "var(--series-1)" in svg
            assert "<style" not in svg
            assert draw(plot) == svg
            assert svg in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_a_figure_with_its_interval_n_and_p_is_one_cell_of_the_page(report: Report, page: str) -> None:
    table = next(one for section in report.sections for one in section.tables if one.id == "accuracy_main")
    row = table.rows[4]
    share, interval, n = (table.cell(row, key) for key in ("structured", "structured_ci95", "structured_n"))
    whole = (
        f'<td class="share">{shown(share, "share")}<small>{shown(interval, "share_interval")}</small>'
        f"<small>n = {n}</small></td>"
    )
    assert whole in page
    assert "<small>p = " in page
    assert '<th scope="colgroup" colspan="2">Accuracy</th>' in page


def test_a_long_table_is_cut_on_the_page_and_says_so() -> None:
    long = _table(tuple((f"row {n}", n) for n in range(PAGE_ROWS + 7)))
    assert (len(grid_of(long).rows), grid_of(long).more) == (PAGE_ROWS, 7)


def test_a_column_in_which_all_rows_agree_is_left_off_the_page_only() -> None:
    table = _table((("same", 1), ("same", 2))).model_copy(
        update={"columns": (Column(key="a", label="A", once=True), Column(key="b", label="B", kind="count"))}
    )
    assert [label for label, *_ in grid_of(table).heads] == ["B"]
    assert "A &" not in table_latex(table)


def _table(rows: tuple[tuple[Cell, ...], ...]) -> Table:
    return Table(
        id="made",
        caption=HOSTILE,
        note=HOSTILE,
        trace=HOSTILE,
        columns=(Column(key="a", label="A"), Column(key="b", label="B", kind="count")),
        rows=rows,
    )


def test_nothing_in_a_cell_is_a_command_of_latex() -> None:
    text = latex_escaped(HOSTILE)
    assert r"\input{" not in text
    assert r"\textbackslash{}input\{/etc/passwd\}" in text
    assert r"\texttt{U+4E2D}" in text
    assert text.isascii()
    bare = re.sub(r"\\[a-zA-Z]+(\{\})?|\\[^a-zA-Z]|\$-\$", "", text)
    assert not set(bare) & set("$&#%_^~\\")


@pytest.mark.parametrize("rows", [2, 50], ids=["a short table", "a table over several pages"])
def test_latex_tables_are_well_formed(rows: int) -> None:
    text = table_latex(_table(tuple((HOSTILE, n) for n in range(rows))), "simulated: ")
    plain = re.sub(r"\\[{}]", "", text)
    assert plain.count("{") == plain.count("}")
    begun = re.findall(r"\\begin\{(\w+)\}", text)
    assert sorted(begun) == sorted(re.findall(r"\\end\{(\w+)\}", text))
    assert ("longtable" in begun) == (rows == 50)
    body = [line for line in text.splitlines() if line.endswith(r"\\") and "textbackslash" in line]
    assert [line.replace(r"\&", "").count("&") for line in body if "caption" not in line] == [1] * rows
    assert r"\label{tab:made}" in text
    assert "simulated: " in text.replace("-{}", "-")


def test_every_table_is_a_latex_file_and_in_the_document(report: Report) -> None:
    texts = report_texts(report)
    tables = [table.id for section in report.sections for table in section.tables]
    assert {*texts} == {"report.md", "tables.tex", *(f"{name}.tex" for name in tables)}
    assert re.findall(r"\\input\{(\w+)\.tex\}", texts["tables.tex"]) == tables
    assert all(text.isascii() for name, text in texts.items() if name.endswith(".tex"))


def test_markdown_holds_every_table_and_nothing_that_runs(report: Report) -> None:
    text = render_markdown(report)
    for section in report.sections:
        assert f"## {section.title}" in text.replace("\\", "")
        for table in section.tables:
            assert f"{table.id}.csv" in text
    rows = [line for line in text.splitlines() if line.startswith("| all")]
    assert rows
    simulated = render_markdown(build_report(study(), generated_by="test"))
    assert simulated.startswith("> **simulated: 3 of 3 annotators")
    outside = re.sub(r"(?s)(`{3,})text\n.*?\n\1", "", simulated)
    assert "<script>" not in outside
    assert r"\<script\>" in outside
    assert STRANGE in simulated


@pytest.mark.parametrize(
    "name", ["$\\frac{$", "$\\nosuch$", "$" + "{" * 500 + "}" * 500 + "$", "a $ b $ c", "_one"]
)
def test_a_name_is_shown_as_it_is_and_never_read_as_a_formula(report: Report, name: str) -> None:
    plot = next(one for section in report.sections for one in section.plots if one.kind == "dots")
    dots = tuple(dot.model_copy(update={"row": name, "series": name}) for dot in plot.dots)
    assert str(escape(name)) in draw(plot.model_copy(update={"dots": dots}))


def test_a_long_name_of_a_row_of_dots_is_broken_into_lines_that_fit(report: Report) -> None:
    plot = next(one for section in report.sections for one in section.plots if one.kind == "dots")
    long = "the primary class of failure, if all annotators call it a failure"
    drawn = draw(plot.model_copy(update={"dots": (plot.dots[0].model_copy(update={"row": long}),)}))
    lines = re.findall(r"<text[^>]*>([^<]+)</text>", drawn)
    assert [one for one in lines if one in long and " " in one] == [
        "the primary class of failure, if all",
        "annotators call it a failure",
    ]
