"""Answers of adjudicators on the page of an annotator's own work: their number, and the thread of an item."""

from typing import Any

from markupsafe import Markup

from clinicnum.db.work.annotation.own_message_threads import OwnThread, UnreadAnswers
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.language import _
from clinicnum.ui.components.markdown_links import link
from clinicnum.ui.components.message_thread_view import (
    AFTER_READING,
    OWN_THREADS,
    answers_label,
    kept_back_text,
    message_views,
)

THREAD = Translatable("Said with the adjudicators")
RULING = Translatable("Ruling")
_MESSAGE = Markup(
    '<li>{claim}{quote}<p class="cn-muted"><b>{who}</b> {when}{ruling}</p><p class="cn-said">{text}</p></li>'
)


def answers_line(found: UnreadAnswers, study_id: str) -> str:
    """How many answers wait in a study, as a Markdown link to them, then how many open once their items are
    submitted; empty if neither.
    """
    answered = link(answers_label(found.n), "/my-work/", study=study_id, show="answered")
    return " ".join(one for one in (answered if found.n else "", kept_back_text(found.kept_back)) if one)


def thread_html(one: OwnThread, *, reader: str) -> Markup:
    """The thread of an item, with explanations."""
    messages = Markup("").join(map(_message, message_views(one.thread, reader=reader)))
    return Markup('<h3>{}</h3><p class="cn-muted">{} {}</p><ol class="cn-thread">{}</ol>').format(
        _(THREAD), _(OWN_THREADS), _(AFTER_READING), messages
    )


def _message(one: dict[str, Any]) -> Markup:
    claim, quote = one["claim"], one["quote"]
    return _MESSAGE.format(
        claim=Markup('<p class="cn-muted">{}</p>').format(claim) if claim else "",
        quote=Markup("<blockquote>{}</blockquote>").format(quote) if quote else "",
        who=one["who"],
        when=one["when"],
        ruling=Markup('<span class="cn-ruling">{}</span>').format(_(RULING)) if one["ruling"] else "",
        text=one["text"],
    )
