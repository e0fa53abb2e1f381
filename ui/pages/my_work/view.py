"""An annotator's own work as HTML, with a link to each item. No Gradio."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from markupsafe import Markup

from clinicnum.annotations.annotator_feedback import What
from clinicnum.annotations.judgement import label_of
from clinicnum.annotations.judgement_text import code_words, judgement_text
from clinicnum.annotations.reliability.clustered_estimates import Estimate
from clinicnum.annotations.reliability.control_items import AgainstReference
from clinicnum.annotations.reliability.leave_one_out import AgainstOthers
from clinicnum.annotations.report.sections.annotator_questions import why
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.annotations.work_item import AssignmentStatus
from clinicnum.db.work.my_work.feedback import ExplainedItem, ExplainedPage, OwnSummary
from clinicnum.db.work.my_work.work_history import OwnHistory, OwnItem, OwnPage, OwnRevision, OwnStudy
from clinicnum.ui.components.html import note, record_table, table
from clinicnum.ui.components.judgement_form import MINUTE_FORMAT

STATUSES: dict[AssignmentStatus, str] = {
    "open": "in work",
    "submitted": "submitted",
    "skipped": "skipped",
    "released": "set free, as nothing came for a while",
}
SHOWN = {
    "all": "All",
    "submitted": "Submitted",
    "skipped": "Skipped",
    "flagged": "Flagged",
    "answered": "Answered",
}
DIFFER = "differ"
ASKED: dict[What, tuple[str, str]] = {
    "item": ("Item", "item_judgement"),
    "response": ("Response", "response_judgement"),
    "primary": ("Primary class", "labels"),
    "severity": ("Severity", "severity"),
}
"""Heading and field of each question on which a decision may differ."""
MOST_CONFUSED = 5
NOTHING = Markup("")


def view_link(text: object, css: str = "", **query: object) -> Markup:
    """A link to a view of this page; parameters that are None or empty are left out."""
    address = urlencode({key: value for key, value in query.items() if value not in (None, "")})
    return Markup('<a class="{}" href="/my-work/?{}">{}</a>').format(css, address, text)


SHOW_CHOICES = [(name, key) for key, name in SHOWN.items()]
NO_STUDY = str(note("You are in no study yet."))


def study_choices(studies: Sequence[OwnStudy]) -> list[tuple[str, str]]:
    """(label, id) of each study."""
    return [
        (one.name if one.status == "open" else f"{one.name} ({one.status})", one.study_id) for one in studies
    ]


def show_choices(chosen: OwnStudy) -> list[tuple[str, str]]:
    """(label, key) of a study's views; the comparison with decisions only once it is closed."""
    closed = chosen.status == "closed"
    return [*SHOW_CHOICES, *([("Where the decision differs", DIFFER)] if closed else [])]


def counts_text(chosen: OwnStudy) -> str:
    """How many items of a study the annotator has submitted and skipped, in words."""
    return f"{chosen.done} submitted, {chosen.skipped} skipped."


def older_label(text: str) -> str:
    """The label of the button that loads older items."""
    return "Look further back" if text else "Older items"


def framed(content: Markup) -> str:
    """The content with this page's styles, as a string for `gr.HTML`."""
    return str(Markup('<div class="cn-page mw-page">{}</div>').format(content))


def list_view(page: OwnPage, taxonomy: Taxonomy, *, text: str) -> str:
    """One page of items, newest first."""
    rows = Markup("").join(_row(one, taxonomy) for one in page.items)
    nothing = f"Nothing found for “{text}” so far." if text else "Nothing here yet."
    return framed(Markup('<ol class="mw-rows">{}</ol>').format(rows) if rows else note(nothing))


def _row(one: OwnItem, taxonomy: Taxonomy) -> Markup:
    said = "not judged yet" if one.judgement is None else judgement_text(one.judgement, taxonomy)
    facts = [STATUSES[one.status]]
    if one.saved_at is not None:
        facts.append(f"{one.saved_at:{MINUTE_FORMAT}} UTC")
    if one.revisions > 1:
        facts.append(f"{one.revisions} revisions")
    marks = [f"Skipped: {one.skip_reason}"] if one.skip_reason else []
    marks += [f"Flagged: {one.flag}"] if one.flag else []
    return Markup('<li class="mw-row">{}<p>{}</p><p class="cn-muted">{}</p>{}</li>').format(
        view_link(one.question, item=one.assignment_id),
        said,
        ", ".join(facts),
        Markup("").join(Markup('<p class="mw-mark">{}</p>').format(mark) for mark in marks),
    )


# ---------- one item


def item_view(history: OwnHistory, taxonomy: Taxonomy, thread: Markup = NOTHING) -> Markup:
    """One item with all of its annotator's judgements, a link to revise them, and the thread about it."""
    item = history.item
    records = record_table(item.instance.records)
    context = Markup("")
    if records["rows"]:
        context = table(f"{len(records['rows'])} records, in time", records["columns"], records["rows"])
    elif item.instance.context:
        context = Markup('<pre class="mw-text" tabindex="0">{}</pre>').format(item.instance.context)
    gold = Markup("")
    if item.reveal is not None:
        answer = "not documented" if item.reveal.answer is None else item.reveal.answer
        unit = item.instance.unit or ""
        gold = Markup("<p><strong>Gold:</strong> {} {}</p>").format(answer, unit)
    marks = [f"Skipped: {item.skip_reason}"] if item.skip_reason else []
    marks += [f"Flagged: {item.flag}"] if item.flag else []
    return Markup(
        '<div class="mw-item">{back}<h2>{question}</h2>{change}{marks}{context}'
        '<h3>The model\'s answer</h3><pre class="mw-text" tabindex="0">{text}</pre>{gold}'
        "<h3>What you said</h3>{said}{thread}</div>"
    ).format(
        back=view_link("← Back to the list", css="mw-back", study=item.study_id),
        question=item.instance.question,
        change=_change(history),
        marks=Markup("").join(Markup('<p class="mw-mark">{}</p>').format(mark) for mark in marks),
        context=context,
        text=item.text if item.text.strip() else "(the model wrote nothing)",
        gold=gold,
        said=_revisions(history.revisions, taxonomy),
        thread=thread,
    )


def _change(history: OwnHistory) -> Markup:
    if history.study_status != "open":
        return Markup('<p class="cn-muted">The study is {}: nothing can be changed.</p>').format(
            history.study_status
        )
    names: Mapping[AssignmentStatus, str] = {
        "submitted": "Change this judgement",
        "skipped": "Take the skip back and judge it",
    }
    return Markup('<p><a class="cn-button cn-primary" href="/annotate/?item={}">{}</a></p>').format(
        history.item.assignment_id, names.get(history.item.status, "Go on with this item")
    )


def _revisions(revisions: Sequence[OwnRevision], taxonomy: Taxonomy) -> Markup:
    if not revisions:
        return note("Nothing yet.")
    return Markup('<ol class="mw-rows">{}</ol>').format(
        Markup("").join(_revision(one, taxonomy) for one in revisions)
    )


def _revision(one: OwnRevision, taxonomy: Taxonomy) -> Markup:
    why = Markup("<p>“{}”</p>").format(one.judgement.rationale) if one.judgement.rationale else ""
    blind = "" if one.submitted else ", before the gold was shown"
    return Markup('<li class="mw-row"><p>{}</p>{}<p class="cn-muted">Revision {}, {} UTC{}</p></li>').format(
        judgement_text(one.judgement, taxonomy), why, one.revision, f"{one.saved_at:{MINUTE_FORMAT}}", blind
    )


# ---------- after closing


def decision_comparison_view(page: ExplainedPage, summary: OwnSummary | None, taxonomy: Taxonomy) -> str:
    """Items whose final decision differs from the annotator's judgement, below a summary."""
    rows = Markup("").join(_explained(one, taxonomy) for one in page.items)
    line = f"On {page.differing} of your {page.judged} items the decision is another than yours."
    return framed(
        (summary_view(summary, taxonomy) if summary is not None else Markup(""))
        + Markup("<h2>Where the decision differs</h2><p>{}</p>").format(line)
        + (Markup('<ol class="mw-rows">{}</ol>').format(rows) if rows else Markup(""))
    )


def _explained(one: ExplainedItem, taxonomy: Taxonomy) -> Markup:
    by = "the adjudicator" if one.decided.adjudicated else "the majority"
    lines = [
        (ASKED[each.what][0], *(_words(each.what, label, taxonomy) for label in (each.own, each.decided)))
        for each in one.differ
    ]
    comment = Markup("<p><strong>The adjudicator:</strong> {}</p>").format(one.comment) if one.comment else ""
    others = Markup("").join(
        Markup("<li>{}</li>").format(judgement_text(each, taxonomy)) for each in one.others
    )
    return Markup(
        '<li class="mw-row">{}{}{}<p class="cn-muted">What the others said, each position once:</p>'
        "<ul>{}</ul></li>"
    ).format(
        view_link(one.question, item=one.assignment_id),
        table(f"Decided by {by}", ("Of", "You", "The decision"), lines, prose=(1, 2)),
        comment,
        others,
    )


def _words(what: What, label: str | None, taxonomy: Taxonomy) -> str:
    if label is None:
        return "not given"
    if label == "none" or label in taxonomy.codes():
        return code_words(taxonomy, label)
    return label_of(ASKED[what][1], label)


def summary_view(summary: OwnSummary, taxonomy: Taxonomy) -> Markup:
    """The annotator's agreement with others, accuracy on control items, and most frequent confusions."""
    asked: list[tuple[str, Estimate]] = []
    for what, one in (("the response", summary.response), ("the primary class", summary.primary)):
        if one is not None:
            asked.append((f"On {what} you give the label on which the others agree", one.agree))
    if summary.controls is not None:
        asked.append(("On control items your response judgement is right", summary.controls.response))
        asked.append(("On control items your primary class is right", summary.controls.primary))
    lines = Markup("").join(
        Markup("<li>{}: {}</li>").format(what, _estimate(one)) for what, one in asked
    ) or Markup("<li>No judgement of yours counts here.</li>")
    return Markup("<h2>How you did</h2><ul>{}</ul>{}").format(
        lines, _confused(summary.primary, summary.controls, taxonomy)
    )


def _estimate(one: Estimate) -> str:
    """A proportion with its interval and n, or the reason why there is none."""
    if one.value is None:
        return f"undefined, {one.undefined}."
    low, high = one.interval.low, one.interval.high
    ends = "" if low is None or high is None else f", 95 % {100 * low:.0f} to {100 * high:.0f} %"
    remark = why(one)
    return f"{100 * one.value:.0f} % of {one.n} items{ends}{f' ({remark})' if remark else ''}."


def _confused(primary: AgainstOthers | None, controls: AgainstReference | None, taxonomy: Taxonomy) -> Markup:
    made = Markup("")
    for title, pairs in (
        ("Where the others agree and you do not, most often", primary.confusion if primary else {}),
        ("On control items", controls.confusion if controls else {}),
    ):
        apart = sorted(
            ((n, theirs, own) for (theirs, own), n in pairs.items() if theirs != own),
            key=lambda one: (-one[0], one[1], one[2]),
        )
        if apart:
            lines = Markup("").join(
                Markup("<li>{} where it was {}: {}</li>").format(
                    code_words(taxonomy, own), code_words(taxonomy, theirs), n
                )
                for n, theirs, own in apart[:MOST_CONFUSED]
            )
            made += Markup("<h3>{}</h3><ul>{}</ul>").format(title, lines)
    return made
