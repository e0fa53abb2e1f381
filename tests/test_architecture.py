"""The rooms keep their shape: imports run one way, no code runs at import, files stay small."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("clinicnum", "annotations", "db", "ui", "scripts")


def test_imports_run_one_way() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout


def test_no_environment_in_the_pure_rooms() -> None:
    for room in ("clinicnum", "annotations"):
        for path in (ROOT / room).rglob("*.py"):
            found = [word for word in ("os.environ", "getenv") if word in path.read_text(encoding="utf-8")]
            assert found == [], path


def test_nothing_from_outside_is_evaluated() -> None:
    forbidden = ("pickle", " eval(", "yaml.load(", "trust_remote_code=True")
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            found = [word for word in forbidden if word in path.read_text(encoding="utf-8")]
            assert found == [], path
