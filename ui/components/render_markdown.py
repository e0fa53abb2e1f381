"""Render Markdown to safe HTML: no raw HTML, no images, links without a referrer."""

from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

LEADS_TO = ("https://", "http://", "mailto:")


class _Guideline(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 (the library's name)
        """Accept only listed URL schemes; a list of forbidden ones could never be complete."""
        return url.lower().startswith(LEADS_TO)


def render_markdown(text: str) -> str:
    """CommonMark with tables as HTML. Raw HTML is escaped; only web and mail addresses become links."""
    parser = _Guideline("commonmark", {"html": False}).enable("table").disable("image")
    parser.add_render_rule("link_open", _link_open)
    return str(parser.render(text))


def _link_open(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    tokens[index].attrSet("rel", "noopener noreferrer")
    tokens[index].attrSet("target", "_blank")
    return renderer.renderToken(tokens, index, options, env)
