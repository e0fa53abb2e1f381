"""The review sheet: its components and their values."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from clinicnum.annotations.curation.review import (
    CASES,
    LONGEST_ANSWER,
    LONGEST_COMMENT,
    RATING_SCALES,
    scales_of,
)
from clinicnum.db.work.review.expert_review import Case, ExpertReview
from clinicnum.ui.components.gradio_page import data_table
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _
from clinicnum.ui.components.links import escape_markdown
from clinicnum.ui.pages.review import view

CASE_OUTPUTS = 6


@dataclass(frozen=True)
class SheetFields:
    """The components of the review sheet."""

    panel: gr.Column
    notice: gr.HTML
    wordings: gr.Textbox
    cases: list[list[Any]]
    """The CASE_OUTPUTS components of each example instance, the expert's answer last."""
    made: gr.Textbox
    ratings: list[gr.Radio]
    comments: list[gr.Textbox]
    """In the order of `view.COMMENT_SUBJECTS`."""
    own: gr.Dataframe
    saved: gr.Markdown
    missing: gr.Markdown
    confirmation: gr.Column
    ready: gr.Button

    def values(self) -> list[Any]:
        """The expert's input fields, in the order that `read_sheet` expects."""
        return [*(case[-1] for case in self.cases), *self.ratings, *self.comments]

    def outputs(self) -> list[Any]:
        """The components in the order of the values that `sheet_values` returns."""
        cases = [part for case in self.cases for part in case]
        end = [self.own, self.saved, self.missing, self.confirmation, self.ready]
        head = [self.panel, self.notice, self.wordings]
        return [*head, *cases, self.made, *self.ratings, *self.comments, *end]


def sheet_values(review: ExpertReview | None) -> tuple[Any, ...]:
    """Values for `SheetFields.outputs` that show a review; None hides the sheet."""
    if review is None:
        skipped = 2 + CASE_OUTPUTS * CASES + 1 + len(RATING_SCALES) + len(view.COMMENT_SUBJECTS) + 5
        return gr.update(visible=False), *[gr.skip()] * skipped
    editable, sheet = view.is_editable(review), review.sheet
    scales, notice = scales_of(mechanical=review.mechanical), view.notice(review)
    comments = view.comment_rows(review)
    return (
        gr.update(visible=True),
        str(note(notice)) if notice else "",
        "\n".join([*review.wordings, "", review.answer_form]),
        *(part for n, case in enumerate(review.cases, start=1) for part in _case(n, case, review)),
        "\n".join([*review.made, _("Source: {source}", source=review.source)]),
        *(
            gr.update(value=sheet.ratings.get(one), interactive=editable, visible=one in scales)
            for one in RATING_SCALES
        ),
        *(
            gr.update(
                value=sheet.comments.get(one, ""), visible=editable and (one.isdigit() or one in scales)
            )
            for one in view.COMMENT_SUBJECTS
        ),
        gr.update(value=comments, visible=bool(comments)),
        _("What you enter is saved as you go.") if editable else "",
        view.missing_text(sheet, mechanical=review.mechanical) if editable else "",
        gr.update(visible=False),
        gr.update(visible=editable),
    )


def _case(number: int, case: Case, review: ExpertReview) -> tuple[Any, ...]:
    """Values for one case: title, text before the table, record table, text after it, question, answer."""
    before, columns, rows, after = view.split_table(case.context)
    return (
        view.case_title(number, case),
        gr.update(value=before, visible=bool(before)),
        gr.update(value={"headers": columns, "data": rows} if rows else None, visible=bool(rows)),
        gr.update(value=after, visible=bool(after)),
        f"**{escape_markdown(case.question)}**",
        gr.update(value=review.sheet.answers.get(str(number), ""), interactive=view.is_editable(review)),
    )


def _text(label: str, **more: Any) -> gr.Textbox:
    return gr.Textbox(label=label, interactive=False, lines=1, max_lines=30, **more)


def _case_fields(number: int) -> list[Any]:
    title = gr.Markdown()
    records = _("Records of question {number}", number=number)
    before = _text(records)
    table = data_table(label=records, explains=None)
    after = _text(_("Further records"))
    question = gr.Markdown()
    answer = gr.Textbox(label=_("Your answer"), max_length=LONGEST_ANSWER, elem_id=f"answer-{number}")
    return [title, before, table, after, question, answer]


def _comment(about: str) -> gr.Textbox:
    return gr.Textbox(
        label=view.comment_label(about),
        info=_(view.COMMENT),
        lines=1,
        max_lines=8,
        max_length=LONGEST_COMMENT,
    )


def sheet_fields() -> SheetFields:
    """Create the components, hidden until a review is chosen."""
    with gr.Column(visible=False, elem_id="sheet") as panel:
        notice = gr.HTML("", padding=False, apply_default_css=False)
        gr.Markdown("## " + _("The question"))
        wordings = _text(_("Wording"), info=_(view.ASKED))
        gr.Markdown("\n\n".join(["## " + _("Answer three examples"), _(view.WORK)]))
        cases, comments = [], []
        for number in range(1, CASES + 1):
            cases.append(_case_fields(number))
            comments.append(_comment(str(number)))
        gr.Markdown("## " + _("How the answer is computed"))
        made = _text(_("Computation"))
        gr.Markdown("## " + _("Your ratings"))
        ratings = []
        for scale in RATING_SCALES:
            ratings.append(gr.Radio(view.scale_choices(scale), label=view.scale_label(scale), elem_id=scale))
            comments.append(_comment(scale))
        own = data_table(view.COMMENTS, label=_("Your comments"), explains=None)
        saved, missing = gr.Markdown(elem_id="saved"), gr.Markdown(elem_id="missing")
        ready = gr.Button(_("Submit"), variant="primary")
        with gr.Column(visible=False, elem_id="confirmation") as confirmation:
            gr.Markdown(_(view.CONFIRM))
    return SheetFields(
        panel, notice, wordings, cases, made, ratings, comments, own, saved, missing, confirmation, ready
    )
