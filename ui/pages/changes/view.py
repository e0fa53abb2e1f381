"""Label changes as table rows, with the texts around the table. No Gradio."""

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.annotations.types import StudyStatus
from clinicnum.db.work.audit.audit_log import ChainCheck
from clinicnum.db.work.changes.label_changes import LabelChange, LabelChangePage
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.html import note
from clinicnum.ui.components.judgement_form_data import MINUTE_FORMAT
from clinicnum.ui.components.judgement_wording import judgement_words
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.value_display_names import study_label

KINDS = {
    "changed": Translatable("Changed judgements"),
    "judgement": Translatable("Judgements"),
    "decision": Translatable("Decisions"),
    "contest": Translatable("Contests"),
    "skip": Translatable("Skips"),
    "flag": Translatable("Flags"),
}
ACTIONS = {
    "save_judgement": Translatable("judged blind"),
    "submit": Translatable("submitted"),
    "adjudicate": Translatable("decided"),
    "uphold_contest": Translatable("upheld a contest"),
    "reject_contest": Translatable("rejected a contest"),
    "skip": Translatable("skipped"),
    "flag": Translatable("flagged"),
    "answer_flag": Translatable("answered a flag"),
}
CHANGED = Translatable("changed")
SAME_LABELS = Translatable("evidence or reason changed")
COLUMNS = (
    Translatable("When, UTC"),
    Translatable("Who"),
    Translatable("Item"),
    Translatable("What"),
    Translatable("Revision"),
    Translatable("Before"),
    Translatable("After"),
    Translatable("Reason"),
)
WIDTHS = ["155px", "90px", "185px", "105px", "85px", "190px", "190px", "205px"]
VEILED = Translatable(
    "While this study is open you see what submitted judgements were replaced by, without names, and your "
    "own decisions. All others are left out: their number would tell how often each position is held."
)
NO_STUDY = Translatable(
    "Here you see which labels were changed after they had been saved, by whom and why. There is no study "
    "yet that you may look into: a researcher or an admin opens one on the page Studies."
)


def kind_choices() -> list[tuple[str, str]]:
    """(label, kind) of each kind of change, after the choice of all."""
    return [(_("Everything"), ""), *((_(name), kind) for kind, name in KINDS.items())]


def people_choices(people: Iterable[str]) -> list[tuple[str, str]]:
    """(label, name) of each person, after the choice of all."""
    return [(_("Everybody"), ""), *((name, name) for name in people)]


def study_choices(studies: Sequence[tuple[str, str, StudyStatus]]) -> list[tuple[str, str]]:
    """(label, id) of each study."""
    return [(study_label(name, status), key) for key, name, status in studies]


def changes_label(found: LabelChangePage) -> str:
    """The table's heading."""
    return _("Changes in {study}, newest first", study=found.study)


def change_rows(found: LabelChangePage, taxonomy: Taxonomy) -> list[list[str | int]]:
    """Rows for COLUMNS, one per change."""
    return [_row(one, taxonomy) for one in found.changes]


def hidden_names_note(found: LabelChangePage) -> str:
    """As HTML, a note on what is hidden from users who may not see who made a change; empty for others."""
    return "" if found.people else str(note(_(VEILED)))


def below_table(found: LabelChangePage) -> str:
    """As HTML, how many judgements are not listed as nothing of them was changed, and what is said instead of
    an empty table.
    """
    said = []
    if not found.changes:
        said.append(_("Nothing found so far.") if found.older is not None else _("Nothing here."))
    if found.confirmed:
        said.append(
            ngettext(
                "Not listed: {n} judgement that was submitted as it had been saved.",
                "Not listed: {n} judgements that were submitted as they had been saved.",
                found.confirmed,
            )
        )
    return str(note(" ".join(said))) if said else ""


def older_label(found_some: bool) -> str:
    """The label of the button that loads older changes; `found_some`: whether any is shown already."""
    return _("Older changes") if found_some else _("Look further back")


def check_view(found: ChainCheck, differences: int, seconds: float) -> str:
    """The result of verifying a study's audit log, as HTML.

    `differences` is the number of labels and decisions that are not as the log says, `seconds` how long it
    took.
    """
    return str(_check(found, differences, seconds))


def _check(found: ChainCheck, differences: int, seconds: float) -> Markup:
    if found.broken_at is None and differences:
        return note(
            ngettext(
                "The log of this study is whole, but {n:,} label or decision is not as it says: changed past "
                "the program. Ask who runs the server for clinicnum audit verify, which names each.",
                "The log of this study is whole, but {n:,} labels or decisions are not as it says: changed "
                "past the program. Ask who runs the server for clinicnum audit verify, which names each.",
                differences,
            ),
            "bad",
        )
    if found.broken_at is None:
        return note(
            ngettext(
                "The log of this study is whole, and every label and decision is as it says: {n:,} row, "
                "checked in {seconds:.1f} s.",
                "The log of this study is whole, and every label and decision is as it says: {n:,} rows, "
                "checked in {seconds:.1f} s.",
                found.rows,
                seconds=seconds,
            )
        )
    reason = found.reason or ""
    return note(
        _(
            "The log of this study is broken: {reason}. Nothing from row {row:,} on can be relied upon; "
            "compare with a backup.",
            reason=_(reason),
            row=found.broken_at,
        ),
        "bad",
    )


def _row(one: LabelChange, taxonomy: Taxonomy) -> list[str | int]:
    what = ACTIONS[one.action]
    before, after = (_words(judgement, taxonomy) for judgement in (one.before, one.after))
    if one.action == "submit" and one.before is not None:
        what = CHANGED if before != after else SAME_LABELS
    return [
        f"{one.at:{MINUTE_FORMAT}}",
        one.who,
        one.item,
        _(what),
        one.revision or "",
        before,
        after,
        one.says or "",
    ]


def _words(judgement: Judgement | None, taxonomy: Taxonomy) -> str:
    return "–" if judgement is None else judgement_words(judgement, taxonomy)
