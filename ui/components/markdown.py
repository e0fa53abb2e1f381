"""Markdown as HTML that can be shown as it is: no markup of its own, no images, links that tell nothing."""

from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

LEADS_TO = ("https://", "http://", "mailto:")


class _Guideline(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 (the library's name)
        """What may be named is listed: a list of what may not would have to know every scheme."""
        return url.lower().startswith(LEADS_TO)


def render_markdown(text: str) -> str:
    """CommonMark with tables. HTML in the text is shown as text; only web and mail addresses make a link."""
    parser = _Guideline("commonmark", {"html": False}).enable("table").disable("image")
    parser.add_render_rule("link_open", _link_open)
    return str(parser.render(text))


def _link_open(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    tokens[index].attrSet("rel", "noopener noreferrer")
    tokens[index].attrSet("target", "_blank")
    return renderer.renderToken(tokens, index, options, env)
