"""An annotator's own work as HTML, with a link to each item. No Gradio."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from markupsafe import Markup

from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.annotations.work_item import AssignmentStatus, Workitem
from clinicnum.db.work.my_work.work_history import OwnHistory, OwnItem, OwnPage, OwnRevision, OwnStudy
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.html import note, record_table, table
from clinicnum.ui.components.judgement_form_data import MINUTE_FORMAT
from clinicnum.ui.components.judgement_wording import judgement_words
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.value_display_names import STUDY_STATUS_NAMES, labelled, study_label

STATUSES: dict[AssignmentStatus, str] = {
    "open": Translatable("in work"),
    "submitted": Translatable("submitted"),
    "skipped": Translatable("skipped"),
    "released": Translatable("set free, as nothing came for a while"),
}
LOCK_AND_SUBMIT = 2
"""Revisions of an item that was never changed: locked without the reference, then submitted."""
SHOWN = {
    "all": Translatable("All"),
    "submitted": Translatable("Submitted"),
    "skipped": Translatable("Skipped"),
    "flagged": Translatable("Flagged"),
    "answered": Translatable("Answered"),
}
DIFFER = "differ"
NOTHING = Markup("")


def view_link(text: object, css: str = "", **query: object) -> Markup:
    """A link to a view of this page; parameters that are None or empty are left out."""
    address = urlencode({key: value for key, value in query.items() if value not in (None, "")})
    return Markup('<a class="{}" href="/my-work/?{}">{}</a>').format(css, address, text)


SHOW_CHOICES = [(name, key) for key, name in SHOWN.items()]
NO_STUDY = Translatable(
    "You are in no study yet; whoever leads one adds you. What you judge is then listed here, to be read and "
    "revised."
)


def study_choices(studies: Sequence[OwnStudy]) -> list[tuple[str, str]]:
    """(label, id) of each study."""
    return [(study_label(one.name, one.status), one.study_id) for one in studies]


def show_choices(chosen: OwnStudy) -> list[tuple[str, str]]:
    """(label, key) of a study's views; the comparison with decisions only once it is closed."""
    closed = chosen.status == "closed"
    return [*labelled(SHOW_CHOICES), *([(_("Where the decision differs"), DIFFER)] if closed else [])]


def counts_text(chosen: OwnStudy) -> str:
    """How many items of a study the annotator has submitted and skipped, in words."""
    return _("{done} submitted, {skipped} skipped.", done=chosen.done, skipped=chosen.skipped)


def older_label(text: str) -> str:
    """The label of the button that loads older items; after a search for `text` it says that more is
    searched.
    """
    return _("Look further back") if text else _("Older items")


def framed(content: Markup) -> str:
    """The content with this page's styles, as a string for `gr.HTML`."""
    return str(Markup('<div class="cn-page mw-page">{}</div>').format(content))


def list_view(page: OwnPage, taxonomy: Taxonomy, *, text: str) -> str:
    """One page of items, newest first."""
    rows = Markup("").join(_row(one, taxonomy) for one in page.items)
    nothing = _("Nothing found for “{text}” so far.", text=text) if text else _("Nothing here yet.")
    return framed(Markup('<ol class="mw-rows">{}</ol>').format(rows) if rows else note(nothing))


def _row(one: OwnItem, taxonomy: Taxonomy) -> Markup:
    said = (
        _("not judged yet") if one.judgement is None else judgement_words(one.judgement, taxonomy, own=True)
    )
    facts = [_(STATUSES[one.status])]
    if one.saved_at is not None:
        facts.append(f"{one.saved_at:{MINUTE_FORMAT}} UTC")
    if one.revisions > LOCK_AND_SUBMIT:
        changes = one.revisions - LOCK_AND_SUBMIT
        facts.append(ngettext("changed once since", "changed {n} times since", changes))
    return Markup('<li class="mw-row">{}<p>{}</p><p class="cn-muted">{}</p>{}</li>').format(
        view_link(one.question, item=one.assignment_id),
        said,
        ", ".join(facts),
        _marks(one),
    )


def _marks(one: OwnItem | Workitem) -> Markup:
    """Why the item was skipped, and its flag."""
    marks = [_("Skipped: {reason}", reason=one.skip_reason)] if one.skip_reason else []
    marks += [_("Flagged: {note}", note=one.flag)] if one.flag else []
    return Markup("").join(Markup('<p class="mw-mark">{}</p>').format(mark) for mark in marks)


# ---------- one item


def item_view(history: OwnHistory, taxonomy: Taxonomy, thread: Markup = NOTHING) -> Markup:
    """One item with all of its annotator's judgements, a link to revise them, and the thread about it."""
    item = history.item
    records = record_table(item.instance.records)
    context = Markup("")
    if records["rows"]:
        title = ngettext("{n} record, in time", "{n} records, in time", len(records["rows"]))
        context = table(title, records["columns"], records["rows"])
    elif item.instance.context:
        context = Markup('<pre class="mw-text" tabindex="0">{}</pre>').format(item.instance.context)
    gold = Markup("")
    if item.reveal is not None:
        answer = _("not documented") if item.reveal.answer is None else item.reveal.answer
        unit = item.instance.unit or ""
        gold = Markup("<p><strong>{}</strong> {} {}</p>").format(_("Gold answer:"), answer, unit)
    return Markup(
        '<div class="mw-item">{back}<h2>{question}</h2>{change}{marks}{context}'
        "{answers}{gold}"
        "<h3>{yours}</h3>{said}{thread}</div>"
    ).format(
        yours=_("What you said"),
        back=view_link(_("← Back to the list"), css="mw-back", study=item.study_id),
        question=item.instance.question,
        change=_change(history),
        marks=_marks(item),
        context=context,
        answers=_answers(item),
        gold=gold,
        said=_revisions(history.revisions, taxonomy),
        thread=thread,
    )


def _answers(item: Workitem) -> Markup:
    """The model's answer, or the two that were compared, as the annotator saw them."""
    texts = [(_("The model's answer"), item.text)]
    if item.pair is not None:
        left, right = _("Left answer"), _("Right answer")
        titles = (
            (_("{side}, the first of the pair", side=left), _("{side}, the second of the pair", side=right))
            if item.pair.left == "first"
            else (
                _("{side}, the second of the pair", side=left),
                _("{side}, the first of the pair", side=right),
            )
        )
        texts = [(title, one.text) for title, one in zip(titles, item.pair.answers, strict=True)]
    return Markup("").join(
        Markup('<h3>{}</h3><pre class="mw-text" tabindex="0">{}</pre>').format(
            title, text if text.strip() else _("(the model wrote nothing)")
        )
        for title, text in texts
    )


def _change(history: OwnHistory) -> Markup:
    if history.study_status != "open":
        status = _(STUDY_STATUS_NAMES[history.study_status])
        return Markup('<p class="cn-muted">{}</p>').format(
            _("The study is {status}: nothing can be changed.", status=status)
        )
    names: Mapping[AssignmentStatus, str] = {
        "submitted": _("Change this judgement"),
        "skipped": _("Take the skip back and judge it"),
    }
    return Markup('<p><a class="cn-button cn-primary" href="/annotate/?item={}">{}</a></p>').format(
        history.item.assignment_id, names.get(history.item.status, _("Go on with this item"))
    )


def _revisions(revisions: Sequence[OwnRevision], taxonomy: Taxonomy) -> Markup:
    if not revisions:
        return note(_("Nothing yet."))
    return Markup('<ol class="mw-rows">{}</ol>').format(
        Markup("").join(_revision(one, taxonomy) for one in revisions)
    )


def _revision(one: OwnRevision, taxonomy: Taxonomy) -> Markup:
    why = Markup("<p>“{}”</p>").format(one.judgement.rationale) if one.judgement.rationale else ""
    facts = {"n": one.revision, "time": f"{one.saved_at:{MINUTE_FORMAT}}"}
    saved = (
        _("Revision {n}, {time} UTC", **facts)
        if one.submitted
        else _("Revision {n}, {time} UTC, before the gold answer was shown", **facts)
    )
    return Markup('<li class="mw-row"><p>{}</p>{}<p class="cn-muted">{}</p></li>').format(
        judgement_words(one.judgement, taxonomy, own=True), why, saved
    )
