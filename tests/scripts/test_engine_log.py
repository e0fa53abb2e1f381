"""What is told of an engine that did not start: the reason that its log has, wherever it stands there."""

import sys
from pathlib import Path

import pytest

from clinicnum.errors import InputError
from clinicnum.scripts.commands.inference.engines.arguments import ENGINES
from clinicnum.scripts.commands.inference.engines.process import EngineProcess

VLLM = """\
(EngineCore pid=1431) ERROR 11-26 13:56:01 [core.py:1330] EngineCore failed to start.
(EngineCore pid=1431)     from vllm.v1.attention.backends.flashinfer import FlashInferBackend
(EngineCore pid=1431)   File "vllm/v1/attention/backends/flashinfer.py", line 12, in <module>
(EngineCore pid=1431)     from flashinfer import (
(EngineCore pid=1431) ModuleNotFoundError: No module named 'flashinfer'
(APIServer pid=823)   File "vllm/v1/engine/utils.py", line 1272, in wait_for_engine_startup
(APIServer pid=823)     raise RuntimeError(
(APIServer pid=823) RuntimeError: Engine core initialization failed. See root cause above.
"""
"""Of the log of vLLM 0.26.0 in an environment without flashinfer, on an H200, 26 November 2026."""


def test_the_reason_is_told_and_not_the_line_that_points_at_it(tmp_path: Path) -> None:
    written = tmp_path / "vllm.txt"
    written.write_text(VLLM, encoding="utf-8")
    says = "import pathlib, sys; print(pathlib.Path(sys.argv[1]).read_text()); sys.exit(1)"
    command = [sys.executable, "-c", says, str(written)]
    engine = EngineProcess(ENGINES["vllm"], command, log=tmp_path / "log")
    with pytest.raises(InputError) as told:
        engine.start()
    engine.stop()
    assert str(told.value).startswith(
        "vllm did not start (exit code 1; its log says: (EngineCore pid=1431) ModuleNotFoundError: "
        "No module named 'flashinfer'); see "
    )


def test_no_line_is_quoted_of_an_engine_that_was_killed(tmp_path: Path) -> None:
    says = "import os; print('WARNING: Found ulimit of 20000', flush=True); os.kill(os.getpid(), 9)"
    engine = EngineProcess(ENGINES["vllm"], [sys.executable, "-c", says], log=tmp_path / "log")
    with pytest.raises(InputError) as told:
        engine.start()
    engine.stop()
    assert str(told.value).startswith(
        "vllm did not start (killed, as a machine does when its memory is full); see "
    )
