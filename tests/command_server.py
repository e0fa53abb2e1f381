"""Imports what commands need once, and is then forked for every program of `PROGRAMS` that a shell calls.

Each call is the command itself, as a process of its own: it has the caller's folder, environment and streams.
Usage: python -m tests.command_server SOCKET MODULE...
"""

import atexit
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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


def _begin(call: dict[str, Any], streams: list[int]) -> int:
    """Fork the process of a call; its number."""
    child = os.fork()
    if child:
        return child
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.chdir(call["folder"])
    os.environ.clear()
    os.environ.update(call["environment"])
    code = _run(call["program"], call["arguments"])
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _answer(connection: socket.socket) -> None:
    """Run one call; end it if the caller is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    call, streams, *_ = socket.recv_fds(connection, 1 << 20, 3)
    child = _begin(json.loads(call), streams)
    for stream in streams:
        os.close(stream)
    connection.send(str(child).encode())
    process = os.pidfd_open(child)
    ready, _, _ = select.select([connection, process], [], [])
    if process not in ready:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if process in ready:
        connection.send(str(os.waitstatus_to_exitcode(status)).encode())


def main() -> None:
    """Serve calls until this process is ended."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    _import_all(sys.argv[2:])
    listener.bind(sys.argv[1])
    listener.listen(32)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        connection, _ = listener.accept()
        if os.fork():
            connection.close()
            continue
        listener.close()
        _answer(connection)
        os._exit(0)


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
