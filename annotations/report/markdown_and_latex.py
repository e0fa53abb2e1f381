"""A report as Markdown, and its tables as LaTeX."""

from clinicnum.annotations.report.latex import report_latex
from clinicnum.annotations.report.markdown import FILE, render_markdown
from clinicnum.annotations.report.report_content import Report


def report_texts(report: Report) -> dict[str, str]:
    """File name -> text: `report.md`, `tables.tex` and one `.tex` per table."""
    return {FILE: render_markdown(report), **report_latex(report)}
