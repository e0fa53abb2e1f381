"""What waits for an account as sentences with links, and the first steps. No Gradio, no database."""

from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

from markupsafe import Markup

from clinicnum.annotations.role_rights import may
from clinicnum.annotations.study_deadline import deadline_words, today
from clinicnum.annotations.study_summary import StudyProgress
from clinicnum.annotations.types import User
from clinicnum.db.work.annotation.own_studies import OwnStudy
from clinicnum.db.work.home.pending_work import Curating, Deciding, Evaluating, Labelling, Overview
from clinicnum.db.work.reports.latest_reports import LatestReport
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.figure_help import help_button
from clinicnum.ui.components.html import MISSING, framed, table
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.markdown_links import bullets, escape_markdown, link
from clinicnum.ui.components.value_display_names import STUDY_STATUS_NAMES

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
    "answers of two made-up models with typical mistakes, a study that scripts have labelled and "
    "adjudicated, ready for a report, and a study of twelve answers for the annotators you choose. It is "
    "marked as a sample everywhere, its figures say nothing about any model, and one button removes it."
)
SAMPLE_HERE = Translatable(
    "The sample project is here: the runs and the studies whose names begin with Sample. Its models and "
    "their answers are made up, and the labels of one study are those of scripts. Removing it deletes its "
    "benchmark, its runs and every study on them; the audit log keeps what was logged of them."
)
NO_ANNOTATORS = Translatable(
    "There is no annotator yet, so it comes without a study to label, which you can open on its runs later."
)
ANNOTATORS = Translatable("Who labels it; with nobody chosen, there is only the study of scripts.")
NOTHING = Translatable("Nothing waits for you now.")
NOTHING_TO_DECIDE = Translatable(
    "Nothing waits for you now. Where annotators differ, contest a gold answer or flag an item, it stands "
    "here."
)
NOTHING_TO_CURATE = Translatable(
    "Nothing waits for you now. Failures of closed studies, drafts and review rounds stand here once "
    "there are any."
)
MADE = Translatable("The sample project is made. The steps lead on from here.")
REMOVED = Translatable("The sample project is removed.")


def waiting_text(found: Overview) -> str:
    """What waits for the account, as Markdown."""
    lines = [
        *_labelling(found.labelling),
        *_deciding(found.deciding),
        *_reviewing(found.reviews),
        *_curating(found.curating),
        *_evaluating(found.evaluating, found.user, found.reports),
    ]
    return bullets(lines) if lines else _(_nothing(found))


def _nothing(found: Overview) -> str:
    if found.evaluating is not None:
        return NOTHING
    if found.deciding is not None:
        return NOTHING_TO_DECIDE
    return NOTHING_TO_CURATE if found.curating is not None else NOTHING


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
        "Study “{study}”: {n} of your {total} items is left.",
        "Study “{study}”: {n} of your {total} items are left.",
        left,
        study=name,
        total=one.total,
    )
    due = "" if one.deadline is None else f" ({_(deadline_words(one.deadline, now=today()))})"
    return " ".join((said + due, link(_("Label the next one"), "/annotate/", study=one.study_id)))


def _deciding(found: Sequence[Deciding] | None) -> Iterator[str]:
    for one in found or ():
        counted = [
            (
                one.due,
                ngettext("{n} disagreement needs a decision.", "{n} disagreements need a decision.", one.due),
            ),
            (
                one.contests,
                ngettext(
                    "The gold answer of {n} item is contested.",
                    "The gold answers of {n} items are contested.",
                    one.contests,
                ),
            ),
            (one.flags, ngettext("{n} item is flagged.", "{n} items are flagged.", one.flags)),
            (one.replies, ngettext("{n} reply is unanswered.", "{n} replies are unanswered.", one.replies)),
        ]
        said = " ".join(text for n, text in counted if n)
        line = _("{study}: {what}", study=escape_markdown(one.study), what=said)
        yield " ".join((line, link(_("Go on with the first"), "/adjudicate/", study=one.study_id)))


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


def _evaluating(found: Evaluating | None, user: User, reports: Sequence[LatestReport]) -> Iterator[str]:
    if found is None:
        return
    reported = {name for one in reports for name in one.studies}
    for one in found.studies:
        if one.due or one.contests:
            yield _undecided(
                one, decidable=one.name not in found.undecidable, invites=may(user.role, "manage_users")
            )
        elif one.places and one.judged >= one.places and one.name not in reported:
            yield _finished(one, read_once=one.name in found.read_once)
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


def _finished(one: StudyProgress, *, read_once: bool) -> str:
    """The sentence on a study in which everything is labelled and decided, with links to what to do next."""
    report = link(_("Make its report"), "/reports/", study=one.name)
    if not read_once:
        said = _("{study}: everything is labelled and decided.", study=escape_markdown(one.name))
        return " ".join((said, report))
    said = _(
        "{study}: everything is labelled, by one person each. One person's labels count no failure: a result "
        "takes two people who agree. Have a second person label the same answers in a new study.",
        study=escape_markdown(one.name),
    )
    return " ".join((said, link(_("Open a study"), "/studies/", part="new"), report))


def _undecided(one: StudyProgress, *, decidable: bool, invites: bool) -> str:
    """What waits for a decision in a study, and what to do if nobody may decide."""
    counted = [
        (
            one.due,
            ngettext(
                "{n} disagreement waits for a decision.", "{n} disagreements wait for a decision.", one.due
            ),
        ),
        (
            one.contests,
            ngettext(
                "{n} contest of a gold answer waits for a decision.",
                "{n} contests of gold answers wait for a decision.",
                one.contests,
            ),
        ),
    ]
    line = _(
        "{study}: {what}",
        study=escape_markdown(one.name),
        what=" ".join(text for n, text in counted if n),
    )
    if not decidable and invites:
        add = link(_("add an adjudicator"), "/people/")
        return " ".join((line, _("Nobody may decide: {add}.", add=add)))
    missing = () if decidable else (_("Nobody may decide: ask an admin to add an adjudicator."),)
    state = {"state": "due"} if one.due else {}
    return " ".join((line, *missing, link(_("Look at its items"), "/items/", study=one.name, **state)))


def reports_text(found: Sequence[LatestReport]) -> str:
    """The last report of each study with its link, as Markdown; empty without any."""
    if not found:
        return ""
    heading = _("Latest reports")
    return f"## {heading}\n\n{bullets(_report(one) for one in found)}"


def _report(one: LatestReport) -> str:
    names = ", ".join(one.studies)
    told = {
        "report": link(one.title, "/reports/", report=one.report_id),
        "time": f"{one.created_at:%Y-%m-%d %H:%M} UTC",
    }
    if one.title == names:
        return _("{report}, made on {time}", **told)
    return _("{studies}: {report}, made on {time}", studies=escape_markdown(names), **told)


def studies_table(studies: Sequence[StudyProgress]) -> str:
    """The studies with their progress as an HTML table, each name a link to the study; empty without any."""
    if not studies:
        return ""
    columns = [_(one) for one in STUDY_COLUMNS]
    rows = [[_study_link(one.name), *rest] for one, rest in zip(studies, _progress(studies), strict=True)]
    label = ngettext("{n} study", "{n} studies", len(rows))
    return framed(table(label, columns, rows, what=help_button("study_progress")))


def _study_link(name: str) -> Markup:
    return Markup('<a href="/studies/?{}">{}</a>').format(urlencode({"study": name}), name)


def _progress(studies: Sequence[StudyProgress]) -> list[list[str | int]]:
    return [
        [
            _(STUDY_STATUS_NAMES[one.status]),
            _("{n} of {total}", n=one.judged, total=one.places),
            one.due,
            one.contests,
            MISSING if one.deadline is None else _(deadline_words(one.deadline, now=today())),
        ]
        for one in studies
    ]


def sample_text(annotators: Sequence[str]) -> str:
    """Text on the sample project."""
    return _(SAMPLE) if annotators else f"{_(SAMPLE)} {_(NO_ANNOTATORS)}"


def confirm_label(labelled: int) -> str:
    """Label of the checkbox that also deletes the sample's judgements."""
    return ngettext(
        "Also delete the {n} judgement that people made in it",
        "Also delete the {n} judgements that people made in it",
        labelled,
    )
