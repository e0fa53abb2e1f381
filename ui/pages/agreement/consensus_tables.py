"""The tables of the page's part on consensus."""

from dataclasses import replace

from clinicnum.annotations.report.report_content import Table
from clinicnum.annotations.report.sections.consensus_wording import rule_said
from clinicnum.annotations.report.sections.study_consensus import (
    LISTED,
    differing_settlements,
    differs_table,
    settled_table,
)
from clinicnum.annotations.report.study_view_without_texts import LabelsView
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.pages.agreement.detailed_analyses import NO_JUDGEMENT, AnalysisTable, tables_of_report


def consensus_analysis(view: LabelsView) -> list[AnalysisTable]:
    """The consensus labels under the view's protocol, and where other protocols differ.

    In the words of pages: generations are called answers, and each is named by its question, not by its id.
    """
    if not view.chosen.by_generation:
        return [AnalysisTable(_(NO_JUDGEMENT))]
    counted, judged = settled_table(view), len(view.settlements)
    questions = len({view.question(one.generation_id) for one in view.settlements})
    note = ngettext(
        "{answers} answers to {n} question were judged. {rule}",
        "{answers} answers to {n} questions were judged. {rule}",
        questions,
        answers=judged,
        rule=rule_said(view),
    )
    found = [replace(table, notes=[note]) for table in tables_of_report(_of_answers(counted))]
    for differing in differs_table(view):
        note = _(
            "{n} of {judged} answers, at most {most} of them shown. A dash: no consensus; of severity also: "
            "no failure.",
            n=len(list(differing_settlements(view))),
            judged=judged,
            most=LISTED,
        )
        (table,) = tables_of_report(_of_answers(differing))
        ids = [str(row[0]) for row in differing.rows]
        rows = [row[1:] for row in table.rows]
        widths = ["240px", *(f"{max(90, 8 * len(name) + 30)}px" for name in table.columns[1:])]
        found.append(
            replace(table, columns=table.columns[1:], rows=rows, notes=[note], items=ids, widths=widths)
        )
    return found


def _of_answers(table: Table) -> Table:
    """The table with columns that count answers, as pages call generations."""
    renamed = {"Generation": "Answer", "Generations": "Answers"}
    columns = tuple(
        one.model_copy(update={"label": " ".join(renamed.get(word, word) for word in one.label.split())})
        for one in table.columns
    )
    return table.model_copy(update={"columns": columns})
