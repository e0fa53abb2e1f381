"""Label changes as table rows, with the texts around the table. No Gradio."""

from collections.abc import Sequence

from markupsafe import Markup

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.judgement_text import judgement_text
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.annotations.types import StudyStatus
from clinicnum.db.work.audit.audit_log import ChainCheck
from clinicnum.db.work.changes.label_changes import LabelChange, LabelChangePage
from clinicnum.ui.components.html import note
from clinicnum.ui.components.judgement_form import MINUTE_FORMAT

KINDS = {
    "judgement": "Judgements",
    "decision": "Decisions",
    "contest": "Contests",
    "skip": "Skips",
    "flag": "Flags",
}
ACTIONS = {
    "save_judgement": "judged blind",
    "submit": "submitted",
    "adjudicate": "decided",
    "uphold_contest": "upheld a contest",
    "reject_contest": "rejected a contest",
    "skip": "skipped",
    "flag": "flagged",
    "answer_flag": "answered a flag",
}
COLUMNS = ("When, UTC", "Who", "Item", "What", "Revision", "Before", "After", "Reason")
WIDTHS = ["155px", "90px", "185px", "105px", "85px", "190px", "190px", "205px"]
VEILED = (
    "While this study is open you see what submitted judgements were replaced by, without names, and your "
    "own decisions. All others are left out: their number would tell how often each position is held."
)
KIND_CHOICES = [("Everything", ""), *((name, kind) for kind, name in KINDS.items())]
NO_STUDY = str(note("There is no study that you may look into yet."))


def study_choices(studies: Sequence[tuple[str, str, StudyStatus]]) -> list[tuple[str, str]]:
    """(label, id) of each study."""
    return [(name if status == "open" else f"{name} ({status})", key) for key, name, status in studies]


def changes_label(found: LabelChangePage) -> str:
    """The table's heading."""
    return f"Changes in {found.study}, newest first"


def change_rows(found: LabelChangePage, taxonomy: Taxonomy) -> list[list[str | int]]:
    """Rows for COLUMNS, one per change."""
    return [_row(one, taxonomy) for one in found.changes]


def hidden_names_note(found: LabelChangePage) -> str:
    """As HTML, a note on what is hidden from users who may not see who made a change; empty for others."""
    return "" if found.people else str(note(VEILED))


def no_changes_message(found: LabelChangePage) -> str:
    """The message shown instead of an empty table, as HTML."""
    return str(note("Nothing found so far." if found.older is not None else "Nothing here."))


def older_label(found_some: bool) -> str:
    """The label of the button that loads older changes."""
    return "Older changes" if found_some else "Look further back"


def check_view(found: ChainCheck, differences: int, seconds: float) -> str:
    """The result of verifying a study's audit log, as HTML."""
    return str(_check(found, differences, seconds))


def _check(found: ChainCheck, differences: int, seconds: float) -> Markup:
    if found.broken_at is None and differences:
        what = "label or decision is" if differences == 1 else "labels or decisions are"
        return note(
            f"The log of this study is whole, but {differences:,} {what} not as it says: changed past the "
            "program. Ask who runs the server for clinicnum audit verify, which names each.",
            "bad",
        )
    if found.broken_at is None:
        return note(
            f"The log of this study is whole, and every label and decision is as it says: {found.rows:,} "
            f"{'row' if found.rows == 1 else 'rows'}, checked in {seconds:.1f} s."
        )
    return note(
        f"The log of this study is broken: {found.reason}. Nothing from row {found.broken_at:,} on can be "
        "relied upon; compare with a backup.",
        "bad",
    )


def _row(one: LabelChange, taxonomy: Taxonomy) -> list[str | int]:
    what = ACTIONS[one.action]
    if one.action == "submit" and one.before is not None:
        what = "changed" if one.before != one.after else "submitted unchanged"
    return [
        f"{one.at:{MINUTE_FORMAT}}",
        one.who,
        one.item,
        what,
        one.revision or "",
        _words(one.before, taxonomy),
        _words(one.after, taxonomy),
        one.says or "",
    ]


def _words(judgement: Judgement | None, taxonomy: Taxonomy) -> str:
    return "–" if judgement is None else judgement_text(judgement, taxonomy)
