"""The details panel of an item: its components and their values."""

from typing import Any

import gradio as gr

from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.db.work.studies.study_items import ItemDetails
from clinicnum.ui.components.gradio_page import Outputs, data_table
from clinicnum.ui.components.language import _
from clinicnum.ui.pages.items import view

PARTS = 9
"""Number of components of the panel, its column among them."""


def details_panel() -> list[Any]:
    """Create the hidden column and its components, in output order."""
    with gr.Column(visible=False, elem_id="item") as column:
        title = gr.Markdown()
        facts = data_table((_("Field"), _("Value")), column_widths=["30%", "70%"], explains=None)
        records = gr.HTML(apply_default_css=False)
        context = gr.Textbox(label=_("Context"), interactive=False, lines=3, max_lines=12)
        text = gr.Textbox(label=_("Model's text"), interactive=False, lines=3, max_lines=12)
        second = gr.Textbox(
            label=_("The second answer"), interactive=False, lines=3, max_lines=12, visible=False
        )
        revisions = data_table(
            view.REVISIONS,
            label=_("Judgements, each with all its revisions"),
            column_widths=view.REVISION_WIDTHS,
            visible=False,
            elem_id="revisions",
            explains=None,
        )
        links = gr.Markdown()
    return [column, title, facts, records, context, text, second, revisions, links]


def no_details() -> Outputs:
    """Values that hide the panel."""
    return gr.update(visible=False), *(gr.skip() for _one in range(PARTS - 1))


def details_values(found: ItemDetails, taxonomy: Taxonomy, study: str) -> Outputs:
    """Values that show an item."""
    revisions = view.revision_rows(found, taxonomy)
    return (
        gr.update(visible=True),
        view.details_title(found),
        view.facts(found),
        view.records_view(found),
        found.instance.context,
        gr.update(
            value=found.text, label=_("Model's text") if found.second is None else _("The first answer")
        ),
        gr.update(value=found.second, visible=found.second is not None),
        gr.update(value=revisions, visible=bool(revisions)),
        view.links(found, study),
    )
