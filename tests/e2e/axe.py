"""axe-core, fetched once with npm into the user's cache, pinned by version and SHA-256; never kept here."""

import hashlib
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from scripts.small_model import cache_folder

VERSION = "4.14.1"
SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
"""Of `axe.min.js`."""
GRAVE = ("serious", "critical")


def axe_script() -> str:
    """The script's text. Where it cannot be had, the test is skipped by name, and fails in CI."""
    kept = cache_folder() / f"axe-core-{VERSION}.min.js"
    if not kept.exists():
        problem = _fetch(kept)
        if problem is not None:
            if os.environ.get("CI") == "true":
                pytest.fail(problem)
            pytest.skip(problem)
    found = hashlib.sha256(kept.read_bytes()).hexdigest()
    assert found == SHA256, f"{kept}: SHA-256 is {found}; expected {SHA256}: delete it"
    return kept.read_text(encoding="utf-8")


def _fetch(kept: Path) -> str | None:
    """Put it into the cache; None, or why not."""
    npm = shutil.which("npm")
    if npm is None:
        return "axe-core is not there and npm is not installed"
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [npm, "pack", "--silent", f"axe-core@{VERSION}"], cwd=folder, capture_output=True, text=True
        )
        if done.returncode:
            return f"npm could not fetch axe-core {VERSION}: {done.stderr.strip()[-200:]}"
        with tarfile.open(Path(folder) / f"axe-core-{VERSION}.tgz") as packed:
            script = packed.extractfile("package/axe.min.js")
            assert script is not None
            content = script.read()
    kept.parent.mkdir(parents=True, exist_ok=True)
    beside = kept.with_suffix(f".{os.getpid()}")
    beside.write_bytes(content)
    beside.replace(kept)
    return None


def grave_violations(page: Page, script: str) -> list[str]:
    """What axe-core finds serious or critical on the page as it stands: rule, and where."""
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(script)
    found: list[dict[str, Any]] = page.evaluate(
        "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
    )
    return [
        f"{one['id']} ({one['impact']}): {node['target']} {node['html'][:120]} {node['failureSummary'][:300]}"
        for one in found
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]
