"""The details panel of a cluster, contest or failure: its components and their values."""

from typing import Any, get_args

import gradio as gr

from clinicnum.ui.components.gradio_page import data_table
from clinicnum.ui.components.language import _
from clinicnum.ui.components.markdown_links import bullets, link
from clinicnum.ui.pages.failures import view
from clinicnum.ui.pages.failures.drafts_made import Begun, draft_label
from clinicnum.ui.pages.failures.view import Details


def details_panel() -> list[gr.components.Component]:
    """Create the components: facts, examples, their answers, links to versions, links to drafts, and which
    template a new version is begun of.
    """
    facts = data_table(view.FACTS, column_widths=["30%", "70%"], explains=None)
    examples = data_table(view.EXAMPLE, label=_("Examples"), column_widths=view.EXAMPLE_WIDTHS, explains=None)
    answers = [gr.Textbox(interactive=False, lines=2, max_lines=10) for place in range(view.EXAMPLES)]
    return [facts, examples, *answers, gr.Markdown(), gr.Markdown(), gr.Markdown(elem_classes="cn-hint")]


def details_values(details: Details | None) -> tuple[Any, ...]:
    """Values for the panel itself, for the components that `details_panel` creates, and for three buttons,
    which begin a template, a version or an item; None hides the panel.
    """
    if details is None:
        return (gr.update(visible=False), *[gr.skip()] * (8 + view.EXAMPLES))
    answers = [gr.update(label=label, value=text, visible=True) for label, text in details.answers]
    links = [
        link(_("{template}, version {version}", template=name, version=n), "/bank/", template=name, version=n)
        for name, n in details.versions
    ]
    drafts = [
        link(draft_label(one), "/item-draft/" if one.kind == "item" else "/draft/", draft=one.draft_id)
        for one in details.drafts
    ]
    return (
        gr.update(visible=True),
        gr.update(value=details.facts, label=details.title),
        gr.update(value=details.examples, visible=bool(details.examples)),
        *answers,
        *[gr.update(visible=False)] * (view.EXAMPLES - len(answers)),
        _listed(_("In the bank"), links),
        _listed(_("Drafts made from it"), drafts) if drafts else "",
        details.next_version_of if "version" in details.begins else "",
        *(gr.update(visible=one in details.begins) for one in get_args(Begun)),
    )


def _listed(title: str, links: list[str]) -> str:
    return f"**{title}**\n\n{bullets(links)}"
