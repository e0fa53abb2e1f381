"""The runs page: what models answered, how right it was, and which studies use it."""

from collections.abc import Sequence
from typing import Any

import gradio as gr
from pydantic import Field

from clinicnum.annotations.study_summary import RunSummary
from clinicnum.db.sessions import Store
from clinicnum.db.work.runs import stored_runs
from clinicnum.errors import ClinicnumError
from clinicnum.types import Frozen
from clinicnum.ui.components.html import framed, note
from clinicnum.ui.components.messages import Reply, parse
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.components.static_files import script
from clinicnum.ui.pages.runs.view import accuracy_view, run_names, runs_view


class Message(Frozen):
    """What the page sends: the row id of a run. Its name comes from a file and may have any length."""

    run: str = Field(max_length=200)


class RunsHandlers:
    """The page's events. Not async: the accuracy of a large run belongs in a thread."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self) -> tuple[Reply, str, str]:
        """All runs, those to choose from, and the accuracy of the first."""
        with self.store.reading() as session:
            found = stored_runs.list_runs(session)
        choice, accuracy = self._show(found[0].run) if found else (_choice(found, None), "")
        return choice, framed(runs_view(found)), accuracy

    def show(self, payload: Any) -> tuple[Reply, str]:
        """The accuracy of the chosen run."""
        try:
            return self._show(parse(Message, payload).run)
        except ClinicnumError as error:
            # An answer all the same: without one the page would wait on.
            with self.store.reading() as session:
                return _choice(stored_runs.list_runs(session), None), framed(note(str(error), "bad"))

    def _show(self, run: str) -> tuple[Reply, str]:
        with self.store.reading() as session:
            found = stored_runs.list_runs(session)
            accuracy = stored_runs.run_accuracy(session, run=run)
        return _choice(found, run), framed(accuracy_view(run_names(found).get(run, run), accuracy))


def _choice(found: Sequence[RunSummary], chosen: str | None) -> Reply:
    return {"runs": [{"id": run, "name": name} for run, name in run_names(found).items()], "chosen": chosen}


def build_runs(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `manage_studies`."""
    handlers = RunsHandlers(store)
    quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
    with gr.Blocks(title="Runs · clinicnum", analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, "/runs")
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
