"""Threads between annotators and adjudicators as plain dicts of unescaped text. No Gradio."""

from typing import Any

from clinicnum.annotations.consequences_of_upholding import claim_words
from clinicnum.db.work.common.message_threads import Message, Thread
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.judgement_form_data import MINUTE_FORMAT
from clinicnum.ui.components.language import _, ngettext

OWN_THREADS = Translatable("A thread is between you and the adjudicators: no other annotator ever reads it.")
ITEM_THREADS = Translatable(
    "Each thread is between one annotator and the adjudicators: no other annotator ever reads it."
)
AFTER_READING = Translatable(
    "What you change on a question after you have read an answer about it is kept, but agreement counts what "
    "you had judged before."
)
ABOUT_ANSWERS = Translatable(
    "The annotator reads it once they have submitted the item. They may still have other answers to this "
    "question to judge, so do not say how those should be judged."
)
ABOUT_RULINGS = Translatable(
    "A ruling may go into the guideline, which every annotator reads: write the rule, not this item's answer."
)
YOU = Translatable("You")
ADJUDICATOR = Translatable("An adjudicator")
ANNOTATOR = Translatable("The annotator")
OUTCOMES = {
    "upheld": Translatable("Contest: {claim}. It was upheld."),
    "rejected": Translatable("Contest: {claim}. It was rejected."),
}
SETTLED = Translatable("Needs no answer.")


def answers_label(n: int) -> str:
    """How many answers wait for an annotator."""
    return ngettext("{n} answer for you", "{n} answers for you", n)


def kept_back_text(n: int) -> str:
    """Notice that `n` answers open later; empty if n is 0."""
    if not n:
        return ""
    return ngettext(
        "{n} answer opens once you have submitted its item.",
        "{n} answers open once you have submitted their items.",
        n,
    )


def message_views(thread: Thread, *, reader: str, pseudonym: str | None = None) -> list[dict[str, Any]]:
    """The messages in order: who, when, text; of an answer also what it answers and whether it is a ruling.

    `reader` is the account that reads them; `pseudonym` names the annotator to an adjudicator.
    """
    return [
        {
            "who": _who(one, thread, reader, pseudonym),
            "when": f"{one.at:{MINUTE_FORMAT}} UTC",
            "text": one.text or _(SETTLED),
            "ruling": one.ruling,
            "claim": _claim(one),
            "quote": None if before is not None and before.text == one.question else one.question or None,
        }
        for before, one in zip([None, *thread.messages], thread.messages, strict=False)
    ]


def _claim(message: Message) -> str | None:
    if message.claim is None or message.outcome not in OUTCOMES:
        return None
    return _(OUTCOMES[message.outcome], claim=claim_words(message.claim, message.proposed_gold))


def _who(message: Message, thread: Thread, reader: str, pseudonym: str | None) -> str:
    if message.author == reader:
        return _(YOU)
    if message.author == thread.annotator:
        return pseudonym or _(ANNOTATOR)
    return _(ADJUDICATOR)
