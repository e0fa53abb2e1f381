"""Which explanations the HTML page of a report holds, for the `?` beside its figures."""

from collections.abc import Iterator

from clinicnum.annotations.explanations.all_explanations import EXPLANATIONS
from clinicnum.annotations.explanations.explanation import Explanation
from clinicnum.annotations.explanations.explanation_lookup import (
    key_figure_explanation,
    section_explanation,
    table_explanation,
)
from clinicnum.annotations.report.report_content import Report, Section


def report_explanations(report: Report) -> tuple[Explanation, ...]:
    """The explanations that the report's figures lead to, each once, in their usual order."""
    used = {one.key for one in _used(report)}
    return tuple(one for one in EXPLANATIONS.values() if one.key in used)


def _used(report: Report) -> Iterator[Explanation]:
    for figure in report.key_figures:
        found = key_figure_explanation(figure.label, figure.table)
        if found is not None:
            yield found
    for finding in report.findings:
        yield table_explanation(finding.table)
    for section in report.sections:
        yield from _used_in(section)


def _used_in(section: Section) -> Iterator[Explanation]:
    whole = section_explanation(section.id)
    if whole is not None:
        yield whole
    for name in (*(table.id for table in section.tables), *(plot.table for plot in section.plots)):
        yield table_explanation(name, section.id)
