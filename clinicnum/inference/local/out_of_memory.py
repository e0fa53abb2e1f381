"""Running out of memory, as torch says it."""


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error is an allocation that failed, on a GPU or on the host."""
    import torch

    text = str(error)
    return (
        isinstance(error, (torch.OutOfMemoryError, MemoryError))
        or "DefaultCPUAllocator" in text
        or "bad_alloc" in text
    )


def release() -> None:
    """Hand back what the allocators keep for later."""
    import gc

    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
