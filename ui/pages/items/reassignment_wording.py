"""Messages before and after items are moved. No Gradio, no database."""

from markupsafe import Markup

from clinicnum.db.work.annotation.reassign_items import Moved, Reason
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.language import _, ngettext

LEFT: dict[Reason, str] = {
    "theirs": Translatable("{n} that the annotator has or had already"),
    "reference_known": Translatable("{n} whose gold answer the annotator knows from another item"),
    "no_place": Translatable("{n} that nobody has in work and that have no free place"),
    "aside": Translatable("{n} training or control items, which everyone gets"),
}


def requeue_warning(count: int) -> str:
    """The question before items are put back, as HTML."""
    return _warning(
        ngettext(
            "Put {n} unfinished judgement back to the pool?",
            "Put {n} unfinished judgements back to the pool?",
            count,
        ),
        _(
            "Whoever asks first gets the item, also who had it. What was locked or drafted is kept, and what "
            "was submitted is not touched."
        ),
    )


def reassign_warning(count: int, to: str) -> str:
    """The question before items are given to an annotator, as HTML."""
    return _warning(
        ngettext("Give {n} item to {to}?", "Give {n} items to {to}?", count, to=to),
        _(
            "An item that somebody has in work is taken from them, what they locked is kept; otherwise a "
            "free place is used. Items that {to} has already, or whose gold answer {to} knows, stay as they "
            "are.",
            to=to,
        ),
    )


def _warning(question: str, consequence: str) -> str:
    box = Markup('<div class="cn-note cn-warn" role="alert"><strong>{}</strong> {}</div>')
    return str(box.format(question, consequence))


def requeued(moved: Moved) -> str:
    """What was put back."""
    return ngettext(
        "{n} unfinished judgement is back in the pool.",
        "{n} unfinished judgements are back in the pool.",
        moved.assignments,
    )


def reassigned(moved: Moved, to: str) -> str:
    """What was given to whom, and what stayed as it was."""
    told = ngettext(
        "{n} item is next in the queue of {to}.",
        "{n} items are next in the queue of {to}.",
        moved.items,
        to=to,
    )
    left = [_(LEFT[reason], n=count) for reason, count in moved.left.items()]
    if not left:
        return told
    return " ".join((told, _("Left as they were: {items}.", items="; ".join(left))))
