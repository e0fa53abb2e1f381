"""The generations file: each line durable, torn lines cut, one writer, one run."""

from pathlib import Path
from typing import Any

import pytest

from clinicnum.errors import InputError
from clinicnum.inference.generations_journal import check_continues, open_journal
from clinicnum.io.jsonl import meta_path, read_jsonl, read_meta
from clinicnum.types import Generation
from tests.clinicnum.answering import generation, instance

IDENTITY: dict[str, Any] = {
    "run_id": "r1",
    "model_fingerprint": "m",
    "prompt_hash": "p",
    "decoding": {"max_new_tokens": 8},
    "benchmark_sha256": "b",
    "dtype": "float32",
}
KNOWN = frozenset(f"i{n}" for n in range(9))


def _write(out: Path, *numbers: int) -> frozenset[str]:
    """Open, append these instances, close; return what was done before."""
    with open_journal(out, identity=IDENTITY, session={"device": "cpu"}, known=KNOWN) as journal:
        for number in numbers:
            journal.write(generation("110", of=instance(number)))
        return journal.done


def test_what_was_written_is_done_at_the_next_start(tmp_path: Path) -> None:
    out = tmp_path / "g.jsonl"
    assert _write(out, 1, 2) == frozenset()
    assert _write(out, 3) == {"i1", "i2"}
    assert [g.instance_id for g in read_jsonl(out, Generation)] == ["i1", "i2", "i3"]
    assert (read_meta(out) or {})["sessions"] == [{"device": "cpu"}] * 2


@pytest.mark.parametrize("kept", [0, 1, 70_000])
def test_a_torn_last_line_is_cut_off(tmp_path: Path, kept: int) -> None:
    out = tmp_path / "g.jsonl"
    _write(out, 1)
    whole = out.read_bytes()
    with out.open("ab") as handle:
        handle.write(b'{"generation_id": "r1-i2", "text": "' + b"x" * kept)
    assert _write(out) == {"i1"}
    assert out.read_bytes() == whole


def test_a_file_torn_in_its_first_line_is_emptied(tmp_path: Path) -> None:
    out = tmp_path / "g.jsonl"
    _write(out)
    out.write_bytes(b'{"generation_id')
    assert _write(out, 1) == frozenset()
    assert len(list(read_jsonl(out, Generation))) == 1


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "g.jsonl"
    with (
        open_journal(out, identity=IDENTITY, session={}, known=KNOWN),
        pytest.raises(InputError, match="another process"),
    ):
        _write(out, 1)


@pytest.mark.parametrize("key", ["model_fingerprint", "prompt_hash", "decoding", "benchmark_sha256", "dtype"])
def test_another_run_is_refused_and_the_difference_named(tmp_path: Path, key: str) -> None:
    out = tmp_path / "g.jsonl"
    _write(out, 1)
    before = out.read_bytes()
    with pytest.raises(InputError, match=f"belongs to another run: {key} was .* name another --out"):
        check_continues(out, IDENTITY | {key: "other"})
    assert out.read_bytes() == before


def test_a_file_without_meta_was_made_elsewhere(tmp_path: Path) -> None:
    out = tmp_path / "g.jsonl"
    _write(out, 1)
    meta_path(out).unlink()
    with pytest.raises(InputError, match="was made elsewhere; name another --out"):
        _write(out, 2)


def test_a_line_that_is_not_of_this_run_is_named(tmp_path: Path) -> None:
    out = tmp_path / "g.jsonl"
    _write(out, 1)
    with out.open("a") as handle:
        handle.write(generation("110", of=instance(2), run="r2").model_dump_json() + "\n")
    with pytest.raises(InputError, match=r"g\.jsonl:2: a generation of run r2, expected r1"):
        _write(out)


def test_a_doubled_line_is_named(tmp_path: Path) -> None:
    out = tmp_path / "g.jsonl"
    _write(out, 1, 1)
    with pytest.raises(InputError, match=r"g\.jsonl:2: instance i1 a second time"):
        _write(out)


def test_a_missing_folder_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist; make it or name another --out"):
        _write(tmp_path / "no" / "g.jsonl")
    assert list(tmp_path.iterdir()) == []
