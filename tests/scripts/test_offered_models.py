"""Which models the runs page offers."""

from pathlib import Path

import pytest

from clinicnum.inference.small_model import FOLDER_NAME
from clinicnum.scripts.commands.common.offered_models import offered_models


def test_models_in_the_folder_and_the_small_one_are_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    data = tmp_path / "data"
    for folder in (data / "one", data / "org" / "two", data / "a" / "b" / "three", data / ".hidden"):
        folder.mkdir(parents=True)
        for name in ("config.json", "tokenizer_config.json", "model.safetensors"):
            (folder / name).touch()
    (data / "half").mkdir()
    (data / "half" / "config.json").touch()
    (data / "four.gguf").touch()
    found = [(name, str(data / name)) for name in ("four.gguf", "one", "org/two")]
    assert offered_models(data) == tuple(found)
    small = tmp_path / "cache" / "clinicnum" / FOLDER_NAME
    small.mkdir(parents=True)
    assert offered_models(data) == (*found, (FOLDER_NAME, str(small)))
    assert offered_models(tmp_path / "none") == ((FOLDER_NAME, str(small)),)
