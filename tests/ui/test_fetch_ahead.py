"""What the log-in page fetches ahead; `tests/e2e/test_navigation.py` sees in a browser that it is used."""

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
