"""PostgreSQL's own tools: dump to a file, inspect it, restore from it."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy.engine import URL

from clinicnum.errors import InputError

COPY = re.compile(rb"COPY (?:public\.)?\"?(\w+)\"? \(.*\) FROM stdin;")
MAGIC = b"PGDMP"
"""The first bytes of a dump file."""


def dump(url: URL, file: Path, snapshot: str) -> None:
    """Dump the database, as seen by an exported snapshot, in `pg_dump`'s custom format. Raises InputError if
    that fails.
    """
    arguments = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}"]
    _run("pg_dump", [*arguments, f"--file={file}", *_address(url)], url)


def load(url: URL, file: Path) -> None:
    """Restore a dump into an empty database, completely or not at all. Raises InputError if that fails."""
    arguments = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
    _run("pg_restore", [*arguments, *_address(url), str(file)], url)


def rows_in(file: Path) -> dict[str, int]:
    """Number of rows by table in a dump, which is read to its end. Raises InputError for a damaged dump, and
    if `pg_restore` is not installed.
    """
    counted: dict[str, int] = {}
    with subprocess.Popen(  # noqa: S603  no shell, and a file of our own
        [_tool("pg_restore"), "--data-only", "--file=-", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as reading:
        assert reading.stdout is not None
        table: str | None = None
        for line in reading.stdout:
            began = COPY.match(line)
            if table is None and began:
                table = began[1].decode()
                counted[table] = 0
            elif table is not None and line == b"\\.\n":
                table = None
            elif table is not None:
                counted[table] += 1
        said = reading.communicate()[1]
    if reading.returncode:
        raise InputError(f"{file}: is no whole dump of PostgreSQL: {_last_line(said)}")
    return counted


def _address(url: URL) -> list[str]:
    """Arguments that tell the tools which database to use; the password is passed in the environment, never
    on the command line.
    """
    return [f"--dbname={url.set(drivername='postgresql', password=None).render_as_string()}"]


def _run(name: str, arguments: Sequence[str], url: URL) -> None:
    environment = os.environ | ({"PGPASSWORD": str(url.password)} if url.password else {})
    command = [_tool(name), *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)  # noqa: S603  no shell
    if done.returncode:
        raise InputError(
            f"{name} did not succeed: {_last_line(done.stderr)}; check the address and its rights"
        )


def _last_line(said: bytes) -> str:
    lines = said.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"


def _tool(name: str) -> str:
    """Path of the tool: on PATH, or where Debian keeps the newest version. Raises InputError if it is
    not installed.
    """
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = shutil.which(name) or (str(installed[-1]) if installed else None)
    if found is None:
        raise InputError(f"{name} is not installed; install PostgreSQL's client programs (postgresql-client)")
    return found
