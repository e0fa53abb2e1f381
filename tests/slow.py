"""Which tests are slow: by folder, by what they start, and by the time that their file was seen to take."""

from pathlib import Path

import pytest

FOLDERS = ("e2e", "runs")
"""A server, a browser or a killed process in each test."""

STARTS = {"browser", "model_server", "postgres_folder", "server", "small_model", "standing_server"}
"""Fixtures that start a program or load a model."""

SECONDS = {
    "clinicnum/test_hidden.py": 130,
    "clinicnum/test_inference_local_engine.py": 110,
    "clinicnum/test_inference_openai.py": 65,
    "clinicnum/test_calibration.py": 25,
    "clinicnum/test_inference_local.py": 23,
    "clinicnum/test_gold_property.py": 20,
    "clinicnum/test_inference_merging.py": 10,
    "clinicnum/test_inference_openai_faults.py": 10,
    "clinicnum/test_inference_openai_llama.py": 10,
    "clinicnum/test_inference_local_loading.py": 10,
    "clinicnum/test_inference_local_planning.py": 10,
    "clinicnum/test_inference_local_texts.py": 10,
}
"""Files of more than a few seconds, of one core, imports included."""

TESTS = Path(__file__).parent


def is_slow_file(path: Path) -> bool:
    """Whether all of a file or folder is slow."""
    place = path.relative_to(TESTS)
    return place.parts[:1] != () and (place.parts[0] in FOLDERS or place.as_posix() in SECONDS)


def is_slow(item: pytest.Item) -> bool:
    """Whether a test is slow: its file is, or it asks for something that is."""
    asked = set(getattr(item, "fixturenames", ()))
    parameters = getattr(item, "callspec", None)
    on_postgresql = parameters is not None and parameters.params.get("database_url") == "postgresql"
    return is_slow_file(item.path) or on_postgresql or bool(asked & STARTS)


def longest_first(item: pytest.Item) -> int:
    """Sorts files so that none of the long ones is begun last, while other workers have nothing left."""
    place = item.path.relative_to(TESTS)
    return -SECONDS.get(place.as_posix(), 1000 if place.parts[0] in FOLDERS else 0)
