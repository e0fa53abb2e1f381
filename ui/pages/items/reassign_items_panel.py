"""Return items to the pool or give them to an annotator, after confirming how many."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import gradio as gr

from clinicnum.db.database_sessions import Store
from clinicnum.db.work.annotation import reassign_items
from clinicnum.ui.components.confirmation import Confirmation
from clinicnum.ui.components.gradio_page import Outputs, listen, success_message, validated
from clinicnum.ui.components.language import _
from clinicnum.ui.pages.items import reassignment_wording, view
from clinicnum.ui.pages.items.details_panel import no_details
from clinicnum.ui.pages.items.event_inputs import RequestedMove, RequestedView, read_filters


class MoveHandlers:
    """The panel's events; `listed` returns the list's new values after a move."""

    def __init__(self, store: Store, listed: Callable[[RequestedView, str], Outputs]) -> None:
        self.store, self.listed = store, listed

    def ask_requeue(
        self,
        study: object,
        state: object,
        template: object,
        annotator: object,
        differ: object,
        search: object,
        order: object,
        scope: object,
        chosen: object,
        request: gr.Request,
    ) -> Outputs:
        """Ask before items are put back, naming how many."""
        asked = read_filters((study, state, template, annotator, differ, search, order))
        wanted = validated(RequestedMove, scope=scope, chosen=chosen)
        count = self._count("requeue", asked, wanted, request)
        return "", count, gr.update(visible=True), reassignment_wording.requeue_warning(count)

    def ask_reassign(
        self,
        study: object,
        state: object,
        template: object,
        annotator: object,
        differ: object,
        search: object,
        order: object,
        scope: object,
        chosen: object,
        to: object,
        request: gr.Request,
    ) -> Outputs:
        """Ask before items are given to an annotator, naming how many."""
        asked = read_filters((study, state, template, annotator, differ, search, order))
        wanted = validated(RequestedMove, scope=scope, chosen=chosen, to=to)
        named = wanted.named()
        count = self._count("reassign", asked, wanted, request)
        return "", count, gr.update(visible=True), reassignment_wording.reassign_warning(count, named)

    def _count(
        self, move: reassign_items.Move, asked: RequestedView, wanted: RequestedMove, request: gr.Request
    ) -> int:
        with self.store.reading() as session:
            return reassign_items.count_moves(
                session, user_id=str(request.username), move=move, chosen=_selection(asked, wanted)
            )

    def requeue(
        self,
        study: object,
        state: object,
        template: object,
        annotator: object,
        differ: object,
        search: object,
        order: object,
        scope: object,
        chosen: object,
        expected: object,
        request: gr.Request,
    ) -> Outputs:
        """Put items back, after confirmation."""
        asked = read_filters((study, state, template, annotator, differ, search, order))
        wanted = validated(RequestedMove, scope=scope, chosen=chosen, expected=expected)
        actor = str(request.username)
        with self.store.writing() as session:
            moved = reassign_items.requeue(
                session, actor=actor, chosen=_selection(asked, wanted), expected=wanted.expected
            )
        return (
            success_message(reassignment_wording.requeued(moved)),
            *self.listed(asked, actor),
            *no_details(),
        )

    def reassign(
        self,
        study: object,
        state: object,
        template: object,
        annotator: object,
        differ: object,
        search: object,
        order: object,
        scope: object,
        chosen: object,
        to: object,
        expected: object,
        request: gr.Request,
    ) -> Outputs:
        """Give items to an annotator, after confirmation."""
        asked = read_filters((study, state, template, annotator, differ, search, order))
        wanted = validated(RequestedMove, scope=scope, chosen=chosen, to=to, expected=expected)
        actor = str(request.username)
        with self.store.writing() as session:
            moved = reassign_items.reassign(
                session,
                actor=actor,
                chosen=_selection(asked, wanted),
                to=wanted.named(),
                expected=wanted.expected,
            )
        told = success_message(reassignment_wording.reassigned(moved, wanted.to))
        return told, *self.listed(asked, actor), *no_details()


def _selection(asked: RequestedView, wanted: RequestedMove) -> reassign_items.Selection:
    return reassign_items.Selection(asked.query(), wanted.items())


class MovePanel:
    """Which items to move, and the two actions with their confirmations."""

    def __init__(self) -> None:
        with gr.Accordion(_("Put back or give to an annotator"), open=False, visible=False) as panel:
            self.scope = gr.Radio(view.scope_choices(), value="chosen", label=_("Which items"))
            self.chosen = gr.Dropdown([], multiselect=True, label=_("Chosen items"), info=_(view.CHOOSE))
            with gr.Row():
                self.put_back = gr.Button(_("Put back to the pool"))
                self.to = gr.Dropdown([], label=_("Annotator who gets them"))
                self.give = gr.Button(_("Give to this annotator"))
            self.counted = gr.Number(0, visible="hidden", precision=0)
            self.putting = Confirmation(_("Put them back"), _("Leave them"))
            self.giving = Confirmation(_("Give them"), _("Leave as they are"))
        self.outputs = [self.chosen, self.to, panel]

    def listen(
        self, handlers: MoveHandlers, status: gr.HTML, filters: Sequence[Any], shown: Sequence[Any]
    ) -> None:
        """Register the handlers; `shown` are the outputs of the list and of the details."""
        on = partial(listen, status=status)
        asked, counted = [*filters, self.scope, self.chosen], self.counted
        asking = on(self.put_back.click, handlers.ask_requeue, asked, [counted, *self.putting.outputs])
        self.putting.focus_after(asking)
        self.putting.on_confirm(on, handlers.requeue, [*asked, counted], shown)
        asked.append(self.to)
        asking = on(self.give.click, handlers.ask_reassign, asked, [counted, *self.giving.outputs])
        self.giving.focus_after(asking)
        self.giving.on_confirm(on, handlers.reassign, [*asked, counted], shown)
