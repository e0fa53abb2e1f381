"""The command lines of engines, word for word as their documentation has them."""

from pathlib import Path

import pytest

from clinicnum.errors import InputError
from clinicnum.scripts.commands.inference.engines.arguments import (
    ENGINES,
    EngineName,
    EngineSettings,
    engine_arguments,
)

SETTINGS = EngineSettings(
    tensor_parallel=8, gpu_memory=0.9, max_model_len=8192, quantization="fp8", dtype="bfloat16"
)


def line(name: EngineName, settings: EngineSettings, *, at_once: int = 8, window: int | None = 2048) -> str:
    engine = ENGINES[name]
    found = engine_arguments(
        engine, Path("/e/bin") / engine.program, Path("/m"), settings, at_once=at_once, window=window
    )
    return " ".join(found)


def test_vllm() -> None:
    assert line("vllm", SETTINGS) == (
        "/e/bin/vllm serve /m --served-model-name model --generation-config vllm --tensor-parallel-size 8 "
        "--gpu-memory-utilization 0.9 --max-model-len 8192 --quantization fp8 --dtype bfloat16"
    )


def test_sglang() -> None:
    assert line("sglang", SETTINGS) == (
        "/e/bin/python -m sglang.launch_server --model-path /m --served-model-name model --sampling-defaults "
        "openai --tensor-parallel-size 8 --mem-fraction-static 0.9 --context-length 8192 --quantization fp8 "
        "--dtype bfloat16"
    )


def test_llama_shares_its_window_among_its_slots() -> None:
    assert line("llama.cpp", EngineSettings(arguments=("-ngl", "99"))) == (
        "/e/bin/llama-server -m /m --alias model --offline --repeat-penalty 1 -np 8 -c 16384 -ngl 99"
    )
    assert line("llama.cpp", EngineSettings(max_model_len=512), at_once=4).endswith("-np 4 -c 2048")
    with pytest.raises(InputError, match=r"--gpu-memory: llama\.cpp has no such setting here"):
        line("llama.cpp", EngineSettings(gpu_memory=0.5))
