"""Imports what commands need once, and is then forked for every program of `PROGRAMS` that a shell calls.

Each call is the command itself, as a process of its own: it has the caller's folder, environment and streams.
Usage: python -m tests.docs.command_server SOCKET
"""

import atexit
import gc
import json
import os
import select
import signal
import socket
import sys
import traceback
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


def _import_all() -> None:
    gc.disable()  # what is imported stays
    import accelerate  # noqa: F401
    import transformers.models.llama.modeling_llama  # noqa: F401
    from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: F401

    import tests.preloaded  # noqa: F401

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
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            connection.send(str(os.waitstatus_to_exitcode(status)).encode())
            return
        if select.select([connection], [], [], 0.02)[0]:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return


def main() -> None:
    """Serve calls until this process is ended."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    _import_all()
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


if __name__ == "__main__":
    main()
