"""One job in a process of its own, which the worker starts: `python -m ...job_process JOB ATTEMPT FILES`.

The address of the database is in the environment, where others on this machine cannot read it.
"""

import os
import sys
from pathlib import Path

from sqlalchemy import Engine

from clinicnum.annotations.worker_jobs import ARGUMENTS, JobKind
from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.rows import JobRow
from clinicnum.db.work.jobs import job_claims
from clinicnum.db.work.jobs.job_claims import Attempt
from clinicnum.db.work.jobs.job_store import evaluator
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.inference.generations_file_lock import file_lock
from clinicnum.optional_dependencies import explain_missing
from clinicnum.scripts.commands.common.open_database import ENVIRONMENT
from clinicnum.scripts.commands.jobs.end_with_parent import when_parent_ends
from clinicnum.scripts.commands.jobs.job_context import JobContext, JobFolder
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.error_log import log_error

LOCK_PATIENCE_S = 60
"""How long to wait for the process of an earlier attempt to be gone."""


def perform(engine: Engine, files: Path, attempt: Attempt) -> None:
    """Run a job that was claimed, and store how it ended.

    Raises JobLost if this attempt is over, LockHeld if the process of an earlier attempt does not end in
    time.
    """
    folder = JobFolder.of(files, attempt.job_id)
    folder.make()
    with file_lock(folder.lock, alone=True, patience_s=LOCK_PATIENCE_S):
        try:
            with explain_missing():
                _perform(engine, files, attempt)
        except job_claims.JobLost:
            raise
        except ClinicnumError as error:
            _fail(engine, folder, attempt, _told(error))
        except OSError as error:
            _fail(
                engine,
                folder,
                attempt,
                Translatable(f"{error.filename or 'a file'}: {error.strerror or error}"),
            )
        except Exception as error:  # noqa: BLE001  any other error is ours, and its text may quote patient data
            mark = log_error(error)
            _fail(
                engine,
                folder,
                attempt,
                Translatable("something went wrong in the program (error {mark}); report this", mark=mark),
            )


def _perform(engine: Engine, files: Path, attempt: Attempt) -> None:
    from clinicnum.scripts.commands.jobs.kinds import KINDS

    with reading(engine) as session:
        row = session.get_one(JobRow, attempt.job_id)
        kind: JobKind = row.kind  # type: ignore[assignment]
        arguments = ARGUMENTS[kind].model_validate(row.arguments)
        user = evaluator(session, row.requested_by)
    if kind not in KINDS:
        raise InputError(
            f"this version of clinicnum cannot do jobs of the kind {kind!r}; install a newer one"
        )
    context = JobContext(engine, attempt, user.user_id, files)
    result = KINDS[kind](context, arguments)
    if not context.ended:
        context.end_with(lambda session: result)


def _told(error: ClinicnumError) -> Translatable:
    """The error's message, which pages translate.

    A message that is long or not printable on one line is cut, and in English only.
    """
    message, text = error.args[0], error.for_pages
    return message if isinstance(message, Translatable) and message == text else Translatable(text)


def _fail(engine: Engine, folder: JobFolder, attempt: Attempt, error: Translatable) -> None:
    print(f"failed: {error}", flush=True)
    with writing(engine) as session:
        job_claims.end_job(session, attempt, status="failed", error=error, log_tail=folder.log_tail())


def main() -> None:
    """Run the job given by the arguments."""
    from clinicnum.scripts.cli import quieten_libraries

    quieten_libraries()
    when_parent_ends(lambda: os._exit(1))
    job_id, number, files = sys.argv[1:]
    engine = make_engine(os.environ[ENVIRONMENT])
    try:
        perform(engine, Path(files), Attempt(job_id, int(number)))
    except job_claims.JobLost as error:
        print(error, flush=True)
    finally:
        engine.dispose()


if __name__ == "__main__":
    main()
