"""A large CSV: uploaded, looked at and imported by a job, with time and memory; one wrong row stores nothing.

While it is stored, an annotator saves. `scripts/dev/evidence uploads` does it with 200 MB.
"""

import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, func, select
from sqlmodel import col

from clinicnum.annotations.worker_jobs import Progress
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import UNFINISHED_TOO, BenchmarkRow, InstanceRow
from clinicnum.db.upload_storage import MEGABYTE, Uploads
from clinicnum.db.work.accounts.users import add_user
from clinicnum.db.work.benchmarks.benchmark_list import list_benchmarks
from clinicnum.db.work.jobs import job_claims
from clinicnum.imports.item_preview import BEGINNING
from clinicnum.scripts.commands.common.open_database import ENVIRONMENT, open_database
from clinicnum.scripts.commands.common.uploads_folder import files_folder, uploads_folder
from clinicnum.scripts.commands.jobs.job_context import JobFolder
from clinicnum.scripts.dev.load_test.browser_connection import Connection
from clinicnum.scripts.dev.load_test.http_annotator import Annotator
from clinicnum.scripts.dev.load_test.parallel_annotators import Measurements, milliseconds, work
from clinicnum.scripts.dev.load_test.synthetic_study import PASSWORD as STUDY_PASSWORD
from clinicnum.scripts.dev.load_test.synthetic_study import made_up, open_made_up
from clinicnum.ui.pages.benchmarks import import_view
from tests.jobs.performing import claim, enqueue, summary
from tests.jobs.workers import wait_for
from tests.processes import ForkedServer

SIZE = int(os.environ.get("CLINICNUM_UPLOAD_MB", "2")) * MEGABYTE
PASSWORD = "a long enough password"
ITEMS = 60 if SIZE < 20 * MEGABYTE else 1500
"""Items of the study that the annotator has, enough for as long as it is stored."""
THOUGHT_S = 0.1 if SIZE < 20 * MEGABYTE else 0.4
ALONE_S = 0.2 if SIZE < 20 * MEGABYTE else 15
TEXT = "At 14:20 the heart rate was 88 bpm and blood pressure 118/76 mmHg; temperature was not taken. " * 20
HEADER = "id,question,note,gold,patient,ward\n"


@dataclass
class Ended:
    """A job's process that has ended."""

    seconds: float
    storing_s: float
    peak_mb: float
    saves: Measurements
    """What an annotator waited who worked while the job was storing."""


def content(*, last: str, size: int = SIZE) -> Iterator[bytes]:
    """A CSV of so many bytes, whose last gold answer is `last`."""
    yield HEADER.encode()
    written, number = len(HEADER), 0
    while written < size:
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


def start_job(house: "House", files: Path, job_id: str, attempt: int = 1) -> subprocess.Popen[bytes]:
    """The job's process, as the worker starts it."""
    module = "clinicnum.scripts.commands.jobs.job_process"
    return subprocess.Popen(
        ["nice", sys.executable, "-m", module, job_id, str(attempt), str(files)],
        env={**os.environ, ENVIRONMENT: house.url},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )


def run_job(house: "House", files: Path, job_id: str) -> Ended:
    """Let the job's process end, while an annotator works as soon as it is storing."""
    began, folder, stop = time.monotonic(), JobFolder.of(files, job_id), threading.Event()
    with start_job(house, files, job_id) as process, ThreadPoolExecutor(1) as annotators:
        # Not what `wait4` says: a process begins as a copy of the one that starts it.
        peak, storing_at, saving = 0.0, None, None
        while process.poll() is None:
            with suppress(OSError, StopIteration):
                peak = max(peak, peak_mb(process.pid))
            if saving is None and (folder.read_progress() or Progress()).step == "storing":
                storing_at = time.monotonic()
                saving = annotators.submit(
                    work, [house.annotator], seconds=3600, thought_s=THOUGHT_S, stop=stop
                )
            time.sleep(0.02)
        ended = time.monotonic()
        stop.set()
        saves = saving.result() if saving else Measurements(1.0)
    assert process.returncode == 0
    return Ended(ended - began, ended - (storing_at or ended), peak, saves)


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
    annotator: Annotator


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("large")
    url = f"sqlite:///{folder / 'study.db'}"
    engine = open_database(url)
    with writing(engine) as session:
        user = add_user(session, name="res", role="researcher", password=PASSWORD).user_id
    (name,) = open_made_up(engine, made_up(ITEMS), annotators=1, overlap=1)
    server = ForkedServer.clinicnum_serve(url, folder / "log").start()
    annotator = Annotator(Connection(server.port))
    annotator.log_in(name, STUDY_PASSWORD)
    visitor = Connection(server.port)
    assert visitor.post_form("/login", {"name": "res", "password": PASSWORD}).status == 303
    yield House(engine, url, server, visitor, user, annotator)
    annotator.connection.close()
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
    alone = work([house.annotator], seconds=ALONE_S, thought_s=THOUGHT_S)
    ended = run_job(house, files, job)
    state = summary(house.engine, house.user, job)
    with reading(house.engine) as session:
        made_here = col(InstanceRow.template_id) == "number"
        count = select(func.count()).select_from(InstanceRow).where(made_here)
        stored = session.execute(count).scalar_one()
    print(
        f"{file.stat().st_size / MEGABYTE:.0f} MB, last answer {last}: uploaded in {uploading:.1f} s, server "
        f"{grown:+.0f} MB; preview {looking:.1f} s; job {ended.seconds:.0f} s, {ended.peak_mb:.0f} MB, "
        f"{stored:,} instances stored in {ended.storing_s:.0f} s, {state.status}"
    )
    for when, measured in (("before", alone), ("meanwhile", ended.saves)):
        waits = measured.waits["save"] + measured.waits["submit"]
        print(
            f"{len(waits)} saves {when}: p50 {milliseconds(waits, 0.5)}, p95 {milliseconds(waits, 0.95)}, "
            f"longest {milliseconds(waits, 1)}; {len(measured.errors)} errors"
        )
    assert grown < 40
    assert ended.peak_mb < 300 + 4 * SIZE / MEGABYTE
    assert ("items can be imported" in said) == (last == "120" or SIZE > BEGINNING)
    if last == "120":
        assert (state.status, state.error) == ("done", None)
        assert stored == (state.result or {})["instances"] > SIZE // 2_200
        assert waits
        assert not ended.saves.errors
        assert max(waits) < max(1.0, ended.storing_s / 2)
        return
    assert (state.status, stored) == ("failed", 0)
    assert (state.error or "").startswith("big.csv:")
    assert "answer is 'many'" in (state.error or "")


def test_killed_while_it_stores_nothing_is_seen_and_the_next_attempt_stores_all(
    house: House, tmp_path: Path
) -> None:
    file = tmp_path / "killed.csv"
    with file.open("wb") as out:
        out.writelines(content(last="121", size=3 * MEGABYTE))
    key, files = send(house.server, file, house.visitor), files_folder(house.engine)
    with reading(house.engine) as session:
        before = list_benchmarks(session, user_id=house.user)
    asked: dict[str, Any] = {"upload": key, "file_name": "killed.csv", "format": "csv-number"}
    job = enqueue(house.engine, house.user, "import_items", **asked)
    claimed = claim(house.engine, "import_items")
    assert claimed is not None
    with start_job(house, files, job) as process:
        wait_for("some of it", lambda: some_stored(house.engine))
        process.kill()
    assert summary(house.engine, house.user, job).status == "running"
    with reading(house.engine) as session:
        assert list_benchmarks(session, user_id=house.user) == before
    with writing(house.engine) as session:
        job_claims.put_back(session, claimed.attempt, died=True)
    assert claim(house.engine, "import_items") is not None
    with start_job(house, files, job, attempt=2) as process:
        process.wait()
    state = summary(house.engine, house.user, job)
    assert (state.status, state.error) == ("done", None)
    with reading(house.engine) as session:
        (new,) = set(list_benchmarks(session, user_id=house.user)) - set(before)
    assert new.instances == (state.result or {})["instances"] > 3 * MEGABYTE // 2_200


def some_stored(engine: Engine) -> bool:
    """Whether a benchmark is being stored."""
    unfinished = col(BenchmarkRow.storing_until).is_not(None)
    statement = select(func.count()).select_from(InstanceRow).join(BenchmarkRow).where(unfinished)
    with reading(engine) as session:
        return session.execute(statement.execution_options(**UNFINISHED_TOO)).scalar_one() > 0


def look(path: Path) -> str:
    """What the page says of the file."""
    from clinicnum.imports.item_preview import find_format, preview_items

    return import_view.verdict(preview_items(path, find_format(path).format))
