"""A job of the worker that keeps the processor busy while something else is measured."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine

from clinicnum.api.benchmark import generate
from clinicnum.db.engine import reading, writing
from clinicnum.db.work.accounts.users import add_user
from clinicnum.db.work.benchmarks.benchmark_storage import store_benchmark
from clinicnum.db.work.jobs.job_store import enqueue, get_job
from clinicnum.errors import InputError
from clinicnum.scripts.commands.common.install_small_model import ensure_small_model
from clinicnum.scripts.dev.load_test.synthetic_study import PASSWORD

QUOTA = "retrieval=240,arithmetic=400,comparison=300"
"""Questions that the small model is busy with for longer than any measurement."""
BEGINS_WITHIN_S = 300


@contextmanager
def running_job(engine: Engine, folder: Path) -> Iterator[None]:
    """Run a real model on a benchmark in a worker on this database during the block.

    Raises InputError if the job does not begin, or ends before the block does.
    """
    with writing(engine) as session:
        user = add_user(session, name="researcher", role="researcher", password=PASSWORD).user_id
    made = generate(preset="paper", quota=QUOTA, seed=0)
    with writing(engine) as session:
        benchmark = store_benchmark(session, meta=dict(made.meta), instances=tuple(made))
    with writing(engine) as session:
        arguments = {"benchmark_id": benchmark, "model": str(ensure_small_model()), "max_new_tokens": 64}
        job = enqueue(session, user_id=user, kind="run", arguments=arguments)
    url = engine.url.render_as_string(hide_password=False)
    command = [sys.executable, "-m", "clinicnum.scripts.cli", "worker", "--db", url]
    with (folder / "worker.log").open("wb") as log:
        worker = subprocess.Popen([*command, "--files", str(folder / "files")], stdout=log, stderr=log)  # noqa: S603
    try:
        _wait_until_it_answers(engine, user, job)
        yield
        if _state(engine, user, job)[0] != "running":
            raise InputError(
                f"the job was over too soon; see {folder / 'worker.log'} and give it more questions"
            )
    finally:
        worker.terminate()
        worker.wait()


def _wait_until_it_answers(engine: Engine, user: str, job: str) -> None:
    deadline = time.monotonic() + BEGINS_WITHIN_S
    while _state(engine, user, job) not in {("running", True)}:
        if time.monotonic() > deadline:
            raise InputError("the job did not begin to answer; see worker.log")
        time.sleep(0.5)


def _state(engine: Engine, user: str, job: str) -> tuple[str, bool]:
    """The job's status, and whether the model has answered anything yet."""
    with reading(engine) as session:
        found = get_job(session, user_id=user, job_id=job)
    return found.status, found.progress.done > 0
