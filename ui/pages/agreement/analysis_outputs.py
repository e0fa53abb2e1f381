"""What an analysis shows, as values for the page's components."""

from collections.abc import Sequence
from typing import Any

import gradio as gr

from clinicnum.ui.components.language import _
from clinicnum.ui.components.markdown_links import escape_markdown
from clinicnum.ui.pages.agreement.detailed_analyses import AnalysisTable, above_table


def table_outputs(found: Sequence[AnalysisTable], tables: int) -> tuple[Any, ...]:
    """Values for a column of tables: the column, then for each table what is above it, rows and notes."""
    outputs: list[Any] = [gr.update(visible=True)]
    for place, one in enumerate(found[:tables]):
        notes = "\n\n".join([*map(escape_markdown, one.notes), *one.links])
        value = {"headers": [_(name) for name in one.columns], "data": [list(row) for row in one.rows]}
        widths = list(one.widths)  # of the table shown before if left out
        numbered = bool(one.links)
        shown = gr.update(
            value=value, label=one.label, column_widths=widths, show_row_numbers=numbered, visible=True
        )
        outputs += [above_table(one, place), shown if one.rows else gr.update(visible=False), notes]
    for _missing in range(tables - len(found)):
        outputs += ["", gr.update(visible=False), ""]
    return tuple(outputs)
