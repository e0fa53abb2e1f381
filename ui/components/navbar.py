"""What every page has around it: the navigation bar, made for the user who asks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from clinicnum.annotations.rights import Right, may
from clinicnum.annotations.types import User
from clinicnum.ui.components.html import navigation


@dataclass(frozen=True)
class Navbar:
    """The bar on top of every page, with the pages that the user may open."""

    find_user: Callable[[str], User | None]
    pages: Sequence[tuple[str, str, Right]]
    """(title, path, right), in the order of the bar."""

    def add_to(self, page: gr.Blocks, current: str) -> None:
        """Put the bar on a page; it is filled when the page loads, as only then is the user known."""

        async def show_navigation(request: gr.Request) -> str:
            user = self.find_user(str(request.username))
            if user is None:
                return ""
            mine = [(title, path) for title, path, right in self.pages if may(user.role, right)]
            return f'<div class="cn-page">{navigation(user, mine, current)}</div>'

        bar = gr.HTML(value="", apply_default_css=False)
        quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
        page.load(show_navigation, None, bar, **quiet)
