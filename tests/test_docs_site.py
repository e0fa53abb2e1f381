"""The documentation site: it builds with every link right, and its reference has all that the code has."""

import importlib.util
import os
import re
import shutil
import tomllib
from pathlib import Path

import pytest
import typer

import clinicnum
from clinicnum.errors import InputError
from clinicnum.scripts.cli import build_app
from clinicnum.scripts.dev.docs_site.build import COPIED, MADE, build, page_faults, stage
from clinicnum.scripts.dev.docs_site.command_reference import commands, commands_page
from clinicnum.scripts.dev.docs_site.file_format_reference import FILES, PARTS, field_meanings
from clinicnum.scripts.dev.docs_site.library_reference import library_page
from clinicnum.scripts.dev.docs_site.nav import ROOT, link_pages, page_titles

DOCS = ROOT / "docs"
PAGES = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of the site; each test works on a copy."""
    folder = tmp_path_factory.mktemp("staged")
    stage(folder)
    return folder


@pytest.fixture
def sources(staged: Path, tmp_path: Path) -> Path:
    """Sources that a test may change, where the package that builds them is there."""
    if importlib.util.find_spec("zensical") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("zensical is missing; CI must install scripts/dev/docs.lock")
        pytest.skip("zensical is not installed (scripts/dev/docs.lock)")
    return Path(shutil.copytree(staged, tmp_path / "sources"))


def test_the_site_is_built_with_every_link_and_no_request_to_others(sources: Path) -> None:
    site = build(sources)
    for place in page_titles():
        page = (site / place).with_suffix(".html").read_text(encoding="utf-8")
        assert "<h1" in page, place
    gallery = (site / "gallery.html").read_text(encoding="utf-8")
    assert "```" not in gallery
    assert "fonts.googleapis" not in gallery


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("[x](nowhere.md)", "docs/index.md:3:5: page does not exist"),
        ("[x](agreement.md#nowhere)", "docs/index.md:3:18: anchor does not exist"),
        ("![x](images/nowhere.png)", "images/nowhere.png is not there"),
        ("![x](https://example.org/x.png)", "https://example.org/x.png is loaded from elsewhere"),
    ],
)
def test_a_wrong_link_ends_the_build(sources: Path, written: str, fault: str) -> None:
    for path in (sources / "docs").rglob("*.md"):
        path.unlink()
    config = '[project]\nsite_name = "x"\nuse_directory_urls = false\n[project.theme]\nfont = false\n'
    (sources / "zensical.toml").write_text(config, encoding="utf-8")
    (sources / "docs" / "agreement.md").write_text("# Agreement\n", encoding="utf-8")
    (sources / "docs" / "index.md").write_text(f"# Home\n\n{written}\n", encoding="utf-8")
    with pytest.raises(InputError) as raised:
        build(sources)
    assert fault in str(raised.value)


def test_links_of_a_built_page_are_taken_from_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    page = tmp_path / "a" / "page.html"
    page.write_text(
        '<a href="../b.html#x"></a><a href="/b.html"></a><img src="none%20here.png"><a href="#y">'
    )
    (tmp_path / "b.html").touch()
    assert page_faults(page, tmp_path) == ["none here.png is not there"]


def test_every_page_is_in_the_contents_and_links_to_others_by_their_titles() -> None:
    titles = page_titles()
    assert set(titles) == PAGES | set(MADE) | set(COPIED)
    for place in PAGES:
        text = (DOCS / place).read_text(encoding="utf-8")
        assert link_pages(text, place, titles) == text, f"docs/{place}: write `docs/NAME.md` as a link"


def test_files_that_the_readme_links_to_are_there() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    linked = re.findall(r"\]\(([^)]+)\)|src=\"([^\"]+)\"", text)
    places = [one or other for one, other in linked]
    assert len(places) > 12
    assert [place for place in places if not (ROOT / place).exists()] == []
    assert len(text.splitlines()) < 50


def test_paths_become_links_outside_of_blocks_only() -> None:
    text = "See `docs/a.md`, docs/b.md and `docs/none.md`.\n\n```\ndocs/a.md\n```\n"
    linked = link_pages(text, "reference/x.md", {"a.md": "A", "b.md": "B"})
    assert linked == "See [A](../a.md), [B](../b.md) and `docs/none.md`.\n\n```\ndocs/a.md\n```\n"


def test_the_reference_has_every_command_and_option() -> None:
    page = commands_page()
    for name, command in commands(typer.main.get_command(build_app()), "clinicnum"):
        section = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
        assert section is not None
        assert f"```sh\n{name}" in section[1]
        shown = [one for one in command.params if not getattr(one, "hidden", False)]
        options = [option for one in shown for option in one.opts if option.startswith("-")]
        assert [option for option in options if option not in section[1]] == [], name


def test_the_reference_has_every_public_name_and_its_example() -> None:
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", library_page(), re.MULTILINE | re.DOTALL))
    assert list(sections) == clinicnum.__all__
    assert [name for name, text in sections.items() if "```pycon\n>>> " not in text] == []
    assert "agreement(\n    labels: DataFrame,\n    *,\n    scale: str,\n" in sections["agreement"]
    assert "### Scores.accuracy\n" in sections["Scores"]
    assert "    level: float = 0.05,\n) -> SliceSearch\n" in sections["find_slices"]
    assert "load_benchmark(path: str | Path) -> Benchmark\n" in sections["load_benchmark"]


def test_every_field_of_a_file_has_a_meaning() -> None:
    kinds = [*(kind for _, _, kind in FILES), *PARTS]
    bare = [
        f"{kind.__name__}.{name}" for kind in kinds for name, said in field_meanings(kind).items() if not said
    ]
    assert bare == ["Label.primary", "Label.spans", "Label.cells"]  # told by their names and `context_spans`


def test_what_builds_the_site_is_pinned_as_it_is_asked_for() -> None:
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    lock = (ROOT / "scripts" / "dev" / "docs.lock").read_text("utf-8")
    assert [one.partition(">=")[0] for one in asked["docs"]] == ["zensical"]
    assert re.search(r"^zensical==0\.0\.\d+$", lock, re.MULTILINE)
    assert "scripts/dev/docs.lock" in (ROOT / "scripts" / "test").read_text("utf-8")
