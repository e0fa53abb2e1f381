"""Requests per second, and CPU time per request, of `clinicnum run` against a server on this machine.

Usage: python -m clinicnum.scripts.dev.bench_client [--instances 20000] [--at-once 512] [--beside PYTHON]

The server is a separate process that answers each request after 50 ms, so that 512 at once could get 10,240
answers per second: the limit is clinicnum. `--beside` names the Python of another installation of clinicnum,
measured alternately with this one on the same requests.
"""

import argparse
import asyncio
import json
import multiprocessing
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

from clinicnum.scripts.dev.bench_large_run import make_benchmark

ANSWER_S = 0.05
_MODELS = json.dumps({"data": [{"id": "model"}]}).encode()
_ANSWER = json.dumps(
    {
        "model": "model",
        "choices": [{"message": {"role": "assistant", "content": "7"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 1},
    }
).encode()


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one connection's requests until it closes."""
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(
                (line for line in head.lower().splitlines() if line.startswith(b"content-length:")), None
            )
            if length:
                await reader.readexactly(int(length.split(b":")[1]))
                await asyncio.sleep(ANSWER_S)
            body = _ANSWER if length else _MODELS
            writer.write(
                b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
                + body
            )
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


def _server(port_to: Connection) -> None:
    async def listen() -> None:
        server = await asyncio.start_server(_serve, "127.0.0.1", 0, backlog=4_096)
        port_to.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(listen())


def measure(python: str, benchmark: Path, address: str, at_once: int, out: Path) -> tuple[float, float]:
    """Run the command with one installation's Python; returns (requests per second while asking, CPU
    milliseconds per request for the whole command).

    If the command fails, the program exits with its messages.
    """
    command = [python, "-m", "clinicnum.scripts.cli", "run", "--client", "openai", "--base-url", address]
    command += [
        "--model",
        "model",
        "--benchmark",
        str(benchmark),
        "--out",
        str(out),
        "--concurrency",
        str(at_once),
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    # Elsewhere than in a checkout, whose code would be found before the installation's.
    done = subprocess.run(command, cwd=out.parent, capture_output=True, text=True, check=False)  # noqa: S603
    seconds = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(done.stderr)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    meta = json.loads(out.with_name(f"{out.name}.meta.json").read_text(encoding="utf-8"))
    asking = meta.get("sessions", [{}])[-1].get("seconds", seconds)
    count = sum(1 for _ in out.open("rb"))
    return count / asking, 1_000 * used / count


def main() -> None:
    """Measure in turn, and print medians."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--instances", type=int, default=20_000)
    parser.add_argument("--at-once", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--beside", help="the Python of another installation of clinicnum")
    asked = parser.parse_args()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_server, args=(there,), daemon=True)
    server.start()
    address = f"http://127.0.0.1:{here.recv()}/v1"
    found: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as name:
        benchmark = Path(name) / "benchmark.jsonl"
        make_benchmark(benchmark, asked.instances)
        for number in range(asked.rounds):
            for python in [sys.executable, *([asked.beside] if asked.beside else [])]:
                out = Path(name) / f"out-{number}-{len(found)}-{python == asked.beside}.jsonl"
                found.setdefault(python, []).append(measure(python, benchmark, address, asked.at_once, out))
    server.kill()
    for python, rounds in found.items():
        rate, cost = (statistics.median(column) for column in zip(*rounds, strict=True))
        label = "beside" if python == asked.beside else "this"
        what = f"{rate:,.0f} requests a second at {asked.at_once} at once"
        print(f"{label}: {what}, {cost:.2f} ms of processor each")


if __name__ == "__main__":
    main()
