"""Rulings as rows and choices of the studies page. No Gradio, no database."""

from collections.abc import Sequence

from clinicnum.annotations.types import Ruling
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.language import _, ngettext

RULING_COLUMNS = (
    Translatable("Date"),
    Translatable("Item"),
    Translatable("Question"),
    Translatable("Ruling"),
    Translatable("In the guideline"),
)
NO_RULINGS = Translatable("No ruling yet: an adjudicator marks an answer to an annotator as one.")
CHOOSE_RULINGS = Translatable(
    "They are appended to the guideline in force, as a text to edit below; nothing is saved by that."
)
DRAFTED = Translatable("The draft stands below: edit it, then save it as a new version.")
NOT_YET = Translatable("not yet")
IN_VERSION = Translatable("since version {version}")
LONGEST_CHOICE = 200


def ruling_rows(rulings: Sequence[Ruling]) -> list[list[str]]:
    """Rows for RULING_COLUMNS, the newest first."""
    return [
        [
            f"{one.created_at:%Y-%m-%d}",
            one.instance_id,
            one.question,
            one.text,
            _(NOT_YET) if one.guideline_version is None else _(IN_VERSION, version=one.guideline_version),
        ]
        for one in reversed(rulings)
    ]


def ruling_choices(rulings: Sequence[Ruling]) -> list[tuple[str, str]]:
    """(text, id) of each ruling that is in no version of the guideline, in the order they were given."""
    return [
        (one.text if len(one.text) <= LONGEST_CHOICE else f"{one.text[: LONGEST_CHOICE - 1]}…", one.ruling_id)
        for one in rulings
        if one.guideline_version is None
    ]


def rulings_label(rulings: Sequence[Ruling]) -> str:
    """The heading of the table of rulings."""
    return ngettext("{n} ruling", "{n} rulings", len(rulings))
