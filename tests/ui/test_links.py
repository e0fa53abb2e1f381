"""Texts of others in Markdown of ours: shown as they are, and leading nowhere."""

import re

import pytest
from markdown_it import MarkdownIt

from clinicnum.ui.components.markdown_links import escape_markdown, link

AUTOLINK = re.compile(r"https?://|www\.|\w@\w", re.IGNORECASE)
"""What GitHub's Markdown, which Gradio speaks, makes a link of without being asked."""


@pytest.mark.parametrize(
    "text",
    [
        "see https://example.org/a_b",
        "WWW.example.org",
        "mail ann@example.org",
        "![x](http://example.org/x.png)",
        "[x](javascript:alert(1))",
        "<img src=x onerror=alert(1)>",
        "**bold** `code` # no heading",
    ],
)
def test_a_text_is_shown_as_it_is_and_no_address_in_it_becomes_a_link(text: str) -> None:
    assert not AUTOLINK.search(escape_markdown(text))
    tokens = MarkdownIt("commonmark").parseInline(escape_markdown(text))[0].children or []
    assert {one.type for one in tokens} <= {"text", "text_special"}
    assert "".join(one.content for one in tokens) == text


def test_a_link_shows_its_text_as_it_is() -> None:
    (token,) = MarkdownIt("commonmark").parseInline(link("ann@example.org [x]", "/bank/", template="a b"))
    assert token.children is not None
    assert [one.type for one in token.children if one.type.startswith("link")] == ["link_open", "link_close"]
    assert token.children[0].attrs["href"] == "/bank/?template=a+b"
