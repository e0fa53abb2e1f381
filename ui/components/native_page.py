"""A page of Gradio's own components: its frame, and events that show what went wrong in the page itself."""

import functools
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import gradio as gr
from pydantic import BaseModel, ValidationError

from clinicnum.errors import ClinicnumError, InputError, Unavailable
from clinicnum.io.jsonl import first_problem
from clinicnum.ui.components.error_log import apology, log_error, to_stderr
from clinicnum.ui.components.html import note
from clinicnum.ui.components.navbar import Navbar

Answer = tuple[Any, ...]
"""What a handler returns: the message for the status line ("" for none), then one value for each output."""
T = TypeVar("T", bound=BaseModel)
_UNANSWERED = {
    401: "You are logged out. Log in again in another tab, then try once more here.",
    403: "This page is not open to you any more. Reload it to see what is.",
    503: "The database cannot be reached just now. Try again in a minute; what you saved before is kept.",
}
_REFUSED = "This was not done. Reload the page to see how things stand, and try again."
# Gradio's client shows no message of an event outside its queue: the page asks why, and says it itself.
_EXPLAIN_FAILURE = f"""async () => {{
    const notes = {json.dumps({code: note(text, "bad") for code, text in _UNANSWERED.items()})};
    const answer = await fetch("gradio_api/app_id").catch(() => null);
    return notes[answer?.status] ?? {json.dumps(note(_REFUSED, "bad"))};
}}"""


@contextmanager
def native_page(title: str, path: str, navbar: Navbar) -> Iterator[gr.Blocks]:
    """The page with navigation and heading; what is made inside stands below them."""
    with gr.Blocks(title=f"{title} · clinicnum", analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, path)
        with gr.Column(elem_classes="cn-content"):
            gr.Markdown(f"# {title}")
            yield page


def status_line() -> gr.HTML:
    """Where the events of a page, or of one of its forms, say what they did."""
    return gr.HTML("", padding=False, apply_default_css=False, elem_classes="cn-status")


def data_table(columns: Sequence[str] = (), **more: Any) -> gr.Dataframe:
    """A table to be read, not written in; its cells are set as text. Its value may name other columns."""
    return gr.Dataframe(headers=list(columns) or None, interactive=False, wrap=True, **more)


def keep_address(names: Sequence[str]) -> str:
    """Script for an event whose first inputs are the parameters `names` of the page's address, so that the
    view that it shows can be linked to; it passes the inputs on."""
    return (
        f"(...values) => {{ const query = new URLSearchParams(); {json.dumps(names)}.forEach((name, at) => "
        "{ if (values[at]) query.set(name, values[at]); }); "
        "history.replaceState(null, '', `${location.pathname}?${query}`); return values; }"
    )


def listen(
    trigger: Callable[..., Any],
    handler: Callable[..., Answer],
    inputs: Sequence[gr.components.Component] = (),
    outputs: Sequence[gr.components.Component | gr.blocks.BlockContext] = (),
    *,
    status: gr.HTML,
    **more: Any,
) -> Any:
    """Call `handler` when `trigger` (`button.click`, `page.load`) fires; return Gradio's dependency.

    The handler gets the inputs' values as the browser sent them, unconverted and unchecked
    (`checked` checks them), and a `gr.Request` if it asks for one.
    """
    event = trigger(
        answering(handler, len(outputs)),
        list(inputs),
        [status, *outputs],
        api_name=handler.__name__,
        api_visibility="private",
        api_description=False,
        queue=False,
        # A choice or number that is not offered is refused by the handler, in its own words.
        preprocess=False,
        **{"show_progress": "minimal", **more},
    )
    event.failure(None, None, [status], js=_EXPLAIN_FAILURE, api_visibility="private", queue=False)
    return event


def answering(handler: Callable[..., Answer], outputs: int) -> Callable[..., Answer]:
    """The handler, with an error as a message that leaves all outputs as they are."""

    @functools.wraps(handler)
    def answer(*values: Any) -> Answer:
        try:
            return handler(*values)
        except ClinicnumError as error:
            if isinstance(error, Unavailable):
                to_stderr({"unavailable": error.kind, "where": error.where})
            message = failed(error)
        except Exception as error:  # noqa: BLE001  whatever it was becomes an answer
            message = str(note(apology(log_error(error)), "bad"))
        return (message, *(gr.skip() for _ in range(outputs)))

    return answer


def done(text: str) -> str:
    """The message of something that was done."""
    return str(note(text, "good"))


def failed(error: ClinicnumError) -> str:
    """The message of something that was not done, and why."""
    text = str(error)
    return str(note(text[:1].upper() + text[1:], "bad"))


def checked(kind: type[T], /, **values: Any) -> T:
    """The values of a form; one that is None counts as not given.

    Raises InputError that names the first field that is not as it should be.
    """
    try:
        return kind.model_validate({name: value for name, value in values.items() if value is not None})
    except ValidationError as error:
        raise InputError(f"Nothing was changed: {first_problem(error)}. Correct it and try again.") from error
