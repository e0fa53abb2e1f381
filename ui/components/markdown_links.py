"""Markdown links and lists, escaping of untrusted text, and opening another page after an event."""

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

import gradio as gr

from clinicnum.annotations.escape_markdown import escaped

GO = "(path) => { if (path.startsWith('/')) window.location.assign(path); }"

_ADDRESS = re.compile(r"[:@]|(?<=www)\.", re.IGNORECASE)


def escape_markdown(text: str) -> str:
    """Escape a text for Markdown, so that markup is shown literally and URLs are not linked."""
    return _ADDRESS.sub(lambda sign: f"\\{sign[0]}", escaped(text))


def link(text: str, path: str, **query: object) -> str:
    """A Markdown link to `path` with the given query parameters; `text` is escaped."""
    return f"[{escape_markdown(text)}]({path}{'?' + urlencode(query) if query else ''})"


def bullets(lines: Iterable[str]) -> str:
    """A Markdown bullet list; each line is Markdown itself."""
    return "\n".join(f"- {one}" for one in lines)


def destination_field() -> gr.Textbox:
    """A hidden field for the path to open after an event; see `follow`."""
    return gr.Textbox(visible="hidden", show_label=False, container=False)


def follow(event: Any, path: gr.Textbox) -> None:
    """After `event` succeeds, open the path that it wrote to `path`; an empty path does nothing."""
    event.success(None, [path], None, js=GO, api_visibility="private", queue=False, show_progress="hidden")
