"""The worker that `clinicnum serve` starts: begun again when it dies, gone with the server."""

import os
import re
import shutil
import signal
import urllib.error
import urllib.request
from pathlib import Path

from clinicnum.db.engine import make_engine, writing
from clinicnum.db.work.accounts.users import add_user
from tests.jobs.performing import enqueue, summary
from tests.jobs.workers import job_process, wait_for, worker_processes
from tests.processes import start_command


def test_server_and_worker_killed_and_started_again_end_the_job(
    sqlite_template: Path, tmp_path: Path
) -> None:
    path = tmp_path / "served.db"
    shutil.copy(sqlite_template, path)
    url, log, files = f"sqlite:///{path}", tmp_path / "log", tmp_path / "files"
    engine = make_engine(url)
    with writing(engine) as session:
        user = add_user(session, name="res", role="researcher", password="password1").user_id
    job = enqueue(engine, user, "generate", preset="paper")

    def serve() -> int:
        arguments = ("serve", "--db", url, "--port", "0", "--files", str(files))
        started = start_command(*arguments, out=log, error=log)
        assert started.pid is not None
        return started.pid

    server = serve()
    wait_for("the job", lambda: job_process(job) is not None)
    (worker,) = worker_processes(files)
    os.kill(worker, signal.SIGKILL)
    wait_for("another worker", lambda: worker_processes(files) not in ([], [worker]))
    wait_for("the job once more", lambda: summary(engine, user, job).attempt == 2)
    os.kill(server, signal.SIGKILL)
    wait_for("all to end", lambda: not worker_processes(files) and job_process(job) is None)
    assert summary(engine, user, job).status == "queued"
    server = serve()
    wait_for("its end", lambda: summary(engine, user, job).status == "done")
    os.kill(server, signal.SIGTERM)
    wait_for("the worker to end with it", lambda: not worker_processes(files))
    engine.dispose()


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=60):
            return True
    except urllib.error.URLError:
        return False


def test_ctrl_c_is_answered_by_what_it_did(tmp_path: Path) -> None:
    log = tmp_path / "log"
    arguments = ("serve", "--no-worker", "--db", f"sqlite:///{tmp_path / 'served.db'}", "--port", "0")
    server = start_command(*arguments, out=log, error=log)
    assert server.pid is not None
    wait_for("the pages", lambda: log.exists() and "(stop with Ctrl+C)" in log.read_text())
    wait_for("the first admin's link", lambda: "no admin yet" in log.read_text())
    found = re.search(r"clinicnum is at (\S+) ", log.read_text())
    assert found is not None
    wait_for("an answer", lambda: answers(f"{found[1]}health"))  # it serves, and so answers the key itself
    os.kill(server.pid, signal.SIGINT)
    server.join(60)
    assert server.exitcode == 130
    assert log.read_text().rstrip().endswith("clinicnum has stopped. The same command opens the pages again.")
