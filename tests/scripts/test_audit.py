"""The dependency audit: a skipped package is a failure, silence is "not audited", whatever pip-audit says.

The answers have the shapes that pip-audit 2.10 writes: `vulns` where audited, `skip_reason` where not.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from clinicnum.scripts.dev.pip_audit_result import judge, pinned

ROOT = Path(__file__).parents[2]
PACKAGES = {"numpy": "2.4.6", "types-pyyaml": "6.0.12", "torch": "2.13.0"}
KNOWN = {"id": "PYSEC-2026-1", "fix_versions": ["2.4.7"], "aliases": ["CVE-2026-1"], "description": "made up"}


def answer(*entries: dict[str, Any]) -> str:
    return json.dumps({"dependencies": list(entries), "fixes": []})


def clean(name: str, version: str, *vulns: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "version": version, "vulns": list(vulns)}


def skipped(name: str) -> dict[str, Any]:
    return {"name": name, "skip_reason": f"Dependency not found on PyPI and could not be audited: {name} (1)"}


ALL = [clean("numpy", "2.4.6"), clean("types_PyYAML", "6.0.12"), clean("torch", "2.13.0")]


@pytest.mark.parametrize(
    ("answers", "code", "said"),
    [
        pytest.param([answer(*ALL)], 0, "3 of 3 packages audited, 0 vulnerable, 0 skipped", id="clean"),
        pytest.param(
            [answer(*ALL[:2], clean("torch", "2.13.0", KNOWN))],
            1,
            "1 vulnerable, 0 skipped: torch PYSEC-2026-1",
            id="one",
        ),
        pytest.param([answer(*ALL[:2], skipped("torch"))], 1, "1 skipped: torch skipped", id="skipped"),
        pytest.param([answer(*ALL[:2])], 1, "1 skipped: torch skipped", id="left out"),
        pytest.param([answer(*ALL[:2], clean("torch", "2.12.0"))], 1, "torch skipped", id="another version"),
        pytest.param(
            [answer(*map(skipped, PACKAGES))], 3, "not audited: no advisory source answered (3 ", id="all"
        ),
        pytest.param(["", ""], 3, "not audited: no advisory source answered (3 packages)", id="silence"),
        pytest.param(["not json", "[]", '{"dependencies": 1}'], 3, "not audited", id="rubbish"),
        pytest.param(
            [answer(skipped("torch")), answer(*ALL)], 0, "3 of 3 packages audited", id="the other source"
        ),
    ],
)
def test_what_answers_come_to(answers: list[str], code: int, said: str) -> None:
    line, got = judge(answers, PACKAGES)
    assert got == code
    assert said in line
    assert "\n" not in line


def test_the_locks_are_read_whole() -> None:
    for name in ("requirements.lock", "requirements-test.lock", "scripts/dev/audit.lock"):
        text = (ROOT / name).read_text()
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        assert len(pinned(text)) == len(lines) > 20, name
    assert judge([answer(*ALL)], {})[1] == 2


def test_the_command_tells_by_line_and_exit_code(tmp_path: Path) -> None:
    """As `scripts/dev/audit` calls it: alone, outside of the package."""
    (tmp_path / "lock").write_text("# pinned\nnumpy==2.4.6\n")
    (tmp_path / "pypi.json").write_text("")
    (tmp_path / "osv.json").write_text(answer(skipped("numpy")))
    command = [
        sys.executable,
        "-I",
        ROOT / "scripts/dev/pip_audit_result.py",
        "pypi.json",
        "osv.json",
        "--",
        "lock",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "not audited: no advisory source answered (1 packages)\n")
    (tmp_path / "osv.json").write_text(answer(clean("numpy", "2.4.6")))
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 0
