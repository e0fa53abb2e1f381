"""What the tests of faults break: a full disk, a writer that holds the database, a clock set back."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import pytest
from sqlalchemy import Engine

from clinicnum.db.rows import base

PAGE = os.sysconf("SC_PAGE_SIZE")
HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""
POSTGRES_HOLDER = """
import psycopg, sys
with psycopg.connect(sys.argv[1]) as connection:
    connection.execute("LOCK TABLE assignment, login_failure, setting IN ACCESS EXCLUSIVE MODE")
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def small_file_system(folder: Path, size: int) -> Iterator[Path]:
    """A real file system of so many bytes; skips the test by name where none can be mounted."""
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small file system")
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"a small file system cannot be mounted here: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path, *, but_for: int = 0) -> Path:
    """Take all pages of the file system but these; unlink what is returned to make room."""
    filler = folder / "filler"
    free = os.statvfs(folder).f_bfree
    filler.write_bytes(b"x" * PAGE * max(0, free - but_for))
    return filler


@contextmanager
def held(engine: Engine) -> Iterator[None]:
    """Another process holds the database for writing until the block ends."""
    if engine.dialect.name == "sqlite":
        command = [sys.executable, "-c", HOLDER, str(engine.url.database)]
    else:
        address = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        command = [sys.executable, "-c", POSTGRES_HOLDER, address]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        try:
            yield
        finally:
            holder.stdin.close()
            holder.wait()


def set_clock(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> None:
    """Let the database's clock run this much ahead of, or behind, the real one."""

    class Moved(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.now(tz) + by

    monkeypatch.setattr(base, "datetime", Moved)
