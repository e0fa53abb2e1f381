"""Imports what commands need once, and is then forked for every program of `PROGRAMS` that a shell calls.

Each call is the command itself, as a process of its own: it has the caller's folder, environment and streams.
Usage: python -m tests.command_server SOCKET MODULE...
"""

import atexit
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

PROGRAMS = ("clinicnum", "torchrun", "transformers")
CLIENT = """#!{python} -IS
import json, os, signal, socket, sys
server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
server.connect({address!r})
call = {{"program": {program!r}, "arguments": sys.argv[1:], "folder": os.getcwd()}}
call["environment"] = dict(os.environ)
socket.send_fds(server, [json.dumps(call).encode()], [0, 1, 2])
process = int(server.recv(100))
for number in (signal.SIGTERM, signal.SIGINT):
    signal.signal(number, lambda number, _: os.kill(process, number))
code = int(server.recv(100) or -signal.SIGKILL)
sys.exit(code if code >= 0 else 128 - code)
"""
"""What stands on the PATH in the place of a program."""


ROOT = Path(__file__).parents[1]
STARTS_WITHIN_S = 240


def _import_all(modules: list[str]) -> None:
    gc.disable()  # what is imported stays
    for module in modules:
        importlib.import_module(module)
    gc.collect()
    gc.freeze()
    gc.enable()


def _run(program: str, arguments: list[str]) -> int:
    """Run a program in this process; its exit code."""
    sys.argv = [program, *arguments]
    try:
        if program == "torchrun":
            from torch.distributed.run import main as torchrun

            torchrun(arguments)
            return 0
        if program == "transformers":
            from transformers.cli.transformers import main as transformers

            transformers()
            return 0
        from clinicnum.scripts.cli import main

        main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except Exception:  # noqa: BLE001 - it ends as in a process of its own
        traceback.print_exc()
        return 1
    return 0


class _Server:
    """Forks the process of each call, tells how it ends, and kills it if the caller is gone."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._ready = selectors.DefaultSelector()
        self._ready.register(listener, selectors.EVENT_READ, self._accept)
        self._connections: set[socket.socket] = set()

    def serve(self) -> None:
        """Serve calls until this process is ended."""
        while True:
            for key, _ in self._ready.select():
                key.data()

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        self._connections.add(connection)
        told, streams, *_ = socket.recv_fds(connection, 1 << 20, 3)
        if told:
            self._begin(connection, json.loads(told), streams)
        else:  # it was gone at once
            self._forget(connection)
        for stream in streams:
            os.close(stream)

    def _begin(self, connection: socket.socket, told: dict[str, Any], streams: list[int]) -> None:
        child = os.fork()
        if child == 0:
            try:
                self._ready.close()
                for one in (self._listener, *self._connections):
                    one.close()
                _perform(told, streams)
            finally:  # never on with the calls of others
                os._exit(1)
        process = os.pidfd_open(child)
        self._ready.register(process, selectors.EVENT_READ, partial(self._ended, child, process, connection))
        self._ready.register(connection, selectors.EVENT_READ, partial(self._gone, child, connection))
        with suppress(OSError):  # gone: that is read next
            connection.send(str(child).encode())

    def _gone(self, child: int, connection: socket.socket) -> None:
        os.kill(child, signal.SIGKILL)
        self._ready.unregister(connection)

    def _ended(self, child: int, process: int, connection: socket.socket) -> None:
        _, status = os.waitpid(child, 0)
        self._ready.unregister(process)
        os.close(process)
        with suppress(OSError):  # gone: it asked for the end
            connection.send(str(os.waitstatus_to_exitcode(status)).encode())
        with suppress(KeyError):
            self._ready.unregister(connection)
        self._forget(connection)

    def _forget(self, connection: socket.socket) -> None:
        self._connections.remove(connection)
        connection.close()


def _perform(told: dict[str, Any], streams: list[int]) -> NoReturn:
    """Be the process of a call."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.chdir(told["folder"])
    os.environ.clear()
    os.environ.update(told["environment"])
    code = _run(told["program"], told["arguments"])
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def main() -> None:
    """Serve calls until this process is ended."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    _import_all(sys.argv[2:])
    listener.bind(sys.argv[1])
    listener.listen(32)
    _Server(listener).serve()


def call(address: Path, program: str, arguments: Sequence[str], streams: Sequence[int]) -> socket.socket:
    """Call a program. The connection tells the number of its process, then its exit code, as text; the
    process is killed if the connection is closed before.
    """
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connection.connect(str(address))
    told = {"program": program, "arguments": arguments, "folder": str(Path.cwd())}
    socket.send_fds(connection, [json.dumps(told | {"environment": dict(os.environ)}).encode()], streams)
    return connection


@contextmanager
def command_server(address: Path, *modules: str) -> Iterator[Path]:
    """Start the process that is forked for commands, with these modules imported.

    Yields the folder with what stands on the PATH in the place of the programs; the process ends with the
    block.
    """
    programs = address.with_name(f"{address.name}-programs")
    programs.mkdir()
    for program in PROGRAMS:
        client = CLIENT.format(python=sys.executable, address=str(address), program=program)
        (programs / program).write_text(client, encoding="utf-8")
        (programs / program).chmod(0o755)
    # Waiting threads that spin would fight with whatever else the machine does.
    quiet = {"OMP_WAIT_POLICY": "PASSIVE", "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-m", "tests.command_server", str(address), *modules]
    server = subprocess.Popen(command, cwd=ROOT, env=os.environ | quiet)
    try:
        deadline = time.monotonic() + STARTS_WITHIN_S
        while not address.exists():
            assert server.poll() is None, "the process that is forked for commands has ended"
            assert time.monotonic() < deadline, f"it did not start within {STARTS_WITHIN_S} s"
            time.sleep(0.05)
        yield programs
    finally:
        server.kill()
        server.wait()


if __name__ == "__main__":
    main()
