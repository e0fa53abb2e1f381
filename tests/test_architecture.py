"""The rooms keep their shape: imports run one way, no code runs at import, files stay small."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("clinicnum", "annotations", "db", "ui", "scripts")


def test_imports_run_one_way() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout


def test_no_file_has_more_than_300_lines() -> None:
    """Migrations apart: what was once run is not changed."""
    migrations = ROOT / "db" / "migrations" / "versions"
    for room in (*ROOMS, "tests"):
        for path in (ROOT / room).rglob("*"):
            if path.suffix in (".py", ".js", ".css") and migrations not in path.parents:
                assert len(path.read_text("utf-8").splitlines()) <= 300, path


def test_no_environment_in_the_pure_rooms() -> None:
    for room in ("clinicnum", "annotations"):
        for path in (ROOT / room).rglob("*.py"):
            found = [word for word in ("os.environ", "getenv") if word in path.read_text(encoding="utf-8")]
            assert found == [], path


def test_pages_make_markup_in_one_place_only() -> None:
    """What the server's Markdown renderers made may be set as HTML; all else is set as text.

    Gradio's own Markdown is sanitised by Gradio, and never told not to be.
    """
    markup = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|DOMParser|createContextual"
    )
    html = re.compile(r"\|\s*safe|\$\{value|\{\{\{|sanitize_html\s*=\s*False|Markup\(f|Markup\([a-z]")
    found = []
    for path in sorted((ROOT / "ui").rglob("*")):
        sought = {".js": markup, ".py": html, ".html": html}.get(path.suffix)
        if sought is not None:
            lines = path.read_text(encoding="utf-8").splitlines()
            found += [f"{path.name}: {line.strip()}" for line in lines if sought.search(line)]
    documentation = "help_pages.py: text=Markup(document_html(name)),"
    assert [one.partition("  #")[0] for one in found] == [documentation, "dom.js: box.innerHTML = html;"]


def test_nothing_from_outside_is_evaluated() -> None:
    forbidden = ("pickle", " eval(", "yaml.load(", "trust_remote_code=True")
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            found = [word for word in forbidden if word in path.read_text(encoding="utf-8")]
            assert found == [], path
