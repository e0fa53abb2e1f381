"""Tell whether the demo of a folder runs already, and where its pages are: its process holds a lock there."""

import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from clinicnum.errors import InputError
from clinicnum.inference.generations_file_lock import LockHeld, check_free, file_lock
from clinicnum.scripts.commands.common.demo_accounts import print_accounts

RUNNING = ".clinicnum-demo-runs"
"""The file, in the demo's folder, that a running demo locks; in it is the address of the pages."""
HOST = "127.0.0.1"


@contextmanager
def running_demo(out: Path, pages: str) -> Iterator[None]:
    """Hold the folder's lock during the block; its file has the address of the pages, for whoever finds it
    locked. Raises LockHeld if another process holds the lock.
    """
    out.mkdir(parents=True, exist_ok=True)
    with file_lock(out / RUNNING, alone=True) as held:
        held.truncate(0)
        held.write(pages.encode())
        yield


def runs_already(out: Path, database: str, *, fresh: bool) -> bool:
    """Whether the demo of this folder runs in another process; if so, print where.

    Raises InputError if it runs although `fresh` asks to delete its folder.
    """
    try:
        check_free(out / RUNNING)
        return False
    except LockHeld:
        pages = (out / RUNNING).read_text(encoding="utf-8")
    if fresh:
        raise InputError(f"the demo in {out} runs; stop it with Ctrl+C in its terminal, then try again")
    typer.echo(f"The demo in {out} runs already, in another terminal, where Ctrl+C stops it.")
    if pages and _answers(pages):
        print_accounts([], pages, database)
    elif pages:
        typer.echo(f"It is still being made; its pages will be at {pages}")
    return True


def check_port(port: int) -> None:
    """Raise InputError if another program listens on the port."""
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((HOST, port))
        except OSError as error:
            raise InputError(
                f"{HOST}:{port} is taken by another program ({error.strerror}), not by the demo of this "
                f"folder; end that, or add --port {port % 65535 + 1} to the command of the demo"
            ) from error


def _answers(pages: str) -> bool:
    """Whether pages of clinicnum answer at the address by now."""
    try:
        with urllib.request.urlopen(f"{pages}health", timeout=5) as answer:  # noqa: S310  http://127.0.0.1
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError, ValueError):
        return False
