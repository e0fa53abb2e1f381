"""What waits for an account as sentences with links, and the first steps. No Gradio, no database."""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from clinicnum.annotations.deadline import deadline_words, today
from clinicnum.annotations.role_rights import may
from clinicnum.annotations.study_summary import StudyProgress
from clinicnum.annotations.types import User
from clinicnum.db.work.annotation.own_studies import OwnStudy
from clinicnum.db.work.home.overview import STEPS, Curating, Deciding, Evaluating, Labelling, Overview
from clinicnum.translatable import Translatable
from clinicnum.ui.components.html import MISSING, framed
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.links import bullets, escape_markdown, link
from clinicnum.ui.components.terms import STUDY_STATUS_NAMES

STUDY_COLUMNS = (
    Translatable("Study"),
    Translatable("Status"),
    Translatable("Judgements"),
    Translatable("Decisions due"),
    Translatable("Contests"),
    Translatable("Deadline"),
)
SAMPLE = Translatable(
    "To try everything out first, make the sample project: a small benchmark of made-up patients, the "
    "answers of two made-up models with typical mistakes, and a study of twelve of them for the annotators "
    "you choose. It is marked as a sample everywhere, its figures say nothing about any model, and one "
    "button removes it."
)
SAMPLE_HERE = Translatable(
    "The sample project is here: the runs and the study whose names begin with Sample. Its models and their "
    "answers are made up. Removing it deletes its benchmark, its runs and every study on them; the audit log "
    "keeps what was logged of them."
)
NO_ANNOTATORS = Translatable(
    "There is no annotator yet, so it comes without a study, which you can open on its runs later."
)
ANNOTATORS = Translatable("Who labels it; with nobody chosen, there is no study.")
MADE = Translatable("The sample project is made. The steps lead on from here.")
REMOVED = Translatable("The sample project is removed.")
PATHS = {
    "benchmark": "/benchmarks/",
    "run": "/runs/",
    "explore": "/explore/",
    "study": "/studies/",
    "people": "/people/",
    "report": "/reports/",
}
"""The page of each step; labelling is the annotators' own."""


def waiting_text(found: Overview) -> str:
    """What waits for the account, as Markdown."""
    lines = [
        *_labelling(found.labelling),
        *_deciding(found.deciding),
        *_reviewing(found.reviews),
        *_curating(found.curating),
        *_evaluating(found.evaluating),
    ]
    return bullets(lines) if lines else _("Nothing waits for you now.")


def _labelling(found: Labelling | None) -> Iterator[str]:
    if found is None:
        return
    for one in found.studies:
        yield _own_study(one)
    if found.answers:
        said = ngettext("{n} answer for you is unread.", "{n} answers for you are unread.", found.answers)
        yield " ".join((said, link(_("Read what the adjudicators answered"), "/annotate/")))
    if not found.studies:
        yield _("No study is open for you yet; whoever invited you will add you to one.")


def _own_study(one: OwnStudy) -> str:
    name, left = escape_markdown(one.name), one.total - one.done
    if left <= 0 and one.trained >= one.training:
        return _("{study}: all your items are done. Thank you.", study=name)
    said = ngettext(
        "{study}: {n} of your {total} items is left.",
        "{study}: {n} of your {total} items are left.",
        left,
        study=name,
        total=one.total,
    )
    due = "" if one.deadline is None else f" ({_(deadline_words(one.deadline, now=today()))})"
    return " ".join((said + due, link(_("Label the next one"), "/annotate/")))


def _deciding(found: Deciding | None) -> Iterator[str]:
    if found is None or not found.in_all:
        return
    counted = [
        (found.due, ngettext("{n} item needs your decision.", "{n} items need your decision.", found.due)),
        (
            found.contests,
            ngettext(
                "The gold of {n} item is contested.", "The gold of {n} items is contested.", found.contests
            ),
        ),
        (found.flags, ngettext("{n} item is flagged.", "{n} items are flagged.", found.flags)),
        (found.replies, ngettext("{n} reply is unanswered.", "{n} replies are unanswered.", found.replies)),
    ]
    said = " ".join(text for n, text in counted if n)
    yield " ".join((said, link(_("Go on with the first"), "/adjudicate/")))


def _reviewing(n: int) -> Iterator[str]:
    if n:
        said = ngettext("{n} template waits for your review.", "{n} templates wait for your review.", n)
        yield " ".join((said, link(_("Review it"), "/review/")))


def _curating(found: Curating | None) -> Iterator[str]:
    if found is None:
        return
    for name in found.failures:
        said = _("{study}: its labelled failures led to no draft yet.", study=escape_markdown(name))
        yield " ".join((said, link(_("Look at the failures"), "/failures/")))
    if found.drafts:
        said = ngettext("{n} draft of yours is open.", "{n} drafts of yours are open.", found.drafts)
        yield " ".join((said, link(_("Go on writing"), "/draft/")))
    if found.submitted:
        said = ngettext(
            "{n} template waits for a review round.",
            "{n} templates wait for a review round.",
            found.submitted,
        )
        yield " ".join((said, link(_("Invite experts"), "/rounds/")))
    if found.rounds:
        said = ngettext("{n} review round is open.", "{n} review rounds are open.", found.rounds)
        yield " ".join((said, link(_("See who has answered"), "/rounds/")))


def _evaluating(found: Evaluating | None) -> Iterator[str]:
    if found is None:
        return
    for one in found.studies:
        if one.contests:
            said = ngettext(
                "{study}: {n} contest waits for an adjudicator.",
                "{study}: {n} contests wait for an adjudicator.",
                one.contests,
                study=escape_markdown(one.name),
            )
            yield " ".join((said, link(_("Look at its items"), "/items/", study=one.name)))
    running = sum(one.status == "running" for one in found.jobs)
    queued = sum(one.status == "queued" for one in found.jobs)
    failed = [one for one in found.jobs if one.status == "failed"]
    if running or queued:
        said = _("Jobs: {running} running, {queued} waiting.", running=running, queued=queued)
        yield " ".join((said, link(_("Watch them"), "/jobs/")))
    if failed:
        said = ngettext("{n} of the last jobs failed.", "{n} of the last jobs failed.", len(failed))
        yield " ".join((said, link(_("See why"), "/jobs/")))
    if found.runs:
        said = ngettext("{n} run is stored.", "{n} runs are stored.", found.runs)
        yield " ".join((said, link(_("Explore what they got wrong"), "/explore/")))


def study_rows(studies: Sequence[StudyProgress]) -> list[list[str | int]]:
    """Rows for STUDY_COLUMNS, one a study."""
    return [
        [
            one.name,
            _(STUDY_STATUS_NAMES[one.status]),
            _("{n} of {total}", n=one.judged, total=one.places),
            one.due,
            one.contests,
            MISSING if one.deadline is None else _(deadline_words(one.deadline, now=today())),
        ]
        for one in studies
    ]


def studies_label(rows: Sequence[object]) -> str:
    """The heading of the table of studies."""
    return ngettext("{n} study", "{n} studies", len(rows))


def sample_text(annotators: Sequence[str]) -> str:
    """What the sample project would be."""
    return _(SAMPLE) if annotators else f"{_(SAMPLE)} {_(NO_ANNOTATORS)}"


def confirm_label(labelled: int) -> str:
    """The label of the box with which the labels of the sample are given up, too."""
    return ngettext(
        "Also delete the {n} judgement that people made in it",
        "Also delete the {n} judgements that people made in it",
        labelled,
    )


def steps_html(found: Evaluating, user: User) -> str:
    """The first steps with the next one's button; empty once all are done."""
    left = [step for step in STEPS if step not in found.steps]
    if not left:
        return ""
    items = Markup("").join(
        _step(number, step, "done" if step in found.steps else "next" if step == left[0] else "later", user)
        for number, step in enumerate(STEPS, start=1)
    )
    heading = _("From here to your first report")
    return framed(Markup('<h2>{}</h2><ol class="cn-steps">{}</ol>').format(heading, items))


def _step(number: int, step: str, state: str, user: User) -> Markup:
    title, how, button = _step_words(step, invites=may(user.role, "manage_users"))
    path = PATHS.get(step)
    go = Markup("")
    if state == "next" and path and button:
        go = Markup('<a class="cn-button cn-primary" href="{}">{}</a>').format(path, button)
    return Markup(
        '<li data-state="{}"><span class="cn-mark" aria-hidden="true">{}</span><strong>{}{}</strong>'
        '<span class="cn-muted">{}</span>{}</li>'
    ).format(
        state,
        "✓" if state == "done" else number,
        title,
        Markup('<span class="cn-sr">{}</span>').format(_("(done)")) if state == "done" else "",
        how,
        go,
    )


def _step_words(step: str, *, invites: bool) -> tuple[str, str, str]:
    """Title, explanation and button of a step; no button where the account cannot take the step."""
    match step:
        case "benchmark":
            return (
                _("Make a benchmark"),
                _("Questions on made-up patients or on your own records, with answers that are proven."),
                _("Make a benchmark"),
            )
        case "run":
            return (
                _("Run a model on it, or upload its answers"),
                _("A model on this machine or on a server; the answers are scored by themselves."),
                _("Run a model"),
            )
        case "explore":
            return (
                _("Look at the failures"),
                _("Filter what the models got wrong, read it beside the records, and find where it gathers."),
                _("Explore the answers"),
            )
        case "study":
            return (
                _("Open a study"),
                _("Choose which failures are labelled, and how many experts judge each."),
                _("Open a study"),
            )
        case "people":
            invite = _("Add accounts for your experts; each gets a link with which to choose a password.")
            ask = _("An admin adds accounts for your experts.")
            return (_("Invite people"), invite if invites else ask, _("Invite people") if invites else "")
        case "label":
            return (
                _("Let them label"),
                _("They log in and label on their own page. This step is done with the first label."),
                "",
            )
        case _:
            return (
                _("Read the report"),
                _("What went wrong, how often, in which model, with intervals; every table to download."),
                _("Make a report"),
            )
