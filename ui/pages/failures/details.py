"""The details panel of a cluster, contest or failure: its components and their values."""

from typing import Any

import gradio as gr

from clinicnum.ui.components.links import bullets, link
from clinicnum.ui.pages.failures import view
from clinicnum.ui.pages.failures.view import Details


def details_panel() -> list[gr.components.Component]:
    """Create the components: facts, examples, their answers, links to versions and links to drafts."""
    facts = gr.Dataframe(headers=list(view.FACTS), interactive=False, wrap=True, column_widths=["30%", "70%"])
    examples = gr.Dataframe(
        headers=list(view.EXAMPLE),
        interactive=False,
        wrap=True,
        label="Examples",
        column_widths=view.EXAMPLE_WIDTHS,
    )
    answers = [gr.Textbox(interactive=False, lines=2, max_lines=10) for _ in range(view.EXAMPLES)]
    return [facts, examples, *answers, gr.Markdown(), gr.Markdown()]


def details_values(details: Details | None) -> tuple[Any, ...]:
    """Values for `details_panel`'s components; None hides the panel."""
    if details is None:
        return (gr.update(visible=False), *(gr.skip() for _ in range(4 + view.EXAMPLES)))
    answers = [gr.update(label=label, value=text, visible=True) for label, text in details.answers]
    links = [link(f"{name}, version {n}", "/bank/", template=name, version=n) for name, n in details.versions]
    drafts = [link(view.draft_label(one), "/draft/", draft=one.draft_id) for one in details.drafts]
    return (
        gr.update(visible=True),
        gr.update(value=details.facts, label=details.title),
        gr.update(value=details.examples, visible=bool(details.examples)),
        *answers,
        *(gr.update(visible=False) for _ in range(view.EXAMPLES - len(answers))),
        f"**In the bank**\n\n{bullets(links)}",
        f"**Drafts made from it**\n\n{bullets(drafts)}" if drafts else "",
    )
