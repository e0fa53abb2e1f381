"""Hashes of large model files are computed once, and anew when the file changes."""

import hashlib
import os
from pathlib import Path

import pytest

from clinicnum.scripts.commands.inference import file_hashes


def test_a_large_file_is_read_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(file_hashes, "LARGE", 4)
    read: list[Path] = []
    real = file_hashes.sha256_file
    monkeypatch.setattr(file_hashes, "sha256_file", lambda path: (read.append(path), real(path))[1])
    weights = tmp_path / "model.safetensors"
    for content in (b"first", b"second"):
        weights.write_bytes(content)
        for _ in range(2):
            assert file_hashes.cached_sha256(weights) == hashlib.sha256(content).hexdigest()
    assert len(read) == 2
    (tmp_path / "cache" / "clinicnum" / "hashes.json").write_text("torn {")
    assert file_hashes.cached_sha256(weights) == hashlib.sha256(b"second").hexdigest()


def test_without_a_cache_that_can_be_written_the_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").write_text("a file, no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(file_hashes, "LARGE", 4)
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(b"weights")
    assert file_hashes.cached_sha256(weights) == hashlib.sha256(b"weights").hexdigest()
    assert os.path.isfile(tmp_path / "cache")
