"""A temporary PostgreSQL cluster for a test or benchmark, and ways to kill its processes."""

import os
import pwd
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import psycopg

from clinicnum.errors import InputError

START_S = 300
_CLIENTS = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname = %s"


def postgres_binary(name: str) -> str | None:
    """Path of the program: on PATH, or where Debian keeps the newest version; None if it is not installed."""
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(installed[-1]) if installed else None)


def _unprivileged() -> dict[str, Any]:
    """Process options that start a program as the user `postgres`, as PostgreSQL refuses to run as root.

    Empty unless this process is root.
    """
    if os.geteuid() != 0:
        return {}
    account = pwd.getpwnam("postgres")
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


@dataclass(frozen=True)
class Cluster:
    """A PostgreSQL cluster that listens only on a socket in its folder."""

    folder: Path
    durable: bool
    """Whether a commit waits for the disk, which only tests of a power failure need."""

    def url(self, database: str) -> str:
        """The address of a database in it."""
        return f"postgresql://clinicnum@/{database}?host={quote(str(self.folder), safe='')}"

    def admin(self, database: str = "postgres") -> "psycopg.Connection[Any]":
        """A connection in autocommit mode."""
        return psycopg.connect(f"host={self.folder} user=clinicnum dbname={database}", autocommit=True)

    def make(self) -> None:
        """Create the data folder of the PostgreSQL cluster and start its server.

        Raises InputError if PostgreSQL is not installed or does not start.
        """
        if who := _unprivileged():
            os.chown(self.folder, who["user"], who["group"])
        how = ("-A", "trust", "-U", "clinicnum", "-E", "UTF8", "--no-sync")
        self._run("initdb", "-D", self._data, *how)
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers, even if processes of a killed server still exist.

        Raises InputError if PostgreSQL is not installed or, with the end of its log, has not started after
        START_S seconds.
        """
        settings = f"-c listen_addresses='' -c unix_socket_directories={self.folder}"
        settings += "" if self.durable else " -c fsync=off"
        log, deadline = str(self.folder / "log"), time.monotonic() + START_S
        while True:
            try:
                return self._run("pg_ctl", "-D", self._data, "-l", log, "-o", settings, "-w", "start")
            except subprocess.CalledProcessError:
                if time.monotonic() > deadline:
                    raise InputError(f"PostgreSQL does not start: {Path(log).read_text()[-500:]}") from None
                time.sleep(0.2)

    def stop(self) -> None:
        """Stop it immediately."""
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")

    def kill_backend(self, database: str, dice: random.Random) -> None:
        """Kill the process of one connection with SIGKILL: PostgreSQL then ends all others and recovers from
        its log.
        """
        connection = self.admin()
        pids = sorted(pid for (pid,) in connection.execute(_CLIENTS, (database,)))
        if pids:
            os.kill(dice.choice(pids), signal.SIGKILL)
            with suppress(psycopg.Error):
                while True:  # until the server has noticed
                    connection.execute("SELECT 1")
        connection.close()

    def kill(self) -> None:
        """Kill its main process with SIGKILL; the others notice and end. `start` starts it again."""
        os.kill(int((self.folder / "data" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)

    def wait(self) -> None:
        """Wait until it answers again. Raises TimeoutError if it does not within START_S seconds."""
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            try:
                with self.admin() as connection:
                    connection.execute("SELECT 1")
                    return
            except psycopg.Error:
                time.sleep(0.05)
        raise TimeoutError("PostgreSQL does not answer")

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def _run(self, name: str, *words: str) -> None:
        program = postgres_binary(name)
        if program is None:
            raise InputError(f"PostgreSQL's {name} is not on the path; install PostgreSQL")
        # S603: PostgreSQL's own program, with arguments made here.
        subprocess.run(  # noqa: S603
            [program, *words],
            check=True,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,  # its messages are in its log file
            **_unprivileged(),
        )


@contextmanager
def throwaway_cluster(*, durable: bool = False) -> Iterator[Cluster]:
    """A cluster that is deleted at the end of the block. With `durable`, a commit waits for the disk.

    Raises InputError if PostgreSQL is not installed or does not start.
    """
    with TemporaryDirectory(prefix="cn-pg-") as made:
        cluster = Cluster(Path(made), durable)
        cluster.make()
        try:
            yield cluster
        finally:
            cluster.stop()
