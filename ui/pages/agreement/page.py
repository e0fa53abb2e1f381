"""The agreement page: the very figures that `clinicnum agreement --study` prints, on this minute's labels.

Nothing the browser sends is trusted: a study is looked up by its name, a part by its key, each time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

import gradio as gr
from markupsafe import Markup

from clinicnum.annotations.consensus import PROTOCOLS, Protocol, asked_protocol
from clinicnum.annotations.reliability.planner import Plan, plan
from clinicnum.annotations.reliability.precision_outlook import WANTED, PrecisionOutlook, outlook
from clinicnum.annotations.report.labels_view import LabelsView, settled_by
from clinicnum.annotations.report.sections.planner import COEFFICIENT
from clinicnum.annotations.report.sections.remarks import asked
from clinicnum.annotations.report.sections.settled import NAMES
from clinicnum.db.sessions import Store
from clinicnum.db.work.studies.live_agreement import (
    StudyState,
    check_seen,
    count_saved,
    load_labels,
    study_names,
    study_state,
)
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.ui.components.html import framed, note
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.agreement.parts import PARTS, WITH_EVERY_REVISION, consensus_part, planner_part
from clinicnum.ui.pages.agreement.view import layers_view, look_view, simulated_note

STATIC = Path(__file__).parents[2] / "static"
PLANNER, CONSENSUS = "planner", "consensus"
"""Parts that take something: a half-width, a protocol."""
KEPT = 4
Choice = dict[str, Any]
Halves = tuple[str, str]
"""What one look tells, and the layers."""
LAYER_QUESTIONS = {
    "item_judgement": "item",
    "response_judgement": "response",
    "response_after_gold": "response",
    "primary": "primary",
}
"""Layers on all items that the planner can simulate, and what they ask."""


def outlooks_of(view: LabelsView) -> tuple[PrecisionOutlook, ...]:
    """What each layer lacks to the wanted half-width."""
    questions = {one.name: one for one in asked(view)}
    made = []
    for layer in view.plain.layers:
        name = LAYER_QUESTIONS.get(layer.name)
        simulate = None if name is None else partial(_plan, view, questions[name].categories, layer.name)
        made.append(outlook(layer, plan=simulate))
    return tuple(made)


def _plan(view: LabelsView, categories: tuple[str, ...], layer: str) -> Plan:
    first = layer == "response_judgement"
    (made,) = plan(
        view.first_responses if first else view.ballots[LAYER_QUESTIONS[layer]],
        coefficient=COEFFICIENT,
        categories=categories,
        subjects=view.subjects,
        wanted=(WANTED,),
        annotators=(max(view.tables.overlap, 2),),
    )
    return made


@dataclass
class Shelf:
    """The last pages made, by study and number of saved annotations: rows are only added, so both say all."""

    pages: dict[tuple[str, int], Halves] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def find(self, key: tuple[str, int]) -> Halves | None:
        with self.lock:
            return self.pages.get(key)

    def keep(self, key: tuple[str, int], page: Halves) -> None:
        with self.lock:
            self.pages[key] = page
            while len(self.pages) > KEPT:
                del self.pages[next(iter(self.pages))]


def _chosen(choice: object) -> str:
    """The name of the study that a page asks for. Raises InputError if it names none."""
    name = choice.get("chosen") if isinstance(choice, Mapping) else None
    if not isinstance(name, str) or not name:
        raise InputError("No study is chosen; choose one.")
    return name


def _half_width(asked_for: Mapping[str, Any]) -> float:
    value = asked_for.get("half_width")
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.005 <= value <= 0.5:
        raise InputError("The half-width cannot be used; expected a number from 0.005 to 0.5, such as 0.05.")
    return float(value)


def _protocol(asked_for: Mapping[str, Any]) -> Protocol | None:
    """The consensus that a page asks for; empty: the one that reports rest on."""
    name = asked_for.get("consensus")
    if name is not None and not isinstance(name, str):
        raise InputError(f"The consensus cannot be used; expected one of {', '.join(PROTOCOLS)}.")
    return asked_protocol(name or None)


class AgreementHandlers:
    """The page's events. Not async: the figures of a large study belong in a thread."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.shelf = Shelf()

    def load(self, request: gr.Request) -> tuple[Choice, str, str]:
        """The studies to choose from, and the figures of the first of them."""
        with self.store.reading() as session:
            names = study_names(session, user_id=str(request.username))
        if not names:
            empty = framed(note("No study yet: `clinicnum study create` makes one."))
            return {"studies": [], "chosen": None, "saved": 0}, empty, ""
        return self.refresh({"chosen": names[0][0]}, request)

    def show(self, choice: Choice | None, request: gr.Request) -> tuple[Choice, str, str, Choice, str]:
        """The figures of another study; what was shown of the one before goes."""
        return (*self.refresh(choice, request), {"shown": None}, "")

    def refresh(self, choice: Choice | None, request: gr.Request) -> tuple[Choice, str, str]:
        """The figures of the chosen study as they are now."""
        with self.store.reading() as session:
            known = study_names(session, user_id=str(request.username))
            names = [{"name": name, "status": status} for name, status in known]
            try:
                study = _chosen(choice)
                check_seen(session, study, user_id=str(request.username))
                state = study_state(session, study)
                key = (f"{state.study_id} {state.status}", state.saved)
                page = self.shelf.find(key)
                if page is None:
                    page = _page(state, load_labels(session, study))
                    self.shelf.keep(key, page)
            except ClinicnumError as error:
                refused = framed(note(str(error), "bad"))
                return {"studies": names, "chosen": None, "saved": 0}, refused, ""
        return {"studies": names, "chosen": state.name, "saved": state.saved}, *page

    def check(self, choice: Choice | None, request: gr.Request) -> Choice:
        """Whether judgements were saved since: one count."""
        told = choice if isinstance(choice, dict) else {}
        told = {key: told[key] for key in ("studies", "chosen", "saved") if key in told}
        try:
            with self.store.reading() as session:
                study = _chosen(choice)
                check_seen(session, study, user_id=str(request.username))
                return {**told, "now": count_saved(session, study)}
        except ClinicnumError:
            return {**told, "now": None}

    def part(self, choice: Choice | None, wish: Choice | None, request: gr.Request) -> tuple[Choice, str]:
        """One part of what stands behind the figures."""
        wanted = wish if isinstance(wish, dict) else {}
        key = str(wanted.get("part"))
        try:
            study = _chosen(choice)
            if key not in (PLANNER, CONSENSUS, *PARTS):
                raise InputError("There is no such part; choose one of those shown.")
            width = _half_width(wanted) if key == PLANNER else 0.0
            protocol = _protocol(wanted) if key == CONSENSUS else None
            with self.store.reading() as session:
                check_seen(session, study, user_id=str(request.username))
                view = load_labels(session, study, every_revision=key in WITH_EVERY_REVISION)
            made = _made(settled_by(view, protocol), key, width)
            mark = simulated_note("simulated" in view.annotator_kind)
            return {"shown": key}, framed(mark + made)
        except ClinicnumError as error:
            return {"shown": key}, framed(note(str(error), "bad"))


def _made(view: LabelsView, key: str, width: float) -> Markup:
    if key == PLANNER:
        return planner_part(view, width)
    return consensus_part(view) if key == CONSENSUS else PARTS[key][1](view)


def _page(state: StudyState, view: LabelsView) -> Halves:
    simulated = "simulated" in view.annotator_kind
    return look_view(state.name, simulated, state, outlooks_of(view)), layers_view(view.plain)


def build_agreement(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `see_agreement`."""
    handlers = AgreementHandlers(store)
    quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
    plain: dict[str, Any] = {"apply_default_css": False}
    with gr.Blocks(title="Agreement · clinicnum", analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, "/agreement")
        studies = gr.HTML(
            value={},
            html_template='<div class="cn-page ag-head"></div>',
            js_on_load=(STATIC / "choose.js").read_text(encoding="utf-8"),
            **plain,
        )
        look = gr.HTML("", elem_id="look", js_on_load=None, **plain)
        parts = gr.HTML(
            value={},
            html_template='<div class="cn-page ag-parts"></div>',
            js_on_load=(STATIC / "agreement_parts.js").read_text(encoding="utf-8"),
            parts=[{"key": key, "title": title} for key, (title, _) in PARTS.items()],
            planner=PLANNER,
            consensus=CONSENSUS,
            protocols=[{"key": key, "title": NAMES[key]} for key in PROTOCOLS],
            **plain,
        )
        detail = gr.HTML("", elem_id="part", js_on_load=None, **plain)
        layers = gr.HTML("", elem_id="layers", js_on_load=None, **plain)
        page.load(handlers.load, None, [studies, look, layers], **quiet)
        studies.select(handlers.show, studies, [studies, look, layers, parts, detail], **quiet)
        studies.submit(handlers.refresh, studies, [studies, look, layers], **quiet)
        studies.input(handlers.check, studies, studies, **quiet)
        parts.select(handlers.part, [studies, parts], [parts, detail], **quiet)
    return page
