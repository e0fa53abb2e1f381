"""The bank page: search templates, view their statistics, begin a next version, retire a version."""

from functools import partial
from typing import Any

import gradio as gr
from pydantic import Field

from clinicnum.annotations.curation.bank_page_types import Text, VersionDetails, VersionSearch
from clinicnum.authoring.template_diff import difference
from clinicnum.authoring.template_trial import try_template
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.bank import browse_bank, template_health, template_versions
from clinicnum.db.work.drafts import from_failure
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
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
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.markdown_links import destination_field, follow
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.components.value_display_names import labelled
from clinicnum.ui.pages.bank import view
from clinicnum.ui.pages.bank.details_panel import details_panel, details_values

FIELDS = ("text", "tag", "operation", "status", "sort")
"""Fields of `VersionSearch` in the order of the page's inputs; `only` and the page number follow."""


class VersionReference(Frozen):
    """A template version named by the browser, with the arguments of the action on it."""

    template: Text = ""
    version: int = Field(default=0, ge=0, lt=2**31)
    before: int = Field(default=0, ge=0, lt=2**31)
    """The earlier version to compare `version` with."""
    reason: str = Field(default="", max_length=5000)

    @classmethod
    def from_key(cls, key: object, **more: object) -> "VersionReference":
        """Parse a key made by `version_key`. Raises InputError if it is not one."""
        template, number = key.rpartition(" ")[::2] if isinstance(key, str) else ("", "")
        if not template or not number.isascii() or not number.isdecimal():
            raise InputError(Translatable("Choose a template first."))
        return validated(cls, template=template, version=number[:12], **more)


def version_key(template_id: object, version: object) -> str:
    """The key by which the page refers to a version."""
    return f"{template_id} {version}"


class BankHandlers:
    """The page's events; the authorization middleware has already checked the right.

    Not async, so that counting and trials run in a worker thread.
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self, request: gr.Request) -> Outputs:
        """The first page of versions, and the version in the URL.

        Statistics are recounted right away if that is quick.
        """
        with self.store.reading() as session:
            stale = template_health.is_stale(session)
            cheap = stale and template_health.is_cheap(session)
        if cheap:
            self._recount()
        message = str(note(_(view.STALE), "warn")) if stale and not cheap else ""
        asked = request.query_params
        if "template" not in asked:
            return message, *self._listed(VersionSearch()), *details_values(None)
        try:
            version = VersionReference.from_key(
                version_key(asked["template"][:200], asked.get("version", "1"))
            )
            found = self._load(version)
        except ClinicnumError as error:
            return error_message(error), *self._listed(VersionSearch()), *details_values(None)
        return message, *self._listed(VersionSearch(), version), *details_values(found)

    def search(self, *values: object) -> Outputs:
        """The first page of search results."""
        return self.turn(*values, 1)

    def turn(self, *values: object) -> Outputs:
        """Another page of the search results."""
        return "", *self._listed(_search(values))

    def recount(self, *values: object) -> Outputs:
        """Recount and store the statistics of all versions, and show the list with them."""
        n = self._recount()
        said = ngettext(
            "Recounted: {n} version with instances or a trial.",
            "Recounted: {n} versions with instances or a trial.",
            n,
        )
        return success_message(said), *self._listed(_search(values))

    def select_row(self, selected: gr.SelectData) -> Outputs:
        """Show the version of the clicked row."""
        row = selected.row_value
        version = VersionReference.from_key(
            version_key(row[0], row[1]) if isinstance(row, list) and len(row) > 1 else None
        )
        return "", version_key(version.template, version.version), *details_values(self._load(version))

    def open_version(self, key: object) -> Outputs:
        """Show the version chosen in the dropdown; hide the details if none is chosen."""
        return "", *details_values(None if key is None else self._load(VersionReference.from_key(key)))

    def begin_version(self, key: object, request: gr.Request) -> Outputs:
        """Create a draft of the template's next version and open it."""
        of = VersionReference.from_key(key)
        with self.store.writing() as session:
            draft = from_failure.begin_next_version(
                session, actor=str(request.username), template_id=of.template, version=of.version
            )
        return "", f"/draft/?draft={draft}"

    def try_version(self, key: object) -> Outputs:
        """Try a version on sample patients, outside any transaction so that other users are not blocked."""
        of = VersionReference.from_key(key)
        with self.store.reading() as session:
            row = template_versions.find_version(session, of.template, of.version)
            template = template_versions.template_of(row)
        trial = try_template(template)
        with self.store.writing() as session:
            template_health.store_trial(session, (template.id, template.version), trial)
        return success_message(_("Tried on sample patients; see Statistics.")), *details_values(
            self._load(of)
        )

    def retire(self, key: object, reason: object, request: gr.Request) -> Outputs:
        """Retire a version permanently."""
        of = VersionReference.from_key(key, reason=reason)
        with self.store.writing() as session:
            browse_bank.retire(
                session,
                template_id=of.template,
                version=of.version,
                reason=of.reason,
                actor=str(request.username),
            )
        title = view.version_title(of.template, of.version)
        said = _("{title} is retired: no new benchmark will use it.", title=title)
        return success_message(said), *details_values(self._load(of))

    def compare(self, key: object, before: object) -> Outputs:
        """Show the differences between a version and an earlier one."""
        of = VersionReference.from_key(key, before=before)
        with self.store.reading() as session:
            old, new = (
                template_versions.template_of(template_versions.find_version(session, of.template, number))
                for number in (of.before, of.version)
            )
        rows = view.difference_rows(difference(old, new))
        return "", gr.update(value=rows, visible=True)

    def _recount(self) -> int:
        """Recount and store all statistics; counts outside the write transaction, so as to block nobody."""
        with self.store.reading() as session:
            counted = template_health.compute_health(session)
        with self.store.writing() as session:
            return template_health.store_health(session, counted)

    def _load(self, of: VersionReference) -> VersionDetails:
        with self.store.reading() as session:
            return browse_bank.load_version(session, of.template, of.version)

    def _listed(self, search: VersionSearch, of: VersionReference | None = None) -> tuple[Any, ...]:
        """Values for the page number, the table and the version dropdown.

        With `of`, the dropdown chooses this version, and offers it even if it is not on the page.
        """
        with self.store.reading() as session:
            listing = browse_bank.list_versions(session, search)
        pages = view.page_count(listing)
        rows = [view.version_row(one) for one in listing.rows]
        named = [(one.template_id, one.version) for one in listing.rows]
        if of is not None and (of.template, of.version) not in named:
            named.append((of.template, of.version))
        value = {} if of is None else {"value": version_key(of.template, of.version)}
        return (
            gr.update(
                value=listing.page, info=_("of {pages}", pages=pages), maximum=pages, visible=pages > 1
            ),
            gr.update(value=rows, label=view.page_label(listing)),
            gr.update(choices=[(view.version_title(*one), version_key(*one)) for one in named], **value),
        )


def _search(values: tuple[object, ...]) -> VersionSearch:
    """Build a search from the values of FIELDS, `only` and the page number."""
    *fields, only, page = values
    chosen = only if isinstance(only, list) else []
    return validated(
        VersionSearch,
        **dict(zip(FIELDS, fields, strict=True)),
        contested="contested" in chosen,
        hard="hard" in chosen,
        page=page,
    )


def build_bank(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `curate`."""
    handlers = BankHandlers(store)
    with gradio_page(_("Bank"), "/bank", navbar) as page:
        status = status_line()
        on = partial(listen, status=status)
        with gr.Row():
            text = gr.Textbox(label=_("Search id, tags and wording"), max_length=200, scale=2)
            tag = gr.Textbox(label=_("Tag"), max_length=200)
            go_search = gr.Button(_("Search"), variant="primary", scale=0, min_width=120)
        with gr.Row():
            operation = gr.Dropdown(
                labelled(view.OPERATION), value="", label=_("Operation"), filterable=False
            )
            state = gr.Dropdown(labelled(view.STATUS), value="standing", label=_("Status"), filterable=False)
            sort = gr.Dropdown(labelled(view.SORT), value="id", label=_("Order by"), filterable=False)
            only = gr.CheckboxGroup(labelled(view.ONLY), label=_("Only"))
        fields = [text, tag, operation, state, sort, only]
        table = data_table(
            view.COLUMNS, column_widths=view.WIDTHS, elem_id="versions", explains="item_statistics"
        )
        with gr.Row():
            number = gr.Number(label=_("Page"), precision=0, minimum=1, visible=False)
            chosen = gr.Dropdown(
                [], label=_("Template version"), info=_("Or click a row of the table."), scale=3
            )
        details = details_panel()
        recount = gr.Button(_("Recount statistics"), size="sm")
        go = destination_field()
        listed, detail = [number, table, chosen], details.outputs()
        on(page.load, handlers.load, outputs=[*listed, *detail])
        searches = partial(
            gr.on,
            [
                go_search.click,
                text.submit,
                tag.submit,
                operation.input,
                state.input,
                sort.input,
                only.input,
            ],
        )
        on(searches, handlers.search, fields, listed, trigger_mode=EVERY_TIME)
        on(number.input, handlers.turn, [*fields, number], listed, trigger_mode=EVERY_TIME)
        on(recount.click, handlers.recount, [*fields, number], listed)
        on(table.select, handlers.select_row, outputs=[chosen, *detail], trigger_mode=EVERY_TIME)
        on(chosen.input, handlers.open_version, [chosen], detail, trigger_mode=EVERY_TIME)
        follow(on(details.begin.click, handlers.begin_version, [chosen], [go]), go)
        on(details.attempt.click, handlers.try_version, [chosen], detail)
        on(details.retire.click, handlers.retire, [chosen, details.reason], detail)
        on(
            details.before.input,
            handlers.compare,
            [chosen, details.before],
            [details.changes],
            trigger_mode=EVERY_TIME,
        )
    return page
