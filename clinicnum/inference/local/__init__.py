"""The local client: transformers and accelerate on CPU or GPUs, greedy decoding or sampling, continuous
batching.

`client.py` is the front. `loading.py` brings model and tokenizer into memory; `prompt_tokens.py` makes tokens
of prompts; `batch_planning.py` orders them and finds what they share; `kv_cache.py`, `prefill.py` and
`continuous_batching.py` are the engine, `sampling.py` draws tokens at a temperature; `plain_generate.py`
serves architectures the engine cannot; `detokenize.py` turns token ids into completions.
"""

from clinicnum.optional_dependencies import explain_missing

with explain_missing():
    from clinicnum.inference.local.client import LocalClient
    from clinicnum.inference.local.devices import (
        DtypeName,
        compute_device,
        default_batch_tokens,
        resolve_dtype,
    )
    from clinicnum.inference.local.loading import ends_and_window, load_tokenizer
    from clinicnum.inference.local.prompt_tokens import chat_text, token_counts

__all__ = [
    "DtypeName",
    "LocalClient",
    "chat_text",
    "compute_device",
    "default_batch_tokens",
    "ends_and_window",
    "load_tokenizer",
    "resolve_dtype",
    "token_counts",
]
