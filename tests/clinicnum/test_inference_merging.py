"""Shards of ranks: written side by side, joined into one file, at no moment lost or doubled."""

import fcntl
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from clinicnum.errors import InputError
from clinicnum.inference.generations_file_lock import LockHeld, file_lock
from clinicnum.inference.generations_journal import complete_lines, open_journal
from clinicnum.inference.merge_shards import Merged, merge, merge_if_last
from clinicnum.inference.shards import Part, find_shards, shard_path
from clinicnum.io.jsonl import meta_path, read_meta
from tests.clinicnum.answering import generation, instance
from tests.clinicnum.test_inference_journal import IDENTITY, KNOWN

FIRST, SECOND = Part(0, 2), Part(1, 2)


def _write(out: Path, part: Part | None, *numbers: int, text: str = "110") -> frozenset[str]:
    """What one process does: open, append these instances, close; return what was done before."""
    with open_journal(out, identity=IDENTITY, session={"part": part}, known=KNOWN, part=part) as journal:
        for number in numbers:
            journal.write(generation(text, of=instance(number)))
        return journal.done


def _ids(path: Path) -> list[str]:
    return [line.generation.instance_id for line in complete_lines(path)]


def test_ranks_write_apart_and_one_file_is_left(tmp_path: Path) -> None:
    out = tmp_path / "g.jsonl"
    _write(out, None, 0)
    assert _write(out, FIRST, 1, 2) == {"i0"}
    assert _write(out, SECOND, 3) == {"i0", "i1", "i2"}
    assert merge(out) == Merged(shards=2, added=3, total=4)
    assert _ids(out) == ["i0", "i1", "i2", "i3"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.jsonl", "g.jsonl.meta.json"]
    assert [session["part"] for session in (read_meta(out) or {})["sessions"]] == [None, [0, 2], [1, 2]]
    assert _write(out, None, 4) == {"i0", "i1", "i2", "i3"}


def test_another_number_of_ranks_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "g.jsonl"
    _write(out, FIRST, 1)
    _write(out, Part(2, 3), 2)
    assert _write(out, SECOND, 3) == {"i1", "i2"}
    assert merge(out).total == 3
    assert sorted(_ids(out)) == ["i1", "i2", "i3"]


def test_nobody_joins_while_a_rank_writes_and_the_last_one_does(tmp_path: Path) -> None:
    out = tmp_path / "g.jsonl"
    with open_journal(out, identity=IDENTITY, session={}, known=KNOWN, part=FIRST) as journal:
        journal.write(generation("110", of=instance(1)))
        _write(out, SECOND, 2)
        with pytest.raises(LockHeld, match="another process is writing it"):
            merge(out)
        assert merge_if_last(out) is None
        with pytest.raises(InputError, match="another process is writing it"):
            _write(out, None)
        with pytest.raises(InputError, match=r"rank-0-of-2\.jsonl: another process is writing it"):
            _write(out, FIRST)
        with pytest.raises(InputError, match=r"rank-0-of-2\.jsonl: another process is writing it"):
            _write(out, Part(0, 3))
        journal.write(generation("110", of=instance(3)))
    assert merge_if_last(out) is not None
    assert merge_if_last(out) is None
    assert sorted(_ids(out)) == ["i1", "i2", "i3"]


def test_a_file_that_was_replaced_before_it_was_locked_is_opened_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A merge that ends between the opening and the locking puts another file in its place."""
    out, new = tmp_path / "g.jsonl", tmp_path / "new"
    out.write_text("old")
    new.write_text("new")
    lock = fcntl.flock

    def late(handle: BinaryIO, kind: int) -> None:
        if new.exists():
            new.replace(out)
        lock(handle, kind)

    monkeypatch.setattr(fcntl, "flock", late)
    with file_lock(out, alone=True) as handle:
        handle.seek(0)
        assert handle.read() == b"new"


def test_nobody_writes_the_joined_file_before_the_shards_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "g.jsonl"
    _write(out, FIRST, 1)
    _write(out, SECOND, 2)
    unlink, tried = Path.unlink, []

    def watched(path: Path, missing_ok: bool = False) -> None:
        if "rank" in path.name:
            with pytest.raises(LockHeld):
                _write(out, None, 3)
            tried.append(path.name)
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", watched)
    assert merge(out).total == 2
    assert len(tried) == 4


def _refused(out: Path, expected: str) -> None:
    before = {path.name: path.read_bytes() for path in out.parent.iterdir()}
    with pytest.raises(InputError, match=expected) as caught:
        merge(out)
    assert "\n" not in str(caught.value)
    after = {path.name: path.read_bytes() for path in out.parent.iterdir() if path.stat().st_size}
    assert after == {name: content for name, content in before.items() if content}


def test_what_does_not_belong_together_is_refused_and_kept(tmp_path: Path) -> None:
    out, shard = tmp_path / "g.jsonl", shard_path(tmp_path / "g.jsonl", SECOND)
    _refused(out, r"no shards beside it .*; there is nothing to merge")
    _write(out, FIRST, 1)
    _write(out, SECOND, 2)
    meta = json.loads(meta_path(shard).read_text())
    meta_path(shard).write_text(json.dumps(meta | {"dtype": "bfloat16"}))
    _refused(out, "rank-1-of-2.jsonl: belongs to another run: dtype was")
    meta_path(shard).unlink()
    _refused(out, r"rank-1-of-2.jsonl: exists without .*meta\.json")
    meta_path(shard).write_text(json.dumps(meta))
    lines = shard.read_bytes()
    shard.write_bytes(lines + generation("120", of=instance(1)).model_dump_json().encode() + b"\n")
    _refused(out, r"rank-1-of-2\.jsonl:2: another generation of instance i1 than in g\.rank-0-of-2\.jsonl")
    shard.write_bytes(lines + generation("1", of=instance(3), run="r2").model_dump_json().encode() + b"\n")
    _refused(out, "a generation of run r2, expected r1")
    shard.write_bytes(lines + b'{"torn')
    assert merge(out).total == 2


KILLED = """
import os, signal, sys
from pathlib import Path
from clinicnum.inference.merge_shards import merge
folder, last = Path(sys.argv[1]), int(sys.argv[2])
NOTABLE = {"open", "os.rename", "os.remove", "os.truncate", "fcntl.flock"}
for step in range(last):
    child = os.fork()
    if child == 0:
        left = step
        def hook(event, arguments):
            global left
            if event in NOTABLE and str(arguments[0]).startswith((str(folder / str(step)), "3", "4", "5")):
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)
        sys.addaudithook(hook)
        merge(folder / str(step) / "g.jsonl")
        os._exit(0)
    print(step, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
STEPS = 40


@pytest.mark.parametrize("before", [(0,), ()], ids=["onto a file", "into a new file"])
def test_killed_at_any_step_it_loses_nothing_and_is_finished_later(
    tmp_path: Path, before: tuple[int, ...]
) -> None:
    """A process kills itself with SIGKILL before the n-th file operation of the merge, for each n."""
    out = tmp_path / "0" / "g.jsonl"
    out.parent.mkdir()
    if before:
        _write(out, None, *before)
    _write(out, FIRST, 1, 2)
    _write(out, SECOND, 3)
    for step in range(1, STEPS):
        shutil.copytree(out.parent, tmp_path / str(step))
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path), str(STEPS)], capture_output=True, text=True, check=True
    )
    codes = [int(line.split()[1]) for line in done.stdout.splitlines()]
    killed = codes.count(-9)
    assert codes == [-9] * killed + [0] * (STEPS - killed)
    assert 10 < killed < STEPS
    for step in range(killed):
        _check_whole(tmp_path / str(step) / "g.jsonl", {f"i{number}" for number in (*before, 1, 2, 3)})


def _check_whole(out: Path, expected: set[str]) -> None:
    found = {name for path in [out, *(shard for _, shard in find_shards(out))] for name in _ids(path)}
    assert found == expected
    # The next start of any kind finds all of it, whichever files are left.
    assert _write(out, FIRST) == found
    merge(out)
    assert sorted(_ids(out)) == sorted(found)
    parts: list[Any] = [session["part"] for session in (read_meta(out) or {})["sessions"]]
    assert {str(part) for part in parts} >= {"[0, 2]", "[1, 2]"}
    assert sorted(path.name for path in out.parent.iterdir()) == ["g.jsonl", "g.jsonl.meta.json"]
