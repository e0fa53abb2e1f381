"""The runs page: what models answered, how right it was, and which studies use it."""

from typing import Any

import gradio as gr
from pydantic import Field

from clinicnum.errors import ClinicnumError
from clinicnum.types import Frozen
from db.store import Store
from db.work import runs
from ui.messages import Reply, parse
from ui.shell import Shell
from ui.static_files import script
from ui.views import framed, note
from ui.views_runs import accuracy_view, run_names, runs_view


class Message(Frozen):
    """What the page sends: a run by the name that it shows."""

    run: str = Field(max_length=500)


class RunsHandlers:
    """The page's events. Not async: the accuracy of a large run belongs in a thread."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self) -> tuple[Reply, str, str]:
        """All runs, those to choose from, and the accuracy of the first."""
        with self.store.reading() as session:
            found = runs.list_runs(session)
        names = list(run_names(found))
        choice, accuracy = self._show(names[0]) if names else ({"names": [], "chosen": None}, "")
        return choice, framed(runs_view(found)), accuracy

    def show(self, payload: Any) -> tuple[Any, str]:
        """The accuracy of the chosen run."""
        try:
            return self._show(parse(Message, payload).run)
        except ClinicnumError as error:
            return gr.skip(), framed(note(str(error), "bad"))

    def _show(self, name: str) -> tuple[Reply, str]:
        with self.store.reading() as session:
            names = run_names(runs.list_runs(session))
            accuracy = runs.run_accuracy(session, run=names.get(name, name))
        return {"names": list(names), "chosen": name}, framed(accuracy_view(name, accuracy))


def build_runs(*, store: Store, shell: Shell) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `manage_studies`."""
    handlers = RunsHandlers(store)
    quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
    with gr.Blocks(title="Runs · clinicnum", analytics_enabled=False, fill_width=True) as page:
        shell.navigation(page, "/runs")
        gr.HTML('<div class="cn-page"><h1>Runs</h1></div>', apply_default_css=False)
        listed = gr.HTML("", apply_default_css=False, elem_id="runs")
        choice = gr.HTML(
            value={},
            html_template='<div class="cn-page">'
            '<div class="cn-choose" role="group" aria-label="Run"></div>'
            '<div class="st-message" role="status"></div></div>',
            js_on_load=script("dom.js", "runs.js"),
            apply_default_css=False,
        )
        accuracy = gr.HTML("", apply_default_css=False, elem_id="accuracy")
        page.load(handlers.load, None, [choice, listed, accuracy], **quiet)
        choice.select(handlers.show, choice, [choice, accuracy], **quiet)
    return page
