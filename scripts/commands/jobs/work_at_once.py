"""Do jobs in the process of a command that waits for what they make, without a worker."""

import os
import socket

from sqlalchemy import Engine

from clinicnum.annotations.worker_jobs import JobKind
from clinicnum.db.engine import writing
from clinicnum.db.work.jobs import job_claims
from clinicnum.scripts.commands.common.uploads_folder import files_folder
from clinicnum.scripts.commands.jobs.job_process import perform


def work_at_once(engine: Engine, kind: JobKind) -> None:
    """Do each waiting job of this kind; those that a living worker has begun are left to it."""
    name = f"{socket.gethostname()}-{os.getpid()}"
    while True:
        with writing(engine) as session:
            claim = job_claims.claim(session, worker=name, kinds=(kind,))
        if claim is None:
            return
        perform(engine, files_folder(engine), claim.attempt)
