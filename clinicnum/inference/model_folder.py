"""A model on disk: whether a folder is one, and the fingerprint that says which."""

from hashlib import sha256
from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.jsonl import sha256_file

_PARTS = ("*.json", "*.jinja", "*.safetensors", "*.bin", "*.model", "*.txt")


def check_model_folder(folder: Path) -> None:
    """Raise InputError unless `folder` holds a transformers model: a config, a tokenizer and weights."""
    if not folder.is_dir():
        raise InputError(
            f"--model {folder}: no such folder; expected a transformers model folder on this machine "
            "(python -m scripts.small_model makes a small one and prints where it is)"
        )
    weights = [*folder.glob("*.safetensors"), *folder.glob("*.bin")]
    missing = [name for name in ("config.json", "tokenizer_config.json") if not (folder / name).is_file()]
    if not weights:
        missing.append("*.safetensors")
    if missing:
        raise InputError(
            f"--model {folder}: not a transformers model folder, it lacks {', '.join(missing)}; "
            "name a complete one"
        )


def model_fingerprint(folder: Path) -> str:
    """SHA-256 over the names and contents of config, tokenizer, chat template and weights.

    The whole of the weights is read: two fine-tunings of one model differ in nothing else.
    """
    files = sorted({path for pattern in _PARTS for path in folder.glob(pattern)})
    digest = sha256()
    for path in files:
        digest.update(f"{path.name} {sha256_file(path)}\n".encode())
    return digest.hexdigest()
