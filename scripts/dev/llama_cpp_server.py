"""llama.cpp's server for comparison with the local client: eight slots, same weights, same machine."""

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

SLOTS = 8
PATIENCE_S = 120


@contextmanager
def serving(binary: Path, gguf: Path, model: Path) -> Iterator[Any]:
    """Start a llama.cpp server with `SLOTS` slots, each with the model's full window; yields a client of it.

    Raises SystemExit if it ends, or does not answer within PATIENCE_S seconds.
    """
    from clinicnum.inference.openai import OpenAIClient

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [binary, "--model", gguf, "--port", str(port), "--host", "127.0.0.1", "--parallel", str(SLOTS)]
    command += ["--ctx-size", str(SLOTS * _window(model)), "--jinja", "--alias", "small"]
    server = subprocess.Popen(  # noqa: S603  the binary that was named
        [str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _await(f"http://127.0.0.1:{port}/health", server)
        yield OpenAIClient(f"http://127.0.0.1:{port}/v1", "small", concurrency=SLOTS, timeout_s=3_600)
    finally:
        server.terminate()
        server.wait(timeout=30)


def _window(model: Path) -> int:
    from transformers import AutoConfig

    return int(AutoConfig.from_pretrained(model, local_files_only=True).max_position_embeddings)


def _await(url: str, server: "subprocess.Popen[bytes]") -> None:
    """Wait until the server answers. Exits with an error message if it ends or does not answer in time."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until and server.poll() is None:
        try:
            with urlopen(url, timeout=5) as answer:  # noqa: S310  loopback
                if answer.status == 200:
                    return
        except (URLError, OSError):
            pass
        time.sleep(0.3)
    raise SystemExit(f"llama.cpp's server did not start: {server.args!r}")
