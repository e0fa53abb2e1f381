"""The texts of the launch form, and a dry run's estimate as HTML. No Gradio, no database."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit

from markupsafe import Markup

from clinicnum.db.work.runs.launch_run import LaunchOutlook
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.html import framed
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.markdown_links import escape_markdown
from clinicnum.ui.components.unread_answers import unread_note
from clinicnum.ui.components.value_display_names import STATUS_NAMES, labelled

ABOUT = Translatable(
    "A model answers a benchmark, and its answers are scored. The worker does it in the background: you can "
    "leave this page, and a run that was cut off goes on where it stopped. A dry run says beforehand how "
    "many tokens it takes and how long."
)
CLIENTS = (
    (Translatable("In a folder of the worker's machine"), "local"),
    (Translatable("On a server"), "openai"),
)
FOLDER = Translatable(
    "One of those found on this machine, or the path of another folder that the worker may read."
)
ADDRESS = Translatable("Of a server that speaks OpenAI's protocol, such as http://127.0.0.1:8000/v1.")
SERVED = Translatable("As the server calls it.")
KEY = Translatable(
    "Only if the server asks for a key: the name of the environment variable that holds it where the worker "
    "runs, such as OPENAI_API_KEY. Never the key itself."
)
CONSENT = Translatable(
    "These records are not known to be open. Whoever sends them to a server must be allowed to; for "
    "credentialed data such as MIMIC-IV, the data use agreement forbids most online services."
)
LABEL = Translatable("What lists, comparisons and reports call it; empty for the model's name.")
LIMIT = Translatable(
    "To try the model out; 0 for all. A question that is written in three ways takes three answers."
)
TOKENS = Translatable(
    "An answer that is cut off counts as a failure. 256 are enough for most models; one that thinks first "
    "needs thousands."
)
TEMPERATURE = Translatable(
    "0 takes the likeliest answer. Above 0 answers are drawn, and vary more the higher it is; 0.7 is usual."
)
SAMPLES = Translatable(
    "Several show how steady the model is; each is a run of its own. More than 1 needs a temperature above 0."
)
SEED = Translatable("The same seed draws the same answers again. At temperature 0 it changes nothing.")


def clients() -> list[tuple[str, str]]:
    """(label, value) of each kind of model client."""
    return labelled(CLIENTS)


def consent_label(benchmark: str, address: str) -> str:
    """Label of the consent checkbox."""
    return _(
        "The records of {benchmark} may be sent to {host}: I am allowed to do that.",
        benchmark=benchmark,
        host=urlsplit(address.strip()).hostname or address,
    )


def outlook_text(found: LaunchOutlook, model: str) -> str:
    """How many answers a launch asks of the model, and how many of its runs are stored, as Markdown."""
    said = _(
        "Launching asks {model} all questions of {benchmark}: {n:,} answers, unless you choose fewer.",
        model=escape_markdown(PurePath(model).name),
        benchmark=escape_markdown(found.benchmark),
        n=found.instances,
    )
    if not found.runs:
        return said
    again = ngettext(
        "It has answered this benchmark before: {n} run of it is stored, and another would stand beside it.",
        "It has answered this benchmark before: {n} runs of it are stored, and another would stand beside "
        "them.",
        found.runs,
    )
    return f"{said} **{again}**"


def result_view(result: Mapping[str, Any]) -> str:
    """A job's result as HTML: the lines of a dry run, or the number of answers by score."""
    lines = result.get("estimate")
    if isinstance(lines, list):
        items = Markup("").join(Markup("<li>{}</li>").format(line) for line in lines)
        return framed(Markup('<h2>{}</h2><ul lang="en">{}</ul>').format(_("What the run will take"), items))
    statuses = result.get("statuses")
    if not isinstance(statuses, dict):
        return ""
    counts = ", ".join(f"{n} {_(STATUS_NAMES[status])}" for status, n in statuses.items())
    said = _("The answers are scored: {counts}.", counts=counts)
    unread = unread_note(
        int(statuses.get("unparsable", 0)),
        runs=[str(one) for one in result.get("runs", ())],
        reason=str(result.get("unread_because", "")),
    )
    return framed(Markup("<p>{}</p>{}").format(" ".join([*_fits(result), said]), unread))


def _fits(result: Mapping[str, Any]) -> list[str]:
    """Of answers made elsewhere: that all fit the questions, and how many questions have none."""
    answers, unanswered = result.get("generations"), result.get("unanswered")
    if not isinstance(answers, int) or not isinstance(unanswered, int):
        return []
    questions = answers + unanswered
    said = [_("{n} of {n} answers fit the questions of the benchmark.", n=f"{answers:,}")]
    if unanswered:
        more = _("{n} of its {total} questions have no answer.", n=f"{unanswered:,}", total=f"{questions:,}")
        said.append(more)
    return said
