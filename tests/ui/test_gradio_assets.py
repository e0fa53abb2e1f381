"""Gradio's own files, which all pages share; `tests/e2e/test_navigation.py` tries them in a browser."""

from clinicnum.ui.app.gradio_assets import FOLDER, PATH, name_shared_assets
from tests.ui.door import House, ask


def test_each_file_is_served_packed_or_not_and_kept_for_good() -> None:
    app = House().app(sign_on=False)
    names = sorted(one.name for one in FOLDER.iterdir())
    for suffix in (".js", ".css", ".svg", ".woff2"):
        name = next(one for one in names if one.endswith(suffix))
        for accepted in ("gzip, br", "identity"):
            answer = ask(app, "GET", f"{PATH}/{name}", [(b"accept-encoding", accepted.encode())])
            assert answer.status_code == 200
            assert answer.content == (FOLDER / name).read_bytes()
            packed = accepted.startswith("gzip") and suffix != ".woff2"
            assert ("content-encoding" in answer.headers) == packed
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert answer.headers["vary"] == "Accept-Encoding"
    assert ask(app, "GET", f"{PATH}/none.js").status_code == 404


def test_gradios_document_names_what_all_pages_share() -> None:
    document = (FOLDER.parent / "index.html").read_bytes()
    named = name_shared_assets(document)
    assert named.count(b'src="/static/gradio/index-') == 1
    assert named.count(b'rel="stylesheet" crossorigin href="/static/gradio/index-') == 1
    assert b'src="./assets/' not in named
    assert b'rel="stylesheet" crossorigin href="./assets/' not in named
