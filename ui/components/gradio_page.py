"""The layout of pages made of Gradio components, and events whose errors are shown in the page."""

import functools
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import gradio as gr
from pydantic import BaseModel, ValidationError

from clinicnum.errors import ClinicnumError, InputError, Unavailable
from clinicnum.io.form_problems import form_problem, labels_of
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.error_log import internal_error_message, log_error, to_stderr
from clinicnum.ui.components.figure_help import help_button
from clinicnum.ui.components.html import CONTENT_ID, capitalized, note
from clinicnum.ui.components.language import _, error_text
from clinicnum.ui.components.navbar import Navbar

Outputs = tuple[Any, ...]
"""The return value of a handler: the status line's message ("" for none), then one value per output."""
T = TypeVar("T", bound=BaseModel)
EVERY_TIME = "multiple"
"""`trigger_mode` of events that only show something. By default, Gradio drops a choice that is made while an
earlier one is still being answered."""
STUDY_BEFORE = """() => {
    const before = URL.canParse(document.referrer) ? new URL(document.referrer) : null;
    return [before?.origin === location.origin ? before.searchParams.get("study") ?? "" : ""];
}"""
"""JavaScript: the study in the address of the page from which one came here; empty if there is none."""
_UNANSWERED = {
    401: Translatable("You are logged out. Log in again in another tab, then try once more here."),
    403: Translatable("This page is not open to you any more. Reload it to see what is."),
    503: Translatable(
        "The database cannot be reached just now. Try again in a minute; what you saved before is kept."
    ),
}
_REFUSED = Translatable("This was not done. Reload the page to see how things stand, and try again.")


def _explain_failure() -> str:
    """JavaScript that says why an event failed.

    Gradio's client shows no error for unqueued events, so the page probes the server for the reason.
    """
    notes = {code: note(_(text), "bad") for code, text in _UNANSWERED.items()}
    return f"""async () => {{
    const notes = {json.dumps(notes)};
    const answer = await fetch("gradio_api/app_id").catch(() => null);
    return notes[answer?.status] ?? {json.dumps(note(_(_REFUSED), "bad"))};
}}"""


def page_title(title: str) -> str:
    """The title of a page's tab in the browser."""
    return f"{title} · clinicnum"


@contextmanager
def gradio_page(title: str, path: str, navbar: Navbar) -> Iterator[gr.Blocks]:
    """Create a page with navigation bar and heading; components created in the `with` block go below them."""
    with gr.Blocks(title=page_title(title), analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, path)
        with gr.Column(elem_id=CONTENT_ID, elem_classes="cn-content"):
            gr.Markdown(f"# {title}")
            yield page


def status_line() -> gr.HTML:
    """The line that shows the result message of the last event of a page or form."""
    return gr.HTML("", padding=False, apply_default_css=False, elem_classes="cn-status")


@contextmanager
def explained(key: str | None, place: object = "") -> Iterator[None]:
    """Put the `?` beside the figure that is created in the `with` block; none if `key` is None.

    It is seen only while the figure is.
    """
    if key is None:
        yield
        return
    with gr.Column(elem_classes="cn-figure", min_width=0):
        gr.HTML(
            str(help_button(key, place)), padding=False, apply_default_css=False, elem_classes="cn-help-line"
        )
        yield


def data_table(columns: Sequence[str] = (), *, explains: str | None, **more: Any) -> gr.Dataframe:
    """A read-only table whose cells are plain text; a value with `headers` replaces `columns`.

    The columns' headings are shown in the current language. `explains` is the key of the explanation behind
    the `?` beside it; None for a list without figures.
    """
    headers = [_(one) for one in columns] or None
    css = None if explains else "cn-list"
    with explained(explains, more.get("elem_id", "")):
        return gr.Dataframe(headers=headers, interactive=False, wrap=True, elem_classes=css, **more)


def keep_view_in_url(names: Sequence[str]) -> str:
    """JavaScript for an event that writes the current view into the URL, so that it can be linked to.

    It writes the event's first inputs into the query as the parameters `names`, and returns all inputs.
    """
    return (
        f"(...values) => {{ const query = new URLSearchParams(); {json.dumps(names)}.forEach((name, at) => "
        "{ if (values[at]) query.set(name, values[at]); }); "
        "history.replaceState(null, '', `${location.pathname}?${query}`); return values; }"
    )


def bring_into_view(event: Any, elem_id: str) -> None:
    """After `event`, successful or not, scroll this element into view; the keyboard focus stays."""
    look = f"document.getElementById({json.dumps(elem_id)})?.scrollIntoView({{ block: 'nearest' }})"
    # Once now and once when what the event brought has been drawn.
    js = f"() => {{ for (const wait of [50, 300]) setTimeout(() => {look}, wait); }}"
    event.then(None, None, None, js=js, queue=False, api_visibility="private", show_progress="hidden")


def listen(
    trigger: Callable[..., Any],
    handler: Callable[..., Outputs],
    inputs: Sequence[gr.components.Component] = (),
    outputs: Sequence[gr.components.Component | gr.blocks.BlockContext] = (),
    *,
    status: gr.HTML,
    refused: Outputs | None = None,
    **more: Any,
) -> Any:
    """Call `handler` when `trigger` (such as `button.click` or `page.load`) fires; return Gradio's event.

    After an error, the outputs get the values `refused`; None leaves them as they are.

    The handler gets the input values as the browser sent them, without Gradio's preprocessing or validation
    (use `validated`), and a `gr.Request` if it has a parameter of that type.
    """
    event = trigger(
        with_error_messages(handler, len(outputs), refused),
        list(inputs),
        [status, *outputs],
        api_name=handler.__name__,
        api_visibility="private",
        api_description=False,
        queue=False,
        # The handler validates choices and numbers itself, with its own error messages.
        preprocess=False,
        **{"show_progress": "minimal", **more},
    )
    event.failure(None, None, [status], js=_explain_failure(), api_visibility="private", queue=False)
    return event


def with_error_messages(
    handler: Callable[..., Outputs], outputs: int, refused: Outputs | None = None
) -> Callable[..., Outputs]:
    """Wrap `handler` so that an error becomes a status message, and all `outputs` get the values `refused`;
    None leaves them unchanged.
    """

    @functools.wraps(handler)
    def answer(*values: Any) -> Outputs:
        try:
            return handler(*values)
        except ClinicnumError as error:
            if isinstance(error, Unavailable):
                to_stderr({"unavailable": error.kind, "where": error.where})
            message = error_message(error)
        except Exception as error:  # noqa: BLE001  any unhandled error becomes a message
            message = str(note(internal_error_message(log_error(error)), "bad"))
        return (message, *([gr.skip()] * outputs if refused is None else refused))

    return answer


def success_message(text: str) -> str:
    """A success message for the status line, as HTML."""
    return str(note(text, "good"))


def error_message(error: ClinicnumError) -> str:
    """The error's message for the status line, as HTML, as a sentence."""
    return str(note(capitalized(error_text(error)), "bad"))


def validated(kind: type[T], /, **values: Any) -> T:
    """Validate form values with the model `kind`; None counts as not given.

    Raises InputError that names the first invalid field by its title, which is its label on the page.
    """
    try:
        return kind.model_validate({name: value for name, value in values.items() if value is not None})
    except ValidationError as error:
        problem = form_problem(error, labels_of(kind))
        raise InputError(Translatable("Nothing was changed: {problem}", problem=problem)) from error
