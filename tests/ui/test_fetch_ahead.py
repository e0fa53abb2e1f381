"""What the log-in page fetches ahead; `tests/e2e/test_navigation.py` sees in a browser that it is used."""

from clinicnum.ui.app.fetch_ahead import LARGEST
from clinicnum.ui.app.gradio_assets import FOLDER, PATH
from clinicnum.ui.components.static_files import static_path
from tests.ui.door import House, ask


def test_the_log_in_page_fetches_ahead_what_pages_have_asked_for() -> None:
    app = House().app(sign_on=False)
    assert "prefetch" not in ask(app, "GET", "/login").text
    script = static_path("components/dom.js")
    for asked in (script, static_path("components/none.js"), "/static/../login"):
        ask(app, "GET", asked)
    page = ask(app, "GET", "/login").text
    assert page.count("prefetch") == 1
    assert f'<link rel="prefetch" href="{script}">' in page


def test_what_is_large_is_fetched_by_those_alone_who_open_its_page() -> None:
    app = House().app(sign_on=False)
    large = max((one for one in FOLDER.iterdir() if one.suffix == ".js"), key=lambda one: one.stat().st_size)
    answer = ask(app, "GET", f"{PATH}/{large.name}", [(b"accept-encoding", b"gzip")])
    assert int(answer.headers["content-length"]) > LARGEST
    assert large.name not in ask(app, "GET", "/login").text
