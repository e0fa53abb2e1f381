"""The documentation as pages of the app: each is there, and leads only to what is there."""

import re
from html import unescape
from typing import Any

import pytest

from clinicnum.ui.components.documentation import FOLDER, anchor_of, document_html, documents
from clinicnum.ui.components.language import answer_in
from tests.ui.door import House, ask

LINK = re.compile(r'<a href="([^"]+)"')
ID = re.compile(r'<h\d id="([^"]+)"')
IMAGE = re.compile(r'<img src="([^"]+)"')


@pytest.fixture(scope="module")
def app() -> Any:
    return House().app(sign_on=False)


@pytest.fixture(scope="module")
def logged_in(app: Any) -> list[tuple[bytes, bytes]]:
    entered = ask(app, "POST", "/login", data={"name": "ann", "password": "right"})
    return [(b"cookie", entered.headers["set-cookie"].partition(";")[0].encode())]


def test_every_document_has_a_title_and_leads_only_to_headings_and_pages_that_are_there() -> None:
    titles = documents()
    assert {"index", "glossary", "tutorials/clinician", "explanation/golds"} <= set(titles)
    assert all(titles.values())
    headings = {name: set(ID.findall(document_html(name))) for name in titles}
    for name in titles:
        for link in map(unescape, LINK.findall(document_html(name))):
            path, _, anchor = link.partition("#")
            if link.startswith(("http", "mailto:")):
                continue
            target = path.removeprefix("/help/") if path else name
            assert target in titles, (name, link)
            assert not anchor or anchor in headings[target], (name, link)


def test_every_picture_is_served(app: Any, logged_in: list[tuple[bytes, bytes]]) -> None:
    pictures = {one for name in documents() for one in IMAGE.findall(document_html(name))}
    assert len(pictures) > 10
    for address in pictures:
        answer = ask(app, "GET", address, logged_in)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png"), address


def test_a_page_names_its_document_and_lists_all_others(
    app: Any, logged_in: list[tuple[bytes, bytes]]
) -> None:
    answer = ask(app, "GET", "/help/glossary", logged_in)
    assert answer.status_code == 200
    assert "<title>The words · Help · clinicnum</title>" in answer.text
    assert '<a href="/help/glossary" aria-current="page">The words</a>' in answer.text
    assert '<a href="/help/scoring">' in answer.text
    for address in ("/help", "/help/"):
        assert "Find your way" in ask(app, "GET", address, logged_in).text
    german = ask(app, "GET", "/help/glossary", [*logged_in, (b"accept-language", b"de")])
    assert "Die Hilfe ist auf Englisch." in german.text


def test_without_a_login_a_document_leads_to_it_and_a_login_back(app: Any) -> None:
    answer = ask(app, "GET", "/help/glossary")
    assert (answer.status_code, answer.headers["location"]) == (303, "/login?next=%2Fhelp%2Fglossary")
    told = {"name": "ann", "password": "right"}
    entered = ask(app, "POST", answer.headers["location"], data=told)
    assert entered.headers["location"] == "/help/glossary"
    assert ask(app, "GET", "/help/images/home.png").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        *("nothing", "glossary.md", "../README", "..%2F..%2Fpyproject.toml", "/etc/passwd", "tutorials/"),
        *("images/nothing.png", "images/..%2Fglossary.md", "images/%2e%2e%2fglossary.md", "index/", "%00"),
    ],
)
def test_nothing_else_is_served(path: str, app: Any, logged_in: list[tuple[bytes, bytes]]) -> None:
    assert ask(app, "GET", f"/help/{path}", logged_in).status_code == 404


def test_html_in_a_document_is_text_and_what_the_app_does_not_have_is_no_link() -> None:
    """Pages that are made while the site is built, and files of the checkout, are not in the app."""
    assert "[command](reference/commands.md)" in (FOLDER / "index.md").read_text(encoding="utf-8")
    with answer_in("en"):
        assert "<span>command</span>" in document_html("index")
    every = "".join(document_html(name) for name in documents())
    assert "<script" not in every
    assert not re.search(r'(?:href|src)="(?!/help/|#|https?://|mailto:)', every)


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [("Words that mean the same", "words-that-mean-the-same"), ("What's `x` (95 %)?", "whats-x-95")],
)
def test_anchors_are_those_of_the_site(heading: str, anchor: str) -> None:
    assert anchor_of(heading) == anchor
