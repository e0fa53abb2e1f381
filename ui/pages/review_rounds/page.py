"""The review rounds page: open rounds, invite experts, view ratings and comments, accept or return."""

from functools import partial
from typing import Any

import gradio as gr

from clinicnum.annotations.curation.template_acceptance import NEEDED
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.review import review_panels, review_rounds, reviewable_versions
from clinicnum.db.work.review import review_rounds_for_curators as curated
from clinicnum.db.work.review.automatic_checks import checks_of_round
from clinicnum.db.work.review.review_queries import find_curator, find_round
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.gradio_page import (
    EVERY_TIME,
    Outputs,
    data_table,
    error_message,
    gradio_page,
    listen,
    status_line,
    success_message,
    validated,
)
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.review_rounds import view
from clinicnum.ui.pages.review_rounds.details_panel import details_panel, details_values
from clinicnum.ui.pages.review_rounds.event_inputs import NewRoundInputs, RoundInputs, version_key


class RoundsHandlers:
    """The page's events; the middleware has checked the right, and each step checks it again.

    Not async: drawing instances and running trials happen in a worker thread, outside write transactions.
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self, request: gr.Request) -> Outputs:
        """Show all rounds and the versions waiting for one; open the round or version named in the URL."""
        asked, error = request.query_params, ""
        key, tab = asked.get("round"), gr.skip()
        detail, planned = details_values(None), _no_plan()
        listed, waiting = self._rounds(request, None), self._waiting("")
        if not listed[0]["visible"]:
            error = str(note(_(view.NO_ROUND)))
        known = [value for _label, value in listed[1]["choices"]]
        try:
            if key in known:
                detail, listed = self._round(key, request), self._rounds(request, key)
            elif key is not None:
                error = view.no_such_round(key)
            if "template" in asked:
                version = version_key(asked["template"][:200], asked.get("version", ""))
                planned, tab = self._planned(version, request), gr.update(selected="new")
        except ClinicnumError as refused:
            error = error_message(refused)
        return error, tab, *listed, *detail, *waiting, *planned

    def select_round(self, request: gr.Request, selected: gr.SelectData) -> Outputs:
        """Show the round of the clicked row."""
        row = selected.row_value
        with self.store.reading() as session:
            found = curated.list_rounds(session)
        names = (
            [
                one.round_id
                for one, cells in zip(found, view.round_rows(found), strict=True)
                if cells[:3] == row[:3]
            ]
            if isinstance(row, list)
            else []
        )
        if not names:
            raise InputError(Translatable("That is not among the rounds any more; load the page again."))
        return "", names[0], *self._round(names[0], request)

    def open_round(self, request: gr.Request, key: object) -> Outputs:
        """Show the round chosen in the dropdown; an empty choice hides the details."""
        detail = (
            details_values(None) if key is None else self._round(RoundInputs.from_key(key).round, request)
        )
        return "", *detail

    def find(self, request: gr.Request, text: object) -> Outputs:
        """Find unreviewed versions that contain all the words; without words, those waiting for review."""
        self._check(request)
        return "", *self._waiting(validated(RoundInputs, text=text).text.strip())

    def select_version(self, request: gr.Request, selected: gr.SelectData) -> Outputs:
        """Select the version of the clicked row."""
        row = selected.row_value
        key = version_key(row[0], row[1]) if isinstance(row, list) and len(row) > 1 else None
        return "", *self._planned(key, request)

    def choose_version(self, request: gr.Request, key: object) -> Outputs:
        """Select the version chosen in the dropdown."""
        return "", *(_no_plan() if key is None else self._planned(key, request))

    def choose_experts(self, experts: object) -> Outputs:
        """Report whether the number of chosen experts suffices for a panel."""
        chosen = validated(NewRoundInputs, experts=experts).experts
        return "", view.panel_size(len(chosen)), gr.update(interactive=len(chosen) in NEEDED)

    def start(self, request: gr.Request, key: object, experts: object) -> Outputs:
        """Open a round and invite its experts."""
        of = NewRoundInputs.from_key(key, experts)
        asked: dict[str, Any] = {"template_id": of.template, "version": of.version, "experts": of.experts}
        self._check(request)
        with self.store.reading() as session:
            planned = review_rounds.plan_round(session, **asked)
        with self.store.writing() as session:
            made = review_rounds.open_round(session, **asked, actor=str(request.username), planned=planned)
        message = success_message(_("The round is open: {n} experts are invited.", n=len(of.experts)))
        opened = *self._rounds(request, made), *self._round(made, request)
        return message, gr.update(selected="rounds"), *opened, *self._waiting(""), *_no_plan()

    def invite(self, request: gr.Request, key: object, expert: object) -> Outputs:
        """Invite one more expert."""
        of = RoundInputs.from_key(key, expert=expert)
        with self.store.writing() as session:
            review_panels.invite(session, round_id=of.round, actor=str(request.username), expert=of.expert)
        return self._changed(_("{name} is invited.", name=of.expert), of, request)

    def withdraw(self, request: gr.Request, key: object, expert: object) -> Outputs:
        """Withdraw an invitation for this round."""
        of = RoundInputs.from_key(key, expert=expert)
        with self.store.writing() as session:
            review_panels.withdraw(session, round_id=of.round, actor=str(request.username), expert=of.expert)
        return self._changed(
            _("The invitation of {name} is withdrawn for this round.", name=of.expert), of, request
        )

    def reply(self, request: gr.Request, key: object, comment: object, text: object) -> Outputs:
        """Reply to a comment. Clears the field."""
        of = RoundInputs.from_key(key, comment=comment, text=text)
        with self.store.writing() as session:
            review_rounds.reply(
                session, round_id=of.round, actor=str(request.username), comment=of.comment, text=of.text
            )
        return *self._changed(_("The reply is saved."), of, request), ""

    def ask(self) -> Outputs:
        """Ask for confirmation before a version is accepted."""
        return "", gr.update(visible=True), gr.update(visible=False)

    def cancel(self) -> Outputs:
        """Hide the confirmation without accepting."""
        return "", gr.update(visible=False), gr.update(visible=True)

    def accept(self, request: gr.Request, key: object) -> Outputs:
        """Accept the version and close the round."""
        return self._close(RoundInputs.from_key(key), request, accept=True)

    def give_back(self, request: gr.Request, key: object, reason: object) -> Outputs:
        """Return the version for revision and close the round. Clears the field."""
        return *self._close(RoundInputs.from_key(key, text=reason), request, accept=False), ""

    def _close(self, of: RoundInputs, request: gr.Request, *, accept: bool) -> Outputs:
        self._check(request)
        with self.store.reading() as session:
            row = find_round(session, of.round)
        trial = checks_of_round(self.store.reading, of.round)
        with self.store.writing() as session:
            asked: dict[str, Any] = {"round_id": of.round, "accept": accept, "reason": of.text}
            review_rounds.close_round(session, **asked, trial=trial, actor=str(request.username))
        title = view.version_title(row.template_id, row.version)
        told = _("{title} is validated.", title=title) if accept else _("{title} is returned.", title=title)
        return self._changed(told, of, request)

    def _changed(self, told: str, of: RoundInputs, request: gr.Request) -> Outputs:
        return success_message(told), *self._rounds(request, of.round), *self._round(of.round, request)

    def _check(self, request: gr.Request) -> None:
        with self.store.reading() as session:
            find_curator(session, str(request.username))

    def _rounds(self, request: gr.Request, chosen: str | None) -> tuple[Any, ...]:
        """Values for the table of rounds and the round dropdown."""
        self._check(request)
        with self.store.reading() as session:
            found = curated.list_rounds(session)
        label, some = _("Rounds: {n}", n=len(found)), bool(found)
        return (
            gr.update(value=view.round_rows(found), label=label, visible=some),
            gr.update(choices=view.round_choices(found), value=chosen, visible=some),
        )

    def _round(self, key: str, request: gr.Request) -> tuple[Any, ...]:
        """Values for the details of one round."""
        self._check(request)
        with self.store.reading() as session:
            row = find_round(session, key)
        trial = checks_of_round(self.store.reading, key)
        with self.store.reading() as session:
            found = curated.load_round(session, round_id=key, viewer=str(request.username), trial=trial)
            people = reviewable_versions.reviewer_candidates(
                session, template_id=row.template_id, version=row.version
            )
        return details_values(found, people)

    def _waiting(self, text: str) -> tuple[Any, ...]:
        """Values for the table and dropdown of reviewable versions."""
        with self.store.reading() as session:
            search = reviewable_versions.find_reviewable
            found = search(session, text) if text else reviewable_versions.waiting_versions(session)
            label = view.reviewable_label(found, text, reviewable_versions.count_unreviewed(session))
        rows = view.reviewable_rows(found)
        keys = [
            (view.version_title(one.template_id, one.version), version_key(one.template_id, one.version))
            for one in found
        ]
        return gr.update(value=rows, label=label), gr.update(choices=keys)

    def _planned(self, key: object, request: gr.Request) -> tuple[Any, ...]:
        """Values for choosing the experts of a new round."""
        of = NewRoundInputs.from_key(key)
        self._check(request)
        with self.store.reading() as session:
            people = reviewable_versions.reviewer_candidates(
                session, template_id=of.template, version=of.version
            )
        eligible, others = view.eligible(people), view.candidate_rows(people)
        return (
            gr.update(value=key),
            gr.update(visible=True),
            gr.update(choices=eligible, value=[], info=None if people else _(view.NO_EXPERT)),
            gr.update(value=others, visible=bool(others)),
            view.panel_size(0),
            gr.update(interactive=False),
        )


def _no_plan() -> tuple[Any, ...]:
    """Values when no version is chosen."""
    return gr.update(value=None), gr.update(visible=False), *[gr.skip()] * 4


def build_rounds(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `curate`."""
    handlers = RoundsHandlers(store)
    with gradio_page(_("Reviews"), "/rounds", navbar) as page:
        status = status_line()
        on = partial(listen, status=status)
        with gr.Tabs() as tabs:
            with gr.Tab(_("Rounds"), id="rounds"):
                table = data_table(view.ROUNDS, elem_id="rounds", explains=None)
                chosen = gr.Dropdown([], label=_("Round"), info=_("Or click a row of the table."))
                details = details_panel()
                with details.confirmation, gr.Row():
                    cancel = gr.Button(_("Cancel"))
                    sure = gr.Button(_("Accept the version"), variant="primary")
            with gr.Tab(_("New round"), id="new"):
                waiting, version, plan = _new_round(handlers, on)
        panel, people, others, told, start = plan
        rounds, planned = [table, chosen, *details.outputs], [version, panel, people, others, told, start]
        on(page.load, handlers.load, outputs=[tabs, *rounds, waiting, version, *planned])
        on(table.select, handlers.select_round, outputs=[chosen, *details.outputs], trigger_mode=EVERY_TIME)
        on(chosen.input, handlers.open_round, [chosen], details.outputs, trigger_mode=EVERY_TIME)
        on(start.click, handlers.start, [version, people], [tabs, *rounds, waiting, version, *planned])
        on(details.invite.click, handlers.invite, [chosen, details.invited], rounds)
        on(details.withdraw.click, handlers.withdraw, [chosen, details.withdrawn], rounds)
        replied = [chosen, details.comment, details.reply]
        on(details.send.click, handlers.reply, replied, [*rounds, details.reply])
        on(details.accept.click, handlers.ask, outputs=[details.confirmation, details.accept])
        on(cancel.click, handlers.cancel, outputs=[details.confirmation, details.accept])
        on(sure.click, handlers.accept, [chosen], rounds)
        on(details.give_back.click, handlers.give_back, [chosen, details.reason], [*rounds, details.reason])
    return page


def _new_round(handlers: RoundsHandlers, on: Any) -> tuple[gr.Dataframe, gr.Dropdown, list[Any]]:
    """Create the components for a new round: version table, version dropdown and expert form."""
    gr.Markdown(_(view.BLIND))
    with gr.Row():
        text = gr.Textbox(
            label=_("Search unreviewed templates"), info=_("Words of id, tags or wording"), max_length=200
        )
        find = gr.Button(_("Search"), scale=0, min_width=120)
    waiting = data_table(
        view.REVIEWABLE, column_widths=view.REVIEWABLE_WIDTHS, elem_id="waiting", explains=None
    )
    version = gr.Dropdown([], label=_("Template version"), info=_("Or click a row of the table."))
    with gr.Column(visible=False, elem_id="plan") as panel:
        people = gr.CheckboxGroup([], label=_("Experts"))
        others = data_table(view.CANDIDATES, label=_("Cannot review it"), explains=None)
        told = gr.Markdown()
        start = gr.Button(_("Open the round"), variant="primary", interactive=False)
    plan = [panel, people, others, told, start]
    searches = partial(gr.on, [find.click, text.submit])
    on(searches, handlers.find, [text], [waiting, version], trigger_mode=EVERY_TIME)
    on(waiting.select, handlers.select_version, outputs=[version, *plan], trigger_mode=EVERY_TIME)
    on(version.input, handlers.choose_version, [version], [version, *plan], trigger_mode=EVERY_TIME)
    on(people.input, handlers.choose_experts, [people], [told, start], trigger_mode=EVERY_TIME)
    return waiting, version, plan
