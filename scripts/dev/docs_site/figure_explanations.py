"""The page of the documentation that explains every figure, from the same table as pages and reports."""

import os
from pathlib import Path

from clinicnum.annotations.explanations.all_explanations import GROUPS
from clinicnum.annotations.explanations.explanation import Explanation
from clinicnum.scripts.dev.docs_site.nav import page_titles

PLACE = "explanation/figures.md"
_HEAD = """# What each figure says

Beside every figure of pages and reports stands a `?`. It opens the figure's explanation from this list: what
it counts, of whom it holds, and how to read it. On a page it opens in place, in a report at the report's end;
neither needs a network.
"""


def figures_page() -> str:
    """The page as Markdown, one heading a figure, with its key as the anchor."""
    titles = page_titles()
    groups = (
        "\n\n".join([f"## {title}", *(_entry(one, titles) for one in group)]) for title, group in GROUPS
    )
    return "\n\n".join([_HEAD.strip(), *groups]) + "\n"


def _entry(one: Explanation, titles: dict[str, str]) -> str:
    method = f" Method: {one.source}." if one.source else ""
    more = f"[{titles[one.page]}]({os.path.relpath(one.page, Path(PLACE).parent)})"
    return f"### {one.title} {{ #{one.key} }}\n\n{one.text}{method}\n\nMore: {more}."
