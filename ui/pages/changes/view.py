"""Changes of labels as HTML: a form whose answer has its address, and a table. No Gradio."""

from collections.abc import Sequence
from urllib.parse import urlencode

from markupsafe import Markup

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.judgement_words import judgement_words
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.annotations.types import StudyStatus
from clinicnum.db.work.audit.audit_log import ChainCheck
from clinicnum.db.work.changes.label_changes import LabelChange, LabelChangePage
from clinicnum.ui.components.html import note, table
from clinicnum.ui.components.judgement import WHEN

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
PROSE = (1, 2, 3, 5, 6, 7)
VEILED = (
    "While this study is open you see what submitted judgements were replaced by, without names, and your "
    "own decisions. All others are left out: their number would tell how often each position is held."
)
Query = dict[str, object]


def address(**query: object) -> str:
    """An address of this page; empty parts are left out."""
    return "/changes/?" + urlencode({key: value for key, value in query.items() if value not in (None, "")})


def page_view(studies: Sequence[tuple[str, str, StudyStatus]], chosen: str | None, content: Markup) -> str:
    """The whole page: the studies, and what is shown of the chosen one."""
    links = Markup("").join(
        Markup('<a class="cn-button mw-tab" href="{}"{}>{}</a>').format(
            address(study=key),
            Markup(' aria-current="page"') if key == chosen else "",
            name if status == "open" else f"{name} ({status})",
        )
        for key, name, status in studies
    )
    choose = Markup('<nav class="cn-choose mw-studies" aria-label="Studies">{}</nav>').format(links)
    return str(
        Markup('<div class="cn-page mw-page ch-page"><h1>Changes of labels</h1>{}{}</div>').format(
            choose if links else "", content
        )
    )


def changes_view(found: LabelChangePage, taxonomy: Taxonomy, asked: Query, check: Markup) -> Markup:
    """The filters, the check of the chain, and one page of changes."""
    rows = [_row(one, taxonomy) for one in found.changes]
    shown = (
        table(f"Changes in {found.study}, newest first", COLUMNS, rows, PROSE)
        if rows
        else note("Nothing found so far." if found.older is not None else "Nothing here.")
    )
    older = Markup("")
    if found.older is not None:
        older = Markup('<p><a class="cn-button mw-tab" href="{}">{}</a></p>').format(
            address(**{**asked, "study": found.study_id, "before": found.older}),
            "Older changes" if rows else "Look further back",
        )
    veiled = note(VEILED) if not found.people else Markup("")
    return _filters(found, asked) + veiled + check + shown + older


def check_view(found: ChainCheck | None, differences: int, seconds: float, study_id: str) -> Markup:
    """What the check of the study's chain found; before it is asked for, the way to it."""
    if found is None:
        return Markup('<p class="ch-check"><a class="cn-button cn-quiet mw-tab" href="{}">{}</a></p>').format(
            address(study=study_id, check="1"), "Check that nothing was altered"
        )
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


def _filters(found: LabelChangePage, asked: Query) -> Markup:
    kinds = [("", "Everything"), *KINDS.items()]
    person = Markup("")
    if found.people:
        people = [("", "Everybody"), *((name, name) for name in found.people)]
        person = _select("person", "Who", people, asked.get("person"))
    return Markup(
        '<form class="mw-find ch-find" method="get" action="/changes/" role="search">'
        '<input type="hidden" name="study" value="{}">'
        '<span><label for="ch-item">Item</label> '
        '<input id="ch-item" type="search" name="item" value="{}" maxlength="200" placeholder="place or id">'
        "</span>"
        '{}{}<button class="cn-button cn-quiet" type="submit">Show</button></form>'
    ).format(
        found.study_id, asked.get("item") or "", _select("kind", "What", kinds, asked.get("kind")), person
    )


def _select(name: str, label: str, options: Sequence[tuple[str, str]], chosen: object) -> Markup:
    made = Markup("").join(
        Markup('<option value="{}"{}>{}</option>').format(
            key, Markup(" selected") if key == (chosen or "") else "", text
        )
        for key, text in options
    )
    return Markup(
        '<span><label for="ch-{0}">{1}</label> <select id="ch-{0}" name="{0}">{2}</select></span>'
    ).format(name, label, made)


def _row(one: LabelChange, taxonomy: Taxonomy) -> tuple[object, ...]:
    what = ACTIONS[one.action]
    if one.action == "submit" and one.before is not None:
        what = "changed" if one.before != one.after else "submitted unchanged"
    return (
        f"{one.at:{WHEN}}",
        one.who,
        one.item,
        what,
        one.revision or "",
        _words(one.before, taxonomy),
        _words(one.after, taxonomy),
        one.says or "",
    )


def _words(judgement: Judgement | None, taxonomy: Taxonomy) -> str:
    return "–" if judgement is None else judgement_words(judgement, taxonomy)
