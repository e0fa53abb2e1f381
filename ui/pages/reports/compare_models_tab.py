"""The tab that compares models over several studies, or over all stored runs."""

from functools import partial
from typing import Any

import gradio as gr
from pydantic import Field

from clinicnum import __version__
from clinicnum.annotations.explanations.explanation_lookup import table_explanation
from clinicnum.annotations.report.report_content import Report, Table
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.reports.leaderboard import open_leaderboard
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.figure_help import help_button
from clinicnum.ui.components.gradio_page import Outputs, data_table, listen, validated
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _
from clinicnum.ui.components.markdown_links import escape_markdown
from clinicnum.ui.components.report_table_rows import report_columns, report_notes, report_rows

MOST_TABLES = 8
HOW = Translatable(
    "Choose studies to compare their models: accuracy on every answer, and failures by the studies' labels. "
    "Without any study, the accuracy of all scored runs is shown, by benchmark."
)


class StudiesChoice(Frozen):
    """The studies that were chosen, by name."""

    studies: tuple[str, ...] = Field(default=(), max_length=200)


class ModelsHandlers:
    """Handles the tab's event. Not async, so that reading every answer of a run happens in a worker
    thread.
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    def compare_models(self, studies: object, request: gr.Request) -> Outputs:
        """Show the leaderboard of models over the chosen studies; without any, over all stored runs."""
        names = validated(StudiesChoice, studies=studies).studies
        with self.store.reading() as session:
            report = open_leaderboard(
                session,
                names,
                user_id=str(request.username),
                generated_by=f"clinicnum {__version__}",
            )
        return "", *_shown(report)


def _shown(report: Report) -> tuple[Any, ...]:
    """Values for the warnings, and for each table its visibility, heading, `?`, rows and notes."""
    tables: list[Table] = [table for section in report.sections for table in section.tables]
    if len(tables) > MOST_TABLES:
        raise InputError(
            Translatable(
                "The runs are on more benchmarks than this page shows; choose fewer studies, or use "
                "`clinicnum leaderboard`."
            )
        )
    outputs: list[Any] = ["".join(str(note(one, "warn")) for one in report.warnings)]
    texts = {one.tables[0].id: one.paragraphs for one in report.sections if one.tables}
    for place, one in enumerate(tables):
        above = "\n\n".join(map(escape_markdown, texts.get(one.id, ())))
        value = {"headers": report_columns(one), "data": report_rows(one)}
        below = "\n\n".join(map(escape_markdown, report_notes(one)))
        what = str(help_button(table_explanation(one.id).key, place))
        rows = gr.update(value=value, label=_(one.caption))
        outputs += [gr.update(visible=True), above, what, rows, below]
    for _unused in range(MOST_TABLES - len(tables)):
        outputs += [gr.update(visible=False), "", "", gr.skip(), ""]
    return tuple(outputs)


class ModelsTab:
    """The tab's components."""

    def __init__(self, handlers: ModelsHandlers, status: gr.HTML) -> None:
        """Create the components in the current context; `status` is the line for messages."""
        with gr.Tab(_("Compare models"), id="models"):
            gr.Markdown(_(HOW), elem_classes="cn-hint")
            self.studies = gr.CheckboxGroup([], label=_("Studies"), elem_id="models-studies")
            button = gr.Button(_("Compare models"), variant="primary")
            outputs: list[Any] = [gr.HTML("", padding=False, apply_default_css=False)]
            for _number in range(MOST_TABLES):
                with gr.Column(visible=False) as column:
                    outputs += [
                        column,
                        gr.Markdown(),
                        gr.HTML(padding=False, apply_default_css=False, elem_classes="cn-help-line"),
                        data_table(explains=None),
                        gr.Markdown(elem_classes="cn-muted"),
                    ]
        on = partial(listen, status=status)
        on(button.click, handlers.compare_models, [self.studies], outputs)
