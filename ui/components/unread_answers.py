"""What pages say of answers that the scorer could not read. No Gradio, no database."""

from collections.abc import Sequence
from urllib.parse import urlencode

from markupsafe import Markup

from clinicnum.annotations.explore.slice_query import SliceQuery
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.documentation import ADDRESS
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.scored_reason import scored_reason

HOW = Translatable(
    "An answer is read where the text marks it, as in a last line “Answer: 20 mL/h”, or where it holds one "
    "value only."
)
MORE = Translatable("How answers are read")
MORE_ADDRESS = f"{ADDRESS}/scoring"
LOOK = Translatable("Look at the answers that could not be read")


def unread_sentence(n: int) -> str:
    """How many answers could not be read, and what they count as; empty for none."""
    if not n:
        return ""
    return ngettext(
        "{n:,} answer could not be read and counts as not right.",
        "{n:,} answers could not be read and count as not right.",
        n,
    )


def unread_address(runs: Sequence[str]) -> str:
    """The address of the answers of these runs (row ids) that could not be read, on Explore."""
    query = SliceQuery(runs=tuple(runs), where={"status": ("unparsable",)})
    return f"/explore/?{urlencode(query.parameters())}"


def unread_note(n: int, *, runs: Sequence[str], reason: str = "") -> Markup:
    """How many answers of these runs (row ids) could not be read, why most of them, how answers are read, and
    a link to them on Explore, as HTML; empty for none. `reason` is the most frequent one of the scores.
    """
    if not n:
        return Markup("")
    why = Markup("{} <q>{}</q>.").format(_("Most often:"), scored_reason(reason)) if reason else ""
    said = Markup('{} {} {} <a href="{}">{}</a> · <a href="{}">{}</a>').format(
        unread_sentence(n), why, _(HOW), unread_address(runs), _(LOOK), MORE_ADDRESS, _(MORE)
    )
    return note(said, "warn")
