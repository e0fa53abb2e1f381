"""The device and the number type in which a model is computed, and why."""

from typing import Literal

DtypeName = Literal["auto", "float32", "bfloat16", "float16"]
CPU_BATCH_TOKENS = 32_768
"""About 32 prompts of 900 tokens and their answers: more gain nothing on a CPU."""
GPU_BATCH_TOKENS = 262_144


def compute_device() -> str:
    """`cpu`, `cuda` (one GPU), or `auto` (accelerate spreads the model over several)."""
    import torch

    gpus = torch.cuda.device_count()
    return "cpu" if gpus == 0 else "cuda" if gpus == 1 else "auto"


def why_device(device: str) -> str:
    """The reason for the choice of `compute_device`, or that it was requested."""
    import torch

    gpus = torch.cuda.device_count()
    if device != compute_device():
        return "as asked"
    return "no GPU is visible" if gpus == 0 else "the only GPU" if gpus == 1 else f"spread over {gpus} GPUs"


def default_batch_tokens() -> int:
    """Default number of tokens in a batch if memory suffices."""
    return CPU_BATCH_TOKENS if compute_device() == "cpu" else GPU_BATCH_TOKENS


def resolve_dtype(dtype: DtypeName, stored: str | None = None) -> tuple[str, str]:
    """The number type to compute in, and why; `stored` is that of the weights.

    `auto` takes bfloat16 only where the hardware computes in it: on a CPU that has to emulate it, it ran 3
    to 6 x slower than float32 (two AVX2 cores, SmolLM2-135M). On a GPU weights stored as float16 are computed
    in it: bfloat16 would round them.
    """
    import torch

    if dtype == "bfloat16" and not torch.cuda.is_available() and not cpu_has_bfloat16():
        return dtype, "as asked; this CPU has no instructions for it, float32 is several times faster"
    if dtype != "auto":
        return dtype, "as asked"
    if torch.cuda.is_available():
        if stored == "float16":
            return "float16", "the weights are stored in it"
        if torch.cuda.is_bf16_supported(including_emulation=False):
            return "bfloat16", "this GPU computes in it"
        return "float16", "this GPU has no bfloat16"
    if cpu_has_bfloat16():
        return "bfloat16", "this CPU computes in it"
    return "float32", "this CPU has no bfloat16 instructions"


def cpu_has_bfloat16() -> bool:
    """Whether the processor multiplies bfloat16 natively."""
    import torch

    has = torch.cpu.get_capabilities()
    return bool(has.get("avx512_bf16") or has.get("amx_bf16"))


def free_bytes(device: str) -> int:
    """Free memory on the model's device, in bytes; with several GPUs, that of the fullest."""
    import torch

    if not device.startswith("cuda") and device != "auto":
        return _free_host_bytes()
    where = range(torch.cuda.device_count()) if device == "auto" else [torch.device(device)]
    return min(int(torch.cuda.mem_get_info(one)[0]) for one in where)


def _free_host_bytes() -> int:
    """Available memory as Linux reports it; elsewhere a modest guess."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            found = next(line for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        return 4 * 2**30
    return int(found.split()[1]) * 1024
