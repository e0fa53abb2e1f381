"""Commands on a full disk and on files cut in the middle: one line, exit 2, nothing half made."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from clinicnum.scripts.cli import run_command
from tests.db.faults import PAGE, fill, small_file_system
from tests.scripts.study_made import QUOTA, Made, make_study


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return make_study(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="module")
def full_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file system with one page of room."""
    with small_file_system(tmp_path_factory.mktemp("full") / "disk", 64 * PAGE) as folder:
        fill(folder, but_for=2)
        yield folder


def refused(said: str) -> str:
    """The one line that standard error ends with; no traceback stands before it."""
    lines = said.strip().splitlines()
    assert [line for line in lines if line.startswith("error: ")] == lines[-1:], said
    assert "Traceback" not in said
    return lines[-1]


WRITING = {
    "generate": ("generate", "--quota", QUOTA, "--seed", "5", "--out", "{disk}/bench.jsonl"),
    "score": (
        *("score", "--benchmark", "{here}/bench.jsonl", "--generations", "{here}/generations.jsonl"),
        *("--out", "{disk}/scores.jsonl"),
    ),
    "report": ("report", "--study", "made", "--out", "{disk}/report", "--db", "{url}"),
    "export": (
        "export",
        "--study",
        "made",
        "--out",
        "{disk}/export",
        "--format",
        "csv,xlsx",
        "--db",
        "{url}",
    ),
    "bundle": ("export", "--study", "made", "--bundle", "{disk}/made.zip", "--db", "{url}"),
    "backup": ("backup", "{disk}/a.backup", "--db", "{url}"),
}


@pytest.mark.parametrize("command", WRITING)
def test_a_command_on_a_full_disk_leaves_nothing_under_its_name(
    command: str, made: Made, full_disk: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = sorted(full_disk.rglob("*"))
    places = {"disk": full_disk, "here": made.folder, "url": made.url}
    assert run_command([part.format(**places) for part in WRITING[command]]) == 2
    said = refused(capfd.readouterr().err)
    assert "No space left on device" in said or "disk" in said, said
    assert [path for path in sorted(full_disk.rglob("*")) if path not in before and not path.is_dir()] == []


READING = {
    "benchmark": (
        "score",
        "--benchmark",
        "{cut}",
        "--generations",
        "{here}/generations.jsonl",
        "--out",
        "{out}",
    ),
    "generations": ("score", "--benchmark", "{here}/bench.jsonl", "--generations", "{cut}", "--out", "{out}"),
    "scores": (
        *("robustness", "--benchmark", "{here}/bench.jsonl", "--generations", "{here}/generations.jsonl"),
        *("--scores", "{cut}"),
    ),
}


@pytest.mark.parametrize("kind", READING)
@pytest.mark.parametrize("with_meta", [True, False], ids=["with meta", "made elsewhere"])
def test_a_file_cut_in_the_middle_of_a_line_is_named_and_nothing_is_written(
    kind: str, with_meta: bool, made: Made, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = made.folder / ("bench.jsonl" if kind == "benchmark" else f"{kind}.jsonl")
    lines = whole.read_bytes().splitlines(keepends=True)
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(lines[:3]) + lines[3][: len(lines[3]) // 2])
    if with_meta:
        shutil.copy(f"{whole}.meta.json", f"{cut}.meta.json")
    before = sorted(tmp_path.iterdir())
    places = {"cut": cut, "here": made.folder, "out": tmp_path / "out.jsonl"}
    assert run_command([part.format(**places) for part in READING[kind]]) == 2
    said = refused(capfd.readouterr().err)
    assert str(cut) in said
    assert with_meta or f"{cut}:4" in said, said
    assert sorted(tmp_path.iterdir()) == before


def test_a_meta_file_cut_in_the_middle_is_named(
    made: Made, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bench = tmp_path / "bench.jsonl"
    shutil.copy(made.folder / "bench.jsonl", bench)
    meta = Path(f"{made.folder / 'bench.jsonl'}.meta.json").read_bytes()
    Path(f"{bench}.meta.json").write_bytes(meta[: len(meta) // 2])
    places = ["--generations", str(made.folder / "generations.jsonl"), "--out", str(tmp_path / "s.jsonl")]
    assert run_command(["score", "--benchmark", str(bench), *places]) == 2
    assert f"{bench}.meta.json" in refused(capfd.readouterr().err)
    assert not (tmp_path / "s.jsonl").exists()


@pytest.fixture(scope="module")
def packed(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a bundle and a backup, both whole."""
    folder = tmp_path_factory.mktemp("packed")
    assert made.run("export", "--study", made.study, "--bundle", str(folder / "whole.zip")) == 0
    assert made.run("backup", str(folder / "whole.backup")) == 0
    return folder


@pytest.mark.parametrize("part", [0.3, 0.9])
def test_a_bundle_or_a_backup_cut_in_the_middle_is_named(
    part: float, packed: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    capfd.readouterr()
    for name in ("whole.zip", "whole.backup"):
        whole = (packed / name).read_bytes()
        (tmp_path / f"cut-{name}").write_bytes(whole[: int(part * len(whole))])
    before = sorted(tmp_path.iterdir())
    assert run_command(["verify", str(tmp_path / "cut-whole.zip")]) == 2
    assert "cut-whole.zip" in refused(capfd.readouterr().err)
    target = f"sqlite:///{tmp_path / 'restored.db'}"
    assert run_command(["restore", str(tmp_path / "cut-whole.backup"), "--db", target]) == 2
    said = refused(capfd.readouterr().err)
    assert "damaged" in said or "malformed" in said, said
    assert sorted(tmp_path.iterdir()) == before
