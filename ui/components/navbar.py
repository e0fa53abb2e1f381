"""The navigation bar of every page, rendered for the current user."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from clinicnum.annotations.role_rights import Right, may
from clinicnum.annotations.types import User
from clinicnum.ui.components.html import navigation


@dataclass(frozen=True)
class Navbar:
    """The navigation bar at the top of every page; lists the pages that the user may open."""

    find_user: Callable[[str], User | None]
    pages: Sequence[tuple[str, str, Right]]
    """(title, path, right), in the order of the bar."""

    def add_to(self, page: gr.Blocks, current: str) -> None:
        """Add the bar to a page; its content is set on page load, when the user is known."""

        async def show_navigation(request: gr.Request) -> str:
            user = self.find_user(str(request.username))
            if user is None:
                return ""
            mine = [(title, path) for title, path, right in self.pages if may(user.role, right)]
            return f'<div class="cn-page">{navigation(user, mine, current)}</div>'

        bar = gr.HTML(value="", apply_default_css=False)
        quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
        page.load(show_navigation, None, bar, **quiet)
