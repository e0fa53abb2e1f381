"""What `scripts/test --fast` leaves out, and that both commands are documented."""

import sys
from pathlib import Path

import pytest

from tests.slow import FOLDERS, SECONDS, TESTS, TOGETHER, is_slow_file, taken_together

ROOT = Path(__file__).parents[1]
STARTERS = ("playwright", "throwaway_cluster(", "ensure_small_model(", "import transformers_server")
"""What a file says that starts a browser, a PostgreSQL or a model."""


def test_readme_and_script_know_both_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "\nscripts/test          #" in readme
    assert "\nscripts/test --fast   #" in readme
    assert 'if [ "${1:-}" = --fast ]; then\n    shift\n    set -- -m "not slow" "$@"\n' in (
        ROOT / "scripts" / "test"
    ).read_text(encoding="utf-8")


def test_every_slow_file_is_there() -> None:
    assert [name for name in (*FOLDERS, *SECONDS) if not (TESTS / name).exists()] == []
    there = [path.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py")]
    beginnings = [one for files in TOGETHER.values() for one in files]
    assert [one for one in beginnings if not any(name.startswith(one) for name in there)] == []


def test_files_that_start_the_same_models_are_taken_together() -> None:
    runs, own = TOGETHER
    assert {taken_together(name) for name in ("runs/test_ray.py", "test_demo.py")} == {runs}
    assert taken_together("clinicnum/test_inference_local.py") == own
    assert taken_together("clinicnum/test_inference_shards.py") == "clinicnum/test_inference_shards.py"


def test_no_fast_file_starts_a_browser_a_database_server_or_a_model() -> None:
    helpers = {TESTS / "conftest.py", Path(__file__)}
    fast = [path for path in TESTS.rglob("*.py") if not is_slow_file(path) and path not in helpers]
    assert len(fast) > 100
    found = [
        f"{path.relative_to(TESTS)}: {word}"
        for path in fast
        for word in STARTERS
        if word in path.read_text(encoding="utf-8")
    ]
    assert found == []


def test_a_fast_run_loads_no_browser_driver(request: pytest.FixtureRequest) -> None:
    if request.config.option.markexpr != "not slow":
        pytest.skip("only where slow files are left out")
    assert "playwright" not in sys.modules


def test_a_test_on_postgresql_or_with_a_model_is_slow(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        slow = item.get_closest_marker("slow") is not None
        assert slow or not {"model_server", "postgres_folder", "small_model"} & set(
            getattr(item, "fixturenames", ())
        )
        assert slow or "[postgresql" not in item.nodeid
