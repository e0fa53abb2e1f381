"""The navigation bar of every page, rendered for the current user: links, in menus where there are many."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import gradio as gr
from markupsafe import Markup

from clinicnum.annotations.role_rights import Right, may
from clinicnum.annotations.types import User
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.documentation import ADDRESS
from clinicnum.ui.components.html import CONTENT_ID
from clinicnum.ui.components.language import LANGUAGES, _, current_language
from clinicnum.ui.components.value_display_names import ROLE_NAMES

Group = Literal["evaluate", "label", "analyse", "curate", "administer"]
"""A page's group in the bar."""
GROUP_NAMES: dict[Group, str] = {
    "evaluate": Translatable("Evaluate"),
    "label": Translatable("Label"),
    "analyse": Translatable("Analyse"),
    "curate": Translatable("Curate"),
    "administer": Translatable("Administer"),
}
"""The groups in the order of the bar."""
FEW = 5
"""Up to this many pages are plain links, without menus."""


@dataclass(frozen=True)
class PageLink:
    """A page as the bar shows it."""

    title: str
    path: str
    right: Right
    group: Group | None
    """None for a page that the bar does not list."""


@dataclass(frozen=True)
class Navbar:
    """The navigation bar at the top of every page; lists the pages that the user may open."""

    find_user: Callable[[str], User | None]
    pages: Sequence[PageLink]
    """In the order of the bar within each group."""

    def add_to(self, page: gr.Blocks, current: str) -> None:
        """Add the bar to a page; its content is set on page load, when the user is known."""

        async def show_navigation(request: gr.Request) -> str:
            user = self.find_user(str(request.username))
            if user is None:
                return ""
            mine = [one for one in self.pages if one.group and may(user.role, one.right)]
            return f'<div class="cn-page">{navigation(user, mine, current)}</div>'

        with gr.Column(elem_classes="cn-bar"):  # there before the browser has fetched what shows HTML
            bar = gr.HTML(value="", apply_default_css=False)
        quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
        page.load(show_navigation, None, bar, **quiet)


def navigation(user: User, pages: Sequence[PageLink], current: str) -> Markup:
    """The bar's content: `pages`, the user's name and role, and the buttons for language and logging out."""
    return Markup(
        '<a class="cn-skip" href="#{}">{}</a>'
        '<nav class="cn-nav" aria-label="{}"><strong><a href="/home/"{}>clinicnum</a></strong>'
        '<div class="cn-pages">{} <a href="{}"{}>{}</a></div><div class="cn-me">{}'
        '<form method="post" action="/logout"><a href="/account" title="{}">{} <span>({})</span></a>'
        '<button class="cn-button cn-quiet" type="submit">{}</button></form></div></nav>'
    ).format(
        CONTENT_ID,
        _("Skip to the content"),
        _("Pages"),
        _marked("/home", current),
        _links(pages, current) if len(pages) <= FEW else _menus(pages, current),
        ADDRESS,
        _marked(ADDRESS, current),
        _("Help"),
        _language_buttons(),
        _("Change your password"),
        user.name,
        _(ROLE_NAMES[user.role]),
        _("Log out"),
    )


def _links(pages: Sequence[PageLink], current: str) -> Markup:
    return Markup(" ").join(
        Markup('<a href="{}/"{}>{}</a>').format(page.path, _marked(page.path, current), _(page.title))
        for page in pages
    )


def _marked(path: str, current: str) -> Markup:
    return Markup(' aria-current="page"') if path == current else Markup("")


def _menus(pages: Sequence[PageLink], current: str) -> Markup:
    """A menu for each group; a group of one page is a plain link.

    The browser itself opens and closes a popover, by keyboard, with Escape and by a click elsewhere.
    """
    menus = []
    for group, name in GROUP_NAMES.items():
        mine = [page for page in pages if page.group == group]
        if len(mine) < 2:
            menus.append(_links(mine, current))
            continue
        here = Markup(" data-here") if current in {page.path for page in mine} else ""
        menus.append(
            Markup(
                '<button type="button" popovertarget="cn-menu-{}"{}>{}</button>'
                '<div id="cn-menu-{}" class="cn-menu" popover>{}</div>'
            ).format(group, here, _(name), group, _links(mine, current))
        )
    return Markup(" ").join(menus)


def _language_buttons() -> Markup:
    """A button for each language but the current one, under the language's own name."""
    buttons = Markup("").join(
        Markup('<button class="cn-button cn-quiet" name="language" value="{}" lang="{}">{}</button>').format(
            code, code, name
        )
        for code, name in LANGUAGES.items()
        if code != current_language()
    )
    return Markup('<form method="post" action="/language">{}</form>').format(buttons)
