"""The models on this machine that the runs page offers."""

from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.inference.model_folder import check_model_folder
from clinicnum.inference.small_model import FOLDER_NAME
from clinicnum.scripts.commands.common.install_small_model import cache_folder

MOST = 100
_PLACES = ("config.json", "*.gguf", "*/config.json", "*/*.gguf", "*/*/config.json", "*/*/*.gguf")


def offered_models(data: Path) -> tuple[tuple[str, str], ...]:
    """(name, path) of each model at most two levels below `data`, and of the small model if it is cached."""
    found = {
        path if path.suffix == ".gguf" else path.parent
        for pattern in _PLACES
        for path in data.glob(pattern)
        if not any(part.startswith(".") for part in path.relative_to(data).parts)
    }
    models = [(str(path.relative_to(data)), str(path)) for path in sorted(found) if _is_model(path)]
    small = cache_folder() / FOLDER_NAME
    return tuple([(name, path) for name, path in models if path != str(small)][:MOST]) + (
        ((FOLDER_NAME, str(small)),) if small.is_dir() else ()
    )


def _is_model(path: Path) -> bool:
    try:
        check_model_folder(path)
    except (InputError, OSError):
        return False
    return True
