"""Links in Markdown of our own, texts of others in it, and going to another page after an event."""

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

import gradio as gr

from clinicnum.annotations.report.markdown import escaped

GO = "(path) => { if (path.startsWith('/')) window.location.assign(path); }"

_ADDRESS = re.compile(r"[:@]|(?<=www)\.", re.IGNORECASE)


def plain(text: str) -> str:
    """A text in Markdown, shown as it is: no markup of it is run, and no address in it becomes a link."""
    return _ADDRESS.sub(lambda sign: f"\\{sign[0]}", escaped(text))


def link(text: str, path: str, **query: object) -> str:
    """A link of Markdown; `text` is shown as it is, whatever it holds."""
    return f"[{plain(text)}]({path}{'?' + urlencode(query) if query else ''})"


def bullets(lines: Iterable[str]) -> str:
    """A list in Markdown of lines of Markdown."""
    return "\n".join(f"- {one}" for one in lines)


def destination() -> gr.Textbox:
    """Takes the path of a page that an event leads to."""
    return gr.Textbox(visible="hidden", show_label=False, container=False)


def follow(event: Any, path: gr.Textbox) -> None:
    """Once the event has succeeded, go to the path that it put there; an empty one leads nowhere."""
    event.success(None, [path], None, js=GO, api_visibility="private", queue=False, show_progress="hidden")
