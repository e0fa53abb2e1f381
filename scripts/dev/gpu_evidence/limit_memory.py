"""Limit memory: of a clinicnum command from some stage on, or, on a GPU, of all other processes.

    python -m clinicnum.scripts.dev.gpu_evidence.limit_memory load|prefill|decode BYTES ARGUMENTS...
    python -m clinicnum.scripts.dev.gpu_evidence.limit_memory fill BYTES

The first runs `clinicnum ARGUMENTS` and allows it BYTES more than it uses when the stage begins: by torch's
allocator on a GPU, by the process's data size on a CPU. The second occupies the GPU except BYTES until its
standard input ends.
"""

import resource
import sys
from collections.abc import Callable, Iterator
from typing import Any

_BLOCK = 64 << 20


def main(stage: str, size: int, arguments: list[str]) -> int:
    """Run the command; returns its exit code."""
    if stage == "fill":
        fill(size)
        return 0
    import transformers
    import transformers.models.llama.modeling_llama  # not to be loaded with little memory

    from clinicnum.inference.local import client, forward_pass
    from clinicnum.scripts.cli import run_command

    if stage == "load":
        weights = transformers.AutoModelForCausalLM
        weights.from_pretrained = _limiting(weights.from_pretrained, size)
    else:
        step = "read" if stage == "prefill" else "step"
        complete = client.LocalClient.complete

        def begin(self: Any, *given: Any, **named: Any) -> Iterator[Any]:
            # From here on, as the trial that a client makes of its model reads and steps too.
            setattr(forward_pass.Stepper, step, _limiting(getattr(forward_pass.Stepper, step), size))
            return complete(self, *given, **named)

        client.LocalClient.complete = begin  # type: ignore[method-assign]
    return run_command(arguments)


def _limiting(function: Callable[..., Any], size: int) -> Callable[..., Any]:
    """The function, whose first call sets the limit."""
    fresh = [True]

    def limited(*given: Any, **named: Any) -> Any:
        if fresh:
            fresh.clear()
            limit(size)
        return function(*given, **named)

    return limited


def limit(size: int) -> None:
    """Allow this process `size` bytes more than it uses."""
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()
        all_there = torch.cuda.mem_get_info()[1]
        torch.cuda.set_per_process_memory_fraction((torch.cuda.memory_reserved() + size) / all_there)
        return
    with open("/proc/self/status", encoding="ascii") as lines:
        held = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmData:"))
    resource.setrlimit(resource.RLIMIT_DATA, (held + size, resource.RLIM_INFINITY))


def fill(left: int) -> None:
    """Occupy the GPU's memory except `left` bytes until standard input ends; prints `full` once done."""
    import torch

    held = []
    try:
        while torch.cuda.mem_get_info()[0] > left + _BLOCK:
            held.append(torch.empty(_BLOCK, dtype=torch.uint8, device="cuda"))
    except torch.OutOfMemoryError:
        pass  # somebody else took the rest
    print("full", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
