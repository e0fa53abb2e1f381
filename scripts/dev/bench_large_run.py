"""A run over a million instances: seconds and memory to plan it, resume it near its end, and estimate it.

Usage: python -m clinicnum.scripts.dev.bench_large_run [--instances 1000000] [--left 1000]

Each step is a process of its own. The server answers at once, so that only clinicnum is measured: reading the
benchmark and the journal, building requests, writing.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from clinicnum.inference.generations_journal import complete_lines
from clinicnum.inference.runner import generation_id
from clinicnum.io.jsonl import read_jsonl, read_meta, write_meta
from clinicnum.types import Generation, Instance

LIMIT = 2
"""Instances that the first run answers."""


class Answers(BaseHTTPRequestHandler):
    """A server that answers `7` to every request."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._say({"data": [{"id": "model"}]})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        choice = {"message": {"role": "assistant", "content": "7"}, "finish_reason": "stop"}
        self._say({"model": "model", "choices": [choice], "usage": {"completion_tokens": 1}})

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _say(self, body: object) -> None:
        text = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def make_benchmark(path: Path, count: int) -> None:
    """Write a benchmark file of `count` instances: those of a real benchmark, repeated under other ids."""
    command = [sys.executable, "-m", "clinicnum.scripts.cli", "generate", "--preset", "small"]
    subprocess.run([*command, "--seed", "1", "--out", str(path)], check=True, capture_output=True)  # noqa: S603
    made = [*read_jsonl(path, Instance)]
    with path.open("w", encoding="utf-8") as out:
        for number in range(count):
            one = made[number % len(made)]
            out.write(one.model_copy(update={"instance_id": f"{number:016x}"}).model_dump_json() + "\n")
    write_meta(path, {"credentialed": False})


def finished(out: Path, run_id: str, count: int) -> Iterator[str]:
    """Yield the lines of a generations file for the first `count` instances, as a run would have written
    them.
    """
    sample = next(complete_lines(out)).generation
    for number in range(count):
        own = {"instance_id": f"{number:016x}", "generation_id": generation_id(run_id, f"{number:016x}")}
        yield Generation(**(sample.model_dump() | own)).model_dump_json() + "\n"


def step(what: str, *arguments: str) -> None:
    """Run a `clinicnum` command and print its seconds and its peak memory in MiB, labelled with `what`.

    Raises SystemExit with the end of its messages if it fails.
    """
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime, time.monotonic()
    script = (
        "import resource, sys; from clinicnum.scripts.cli import run_command\n"
        "code = run_command(sys.argv[1:]); used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "print(used // 1024, file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"{what}: {done.stderr[-500:]}")
    seconds = time.monotonic() - started
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    print(f"{what}: {seconds:.1f} s, {cpu:.1f} s of processor, {done.stderr.split()[-1]} MB", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--instances", type=int, default=1_000_000)
    parser.add_argument("--left", type=int, default=1_000)
    given = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        bench, out = Path(folder) / "bench.jsonl", Path(folder) / "g.jsonl"
        make_benchmark(bench, given.instances)
        print(f"{given.instances:,} instances, {bench.stat().st_size / 2**30:.2f} GiB", flush=True)
        run = ["run", "--benchmark", str(bench), "--client", "openai", "--model", "model", "--out", str(out)]
        run += ["--base-url", f"http://127.0.0.1:{server.server_port}/v1", "--concurrency", "64"]
        step(f"start, the first {LIMIT}", *run, "--limit", str(LIMIT))
        run_id = str((read_meta(out) or {})["run_id"])
        lines = finished(out, run_id, given.instances - given.left)
        whole = "".join([next(lines) for _ in range(LIMIT)])
        with out.open("w", encoding="utf-8") as handle:
            handle.write(whole)
            handle.writelines(lines)
        step(f"dry run with {given.left:,} left", *run, "--dry-run")
        step(f"the last {given.left:,}", *run)
        total = sum(1 for _ in complete_lines(out))
        print(f"{total:,} generations, each instance once: {total == given.instances}")


if __name__ == "__main__":
    main()
