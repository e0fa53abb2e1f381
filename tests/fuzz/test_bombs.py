"""Small files that become large: each is refused in one line, in bounded memory."""

import io
import subprocess
import sys
import textwrap
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from tests.fuzz.judging import lay_out
from tests.fuzz.readers import READERS

MEMORY = 2 << 30
"""Address space of a process with numpy and scipy in it: these reserve 1 GB and more."""
DEEP = 200_000
_GIGABYTE = 1 << 30

BY_NAME = {reader.name: reader for reader in READERS}
Bomb = tuple[str, str, str, Callable[[], bytes]]
"""Reader, the file it reads, what the bomb is, its bytes."""


def _zeros(before: bytes = b"") -> bytes:
    """A gigabyte of zeros, deflated to a thousandth: a megabyte of them a thousand times."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    begun = packer.compress(before) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return begun + block * (_GIGABYTE >> 20) + packer.flush()


_GZIP = b"\x1f\x8b\x08\0\0\0\0\0\0\3"


def _zip(*names: str, content: bytes = b"x", link: bool = False) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o120777 if link else 0o644) << 16
            archive.writestr(entry, content)
    return out.getvalue()


def _zip_bomb(name: str, told: int | None = None) -> bytes:
    """One entry of a gigabyte; its size as it is, or as it is `told`."""
    raw = _zeros()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, b"0" * 64)
    whole = bytearray(packed.getvalue())
    head, tail = 30 + len(name), whole.index(b"PK\1\2")
    size = (told or _GIGABYTE).to_bytes(4, "little")
    for at in (18, tail + 20):
        whole[at : at + 4] = len(raw).to_bytes(4, "little")
        whole[at + 4 : at + 8] = size
    end = whole.index(b"PK\5\6")
    moved = (head + len(raw)).to_bytes(4, "little")
    whole[end + 16 : end + 20] = moved
    return bytes(whole[:head]) + raw + bytes(whole[tail:])


def _laughs(before: str) -> bytes:
    """A billion of them in ten lines of YAML."""
    lines = ["a0: &a0 lol"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    return f"{before}{textwrap.indent(chr(10).join(lines), '  ').lstrip()}\n".encode()


def _csv(reader: str, file: str) -> list[Bomb]:
    """A field of 30 MB and a million columns."""
    return [
        (reader, file, "a field of 30 MB", lambda: b'item,"' + b"x" * 30_000_000 + b'"\n'),
        (reader, file, "a million columns", lambda: b"a," * 1_000_000 + b"b\n" + b"1," * 1_000_000 + b"1\n"),
        (reader, file, "a quote that never ends", lambda: b'"' + b"a,b\n" * 1_000_000),
    ]


def _json(reader: str, file: str) -> list[Bomb]:
    return [
        (reader, file, "deep lists", lambda: b"[" * DEEP),
        (reader, file, "deep objects", lambda: b'{"a":' * DEEP),
        (reader, file, "a huge number", lambda: b"9" * 2_000_000),
        (reader, file, "a huge exponent", lambda: b'{"id": 1E+999999999, "rows": [1e999]}'),
    ]


def _yaml(reader: str, file: str, before: str) -> list[Bomb]:
    return [
        (reader, file, "a billion laughs", lambda: _laughs(before)),
        (reader, file, "deep lists", lambda: before.encode() + b"[" * DEEP),
        (reader, file, "deep blocks", lambda: before.encode() + b"- " * DEEP),
        (reader, file, "a huge number", lambda: before.encode() + b"version: " + b"9" * 2_000_000),
    ]


def _named(reader: str, file: str, bombs: dict[str, Callable[[], bytes]]) -> list[Bomb]:
    return [(reader, file, what, make) for what, make in bombs.items()]


_SAMPLE = "samples/1_epoch_1.json"
BOMBS: list[Bomb] = [
    *_named(
        "records, MIMIC-IV-ED in gzip",
        "ed/vitalsign.csv.gz",
        {
            "a gigabyte of zeros in gzip": lambda: _GZIP + _zeros(),
            "a gigabyte in one quoted cell": lambda: _GZIP + _zeros(b'"'),
            "a gigabyte in one line": lambda: _GZIP + _zeros(b"subject_id,"),
        },
    ),
    *_named(
        "a bundle's archive",
        "b.zip",
        {
            "a gigabyte in a megabyte": lambda: _zip_bomb("manifest.json"),
            "a gigabyte that says it has 64 bytes": lambda: _zip_bomb("manifest.json", told=64),
            "a path that leads outside": lambda: _zip("../../manifest.json"),
            "an absolute path": lambda: _zip("/etc/manifest.json"),
            "a link": lambda: _zip("manifest.json", content=b"/etc/passwd", link=True),
            "a name that leads back": lambda: _zip("manifest.json", "a/../manifest.json"),
            "a million entries told": lambda: _zip("a").replace(b"\1\0\1\0", b"\xff\xff\xff\xff"),
        },
    ),
    *_named(
        "answers, Inspect .eval",
        "inspect.eval",
        {
            "a gigabyte in a megabyte": lambda: _zip_bomb(_SAMPLE),
            "a gigabyte that says it has 64 bytes": lambda: _zip_bomb(_SAMPLE, told=64),
            "deep lists": lambda: _zip(_SAMPLE, content=b"[" * DEEP),
        },
    ),
    *_csv("labels.csv", "labels.csv"),
    *_csv("labels, long", "l.csv"),
    *_csv("lint, another's CSV", "robbench.csv"),
    *_csv("records, CSV", "ward.csv"),
    *_csv("notes, CSV", "n.csv"),
    *_csv("a preview of items", "q.csv"),
    *_json("a preview of items", "q.csv"),
    *_json("instances", "bench.jsonl"),
    *_json("labels, Label Studio", "l.json"),
    *_json("an earlier check of the audit", "audit.json"),
    *_json("labels, Potato", "out/ann/user_state.json"),
    *_json("a report", "report.json"),
    *_json("items, points", "p.jsonl"),
    *_json("notes, JSONL", "n.jsonl"),
    *_yaml("templates", "some.yaml", "- id: x\n  "),
    *_yaml("a draft as YAML", "draft.yaml", "- id: x\n  "),
    *_yaml("a taxonomy", "taxonomy.yaml", "id: x\n"),
]

_TRY = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
from pathlib import Path
from tests.fuzz.test_bombs import BY_NAME
from tests.fuzz.judging import read
for name, folder in {cases!r}:
    try:
        print(read(BY_NAME[name], Path(folder)).encode("ascii", "backslashreplace").decode())
    except BaseException as error:
        print(f"RAISED {{type(error).__name__}}: {{error}}")
"""


def _plant(reader: str, file: str, folder: Path, content: bytes) -> None:
    if reader.startswith("records, MIMIC"):
        lay_out(BY_NAME[reader], folder)
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / file).write_bytes(content)


def test_every_bomb_is_refused_in_bounded_memory(tmp_path: Path) -> None:
    """All in one process: what one of them holds on to, the next one lacks."""
    cases = []
    for number, (reader, file, _, make) in enumerate(BOMBS):
        folder = tmp_path / str(number)
        _plant(reader, file, folder, make())
        cases.append((reader, str(folder)))
    code = _TRY.format(memory=MEMORY, cases=cases)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    for (reader, _, what, _), said in zip(BOMBS, done.stdout.splitlines(), strict=True):
        assert said != "read", (reader, what)
        assert not said.startswith("RAISED"), (reader, what, said)


def test_these_bombs_are_what_they_are_called() -> None:
    assert len(_zeros()) < 2_000_000
    unpacked = zlib.decompressobj(-15)
    assert len(unpacked.decompress(_zeros(b"begun"), 5 << 20)) == 5 << 20
    with zipfile.ZipFile(io.BytesIO(_zip_bomb("a.json"))) as archive:
        assert archive.getinfo("a.json").file_size == _GIGABYTE
