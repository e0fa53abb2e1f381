"""A large CSV: uploaded, looked at and imported by a job, with time and memory; one wrong row stores nothing.

`scripts/dev/evidence uploads` does it with 200 MB.
"""

import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, func, select

from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import InstanceRow
from clinicnum.db.uploads import MEGABYTE, Uploads
from clinicnum.db.work.accounts.users import add_user
from clinicnum.imports.item_preview import BEGINNING
from clinicnum.scripts.commands.common.database import ENVIRONMENT, open_database
from clinicnum.scripts.commands.common.files_folder import files_folder, uploads_folder
from clinicnum.scripts.dev.load_test.connection import Connection
from clinicnum.ui.pages.benchmarks import import_view
from tests.jobs.performing import claim, enqueue, summary
from tests.processes import ForkedServer

SIZE = int(os.environ.get("CLINICNUM_UPLOAD_MB", "2")) * MEGABYTE
PASSWORD = "a long enough password"
TEXT = "At 14:20 the heart rate was 88 bpm and blood pressure 118/76 mmHg; temperature was not taken. " * 20
HEADER = "id,question,note,gold,patient,ward\n"


@dataclass
class Ended:
    """A job's process that has ended."""

    seconds: float
    peak_mb: float


def content(*, last: str) -> Iterator[bytes]:
    """A CSV of SIZE bytes, whose last gold answer is `last`."""
    yield HEADER.encode()
    written, number = len(HEADER), 0
    while written < SIZE:
        row = f'{number},"What, in {number}?","{TEXT}",{40 + number % 99},p{number % 999},=1+1\n'
        written, number = written + len(row), number + 1
        yield row.encode()
    yield f"{number},And now?,{TEXT},{last},p0,\n".encode()


def send(server: ForkedServer, file: Path, visitor: Connection) -> str:
    cookie = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=600)
    headers = {"cookie": cookie, "content-length": str(file.stat().st_size)}
    with file.open("rb") as body:
        connection.request("POST", "/api/benchmarks/upload?name=big.csv", body, headers)
        reply = json.loads(connection.getresponse().read())
    connection.close()
    return str(reply["upload"])


def run_job(url: str, files: Path, job_id: str) -> Ended:
    """The job's process, as the worker starts it."""
    module = "clinicnum.scripts.commands.jobs.process"
    began = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-m", module, job_id, "1", str(files)],
        env={**os.environ, ENVIRONMENT: url},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    ) as process:
        # Not what `wait4` says: a process begins as a copy of the one that starts it.
        peak = 0.0
        while process.poll() is None:
            with suppress(OSError, StopIteration):
                peak = max(peak, peak_mb(process.pid))
            time.sleep(0.02)
    assert process.returncode == 0
    return Ended(time.monotonic() - began, peak)


def peak_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


@dataclass
class House:
    """A server with a researcher who is logged in."""

    engine: Engine
    url: str
    server: ForkedServer
    visitor: Connection
    user: str


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("large")
    url = f"sqlite:///{folder / 'study.db'}"
    engine = open_database(url)
    with writing(engine) as session:
        user = add_user(session, name="res", role="researcher", password=PASSWORD).user_id
    server = ForkedServer.clinicnum_serve(url, folder / "log").start()
    visitor = Connection(server.port)
    assert visitor.post_form("/login", {"name": "res", "password": PASSWORD}).status == 303
    yield House(engine, url, server, visitor, user)
    server.kill()
    visitor.close()
    engine.dispose()


@pytest.mark.parametrize("last", ["many", "120"])
def test_a_large_file_is_imported_whole_or_not_at_all(house: House, tmp_path: Path, last: str) -> None:
    file = tmp_path / "big.csv"
    with file.open("wb") as out:
        out.writelines(content(last=last))
    before, began = peak_mb(house.server.process.pid), time.monotonic()
    key = send(house.server, file, house.visitor)
    uploading, grown = time.monotonic() - began, peak_mb(house.server.process.pid) - before
    files = files_folder(house.engine)
    uploads = Uploads(uploads_folder(files))
    began = time.monotonic()
    said = look(uploads.path(uploads.find(key, owner=house.user)))
    looking = time.monotonic() - began
    asked: dict[str, Any] = {"upload": key, "file_name": "big.csv", "format": "csv-number"}
    job = enqueue(house.engine, house.user, "import_items", **asked)
    assert claim(house.engine, "import_items") is not None
    ended = run_job(house.url, files, job)
    state = summary(house.engine, house.user, job)
    with reading(house.engine) as session:
        stored = session.execute(select(func.count()).select_from(InstanceRow)).scalar_one()
    print(
        f"{file.stat().st_size / MEGABYTE:.0f} MB, last answer {last}: uploaded in {uploading:.1f} s, server "
        f"{grown:+.0f} MB; preview {looking:.1f} s; job {ended.seconds:.0f} s, {ended.peak_mb:.0f} MB, "
        f"{stored:,} instances stored, {state.status}"
    )
    assert grown < 40
    assert ended.peak_mb < 300 + 4 * SIZE / MEGABYTE
    assert ("items can be imported" in said) == (last == "120" or SIZE > BEGINNING)
    if last == "120":
        assert (state.status, state.error) == ("done", None)
        assert stored == (state.result or {})["instances"] > SIZE // 2_200
        return
    assert (state.status, stored) == ("failed", 0)
    assert (state.error or "").startswith("big.csv:")
    assert "answer is 'many'" in (state.error or "")


def look(path: Path) -> str:
    """What the page says of the file."""
    from clinicnum.imports.item_preview import find_format, preview_items

    return import_view.verdict(preview_items(path, find_format(path).format))
