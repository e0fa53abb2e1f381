"""The review sheet: its components and their values."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from clinicnum.annotations.curation.review_sheet import (
    CASES,
    LONGEST_ANSWER,
    LONGEST_COMMENT,
    RATING_SCALES,
    scales_of,
)
from clinicnum.db.work.review.expert_review import ExpertReview
from clinicnum.ui.components.gradio_page import data_table
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _
from clinicnum.ui.components.markdown_links import escape_markdown
from clinicnum.ui.pages.review import view

CASE_OUTPUTS = 6


@dataclass(frozen=True)
class SheetFields:
    """The components of the review sheet."""

    panel: gr.Column
    notice: gr.HTML
    asked: gr.Markdown
    wordings: gr.Textbox
    work: gr.Markdown
    cases: list[list[Any]]
    """The CASE_OUTPUTS components of each example instance, the expert's answer last."""
    how: gr.Markdown
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
        head = [self.panel, self.notice, self.asked, self.wordings, self.work]
        return [*head, *cases, self.how, self.made, *self.ratings, *self.comments, *end]


def sheet_values(review: ExpertReview | None) -> tuple[Any, ...]:
    """Values for `SheetFields.outputs` that show a review; None hides the sheet."""
    if review is None:
        skipped = 2 + 1 + 1 + CASE_OUTPUTS * CASES + 2 + len(RATING_SCALES) + len(view.COMMENT_SUBJECTS) + 5
        return gr.update(visible=False), *[gr.skip()] * skipped
    editable, sheet = view.is_editable(review), review.sheet
    notice, comments = view.notice(review), view.comment_rows(review)
    worked, made = view.work_heading(review), view.made_text(review)
    return (
        gr.update(visible=True),
        str(note(notice)) if notice else "",
        view.asked_heading(review),
        _wordings(review),
        gr.update(value=worked, visible=bool(worked)),
        *(part for n in range(1, CASES + 1) for part in _case(n, review)),
        gr.update(value=view.made_heading(review), visible=bool(made)),
        gr.update(value=made, visible=bool(made), label=view.made_label(review)),
        *_ratings_and_comments(review, editable=editable),
        gr.update(value=comments, visible=bool(comments)),
        _("What you enter is saved as you go.") if editable else "",
        view.missing_text(sheet, review) if editable else "",
        gr.update(visible=False),
        gr.update(visible=editable),
    )


def _wordings(review: ExpertReview) -> Any:
    """A template's wordings; of an item what it shows, unless that stands above the field for the answer."""
    asked = view.asked_text(review)
    if review.kind == "template":
        return gr.update(value=asked, label=_("Wording"), info=_(view.ASKED), visible=True)
    return gr.update(value=asked, label=_("Question"), info="", visible=not review.cases)


def _ratings_and_comments(review: ExpertReview, *, editable: bool) -> tuple[Any, ...]:
    scales, sheet, item = scales_of(mechanical=review.mechanical), review.sheet, review.kind != "template"
    asked = {*scales, *(str(n) for n in range(1, len(review.cases) + 1))}
    return (
        *(
            gr.update(
                value=sheet.ratings.get(one),
                interactive=editable,
                visible=one in scales,
                label=view.scale_label(one, item=item),
            )
            for one in RATING_SCALES
        ),
        *(
            gr.update(value=sheet.comments.get(one, ""), visible=editable and one in asked)
            for one in view.COMMENT_SUBJECTS
        ),
    )


def _case(number: int, review: ExpertReview) -> tuple[Any, ...]:
    """Values for one case: title, text before the table, record table, text after it, question, answer.

    All are hidden where the review has fewer cases.
    """
    if number > len(review.cases):
        return (gr.update(visible=False),) * CASE_OUTPUTS
    case = review.cases[number - 1]
    title = view.case_title(number, case, len(review.cases))
    if review.kind == "template":
        before, columns, rows, after = view.split_table(case.context)
    else:
        before, columns, rows, after = case.context, [], [], ""
    return (
        gr.update(value=title, visible=bool(title)),
        gr.update(value=before, visible=bool(before), label=_shown_label(number, review)),
        gr.update(value={"headers": columns, "data": rows} if rows else None, visible=bool(rows)),
        gr.update(value=after, visible=bool(after)),
        gr.update(value=_bold(case.question), visible=True),
        gr.update(
            value=review.sheet.answers.get(str(number), ""),
            interactive=view.is_editable(review),
            visible=True,
            info=view.answer_help(review, case),
        ),
    )


def _shown_label(number: int, review: ExpertReview) -> str:
    if review.kind == "template":
        return _("Records of question {number}", number=number)
    return _("Text")


def _bold(question: str) -> str:
    """The question as Markdown: its first line bold, options below it."""
    first, *more = question.split("\n")
    return "  \n".join([f"**{escape_markdown(first)}**", *map(escape_markdown, more)])


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
        asked = gr.Markdown()
        wordings = _text(_("Wording"), info=_(view.ASKED))
        work = gr.Markdown()
        cases, comments = [], []
        for number in range(1, CASES + 1):
            cases.append(_case_fields(number))
            comments.append(_comment(str(number)))
        how = gr.Markdown()
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
        panel,
        notice,
        asked,
        wordings,
        work,
        cases,
        how,
        made,
        ratings,
        comments,
        own,
        saved,
        missing,
        confirmation,
        ready,
    )
