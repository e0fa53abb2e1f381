"""What no code of ours may do, held by ruff: here each rule is seen to be on, by code that breaks it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FORBIDDEN = {
    "S301": "import pickle\n\npickle.loads(b'')\n",
    "S307": "eval('1')\n",
    "S102": "exec('x = 1')\n",
    "S506": "import yaml\n\nyaml.load('', yaml.Loader)\n",
    "S602": "import subprocess\n\nsubprocess.run('ls $HOME', shell=True)\n",
    "S605": "import os\n\nos.system('ls $HOME')\n",
    "S202": "import tarfile\n\ntarfile.open('a.tar').extractall()\n",
    "S314": "from xml.etree import ElementTree\n\nElementTree.fromstring('<a/>')\n",
    "S501": "import requests\n\nrequests.get('https://h', verify=False, timeout=1)\n",
    "S704": "from markupsafe import Markup\n\nx = input()\nMarkup(x)\n",
}


def test_ruff_refuses_each(tmp_path: Path) -> None:
    for rule, code in FORBIDDEN.items():
        (tmp_path / f"{rule.lower()}.py").write_text(code)
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format", "json", str(tmp_path)]
    done = subprocess.run(
        [*command, "--config", str(ROOT / "pyproject.toml")], capture_output=True, text=True, check=False
    )
    found = {(Path(one["filename"]).stem.upper(), one["code"]) for one in json.loads(done.stdout)}
    assert {(rule, rule) for rule in FORBIDDEN} <= found


def test_no_line_is_excused_from_them() -> None:
    """Wherever such a rule is silenced, it is named here with what makes it harmless."""
    known = {
        "annotations/report/plots.py": {"S704"},  # a drawing of figures
        "annotations/report/render_html_and_csv.py": {"S704"},  # our own style sheet
        "ui/app/help_pages.py": {"S704"},  # our own documentation, in which raw HTML is escaped
    }
    excused: dict[str, set[str]] = {}
    for room in ("clinicnum", "annotations", "db", "ui", "scripts"):
        for path in (ROOT / room).rglob("*.py"):
            lines = [line for line in path.read_text(encoding="utf-8").splitlines() if "noqa" in line]
            rules = {rule for rule in FORBIDDEN for line in lines if rule in line.partition("noqa")[2]}
            if rules:
                excused[path.relative_to(ROOT).as_posix()] = rules
    assert excused == known


@pytest.mark.parametrize("name", ["pickle", "marshal", "shelve", "dill", "joblib"])
def test_nothing_that_unpickles_is_imported(name: str) -> None:
    for room in ("clinicnum", "annotations", "db", "ui", "scripts"):
        for path in (ROOT / room).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert f"import {name}\n" not in text, path
            assert f"from {name} " not in text, path
            assert "torch.load(" not in text, path
            assert "allow_pickle=True" not in text, path


def test_every_shell_script_can_be_read_and_no_file_holds_marks_of_a_merge() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [ROOT / name for name in listed.stdout.split("\0") if name and not (ROOT / name).is_symlink()]
    heads = {path: path.read_bytes() for path in paths if path.is_file()}
    marked = [path for path, text in heads.items() if b"\n<<<<<<< " in text or b"\n>>>>>>> " in text]
    assert marked == []
    shell = [path for path, text in heads.items() if text.startswith((b"#!/usr/bin/env bash", b"#!/bin/sh"))]
    assert len(shell) > 5
    for path in shell:
        done = subprocess.run(["bash", "-n", str(path)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_scripts_and_styles_name_each_other_beside_them() -> None:
    """An address from the root would lack the hash of the version."""
    served = [path for suffix in ("js", "css") for path in (ROOT / "ui").rglob(f"*.{suffix}")]
    assert len(served) > 50
    assert [path.name for path in served if "/static/" in path.read_text(encoding="utf-8")] == []
