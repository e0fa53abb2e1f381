"""What the log-in page fetches ahead; `bench_log_in` sees in a browser what that saves."""

from clinicnum.ui.app.gradio_assets import FOLDER, PATH
from clinicnum.ui.app.prefetch import LARGEST, LISTED, annotate_page_paths
from clinicnum.ui.components.static_files import static_path
from tests.ui.door import House, ask


def test_the_log_in_page_fetches_ahead_what_the_annotate_page_asks_for() -> None:
    app = House().app(sign_on=False)
    page = ask(app, "GET", "/login").text
    listed = annotate_page_paths()
    assert page.count("prefetch") == len(listed) > 50
    for path in listed:
        assert f'<link rel="prefetch" href="{path}">' in page
        assert ask(app, "GET", path).status_code == 200


def test_every_listed_file_is_one_of_this_version() -> None:
    listed = LISTED.read_text(encoding="utf-8").split()
    known = {path.rpartition("/")[2] for path in annotate_page_paths()}
    gone = [one for one in listed if one.rpartition("/")[2] not in known]
    assert not gone, "make the list anew: python -m clinicnum.scripts.dev.bench_log_in --write"


def test_what_pages_have_asked_for_is_fetched_ahead_too() -> None:
    app = House().app(sign_on=False)
    script = static_path("adjudicate/page.js")
    before = ask(app, "GET", "/login").text
    assert script not in before
    for asked in (script, static_path("components/none.js"), "/static/../login"):
        ask(app, "GET", asked)
    page = ask(app, "GET", "/login").text
    assert page.count("prefetch") == before.count("prefetch") + 1
    assert f'<link rel="prefetch" href="{script}">' in page


def test_what_is_large_is_fetched_by_those_alone_who_open_its_page() -> None:
    app = House().app(sign_on=False)
    large = max((one for one in FOLDER.iterdir() if one.suffix == ".js"), key=lambda one: one.stat().st_size)
    answer = ask(app, "GET", f"{PATH}/{large.name}", [(b"accept-encoding", b"gzip")])
    assert int(answer.headers["content-length"]) > LARGEST
    assert large.name not in ask(app, "GET", "/login").text
