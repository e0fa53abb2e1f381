"""A disk that fills while a run writes: one line, what was done is kept, it goes on when there is room."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from clinicnum.errors import InputError
from clinicnum.inference.generations_journal import Journal, complete_lines, open_journal
from clinicnum.io.jsonl import write_jsonl
from clinicnum.scripts.cli import run_command
from tests.clinicnum.answering import generation, instance
from tests.clinicnum.test_inference_journal import IDENTITY
from tests.runs.conftest import SETTINGS, questions, texts

FEW = 6
PAGE = os.sysconf("SC_PAGE_SIZE")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 16 pages."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small file system")
    mount = ["mount", "-t", "tmpfs", "-o", f"size={16 * PAGE}", "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"a small file system cannot be mounted here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def _fill(folder: Path, *, but_for: int) -> Path:
    """Take all pages of the disk but these."""
    free = os.statvfs(folder).f_bfree
    filler = folder / "filler"
    filler.write_bytes(b"x" * PAGE * (free - but_for))
    assert os.statvfs(folder).f_bfree == but_for
    return filler


def test_a_run_on_a_full_disk_says_so_and_goes_on_later(
    small_disk: Path,
    tmp_path: Path,
    small_model: Path,
    unbroken: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    bench, out = tmp_path / "bench.jsonl", small_disk / "g.jsonl"
    # Long ids make long lines, three of which are more than a page.
    named = [one.model_copy(update={"instance_id": f"{one.instance_id:_<1500}"}) for one in questions(FEW)]
    write_jsonl(bench, named, {"seed": 0})
    arguments = ["run", "--benchmark", str(bench), "--model", str(small_model), "--out", str(out), *SETTINGS]
    filler = _fill(small_disk, but_for=3)
    assert run_command(arguments) == 2
    said = capfd.readouterr().err.strip().splitlines()
    errors = [line for line in said if line.startswith("error:")]
    assert errors == said[-1:]
    assert "could not be written (No space left on device)" in errors[0]
    kept = out.read_bytes()
    lines = kept.count(b"\n")
    assert 0 < lines < FEW
    assert kept.endswith(b"\n")
    filler.unlink()
    assert run_command(arguments) == 0
    assert f"{lines} of {FEW} are done already" in capfd.readouterr().err
    assert out.read_bytes().startswith(kept)
    said_before = texts(unbroken)
    found = {name.rstrip("_"): text for name, text in texts(out).items()}
    assert found == {f"i{number}": said_before[f"i{number}"] for number in range(FEW)}


def _write_on(journal: Journal) -> None:
    for number in range(98):
        journal.write(generation("x" * 1_000, of=instance(number)))


def test_a_line_that_did_not_fit_leaves_nothing_of_itself(small_disk: Path) -> None:
    out, known = small_disk / "g.jsonl", frozenset(f"i{n}" for n in range(99))
    with open_journal(out, identity=IDENTITY, session={}, known=known) as journal:
        filler = _fill(small_disk, but_for=3)
        with pytest.raises(InputError, match="make room and repeat the command") as caught:
            _write_on(journal)
        assert "\n" not in str(caught.value)
        kept = list(complete_lines(out))
        assert len(kept) > 5
        assert out.read_bytes() == b"".join(line.raw for line in kept)
        filler.unlink()
        journal.write(generation("110", of=instance(98)))
    assert [line.generation.instance_id for line in complete_lines(out)][-1] == "i98"
