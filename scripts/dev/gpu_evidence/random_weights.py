"""A model folder of a given size with random weights from a seed, and the small model's tokenizer.

Output rows of special tokens are zero: their logit 0 is never the largest of fifty thousand, so no text ends
early, whatever engine runs it and whichever tokens it stops at. Generation penalties are included, as in many
published models, to show that they change nothing.
"""

import shutil
from pathlib import Path
from typing import Any

from clinicnum.scripts.dev.bench_decoding_against_bandwidth import SHAPES

MADE: dict[str, dict[str, Any]] = SHAPES | {
    "tiny": SHAPES["tiny"]
    | {"hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 4, "initializer_range": 0.1}
}
"""`tiny` is larger here, as its vocabulary is the small model's: 27 M parameters."""
PENALTIES = {"repetition_penalty": 1.7, "no_repeat_ngram_size": 2, "temperature": 0.3, "do_sample": True}


def make_model(folder: Path, size: str, seed: int, device: str, tokenizer_of: Path) -> Path:
    """The folder, created if missing; it appears only when complete.

    The same seed gives the same weights on the same kind of device and version of torch.
    """
    if (folder / "config.json").is_file():
        return folder
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig, LlamaConfig

    tokenizer = AutoTokenizer.from_pretrained(tokenizer_of, local_files_only=True)
    shape = MADE[size] | {"vocab_size": len(tokenizer), "tie_word_embeddings": False}
    special = {"eos_token_id": tokenizer.eos_token_id, "bos_token_id": tokenizer.bos_token_id}
    torch.manual_seed(seed)
    with torch.device(device):
        model = AutoModelForCausalLM.from_config(LlamaConfig(**shape, **special), dtype=torch.bfloat16)
    with torch.no_grad():
        model.get_output_embeddings().weight[sorted(tokenizer.added_tokens_decoder)] = 0
    model.generation_config = GenerationConfig(**PENALTIES, **special, pad_token_id=tokenizer.pad_token_id)
    scratch = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(scratch, ignore_errors=True)
    model.save_pretrained(scratch)
    tokenizer.save_pretrained(scratch)
    scratch.rename(folder)
    return folder
