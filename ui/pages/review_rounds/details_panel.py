"""The details panel of a review round: its components and their values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from clinicnum.annotations.curation.drafted_item import KIND_NAMES, ItemVersion
from clinicnum.annotations.curation.review_sheet import LONGEST_COMMENT
from clinicnum.annotations.curation.reviewed_version import first_wording
from clinicnum.db.work.review.review_rounds_for_curators import RoundView
from clinicnum.db.work.review.reviewable_versions import ReviewerCandidate
from clinicnum.ui.components.gradio_page import data_table
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _
from clinicnum.ui.components.markdown_links import escape_markdown, link
from clinicnum.ui.pages.review_rounds import ratings_view, view


@dataclass(frozen=True)
class DetailsPanel:
    """The panel's components; `outputs` lists them in the order of the values from `details_values`."""

    outputs: list[Any]
    withdrawn: gr.Dropdown
    withdraw: gr.Button
    invited: gr.Dropdown
    invite: gr.Button
    comment: gr.Dropdown
    reply: gr.Textbox
    send: gr.Button
    accept: gr.Button
    confirmation: gr.Column
    reason: gr.Textbox
    give_back: gr.Button


def details_panel() -> DetailsPanel:
    """Create the components, hidden until a round is chosen."""
    with gr.Column(visible=False, elem_id="round") as panel:
        heading = gr.Markdown(elem_id="round-heading")
        notice = gr.HTML("", padding=False, apply_default_css=False)
        conditions = data_table(
            view.CONDITIONS,
            column_widths=view.CONDITION_WIDTHS,
            elem_id="conditions",
            explains="review_conditions",
        )
        ratings = data_table(
            label=_("Ratings and content validity"), elem_id="ratings", explains="content_validity"
        )
        figures = gr.Markdown()
        agreement = data_table(
            ratings_view.AGREEMENT,
            label=_("Agreement between experts, on the scales as items"),
            explains="review_agreement",
        )
        mismatches = data_table(
            view.MISMATCHES, label=_("Answers that differ from the gold answer"), explains=None
        )
        comments = data_table(
            view.COMMENTS,
            label=_("Comments"),
            column_widths=view.COMMENT_WIDTHS,
            elem_id="comments",
            explains=None,
        )
        with gr.Column(visible=False) as replying:
            comment = gr.Dropdown([], label=_("Comment to answer"))
            reply = gr.Textbox(
                label=_("Reply"),
                info=_("How it was addressed; the expert reads this."),
                lines=2,
                max_length=LONGEST_COMMENT,
            )
            send = gr.Button(_("Save the reply"))
        seats = data_table(view.SEATS, label=_("Experts"), elem_id="seats", explains=None)
        with gr.Row():
            with gr.Column(visible=False) as withdrawing:
                withdrawn = gr.Dropdown([], label=_("Expert to withdraw"))
                withdraw = gr.Button(_("Withdraw the invitation"))
            with gr.Column(visible=False) as inviting:
                invited = gr.Dropdown([], label=_("Expert to invite"))
                invite = gr.Button(_("Invite"))
        with gr.Column(visible=False) as closing:
            gr.Markdown("## " + _("Close the round"))
            obstacles = gr.Markdown()
            accept = gr.Button(_("Accept"), variant="primary")
            with gr.Column(visible=False, elem_id="confirmation") as confirmation:
                gr.Markdown(_(view.FINAL))
            reason = gr.Textbox(
                label=_("Return it instead"),
                info=_("Why, and what is to be changed."),
                lines=2,
                max_length=LONGEST_COMMENT,
            )
            give_back = gr.Button(_("Return it"))
    outputs = [
        *(panel, heading, notice, conditions, ratings, figures, agreement, mismatches, comments),
        *(replying, comment, seats, withdrawing, withdrawn, inviting, invited),
        *(closing, obstacles, accept, confirmation),
    ]
    return DetailsPanel(
        outputs,
        withdrawn,
        withdraw,
        invited,
        invite,
        comment,
        reply,
        send,
        accept,
        confirmation,
        reason,
        give_back,
    )


def details_values(one: RoundView | None, people: Sequence[ReviewerCandidate] = ()) -> tuple[Any, ...]:
    """Values of `DetailsPanel.outputs` for a round; None hides the panel. `people` can be invited."""
    if one is None:
        return gr.update(visible=False), *[gr.skip()] * 19
    is_open = one.summary.status == "open"
    withdrawn, invited = view.removable(one), view.invitable(one, people)
    remarks = view.comment_choices(one.remarks)
    accepted = one.verdict is not None and one.verdict.accepted
    unanswered = view.unanswered(one.remarks)
    return (
        gr.update(visible=True),
        _heading(one),
        str(note(_(one.hidden))) if one.hidden else "",
        _filled(view.condition_rows(one), label=view.verdict_label(one)),
        *_figures(one),
        _filled(view.mismatch_rows(one.mismatches)),
        _filled(view.comment_rows(one.remarks), label=_comments_label(unanswered, is_open=is_open)),
        gr.update(visible=is_open and bool(remarks)),
        gr.update(choices=remarks, value=remarks[0][1] if remarks else None),
        view.seat_rows(one.seats),
        gr.update(visible=bool(withdrawn)),
        gr.update(choices=withdrawn, value=None),
        gr.update(visible=bool(invited)),
        gr.update(choices=invited, value=None),
        gr.update(visible=is_open),
        " ".join(_obstacles(one, unanswered, accepted=accepted)),
        gr.update(interactive=accepted and not unanswered, visible=True),
        gr.update(visible=False),
    )


def _heading(one: RoundView) -> str:
    name, version = one.summary.template_id, one.summary.version
    item = one.version if isinstance(one.version, ItemVersion) else None
    links = [] if item else [link(_("Template in the bank"), "/bank/", template=name, version=version)]
    if one.draft:
        links.append(link(_("Its draft"), "/item-draft/" if item else "/draft/", draft=one.draft))
    reason = escape_markdown(one.reason or "")
    returned = "\n\n" + _("Returned: {reason}", reason=reason) if one.reason else ""
    title = f"## {escape_markdown(view.version_title(name, version))}"
    kind = "\n\n" + _(KIND_NAMES[item.kind]) if item else ""
    wording = escape_markdown(first_wording(one.version))
    return f"{title}\n\n{view.round_facts(one)} {' · '.join(links)}{kind}\n\n{wording}{returned}"


def _figures(one: RoundView) -> tuple[Any, Any, Any]:
    """Values for the ratings, their content validity indices, and the agreement between experts."""
    if one.figures is None:
        return gr.update(visible=False), "", gr.update(visible=False)
    columns, rows = ratings_view.rating_table(one.reviews, one.figures)
    return (
        gr.update(value={"headers": columns, "data": rows}, visible=True),
        f"{ratings_view.scale_validity_text(one.figures)} {_(ratings_view.RATING_NOTE)}",
        _filled(ratings_view.agreement_rows(one.figures)),
    )


def _filled(rows: view.Rows, **more: Any) -> Any:
    return gr.update(value=rows, visible=bool(rows), **more)


def _comments_label(unanswered: int, *, is_open: bool) -> str:
    return _("Comments: {n} to answer", n=unanswered) if is_open and unanswered else _("Comments")


def _obstacles(one: RoundView, unanswered: int, *, accepted: bool) -> list[str]:
    """Reasons why a round cannot be closed yet."""
    found = [_(view.ANSWER_FIRST)] if unanswered else []
    found += [] if accepted else [_(view.NOT_ACCEPTABLE)]
    return found + ([_(view.STILL_HIDDEN)] if one.hidden else [])
