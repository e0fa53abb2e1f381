"""A page that escapes nothing: each payload stands raw where its context says, and all is pressed."""

import html
import json

from markdown_it import MarkdownIt

from tests.e2e.payloads import Payload

# Gradio, Vue and templates of servers evaluate what stands between their signs, and so does this page.
_CURLY = """(text) => { for (const [, code] of text.matchAll(/\\{\\{+(.*?)\\}\\}+/gs)) {
  const made = Function; try { new Function("constructor", "return " + code)(made); } catch {} } }"""
_ERB = "(text) => { for (const [, code] of text.matchAll(/<%[=-]?(.*?)%>/gs)) new Function(code)(); }"
_LITERAL = "(text) => new Function('return `' + text + '`')()"
_INNER = """(text) => { const box = document.createElement("div"); document.body.append(box);
  const other = new DOMParser().parseFromString("<noscript>" + text, "text/html").body;
  box.innerHTML = text; box.innerHTML = box.innerHTML; box.append(...other.childNodes);
  box.innerHTML += box.innerHTML; }"""
_COMPILED = {"curly": _CURLY, "erb": _ERB, "literal": _LITERAL, "inner": _INNER}
_RAW = {
    "text": "<p>{}</p>",
    "double": '<input value="{}">',
    "single": "<input value='{}'>",
    "bare": "<input value={}>",
    "link": '<a href="{}">x</a>',
    "rcdata": "<textarea>{}</textarea>",
    "comment": "<!-- {} -->",
    "script": '<script>var x = "{}";</script>',
    "handler": "<button onclick=\"void('{}')\">b</button>",
}
# What a person would do in time: press, hover, type; each handler's event, once.
_USED = """<script>addEventListener("load", () => setTimeout(() => {
  for (const one of document.querySelectorAll("*")) {
    for (const { name } of one.attributes)
      if (name.startsWith("on")) one.dispatchEvent(new Event(name.slice(2)));
    if (one.matches("a, area, button, [type=submit]"))
      one.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    if (one.href?.baseVal?.startsWith("javascript:")) location = one.href.baseVal;
  }
}, 50));</script>"""


def _body(payload: Payload, number: int) -> str:
    text = payload.numbered(number)
    if payload.context in _RAW:
        return _RAW[payload.context].replace("{}", text, 1)
    if payload.context == "markdown":
        return unsafe_markdown(text)
    if payload.context == "json":
        return f"<script>var state = {json.dumps(text)};</script>"
    said = json.dumps(text).replace("<", "\\u003c")
    return f"<script>({_COMPILED[payload.context]})({said});</script>"


def bare_page(payloads: dict[int, Payload]) -> str:
    """One frame a payload, so that none hides another; each may do what a page may, but leave its frame."""
    allowed = "allow-scripts allow-same-origin allow-forms allow-modals"
    bodies = (html.escape(f"<body>{_USED}{_body(one, number)}") for number, one in payloads.items())
    frames = (f'<iframe sandbox="{allowed}" srcdoc="{body}"></iframe>' for body in bodies)
    return f"<!doctype html><title>bare</title>{''.join(frames)}"


def unsafe_markdown(text: str) -> str:
    """As a renderer does that lets markup and every address through."""
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return str(parser.render(text))
