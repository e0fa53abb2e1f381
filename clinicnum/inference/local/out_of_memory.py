"""Recognise that torch has run out of memory."""


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error is a failed allocation, on a GPU or on the host."""
    import torch

    text = str(error)
    return (
        isinstance(error, (torch.OutOfMemoryError, MemoryError))
        or "DefaultCPUAllocator" in text
        or "bad_alloc" in text
    )


def release() -> None:
    """Return memory that the allocators hold for reuse."""
    import gc

    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
