"""The first steps from an empty installation to a report, as HTML. No Gradio, no database."""

from markupsafe import Markup

from clinicnum.annotations.role_rights import may
from clinicnum.annotations.types import User
from clinicnum.db.work.home.pending_work import STEPS, Evaluating
from clinicnum.ui.components.html import framed
from clinicnum.ui.components.language import _

PATHS = {
    "benchmark": "/benchmarks/",
    "run": "/runs/",
    "explore": "/explore/",
    "study": "/studies/",
    "people": "/people/",
    "label": "/studies/",
    "report": "/reports/",
}
"""The page of each step; labelling is the annotators' own, and its progress stands with the studies."""


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
    told = Markup("")
    if found.steps:
        ticks = _("A tick says that it is there, whoever made it: you, a colleague or a command.")
        told = Markup('<p class="cn-muted">{}</p>').format(ticks)
    return framed(Markup('<h2>{}</h2>{}<ol class="cn-steps">{}</ol>').format(heading, told, items))


def _step(number: int, step: str, state: str, user: User) -> Markup:
    title, how, button = _step_words(step, invites=may(user.role, "manage_users"))
    path = PATHS.get(step)
    is_open = bool(path) and (step != "people" or may(user.role, "manage_users"))
    go = Markup("")
    if state == "next" and path and button:
        go = Markup('<a class="cn-button cn-primary" href="{}">{}</a>').format(path, button)
    return Markup(
        '<li data-state="{}"><span class="cn-mark" aria-hidden="true">{}</span><strong>{}{}</strong>'
        '<span class="cn-muted">{}</span>{}</li>'
    ).format(
        state,
        "✓" if state == "done" else number,
        Markup('<a href="{}">{}</a>').format(path, title) if is_open else title,
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
                _(
                    "What went wrong, how often, in which model, with intervals; every table to download. "
                    "A report that a command wrote lies in its folder and is not listed here."
                ),
                _("Make a report"),
            )
