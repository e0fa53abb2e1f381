"""The guideline's Markdown as HTML that the page may show as it is."""

import pytest

from clinicnum.ui.components.render_markdown import render_markdown


@pytest.mark.parametrize(
    ("text", "never"),
    [
        pytest.param("<script>alert(1)</script>", "<script", id="a script is shown as text"),
        pytest.param('<b onclick="x()">b</b>', "<b", id="a tag is shown as text"),
        pytest.param("![x](https://example.org/x.png)", "<img", id="an image is no image"),
        pytest.param("[x](javascript:alert(1))", "href", id="a javascript link is no link"),
        pytest.param("[x](data:text/html,hello)", "href", id="a data link is no link"),
        pytest.param("[x](java&Tab;script:alert(1))", "href", id="no link within the page's own address"),
        pytest.param("[x](feed:javascript:alert(1))", "href", id="an odd scheme is no link"),
        pytest.param('[x](https://a.org "\\"><script>")', "<script", id="a title cannot break out"),
    ],
)
def test_markup_from_outside_does_nothing(text: str, never: str) -> None:
    assert never not in render_markdown(text)


def test_headings_tables_and_links_are_rendered_and_links_take_nothing_along() -> None:
    shown = render_markdown("# One\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[desk](https://example.org)")
    assert "<h1>One</h1>" in shown
    assert "<td>2</td>" in shown
    assert '<a href="https://example.org" rel="noopener noreferrer" target="_blank">desk</a>' in shown
