"""What can be done next, as links: beside a success message, or on their own. No Gradio."""

from collections.abc import Sequence

from markupsafe import Markup

from clinicnum.ui.components.html import framed, note

Step = tuple[str, str]
"""(text, address within the application)."""


def success_with_steps(said: str | Markup, steps: Sequence[Step]) -> str:
    """A success message with the next steps below it, as HTML."""
    return str(note(Markup("{}{}").format(said, _links(steps)), "good"))


def steps_view(steps: Sequence[Step]) -> str:
    """The next steps on their own, as HTML."""
    return framed(_links(steps))


def _links(steps: Sequence[Step]) -> Markup:
    links = (Markup('<a class="cn-button" href="{}">{}</a>').format(path, text) for text, path in steps)
    return Markup('<div class="cn-next">{}</div>').format(Markup("").join(links))
