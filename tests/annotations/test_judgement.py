"""A judgement can grow: a field added to its one definition is asked, stored, exported and put into words."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from clinicnum.annotations.judgement import FIELDS, values_of

ROOT = Path(__file__).parents[2]
STORED = sorted((ROOT / "tests" / "db" / "stored").iterdir())
PAGES = [ROOT / "ui" / "pages" / name for name in ("annotate", "adjudicate")] + [
    ROOT / "ui" / "components" / "static"
]


def test_a_field_added_in_one_file_reaches_page_database_exports_and_words(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "tests.annotations.with_a_field", f"sqlite:///{tmp_path / 'a.db'}"]
    stored = [str(version / "annotation.json") for version in STORED]
    assert len(stored) >= 4
    done = subprocess.run([*program, *stored], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "question": ["soon", "later"],
        "form": "soon",
        "database": "soon",
        "stored before": [None] * len(stored),
        "words": True,
        "export": ["How soon it matters: soon, later"],
    }


@pytest.mark.parametrize("folder", PAGES, ids=lambda one: one.name)
def test_scripts_name_no_field_and_no_option(folder: Path) -> None:
    options = {str(value) for name in FIELDS for value in values_of(name) if isinstance(value, str)}
    labels = {option.label for about in FIELDS.values() for option in about.options}
    quoted = {word for word in options | labels if len(word) > 1}
    names = re.compile(rf"\b({'|'.join(set(FIELDS) - {'labels'})})\b")
    words = re.compile(rf"""["'`.]({"|".join(map(re.escape, sorted(quoted)))})\b["'`]?""")
    found = []
    for path in sorted(folder.glob("*.js")):
        code = "\n".join(line.split("//")[0] for line in path.read_text(encoding="utf-8").splitlines())
        found += [f"{path.name}: {one}" for one in (*names.findall(code), *words.findall(code))]
    assert found == []
