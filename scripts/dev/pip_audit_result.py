"""Combine the outputs of pip-audit: a package counts as audited only if a source knew its pinned version.

Uses the standard library only: `scripts/dev/audit` runs it in an environment without clinicnum.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

CLEAN, FAILED, NOTHING, NOT_AUDITED = 0, 1, 2, 3
"""Exit codes."""
_PINNED = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^]]*\])?==([^\s;#]+)")


def pinned(lock: str) -> dict[str, str]:
    """Version by name of every package pinned in a lock file."""
    found = (_PINNED.match(line.strip()) for line in lock.splitlines())
    return {_plain(one[1]): one[2] for one in found if one}


def judge(answers: list[str], packages: dict[str, str]) -> tuple[str, int]:
    """A summary line and the exit code for these packages, from the sources' answers (JSON or other text)."""
    if not packages:
        return "error: the locks pin no package; expected lines such as numpy==2.4.6", NOTHING
    audited: set[str] = set()
    vulnerable: dict[str, set[str]] = {}
    for one in (entry for answer in answers for entry in _entries(answer)):
        name = _plain(str(one.get("name", "")))
        # Without its version and a list of advisories, a package was skipped, whatever the reason.
        if str(one.get("version")) != packages.get(name) or not isinstance(one.get("vulns"), list):
            continue
        audited.add(name)
        for known in one["vulns"]:
            vulnerable.setdefault(name, set()).add(str(known.get("id")))
    if not audited:
        return f"not audited: no advisory source answered ({len(packages)} packages)", NOT_AUDITED
    skipped = sorted(packages.keys() - audited)
    parts = [f"{len(audited)} of {len(packages)} packages audited", f"{len(vulnerable)} vulnerable"]
    parts.append(f"{len(skipped)} skipped")
    named = [f"{name} {', '.join(sorted(ids))}" for name, ids in sorted(vulnerable.items())]
    named += [f"{name} skipped" for name in skipped]
    line = ", ".join(parts) + (f": {'; '.join(named)}" if named else "")
    return line, FAILED if named else CLEAN


def _entries(answer: str) -> list[dict[str, Any]]:
    try:
        entries = json.loads(answer)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return []
    return [one for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []


def _plain(name: str) -> str:
    """A package name, normalised as in PEP 503."""
    return re.sub(r"[-_.]+", "-", name).lower()


def main(arguments: list[str]) -> int:
    """Arguments: files with pip-audit's JSON outputs, `--`, lock files. Prints the summary line and returns
    the exit code.
    """
    split = arguments.index("--")
    answers = [Path(one).read_text(encoding="utf-8") for one in arguments[:split]]
    packages: dict[str, str] = {}
    for lock in arguments[split + 1 :]:
        packages |= pinned(Path(lock).read_text(encoding="utf-8"))
    line, code = judge(answers, packages)
    print(line)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
