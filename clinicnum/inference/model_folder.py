"""A model on disk: whether a folder holds one, and the fingerprint that identifies it."""

import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.io.jsonl import sha256_file

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)
_PARTS = ("*.json", "*.jinja", "*.safetensors", "*.bin", "*.model", "*.txt", "*.gguf")


def gguf_file(model: Path) -> Path | None:
    """The GGUF file that `model` is, or the only model file in the folder; None for other folders."""
    if model.is_file():
        return model if model.suffix == ".gguf" else None
    found = [] if (model / "config.json").is_file() else sorted(model.glob("*.gguf"))
    return found[0] if len(found) == 1 else None


def check_model_folder(folder: Path) -> None:
    """Raise InputError unless `folder` holds a transformers model (a config, a tokenizer and weights), or is
    or holds one GGUF file."""
    if gguf_file(folder):
        return
    if folder.is_file():
        raise InputError(
            f"model {folder}: a file that does not end in .gguf; expected a transformers model folder or a "
            "GGUF file",
            on_command_line="--model",
        )
    if not folder.is_dir():
        how = (
            "python -m clinicnum.scripts.commands.common.install_small_model makes one and prints where it is"
        )
        if _HUB_NAME.fullmatch(str(folder)):
            how = (
                f"`hf download {folder} --local-dir {folder}` fetches one of that name from the Hugging Face "
                "hub, `pip install huggingface_hub` brings hf; then give the same command again"
            )
        raise InputError(
            f"model {folder}: no such folder; expected a transformers model folder on this machine ({how})",
            on_command_line="--model",
        )
    weights = [*folder.glob("*.safetensors"), *folder.glob("*.bin")]
    missing = [name for name in ("config.json", "tokenizer_config.json") if not (folder / name).is_file()]
    if not weights:
        missing.append("*.safetensors")
    if missing:
        raise InputError(
            f"model {folder}: not a transformers model folder, it lacks {', '.join(missing)}; "
            "name a complete one",
            on_command_line="--model",
        )


def model_fingerprint(folder: Path, hash_file: Callable[[Path], str] = sha256_file) -> str:
    """SHA-256 over names and contents of config, tokenizer, chat template and weights.

    The whole of the weights is read: two fine-tunings of one model differ in nothing else. `hash_file` gives
    the SHA-256 of a file, perhaps from an earlier reading.
    """
    own = {path for pattern in _PARTS for path in folder.glob(pattern)}
    files = [folder] if folder.is_file() else sorted(own)
    digest = sha256()
    for path in files:
        digest.update(f"{path.name} {hash_file(path)}\n".encode())
    return digest.hexdigest()
