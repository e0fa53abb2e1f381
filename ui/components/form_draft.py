"""Keep what is typed into a form in the browser tab until it is stored, so that a reload does not lose it.

Once a request has found no server, Gradio waits for it and reloads the page, whose forms are then empty.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

import gradio as gr

from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.gradio_page import status_line
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _

RESTORED = Translatable(
    "The page was loaded again: you reloaded it, or the server was restarted or could not be reached for a "
    "moment. The form is as you left it; files must be chosen again. What you pressed last may not have been "
    "done: look, and press again."
)
_KEEP = """(...values) => {
    if (%(typed)s && !document.activeElement?.matches("input, textarea")) return;
    const fields = Object.fromEntries(%(names)s.map((name, at) => [name, values[at]]));
    const reader = document.querySelector(%(reader)s)?.textContent;
    sessionStorage.setItem(%(key)s, JSON.stringify({ reader, fields }));
}"""
# Whose page it is stands in the navigation bar, which Gradio fills while the page is loading.
_RESTORE = """async () => {
    const unchanged = { __type__: "update" };
    const draft = JSON.parse(sessionStorage.getItem(%(key)s) ?? "null");
    const navigated = performance.getEntriesByType("navigation")[0]?.type === "navigate";
    for (let wait = 0; draft && !navigated && wait < 100 && !document.querySelector(%(reader)s); wait++)
        await new Promise((done) => setTimeout(done, 50));
    if (!draft || navigated || document.querySelector(%(reader)s)?.textContent !== draft.reader) {
        sessionStorage.removeItem(%(key)s);
        return Array(%(outputs)s).fill(unchanged);
    }
    const values = %(names)s.map((name) => (name in draft.fields ? draft.fields[name] : unchanged));
    return [%(note)s, ...%(opened)s, ...values];
}"""
_RESTORED = "() => (sessionStorage.getItem(%(key)s) === null ? '' : 'restored')"
# The event may have changed fields, too, which are kept a moment later.
_FORGET = """async (status) => {
    if (status.includes("cn-bad")) return { __type__: "update" };
    await new Promise((done) => setTimeout(done, 200));
    sessionStorage.removeItem(%(key)s);
    return "";
}"""
_READER = ".cn-me a[href='/account']"
"""The element that names the person to whom the page is shown."""
_QUIET: dict[str, Any] = {"queue": False, "api_visibility": "private", "show_progress": "hidden"}


class FormDraft:
    """A form's draft in the browser tab, with a note on the page that says when the draft was brought back.

    The note stands where this object is created. A draft comes back when the tab loads the page again or goes
    back to it, to the same person only; it is dropped with the tab, and when the page is opened anew. Do not
    keep passwords or files in it.
    """

    def __init__(self, key: str, tabs: gr.Tabs | None = None, tab: str = "") -> None:
        """`key` names the form among all pages; a draft opens `tab`, an id among those of `tabs`."""
        self.key = f"draft {key}"
        self.note = status_line()
        self.restored = gr.Textbox("", visible="hidden", show_label=False, container=False)
        self.opened = [] if tabs is None else [(tabs, tab)]

    def listen(self, fields: Mapping[str, gr.components.Component], loaded: Callable[..., Any]) -> None:
        """Keep the fields, given by name, after every input, and bring them back when `loaded` fires, such as
        `page.load` or, after an event that fills the form, `event.then`.

        After that, `restored.change` fires, for fields that depend on others.
        """
        self.fields = fields
        names = list(fields)
        outputs = [self.note, *(tabs for tabs, _tab in self.opened), *fields.values()]
        opened = [{"__type__": "update", "selected": tab} for _tabs, tab in self.opened]
        # A text's `input` comes before the last letter is in it; `change` also comes of what an event sets.
        texts = [one for one in fields.values() if isinstance(one, gr.Textbox)]
        chosen = [one.input for one in fields.values() if one not in texts]
        gr.on([one.change for one in texts], **self._keep(typed=True))
        gr.on(chosen, **self._keep())
        values = {
            **{"key": self.key, "reader": _READER, "names": names, "outputs": len(outputs)},
            **{"note": str(note(_(RESTORED), "warn")), "opened": opened},
        }
        restoring = loaded(None, None, outputs, js=_script(_RESTORE, values), **_QUIET)
        restoring.then(None, None, [self.restored], js=_script(_RESTORED, values), **_QUIET)

    def keep_after(self, event: Any) -> None:
        """Keep the fields after an event that has changed one of them."""
        event.then(**self._keep())

    def forget_after(self, event: Any, status: gr.HTML) -> None:
        """Drop the draft after an event that has stored the form, unless its status line shows an error."""
        js = _script(_FORGET, {"key": self.key})
        event.success(None, [status], [self.note], js=js, **_QUIET)

    def _keep(self, *, typed: bool = False) -> dict[str, Any]:
        """Arguments of a Gradio event that keeps the fields in the browser tab.

        With `typed`, only while the focus is in a text field, so that what another event sets is not kept.
        """
        values = {"key": self.key, "reader": _READER, "names": list(self.fields), "typed": typed}
        return {"fn": None, "inputs": list(self.fields.values()), "js": _script(_KEEP, values), **_QUIET}


def _script(template: str, values: Mapping[str, Any]) -> str:
    """A JavaScript function with the values in it, as JSON."""
    return template % {name: json.dumps(value) for name, value in values.items()}
