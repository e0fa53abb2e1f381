"""A benchmark by its places: the same instances as when it is read whole, without holding them."""

from pathlib import Path

import pytest

from clinicnum.errors import InputError
from clinicnum.inference.benchmark_index import BenchmarkIndex
from clinicnum.io.benchmark import read_benchmark
from clinicnum.io.jsonl import sha256_file, write_jsonl
from tests.clinicnum.answering import instance


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = [instance(number, context=f"pulse {60 + number // 2} — °C\n") for number in range(6)]
    path = tmp_path / "bench.jsonl"
    write_jsonl(path, made)
    # Blank lines and Windows line ends, as editors leave them.
    path.write_bytes(b"\n" + path.read_bytes().replace(b"\n", b"\r\n") + b"\n\n")
    return path


def test_any_instance_is_read_by_its_place(path: Path) -> None:
    index, whole = BenchmarkIndex(path), [*read_benchmark(path).values()]
    assert [*index.read([4, 0, 0, 5])] == [whole[place] for place in (4, 0, 0, 5)]
    assert index.ids == [*index.places] == [one.instance_id for one in whole]
    assert len(index) == len(index.lengths) == 6
    assert index.sha256 == sha256_file(path)
    assert [*index.lengths.contexts] == [0, 0, 1, 1, 2, 2]
    assert [*index.lengths.of_context] == [len(one.context) for one in whole]
    assert [*index.lengths.of_prompt] == [len(one.context) + len(one.question) for one in whole]
    assert index.sources == {record.source for one in whole for record in one.records}


def test_what_is_no_benchmark_is_said_with_its_line(path: Path, tmp_path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"{}\n")
    with pytest.raises(InputError, match=r"bench\.jsonl:10: not a valid instance"):
        BenchmarkIndex(path)
    twice = tmp_path / "twice.jsonl"
    write_jsonl(twice, [instance(1), instance(1)])
    with pytest.raises(InputError, match="stands there twice"):
        BenchmarkIndex(twice)
    (tmp_path / "empty.jsonl").touch()
    with pytest.raises(InputError, match="holds no instances"):
        BenchmarkIndex(tmp_path / "empty.jsonl")
    with pytest.raises(InputError, match="no such file"):
        BenchmarkIndex(tmp_path / "none.jsonl")


def test_a_file_that_changes_meanwhile_is_noticed(path: Path) -> None:
    index = BenchmarkIndex(path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[2] + lines[1] + b"".join(lines[3:]))
    with pytest.raises(InputError, match="was changed while it was read"):
        [*index.read([0])]
