"""Recognise that torch has run out of memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clinicnum.errors import InputError

_SIGNS = (
    *("DefaultCPUAllocator", "bad_alloc", "Cannot allocate memory"),
    *("CUDA error: out of memory", "CUDA out of memory", "cudaErrorMemoryAllocation", "HIP out of memory"),
    *("CUBLAS_STATUS_ALLOC_FAILED", "CUDNN_STATUS_ALLOC_FAILED", "CUSOLVER_STATUS_ALLOC_FAILED"),
)
"""What torch writes about a failed allocation in errors of other kinds, such as `AcceleratorError`."""


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error is a failed allocation, on a GPU or on the host."""
    import torch

    text = str(error)
    return isinstance(error, (torch.OutOfMemoryError, MemoryError)) or any(sign in text for sign in _SIGNS)


@contextmanager
def out_of_memory_errors(model: Path) -> Iterator[None]:
    """Raise InputError, with one line, if memory runs out while `model` is loaded in the block."""
    try:
        yield
    except (RuntimeError, OSError, MemoryError) as error:
        if not is_out_of_memory(error):
            raise
        raise InputError(
            f"{model}: out of memory while it was loaded; free memory, take a smaller number type or fewer "
            "bits a weight, or a machine with more memory",
            on_command_line="--dtype, --quantize",
        ) from error


def release() -> None:
    """Return memory that the allocators hold for reuse."""
    import gc

    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
